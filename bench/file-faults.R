# Damaged, ambiguous, changing and unreadable files in all readers and writers. Every result is compared with that of a
# slow reader (bench/file-faults-reference.R), for read_runs(), read_judgments(), read_documents() and for evaluate(),
# which has its own reader of runs. Outcomes: "right"; "told", an error of class judicious_error that names the file
# and, if a line is at fault, the line; "strict", such an error although the file could be understood; and faults.
#
# Parquet files have no checksums that nanoparquet writes or verifies, so a changed bit can also give "other values",
# which are counted separately. It is a fault if R ends, or if reading does not end.
#
# Needs less than 500 MB, and about three minutes of processor time. With the name of a group, such as parquet, only
# these faults are tried.
#
#   Rscript bench/file-faults.R [seed] [group]
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/file-faults-reference.R")

faults <- c("silent", "wrong", "unclassed", "no file named", "no line named", "wrong line", "R ended", "no end")

run_text <- paste0(sprintf("%d Q0 d%d %d %.2f tag\n", rep(301:302, each = 6), c(1:6, 4:9), 1:6, 99 - c(1:3, 3, 5:6)),
                   collapse = "")
tab_text <- gsub("tag", "my tag", gsub(" ", "\t", run_text))
judged_text <- paste0(sprintf("%d 0 d%d %d\n", rep(301:302, each = 4), 2:9, c(0, 1)), collapse = "")
documents_text <- "doc,artist,title\nd1,a b,\"one, \"\"two\"\"\"\nd2,a c,\"three\nfour\"\nd3,a d,five\n"
judgments <- reference_judgments(charToRaw(judged_text))

same <- function(result, expected) {
  if (nrow(result) != nrow(expected) || !all(names(expected) %in% names(result))) return(FALSE)
  result <- as.data.frame(result)[names(expected)]
  if ("value" %in% names(expected)) {
    result <- result[order(result$system, result$query), ]
    expected <- expected[order(expected$system, expected$query), ]
  }
  isTRUE(all.equal(result, expected, tolerance = 1e-12, check.attributes = FALSE))
}

# The name of the outcome of `read()`. `expected` is the right result: a data frame, one of several data frames, or an
# error.
outcome <- function(read, expected, path) {
  if (is.data.frame(expected) || is_refused(expected)) expected <- list(expected)
  result <- tryCatch(suppressWarnings(suppressMessages(read())), error = identity)
  refused <- Filter(is_refused, expected)
  if (!inherits(result, "error")) {
    if (any(vapply(Filter(is.data.frame, expected), same, NA, result = result))) return("right")
    return(if (length(refused)) "silent" else "wrong")
  }
  if (!inherits(result, "judicious_error")) return("unclassed")
  if (!grepl(basename(path), conditionMessage(result), fixed = TRUE)) return("no file named")
  line <- unlist(lapply(refused, attr, "line"))
  if (!length(refused)) return("strict")
  if (anyNA(line) || !length(line)) return("told")
  if (is.null(result$line)) return("no line named")
  if (result$line %in% line) "told" else "wrong line"
}

# Reads a file with these bytes by every reader. `gzipped`: whether the expected content is that which gzip unpacks.
outcomes_of_bytes <- function(bytes, what, gzipped = FALSE) {
  path <- tempfile("faulty-")
  on.exit(unlink(path))
  writeBin(bytes, path)
  if (gzipped) bytes <- gunzip(path)
  expected <- if (gzipped && is.null(bytes)) refuse() else reference[[what]](bytes)
  outcomes_of_file(path, what, expected)
}

reference <- list(runs = reference_run, judgments = reference_judgments, documents = reference_csv)

outcomes_of_file <- function(path, what, expected, source = path) {
  switch(what,
    runs = c(outcome(function() read_runs(source), expected, path),
             outcome(function() evaluate(source, judgments, "AP"), scores_of(expected), path)),
    judgments = outcome(function() read_judgments(source), expected, path),
    documents = outcome(function() read_documents(source), expected, path)
  )
}

