#' Fit a proportional-odds model
#'
#' Maximum likelihood for an ordered response \eqn{Y} with levels \eqn{l_1 < ... < l_J}:
#' \deqn{\log\frac{P(Y \ge l_j)}{P(Y < l_j)} = \alpha_j + x'\beta, \quad j = 2, ..., J,}
#' as equation (9) of Urbano and Schedl (2013). The thresholds \eqn{\alpha_j} decrease in \eqn{j}; a positive slope moves
#' the response up. [MASS::polr()] and [ordinal::clm()] have the same slopes and thresholds of opposite sign.
#'
#' The likelihood is evaluated in factored form, which keeps its digits where the usual difference of two nearly equal
#' probabilities loses them, and is maximised by Newton's method; the information of thresholds and slopes is exact. Columns are centred and scaled
#' inside; results are on the scale of the data.
#'
#' @param formula A formula, `response ~ terms`; [offset()] terms may appear, and random terms like `(1 | query)`: see [pom_mixed()]. The thresholds are the intercepts: a formula without intercept
#'   is fitted as with one.
#'
#'   The response may be an ordered factor, a factor (its levels' order counts), a logical, or
#'   numbers: then every distinct value is a level, so continuous responses are fine.
#'   Levels that no observation of positive weight has are dropped, with a message; the fit equals the one without them.
#' @param data A data frame, or nothing: then variables are looked up where the formula was made.
#' @param weights Case weights, not negative; a weight of 3 counts a row three times. Rows of weight 0 count for nothing but get fitted values.
#' @param offset A known part of the linear predictor, kept by [predict()][predict.judicious_pom].
#' @param subset Rows to use.
#' @param na.action What to do with missing values: a function like [na.omit()] or [na.exclude()].
#' @param control Settings by [pom_control()].
#' @param contrasts As in [lm()].
#' @param model Keep the model frame in the result?
#' @param ... Settings for [pom_control()], instead of `control`; with random terms also the further arguments of [pom_mixed()].
#' @return A `judicious_pom`: a list with, among others,
#' * `coefficients`: thresholds named `">=level"`, then slopes named by the columns of the model matrix, NA where aliased;
#' * `alpha`, `beta`: the two parts; `levels`, `level_values` (numbers, or NULL where levels are not numeric);
#' * `aliased`: names of the aliased columns; `linear_predictor`: \eqn{x'\beta} and offset of every row used;
#' * `loglik`, `n_obs` (sum of the weights where they are whole numbers, the number of rows of positive weight otherwise), `df_residual`;
#' * `convergence`: a list with `status`, `iterations`, `decrement`, `max_gradient`, `reciprocal_condition`;
#' * `information`, `center`, `scale`: the pieces [vcov()] is made from;
#' * `call`, `formula`, `terms`, `xlevels`, `contrasts`, `model`, `weights`, `offset`, `na.action`, `control`.
#'
#' A column that the thresholds and the columns before it explain is aliased: its coefficient is NA, and a message of class
#'   `judicious_message_aliased` names it. A fit that has not converged gives a warning of class `judicious_warning_convergence`.
#' @references Urbano, J. and Schedl, M. (2013). Minimal test collections for
#'   low-cost evaluation of Audio Music Similarity and Retrieval systems.
#'   International Journal of Multimedia Information Retrieval 2, 59-70.
#'
#'   McCullagh, P. (1980). Regression models for ordinal data. Journal of the Royal Statistical Society B 42, 109-142.
#' @seealso [predict.judicious_pom()], [summary.judicious_pom()], [mirex_model()].
#' @examples
#' cars <- transform(mtcars, gear = ordered(gear))
#' fit <- pom(gear ~ wt + qsec, data = cars)
#' summary(fit)
#' predict(fit, head(cars), type = "prob")
#' @export
pom <- function(formula, data, weights, offset, subset, na.action, control = pom_control(...),
                contrasts = NULL, model = TRUE, ...) {
  call <- match.call()
  if (has_random_terms(formula)) {
    mixed <- call
    mixed[[1L]] <- quote(judicious::pom_mixed)
    fit <- eval(mixed, parent.frame())
    fit$call <- call
    return(fit)
  }
  check_class(control, "judicious_pom_control", "control", "pom_control")
  check_flag(model, "model")
  design <- pom_design(call, parent.frame(), contrasts)
  fit <- pom_fit(design$x, design$response$codes, length(design$response$levels),
                 weights = design$weights, offset = design$offset, control = control)
  fit <- new_pom(fit, design, call = call, control = control, keep_model = model)
  report_fit(fit)
  fit
}

