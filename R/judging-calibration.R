#' Check whether the predictions of a session hold
#'
#' Compares the prediction for each judged document, made just before it was judged, with its gain, and does the same
#' for the differences between systems. Use it before you rely on the confidence of a ranking.
#'
#' @details If the documents of a system are all a little better than expected, no single deviation is surprising, but
#'   their sum is. The row `"systems"` adds up, for each system, how much better than expected its judged documents
#'   were, and compares the differences of these sums with the stated variances.
#'
#' `print(session)` says that this check fails if the whole 99% interval of `z2` for systems is above 1: confidence may
#' then be overstated, and a model of similar `past` collections may be better.
#'
#' The audit alone provides a model-free, unbiased estimate for every system (`by = "systems"`; section 6 of
#' `vignette("methods")`).
#'
#' @param session A session with judgments, by [judging_session()].
#' @param level The probability of the interval of `z2`, between 0 and 1.
#' @param by `"judgments"`: a row for each kind of judgment. `"systems"`: a row per system, which requires a session
#'   with `batch = 1` whose collection has not grown, so that each audited document is drawn from all unjudged ones.
#' @return By judgments, a data frame of class `judicious_calibration`, which [plot()][plot.judicious_calibration]
#'   draws. `judgments` names the rows: `"audit"` and `"selected"` judgments, and `"systems"` for the differences
#'   between systems. The other columns, NA if there are too few judgments, are
#'   - `n`: the number of judgments or of pairs of systems;
#'   - `bias`: the mean of (gain - expected) / sd (NA for systems);
#'   - `z2`: the mean of ((gain - expected) / sd)^2, which is 1 if the stated variances are right and above 1 if they
#'     are too small; `lower` and `upper`: its interval, from the spread of the squares or, for systems, from a
#'     chi-squared distribution with the mean and variance of `z2` under the model;
#'   - `within_50`, `within_80`, `within_95`: the shares inside normal intervals of these probabilities.
#'
#'   By systems, a data frame with `system`; `model` and `model_sd`, the mean and standard deviation by the current
#'   model; `audit` and `sd`, those of the audit alone; and `z`, their difference divided by the root of the sum of
#'   their variances. NA for systems of which fewer than three documents were audited. The measure must be a sum over
#'   documents.
#' @section Errors: With `by = "systems"`: `judicious_error_audit`, `judicious_error_measure`.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' session <- judging_session(x, goal = goal_budget(60), audit = 0.3, seed = 1, judgments = FALSE)
#' run_session(session)
#' calibration(session)
#' calibration(session, by = "systems")
#' @export
calibration <- function(session, level = 0.95, by = c("judgments", "systems")) {
  check_class(session, "judicious_session", "session", "judging_session")
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  if (check_choice(by, c("judgments", "systems"), "by") == "systems") return(audited_systems(session))
  judged <- judgments_of(session)
  judged <- judged[!judged$overlap, ]
  if (!nrow(judged)) {
    inform_judicious("The session has no judgments yet, so there is nothing to compare with its predictions.", "empty")
  }
  rows <- lapply(c(audit = TRUE, selected = FALSE), function(audit) {
    z <- with(judged[judged$audit %in% audit, ], (transformed_gain(session$engine$x, gain) - mean) / sd)
    n <- length(z)
    half_width <- if (n > 1) stats::qt((1 + level) / 2, n - 1) * stats::sd(z^2) / sqrt(n) else NA_real_
    z2 <- if (n) mean(z^2) else NA_real_
    data.frame(n = n, bias = if (n) mean(z) else NA_real_, z2 = z2, lower = max(z2 - half_width, 0),
               upper = z2 + half_width, shares_within(z))
  })
  differences <- difference_calibration(prediction_errors(session$engine))
  interval <- z2_interval(differences, level)
  rows$systems <- data.frame(n = length(differences$z), bias = NA_real_, z2 = differences$z2 %||% NA_real_,
                             lower = interval[1], upper = interval[2], shares_within(differences$z))
  calibrations <- data.frame(judgments = names(rows), do.call(rbind, rows), row.names = NULL)
  structure(calibrations, class = c("judicious_calibration", "data.frame"))
}

shares_within <- function(z) {
  inside <- function(p) if (length(z)) mean(abs(z) <= stats::qnorm((1 + p) / 2)) else NA_real_
  data.frame(within_50 = inside(.5), within_80 = inside(.8), within_95 = inside(.95))
}