# The expected result of evaluate() for the rows of a run, or for several versions of them.
scores_of <- function(expected) {
  if (!is.data.frame(expected) && !is_refused(expected)) return(lapply(expected, reference_scores, judgments))
  scored <- attr(expected, "scored")
  of <- reference_scores(expected, judgments)
  # Files for which evaluate() uses the general reader are read completely, including the ranks.
  if (is.null(scored)) of else list(reference_scores(scored, judgments), of)
}

gzip_bytes <- function(text) {
  path <- tempfile()
  on.exit(unlink(path))
  con <- gzfile(path, "wb")
  writeBin(if (is.raw(text)) text else charToRaw(text), con)
  close(con)
  readBin(path, "raw", file.size(path))
}

prefixes <- function(bytes) lapply(seq_along(bytes) - 1, function(n) bytes[seq_len(n)])

of_each <- function(mutants, ...) lapply(mutants, outcomes_of_bytes, ...)

gzip_faults <- function() {
  whole <- gzip_bytes(run_text)
  parts <- list(gzip_bytes(substr(run_text, 1, 150)), gzip_bytes(substring(run_text, 151)))
  both <- do.call(c, parts)
  flipped <- lapply(seq_along(whole), function(i) replace(whole, i, xor(whole[i], as.raw(2^sample(0:7, 1)))))
  after <- lapply(list(raw(1), raw(20), charToRaw("more"), whole[1:10], as.raw(c(0x1f, 0x8b))), function(more) {
    c(whole, more)
  })
  list(
    "gzip: every prefix" = of_each(prefixes(whole), "runs", TRUE),
    "gzip: every prefix of judgments" = of_each(prefixes(gzip_bytes(judged_text)), "judgments", TRUE),
    "gzip: a bit of every byte changed" = of_each(flipped, "runs", TRUE),
    "gzip: every prefix of two members" = of_each(prefixes(both)[-seq_along(parts[[1]])], "runs", TRUE),
    "gzip: bytes after the end" = of_each(after, "runs", TRUE),
    "gzip: whole" = of_each(list(whole, both), "runs", TRUE)
  )
}

text_faults <- function(every = 1, n = 60) {
  texts <- lapply(list(run_text, tab_text, judged_text, documents_text), charToRaw)
  what <- c("runs", "runs", "judgments", "documents")
  marks <- as.raw(c(0x20, 0x09, 0x0A, 0x0D, 0x00, 0x23, 0x2C, 0x22, 0xE9, 0x78, 0x2D))
  changed <- function(bytes, change) lapply(sample(length(bytes), n), function(at) change(bytes, at))
  added <- function(bytes) changed(bytes, function(b, at) append(b, sample(marks, 1), at - 1))
  replaced <- function(bytes) changed(bytes, function(b, at) replace(b, at, sample(marks, 1)))
  dropped <- function(bytes) changed(bytes, function(b, at) b[-at])
  cut <- lapply(texts, function(bytes) prefixes(bytes)[seq(1, length(bytes), by = every)])
  each <- function(mutants, what) unlist(Map(of_each, mutants, what), recursive = FALSE)
  rows <- 1:3
  list("text: prefixes" = each(cut, what), "text: a byte inserted" = each(lapply(texts[rows], added), what[rows]),
       "text: a byte replaced" = each(lapply(texts[rows], replaced), what[rows]),
       "text: a byte removed" = each(lapply(texts[rows], dropped), what[rows]))
}

