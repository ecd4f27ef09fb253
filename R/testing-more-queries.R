# Predictions for more queries than there are: power by the noncentral t distribution, reliability by generalisability
# theory.

# The power of the paired t test with n queries, if the standardised differences (`effect`) are those of the existing
# queries. One value per pair; NA if a difference never varies.
noncentral_power <- function(effect, n, alternative, alpha) {
  ncp <- abs(effect) * sqrt(n)
  two <- alternative == "two.sided"
  critical <- qt(alpha / if (two) 2 else 1, n - 1, lower.tail = FALSE)
  # The sign is positive if the effect is in the direction that the alternative tests.
  toward <- switch(alternative, greater = sign(effect), less = -sign(effect), rep(1, length(effect)))
  upper <- t_upper_tail(critical, n - 1, ncp * toward)
  if (two) upper + t_upper_tail(critical, n - 1, -ncp) else upper
}

# The significance level for one pair of systems, after Bonferroni's correction if the test has it.
level_of_a_pair <- function(test, study, pairs) {
  (test$alpha %||% study$alpha) / if (test$adjust == "bonferroni") pairs else 1
}

# The upper tail of the noncentral t distribution. R's function is accurate up to a noncentrality of 37. Beyond that,
# power is practically 0 or 1 unless the critical value is as large, and the normal approximation is accurate enough.
t_upper_tail <- function(critical, df, ncp) {
  normal <- pnorm((critical * (1 - 1 / (4 * df)) - ncp) / sqrt(1 + critical^2 / (2 * df)), lower.tail = FALSE)
  suppressWarnings(ifelse(is.na(ncp) | abs(ncp) > 37, normal, pt(critical, df, pmin(pmax(ncp, -37), 37),
                                                                lower.tail = FALSE)))
}

# Raises an error if the tests do not permit results for more queries than there are. `arg`: the argument that requests
# them, `target` or `sizes`.
check_more_queries <- function(tests, systems, arg) {
  check_that(is.null(systems), "systems",
             "cannot be combined with {.arg target} or {.arg sizes} beyond the queries at hand.")
  needs <- c(target = "{.arg target} needs", sizes = "{.arg sizes} beyond the queries at hand need")[[arg]]
  for (name in names(tests)) {
    test <- tests[[name]]
    if (inherits(test, "judicious_test_t") && test$adjust %in% c("none", "bonferroni")) next
    abort_argument(arg, c(paste(needs, "paired t-tests without correction or with Bonferroni's."),
                          x = "One of {.arg tests} is {.val {name}}: {format(test)}.",
                          i = "For instance {.code significance_test(\"t\", adjust = \"bonferroni\")}."))
  }
}

# The rows of power_analysis() for more queries than there are, with the power for every pair.
power_with_more_queries <- function(study, sizes) {
  cells <- study_cells(study, size = sizes)
  parts <- Map(function(size, name, measure) {
    test <- study$tests[[name]]
    effect <- paired_effect_size(study$matrices[[measure]])
    expected_power <- noncentral_power(effect, size, test$alternative, level_of_a_pair(test, study, length(effect)))
    cell <- data.frame(measure = measure, test = name, size = as.integer(size))
    list(rows = data.frame(cell, trials = 0L, power = mean(expected_power), sd = NA_real_, lower = NA_real_,
                           upper = NA_real_), pairs = pair_rows(study, cell, power = expected_power))
  }, cells$size, cells$test, cells$measure)
  list(rows = bind_tables(parts, "rows"), pairs = bind_tables(parts, "pairs"))
}

# The fewest queries with which a pair is significant with probability `target`; Inf if the systems do not differ.
queries_for_power <- function(effect, target, alternative, alpha) {
  enough <- function(n) noncentral_power(effect, n, alternative, alpha) >= target
  if (is.na(effect)) return(NA_real_)
  if (effect == 0 || (alternative != "two.sided" && !enough(1e9))) return(Inf)
  # Bisection for the smallest sufficient number from 2 on; power grows with the number.
  high <- 2
  while (!enough(high)) high <- 2 * high
  low <- high / 2
  while (high - low > 1) {
    middle <- floor((low + high) / 2)
    if (enough(middle)) high <- middle else low <- middle
  }
  high
}

needed_queries <- function(study, target) {
  cells <- study_cells(study)
  do.call(rbind, unname(Map(function(name, measure) {
    test <- study$tests[[name]]
    effect <- paired_effect_size(study$matrices[[measure]])
    level <- level_of_a_pair(test, study, length(effect))
    pair_rows(study, data.frame(measure = measure, test = name), effect = effect,
              queries = vapply(effect, queries_for_power, 0, target, test$alternative, level))
  }, cells$test, cells$measure)))
}

# Variance components of the crossed design of systems and queries, the reliability coefficients for the existing
# queries, and the number of queries that a reliability of `reliability` requires. Intervals of 95% are exact under
# normality for Erho2 (Feldt 1965) and approximate for Phi (Arteaga et al. 1982).
generalisability <- function(x, reliability) {
  n <- nrow(x)
  m <- ncol(x)
  centre <- mean(x)
  between <- n * var(colMeans(x))
  queries <- m * var(rowMeans(x))
  residual <- sum((sweep(sweep(x, 1, rowMeans(x)), 2, colMeans(x)) + centre)^2) / ((n - 1) * (m - 1))
  variance_system <- max((between - residual) / n, 0)
  query <- max((queries - residual) / m, 0)
  # The ratio of the variance between systems to the error variance: the estimate, then the ends of its interval.
  crossed <- qf(c(0.975, 0.025), m - 1, (m - 1) * (n - 1))
  variance_ratio <- c(variance_system / residual, pmax((between / residual / crossed - 1) / n, 0))
  endless <- qf(c(0.975, 0.025), m - 1, Inf)
  above <- between^2 - endless * between * residual + (endless - crossed) * crossed * residual^2
  below <- between * ((m - 1) * endless * residual + qf(c(0.975, 0.025), m - 1, n - 1) * queries) * n
  absolute <- c(variance_system / (query + residual), pmax(m * above / below, 0))
  # Without residual variance, the ratio is infinite.
  coefficient <- function(ratio) 1 - 1 / (1 + n * ratio)
  needed <- function(ratio) ifelse(ratio > 0, pmax(1, ceiling(reliability / ((1 - reliability) * ratio) - 1e-9)), Inf)
  ratio <- rbind(variance_ratio, absolute)
  data.frame(
    coefficient = c("Erho2", "Phi"), value = coefficient(ratio[, 1]), lower = coefficient(ratio[, 2]),
    upper = coefficient(ratio[, 3]), queries = needed(ratio[, 1]), queries_lower = needed(ratio[, 3]),
    queries_upper = needed(ratio[, 2]), var_system = variance_system, var_query = query, var_residual = residual,
    row.names = NULL)
}
