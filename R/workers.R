# Calls a function for many items, with progress, and on several workers if the user has set up any.

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