line_faults <- function() {
  rows <- strsplit(run_text, "\n")[[1]]
  fields <- strsplit(rows, " ")
  variant <- function(at, row) charToRaw(paste0(paste(replace(rows, at, row), collapse = "\n"), "\n"))
  without <- unlist(lapply(c(1, 5, 12), function(at) {
    lapply(1:6, function(j) variant(at, paste(fields[[at]][-j], collapse = " ")))
  }), recursive = FALSE)
  scores <- c("high", "NaN", "NA", "1,5", "1.5.2", "--1", "+2", ".5", "5.", "1e3", "1e400", "-Inf", "1e-400", "12a",
              "123456789012345678901234567890")
  numbers <- lapply(scores, function(score) variant(7, paste(replace(fields[[7]], 5, score), collapse = " ")))
  blanks <- lapply(c("\v", "\f", "  ", "\t", " \t "), function(blank) charToRaw(gsub(" ", blank, run_text)))
  ends <- lapply(c("\r\n", "\r", "\n\n", " \n", "\n# note\n", "\n \n"), function(end) {
    charToRaw(gsub("\n", end, run_text))
  })
  tags <- lapply(c("a tag", "tag\tb", "tag b", "other"), function(tag) variant(4, sub("tag", tag, rows[4])))
  twice <- lapply(c(1, 3, 12), function(at) variant(12, paste(rows[12], rows[at], sep = "\n")))
  list("lines: a field missing" = of_each(without, "runs"), "lines: scores" = of_each(numbers, "runs"),
       "lines: blanks and ends" = of_each(c(blanks, ends), "runs"), "lines: tags" = of_each(tags, "runs"),
       "lines: a document twice" = of_each(twice, "runs"),
       "lines: a million fields" = of_each(list(charToRaw(strrep("a ", 1e6))), "runs"))
}

# Identifiers that are not ASCII, in runs and judgments of every pair of encodings.
encoding_faults <- function() {
  encodings <- c("UTF-8", "latin1", "UTF-8 with mark", "UTF-16LE with mark", "UTF-16BE with mark")
  encode <- function(text, encoding) {
    mark <- switch(encoding, "UTF-8 with mark" = as.raw(c(0xEF, 0xBB, 0xBF)),
                   "UTF-16LE with mark" = as.raw(c(0xFF, 0xFE)), "UTF-16BE with mark" = as.raw(c(0xFE, 0xFF)))
    path <- tempfile("faulty-")
    writeBin(c(mark, iconv(text, "UTF-8", sub(" .*", "", encoding), toRaw = TRUE)[[1]]), path)
    path
  }
  accents <- function(text) gsub("d", "d\u00e9", text)
  bytes <- function(text) charToRaw(accents(text))
  wanted <- reference_scores(reference_run(bytes(run_text)), reference_judgments(bytes(judged_text)))
  pairs <- expand.grid(run = encodings, judged = encodings, stringsAsFactors = FALSE)
  right <- Map(function(run, judged) {
    paths <- c(encode(accents(run_text), run), encode(accents(judged_text), judged))
    on.exit(unlink(paths))
    outcome(function() evaluate(paths[1], paths[2], "AP"), wanted, paths[1])
  }, pairs$run, pairs$judged)
  bare <- lapply(c("UTF-16LE", "UTF-16BE", "UTF-32LE"), function(encoding) {
    iconv(run_text, "UTF-8", encoding, toRaw = TRUE)[[1]]
  })
  halves <- lapply(2:3, function(n) c(as.raw(c(0xFF, 0xFE)), utils::head(bare[[1]], -n)))
  bad <- lapply(list(0xC3, c(0xC0, 0x80), c(0xED, 0xA0, 0x80), c(0xF5, 0x80, 0x80, 0x80), 0xFF), function(bytes) {
    append(charToRaw(run_text), as.raw(bytes), 8)
  })
  list("encodings: pairs of files" = unname(right),
       "encodings: without a mark, or cut" = of_each(c(bare, halves), "runs"),
       "encodings: invalid UTF-8" = of_each(bad, "runs"))
}

