# The methods that bench/trust.R compares. Each is a function of a case (bench/trust-data.R), the other cases, budgets
# and a seed, and returns a list of estimates, one per budget: `mean` and `covariance` of the systems' effectiveness,
# and `df`, the degrees of freedom of its t intervals (Inf for normal ones). A method that states no confidence has no
# `covariance`.

estimate_of <- function(ranking) list(mean = ranking$mean, covariance = ranking$covariance, df = Inf)

# Pairs by systems: the contribution of each pair's gain to each system's mean gain, or to the mean of the measure that
# rivals.R has set.
weights_of <- function(x) {
  if (!is.null(attr(x, "weights"))) return(attr(x, "weights"))
  totals <- matrix(0, length(x$gain), nrow(x$systems))
  totals[cbind(rep(seq_along(x$gain), diff(x$results$offset)), x$results$system)] <- 1 / (x$k * nrow(x$queries))
  totals
}

# The order in which documents are judged at random: the same for every method with the same seed.
random_order <- function(case, seed) {
  set.seed(seed)
  sample.int(length(case$x$gain))
}

grades_of <- function(case, grader) {
  table <- case$graders[[grader]]
  pool <- judgments_of(case$x)
  table$grade[match(paste(pool$query, pool$doc), paste(table$query, table$doc))]
}

# Joint gains with the prior learned from the other cases, and with the named graders: after the first judgments of a
# session, or with `at_random`, which shows the performance of the model without a strategy.
joint_method_of <- function(graders = character(), at_random = FALSE) {
  force(graders)
  function(case, others, budgets, seed) {
    prior <- left_out_prior(others)
    # If rivals.R has set a measure, joint gains get the original gains.
    x <- if (is.null(case$whole)) case$x else case$whole
    grades <- if (length(graders)) case$graders[graders]
    order <- if (at_random) judgments_of(x)[random_order(case, seed), ] else {
      s <- judging_session(x, past = prior, goal = goal_budget(max(budgets)), audit = 0.1, grades = grades,
                           seed = seed, judgments = FALSE, measure = case$measure)
      judgments_of(run_session(s, case$truth, progress = FALSE))
    }
    # `audit` states which documents of a session were drawn at random.
    columns <- intersect(c("query", "doc", "gain", "audit"), names(order))
    lapply(budgets, function(budget) {
      judged <- utils::head(order, budget)[columns]
      estimate_of(rank_systems(x, joint_gains(x, prior, judgments = judged, grades = grades, measure = case$measure)))
    })
  }
}

# Joint gains with a model learned from some other cases, or from all of them, after random judgments.
joint_past_method <- function(past = NULL) {
  force(past)
  function(case, others, budgets, seed) {
    model <- past_model(if (is.null(past)) others else others[past], left_out_prior(others))
    order <- judgments_of(case$x)[random_order(case, seed), ]
    lapply(budgets, function(budget) {
      judged <- utils::head(order, budget)[c("query", "doc", "gain")]
      gains <- suppressWarnings(joint_gains(case$x, model, judgments = judged),
                                classes = c("judicious_warning_unlike_past", "judicious_warning_contradicted_past"))
      estimate_of(rank_systems(case$x, gains))
    })
  }
}

# Learned from at most 1,200 judgments of each case. The prior does not use the case to which the model is applied.
past_model <- local({
  learnt <- new.env()
  function(cases, prior) {
    key <- paste(c(vapply(cases, `[[`, "", "name"), prior$variance), collapse = " ")
    if (is.null(learnt[[key]])) {
      parts <- lapply(cases, function(case) some_judged(case$x, 1200))
      learnt[[key]] <- gain_model(past = unname(parts), prior = prior)
    }
    learnt[[key]]
  }
})

# Minimal test collections as published; gains have a uniform distribution until they are judged.
published_mtc <- function(case, others, budgets, seed) {
  # The published ordinal models are of this task, and need its artists and genres.
  applies <- case$name == "mirex-ams-2011"
  output <- if (applies) mirex_model("output", "fine")
  judge <- if (applies) mirex_model("judge", "fine")
  lapply(budgets, function(budget) {
    session <- mtc(case$x, case$truth, output, judge, stop = "never", budget = budget, tie_break = "random", seed = seed,
                   progress = FALSE)
    estimate_of(rank_systems(session))
  })
}

