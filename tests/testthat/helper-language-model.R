# A language model for tests: a server on the loopback address that answers in the format of OpenAI. Package ellmer is
# loaded in other R processes, because it may need newer versions of packages than those that this process has loaded.
# JUDICIOUS_ELLMER is a library with ellmer; tools/check makes one.

ellmer_library <- function() {
  libraries <- unique(Filter(nzchar, c(Sys.getenv("JUDICIOUS_ELLMER"), .libPaths())))
  check <- "quit(status = !(requireNamespace('ellmer', quietly = TRUE) && packageVersion('ellmer') >= '0.4.0'))"
  ran <- processx::run(file.path(R.home("bin"), "Rscript"), c("-e", check), error_on_status = FALSE,
                       env = c("current", R_LIBS = paste(libraries, collapse = .Platform$path.sep), R_TESTS = ""))
  testthat::skip_if(ran$status != 0, "package ellmer (>= 0.4) with its dependencies")
  libraries
}

# Starts the server: language-model.py says how it answers. Returns its address and the texts of the requests so far.
start_language_model <- function(env = parent.frame()) {
  log <- withr::local_tempfile(.local_envir = env)
  file.create(log)
  process <- processx::process$new("python3", c(testthat::test_path("language-model.py"), log), stdout = "|")
  withr::defer(process$kill(), envir = env)
  port <- character()
  wait_until(length(port <- process$read_output_lines(1)) || !process$is_alive(), 60)
  list(log = log, url = paste0("http://127.0.0.1:", port, "/v1"),
       requests = function() lapply(readLines(log), jsonlite::fromJSON))
}

# Starts an R process that evaluates the expression `code` with ellmer. `given` is a list of objects that the code uses.
# The code assigns its result to the variable `result`, which is saved in the file of that name; in_ellmer() reads it.
start_ellmer <- function(code, given, libraries, result = tempfile(fileext = ".rds")) {
  path <- getNamespaceInfo("judicious", "path")
  installed <- dir.exists(file.path(path, "Meta"))
  input <- tempfile(fileext = ".rds")
  saveRDS(given, input)
  # The namespace is attached, because tests of the command line call internal functions.
  load <- if (installed) "attach(asNamespace('judicious'))" else
    sprintf("pkgload::load_all(%s, compile = FALSE, quiet = TRUE, helpers = FALSE)", deparse(path))
  script <- tempfile(fileext = ".R")
  writeLines(c(load, "options(ellmer_max_tries = 2)", sprintf("list2env(readRDS(%s), globalenv())", deparse(input)),
               "chat <- function(...) ellmer::chat_openai_compatible(url, model = 'toy', ...)",
               "result <- list()", deparse(code), sprintf("saveRDS(result, %s)", deparse(result))), script)
  libraries <- paste(c(if (installed) dirname(path), libraries), collapse = .Platform$path.sep)
  # R's byte-compiler is off: to compile the closures that ellmer makes for each request takes ten times as long as to
  # run them.
  env <- c("current", R_ENABLE_JIT = "0", R_LIBS = libraries, R_TESTS = "", OPENAI_API_KEY = "none", LANGUAGE = "en")
  processx::process$new(file.path(R.home("bin"), "Rscript"), script, stdout = NULL, stderr = paste0(result, ".err"),
                        env = env, cleanup = TRUE)
}

in_ellmer <- function(code, given, libraries) {
  result <- tempfile(fileext = ".rds")
  process <- start_ellmer(substitute(code), given, libraries, result)
  process$wait(120000)
  if (!file.exists(result)) stop(paste(readLines(paste0(result, ".err")), collapse = "\n"))
  readRDS(result)
}

skip_without_language_model <- function() {
  for (package in c("processx", "jsonlite")) testthat::skip_if_not_installed(package)
  testthat::skip_if(!nzchar(Sys.which("python3")), "python3")
  ellmer_library()
}

# One query per text. System a returns the document with this text; system b returns a document without a text.
texts_collection <- function(texts, ...) {
  n <- length(texts)
  ids <- paste0("d", c(seq_len(n), rep(0, n)))
  runs <- data.frame(system = rep(c("a", "b"), each = n), query = rep(paste0("q", seq_len(n)), 2), doc = ids, rank = 1L)
  documents <- data.frame(doc = unique(ids), text = c(texts, NA))
  queries <- data.frame(query = paste0("q", seq_len(n)), text = paste("Question", seq_len(n)))
  suppressMessages(test_collection(runs, documents, queries = queries, k = 1, ...))
}