# Complete and damaged contents through a named pipe; in the last cases, the writer pauses in the middle.
pipe_faults <- function() {
  pipe <- tempfile("faulty-")
  source <- tempfile()
  on.exit(unlink(c(pipe, source)))
  system2("mkfifo", pipe)
  many <- paste0(sprintf("301 Q0 d%d %d %.3f tag\n", 1:5000, 1:5000, 9000 - 1:5000), collapse = "")
  gz <- gzip_bytes(run_text)
  contents <- list(run_text, many, tab_text, substr(run_text, 1, 100), "", "301 Q0\n", gz, gzip_bytes(many),
                   utils::head(gz, -1), utils::head(gz, -20), c(gz, gz))
  through <- function(bytes, command) {
    writeBin(if (is.raw(bytes)) bytes else charToRaw(bytes), source)
    bytes <- readBin(source, "raw", 1e6)
    bytes <- if (identical(bytes[1:2], as.raw(c(0x1f, 0x8b)))) gunzip(source) else bytes
    expected <- if (is.null(bytes)) refuse() else reference_run(bytes)
    read <- function(reader, wanted) {
      system(sprintf("{ %s; } > %s", gsub("FILE", shQuote(source), command), shQuote(pipe)), wait = FALSE)
      outcome(function() reader(pipe), wanted, pipe)
    }
    c(read(read_runs, expected), read(function(path) evaluate(path, judgments, "AP"), scores_of(expected)))
  }
  list("pipes" = lapply(contents, through, "cat FILE"),
       "pipes: a slow writer" = lapply(contents, through, "head -c 70 FILE; sleep .2; tail -c +71 FILE"))
}

