# Models other than those with a known link, flexible thresholds and common slopes are fitted to transformed columns
# (centred, scaled or orthogonal), for accuracy. This file transforms the columns, and the coefficients back to those of
# the user's columns.

# Parameters and covariance for the user's columns; those of an estimated link come last. If the scale has parameters
# zeta, the core fits thresholds and slopes at the centre of the scale columns, and the coefficients are
# exp(center'zeta) times these. With an estimated link, the covariance is that for a known link plus a term from the
# derivatives of the parameters with respect to the link's parameter, by the inverse of the partitioned information.
# `core`: the same for the columns of the core, unless they are sparse, which are not centred.
in_user_units <- function(raw, core) {
  parameter_units <- core$units
  parameters <- drop(parameter_units %*% raw$parameters)
  if (any(core$scale_center != 0)) {
    at_scale <- length(parameters) - rev(seq_along(core$scale_center)) + 1
    spread_factor <- exp(sum(core$scale_center * parameters[at_scale]))
    parameters[-at_scale] <- spread_factor * parameters[-at_scale]
    parameter_units[-at_scale, ] <- spread_factor * parameter_units[-at_scale, ]
    parameter_units[-at_scale, at_scale] <- parameters[-at_scale] %o% (core$scale_center / diag(core$to_core)[at_scale])
  }
  covariance <- raw$covariance * outer(core$signs, core$signs)
  link_name <- if (!is.null(raw$link_estimate)) link_coefficient(raw$link, core$names)
  if (!is.null(link_name)) {
    moved <- c(core$signs * raw$link_estimate$moved, 1)
    covariance <- rbind(cbind(covariance, 0), 0) + raw$link_estimate$variance * outer(moved, moved)
  }
  at_core <- core_estimates(raw$parameters, covariance, core, parameter_units, if (length(link_name)) raw$link)
  list(parameters = c(parameters, if (length(link_name)) link_parameter(raw$link)), link_name = link_name,
       covariance = by_units(covariance, at_core$units), core = if (!is_sparse(core$columns)) at_core)
}

# The estimates for the columns of the core, with the signs of coefficients, the matrix `units` that transforms them to
# coefficients of the user's columns, and the `basis` of the columns. `link`: that with an estimated parameter.
core_estimates <- function(parameters, covariance, core, units, link = NULL) {
  units <- units * rep(core$signs, each = nrow(units))
  if (!is.null(link)) units <- rbind(cbind(units, 0), c(numeric(ncol(units)), 1))
  list(parameters = c(core$signs * parameters, if (!is.null(link)) link_parameter(link)), covariance = covariance,
       units = units, basis = core$basis)
}

# The covariance of coefficients that are `units` times those with this covariance, and of other parameters that come
# after them, if any; parameters that are not estimated have NA. If columns are only scaled, as sparse ones are, avoids
# products of large matrices, which take longer than the fit.
by_units <- function(covariance, units) {
  sizes <- c(diag(units), rep(1, nrow(covariance) - nrow(units)))
  if (isTRUE(sum(units != 0) == nrow(units))) return(covariance * outer(sizes, sizes))
  all_units <- diag(sizes, length(sizes))
  all_units[seq_len(nrow(units)), seq_len(nrow(units))] <- units
  known <- !is.na(diag(covariance))
  known_units <- all_units[known, known, drop = FALSE]
  covariance[known, known] <- known_units %*% covariance[known, known, drop = FALSE] %*% t(known_units)
  covariance
}

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

