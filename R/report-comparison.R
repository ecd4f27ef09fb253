# The contents of the report of significance tests.

comparison_report <- function(x, call) {
  list(title = paste("Comparison of", counted(ncol(x$scores), "system")), comparison = x,
       plotted = nrow(comparison_picture(x, "auto", 45)$rows) %||% nrow(x$systems),
       answer = comparison_answer(x), question = comparison_question(x), systems = comparison_systems(x),
       pairs = comparison_pairs(x$pairs), all_pairs = x$pairs, methods = comparison_methods(x), call = call)
}

comparison_answer <- function(x) {
  pairs <- x$pairs
  n <- sum(pairs$significant)
  best <- x$systems[which.max(x$systems$mean), ]
  c(
    sprintf("**%s** has the highest mean, %s.", markdown_text(best$system), format_fixed(best$mean, 4)),
    sprintf("%s of the %s of systems %s significantly, at level %s.", format_count(n), counted(nrow(pairs), "pair"),
            if (n == 1) "differs" else "differ", format(1 - x$level)),
    if (!is.null(x$simulations)) {
      sprintf("Judging is not complete: %.1f pairs are expected to differ significantly once every pair is judged.",
              sum(x$pairs$p_significant))
    })
}

comparison_question <- function(x) {
  left_out <- if (isTRUE(x$left_out > 0)) left_out_text(x$left_out)
  facts <- c(
    Systems = format_count(ncol(x$scores)), Queries = paste(c(format_count(nrow(x$scores)), left_out), collapse = "; "),
    Measure = if (x$measure != "score") x$measure, Test = format(x$test),
    `Significance level` = format(1 - x$level), Baseline = x$baseline, `Overall test` = overall_test_text(x$overall))
  data.frame(fact = names(facts), value = unname(facts))
}

comparison_systems <- function(x) {
  rows <- x$systems[order(-x$systems$mean), ]
  decided <- x$pairs[x$pairs$significant, ]
  first_is_better <- pair_estimates(decided) > 0
  count <- function(systems) tabulate(match(systems, rows$system), nrow(rows))
  data.frame(rank = ranks_of(rows$mean, 1e-12), system = rows$system, mean = report_number(format_fixed(rows$mean, 4)),
             sd = report_number(format_fixed(rows$sd, 4)),
             `better than` = count(ifelse(first_is_better, decided$system_a, decided$system_b)),
             `worse than` = count(ifelse(first_is_better, decided$system_b, decided$system_a)), check.names = FALSE)
}

# The pairs to show: significant pairs first, then those that are closest to significance.
comparison_pairs <- function(pairs) {
  pairs <- utils::head(pairs[order(!pairs$significant, pairs$p_adjusted), ], 40)
  shown <- data.frame(system = pairs$system_a, `compared with` = pairs$system_b,
                      difference = report_number(format_fixed(pair_estimates(pairs), 4)),
                      interval = report_number(paste(format_fixed(pairs$lower, 4), "to", format_fixed(pairs$upper, 4))),
                      p = report_number(format.pval(pairs$p_adjusted, digits = 3, eps = 1e-4)),
                      significant = ifelse(pairs$significant, "yes", "no"), check.names = FALSE)
  if (!is.null(pairs$rank_difference)) names(shown)[3] <- "rank difference"
  shown
}

comparison_methods <- function(x) {
  sprintf("%s were compared%s over %s, at significance level %s (%s). Computations used judicious %s in R %s.",
          counted(ncol(x$scores), "system"), if (x$measure != "score") paste(" by", x$measure) else "",
          count_queries(nrow(x$scores)), format(1 - x$level), format(x$test), utils::packageVersion("judicious"),
          getRversion())
}