unreadable_faults <- function() {
  folder <- tempfile("folder-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  at <- function(name) file.path(folder, name)
  contents <- list(empty = "", blank = " \n\t\n", comments = "# a\n# b\n", zeros = raw(100),
                   binary = as.raw(sample(0:255, 5000, TRUE)), png = as.raw(c(0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10)))
  for (name in names(contents)) {
    writeBin(if (is.raw(contents[[name]])) contents[[name]] else charToRaw(contents[[name]]), at(name))
  }
  dir.create(at("directory"))
  file.symlink(at("nowhere"), at("dangling"))
  file.symlink(at("loop"), at("loop"))
  file.symlink(at("directory"), at("link"))
  paths <- c(at(c(names(contents), "directory", "dangling", "loop", "link", "missing", "missing.gz")), "/proc/self/mem",
             "/dev/null", file.path(at("empty"), "below"))
  # Names that a message could interpret as markup, of files with a missing field.
  odd <- at(c("a b", "{x}", "a{.val b}", "%s", "\u00e9", "[1]", "a'b", "-"))
  for (path in odd) cat("301 Q0 d1 1\n301 Q0 d1 1 5 tag\n", file = path)
  list("unreadable" = lapply(paths, outcomes_of_file, what = "runs", expected = refuse()),
       "unreadable: judgments" = lapply(paths, outcomes_of_file, what = "judgments", expected = refuse()),
       "unreadable: names" = lapply(odd, outcomes_of_file, what = "runs", expected = refuse(2)))
}

# Files that another process extends, truncates or replaces while they are read: the result must be one complete
# version, or an error.
changing_faults <- function(times = 6) {
  rows <- sprintf("301 Q0 d%d %d %.4f tag\n", 1:5e4, 1:5e4, 1e5 - 1:5e4 / 2)
  path <- tempfile("faulty-")
  other <- tempfile()
  on.exit(unlink(c(path, other)))
  table <- function(n) reference_run(charToRaw(paste0(rows[seq_len(n)], collapse = "")))
  whole <- table(5e4)
  half <- table(25000)
  meanwhile <- function(command, versions, scores = scores_of(versions)) {
    read <- function(reader, wanted) {
      cat(rows, file = path, sep = "")
      cat(rows[1:25000], file = other, sep = "")
      system(gsub("OTHER", shQuote(other), gsub("FILE", shQuote(path), command)), wait = FALSE)
      Sys.sleep(stats::runif(1, 0, 0.05))
      said <- outcome(function() reader(path), wanted, path)
      Sys.sleep(0.1)
      said
    }
    lapply(seq_len(times), function(i) {
      c(read(read_runs, versions), read(function(path) evaluate(path, judgments, "AP"), scores))
    })
  }
  # Appends half a line and then its other half, repeatedly. If the writer happens to wait during the whole reading, the
  # current content is the right result, even if the last line has half a tag.
  grow <- paste("i=0; while [ $i -lt 40 ]; do printf '301 Q0 e%d 1 1 ta' $i >> FILE; sleep .003;",
                "printf 'g\\n' >> FILE; i=$((i+1)); done")
  more <- data.frame(system = "tag", query = "301", doc = paste0("e", 0:39), rank = 1, score = 1)
  with_half <- function(n) rbind(whole, more[seq_len(n - 1), ], transform(more[n, ], system = "ta"))
  grown <- c(lapply(0:40, function(n) rbind(whole, more[seq_len(n), ])), lapply(1:40, with_half), list(refuse()))
  list("changing: growing" = meanwhile(grow, grown, scores_of(list(whole, with_half(1), refuse()))),
       "changing: cut" = meanwhile("sleep .02; truncate -s 1000000 FILE", list(whole, refuse())),
       "changing: replaced" = meanwhile("sleep .02; mv OTHER FILE", list(whole, half, refuse())),
       "changing: written again" = meanwhile("sleep .02; cat OTHER > FILE", list(whole, half, refuse())),
       "changing: removed" = meanwhile("sleep .02; rm FILE", list(whole, refuse())))
}

parquet_faults <- function() {
  if (!has("nanoparquet")) return(list())
  path <- tempfile("faulty-", fileext = ".parquet")
  on.exit(unlink(path))
  run <- reference_run(charToRaw(run_text))
  nanoparquet::write_parquet(run, path)
  bytes <- readBin(path, "raw", 1e6)
  cut <- lapply(round(seq(4, length(bytes) - 1, length.out = 60)), function(n) {
    writeBin(bytes[seq_len(n)], path)
    outcomes_of_file(path, "runs", refuse())
  })
  list("Parquet: prefixes" = cut, "Parquet: a bit of every byte changed" = parquet_flips(bytes, run))
}

# A changed bit gives other values in a reader without checksums ("other values"). About one in fifty crashes
# nanoparquet, which must end only the child process that reads ("R ended" otherwise). The files are read by separate
# processes.
parquet_flips <- function(bytes, run) {
  folder <- tempfile("flips")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  paths <- file.path(folder, sprintf("faulty-%d.parquet", seq_along(bytes)))
  for (i in seq_along(bytes)) {
    writeBin(replace(bytes, i, xor(bytes[i], as.raw(2^sample(0:7, 1)))), paths[i])
  }
  saveRDS(list(paths = paths, run = run), file.path(folder, "given.rds"))
  said <- character()
  while (length(said) < length(paths)) {
    code <- sprintf("source('bench/file-faults.R'); tell_flips('%s', %d)", folder, length(said) + 1L)
    # A changed size can make the reader request all memory of the machine, or never end. The limit of processor time
    # applies to each process, including the one that starts the readers, which takes about ten seconds for its 100
    # files.
    rscript <- shQuote(file.path(R.home("bin"), "Rscript"))
    command <- paste("ulimit -v 2000000; ulimit -t 60; exec", rscript, "-e", shQuote(code))
    more <- suppressWarnings(system2("sh", c("-c", shQuote(command)), stdout = TRUE, stderr = FALSE))
    said <- c(said, more, if (!is.null(attr(more, "status"))) "R ended")
  }
  as.list(said)
}

# Prints the outcomes of 100 files of parquet_flips() from number `first` on.
tell_flips <- function(folder, first) {
  given <- readRDS(file.path(folder, "given.rds"))
  for (path in given$paths[first:min(first + 99, length(given$paths))]) {
    seconds <- system.time(said <- outcome(function() read_runs(path), given$run, path), gcFirst = FALSE)
    if (sum(seconds[c("user.child", "sys.child")]) > 30) said <- "no end"
    cat(switch(said, strict = "told", wrong = "other values", said), "\n", sep = "")
  }
}

# SQLite columns without a type that also contain values of other types: they must be read as text, or raise an error.
database_faults <- function() {
  if (!has("RSQLite")) return(list())
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(connection))
  run <- reference_run(charToRaw(run_text))
  literals <- c("'q7'" = "q7", "9007199254740993" = "9007199254740993", "2.0" = "2", "2.5" = "2.5", "'007'" = "007")
  mixed <- lapply(seq_along(literals), function(i) {
    unlist(lapply(c("query", "doc", "system", "score"), function(column) {
      DBI::dbExecute(connection, "DROP TABLE IF EXISTS faulty")
      DBI::dbExecute(connection, sprintf("CREATE TABLE faulty (%s)", toString(names(run))))
      DBI::dbAppendTable(connection, "faulty", run)
      DBI::dbExecute(connection, sprintf("UPDATE faulty SET %s = %s WHERE rowid = 9", column, names(literals)[i]))
      text <- replace(as.character(run[[column]]), 9, literals[[i]])
      if (column == "score" && literals[[i]] == "q7") return(outcomes_of_table(connection, refuse()))
      run[[column]] <- if (column == "score") as.numeric(text) else text
      outcomes_of_table(connection, run)
    }))
  })
  list("SQLite: mixed types" = mixed)
}

