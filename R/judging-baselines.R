# Study methods without a model of the gains: the alternatives to joint gains.

#' Define a baseline for a study
#'
#' Creates a method that ranks systems from few judgments without a model of the gains. Use it in [mtc_study()] to
#' compare [joint_method()] with baselines on the same collection and budgets.
#'
#' @details
#' - `"random"`: documents are judged at random. Each system's mean is estimated from the sample, with t intervals.
#' - `"stratified"`: the same within strata by the number of systems that retrieved a document (or, with `grades`,
#'   by its grades); a stratum gets judgments in proportion to the contribution of its pairs to the systems' means.
#' - `"ppi"`: prediction-powered inference with power tuning (PPI++; Angelopoulos, Duchi and Zrnic, 2023): the mean of
#'   the grades over the pool, corrected by its errors on a random sample. The correction's slope is the regression of
#'   gains on grades in the sample.
#' - `"calibrated"`: every unjudged pair is estimated by the mean gain of the pairs with the same grade,
#'   among random judgments and, if there is one, the past half. It states no confidence.
#' - `"gated"`: isotonic regression of the gains on the grades, in five folds of random judgments, with a gate, as in
#'   causal judge evaluation (Landesberg and Narayan, 2025): a system states nothing if its judged pairs contradict
#'   predictions made without their fold (a t-test at .05, with Bonferroni's correction), or if fewer than three are
#'   judged. The variance is that of the regression (a jackknife over the folds) and of the gains of unjudged pairs.
#' - `"grades"`: the grades are used as the gains, regardless of the judgments. It states no confidence.
#' - `"depth"`: documents are judged by the best rank that a system gave them, as in depth pooling, and unjudged
#'   documents are assumed to have the scale's lowest gain. It states no confidence.
#'
#' A method that states no confidence has NA for the statistics that need one. With fewer than three judgments, the
#' sample is not used: all systems are estimated to be equal, or as the grades rank them, without confidence.
#'
#' @param method The name of the baseline; see Details.
#' @param grades The grades of the pairs by a grader: one number per pair of the pool, in pool order, a data frame of
#'   `query`, `doc` and `grade`, or a function of a collection that returns one of these. NULL uses those of the
#'   collection, if it has one grader. `"ppi"`, `"calibrated"`, `"gated"` and `"grades"` need them. A pair without a
#'   grade has the mean of the others.
#' @return A `judicious_method` for [mtc_study()]. It supports measures that are sums over documents, such as AG and
#'   DCG, and computes its confidence only at the study's budgets.
#' @references Landesberg, E. and Narayan, M. (2025). Causal judge evaluation: Calibrated surrogate metrics for LLM
#'   systems. arXiv:2512.11150.
#'
#'   Angelopoulos, A. N., Duchi, J. C. and Zrnic, T. (2023). PPI++: Efficient prediction-powered inference.
#'   arXiv:2311.01453.
#' @examples
#' baseline_method("random")
#' baseline_method("ppi", grades = function(x) output_features(x)$pSYS)
#' @export
baseline_method <- function(method = c("random", "stratified", "ppi", "calibrated", "gated", "grades", "depth"),
                            grades = NULL) {
  method <- check_choice(method, eval(formals()$method), "method")
  estimate <- switch(method, random = , ppi = estimate_from_sample, stratified = estimate_from_strata,
                     calibrated = estimate_by_grade, gated = estimate_with_gate, grades = estimate_from_grades,
                     depth = estimate_from_top)
  label <- c(random = "random judgments", stratified = "stratified random judgments", ppi = "PPI++",
             calibrated = "calibrated grades", gated = "calibrated grades with a gate", grades = "grades alone",
             depth = "depth pooling")[[method]]
  new_method(label, function(past, now, budgets, seed, confidence, truth) {
    check_that(is_sum(now), "measure", c(
      "The baselines of {.fn baseline_method} do not support the measure {.val {now$measure$name}}.",
      i = "They support measures that are sums over documents, such as AG, P, DCG and RBP."
    ), kind = "measure", call = NULL)
    needed <- method %in% c("ppi", "calibrated", "gated", "grades")
    if (needed && is.null(grades)) grades <- graders_of_study(now, method)
    case <- baseline_case(now, if (needed) grades, past, seed)
    # Rankings without a model, with t intervals of `df` degrees of freedom.
    rankings <- lapply(pmin(budgets, length(case$gain)), function(n) {
      structure(c(estimate(case, n), list(collection = now, judged = n)), class = "judicious_estimate")
    })
    stated <- vapply(rankings, function(one) mean(stated_differences(one)$confidence), 1)
    first <- which(stated >= confidence)[1]
    right <- if (is.na(first)) NA else (1 + pair_agreement(rankings[[first]]$mean, truth, gain_resolution(now))) / 2
    list(rankings = rankings, stop = c(if (is.na(first)) NA else rankings[[first]]$judged, right))
  })
}