#' The fit at the level of matrices
#'
#' @param x Double matrix with column names. A first column named "(Intercept)" is left out: the thresholds stand for it.
#' @param y Codes 1 .. n_levels; every level must have positive total weight.
#' @param weights,offset Double, or NULL for all 1 and all 0.
#' @return A list: `alpha` (decreasing), `beta` (NA where aliased, named by column), `aliased` (names), `loglik`,
#'   `convergence`, `information` with `center` and `scale` for the columns kept.
#' @noRd
pom_fit <- function(x, y, n_levels, weights = NULL, offset = NULL, control = pom_control()) {
  skip <- as.integer(ncol(x) > 0 && identical(colnames(x)[1], "(Intercept)"))
  if (!is.double(x)) storage.mode(x) <- "double"
  y[is.na(y)] <- 1L  # rows of weight 0 at a level that is not used
  raw <- pom_fit_cpp(x, skip, y, n_levels, as.double(weights), as.double(offset), control)
  columns <- colnames(x)[seq_len(ncol(x) - skip) + skip]
  beta <- rep(NA_real_, length(columns))
  names(beta) <- columns
  beta[raw$column] <- raw$beta
  list(
    alpha = -raw$theta, beta = beta, aliased = columns[raw$aliased], loglik = raw$loglik,
    convergence = raw[c("status", "iterations", "halvings", "decrement", "max_gradient", "reciprocal_condition", "last_step")],
    information = raw$information, center = raw$center, scale = raw$scale
  )
}

new_pom <- function(fit, design, call, control, keep_model = TRUE) {
  response <- design$response
  names(fit$alpha) <- paste0(">=", response$levels[-1])
  fit$coefficients <- c(fit$alpha, fit$beta)
  fit$levels <- response$levels
  fit$level_values <- response$values
  fit$linear_predictor <- linear_predictor(design$x, fit$beta, design$offset)
  fit$y <- response$codes
  fit$weights <- design$weights
  fit$offset <- design$offset
  fit$n_obs <- count_observations(design$weights, nrow(design$x))
  fit$df_residual <- fit$n_obs - sum(!is.na(fit$coefficients))
  fit <- c(fit, design[c("formula", "terms", "xlevels", "contrasts", "na.action")])
  fit$model <- if (keep_model) design$frame
  fit$link <- "logit"
  fit$call <- call
  fit$control <- control
  structure(fit, class = "judicious_pom")
}

linear_predictor <- function(x, beta, offset = NULL) {
  kept <- names(beta)[!is.na(beta)]
  eta <- if (length(kept)) drop(x[, kept, drop = FALSE] %*% beta[kept]) else rep(0, nrow(x))
  if (!is.null(offset)) eta <- eta + offset
  names(eta) <- rownames(x)
  eta
}

count_observations <- function(weights, n) {
  if (is.null(weights)) return(n)
  if (all(weights == trunc(weights))) sum(weights) else sum(weights > 0)
}

report_fit <- function(fit, call = caller_env()) {
  if (length(fit$aliased)) {
    inform_judicious(c(
      "{cli::qty(fit$aliased)}Column{?s} {.val {fit$aliased}} {?is/are} explained by the thresholds and other columns: {?its/their} coefficient{?s} {?is/are} NA."
    ), "aliased", columns = fit$aliased)
  }
  status <- fit$convergence$status
  if (status != "converged") {
    said <- switch(status,
      iteration_limit = "The fit has not converged after {fit$convergence$iterations} iteration{?s}.",
      stalled = "The fit stopped short of the maximum: no step along Newton's direction raises the likelihood.",
      singular = "The information matrix is singular at iteration {fit$convergence$iterations}: some coefficients are not determined."
    )
    warn_judicious(c(said, i = "The Newton decrement is {signif(fit$convergence$decrement, 3)}, the largest gradient {signif(fit$convergence$max_gradient, 3)}."),
                   "convergence", status = status)
  }
  invisible(fit)
}
