#' Validate graders against people
#'
#' Tells whether the grades of a language model, a metric or another grader can be trusted: how well they agree with
#' people, which systems a grader favours, and how many judgments its grades are worth. Use it before you rank with
#' grades. `print()` states the verdict on each grader.
#'
#' @section What is computed: `vignette("methods")`, section 10, has the formulas.
#'   - *Agreement* is Kendall's tau-b within queries; *alpha* is Krippendorff's, if all grades are levels of the gain
#'     scale. Intervals are by the jackknife over queries.
#'   - The *alternative annotator test* (Calderon, Reichart and Dror 2025) asks whether the grader can replace an
#'     assessor. The *advantage* is the share of documents for which the grade is at least as close to the judgments of
#'     the others as an assessor's, and the *winning rate* the share of assessors whom the grader beats by a test; it
#'     passes with .5. It needs three assessors, each with 30 documents that another one judged, too. The verdict says
#'     whether the mean judgment, as the grade of every document, would pass, too.
#'   - *Order* is the share of the pairs of systems that have the same order by mean grade as by mean gain of their
#'     judged documents, both less the query's mean; .5 is chance.
#'   - *Useless* is a grader whose agreement with people may be chance (the interval of tau includes 0 and ends below
#'     .2), or which orders systems little better than by chance (order of at most .6) while the tau between people (.4
#'     if not known) is at least three times its own. *Useless beside these judgments* is one that agrees with people,
#'     but whose worth exceeds the number of judgments by at most 2%.
#'   - *Favours* are the mean excess of the grades of a system's (or team's) documents over their gains, less that of
#'     all systems; *bias* is the slope of the excess on a numeric column of the documents or on the rank, per standard
#'     deviation. Both are in units of the gain; the verdict names those that differ from 0 by Holm's adjusted tests at
#'     .05.
#'   - The *worth* is the number of random judgments that [joint_gains()] without the grader need to be as certain; NA
#'     if the whole pool is judged, or with one system.
#'
#' @param x A [test_collection()].
#' @param grades Grades by one or several graders, as in [graders]; NULL for those of the collection.
#' @param judgments The judgments of people: NULL for those of `x`, or a data frame with `query`, `doc`, `gain` and, if
#'   several people judged, `assessor`; or its path.
#' @param level The probability of the intervals, between 0 and 1.
#' @param epsilon By how much a grade, which costs less, may be behind an assessor's judgment in the alternative
#'   annotator test: the reference proposes .2 for experts, .15 for skilled assessors and .1 for crowd workers.
#' @param seed Seed of the order of the random judgments by which the worth is counted.
#' @param failed The grades that mark a failure, as in [joint_gains()].
#' @param ... Not used.
#' @return A `judicious_grader_validation`: a list of data frames, of which `as.data.frame()` returns the one named by
#'   `what`:
#'   - `"graders"`: for each `grader`, the numbers of `judged` pairs with a grade and `without`; `tau`, `alpha`, each
#'     with `_lower` and `_upper`; the pairs `compared`; `order`; `winning_rate`, `advantage` and `replaces` (whether
#'     it passes), and `mean_advantage` and `mean_replaces` of the mean judgment; its `worth`; `self_tau`, the tau of
#'     repeated grades, with its interval; and the number of grades that `failed`.
#'   - `"people"`: one row with `assessors`, `compared`, `tau` and `alpha` with intervals; NA with a single assessor.
#'   - `"favours"`: `grader`, `kind` (system or team), `name`, `favour`, `lower`, `upper` and `p` (adjusted).
#'   - `"bias"`: the same with `column` and `slope`.
#'   - `"failures"`: `system`, the number of `grades` of its documents, of those that `failed`, and their `share`.
#' @references Calderon et al. (2025). The alternative annotator test for LLM-as-a-judge: how to statistically justify
#'   replacing human annotators with LLMs. Proceedings of ACL 2025.
#' @examples
#' some <- judgments_of(text_demo)[1:300, ]
#' v <- grader_validation(text_demo, text_grades, some)
#' v
#' as.data.frame(v, what = "favours")
#' @export
grader_validation <- function(x, grades = NULL, judgments = NULL, level = 0.95, epsilon = 0.2, seed = 1, failed = NULL,
                              ...) {
  refuse_other_arguments("grader_validation()", ...)
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  check_number(epsilon, "epsilon", min = 0, max = 1)
  check_seed(seed)
  judgments <- sourced_judgments(judgments)
  x <- judged_collection(x)
  check_that(!is.null(grades) || !is.null(x$grades), "grades", "is missing, and the collection has no grades: give a
    data frame with {.val query}, {.val doc} and a grade.")
  grades <- grades_in_files(grades, failed)
  x <- with_inferred_scale(x, judgments, grades)
  record <- assessor_record(x, judgments)
  x$gain <- gains_by_judgments(x, judgments, record = record)
  judged <- which(!is.na(x$gain))
  check_that(length(judged) > 1, "judgments", "has {counted(length(judged), 'judgment')} of the pool: grades are
    validated by those of people.", kind = "missing_gains")
  if (is.null(record)) record <- data.frame(pair = judged, gain = x$gain[judged], assessor = "")
  if (!is.null(grades)) {
    x$grades <- NULL
    x <- with_grades(x, grades)
  }
  all_grades <- x$grades
  grades_by_grader <- graders_on_pool(x, carried_grades(x))
  # The same model without grades, for comparison.
  x$grades <- NULL
  ungraded <- suppressWarnings(joint_gains(x, gain_prior()), classes = "judicious_warning_only_relevant")
  people <- judgment_pairs(record)
  validated <- Map(function(grade, grader) {
    validate_grader(x, grade, grader, record, level, epsilon, seed, ungraded, all_grades[all_grades$grader == grader, ])
  }, grades_by_grader, names(grades_by_grader))
  both <- agreement_with_interval(people, x, level, on_scale = TRUE)
  structure(list(graders = bind_tables(validated, "row"),
                 people = data.frame(assessors = length(unique(record$assessor)), as.list(both)),
                 favours = bind_tables(validated, "favours"), bias = bind_tables(validated, "bias"),
                 failures = bind_tables(validated, "failures"),
                 judged = length(judged), level = level, scale = x$scale, nouns = nouns_of(x)),
            class = "judicious_grader_validation")
}

# The results for one grader. `grades`: all its grades, including repeated and failed ones.
validate_grader <- function(x, grade, grader, record, level, epsilon, seed, ungraded, grades) {
  judged <- which(!is.na(x$gain))
  graded <- record[!is.na(grade[record$pair]), ]
  pairs <- data.frame(pair = graded$pair, unit = as.character(graded$assessor), a = grade[graded$pair], b = graded$gain)
  agrees <- agreement_with_interval(pairs, x, level, on_scale = all(pairs$a %in% x$scale$levels))
  as_gain <- grades_as_gains(x, grade)
  test <- annotator_test(record, as_gain, epsilon)
  # Squared distances favour grades near the middle of the scale. The test is therefore repeated with the mean gain in
  # place of the grades, for comparison.
  of_mean <- annotator_test(record, ifelse(is.na(as_gain), NA, mean(x$gain, na.rm = TRUE)), epsilon)[-1]
  names(of_mean) <- paste0("mean_", names(of_mean))
  excess <- as_gain - x$gain
  grades$pair <- find_pairs(x, grades$query, grades$doc)
  grades <- grades[!is.na(grades$pair), ]
  repeats <- data.frame(pair = grades$pair, assessor = grades[["repeat"]], gain = grades$value)[!is.na(grades$value), ]
  self <- agreement_with_interval(judgment_pairs(repeats), x, level, on_scale = FALSE)[1:3]
  row <- data.frame(grader = grader, judged = sum(!is.na(grade[judged])), without = sum(is.na(grade[judged])),
                    as.list(agrees), order = system_order_agreement(x, grade), as.list(test), as.list(of_mean),
                    worth = equivalent_judgments(suppressWarnings(joint_gains(x, gain_prior(), grades = grade)),
                                                 ungraded, seed),
                    as.list(stats::setNames(self, paste0("self_", names(self)))),
                    failed = sum(grades$status == "failed"))
  tables <- list(row = row, favours = favouritism_table(x, excess, level), bias = bias_table(x, excess, level),
                 failures = failure_table(x, grades))
  tables[-1] <- lapply(tables[-1], function(table) if (nrow(table)) cbind(grader = grader, table))
  tables
}

# The share of pairs of systems that have the same order by grades as by gains; pairs that are equal in either count
# half. Both are means over the judged documents of a system, after subtracting the mean of the query.
system_order_agreement <- function(x, grade) {
  pair <- result_pair(x)
  kept <- which(!is.na(grade[pair]) & !is.na(x$gain[pair]))
  mean_of <- function(value) {
    value <- value[pair[kept]]
    means <- tapply(value - stats::ave(value, x$pool$query[pair[kept]]), x$results$system[kept], mean)
    # Rounded, because equal means of the same values in different orders would differ.
    round(means / max(abs(value), .Machine$double.xmin), 12)
  }
  ordered <- concordance_sums(mean_of(grade), mean_of(x$gain))
  n <- length(unique(x$results$system[kept]))
  if (n < 2) NA_real_ else (1 + ordered[1] / choose(n, 2)) / 2
}

# The number of grades and of failed grades of each system's documents, systems with the highest share of failures
# first; an empty data frame if none failed.
failure_table <- function(x, all_grades) {
  of_pair <- function(rows) tabulate(all_grades$pair[rows], n_pairs(x))[result_pair(x)]
  of_system <- function(count) as.vector(rowsum(count, factor(x$results$system, seq_len(n_systems(x)))))
  if (!any(all_grades$status == "failed")) return(data.frame())
  table <- data.frame(system = x$systems$system, grades = of_system(of_pair(TRUE)),
                      failed = of_system(of_pair(all_grades$status == "failed")))
  table$share <- table$failed / pmax(table$grades, 1)
  without_row_names(table[order(-table$share), ])
}

# The pairs of judgments by two assessors of the same query-document pair, one row for each.
judgment_pairs <- function(record) {
  distinct <- record[!duplicated(record[c("pair", "assessor")]), ]
  both <- merge(distinct, distinct, by = "pair")
  both <- both[as.character(both$assessor.x) < as.character(both$assessor.y), ]
  data.frame(pair = both$pair, unit = paste(both$assessor.x, both$assessor.y, sep = "\r"), a = both$gain.x,
             b = both$gain.y)
}

# The agreement of pairs of opinions `a` and `b` about documents: Kendall's tau within queries, and Krippendorff's
# alpha, with jackknife intervals over queries. Tau compares only documents with the same `unit`, such as an assessor.
# Alpha is NA unless `a` and `b` are on the same scale (`on_scale`).
agreement_with_interval <- function(pairs, x, level, on_scale) {
  query <- x$pool$query[pairs$pair]
  columns <- c("tau", "tau_lower", "tau_upper", "alpha", "alpha_lower", "alpha_upper", "compared")
  if (!nrow(pairs)) return(stats::setNames(c(rep(NA_real_, 6), 0), columns))
  lists <- split(seq_along(query), combination_code(query, match(pairs$unit, unique(pairs$unit))))
  orders <- t(vapply(lists, function(rows) concordance_sums(pairs$a[rows], pairs$b[rows]), numeric(4)))
  orders <- rowsum(orders, query[vapply(lists, `[`, 0L, 1L)])
  tau <- tau_with_interval(orders, level)
  moments <- cbind(1, (pairs$a - pairs$b)^2, pairs$a + pairs$b, pairs$a^2 + pairs$b^2)
  alpha <- if (on_scale) jackknife_interval(rowsum(moments, query), alpha_of_moments, level) else rep(NA_real_, 3)
  stats::setNames(c(tau, alpha, sum(orders[, 4])), columns)
}

# Kendall's tau and its interval. `orders`: the concordance_sums() of each query. Where all comparisons agree, or all
# disagree, the jackknife has no variance: the interval then ends where it would with one comparison, of the query that
# has most, the other way round.
tau_with_interval <- function(orders, level) {
  tau_of <- function(sums) sums[1] / sqrt(sums[2] * sums[3])
  tau <- jackknife_interval(orders, tau_of, level)
  if (!isTRUE(abs(tau[1]) > 1 - 1e-12)) return(tau)
  most <- which.max(orders[, 4])
  orders[most, 1] <- orders[most, 1] - 2 * sign(tau[1])
  nearly <- jackknife_interval(orders, tau_of, level)
  if (tau[1] > 0) c(tau[1], nearly[2], 1) else c(tau[1], -1, nearly[3])
}

# Sums over pairs of documents: 1 for each pair that `a` and `b` order alike, -1 for each that they order differently;
# the number of pairs that `a` orders; the number that `b` orders; and the number that both order.
concordance_sums <- function(a, b) {
  signs <- function(value) sign(outer(signif(value, 12), signif(value, 12), `-`))
  of_a <- signs(a)
  of_b <- signs(b)
  c(sum(of_a * of_b), sum(of_a != 0), sum(of_b != 0), sum(of_a * of_b != 0)) / 2
}

# Krippendorff's alpha from sums over pairs of ratings: their number, squared differences, values and squared values.
alpha_of_moments <- function(sums) {
  values <- 2 * sums[1]
  spread <- 2 * (sums[4] - sums[3]^2 / values) / (values - 1)
  1 - sums[2] / sums[1] / spread
}

# An estimate and its jackknife interval. `estimate` is a function of the sums over queries, `parts` has the
# contribution of each query in a row. The result is limited to [-1, 1].
jackknife_interval <- function(parts, estimate, level) {
  total <- colSums(parts)
  se <- jackknife_se(nrow(parts), function(i) estimate(total - parts[i, ]))
  margin <- stats::qt((1 + level) / 2, max(nrow(parts) - 1, 1)) * se
  pmin(pmax(estimate(total) + c(0, -margin, margin), -1), 1)
}

# Converts grades to gains. Grades that are levels of the gain scale stay unchanged. Other grades are mapped by
# quantiles of the judged documents: a grade at the quantile p of the grades becomes the quantile p of the gains. Grades
# that no judged document has are interpolated.
grades_as_gains <- function(x, grade) {
  both <- which(!is.na(grade) & !is.na(x$gain))
  if (all(grade[both] %in% x$scale$levels)) return(grade)
  place <- (rank(grade[both]) - 0.5) / length(both)
  distinct <- !duplicated(grade[both])
  gain <- stats::quantile(x$gain[both], place[distinct], names = FALSE)
  if (sum(distinct) == 1) return(ifelse(is.na(grade), NA, mean(gain)))
  stats::approx(grade[both][distinct], gain, grade, rule = 2)$y
}

# The alternative annotator test; see ?grader_validation.
annotator_test <- function(record, as_gain, epsilon) {
  record <- record[!is.na(as_gain[record$pair]), ]
  ratings <- value_matrix(match(record$pair, unique(record$pair)), match(record$assessor, unique(record$assessor)),
                          record$gain)
  grade <- as_gain[unique(record$pair)]
  compared <- lapply(seq_len(ncol(ratings)), function(j) {
    others <- ratings[, -j, drop = FALSE]
    distance <- function(opinion) rowMeans((others - opinion)^2, na.rm = TRUE)
    difference <- stats::na.omit(distance(grade) - distance(ratings[, j]))
    cbind(grader = difference <= 0, person = difference >= 0)
  })
  compared <- compared[vapply(compared, nrow, 0L) >= 30]
  if (length(compared) < 3) return(c(winning_rate = NA_real_, advantage = NA_real_, replaces = NA))
  p <- vapply(compared, function(wins) {
    behind <- wins[, "person"] - wins[, "grader"] - epsilon
    se <- stats::sd(behind) / sqrt(length(behind))
    if (se == 0) as.numeric(behind[1] >= 0) else stats::pt(mean(behind) / se, length(behind) - 1)
  }, 0)
  rate <- mean(stats::p.adjust(p, "BY") < 0.05)
  c(winning_rate = rate, advantage = mean(vapply(compared, function(wins) mean(wins[, "grader"]), 0)),
    replaces = rate >= 0.5)
}

# A mean over queries, with a t interval and a p-value.
mean_with_interval <- function(value, level) {
  n <- length(value)
  se <- if (n > 1) stats::sd(value) / sqrt(n) else NA
  t <- if (isTRUE(se > 0)) mean(value) / se else NA
  c(mean(value), mean(value) + c(-1, 1) * stats::qt((1 + level) / 2, max(n - 1, 1)) * se,
    2 * stats::pt(-abs(t), max(n - 1, 1)))
}

# For each system and team, how much the `excess` (grade minus gain) of its documents is above the mean over all results
# for the same query.
favouritism_table <- function(x, excess, level) {
  pair <- result_pair(x)
  kept <- which(!is.na(excess[pair]))
  if (!length(kept)) return(data.frame())
  query <- x$pool$query[pair[kept]]
  centred <- excess[pair[kept]] - stats::ave(excess[pair[kept]], query)
  of_kind <- function(kind, name) {
    groups <- split(seq_along(kept), name[x$results$system[kept]])
    means <- t(vapply(groups, function(rows) {
      mean_with_interval(tapply(centred[rows], query[rows], mean), level)
    }, numeric(4)))
    data.frame(kind = rep(kind, length(groups)), name = names(groups), favour = means[, 1], lower = means[, 2],
               upper = means[, 3], p = stats::p.adjust(means[, 4], "holm"), row.names = NULL)
  }
  # A team of one system is left out, because its row would repeat that of the system.
  team <- as.character(x$systems$team)
  team[!team %in% team[duplicated(team)]] <- NA
  rbind(of_kind("system", x$systems$system), if (!all(is.na(team))) of_kind("team", team))
}

# The slopes of the `excess` (grade minus gain), within queries, on numeric columns of the documents and on the mean
# rank.
bias_table <- function(x, excess, level) {
  columns <- x$documents[vapply(x$documents, is.numeric, NA)]
  columns <- lapply(columns, function(column) column[x$pool$doc])
  if (!is.null(x$results$rank))
    columns$rank <- as.numeric(rowsum(x$results$rank, result_pair(x))) / diff(x$results$offset)
  rows <- do.call(rbind, lapply(columns, slope_with_interval, excess = excess, query = x$pool$query, level = level))
  if (is.null(rows)) return(data.frame())
  data.frame(column = rownames(rows), slope = rows[, 1], lower = rows[, 2], upper = rows[, 3],
             p = stats::p.adjust(rows[, 4], "holm"), row.names = NULL)
}

# The slope of `excess` per standard deviation of `value`. The standard error allows for correlation of documents within
# queries; NULL if `value` does not vary, or if there are fewer than three queries.
slope_with_interval <- function(value, excess, query, level) {
  kept <- which(!is.na(value) & !is.na(excess))
  within <- function(v) v[kept] - stats::ave(v[kept], query[kept])
  value <- within(value)
  n <- length(unique(query[kept]))
  if (n < 3 || !varies(value)) return(NULL)
  value <- value / stats::sd(value)
  slope <- sum(value * within(excess)) / sum(value^2)
  scores <- rowsum(value * (within(excess) - slope * value), query[kept])
  se <- sqrt(n / (n - 1) * sum(scores^2)) / sum(value^2)
  c(slope, slope + c(-1, 1) * stats::qt((1 + level) / 2, n - 1) * se, 2 * stats::pt(-abs(slope / se), n - 1))
}

# The number of judgments (the existing ones plus further random ones) that, without grades, make differences between
# systems as certain as the existing judgments with grades do. `with_grades`, `without`: joint gains. NA if every pair
# is judged, or there is only one system.
equivalent_judgments <- function(with_grades, without, seed) {
  open <- which(is.na(without$gain))
  judged <- length(without$gain) - length(open)
  if (!length(open)) return(NA_integer_)
  variance <- function(covariance) mean(difference_variance_cpp(covariance)[upper.tri(covariance)])
  aim <- variance(unit_system_moments(with_grades)$covariance)
  if (is.nan(aim)) return(NA_integer_)
  if (variance(unit_system_moments(without)$covariance) <= aim) return(judged)
  open <- with_seed(seed, open[sample.int(length(open))])
  n_needed <- judgments_until(without, open, function(covariance) variance(covariance) <= aim)
  judged + if (is.na(n_needed)) length(open) else n_needed
}

#' @rdname grader_validation
#' @usage NULL
#' @export
print.judicious_grader_validation <- function(x, ...) {
  words <- function(text) in_words_of(x$nouns, text)
  cat("Validation of", counted(nrow(x$graders), "grader"), "by", words(counted(x$judged, "judged document")), "\n")
  cat(words(people_agreement_text(x$people)), sep = "\n")
  for (grader in x$graders$grader) cat("\n", paste0(grader_verdict(x, grader), "\n"), sep = "")
  invisible(x)
}

people_agreement_text <- function(people) {
  if (is.na(people$tau))
    return("No query has documents that two people judged and tell apart: it is not known how well people agree.")
  c(sprintf("%s agree with each other with %s.", counted(people$assessors, "assessor"), tau_text(people)),
    if (!isTRUE(people$tau_lower > 0))
      "That may be chance: these judgments are too few, or too noisy, to validate a grader.")
}

# Kendall's tau as text, with its interval, which is missing if there are few queries, and the number of comparisons if
# they are few.
tau_text <- function(row) {
  limits <- c(row$tau_lower, row$tau_upper)
  few <- if (isTRUE(row$compared < 30)) counted(row$compared, "pair of documents", "pairs of documents")
  paste0(sprintf("tau %.2f", row$tau), if (all(is.finite(limits))) sprintf(" [%.2f, %.2f]", limits[1], limits[2]),
         if (!is.null(few)) paste(" from", few))
}

# The Kendall's tau between people that is assumed if no document was judged by two people. It was .09, .38, .48 and .93
# in the data sets hanna, WMT 2023, dialsumm and opinsumm.
usual_tau <- 0.4

# How useful the grades are, as the beginning of the verdict; ?grader_validation explains the categories.
usefulness_text <- function(row, x) {
  if (!isTRUE(row$tau_lower > 0)) return(lack_of_agreement_text(row, x))
  is_known <- is.finite(x$people$tau)
  if (isTRUE(row$order <= 0.6) && isTRUE(row$tau < (if (is_known) x$people$tau else usual_tau) / 3)) {
    beside <- if (is_known) "people agree with each other much more than with it" else "it hardly agrees with people"
    return(paste0("useless: ", beside, ", and its order of systems is little better than chance. Do not rank by it"))
  }
  why <- c("every document is judged", "no two systems are compared")[1 + is.na(row$order)]
  if (is.na(row$worth))
    return(paste("shown to agree with people better than chance; its worth is not known, because", why))
  if (row$worth <= 1.02 * x$judged)
    return("useless beside these judgments, although it agrees with people: differences between systems become hardly
      more certain")
  paste("of use:", worth_text(row, x))
}

worth_text <- function(row, x) {
  sprintf("%s judgments with its grades are worth about %s without", format_count(x$judged), format_count(row$worth))
}

lack_of_agreement_text <- function(row, x) {
  if (isTRUE(row$tau_upper < 0))
    return("contrary to people: its grades are higher where theirs are lower. If its lower grades are the better ones,
      negate them; do not rank by it as it is")
  if (isTRUE(row$tau_upper < 0.2)) return("useless: its agreement with people may be chance. Do not rank by it")
  # rank_systems() learns how far to trust grades from documents of different queries, too. A worth that is little
  # more than the number of judgments may be chance.
  if (isTRUE(row$worth > 1.5 * x$judged) && !isTRUE(row$tau <= 0))
    return(paste0("not shown to agree with people within queries better than chance so far. Do not rank by it alone; ",
                  "beside judgments, it is of use if the model holds: ", worth_text(row, x)))
  "not shown to agree with people better than chance so far: do not rank by it"
}

# The verdict on one grader. Its first line states whether the grades are useful.
grader_verdict <- function(x, grader) {
  words <- function(text) in_words_of(x$nouns, text)
  row <- x$graders[x$graders$grader == grader, ]
  named <- function(table, name, value) {
    if (is.null(table)) return(NULL)
    significant <- table[which(table$grader == grader & table$p < 0.05), ]
    significant <- utils::head(significant[order(-abs(significant[[value]])), ], 5)
    team <- if (is.null(significant$kind)) "" else ifelse(significant$kind == "team", "team ", "")
    if (nrow(significant)) toString(sprintf("%s%s (%+.2f)", team, significant[[name]], significant[[value]]))
  }
  favoured <- named(x$favours, "name", "favour")
  biased <- named(x$bias, "column", "slope")
  c(
    sprintf("%s is %s.", grader, words(gsub("\n *", " ", usefulness_text(row, x)))),
    if (is.na(row$tau)) c(
      words("  Agreement is not known: no query has judged documents that people and its grades tell apart."),
      words(hint("  agreement() compares them across queries."))
    ) else sprintf("  It agrees with people with %s.", words(tau_text(row))),
    if (!is.na(row$order))
      sprintf("  Its grades alone put %.2f of the pairs of systems in the order of the judgments.", row$order),
    if (!is.na(row$replaces)) sprintf("  It %s the alternative annotator test: winning rate %.2f, advantage %.2f.",
                                      if (row$replaces) "passes" else "fails", row$winning_rate, row$advantage),
    if (isTRUE(row$replaces & row$mean_replaces)) sprintf(
      words(paste("  So does the mean judgment as the grade of every document (advantage %.2f):",
                  "the test tells nothing here.")), row$mean_advantage),
    if (length(favoured)) sprintf("  Its grades are higher or lower than people's for: %s.", favoured),
    if (length(biased)) sprintf("  Its grades change with: %s, per standard deviation.", biased),
    if (!is.na(row$self_tau)) sprintf("  Where it graded again, it agrees with itself with %s.",
                                      words(tau_text(stats::setNames(row[grep("^self_", names(row))],
                                                                     c("tau", "tau_lower", "tau_upper"))))),
    if (row$failed > 0) {
      worst <- x$failures[x$failures$grader == grader, ][1, ]
      sprintf(words("  %s failed, most of system %s: %s of those of its documents."), counted(row$failed, "grade"),
              worst$system, percent(worst$share, 1))
    },
    if (row$without > 0)
      sprintf("  %s no grade.", words(counted(row$without, "judged document has", "judged documents have")))
  )
}

grader_tables <- c("graders", "people", "favours", "bias", "failures")

#' @rdname grader_validation
#' @param what The table to return.
#' @param row.names,optional As in [as.data.frame()].
#' @export
as.data.frame.judicious_grader_validation <- function(x, row.names = NULL, optional = FALSE,
                                                      what = grader_tables, ...) {
  table <- x[[check_choice(what, grader_tables, "what")]]
  if (!is.null(row.names)) rownames(table) <- row.names
  table
}