# The grades of the collection, of its only grader, as a function of it or of its past half.
graders_of_study <- function(x, method) {
  check_that(!is.null(x$grades), "grades", "The method {.val {method}} needs {.arg grades}: the collection has none.",
             call = NULL)
  graders <- unique(x$grades$grader)
  check_that(length(graders) == 1, "grades", "The method {.val {method}} needs the grades of one grader: the collection
    has those of {name_some(graders)}.", call = NULL)
  function(x) carried_grades(x)[[1]]
}

# Input of the estimates below: the gains and grades of the pairs in units of the measure, the contribution of each
# pair to each system (`weight`, pairs by systems), the order in which pairs are drawn, and the gains of the past half
# by grades.
baseline_case <- function(x, grades, past, seed) {
  list(gain = worth_of(x$scale, x$gain), ends = worth_range(x$scale), grades = grade_number(x, grades),
       weight = pair_weights(x, seq_len(n_pairs(x))), count = diff(x$results$offset),
       rank = as.vector(tapply(result_position(x), result_pair(x), min)),
       order = with_seed(seed, sample.int(n_pairs(x))),
       past = if (!is.null(past) && !is.null(grades)) {
         do.call(rbind, lapply(past, function(one) {
           data.frame(grades = grade_number(one, grades), gain = worth_of(one$scale, one$gain))
         }))
       })
}

grade_number <- function(x, grades, call = caller_env()) {
  if (is.null(grades)) return(NULL)
  grades <- grades_in_files(if (is.function(grades)) grades(x) else grades, call)
  value <- if (is.data.frame(grades)) grades_on_pool(grades, x, "grades", call) else grades
  check_that(is.numeric(value) && length(value) == n_pairs(x), "grades",
             "must give one number for each of the {format_count(n_pairs(x))} pairs of the pool.", call = call)
  check_that(!all(is.na(value)), "grades", "has no number for any pair of the pool.", call = call)
  replace(value, is.na(value), mean(value, na.rm = TRUE))
}

# Regression estimate: the mean of the predictions over the pool, corrected by their errors in the sample. The
# correction makes the estimate valid even if the regression is wrong.
estimate_from_sample <- function(case, budget) {
  n_all <- length(case$gain)
  at <- case$order[seq_len(budget)]
  predictor <- case$grades %||% numeric(n_all)
  if (budget < 3) return(list(mean = colSums(case$weight * predictor)))
  y <- case$gain[at]
  spread <- stats::var(predictor[at])
  slope <- if (spread > 0) stats::cov(y, predictor[at]) / spread else 0
  predicted <- mean(y) + slope * (predictor - mean(predictor[at]))
  error <- n_all * case$weight[at, , drop = FALSE] * (y - predicted[at])
  list(mean = colSums(case$weight * predicted) + colMeans(error),
       covariance = stats::cov(error) * (1 / budget - 1 / n_all), df = budget - 1)
}

# Uses up to four strata. A stratum with fewer than three judgments is merged with its neighbour.
estimate_from_strata <- function(case, budget) {
  ordered_by <- case$grades %||% case$count
  stratum <- as.integer(cut(rank(ordered_by, ties.method = "average"), 4))
  total <- rowSums(case$weight)
  repeat {
    label <- sort(unique(stratum))
    share <- vapply(label, function(s) sum(total[stratum == s]), 1) / sum(total)
    count <- shared_out(share, tabulate(stratum)[label], budget)
    poor <- which(count < 3)[1]
    if (is.na(poor) || length(label) == 1) break
    stratum[stratum == label[poor]] <- label[if (poor == 1) 2 else poor - 1]
  }
  if (count[1] < 3) return(list(mean = numeric(ncol(case$weight))))
  parts <- Map(function(s, n) {
    inside <- case$order[stratum[case$order] == s]
    n_all <- length(inside)
    at <- inside[seq_len(n)]
    value <- n_all * case$weight[at, , drop = FALSE] * case$gain[at]
    list(mean = colMeans(value), covariance = stats::cov(value) * (1 / n - 1 / n_all))
  }, label, count)
  list(mean = Reduce(`+`, lapply(parts, `[[`, "mean")), covariance = Reduce(`+`, lapply(parts, `[[`, "covariance")),
       df = sum(count) - length(count))
}

# Divides a budget in proportion to `share`. No stratum gets more judgments than it has pairs; the rest goes to others.
shared_out <- function(share, size, budget) {
  count <- numeric(length(share))
  while (budget - sum(count) >= 1 && any(count < size)) {
    room <- count < size
    more <- floor((budget - sum(count)) * share * room / sum(share[room]))
    if (all(more == 0)) more[which(room)[1]] <- 1
    count <- pmin(count + more, size)
  }
  count
}

# The past half's mean gain of a grade counts as at most 20 judgments.
estimate_by_grade <- function(case, budget) {
  at <- case$order[seq_len(budget)]
  expected <- vapply(unique(case$grades), function(grade) {
    now <- case$gain[at][case$grades[at] == grade]
    before <- case$past$gain[case$past$grades == grade]
    count <- min(length(before), 20)
    # Without any judgment of a grade, the grade itself is the estimate.
    if (!length(now) && !count) grade else (sum(now) + if (count) count * mean(before) else 0) / (length(now) + count)
  }, 1)
  gain <- expected[match(case$grades, unique(case$grades))]
  list(mean = colSums(case$weight * replace(gain, at, case$gain[at])))
}

# What a system that fails the gate states is as uncertain as one uniform gain for all of its unjudged documents.
estimate_with_gate <- function(case, budget, folds = 5) {
  if (budget < 2 * folds) return(estimate_from_grades(case))
  at <- case$order[seq_len(budget)]
  fold <- rep_len(seq_len(folds), budget)
  systems_of <- function(gain) colSums(case$weight * replace(gain, at, case$gain[at]))
  left_out <- vapply(seq_len(folds), function(i) isotonic_gains(case, at[fold != i]), case$grades)
  error <- case$gain[at] - left_out[cbind(at, fold)]
  fails <- vapply(seq_len(ncol(case$weight)), function(s) {
    own <- error[case$weight[at, s] > 0]
    t_value <- sqrt(length(own)) * abs(mean(own)) / stats::sd(own)
    length(own) < 3 || isTRUE(2 * stats::pt(-t_value, length(own) - 1) < 0.05 / ncol(case$weight))
  }, NA)
  list(mean = systems_of(isotonic_gains(case, at)), df = Inf,
       covariance = stats::cov(t(apply(left_out, 2, systems_of))) * (folds - 1)^2 / folds +
         mean(error^2) * crossprod(case$weight[-at, , drop = FALSE]) +
         diag(fails * (diff(case$ends) * colSums(case$weight[-at, , drop = FALSE]))^2 / 12, ncol(case$weight)))
}

# The gain of every pair by its grade. Equal grades get the same value, because the highest gain comes first.
isotonic_gains <- function(case, at) {
  at <- at[order(case$grades[at], -case$gain[at])]
  stats::isoreg(case$gain[at])$yf[pmax(findInterval(case$grades, case$grades[at]), 1)]
}

estimate_from_grades <- function(case, budget) list(mean = colSums(case$weight * case$grades))

estimate_from_top <- function(case, budget) {
  at <- case$order[order(case$rank[case$order])][seq_len(budget)]
  list(mean = colSums(case$weight * replace(rep(case$ends[1], length(case$gain)), at, case$gain[at])))
}

# Every pair of systems of a ranking or an estimate, in the order of compare_pairs(): `difference`, its `sd`, and the
# `confidence` in its sign, which is NA if the method does not state any.
stated_differences <- function(ranking) {
  if (inherits(ranking, "judicious_ranking")) {
    compared <- compare_pairs(ranking)
    return(data.frame(difference = compared$difference, sd = sqrt(compared$variance), confidence = compared$confidence))
  }
  x <- ranking$collection
  covariance <- ranking$covariance %||% matrix(0, n_systems(x), n_systems(x))
  compared <- compare_systems_cpp(ranking$mean, difference_variance_cpp(covariance), 0, gain_resolution(x))
  error <- sqrt(pmax(compared$variance, 0))
  confidence <- ifelse(error > 0, stats::pt(abs(compared$difference) / error, ranking$df), compared$confidence)
  if (is.null(ranking$covariance)) error[] <- confidence[] <- NA
  data.frame(difference = compared$difference, sd = error, confidence = confidence)
}

new_method <- function(label, run) structure(list(label = label, run = run), class = "judicious_method")

#' @export
print.judicious_method <- function(x, ...) print_line(x, "Method of a study: ", x$label)
