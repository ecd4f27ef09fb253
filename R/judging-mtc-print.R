new_mtc <- function(e, reason, options, known) {
  kept <- rows_not_undone(e$trace$columns$kind[seq_len(e$trace$n)])
  rows <- memory_rows(e$trace, kept)
  observed <- memory_rows(e$observed, kept)
  by_judgment <- data.frame(judged = rows$judged, confidence = rows$confidence, decided = observed$decided)
  if (known) {
    by_judgment$accuracy <- (1 + observed$tau) / 2
    by_judgment$tau <- observed$tau
  }
  judged <- data.frame(judged = seq_along(e$sequence), pool_ids(e$x)[e$sequence, ], gain = e$gain[e$sequence],
                       row.names = NULL)
  gains <- belief_gains(e$belief)
  structure(list(
    trace = by_judgment, order = judged, ranking = rank_systems(e$x, gains, delta = options$delta), gains = gains,
    reason = reason, options = options
  ), class = "judicious_mtc")
}

#' @export
print.judicious_mtc <- function(x, n = 10, ...) {
  print(summary(x))
  cat("\n")
  print(x$ranking, n = n)
  invisible(x)
}

#' @export
summary.judicious_mtc <- function(object, ...) {
  last <- object$trace[nrow(object$trace), ]
  structure(list(
    judged = last$judged, pool = length(object$gains$mean), share = last$judged / length(object$gains$mean),
    confidence = last$confidence, decided = last$decided, accuracy = last$accuracy %||% NA_real_,
    tau = last$tau %||% NA_real_, first = object$trace$confidence[1], reason = object$reason, options = object$options
  ), class = "judicious_mtc_summary")
}

#' @export
print.judicious_mtc_summary <- function(x, ...) {
  cat("Minimal test collection: ", counted(x$judged, "judgment"), " of a pool of ", format_count(x$pool),
      " (", percent(x$share, 1), ")\n", sep = "")
  cat_row("stopped", mtc_reason(x))
  label <- if (x$judged < x$pool) ", published (overconfident)" else ""
  cat_row("confidence", sprintf("%.4f in the ranking (%.4f before the first judgment)%s", x$confidence, x$first, label))
  cat_row("decided", sprintf("%s of the pairs of systems at %s or more", percent(x$decided),
                             format(x$options$confidence)))
  if (!is.na(x$accuracy)) cat_row("accuracy", sprintf("%.4f (tau %.4f) against the full judgments", x$accuracy, x$tau))
  invisible(x)
}

mtc_reason <- function(x) {
  asked <- format(x$options$confidence)
  switch(x$reason,
    confidence = if (x$options$stop == "all") {
      paste("every pair of systems has the confidence", asked, "or nothing left to judge")
    } else {
      paste("the required mean confidence,", paste0(asked, ","), "is reached")
    },
    settled = "no further judgment can change the order of two systems",
    budget = paste("the budget of", counted(x$options$budget, "judgment"), "is used up"),
    exhausted = "no document is left to judge",
    judge = "the judging function ended the session",
    error = "the gains could not be estimated again",
    interrupt = "interrupted"
  )
}

#' @export
as.data.frame.judicious_mtc <- function(x, row.names = NULL, optional = FALSE, ...) x$trace
