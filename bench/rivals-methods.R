# Methods that bench/rivals.R compares in addition to those of bench/trust-methods.R, and of the same form.

# Estimates by the calibrated grades of a collection's grader: `estimate(x, weight, grade, at)` from random judgments,
# at the positions `at`, and the grades themselves where there are fewer than `least`.
calibrated_estimates <- function(case, budgets, seed, least, estimate) {
  weight <- weights_of(case$x)
  grade <- grades_of(case, grader_of(case))
  grade[is.na(grade)] <- mean(grade, na.rm = TRUE)
  order <- random_order(case, seed)
  lapply(budgets, function(budget) {
    at <- order[seq_len(min(budget, length(order)))]
    if (length(at) < least) return(list(mean = colSums(weight * grade)))
    estimate(case$x, weight, grade, at)
  })
}

# Mean gain of unjudged pairs by their grade, learned from random judgments by `calibrate(grade, gain, all, levels)`.
# Stated uncertainty is that of the calibration alone, by the bootstrap, as if the remaining errors averaged out.
calibrated_method <- function(calibrate, resamples = 40) {
  force(calibrate)
  function(case, others, budgets, seed) {
    calibrated_estimates(case, budgets, seed, 3, function(x, weight, grade, at) {
      mean_of <- function(sampled) {
        gain <- calibrate(grade[sampled], x$gain[sampled], grade, x$scale$levels)
        gain[at] <- x$gain[at]
        colSums(weight * gain)
      }
      draws <- replicate(resamples, mean_of(sample(at, replace = TRUE)))
      list(mean = mean_of(at), covariance = stats::cov(t(draws)), df = Inf)
    })
  }
}

isotonic <- function(grade, gain, all, levels) {
  # isoreg() orders tied grades by gain, which would give them different values, so their means are fitted.
  means <- tapply(gain, grade, mean)
  at <- as.numeric(names(means))
  if (length(at) < 2) return(rep(mean(gain), length(all)))
  fit <- weighted_isotonic(as.vector(means), as.vector(table(grade)))
  stats::approx(at, fit, all, rule = 2)$y
}

# The algorithm of pooling adjacent violators.
weighted_isotonic <- function(value, weight) {
  size <- rep(1L, length(value))
  i <- 1L
  while (i < length(value)) {
    if (value[i] <= value[i + 1]) {
      i <- i + 1L
      next
    }
    both <- weight[i] + weight[i + 1]
    value[i] <- (weight[i] * value[i] + weight[i + 1] * value[i + 1]) / both
    weight[i] <- both
    size[i] <- size[i] + size[i + 1]
    value <- value[-(i + 1)]
    weight <- weight[-(i + 1)]
    size <- size[-(i + 1)]
    i <- max(1L, i - 1L)
  }
  rep(value, size)
}

# A cumulative logit model with one slope. If it cannot be fitted (one level only, or levels separated by the grade),
# the mean gain is used.
proportional_odds <- function(grade, gain, all, levels) {
  present <- sort(unique(gain))
  flat <- rep(mean(gain), length(all))
  if (length(present) < 2 || stats::sd(grade) == 0) return(flat)
  data <- data.frame(gain = factor(gain, levels = present), grade = grade)
  fitted <- tryCatch(suppressWarnings(if (length(present) == 2) {
    fit <- stats::glm(gain ~ grade, stats::binomial(), data)
    p <- stats::predict(fit, data.frame(grade = all), type = "response")
    present[1] + (present[2] - present[1]) * p
  } else {
    fit <- MASS::polr(gain ~ grade, data)
    drop(stats::predict(fit, data.frame(grade = all), type = "probs") %*% present)
  }), error = function(e) flat)
  if (all(is.finite(fitted))) unname(fitted) else flat
}

# Calibration with a gate, as in causal judge evaluation (CJE): isotonic calibration of the grades in `folds` folds,
# whose estimates without one fold give the variance of the calibration (jackknife). The queries are fixed here, so the
# rest is the variance of the unjudged gains around their calibrated means. The gate tests, for each system, whether the
# gains of its judged documents differ from predictions that were made without their fold. A system that fails, or of
# which fewer than three documents are judged, states nothing: its unjudged documents have one uniform gain.
gated_method <- function(folds = 5, level = 0.05) {
  function(case, others, budgets, seed) {
    calibrated_estimates(case, budgets, seed, 2 * folds, function(x, weight, grade, at) {
      fold <- rep_len(seq_len(folds), length(at))
      fit <- function(sampled) isotonic(grade[sampled], x$gain[sampled], grade)
      mean_of <- function(predicted) colSums(weight * replace(predicted, at, x$gain[at]))
      left_out <- lapply(seq_len(folds), function(i) fit(at[fold != i]))
      error <- x$gain[at] - vapply(seq_along(at), function(j) left_out[[fold[j]]][at[j]], 0)
      jackknife <- vapply(left_out, mean_of, numeric(ncol(weight)))
      covariance <- (folds - 1)^2 / folds * stats::cov(t(jackknife)) + mean(error^2) * crossprod(weight[-at, ])
      refused <- !vapply(seq_len(ncol(weight)), function(s) {
        passes_gate(error[weight[at, s] > 0], level / ncol(weight))
      }, NA)
      list(mean = mean_of(fit(at)), covariance = covariance + diag(ifelse(refused, uniform_variance(x, weight, at), 0)),
           df = Inf)
    })
  }
}

