# Models for the columns that the core fits, instead of the user's columns, which may be far from 0 or nearly collinear.

# The same model for the columns of the core, which are centred, and orthogonal or scaled. Whatever does not depend on
# the origin of the columns is computed from it: for columns far from 0, such as a time in seconds, the thresholds of
# the user's columns all have the same variance in double precision. `rows`: whether the rows of the fit are needed.
in_core_columns <- function(object, rows = TRUE) {
  if (!is.null(object$basis)) return(object)
  core <- estimates_at_core(object)
  if (rows) object <- as_general(object)
  object <- with_parameters(object, structure(core$parameters, names = names(known_coefficients(object))))
  object$basis <- core$basis
  replaced <- c("covariance", "full_covariance", "mode_sensitivity")
  object[replaced] <- core[replaced]
  if (!rows) return(object)
  effects <- if (is.null(object$fixed_predictor)) 0 else object$linear_predictor - object$fixed_predictor
  object <- core_rows(object, object)
  fixed_predictor <- row_predictor(object, object)
  if (!is.null(object$fixed_predictor)) object$fixed_predictor <- fixed_predictor
  object$linear_predictor <- fixed_predictor + effects
  object
}

# The result of core_estimates() for any fit. The columns of proportional-odds models are only centred, unless they are
# nearly collinear.
estimates_at_core <- function(object) {
  if (!is.null(object$core)) return(object$core)
  parameters <- known_coefficients(object)
  units <- diag(length(parameters))
  center <- object$center
  thresholds <- seq_along(object$alpha)
  if (length(center)) units[thresholds, -thresholds] <- rep(-center, each = length(thresholds))
  parameters[thresholds] <- parameters[thresholds] + sum(center * parameters[-thresholds])
  list(parameters = parameters, covariance = observed_covariance(object, 0 * center), units = units,
       basis = list(location = if (length(center)) list(center = center)))
}

# The covariance of coefficients for the columns of the core, as that of the coefficients of the object.
of_coefficients <- function(object, covariance) {
  if (!is.null(object$basis)) covariance else by_units(covariance, estimates_at_core(object)$units)
}

# The columns of rows in the basis of the model.
core_rows <- function(object, rows) {
  basis <- object$basis
  if (is.null(basis)) return(rows)
  rows$columns <- in_basis(rows$columns[, estimated_slopes(object), drop = FALSE], basis$location)
  if (!is.null(basis$nominal))
    rows$nominal_columns[, -1] <- in_basis(rows$nominal_columns[, -1, drop = FALSE], basis$nominal)
  if (!is.null(basis$scale)) rows$scale_columns <- in_basis(rows$scale_columns, basis$scale)
  rows
}

row_predictor <- function(object, rows) linear_predictor(rows$columns, object$beta, rows$offset)

# The fit with other values of the coefficients that are not aliased, in the order of coef().
with_parameters <- function(object, parameters) {
  object$core <- NULL  # which has the estimates
  if (!is.null(object$parameters)) return(set_general_parameters(object, parameters))
  object$coefficients[names(parameters)] <- parameters
  object$alpha[] <- object$coefficients[names(object$alpha)]
  object$beta[] <- object$coefficients[names(object$beta)]
  object
}

# The covariance of the coefficients; with `center` 0, the thresholds are those at the means of the columns.
observed_covariance <- function(object, center = object$center) {
  kept <- names(coef(object, complete = FALSE))
  if (!is.null(object$covariance)) return(structure(object$covariance, dimnames = list(kept, kept)))
  abort_unless(length(kept) <= 10000, c(
    "The covariance of {format_count(length(kept))} coefficients needs {round(8 * length(kept)^2 / 2^30, 1)} GB.",
    i = "{.code which = \"slopes\"} gives that of the slopes; {.fn summary} does without it."
  ), "too_large")
  n_alpha <- length(object$alpha)
  coef_sign <- rep(c(-1, 1), c(n_alpha, length(kept) - n_alpha))  # alpha = -theta
  covariance <- pom_covariance_cpp(object$information, center, object$scale) * outer(coef_sign, coef_sign)
  dimnames(covariance) <- list(kept, kept)
  covariance
}