audited_systems <- function(session) {
  engine <- refresh(session$engine)
  x <- engine$x
  check_that(engine$edition == 0 && engine$batch <= 1, "by", c(
    "The audit of this session is not a sequence of random samples of its whole pool.",
    i = if (engine$batch > 1)
      "Documents are selected in batches, in which audited and other documents are drawn together."
        else "Its collection has grown since it began."
  ), kind = "audit")
  check_that(is_sum(x), "by", "The audit gives no estimate of {.val {x$scoring$measure$name}}, which is not a sum over
    documents.", kind = "measure")
  judged <- judgments_of(session)
  judged <- judged[!judged$overlap, ]
  ranking <- rank_systems(session)
  estimate <- audit_se <- rep(NA_real_, n_systems(x))
  pair <- find_pairs(x, judged$query, judged$doc)
  # Documents by strategy_random() are drawn at random, too, but with equal probabilities.
  drawn <- which(pair %in% slot_pairs(engine, 1L))
  if (length(drawn) > 2) {
    weights <- pair_weights(x, pair)
    value <- weights * transformed_gain(x, judged$gain)
    cumulated <- rbind(0, apply(value, 2, cumsum))
    # The value of a document that is drawn next with probability p, divided by p, is an estimate of the total of the
    # unjudged documents.
    drawn_weight <- audit_weight(x)[pair]
    remaining_weight <- sum(audit_weight(x)) - c(0, cumsum(drawn_weight))[drawn]
    total <- cumulated[drawn, , drop = FALSE] + remaining_weight / drawn_weight[drawn] * value[drawn, , drop = FALSE]
    estimate <- colMeans(total)
    # With fewer than three audited documents of a system, the standard error would be much too small.
    estimate[colSums(weights[drawn, , drop = FALSE] != 0) < 3] <- NA
    audit_se <- ifelse(is.na(estimate), NA, apply(total, 2, stats::sd) / sqrt(length(drawn)))
  }
  data.frame(system = x$systems$system, model = unname(ranking$mean), model_sd = system_sd(ranking), audit = estimate,
             sd = audit_se, z = (unname(ranking$mean) - estimate) / sqrt(system_sd(ranking)^2 + audit_se^2))
}

z2_interval <- function(differences, level) {
  if (is.null(differences$df)) return(c(NA_real_, NA_real_))
  differences$z2 * differences$df / stats::qchisq((1 + c(level, -level)) / 2, differences$df)
}

# Whether systems differ from the predictions by significantly more than the stated variances allow.
is_surprising <- function(differences) isTRUE(z2_interval(differences, 0.99)[1] > 1)

# For the judgments that were not undone: the error (gain minus expected gain just before the judgment), the standard
# deviation that was predicted for it, and the contribution of the pair to each system (`weight`, judgments by systems).
# Documents that the session did not select, such as those judged before it began, are left out: they were predicted
# before any estimation, and a ranking by rank_systems(), which has no predictions, must not depend on whether the same
# judgments were made in a session.
prediction_errors <- function(engine) {
  judgments <- memory_rows(engine$judgments)
  steps <- memory_rows(engine$trace)
  judgment <- match(steps$event, judgments$event)
  kept <- steps$kind == "judge" & !is.na(judgment) & !is.na(steps$sd) & steps$sd > 0
  if (!is.null(engine$store)) kept <- kept & judgments$pair[judgment] %in% slot_pairs(engine, 0:1)
  steps <- steps[kept, , drop = FALSE]
  judgment <- judgment[kept]
  list(error = transformed_gain(engine$x, judgments$gain[judgment]) - steps$mean, sd = steps$sd,
       weight = pair_weights(engine$x, judgments$pair[judgment]))
}

# Differences between systems in their sums of errors, in units of their standard deviations (`z`); their mean square
# `z2`; and the degrees of freedom `df` of the chi-squared distribution that, divided by `df`, has the variance of z2.
# z2 is a quadratic form of the sums with matrix A. Their covariance C is known, so z2 has mean tr(AC) = 1 and variance
# 2 tr(ACAC). With C = B'B, the squares of BAB' and AC have the same trace, and BAB' has fewer rows if there are fewer
# errors than systems.
difference_calibration <- function(errors) {
  sums <- colSums(errors$weight * errors$error)
  root <- errors$weight * errors$sd
  covariance <- crossprod(root)
  variance <- difference_variance_cpp(covariance)
  compared <- variance > 1e-10 * max(variance, 0)
  if (!any(compared)) return(list(z = numeric()))
  inverse <- 1 / variance
  inverse[!compared] <- 0
  form <- (diag(rowSums(inverse), nrow(inverse)) - inverse) / (sum(compared) / 2)
  product <- if (nrow(root) < ncol(root)) tcrossprod(root %*% form, root) else form %*% covariance
  compared <- compared & upper.tri(compared)
  z <- outer(sums, sums, `-`)[compared] / sqrt(variance[compared])
  list(z = z, z2 = mean(z^2), df = 1 / sum(product * t(product)))
}
