#' Measure the influence of single rows
#'
#' Approximates how much the estimates change if a row is left out, by one Newton step without it: \eqn{(H - H_i)^{-1}
#' s_i}{(H - H_i)^-1 s_i}, with the gradient \eqn{s_i} and the information \eqn{H_i} of the row, and \eqn{H} of all
#' rows. Requires a link with no estimated parameter, flexible thresholds, no nominal, scale or random effects, and data
#' that are not separated.
#'
#' @param model A model by [pom()].
#' @param ... Not used.
#' @return `dfbeta()`: a matrix with a row per row of the fit and a column per coefficient: the estimate from all rows
#'   minus that without the row. `dfbetas()`: the same in standard errors. `cooks.distance()`: \eqn{d_i' H d_i / p},
#'   with \eqn{d_i} the row of `dfbeta()` and \eqn{p} the number of coefficients. `hatvalues()`: the leverage, the trace
#'   of \eqn{H^{-1} H_i}{H^-1 H_i}; leverages sum to the number of coefficients. `influence()`: a list of `hat`,
#'   `dfbeta`, `dfbetas` and `cooks.distance`.
#' @examples
#' fit <- pom(gear ~ wt, data = mtcars)
#' head(sort(cooks.distance(fit), decreasing = TRUE), 3)
#' @export
influence.judicious_pom <- function(model, ...) {
  check_fitted(model)
  need_plain(model, "influence")
  need_single_rows(model, "Measures of influence")
  abort_unless(model$separation == "none", c(
    "The data are separated ({model$separation}): influence cannot be measured.",
    i = "{.code method = \"bias_reduced\"} or a {.arg penalty} gives finite estimates."
  ), "separation", separation = model$separation, coefficients = model$separated)
  error <- standard_errors(model)[names(known_coefficients(model))]
  units <- estimates_at_core(model)$units
  model <- in_core_columns(model)
  x <- model$columns
  covariance <- observed_covariance(model)
  information <- invert_information(covariance)
  scores <- coefficient_scores(model)
  thetas <- seq_along(model$alpha)
  limits <- row_limits(model)
  row_terms <- row_weights(model) * link_rows_cpp(model$link, limits$lower, limits$upper)
  # The information of a row is U' D U, where the rows of U are the gradients of its limits, theta_j - eta, and D is
  # symmetric. The limits below the lowest and above the highest level have no threshold.
  d <- cbind(row_terms[, "below"], 0, row_terms[, "above"]) + row_terms[, "gap"] %o% c(1, -1, 1)
  theta_rows <- rbind(0, covariance[thetas, , drop = FALSE], 0)
  x_covariance <- x %*% covariance[-thetas, , drop = FALSE]
  cu <- lapply(0:1, function(side) -(theta_rows[model$y + side, , drop = FALSE] + x_covariance))
  u_times <- function(side, v) {
    theta_columns <- cbind(0, v[, thetas, drop = FALSE], 0)
    -(theta_columns[cbind(seq_along(model$y), model$y + side)] + rowSums(x * v[, -thetas, drop = FALSE]))
  }
  ucu <- cbind(u_times(0, cu[[1]]), u_times(0, cu[[2]]), u_times(1, cu[[2]]))
  ud <- ucu[, c(1, 1, 2, 2)] * d[, c(1, 2, 1, 2)] + ucu[, c(2, 2, 3, 3)] * d[, c(2, 3, 2, 3)]
  leverage <- ud[, 1] + ud[, 4]
  # The change of the estimate without a row, by Woodbury's identity: (H - U'DU)^-1 s = C s + C U' D (I - U C U' D)^-1 U
  # C s.
  newton_step <- scores %*% covariance
  gradient_steps <- cbind(u_times(0, newton_step), u_times(1, newton_step))
  determinant <- (1 - ud[, 1]) * (1 - ud[, 4]) - ud[, 2] * ud[, 3]
  solved <- cbind((1 - ud[, 4]) * gradient_steps[, 1] + ud[, 2] * gradient_steps[, 2],
                  ud[, 3] * gradient_steps[, 1] + (1 - ud[, 1]) * gradient_steps[, 2]) / determinant
  coefficient_changes <- newton_step + cu[[1]] * rowSums(d[, 1:2] * solved) + cu[[2]] * rowSums(d[, 2:3] * solved)
  changes <- structure(tcrossprod(coefficient_changes, units), dimnames = dimnames(scores))
  measures <- list(
    hat = structure(leverage, names = rownames(scores)), dfbeta = changes, dfbetas = sweep(changes, 2, error, `/`),
    cooks.distance = rowSums((coefficient_changes %*% information) * coefficient_changes) / ncol(scores))
  lapply(measures, naresid, omit = model$na.action)
}

#' @rdname influence.judicious_pom
#' @export
dfbeta.judicious_pom <- function(model, ...) influence(model)$dfbeta

#' @rdname influence.judicious_pom
#' @export
dfbetas.judicious_pom <- function(model, ...) influence(model)$dfbetas

#' @rdname influence.judicious_pom
#' @export
cooks.distance.judicious_pom <- function(model, ...) influence(model)$cooks.distance

#' @rdname influence.judicious_pom
#' @export
hatvalues.judicious_pom <- function(model, ...) influence(model)$hat
