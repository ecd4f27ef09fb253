#' Fit an ordinal model to a matrix
#'
#' Fits the models of [pom()] to a matrix of predictors. Use it in code that fits many models: it has little overhead
#' and does not warn.
#'
#' @param x A numeric matrix of predictors, one row per observation, without missing values, or a sparse matrix of class
#'   `dgCMatrix` (package Matrix). A first column named `"(Intercept)"` is ignored.
#' @param y The response, one element per row of `x`, as in [pom()], without unused levels.
#' @param weights,offset Numbers, one per row; NULL for weights of 1 and offsets of 0.
#' @param control,link,... As in [pom()]; settings of the model's formula and of random effects are ignored.
#' @details With more than 200 levels, nearly collinear columns, bias reduction, or an estimated parameter of the link,
#'   a sparse `x` is converted to a dense matrix.
#' @return A `judicious_pom` without formula, terms and model frame. The `newdata` of `predict()` is a matrix with the
#'   columns of `x`; a fit with an `offset` cannot predict new rows. Check the elements `convergence`, `separation` and
#'   `aliased`.
#' @examples
#' x <- as.matrix(mtcars[c("wt", "hp")])
#' fit <- pom_fit(x, mtcars$gear)
#' coef(fit)
#' predict(fit, x[1:3, ])
#' @export
pom_fit <- function(x, y, weights = NULL, offset = NULL, control = pom_control(), link = "logit", ...) {
  control <- merge_control(control, ...)
  link <- check_link(link, control$link_parameter)
  check_method(control, link)
  check_that(is_sparse(x) || is.matrix(x) && (is.numeric(x) || is.logical(x)), "x",
             "must be a numeric matrix or a {.cls dgCMatrix}, not {.obj_type_friendly {x}}.")
  if (is_sparse(x)) need_package("Matrix", "A sparse matrix") else storage.mode(x) <- "double"
  if (is.null(colnames(x)) && ncol(x)) colnames(x) <- paste0("x", seq_len(ncol(x)))
  repeated <- colnames(x)[duplicated(colnames(x))]
  check_that(!length(repeated), "x", "has two columns named {.val {repeated[1]}}.")
  if (is_sparse(x)) check_finite_entries(x)
  else for (column in colnames(x)[!is.finite(colSums(x))]) check_finite(x[, column], column)
  x <- check_column_sizes(x)
  y <- plain_values(y, "y")
  check_that(length(y) == nrow(x), "y", "has {length(y)} element{?s} for {nrow(x)} row{?s} of {.arg x}.")
  weights <- check_weights(check_per_row(weights, "weights", nrow(x)), nrow(x))
  offset <- check_finite(check_per_row(offset, "offset", nrow(x)), "offset")
  response <- pom_response(y, weights, "y")
  check_that(!anyNA(response$codes) || !is.null(weights), "y", "must not have missing values.")
  if (is_estimated_link(link)) return(fit_matrix_with_link(x, response, weights, offset, control, link))
  fit <- fit_columns(x, response$codes, length(response$levels), weights, offset, control, link)
  new_matrix_fit(fit, x, response, weights, offset, control)
}

# Fits as pom_general() does, but from a model matrix instead of a formula.
fit_matrix_with_link <- function(x, response, weights, offset, control, link) {
  if (length(response$levels) > max_sparse_levels) {
    check_can_be_dense(x)
    x <- dense_columns(x)
  }
  x <- without_intercept(x)
  parts <- list(x = x, n = matrix(1, nrow(x), 1, dimnames = list(NULL, "(Intercept)")), z = side_columns(NULL, x),
                design = list(response = response, weights = weights, offset = offset))
  fit_parts(parts, link, "flexible", control)
}

check_per_row <- function(values, arg, n) {
  if (is.null(values) || (is.numeric(values) && length(values) == n)) return(if (!is.null(values)) as.double(values))
  abort_argument(arg, "must be {n} number{?s}, one per row of {.arg x}.")
}

new_matrix_fit <- function(fit, x, response, weights, offset, control) {
  n_obs <- count_observations(weights, nrow(x))
  structure(c(name_fit(fit, response, control),
              list(n_obs = n_obs, df_residual = n_obs - fit$df, columns = x, y = response$codes, weights = weights,
                   offset = offset, linear_predictor = linear_predictor(x, fit$beta, offset))), class = "judicious_pom")
}

# Converts the result of the core to a fit, apart from the values of single rows.
name_fit <- function(fit, response, control) {
  names(fit$alpha) <- paste0(">=", response$levels[-1])
  check_not_thresholds(fit)
  fit$coefficients <- c(fit$alpha, fit$beta)
  names(fit$convergence$digits) <- names(known_coefficients(fit))
  fit$separated <- c(names(fit$alpha)[fit$separated$thresholds], fit$separated$slopes)
  c(fit, list(levels = response$levels, level_values = response$values, method = control$method, control = control))
}
