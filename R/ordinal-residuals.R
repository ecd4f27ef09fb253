#' Compute residuals and simulate responses
#'
#' `residuals()` compares the responses with the predictions; `simulate()` draws responses from the fitted model;
#' `fitted()` returns the predicted probability of each observed level, and `weights()` the case weights.
#'
#' @param object A model by [pom()].
#' @param type Type of the residuals, by default `"response"` if the levels are numbers, and `"li_shepherd"` otherwise:
#' * `"response"`: response minus its expected value, if the levels are numbers; `"pearson"`: the same, divided by the
#' predicted standard deviation;
#' * `"li_shepherd"`: P(Y < y) - P(Y > y), between -1 and 1 with mean 0 (Li and Shepherd, 2012);
#' * `"surrogate"`: a draw of the latent variable given the observed level, minus its predicted mean (Liu and Zhang,
#' 2018). If the model is right, it has the distribution of the link (logistic with variance pi^2/3 for the logit);
#' * `"deviance"`: \eqn{\pm\sqrt{-2 \log P(Y = y)}}{+/- sqrt(-2 log P(Y = y))}, with the sign of the Li-Shepherd
#' residual.
#' @param seed Seed of the draws, for `simulate()` and surrogate residuals; NULL uses R's random number generator.
#' @param nsim Number of responses to draw for every row.
#' @param ... Not used.
#' @return `residuals()`, `fitted()`, `weights()`: one number per row (padded with NA under [na.exclude()]); `weights()`
#'   is NULL for a fit without weights. `simulate()`: a data frame of `nsim` ordered factors, `sim_1` and so on, with
#'   one row per row of the fit, or, if the weights are counts (whole numbers, some above 1), per counted row: a row of
#'   weight 3 is drawn three times, in adjacent rows.
#' @references Li and Shepherd (2012). Biometrika 99, 473-480.
#'
#'   Liu and Zhang (2018). JASA 113, 845-854.
#' @examples
#' fit <- pom(gear ~ wt, data = mtcars)
#' summary(residuals(fit, "li_shepherd"))
#' head(simulate(fit, 2, seed = 1))
#' @export
residuals.judicious_pom <- function(object, type = c("response", "pearson", "li_shepherd", "surrogate", "deviance"),
                                    seed = NULL, ...) {
  refuse_other_arguments("residuals()", ...)
  check_fitted(object)
  if (missing(type) && is.null(object$level_values)) type <- "li_shepherd"
  type <- check_choice(type, c("response", "pearson", "li_shepherd", "surrogate", "deviance"), "type")
  check_numeric_levels(object, type %in% c("response", "pearson"), "type", "Use {.code type = \"li_shepherd\"} or
    {.code \"surrogate\"}.")
  values <- switch(type,
    response = response_residuals(object),
    pearson = response_residuals(object) / sqrt(predict_rows(object, "variance")),
    li_shepherd = li_shepherd_residuals(object), surrogate = with_seed(seed, surrogate_residuals(object)),
    deviance = sign(li_shepherd_residuals(object)) * sqrt(-2 * log(observed_probabilities(object))))
  naresid(object$na.action, structure(values, names = names(object$linear_predictor)))
}

response_residuals <- function(object) object$level_values[object$y] - predict_rows(object, "mean")

# For each row, the probabilities P(Y < y) and P(Y > y) of a lower and of a higher level than the observed one.
row_tails <- function(object) {
  limits <- row_limits(object)
  list(below = link_cdf_cpp(object$link, limits$lower, TRUE), above = link_cdf_cpp(object$link, limits$upper, FALSE))
}

li_shepherd_residuals <- function(object) {
  tails <- row_tails(object)
  tails$below - tails$above
}

# For each row, the probability P(Y = y) of the observed level.
observed_probabilities <- function(object) {
  structure(predict_rows(object, "prob")[cbind(seq_along(object$y), object$y)], names = names(object$linear_predictor))
}

# A draw of each row's error of the latent variable, given its level, minus the mean of the error's distribution.
surrogate_residuals <- function(object) {
  tails <- row_tails(object)
  drawn <- runif(length(object$y)) * unname(observed_probabilities(object))
  from_left <- link_quantile_cpp(object$link, tails$below + drawn, TRUE)
  from_right <- link_quantile_cpp(object$link, tails$above + drawn, FALSE)
  # The quantile of the smaller tail is precise; that of a tail near 1 may be infinite.
  ifelse(tails$below > 0.5, from_right, from_left) - link_traits_cpp(object$link)$mean
}

#' @rdname residuals.judicious_pom
#' @export
simulate.judicious_pom <- function(object, nsim = 1, seed = NULL, ...) {
  check_fitted(object)
  refuse_other_arguments("simulate()", ...)
  check_count(nsim, "nsim")
  cumulative <- predict_rows(object, "cumulative")
  simulated_responses(object, nsim, seed, function() cumulative)
}

# Draws `nsim` responses of every row, from the probabilities that `cumulative()` returns. If weights are counts, each
# row gets as many responses as its weight.
simulated_responses <- function(object, nsim, seed, cumulative) {
  rows <- counted_rows(object)
  simulated <- with_seed(seed, lapply(seq_len(nsim), function(i) {
    at_most <- 1 - unname(cumulative())[rows, , drop = FALSE]
    factor(object$levels[rowSums(runif(nrow(at_most)) > at_most) + 1], levels = object$levels, ordered = TRUE)
  }))
  names(simulated) <- paste0("sim_", seq_len(nsim))
  row_names <- names(object$linear_predictor)[rows] %||% seq_along(rows)
  simulated <- as.data.frame(simulated, row.names = make.unique(as.character(row_names)))
  if (has_counts(object)) return(simulated)
  place <- napredict(object$na.action, stats::setNames(seq_along(rows), row_names))
  structure(simulated[place, , drop = FALSE], row.names = names(place))
}

#' @rdname residuals.judicious_pom
#' @export
fitted.judicious_pom <- function(object, ...) {
  check_fitted(object)
  napredict(object$na.action, observed_probabilities(object))
}

#' @rdname residuals.judicious_pom
#' @export
weights.judicious_pom <- function(object, ...) naresid(object$na.action, object$weights)
