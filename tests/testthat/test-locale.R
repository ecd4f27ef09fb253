# Results are compared between locales: C, UTF-8, Latin-1, Turkish (in which the capital of "i" is not "I"), Estonian
# (in which z comes after s) and English (in which a comes before B).

# The locales that the system has or can create, as environment variables.
locales_to_try <- function(folder) {
  have <- tryCatch(suppressWarnings(system2("locale", "-a", stdout = TRUE, stderr = FALSE)),
                   error = function(cnd) character())
  made <- c("tr_TR.UTF-8", "et_EE.UTF-8", "en_US.UTF-8", "fr_FR.ISO-8859-1")
  can_make <- nzchar(Sys.which("localedef"))
  settings <- lapply(made, function(locale) {
    if (gsub("-", "", tolower(locale)) %in% gsub("-", "", tolower(have))) return(paste0("LC_ALL=", locale))
    parts <- strsplit(locale, ".", fixed = TRUE)[[1]]
    words <- c("-i", parts[1], "-f", parts[2], shQuote(file.path(folder, locale)))
    failed <- !can_make || suppressWarnings(system2("localedef", words, stdout = FALSE, stderr = FALSE)) > 1
    if (failed || !file.exists(file.path(folder, locale))) return(NULL)
    c(paste0("LOCPATH=", folder), paste0("LC_ALL=", locale))
  })
  c(list("LC_ALL=C", "LC_ALL=C.UTF-8", c("OUT_DEC=,", "LC_ALL=C.UTF-8")), Filter(Negate(is.null), settings))
}

test_that("results are identical in every tested locale", {
  testthat::skip_on_cran()
  testthat::skip_on_os(c("windows", "mac"))
  skip_if_not_installed("jsonlite")
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  libraries <- paste0("R_LIBS=", paste(.libPaths(), collapse = ":"))
  script <- normalizePath(test_path("locale", "results.R"))
  found <- lapply(locales_to_try(folder), function(locale) {
    to <- tempfile(tmpdir = folder)
    said <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), c("--no-save", shQuote(script), shQuote(to)),
                                     env = c(libraries, locale, "LANGUAGE=en"), stdout = TRUE, stderr = TRUE))
    if (!file.exists(to)) fail(paste(c(locale, said), collapse = "\n"))
    list(locale = paste(locale, collapse = " "), values = if (file.exists(to)) readRDS(to))
  })
  expect_gte(length(found), 2)
  first <- found[[1]]$values
  for (other in found[-1]) {
    for (part in names(first)) {
      expect_identical(other$values[[part]], first[[part]], label = paste(part, "in", other$locale))
    }
  }
  # The common result is the right one: names are kept, text is sorted by code points, and encodings make no difference.
  expect_identical(first$files$utf8$doc, c("caf\u00e9", "na\u00efve", "plain", "\u00c9tude"))
  expect_identical(first$files$latin1, first$files$utf8)
  expect_identical(first$files$named, first$files$utf8)
  expect_identical(first$files$wide, first$files$utf8)
  expect_identical(names(first$files$headed), c("system", "query", "doc", "\u00e9tude"))
  expect_identical(first$mixed[[2]], first$mixed[[1]])
  expect_identical(first$models[[4]], c("A", "B", "a", "b"))
})

test_that("utf8_text() converts Latin-1 to UTF-8, also in the C locale, and text_factor() sorts by code points", {
  word <- "caf\u00e9"
  latin <- iconv(word, "UTF-8", "latin1")
  expect_identical(charToRaw(utf8_text(latin)), charToRaw(word))
  expect_identical(utf8_text(c("a", NA, word)), c("a", NA, word))
  bare <- rawToChar(charToRaw(word))
  old <- Sys.getlocale("LC_CTYPE")
  on.exit(Sys.setlocale("LC_CTYPE", old))
  Sys.setlocale("LC_CTYPE", "C")
  expect_identical(match(utf8_text(c(bare, latin, "caf\xe9")), word), c(1L, 1L, NA))
  expect_identical(levels(text_factor(c("b", "A", "a", word, NA))), c("A", "a", "b", word))
})

test_that("a path with letters beyond ASCII keeps a session in UTF-8, and raises an error in the C locale", {
  skip_if_not_installed("RSQLite")
  skip_if_not(l10n_info()[["UTF-8"]])
  folder <- withr::local_tempdir()
  path <- file.path(folder, "\u00e9.sqlite")
  s <- app_session(store = path)
  d <- next_documents(s, 1)
  judge(s, d$query, d$doc, 1)
  copied <- backup_session(s, file.path(folder, "copia-\u00e9.sqlite"))
  close_session(s)
  s <- open_session(copied)
  expect_identical(judgments_of(s)$doc, d$doc)
  close_session(s)
  old <- Sys.getlocale("LC_CTYPE")
  on.exit(Sys.setlocale("LC_CTYPE", old))
  Sys.setlocale("LC_CTYPE", "C")
  # The name with and without the mark of UTF-8, as in code and from commandArgs().
  for (name in list(path, rawToChar(charToRaw(path)))) {
    expect_error(open_session(name), "LC_ALL.*C.UTF-8", class = "judicious_error_argument")
    expect_error(app_session(store = name), "LC_ALL.*C.UTF-8", class = "judicious_error_argument")
  }
  # A name in a folder whose name has such letters.
  Sys.setlocale("LC_CTYPE", old)
  dir.create(file.path(folder, "\u00e4"))
  withr::local_dir(file.path(folder, "\u00e4"))
  Sys.setlocale("LC_CTYPE", "C")
  expect_error(app_session(store = "new.sqlite"), "LC_ALL.*C.UTF-8", class = "judicious_error_argument")
})
