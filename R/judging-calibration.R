#' Does the confidence hold?
#'
#' Compares what was expected of each judged document, just before it was judged, with the gain it got. Documents
#' chosen at random (the audit of [judging_session()]) stand for the whole pool; the documents a strategy selects need
#' not.
#'
#' @param session A `judicious_session`.
#' @param level The probability of the interval of `z2`, between 0 and 1.
#' @return A data frame of class `judicious_calibration`, which [plot()][plot.judicious_calibration] draws, with a row
#'   for the audited (`"audit"`) and one for the selected (`"selected"`) judgments: `n`;
#'   `bias`, the mean of (gain - expected) / sd; `z2`, the mean of its square, 1 where variances are right, with an
#'   interval `lower` to `upper` from the spread of the squares; and `within_50`, `within_80`, `within_95`, the shares
#'   of gains inside normal intervals of those probabilities. NA where there are too few judgments.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' calibration(run_session(judging_session(x, goal = goal_budget(60), audit = 0.3, seed = 1, judgments = FALSE)))
#' @export
calibration <- function(session, level = 0.95) {
  check_class(session, "judicious_session", "session", "judging_session")
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  order <- judgments_of(session)
  order <- order[!order$overlap, ]
  scale <- session$env$x$scale
  rows <- lapply(c(audit = TRUE, selected = FALSE), function(audit) {
    part <- with(order[order$audit == audit, ], (worth_of(scale, gain) - mean) / sd)
    calibration_row(part, level)
  })
  data <- data.frame(judgments = names(rows), do.call(rbind, rows), row.names = NULL, stringsAsFactors = FALSE)
  structure(data, class = c("judicious_calibration", "data.frame"))
}

calibration_row <- function(z, level) {
  n <- length(z)
  half <- if (n > 1) stats::qt((1 + level) / 2, n - 1) * stats::sd(z^2) / sqrt(n) else NA_real_
  inside <- function(p) if (n) mean(abs(z) <= stats::qnorm((1 + p) / 2)) else NA_real_
  data.frame(n = n, bias = if (n) mean(z) else NA_real_, z2 = if (n) mean(z^2) else NA_real_,
             lower = if (n) max(mean(z^2) - half, 0) else NA_real_, upper = if (n) mean(z^2) + half else NA_real_,
             within_50 = inside(.5), within_80 = inside(.8), within_95 = inside(.95))
}