# The covariance of the coefficients for the columns of the core, in any form that user_covariance() accepts.
covariance_at_core <- function(object, covariance) {
  if (is.null(covariance) || isTRUE(covariance)) return(estimates_at_core(object)$covariance)
  if (inherits(covariance, "formula") || identical(covariance, "HC0"))
    return(user_covariance(in_core_columns(object), covariance))
  by_units(user_covariance(object, covariance), solve(estimates_at_core(object)$units, tol = 0))
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

in_basis <- function(x, basis) {
  x <- dense_columns(x)
  if (is.null(basis)) return(x)
  centred <- x - rep(basis$center, each = nrow(x))
  if (!is.null(basis$size)) return(centred / rep(basis$size, each = nrow(x)))
  if (is.null(basis$inverse)) centred else structure(centred %*% basis$inverse, dimnames = dimnames(x))
}

# Transforms columns: those of the location and of single thresholds to orthogonal (`rotate`) or scaled columns, those
# of the scale to scaled columns. Also returns the matrix that transforms the parameters of the transformed columns,
# with thresholds theta, to coefficients; and its inverse, because computing the inverse from the matrix is not accurate
# if columns are nearly dependent.
general_units <- function(x, n, z, weights, structure, rotate = TRUE) {
  size <- vapply(seq_len(ncol(z)), function(k) {
    sqrt(weighted.mean((z[, k] - weighted.mean(z[, k], weights))^2, weights))
  }, 0)
  size[size == 0] <- 1
  columns_of <- function(x) if (rotate) orthogonal_basis(x) else scaled_basis(x, weights)
  nominal_basis <- columns_of(n[, -1, drop = FALSE])
  basis <- columns_of(x)
  n_free <- length(structure$sign)
  psi <- seq_len(n_free * ncol(n))
  slopes <- length(psi) + seq_len(ncol(x))
  to_units <- diag(c(rep(1, length(psi) + ncol(x)), 1 / size), length(psi) + ncol(x) + ncol(z))
  inverse <- diag(1 / diag(to_units), nrow(to_units))
  by_column <- function(center, root) {
    if (!length(center)) return(diag(structure$sign, n_free))
    kronecker(rbind(c(1, center), cbind(rep(0, nrow(root)), root)), diag(structure$sign, n_free))
  }
  to_units[psi, psi] <- by_column(-drop(nominal_basis$center %*% nominal_basis$inverse), nominal_basis$inverse)
  inverse[psi, psi] <- by_column(nominal_basis$center, nominal_basis$root)
  # The thresholds of the user's columns are those of the centred columns plus center'beta.
  to_units[slopes, slopes] <- basis$inverse
  to_units[seq_len(n_free), slopes] <- (structure$sign * structure$shift) %o% drop(basis$center %*% basis$inverse)
  inverse[slopes, slopes] <- basis$root
  inverse[seq_len(n_free), slopes] <- -structure$shift %o% basis$center
  kept <- c("center", if (rotate) "inverse" else "size")
  list(nominal = cbind(rep(1, nrow(n)), nominal_basis$columns), location = compressed(basis$columns),
       scale = z / rep(size, each = nrow(z)), matrix = to_units, inverse = inverse,
       basis = list(location = basis[kept], nominal = nominal_basis[kept], scale = list(size = size)))
}

#' What the core is given: columns that suit it, without aliased ones
#'
#' @param penalty Of the effects on columns of variance 1.
#' @param rotate Whether columns are made orthogonal, rather than centred and scaled only (if sparse, only scaled).
#' @param center_scale Whether to centre the columns of the scale: otherwise, the fit of columns with a mean far from 0
#'   does not converge. Thresholds and slopes are then multiplied by a factor, which models with an offset, random
#'   effects or bias reduction do not allow.
#' @return A list of `model`; the matrix `units` that transforms its parameters to coefficients (at the centre of the
#'   scale columns, `scale_center`), its inverse `to_core`, and the `names` of the coefficients; `basis`, the centre and
#'   the root or size of the columns; the `signs` of coefficients in terms of parameters; the `structure` of the
#'   thresholds; `has_plain_effects`, whether thresholds are flexible and the only effects are common slopes; the kept
#'   `columns`, `nominal_columns` and `scale_columns`; and the names of the `aliased` ones.
#' @noRd
core_model <- function(x, n, z, design, link, threshold, penalty = 0, center_scale = FALSE,
                       rotate = penalty == 0 && !is_sparse(x)) {
  rows <- nrow(x)
  aliased <- list(n = aliased_columns(matrix(1, rows), n[, -1, drop = FALSE]), z = aliased_columns(matrix(1, rows), z))
  without_columns <- function(columns, dropped) columns[, !colnames(columns) %in% dropped, drop = FALSE]
  n_kept <- without_columns(n, aliased$n)
  z_kept <- without_columns(z, aliased$z)
  aliased$x <- if (!is_sparse(x)) aliased_columns(n_kept, x) else {
    # Columns are aliased if thresholds and other columns explain them, or if they are also nominal effects.
    plain <- fit_columns(x, design$response$codes, length(design$response$levels), design$weights, design$offset)
    also_nominal <- intersect(colnames(x), colnames(n_kept)[-1])
    union(plain$aliased, also_nominal[vapply(also_nominal, function(column) all(x[, column] == n_kept[, column]), NA)])
  }
  x_kept <- without_columns(x, aliased$x)
  w <- as.double(design$weights %||% rep(1, rows))
  threshold_matrix <- threshold_structure(threshold, design$response$levels)
  n_thresholds <- length(threshold_matrix$sign)
  y <- design$response$codes
  y[is.na(y)] <- 1L  # rows of weight 0 at a level that is not used
  n_effects <- ncol(n_kept) - 1 + ncol(z_kept)
  center <- vapply(seq_len(ncol(z_kept)), function(k) if (center_scale) weighted.mean(z_kept[, k], w) else 0, 0)
  scaled <- general_units(x_kept, n_kept, z_kept - rep(center, each = rows), w, threshold_matrix, rotate)
  model <- list(
    link = link, structure = threshold_matrix$matrix, nominal = scaled$nominal, location = scaled$location,
    scale = scaled$scale, y = as.integer(y), weights = w, offset = as.double(design$offset %||% rep(0, rows)),
    scale_offset = as.double(design$scale_offset %||% rep(0, rows)),
    # One penalty per parameter; 0 for the thresholds, which come first.
    penalty = if (penalty > 0) rep(c(0, penalty), c(n_thresholds, nrow(scaled$matrix) - n_thresholds)) else numeric())
  scaled$basis$scale$center <- center
  list(model = model, units = scaled$matrix, to_core = scaled$inverse, basis = scaled$basis, scale_center = center,
       signs = c(rep(threshold_matrix$sign, ncol(n_kept)), rep(1, ncol(x_kept) + ncol(z_kept))),
       n_effects = n_effects,
       has_plain_effects = threshold == "flexible" && !n_effects && is.null(design$scale_offset),
       structure = threshold_matrix, columns = x_kept, nominal_columns = n_kept, scale_columns = z_kept,
       aliased = unlist(aliased, use.names = FALSE),
       # The interaction of `scale` and x is named scale:x, and so is the scale effect of x, so names are made unique.
       names = make.unique(c(
         threshold_matrix$names,
         if (ncol(n_kept) > 1) outer(threshold_matrix$names, colnames(n_kept)[-1], paste, sep = ":"),
         colnames(x_kept), if (ncol(z_kept)) paste0("scale:", colnames(z_kept)))))
}
