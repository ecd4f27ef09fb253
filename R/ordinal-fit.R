# Fits pom() to a design in memory: chooses coordinates, checks the result, and reports problems.

#' Control the fitting of ordinal models
#'
#' Settings for the argument `control` of [pom()], [pom_mixed()] and [pom_fit()]. The defaults are suitable for nearly
#' all data.
#'
#' @param max_iterations Maximum number of Newton iterations.
#' @param tolerance The fit has converged if the Newton decrement \eqn{g'H^{-1}g}{g'H^-1 g}, with the gradient \eqn{g}
#'   and the information \eqn{H}, is at most this number: about the squared distance to the maximum in standard errors.
#' @param penalty Ridge penalty: `penalty / 2` times the sum of squares of the slopes, nominal and scale effects, each
#'   multiplied by the standard deviation of its column (with divisor n), is subtracted from the log likelihood. It
#'   requires a link with no estimated parameter, and no random effects.
#' @param num_threads Number of threads; results do not depend on it.
#' @param batch_rows For data that are not in memory ([pom_large]): the largest number of distinct rows that are fitted
#'   at once, and the number of rows that are read from a database at a time.
#' @param method `"ml"`: maximum likelihood. `"bias_reduced"`: adjusted score functions (references in [pom()]), whose
#'   estimates have a bias of smaller order and are finite even if the data are separated; not with an estimated link
#'   parameter, random effects or `penalty`.
#' @param link_parameter The parameter \eqn{\lambda} of `"log-gamma"`, from -100 to 100, or the degrees of freedom of
#'   `"robit"`, for which 4 to 7 make slopes robust to outliers, and `Inf` is probit. NULL estimates it as a further
#'   coefficient, `"link:lambda"` or `"link:df"`, whose uncertainty enters the covariance.
#' @param contrasts The contrasts of factors, a list as in [lm()].
#' @param model TRUE keeps the model frame in the result.
#' @param sd,nAGQ For [pom_mixed()]. `sd`: known standard deviations, named by term: `c(query = 1)`; 0 leaves a
#'   term out.
#'
#'   `nAGQ`: the number of nodes of adaptive Gauss-Hermite quadrature. 1 is the Laplace approximation, for all models.
#'   Higher numbers, at most 100, are for one random effect a group, `(1 | group)` or `(0 + x | group)`; at most 31 and
#'   10 for two and three effects, such as `(1 + x | group)`.
#' @return A list of class `judicious_pom_control`.
#' @examples
#' pom_control(tolerance = 1e-20)
#' @export
pom_control <- function(max_iterations = 100, tolerance = 1e-16, penalty = 0, num_threads = 1, batch_rows = 2^18,
                        method = c("ml", "bias_reduced"), link_parameter = NULL, contrasts = NULL, model = TRUE,
                        sd = NULL, nAGQ = 1) {
  check_count(max_iterations, "max_iterations")
  check_number(tolerance, "tolerance", 0, 1)
  check_number(penalty, "penalty", 0)
  check_that(!is.infinite(penalty), "penalty", "must be finite.")
  check_count(num_threads, "num_threads")
  check_count(batch_rows, "batch_rows")
  method <- check_choice(method, c("ml", "bias_reduced"), "method")
  check_flag(model, "model")
  structure(mget(names(formals())), class = "judicious_pom_control")
}

# The settings in `control`, with those in `...` replaced.
merge_control <- function(control, ...) {
  check_class(control, "judicious_pom_control", "control", "pom_control")
  if (!...length()) return(control)
  accepted <- names(formals(pom_control))
  # The names are checked before the values, because `weigths = w` has a value in the data only.
  given <- ...names() %||% ""
  check_that(!"Hess" %in% given, "Hess", "is not needed: {.fn vcov} and {.fn summary} work for every fit.")
  unknown <- setdiff(given, accepted)[1]
  check_that(is.na(unknown), "...", c(if (nzchar(unknown)) "{.val {unknown}} is no argument, and no setting of
    {.fn pom_control}: {.or {.arg {accepted}}}." else "Further arguments, settings of {.fn pom_control}, need names.",
    i = suggest_name(unknown, c("data", "weights", "offset", "subset", "link", "nominal", "scale", accepted))))
  changes <- list(...)
  other_link <- if (is_string(changes[["method"]]))
    intersect(sub("^logistic$", "logit", changes[["method"]]), names(link_names_cpp()))
  check_that(!length(other_link), "method",
             "must be {.val ml} or {.val bias_reduced}; the link is {.code link = \"{other_link}\"}.")
  do.call("pom_control", utils::modifyList(unclass(control), changes, keep.null = TRUE))
}