# The variance of systems' means if all their unjudged documents have one gain, uniform on the scale.
uniform_variance <- function(x, weight, at) {
  (max(x$scale$levels) * colSums(weight[-at, , drop = FALSE]))^2 / 12
}

passes_gate <- function(error, level) {
  if (length(error) < 3) return(FALSE)
  spread <- stats::sd(error) / sqrt(length(error))
  spread == 0 || 2 * stats::pt(-abs(mean(error)) / spread, length(error) - 1) > level
}

# ev_judge_debias() of the package evaluatellm (CRAN), once for each system, as it takes one: the items are the
# documents of the system, and the scores of the model that judges are the grades. It needs three judged documents of a
# system; of others, it uses the grades and states nothing, as with a gate. Errors of systems are independent, as in
# ev_unpaired() of that package, whose paired comparison takes no grades.
evaluatellm_method <- function(case, others, budgets, seed) {
  calibrated_estimates(case, budgets, seed, 1, function(x, weight, grade, at) {
    judged <- replace(rep(NA_real_, length(grade)), at, x$gain[at])
    unknown <- uniform_variance(x, weight, at)
    each <- vapply(seq_len(ncol(weight)), function(s) {
      own <- which(weight[, s] > 0)
      scores <- length(own) * weight[own, s] * cbind(grade, judged)[own, ]
      if (sum(!is.na(scores[, 2])) < 3) return(c(mean(scores[, 1]), unknown[s]))
      fit <- evaluatellm::ev_judge_debias(scores[, 1], scores[, 2])
      c(fit$estimate, fit$se^2)
    }, numeric(2))
    list(mean = each[1, ], covariance = diag(each[2, ]), df = Inf)
  })
}

# Random judgments in proportion to the sizes of strata, at least two in each, and within each stratum the mean, or with
# grades the regression of gains on grades (stratified PPI++, Fisch et al. 2024). Strata are quartiles of the grades, or
# of the number of systems that retrieved a document.
stratified_method <- function(graded) {
  force(graded)
  function(case, others, budgets, seed) {
    x <- case$x
    weight <- weights_of(x)
    by <- if (graded) grades_of(case, grader_of(case)) else diff(x$results$offset)
    by[is.na(by)] <- mean(by, na.rm = TRUE)
    cuts <- unique(stats::quantile(by, c(0.25, 0.5, 0.75)))
    strata <- split(seq_along(by), findInterval(by, cuts, left.open = TRUE))
    place <- order(random_order(case, seed))
    strata <- lapply(strata, function(stratum) stratum[order(place[stratum])])
    lapply(budgets, function(budget) {
      counts <- pmax(2, floor(budget * lengths(strata) / length(by)))
      if (budget < 2 * length(strata)) return(list(mean = colSums(weight * (if (graded) by else 1))))
      parts <- Map(function(stratum, n) {
        stratum_estimate(weight, x$gain, if (graded) by, stratum, min(n, length(stratum)))
      }, strata, counts)
      list(mean = Reduce(`+`, lapply(parts, `[[`, "mean")), covariance = Reduce(`+`, lapply(parts, `[[`, "covariance")),
           df = sum(pmin(counts, lengths(strata)) - 1))
    })
  }
}

stratum_estimate <- function(weight, gain, predictor, stratum, n) {
  at <- stratum[seq_len(n)]
  line <- c(mean(gain[at]), 0)
  if (!is.null(predictor) && n > 3 && stats::sd(predictor[at]) > 0) {
    line <- stats::coef(stats::lm(gain[at] ~ predictor[at]))
  }
  predicted <- line[1] + line[2] * if (is.null(predictor)) numeric(length(gain)) else predictor
  size <- length(stratum)
  error <- size * weight[at, , drop = FALSE] * (gain[at] - predicted[at])
  list(mean = colSums(weight[stratum, , drop = FALSE] * predicted[stratum]) + colMeans(error),
       covariance = stats::cov(error) / n * (1 - n / size))
}

