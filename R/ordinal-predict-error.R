# Standard errors and intervals of predictions, by the delta method.

check_interval <- function(type, se.fit, interval, level, call = caller_env()) {
  check_flag(se.fit, "se.fit", call)
  interval <- check_choice(interval, c("none", "confidence"), "interval", call)
  check_number(level, "level", 0, 1, open = TRUE, call = call)
  check_that(type != "class" || !se.fit && interval == "none", if (se.fit) "se.fit" else "interval", c(
    "A class has neither standard error nor interval.",
    i = "Use {.code type = \"prob\"}."
  ), call = call)
  interval
}

#' Add standard errors to predictions
#'
#' @param at A function of a change of the coefficients (in the order of `coef()` without the aliased ones) that returns
#'   the resulting predictions: a vector or a matrix.
#' @param extra A variance to add to each element, or 0.
#' @return As described for predict(): a list of `fit`, `se.fit`, `lwr`, `upr`.
#' @noRd
with_error <- function(at, covariance, type, se.fit, interval, level, extra = 0) {
  fit <- at(numeric(nrow(covariance)))
  error <- sqrt(directional_variance(at, covariance) + extra)
  attributes(error) <- attributes(fit)
  out <- list(fit = fit)
  if (se.fit) out$se.fit <- error
  if (interval == "confidence") out[c("lwr", "upr")] <- interval_limits(fit, error, type, level)
  out
}

# g' V g of every element, where g is its gradient and V = R'R: the sum of the squared derivatives in the directions of
# the rows of R. Central differences over a ten-thousandth of a standard error have errors of about 1e-8.
directional_variance <- function(at, covariance, width = 1e-4) {
  directions <- covariance
  # V may be singular, or NaN if a fit has no clear maximum.
  if (nrow(covariance) && all(is.finite(covariance))) {
    root_diagonal <- sqrt(pmax(diag(covariance), 0))
    root_diagonal[root_diagonal == 0] <- 1
    decomposition <- eigen(covariance / outer(root_diagonal, root_diagonal), symmetric = TRUE)
    root <- decomposition$vectors * rep(sqrt(pmax(decomposition$values, 0)), each = nrow(covariance))
    directions <- t(root * root_diagonal)
  }
  total <- 0
  for (k in seq_len(nrow(directions))) {
    slope <- (at(width * directions[k, ]) - at(-width * directions[k, ])) / (2 * width)
    total <- total + as.vector(slope)^2
  }
  total
}

# Intervals are computed on the logit scale for probabilities, on the log scale for variances, and directly otherwise.
interval_limits <- function(fit, error, type, level) {
  z <- qnorm((1 + level) / 2)
  shape <- function(values) {
    attributes(values) <- attributes(fit)
    values
  }
  by_scale <- function(to, from, slope) {
    half <- z * error * slope(fit)
    half[error == 0] <- 0
    list(shape(from(to(fit) - half)), shape(from(to(fit) + half)))
  }
  switch(type,
    prob = , cumulative = by_scale(qlogis, plogis, function(p) 1 / (p * (1 - p))),
    variance = by_scale(log, exp, function(v) 1 / v),
    by_scale(identity, identity, function(x) 1)
  )
}

# The derivative of the linear predictor by the coefficients, which is nonzero for slopes only.
predictor_sensitivity <- function(object, x) {
  parameter_names <- names(coef_known(object))
  kept <- names(object$beta)[!is.na(object$beta)]
  before <- if (is.null(object$parameters)) length(object$alpha) else
    length(object$structure$names) * ncol(object$nominal_columns)
  out <- matrix(0, nrow(x), length(parameter_names), dimnames = list(NULL, parameter_names))
  out[, before + seq_along(kept)] <- dense_columns(x[, kept, drop = FALSE])
  out
}

# Returns the prediction from coefficients and linear predictors, as a function of a change of the coefficients.
moved_prediction <- function(object, eta, sensitivity, predict_at) {
  n_alpha <- length(object$alpha)
  function(change) {
    moved <- object
    if (is.null(object$parameters)) moved$alpha <- object$alpha + change[seq_len(n_alpha)] else
      moved <- set_general_parameters(object, object$parameters + change)
    predict_at(moved, eta + drop(sensitivity %*% change))
  }
}

# Pads each part with NA for the rows that na.exclude() left out of the fit.
pad_prediction <- function(action, out) {
  if (is.list(out) && !is.data.frame(out)) lapply(out, function(part) napredict(action, part)) else
    napredict(action, out)
}
