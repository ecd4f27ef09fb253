# Progress bars for steps that take several seconds. There is one bar at a time, for the outermost step; steps within it
# only refresh it.

# The default of `progress` arguments: the option `judicious.progress`, or else whether R is interactive.
progress_option <- function() {
  option <- getOption("judicious.progress", interactive())
  check_flag(option, "judicious.progress")
  option
}

# The progress bar that is shown at present; its function `step` advances it.
on_show <- new.env(parent = emptyenv())

# Starts a step of `total` parts (NA: unknown), which ends when the function `frame` ends. Returns a function that
# advances by `inc` parts and accepts values for the fields `cli::pb_extra` of `format`. The bar appears after a second,
# so a quick step shows nothing and does not load cli. The first update is forced, because cli would otherwise wait for
# up to three seconds if there is no terminal.
start_progress <- function(title, total = NA, show = progress_option(), format = NULL, extra = list(),
                           frame = parent.frame()) {
  if (!show) return(function(...) invisible())
  if (!is.null(on_show$step)) return(function(...) refresh_progress())
  bar <- NULL
  done <- 0
  started <- proc.time()[["elapsed"]]
  advance <- function(inc = 1, ...) {
    done <<- done + inc
    if (...length()) extra <<- list(...)
    new <- is.null(bar)
    if (new) {
      if (proc.time()[["elapsed"]] - started < 1) return(invisible())
      bar <<- open_bar(title, total, format, extra, frame)
    }
    cli::cli_progress_update(set = done, id = bar, extra = extra, force = new, .envir = frame)
  }
  on_show$step <- advance
  set_pulse_cpp(refresh_progress)
  do.call(on.exit, list(as.call(list(end_progress)), add = TRUE), envir = frame)
  advance
}

open_bar <- function(title, total, format, extra, frame) {
  before <- options(cli.progress_show_after = 0)
  on.exit(options(before))
  if (is.na(total)) format <- format %||% paste("{cli::pb_spin}", title, "[{cli::pb_elapsed}]")
  cli::cli_progress_bar(title, total = total, format = format, extra = extra, clear = TRUE, .envir = frame)
}

# Refreshes the current bar, if there is one, from a step that has no bar of its own.
refresh_progress <- function() if (!is.null(on_show$step)) on_show$step(0)

end_progress <- function() {
  on_show$step <- NULL
  set_pulse_cpp(NULL)
}

# Calls `f` with each item and shows progress. The calls run in this process or, if future.apply is installed, on the
# workers of the user's future::plan(), which report progress through progressr.
over_items <- function(items, f, title, show, workers = has_workers()) {
  if (!workers) {
    advance <- start_progress(title, length(items), show)
    signal <- function() advance()
  } else {
    signal <- if (show && requireNamespace("progressr", quietly = TRUE)) progressr::progressor(length(items))
  }
  each <- function(item) {
    out <- f(item)
    if (!is.null(signal)) signal()
    out
  }
  if (!workers) return(lapply(items, each))
  # In a worker, an error cannot name the function that the user called.
  reported_by(user_frame(environment()),
              future.apply::future_lapply(items, each, future.seed = NULL, future.packages = "judicious"))
}

# Calls `f` with `x`. If there are workers, splits `x` among them, and joins the lists or columns that `f` returns.
over_parts <- function(x, f, join = function(parts) unlist(parts, recursive = FALSE)) {
  if (length(x) < 2 || !has_workers()) return(f(x))
  parts <- split(x, cut(seq_along(x), min(length(x), future::nbrOfWorkers()), labels = FALSE))
  join(unname(future.apply::future_lapply(parts, f, future.seed = NULL, future.packages = "judicious")))
}

# There are workers only if the user has set a future::plan(), which loads the package future.
has_workers <- function() {
  isNamespaceLoaded("future") && requireNamespace("future.apply", quietly = TRUE) && future::nbrOfWorkers() > 1
}
