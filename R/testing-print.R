#' Print, convert and typeset a comparison
#'
#' `print()` shows one row per pair of systems, with the estimate of their difference, its interval, the adjusted
#' p-value, and whether it is significant. `as.data.frame()` and `tidy()` return all columns; `tidy()` uses the names
#' of package broom, and states in `of` what the estimate is a difference of.
#'
#' @param x,object The result of [compare_systems()].
#' @param n Number of pairs to show.
#' @param digits Number of decimal places.
#' @param conf.int FALSE leaves the intervals out.
#' @param conf.level The level of the comparison; another one is an error.
#' @param ... Passed to other methods.
#' @return `print()`: the comparison, invisibly. `summary()`: what `print()` shows, without the pairs. `as.data.frame()`
#'   and `tidy()`: a data frame with one row per pair; `glance()`: a single row for the comparison. `toLatex()`: a
#'   character vector of lines, of class `Latex`.
#' @name print.judicious_comparison
#' @examples
#' scores <- cbind(
#'   A = c(.9, .8, .7, .9, .6, .8), B = c(.5, .6, .4, .7, .5, .6), C = c(.2, .3, .1, .4, .3, .1)
#' )
#' toLatex(compare_systems(scores))
NULL

#' @rdname print.judicious_comparison
#' @export
print.judicious_comparison <- function(x, n = 20, digits = 4, ...) {
  print(summary(x), ...)
  shown <- utils::head(x$pairs, n)
  pairs <- data.frame(shown[c("system_a", "system_b")], estimate = format_fixed(pair_estimates(shown), digits),
                      lower = format_fixed(shown$lower, digits), upper = format_fixed(shown$upper, digits),
                      p = p_column(shown$p_adjusted), significant = ifelse(shown$significant, "yes", "no"))
  names(pairs)[3] <- names(shown)[3]
  if (!is.null(shown$p_significant)) pairs$p_significant <- format_fixed(shown$p_significant, 3)
  print_table(pairs, row.names = FALSE, right = FALSE)
  cat_rest(nrow(x$pairs) - nrow(shown), "pair")
  invisible(x)
}

#' @rdname print.judicious_comparison
#' @export
summary.judicious_comparison <- function(object, ...) {
  structure(c(
    object[c("test", "measure", "level", "adjust", "overall", "critical_difference", "baseline", "left_out")],
    list(n_systems = ncol(object$scores), n_queries = nrow(object$scores), n_pairs = nrow(object$pairs),
         n_significant = sum(object$pairs$significant),
         n_spanning = with(object$pairs, sum(significant & lower <= 0 & upper >= 0, na.rm = TRUE)),
         simulations = object$simulations, seed = object$arguments$seed,
         expected_significant = if (!is.null(object$simulations)) sum(object$pairs$p_significant),
         fewest_queries = fewest_queries(object$test, nrow(object$pairs), 1 - object$level))
  ), class = "judicious_comparison_summary")
}

# The fewest queries with which a test that depends on signs can find a difference at all, which requires the same sign
# for all queries.
fewest_queries <- function(test, n_pairs, alpha) {
  if (!inherits(test, paste0("judicious_test_", c("permutation", "sign", "wilcoxon")))) return(0)
  times <- if (test$adjust %in% c("holm", "bonferroni")) n_pairs else 1
  ceiling(log2(times / alpha)) + (test$alternative == "two.sided")
}