# The mean over all pairs of a prediction, corrected by the mean error of the prediction on a random sample; the
# prediction may be wrong. It is the sample's regression on `predictor` (power tuning: its slope is lambda of PPI++);
# without a predictor, it is the sample's mean, and this is random judging with t intervals.
rectified_method <- function(grader = NULL) {
  force(grader)
  function(case, others, budgets, seed) {
    x <- case$x
    weight <- weights_of(x)
    n_all <- nrow(weight)
    predictor <- if (!is.null(grader)) grades_of(case, grader)
    if (anyNA(predictor)) predictor[is.na(predictor)] <- mean(predictor, na.rm = TRUE)
    order <- random_order(case, seed)
    lapply(budgets, function(budget) {
      at <- order[seq_len(min(budget, n_all))]
      if (length(at) < 3) return(list(mean = colSums(weight * (if (is.null(predictor)) 1 else predictor))))
      line <- c(mean(x$gain[at]), 0)
      if (!is.null(predictor) && stats::sd(predictor[at]) > 0) {
        line <- stats::coef(stats::lm(x$gain[at] ~ predictor[at]))
      }
      predicted <- line[1] + if (is.null(predictor)) numeric(n_all) else line[2] * predictor
      error <- n_all * weight[at, ] * (x$gain[at] - predicted[at])
      n <- length(at)
      list(mean = colSums(weight * predicted) + colMeans(error),
           covariance = stats::cov(error) / n * (1 - n / n_all), df = n - 1)
    })
  }
}

# Grades as gains, except for judged pairs.
grader_alone <- function(grader) {
  force(grader)
  function(case, others, budgets, seed) {
    grade <- grades_of(case, grader)
    # A binary grade states which documents are relevant; for other grades, those from the measure's level on are
    # relevant.
    if (!is.null(case$relevant) && max(grade, na.rm = TRUE) > 1) grade <- as.numeric(grade >= case$relevant)
    weight <- weights_of(case$x)
    lapply(budgets, function(budget) list(mean = colSums(weight * ifelse(is.na(grade), 0, grade))))
  }
}

# For unjudged pairs, the mean gain of their grade in random judgments and in the other collections (where a grade
# counts as at most 20 judgments).
plug_in_method <- function(grader) {
  force(grader)
  function(case, others, budgets, seed) {
    x <- case$x
    weight <- weights_of(x)
    grade <- factor(grades_of(case, grader), exclude = NULL)
    past <- Filter(function(other) grader %in% names(other$graders), others)
    past_grade <- unlist(lapply(past, function(other) as.character(factor(grades_of(other, grader), exclude = NULL))))
    past_gain <- unlist(lapply(past, function(other) other$x$gain / max(other$x$scale$levels))) * max(x$scale$levels)
    order <- random_order(case, seed)
    lapply(budgets, function(budget) {
      at <- order[seq_len(min(budget, nrow(weight)))]
      expected <- vapply(levels(grade), function(level) {
        before <- past_gain[which(past_grade == level)]
        now <- x$gain[at][which(as.character(grade[at]) == level)]
        count <- min(length(before), 20)
        (sum(now) + if (count) count * mean(before) else mean(x$scale$levels)) / (length(now) + if (count) count else 1)
      }, 1)
      gain <- unname(expected[as.integer(grade)])
      gain[is.na(gain)] <- mean(gain, na.rm = TRUE)
      gain[at] <- x$gain[at]
      list(mean = colSums(weight * gain))
    })
  }
}

# Depth pooling: judges documents by rank, first ranks first; without ranks, in random order. Unjudged documents count
# as not relevant.
depth_pooling <- function(case, others, budgets, seed) {
  x <- case$x
  weight <- weights_of(x)
  set.seed(seed)
  rank <- if (is.null(x$results$rank)) rep(1, length(x$results$system)) else x$results$rank
  best <- vapply(split(rank, rep(seq_along(x$gain), diff(x$results$offset))), min, 1)
  order <- order(best, sample.int(length(best)))
  lapply(budgets, function(budget) {
    at <- order[seq_len(min(budget, length(order)))]
    list(mean = colSums(weight[at, , drop = FALSE] * x$gain[at]))
  })
}
