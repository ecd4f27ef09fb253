#' Measure the influence of single rows
#'
#' Approximates how much the estimates change if a row is left out, by one Newton step without the row:
#' \eqn{(H - H_i)^{-1} s_i}{(H - H_i)^-1 s_i}, with the gradient \eqn{s_i} and the information \eqn{H_i} of the row, and
#' the information \eqn{H} of all rows. These functions require a known link, flexible thresholds, and no nominal,
#' scale or random effects. If the data are separated, there is an error (`judicious_error_separation`).
#'
#' @param model A `judicious_pom`, as returned by [pom()].
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
  x <- kept_columns(model)
  covariance <- observed_covariance(model)
  information <- invert_information(covariance)
  scores <- coefficient_scores(model)
  n_theta <- length(model$alpha)
  case_weights <- row_weights(model)
  at <- row_limits(model)
  row_terms <- link_rows_cpp(model$link, at$lower, at$upper)
  coefficient_changes <- matrix(0, nrow(scores), ncol(scores), dimnames = dimnames(scores))
  leverage <- numeric(nrow(scores))
  for (i in which(case_weights > 0)) {
    # A row's information: U' D U with the gradients of its two limits, theta_j - eta, as rows of U.
    u <- matrix(0, 2, ncol(scores))
    if (model$y[i] > 1) u[1, model$y[i] - 1] <- -1
    if (model$y[i] <= n_theta) u[2, model$y[i]] <- -1
    if (ncol(x)) u[, n_theta + seq_len(ncol(x))] <- rep(-x[i, ], each = 2)
    d <- case_weights[i] * (diag(row_terms[i, c("below", "above")]) + row_terms[i, "gap"] * matrix(c(1, -1, -1, 1), 2))
    cu <- covariance %*% t(u)
    ud <- u %*% cu %*% d
    leverage[i] <- sum(diag(ud))
    # Woodbury: (H - U'DU)^-1 s = C s + C U' D (I - U C U' D)^-1 U C s.
    newton_step <- covariance %*% scores[i, ]
    coefficient_changes[i, ] <- newton_step + cu %*% d %*% solve(diag(2) - ud, u %*% newton_step)
  }
  list(hat = structure(leverage, names = rownames(scores)), dfbeta = coefficient_changes,
       dfbetas = sweep(coefficient_changes, 2, sqrt(diag(covariance)), `/`),
       cooks.distance = rowSums((coefficient_changes %*% information) * coefficient_changes) / ncol(scores))
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