outcomes_of_table <- function(connection, expected) {
  outcome(function() read_runs(list(connection, "faulty")), expected, "path")
}

# Every function that writes files, on a full device and with a limit on file sizes: it must raise an error that names
# the file, and keep the old file.
disk_faults <- function() {
  x <- simulate_collection(queries = 3, documents = 300, artists = 9, systems = 3, seed = 1)
  s <- run_session(judging_session(x, goal = goal_budget(40), seed = 1, judgments = FALSE))
  demo <- function(name) system.file("extdata", "demo", name, package = "judicious", mustWork = TRUE)
  command <- function(...) function(file) {
    status <- 0
    said <- utils::capture.output(status <- judicious:::cli_main(c(..., "--output", file)), type = "message")
    if (status != 0) {
      stop(structure(class = c("judicious_error", "error", "condition"), list(message = toString(said), call = NULL)))
    }
  }
  writers <- list(
    qrels = function(file) export_judgments(s, file, "qrels"), csv = function(file) export_judgments(s, file, "csv"),
    parquet = if (has("nanoparquet")) function(file) export_judgments(s, file, "parquet"),
    report = function(file) report(rank_systems(x), file),
    evaluate = command("evaluate", "--judgments", demo("qrels.txt"), demo("trec.run")),
    trec_eval = command("evaluate", "--layout", "trec_eval", "--judgments", demo("qrels.txt"), demo("trec.run")),
    json = command("evaluate", "--format", "json", "--judgments", demo("qrels.txt"), demo("trec.run"))
  )
  writers <- Filter(Negate(is.null), writers)
  folder <- tempfile("folder-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  none <- file.path(folder, "none", "file")
  to <- function(file) lapply(writers, function(write) outcome(function() write(file), refuse(), file))
  list("full disk: /dev/full" = to("/dev/full"), "full disk: no folder" = to(none))
}

main <- function(arguments) {
  given <- given_arguments(arguments, list(seed = 19, group = ""))
  set.seed(given$seed)
  groups <- list(gzip = gzip_faults, text = text_faults, line = line_faults, encoding = encoding_faults,
                 pipe = pipe_faults, unreadable = unreadable_faults, changing = changing_faults,
                 parquet = parquet_faults, database = database_faults, disk = disk_faults)
  if (nzchar(given$group)) groups <- groups[given$group]
  found <- unlist(lapply(unname(groups), function(try_all) try_all()), recursive = FALSE)
  levels <- c("right", "told", "strict", "other values", faults)
  count <- t(vapply(found, function(one) table(factor(unlist(one), levels)), integer(length(levels))))
  shown <- colSums(count) > 0 | levels %in% levels[c(1:3, 5)]
  table <- data.frame(kind = names(found), files = lengths(found), count[, shown, drop = FALSE], row.names = NULL)
  show("Faults of files, by kind: files, and outcomes of reading them", table)
  cat(sum(table$files), "files,", sum(count), "outcomes,", sum(count[, faults]), "of them faults\n")
}
if (sys.nframe() == 0) main(commandArgs(TRUE))