#' @export
print.judicious_comparison_summary <- function(x, ...) {
  print_row <- function(label, ...) cat_row(label, ..., width = 12)
  cat("Comparison of ", counted(x$n_systems, "system"), if (x$measure != "score") paste0(" by ", x$measure), " on ",
      format_count(x$n_queries), " queries\n", sep = "")
  if (isTRUE(x$left_out > 0)) print_row("left out", count_queries(x$left_out), " of the runs without judgments")
  print_row("test", format(x$test), if (!is.null(x$test$replicates)) paste(", seed", format(x$seed)))
  print_row("overall", overall_test_text(x$overall))
  if (!is.null(x$critical_difference)) {
    print_row("critical", "a difference of ", x$test$compared, "s of ", format(x$critical_difference, digits = 4))
  }
  print_row("baseline", x$baseline)
  few <- if (!x$n_significant && x$n_queries < x$fewest_queries)
    sprintf("; fewer than %s cannot show any", count_queries(x$fewest_queries))
  print_row("significant", format_count(x$n_significant), " of ", counted(x$n_pairs, "pair"), " (",
            percent(x$n_significant / x$n_pairs, 1), ") at level ", format(1 - x$level), few)
  if (!is.null(x$simulations)) {
    print_row("at the end", sprintf("%.1f pairs are expected to be, over %s of the judging", x$expected_significant,
                                    counted(x$simulations, "simulation")))
  }
  print_row("differences", "of the ", x$test$compared, interval_text(x))
  if (x$n_spanning && !x$adjust %in% c("none", "bonferroni")) {
    print_row("intervals", sprintf("of %s contain 0: they have Bonferroni's correction, which is stricter than %s",
                                   counted(x$n_spanning, "significant pair"), adjust_label(x$adjust)))
  }
  invisible(x)
}

# The result of the test of all systems together; NULL for tests of pairs.
overall_test_text <- function(overall) {
  if (is.null(overall)) return(NULL)
  sprintf("%s: %s = %s, p %s", overall$name, overall$label, format(overall$statistic, digits = 5),
          p_text(overall$p_value))
}

# A p-value that would be printed as 0 is below the smallest number with these decimal places.
p_column <- function(p, digits = 4) {
  smallest <- 10^-digits
  ifelse(!is.na(p) & p < smallest / 2, paste0("<", format_fixed(smallest, digits)), format_fixed(p, digits))
}

# Custom tests have no intervals.
interval_text <- function(x) {
  if (!inherits(x$test, "judicious_test_custom"))
    paste0(", with ", level_text(x$level), " intervals", if (x$adjust != "none") " that hold simultaneously")
}

#' @export
as.data.frame.judicious_comparison <- function(x, ...) x$pairs

#' @rdname print.judicious_comparison
#' @export
glance.judicious_comparison <- function(x, ...) {
  overview <- summary(x)
  data.frame(systems = overview$n_systems, queries = overview$n_queries, pairs = overview$n_pairs,
             significant = overview$n_significant, measure = x$measure, test = x$test$name, adjust = x$adjust,
             level = x$level)
}

#' @rdname print.judicious_comparison
#' @export
tidy.judicious_comparison <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  refuse_other_arguments("tidy()", ...)
  check_that(identical(conf.level, x$level), "conf.level",
             "must be the level of the comparison, {x$level}: make it with {.code compare_systems(level = )}.")
  p <- x$pairs
  new <- c(rank_difference = "estimate", lower = "conf.low", upper = "conf.high", p_value = "p.value",
           p_adjusted = "adj.p.value")
  names(p) <- ifelse(names(p) %in% names(new), new[names(p)], names(p))
  data.frame(measure = x$measure, test = x$test$name, of = x$test$compared, tidy_intervals(p, conf.int))
}

#' @rdname print.judicious_comparison
#' @export
toLatex.judicious_comparison <- function(object, digits = 4, ...) {
  refuse_other_arguments("toLatex()", ...)
  p <- object$pairs
  numbers <- lapply(list(pair_estimates(p), p$lower, p$upper), format_fixed, digits)
  cells <- data.frame(p$system_a, p$system_b, numbers, p_column(p$p_adjusted, digits),
                      ifelse(p$significant, "yes", "no"))
  difference <- if (is.null(p$rank_difference)) "Difference" else "Rank difference"
  latex_table(cells, c("System", "Compared with", difference, "Lower", "Upper", "p", "Significant"), "llrrrrl")
}

level_text <- function(level) paste0(format(100 * level), "%")

p_text <- function(p) if (p < 2.2e-16) "< 2.2e-16" else paste("=", format(p, digits = 3))
