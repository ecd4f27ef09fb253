#' Plan a design of preference judgments
#'
#' Simulates preference sessions for several numbers of candidates and of answers per pair. For each design, it reports
#' the cost in pairs and iterations, and how close the resulting lists are to the order of the latent similarities.
#'
#' @param n Numbers of candidates of a query.
#' @param answers Numbers of answers per pair.
#' @param level Level of the test, as in [preference_session()].
#' @param similarity A function of `n` that draws `n` latent similarities on the scale of [simulate_crowd()]; by default
#'   normal with standard deviation 2.
#' @param replicates Number of simulated sessions per design, each with its own similarities, crowd and initial order.
#' @param ... Arguments of [simulate_crowd()]: `workers`, `skill`, `threshold`, `equal_robots`, ...
#' @param seed A whole number, or NULL to use R's random number generator in its current state.
#' @return A `judicious_preference_plan`: a data frame with one row per session: `n`, `answers`, `replicate`, `pairs`
#'   (asked), `all_pairs` (of the candidates), `n_log_n` (n log2 n), `iterations`, `groups`, and `adr`: the ADR of the
#'   list against the order of the latent similarities (each document its own group), averaged over all orders within
#'   the groups of the list. `summary()` averages over replicates.
#' @seealso [simulate_crowd()], [average_dynamic_recall()]
#' @examples
#' plan <- preference_plan(n = c(5, 10), answers = c(5, 10), replicates = 3, seed = 1)
#' plan
#' @export
preference_plan <- function(n = c(10, 20, 40), answers = 10, level = 0.25, similarity = function(n) rnorm(n, 0, 2),
                             replicates = 10, ..., seed = NULL) {
  for (value in n) check_count(value, "n", min = 2)
  for (value in answers) check_count(value, "answers")
  check_count(replicates, "replicates")
  check_that(is.function(similarity), "similarity",
             "must be a function of the number of documents, not {.obj_type_friendly {similarity}}.")
  design <- expand.grid(replicate = seq_len(replicates), answers = answers, n = n)
  rows <- with_seed(seed, lapply(seq_len(nrow(design)), function(i) {
    simulate_design(design$n[i], design$answers[i], design$replicate[i], level, similarity, ...)
  }))
  structure(do.call(rbind, rows), class = c("judicious_preference_plan", "data.frame"))
}

simulate_design <- function(n, answers, replicate, level, similarity, ...) {
  docs <- paste0("d", seq_len(n))
  latent <- stats::setNames(similarity(n), docs)
  session <- preference_session(list(q = docs), answers = answers, level = level)
  session <- run_session(session, simulate_crowd(list(q = latent), ...))
  found_list <- ordered_list(session)
  truth <- ordered_list(data.frame(query = "q", doc = docs, group = rank(-latent)))
  data.frame(n = n, answers = answers, replicate = replicate, pairs = nrow(session$pairs), all_pairs = n * (n - 1) / 2,
             n_log_n = n * log2(n), iterations = max(session$pairs$iteration), groups = max(found_list$group),
             adr = average_dynamic_recall(found_list, truth)$adr)
}

#' @export
summary.judicious_preference_plan <- function(object, ...) {
  sessions <- as.data.frame(object)
  sessions$replicate <- NULL
  stats::aggregate(sessions[setdiff(names(sessions), c("n", "answers"))], sessions[c("answers", "n")],
                   mean)[c("n", "answers", setdiff(names(sessions), c("n", "answers")))]
}

#' @export
as.data.frame.judicious_preference_plan <- function(x, ...) structure(x, class = "data.frame")

#' @export
print.judicious_preference_plan <- function(x, ...) {
  cat("Simulated designs, means of ", counted(max(x$replicate), "session"), " each\n", sep = "")
  print(summary(x), row.names = FALSE, digits = 3)
  invisible(x)
}