#' Fit a model to matrices
#'
#' @param x Double matrix with column names, or a dgCMatrix. A first column named "(Intercept)" is ignored, because the
#'   thresholds are the intercepts.
#' @param y Codes 1 .. n_levels; every level must have positive total weight.
#' @param weights,offset Double, or NULL for all 1 and all 0.
#' @return A list: `alpha` (decreasing), `beta` (NA if aliased, named by column), `aliased` (names), `loglik`,
#'   `convergence`, and `information` with `center` and `scale` for the columns kept, or `covariance` instead.
#' @noRd
fit_columns <- function(x, y, n_levels, weights = NULL, offset = NULL, control = pom_control(), link = "logit") {
  skip <- as.integer(ncol(x) > 0 && identical(colnames(x)[1], "(Intercept)"))
  if (anyNA(y)) y[is.na(y)] <- 1L  # rows of weight 0 at an unused level
  control$link <- link
  control <- in_weight_unit(control, weights)
  if (is_sparse(x)) {
    core_fit <- fit_compressed(x, skip, y, n_levels, weights, offset, control)
    if (!is.null(core_fit)) return(columns_fit(core_fit, colnames(x)[seq_len(ncol(x) - skip) + skip], link))
    check_can_be_dense(x)
    x <- dense_columns(x)
  }
  if (!is.double(x)) storage.mode(x) <- "double"
  core_fit <- pom_fit_cpp(x, skip, y, n_levels, as.double(weights), as.double(offset), control)
  columns <- colnames(x)[seq_len(ncol(x) - skip) + skip]
  if (is.null(core_fit$information$p) && needs_basis(core_fit, control))
    core_fit <- fit_by_basis(x, core_fit$column + skip, core_fit, y, n_levels, weights, offset, control)
  columns_fit(core_fit, columns, link)
}

# Scales the tolerance to the weights. Newton's decrement is in the unit of the weights, so it is small if weights are
# small, such as shares. The terms of bias reduction do not depend on the unit.
in_weight_unit <- function(control, weights) {
  if (control$method != "bias_reduced") control$tolerance <- control$tolerance * weight_unit(weights)
  control
}

weight_unit <- function(weights) if (is.null(weights)) 1 else min(1, mean(weights[weights > 0]))

# Converts the result of the core to a list, with slopes named by their columns and NA for aliased columns.
columns_fit <- function(raw, columns, link) {
  slope_estimates <- structure(replace(rep(NA_real_, length(columns)), raw$column, raw$beta), names = columns)
  convergence <- raw[c("status", "iterations", "halvings", "decrement", "max_gradient", "reciprocal_condition")]
  # Newton's method converges quadratically, so the size of the last step bounds the remaining error, up to rounding.
  last_step <- if (length(raw$last_step)) raw$last_step else NA
  convergence$digits <- pmin(pmax(floor(log10(abs(c(raw$theta, raw$beta))) - log10(abs(last_step))), 0), 15)
  list(alpha = -raw$theta, beta = slope_estimates, aliased = columns[raw$aliased],
       loglik = min(raw$loglik, 0), df = raw$df, convergence = convergence, separation = raw$separation,
       separated = list(thresholds = raw$separated_thresholds, slopes = columns[raw$column[raw$separated_slopes]]),
       link = link, information = raw$information, center = raw$center, scale = raw$scale, covariance = raw$covariance,
       core = raw$core)
}

# Whether to refit in an orthogonal basis: this is needed if rounding errors leave hardly a correct digit in the
# information of the slopes. A ridge penalty refers to the user's columns, so a penalised model is not refitted.
needs_basis <- function(raw, control) {
  length(raw$column) > 1 && raw$reciprocal_condition < 1e-8 && raw$separation == "none" && control$penalty == 0 &&
    length(raw$theta) < 2000
}

fit_by_basis <- function(x, kept, raw, y, n_levels, weights, offset, control) {
  x <- x[, kept, drop = FALSE]
  basis <- orthogonal_basis(x)
  fit <- pom_fit_cpp(basis$columns, 0L, y, n_levels, as.double(weights), as.double(offset), control)
  if (length(fit$column) < length(kept)) return(raw)
  # Transforms coefficients of the basis to those of the user's columns.
  m <- length(fit$theta)
  slopes <- m + seq_along(basis$center)
  signs <- rep(c(-1, 1), c(m, length(slopes)))  # alpha = -theta
  to_user_columns <- diag(1, m + length(slopes))
  to_user_columns[slopes, slopes] <- basis$inverse
  to_user_columns[seq_len(m), slopes] <- rep(-drop(basis$center %*% basis$inverse), each = m)
  raw$core <- list(
    parameters = c(-fit$theta, fit$beta), basis = list(location = basis[c("center", "inverse")]),
    covariance = pom_covariance_cpp(fit$information, fit$center, fit$scale) * outer(signs, signs),
    units = to_user_columns)
  raw$beta <- drop(basis$inverse %*% fit$beta)
  # The thresholds are computed from the rounded slopes, so that thresholds and linear predictors agree to the last
  # digit.
  raw$theta <- fit$theta + mean(x %*% raw$beta - basis$columns %*% fit$beta)
  raw$covariance <- by_units(raw$core$covariance, to_user_columns)
  if (length(fit$last_step)) raw$last_step <- drop(to_user_columns %*% (signs * fit$last_step))
  copied <- c("loglik", "df", "status", "iterations", "halvings", "decrement", "max_gradient", "separation",
            "separated_thresholds", "separated_slopes")
  raw[copied] <- fit[copied]
  raw
}

