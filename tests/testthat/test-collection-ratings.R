# Rating sheets: writing them, and reading them back when they are filled in.
skip_if_not_installed("RSQLite")

# A session with the answers of the demo, and a sheet of four of them for assessor ann.
begun <- function(env = parent.frame()) {
  store <- withr::local_tempfile(fileext = ".sqlite", .local_envir = env)
  expect_equal(cli("judge", demo_file("answers.csv"), "--store", store, "--progress", "--seed", "1")$status, 0)
  store
}

sheet_of <- function(ending, env = parent.frame()) {
  path <- withr::local_tempfile(fileext = ending, .local_envir = env)
  made <- cli("next", demo_file("answers.csv"), "-n", "4", "--as", "ann", "--always", "--seed", "1", "-o", path)
  expect_equal(made$status, 0)
  path
}

# The judgments by ann in a session, as texts and gains.
by_ann <- function(store, name = "ann") {
  s <- open_session(store)
  withr::defer(close_session(s))
  made <- judgments_of(s)
  made <- made[made$assessor %in% name, ]
  found <- data.frame(query = made$query, gain = made$gain,
                      text = s$engine$x$documents$text[match(made$doc, s$engine$x$documents$doc)])
  without_row_names(found[order(found$query, found$text), ])
}

in_order <- function(sheet, gain) {
  found <- data.frame(query = sheet$id, gain = gain, text = sheet$answer)[!is.na(gain), ]
  without_row_names(found[order(found$query, found$text), ])
}

test_that("a rating sheet has the columns of the input, and is read back after a spreadsheet program saved it", {
  d <- utils::read.csv(demo_file("answers.csv"))
  path <- sheet_of(".csv")
  sheet <- utils::read.csv(path, colClasses = c(rating = "character"))
  expect_identical(names(sheet), c("model", "id", "question", "answer", "rating", "rater"))
  expect_identical(sheet$rating, rep("", 4))
  expect_identical(sheet$rater, rep("ann", 4))
  # Its rows are those of the selected documents.
  x <- quiet_answers(demo_file("answers.csv"))
  chosen <- cli_data("next", demo_file("answers.csv"), "-n", "4", "--always", "--seed", "1")
  expect_identical(paste(sheet$id, sheet$answer),
                   paste(chosen$query, x$documents$text[match(chosen$doc, x$documents$doc)]))
  expect_identical(sheet$answer, d$answer[match(paste(sheet$model, sheet$id), paste(d$model, d$id))])
  # The sheet as a spreadsheet program may save it: with semicolons, a byte order mark, CRLF and decimal commas. One row
  # is left empty.
  gain <- c(3, 0, NA, 2)
  sheet$rating <- ifelse(is.na(gain), "", gain)
  saved <- withr::local_tempfile(fileext = ".csv")
  text <- c(paste(names(sheet), collapse = ";"), do.call(paste, c(lapply(sheet, function(column) {
    paste0("\"", gsub("\"", "\"\"", column, fixed = TRUE), "\"")
  }), sep = ";")))
  con <- file(saved, "wb")
  writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)), charToRaw(paste0(enc2utf8(text), "\r\n", collapse = ""))), con)
  close(con)
  store <- begun()
  expect_equal(cli("judge", "--store", store, "--from", saved)$status, 0)
  expect_equal(by_ann(store), in_order(sheet, gain))
  # Reading the same file again changes nothing. Read together with the answers, it gives the same judgments.
  expect_match(cli("judge", "--store", store, "--from", saved)$err, "in the session already", all = FALSE)
  both <- judgments_of(quiet_answers(c(demo_file("answers.csv"), saved)))
  expect_equal(sum(both$assessor %in% "ann"), 3)
})

test_that("judgments exported to Label Studio can be read back", {
  skip_if_not_installed("jsonlite")
  path <- sheet_of(".json")
  tasks <- jsonlite::fromJSON(path, simplifyVector = FALSE)
  gain <- c(1, NA, 3, 0)
  exported <- lapply(seq_along(tasks), function(i) {
    result <- list(list(from_name = "rating", to_name = "answer", type = "rating", value = list(rating = gain[i])))
    done <- list(id = i, completed_by = list(id = 4, email = "ann@example.org"), was_cancelled = is.na(gain[i]),
                 result = if (is.na(gain[i])) list() else result)
    list(id = 100 + i, data = tasks[[i]], annotations = list(done), predictions = list())
  })
  store <- begun()
  sheet <- jsonlite::fromJSON(path)
  told <- cli("judge", "--store", store, "--from", answer_file(to_json(exported), ".json"))
  expect_equal(told$status, 0)
  expect_equal(by_ann(store, "ann@example.org"), in_order(sheet, gain))
  # The system may be hidden from raters.
  blind <- lapply(exported, function(task) {
    task$data$model <- NULL
    task$annotations[[1]]$completed_by <- "bob"
    task
  })
  expect_equal(cli("judge", "--store", store, "--from", answer_file(to_json(blind), ".json"))$status, 0)
  expect_equal(by_ann(store, "bob"), in_order(sheet, gain))
})

test_that("ratings of answers that are not in the collection raise an error that names the row", {
  store <- begun()
  sheet <- utils::read.csv(sheet_of(".csv"))
  from <- function(...) {
    path <- withr::local_tempfile(fileext = ".csv")
    utils::write.csv(transform(sheet, ...), path, row.names = FALSE)
    writeLines(cli("judge", "--store", store, "--from", path)$err)
  }
  expect_snapshot({
    from(rating = 1, id = paste0("x", id), question = "Another")
    from(rating = 1, answer = "Something else")
    from(rating = 17)
    from(rating = "good")
    writeLines(cli("next", demo_file("runs.tsv"), "--as", "ann")$err)
  }, transform = function(lines) gsub("file[0-9a-f]+[.]csv", "FILE.csv", hide_folders(lines)))
  expect_equal(nrow(by_ann(store)), 0)
})
