# Small sessions for the judging page, and a server of the page in another R process.

app_session <- function(queries = 2, docs = 4, scale = broad_scale(), ...) {
  runs <- expand.grid(doc = paste0("d", seq_len(docs)), query = paste0("q", seq_len(queries)), system = c("A", "B"),
                      stringsAsFactors = FALSE)
  # The two systems return different halves of the documents.
  runs <- runs[(runs$system == "A") == (as.integer(sub("d", "", runs$doc)) <= docs / 2), ]
  x <- test_collection(runs, k = docs / 2, scale = scale)
  judging_session(x, goal = goal_budget(queries * docs), audit = 0, seed = 1, ..., judgments = FALSE)
}

# Objects that the page's server function uses, to test them without a browser.
app_parts <- function(app) {
  server <- environment(app$serverFuncSource())
  list(spec = server$spec, mode = server$judging_mode)
}

html <- function(...) as.character(htmltools::tagList(...))

# Runs `code` (an expression that gives an app) in another R process; returns its address.
serve_app <- function(code, env = parent.frame()) {
  port <- free_port()
  script <- tempfile(fileext = ".R")
  lines <- c(sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")), "library(judicious)", code,
             sprintf("shiny::runApp(app, port = %d, launch.browser = FALSE, quiet = TRUE)", port))
  writeLines(lines, script)
  process <- processx::process$new(file.path(R.home("bin"), "Rscript"), c("--no-save", script), stdout = NULL,
                                   stderr = paste0(script, ".err"), cleanup_tree = TRUE)
  known_logs$paths <- c(known_logs$paths, paste0(script, ".err"))
  do.call(on.exit, list(bquote(.(process)$kill_tree()), add = TRUE), envir = env)
  await(function() {
    if (!process$is_alive()) stop(paste(readLines(paste0(script, ".err")), collapse = "\n"), call. = FALSE)
    answers_at(port)
  }, "the page to be served")
  list(process = process, url = sprintf("http://127.0.0.1:%d/", port), port = port)
}

# The paths of the files to which the servers of this run write their standard error stream.
known_logs <- new.env()
server_logs <- function() Filter(file.exists, known_logs$paths)

# Does not use sample(), because tests that run at the same time with the same seed would then get the same port.
free_port <- function(n = 1) {
  start <- floor(as.numeric(Sys.time()) * 1000) + 7919 * Sys.getpid()
  free <- integer()
  for (port in as.integer(20000 + (start + 97 * seq_len(50)) %% 20000)) {
    server <- tryCatch(serverSocket(port), error = function(cnd) NULL)
    if (is.null(server)) next
    close(server)
    free <- c(free, port)
    if (length(free) == n) return(free)
  }
  stop("No port is free.", call. = FALSE)
}

answers_at <- function(port) {
  tryCatch({
    con <- suppressWarnings(connect_to(port))
    close(con)
    TRUE
  }, error = function(cnd) FALSE)
}
