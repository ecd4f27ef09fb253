# Agreement of decisions on pairs with those of a reference (Urbano et al. 2010, Tables 3 to 6).

# Agreement is complete if both decisions are the same, partial if exactly one of them is "equal", and absent if they
# are opposite. The score is the sum of 2 points for each complete and 1 point for each partial agreement, divided by
# its maximum.
decision_agreement <- function(x, reference, call) {
  decisions <- c("less", "equal", "greater")
  counts <- if (is.null(reference)) check_decision_table(x, call) else cross_decisions(x, reference, decisions, call)
  counts <- matrix(as.numeric(counts), 3, dimnames = list(reference = decisions, workers = decisions))
  distance <- abs(outer(1:3, 1:3, "-"))
  share <- vapply(0:2, function(d) sum(counts[distance == d]) / sum(counts), 0)
  structure(list(table = counts, n = sum(counts), complete = share[1], partial = share[2], none = share[3],
                 score = share[1] + share[2] / 2), class = "judicious_decision_agreement")
}

check_decision_table <- function(x, call = caller_env()) {
  counts <- as.matrix(x)
  check_that(identical(dim(counts), c(3L, 3L)) && is.numeric(counts) && !anyNA(counts) && all(counts >= 0), "x",
             "without {.arg y} must be a 3 x 3 table of counts.", call = call)
  counts
}

# Cross-tabulates decisions (columns) with those of the reference (rows).
cross_decisions <- function(x, reference, labels, call = caller_env()) {
  check_that(length(x) == length(reference), "y", "{.arg x} and {.arg y} must be equally long, but have {length(x)} and
    {length(reference)} decisions.", call = call)
  check_decisions(x, "x", labels, call)
  check_decisions(reference, "y", labels, call)
  unclass(table(factor(reference, labels), factor(x, labels)))
}

check_decisions <- function(value, arg, labels, call) {
  bad <- which(!is.na(value) & !value %in% labels)
  check_that(!length(bad), arg, "must hold {.val {labels}} or NA, but element {bad[1]} is
    {.val {as.character(value[bad[1]])}}.", call = call)
}

#' @export
print.judicious_decision_agreement <- function(x, ...) {
  cat(sprintf("Agreement %.3f of %s: %s complete, %s partial, %s none\n", x$score, counted(x$n, "judgment"),
              percent(x$complete), percent(x$partial), percent(x$none)))
  print(x$table)
  invisible(x)
}

#' @export
as.data.frame.judicious_decision_agreement <- function(x, ...) {
  as.data.frame(unclass(x)[c("n", "complete", "partial", "none", "score")])
}