# Pooling as a bandit (Losada, Parapar and Barreiro 2016): each system is an arm, whose next unjudged document of a
# query is judged; a relevant document rewards all systems that retrieved it. Queries take turns. Rewards are gains as
# shares of the highest. Unjudged documents are not relevant. Without ranks, the documents of a system are in random
# order. `choose` selects the arm by sums of rewards and of failures, in which an earlier one counts `memory` times as
# much as the next: with 0, only the last one counts.
bandit_method <- function(choose, memory) {
  force(choose)
  force(memory)
  function(case, others, budgets, seed) {
    x <- case$x
    order <- bandit_order(x, max(budgets), seed, choose, memory)
    weight <- weights_of(x)
    lapply(budgets, function(budget) {
      at <- order[seq_len(min(budget, length(order)))]
      list(mean = colSums(weight[at, , drop = FALSE] * x$gain[at]))
    })
  }
}

bandit_order <- function(x, count, seed, choose, memory) {
  set.seed(seed)
  pair <- rep(seq_along(x$gain), diff(x$results$offset))
  rank <- if (is.null(x$results$rank)) sample.int(length(pair)) else x$results$rank
  by_query <- split(seq_along(pair), x$pool$query[pair])
  arms <- lapply(by_query, function(rows) {
    lapply(split(rows, x$results$system[rows]), function(own) pair[own[order(rank[own])]])
  })
  arms_of <- lapply(by_query, function(rows) split(match(x$results$system[rows], as.integer(names(
    split(rows, x$results$system[rows])))), pair[rows]))
  state <- lapply(arms, function(own) list(reward = numeric(length(own)), failure = numeric(length(own))))
  judged <- logical(length(x$gain))
  out <- integer()
  turn <- 0L
  while (length(out) < min(count, length(judged))) {
    turn <- turn %% length(arms) + 1L
    left <- vapply(arms[[turn]], function(docs) docs[!judged[docs]][1], 1L)
    open <- which(!is.na(left))
    if (!length(open)) next
    now <- state[[turn]]
    arm <- choose(now$reward[open], now$failure[open])
    doc <- left[[open[arm]]]
    judged[doc] <- TRUE
    out <- c(out, doc)
    hit <- x$gain[doc] / max(x$scale$levels)
    of <- arms_of[[turn]][[as.character(doc)]]
    state[[turn]]$reward[of] <- memory * now$reward[of] + hit
    state[[turn]]$failure[of] <- memory * now$failure[of] + 1 - hit
  }
  out
}

at_random <- function(best) if (length(best) == 1) best else sample(best, 1)

max_mean <- function(reward, failure) {
  mean <- (1 + reward) / (2 + reward + failure)
  at_random(which(mean >= max(mean) - 1e-12))
}

thompson <- function(reward, failure) which.max(stats::rbeta(length(reward), 1 + reward, 1 + failure))

# Random relevance (Soboroff, Nicholas and Cahan 2001): documents of the pool with duplicates, so that those of many
# systems come first, are called relevant at random. No judgments are used. The share that is called relevant only
# changes the noise, which the mean over 50 draws removes.
random_relevance <- function(case, others, budgets, seed) {
  set.seed(seed)
  weight <- weights_of(case$x)
  systems <- diff(case$x$results$offset)
  count <- max(1, round(0.1 * length(systems)))
  means <- rowMeans(replicate(50, {
    drawn <- sample.int(length(systems), count, prob = systems)
    colSums(weight[drawn, , drop = FALSE])
  }))
  lapply(budgets, function(budget) list(mean = means))
}

# A case whose systems are ranked by a measure other than AG. PRECISE estimates the measure document by document:
# `P(rel=2)@10` with gains 0 and 1, `nDCG@10` with the discounted gains of each query divided by those of an ideal list.
# Joint gains are the only method that does not know the ideal list; they get the original gains (`whole`) and the name
# of the measure.
measured_case <- function(case, measure) {
  if (measure == "AG") return(case)
  x <- case$whole <- case$x
  case$measure <- measure
  if (startsWith(measure, "P(rel=")) {
    case$relevant <- as.numeric(sub("P.rel=([0-9]+).*", "\\1", measure))
    x$gain <- as.numeric(x$gain >= case$relevant)
    x$scale <- gain_scale(0:1)
  } else {
    pair <- rep(seq_along(x$gain), diff(x$results$offset))
    judged <- case$truth[case$truth$query %in% x$queries$query, ]
    ideal <- vapply(x$queries$query, function(query) {
      best <- utils::head(sort(judged$gain[judged$query == query], decreasing = TRUE), x$k)
      sum(best / log2(1 + seq_along(best)))
    }, 0)
    weight <- matrix(0, length(x$gain), nrow(x$systems))
    weight[cbind(pair, x$results$system)] <- 1 / log2(1 + x$results$rank)
    attr(x, "weights") <- weight / pmax(ideal[x$pool$query], 1e-9) / nrow(x$queries)
  }
  case$x <- x
  case
}

# The first of a collection's graders that is known to be good.
grader_of <- function(case) {
  known <- intersect(c("umbrela-gpt4", "chrf", "chatgpt"), names(case$graders))
  c(known, names(case$graders))[1]
}