check_not_thresholds <- function(fit) {
  both <- intersect(names(fit$alpha), names(fit$beta))
  abort_unless(!length(both), "The column {.val {both[1]}} has the name of a threshold: give it another name.",
               "columns", columns = both, call = NULL)
}

known_coefficients <- function(fit) fit$coefficients[!is.na(fit$coefficients)]

# The names of the slopes that are not aliased.
estimated_slopes <- function(fit) names(fit$beta)[!is.na(fit$beta)]

# The linear predictor of the rows of the model matrix x. The matrix may be large, so no copy of it is made.
linear_predictor <- function(x, beta, offset = NULL) {
  all_slopes <- beta[colnames(x)]  # NA for the intercept
  all_slopes[is.na(all_slopes)] <- 0
  # drop() and as.vector() would create the names of all rows.
  eta <- if (is_sparse(x)) (x %*% all_slopes)@x else x %*% all_slopes
  dim(eta) <- NULL
  if (!is.null(offset)) eta <- eta + offset
  names(eta) <- rownames(x)
  eta
}

count_observations <- function(weights, n) {
  if (is.null(weights)) return(n)
  if (all(weights == trunc(weights))) sum(weights) else sum(weights > 0)
}

# Checks the settings for models without random terms. Bias reduction and ridge penalties both change the likelihood, so
# only one of them can be used. Neither can be used with an estimated link, because its parameter is estimated by
# profile likelihood.
check_method <- function(control, link) {
  for (setting in c("sd", if (!isTRUE(control$nAGQ == 1)) "nAGQ")) {
    check_that(is.null(control[[setting]]), setting, "is for models with random terms, such as {.code (1 | group)}.")
  }
  is_ml <- control$method != "bias_reduced"
  check_that(is_ml || control$penalty == 0, "penalty",
             "A fit is either bias-reduced or penalised: leave out {.arg method} or {.arg penalty}.")
  check_that(!is_estimated_link(link) || (is_ml && control$penalty == 0), "link_parameter",
             "Bias reduction and penalties need a known link: give {.arg link_parameter}.")
}

report_aliased <- function(columns) {
  inform_judicious("{cli::qty(columns)}Column{?s} {.val {columns}} {?is/are} explained by the thresholds and other
    columns: {?its/their} coefficient{?s} {?is/are} NA.", "aliased", columns = columns)
}

warn_separation <- function(fit) {
  warn_judicious(c(
    "The data are separated ({fit$separation}): {cli::qty(fit$separated)}the coefficient{?s} {.val {fit$separated}}
      {?has/have} no finite maximum-likelihood estimate.",
    i = paste(c("The estimates are those of the last iteration.", if (!inherits(fit, "judicious_pom_mixed"))
      "{.code method = \"bias_reduced\"} or a {.arg penalty} gives finite estimates."), collapse = " ")
  ), "separation", separation = fit$separation, coefficients = fit$separated)
  invisible(fit)
}

report_fit <- function(fit) {
  if (length(fit$aliased)) report_aliased(fit$aliased)
  if (fit$separation != "none") return(warn_separation(fit))
  about <- fit$convergence
  warn_status(about, "The information matrix is singular at iteration {about$iterations}: some coefficients are not
    determined.", "The Newton decrement is {signif(about$decrement, 3)}, the largest gradient
    {signif(about$max_gradient, 3)}.")
  invisible(fit)
}

# Warns about a fit that has not converged. `about`: the values that the texts of the warning use.
warn_status <- function(about, singular, figures, ...) {
  if (about$status == "converged") return(invisible())
  text <- switch(about$status,
    iteration_limit = "The fit has not converged after {about$iterations} iteration{?s}.",
    stalled = "The fit stopped short of the maximum: no step raises the likelihood.",
    singular = singular)
  warn_judicious(c(text, i = figures), "convergence", status = about$status, ...)
}

# Inverts an information matrix, after scaling it to a unit diagonal, for accuracy with columns of very different sizes.
invert_information <- function(information) {
  root_diagonal <- sqrt(pmax(diag(information), 0))
  scales <- outer(root_diagonal, root_diagonal)
  structure(chol2inv(chol(information / scales)) / scales, dimnames = dimnames(information))
}
