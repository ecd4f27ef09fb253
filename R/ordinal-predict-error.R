# Standard errors and intervals of predictions, by the delta method.

check_interval <- function(type, se.fit, interval, level) {
  check_flag(se.fit, "se.fit")
  interval <- check_choice(interval, c("none", "confidence"), "interval")
  check_number(level, "level", 0, 1, open = TRUE)
  check_that(type != "class" || !se.fit && interval == "none", if (se.fit) "se.fit" else "interval", c(
    "A class has neither standard error nor interval.", i = "Use {.code type = \"prob\"}."))
  interval
}

#' Predictions, with standard errors and intervals if they are asked for
#'
#' @param predict_at A function of a model and linear predictors that returns the predictions: a vector or a matrix.
#' @param sensitivity The derivatives of the linear predictors `eta` by the coefficients.
#' @param extra Variances to add to those of the linear predictors.
#' @return As described for predict(): the predictions, or a list of `fit`, `se.fit`, `lwr`, `upr`.
#' @noRd
with_error <- function(object, eta, sensitivity, predict_at, type, se.fit, interval, level, extra = 0) {
  fit <- predict_at(object, eta)
  if (!se.fit && interval == "none") return(fit)
  parts <- covariance_parts(object)
  error <- sqrt(prediction_variance(object, eta, sensitivity, predict_at, extra, parts) + 0 * as.vector(fit))
  attributes(error) <- attributes(fit)
  out <- list(fit = fit)
  if (se.fit) out$se.fit <- error
  if (interval == "confidence") out[c("lwr", "upr")] <- interval_limits(fit, error, type, level)
  out
}

# The variance g' V g of every predicted element, where g is its gradient: the sum of the squared derivatives in the
# directions of the covariance V. The derivatives are central differences over a ten-thousandth of a standard error,
# whose errors are about 1e-8.
prediction_variance <- function(object, eta, sensitivity, predict_at, extra, parts, width = 1e-4) {
  if (is.null(parts)) return(NaN)
  x <- sensitivity[, slope_positions(object), drop = FALSE]
  eta_sd <- width * sqrt(pmax(rowSums((x %*% parts$remaining) * x), 0) + extra)
  squares <- squared_derivatives(shifted_prediction(object, eta, sensitivity, predict_at), parts, width)
  squares + as.vector((predict_at(object, eta + eta_sd) - predict_at(object, eta - eta_sd)) / (2 * width))^2
}

squared_derivatives <- function(prediction_at, parts, width = 1e-4) {
  total <- 0
  for (k in seq_len(ncol(parts$directions))) {
    change <- width * parts$directions[, k]
    total <- total + as.vector((prediction_at(change) - prediction_at(-change)) / (2 * width))^2
  }
  total
}

# Splits the covariance into two parts. The first consists of directions (columns whose outer products add up): they
# change the coefficients other than slopes and, by regression, the slopes. The second is the `remaining` covariance of
# the slopes given the other coefficients. Slopes may be many, but affect only linear predictors. NULL for a fit without
# a clear maximum, whose covariance is NaN.
covariance_parts <- function(object) {
  slopes <- slope_positions(object)
  covariance <- unname(observed_covariance(object))
  if (!all(is.finite(covariance))) return(NULL)
  others <- setdiff(seq_len(nrow(covariance)), slopes)
  sd <- sqrt(pmax(diag(covariance)[others], 0))
  sd[sd == 0] <- 1
  decomposition <- eigen(covariance[others, others, drop = FALSE] / outer(sd, sd), symmetric = TRUE)
  positive <- decomposition$values > 1e-13
  vectors <- decomposition$vectors[, positive, drop = FALSE]
  root <- rep(sqrt(decomposition$values[positive]), each = length(others))
  directions <- matrix(0, nrow(covariance), sum(positive))
  directions[others, ] <- vectors * root * sd
  directions[slopes, ] <- covariance[slopes, others, drop = FALSE] %*% (vectors / root / sd)
  list(directions = directions,
       remaining = covariance[slopes, slopes, drop = FALSE] - tcrossprod(directions[slopes, , drop = FALSE]))
}

# Intervals are computed on the logit scale for probabilities, on the log scale for variances, and directly otherwise.
interval_limits <- function(fit, error, type, level) {
  z <- qnorm((1 + level) / 2)
  shape <- function(values) `attributes<-`(values, attributes(fit))
  by_scale <- function(to, from, slope) {
    half <- z * error * slope(fit)
    half[error == 0 | is.infinite(half)] <- 0  # probabilities and variances at the end of their range
    list(shape(from(to(fit) - half)), shape(from(to(fit) + half)))
  }
  switch(type,
    prob = , cumulative = by_scale(qlogis, plogis, function(p) 1 / (p * (1 - p))),
    variance = by_scale(log, exp, function(v) 1 / v),
    by_scale(identity, identity, function(x) 1))
}

# The derivatives of the linear predictor with respect to the coefficients; only those of slopes are not 0.
predictor_sensitivity <- function(object, x) {
  parameter_names <- names(known_coefficients(object))
  out <- matrix(0, nrow(x), length(parameter_names), dimnames = list(NULL, parameter_names))
  out[, slope_positions(object)] <- dense_columns(x[, estimated_slopes(object), drop = FALSE])
  out
}

# The positions of the slopes among the coefficients that are not aliased.
slope_positions <- function(object) which(coefficient_types(object)[!is.na(object$coefficients)] == "slope")

# Returns a function of a change of the coefficients, whose value is the prediction after this change.
shifted_prediction <- function(object, eta, sensitivity, predict_at) {
  function(change) {
    predict_at(with_parameters(object, known_coefficients(object) + change), eta + drop(sensitivity %*% change))
  }
}

# Pads each part with NA for the rows that na.exclude() left out of the fit.
pad_prediction <- function(action, out) {
  if (is.list(out) && !is.data.frame(out)) lapply(out, function(part) napredict(action, part)) else
    napredict(action, out)
}
