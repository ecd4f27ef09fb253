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
  covariance <- with_link_variance(raw$covariance, raw$link_estimate, diag(core$signs, length(core$signs)))
  link_name <- if (!is.null(raw$link_estimate)) link_coefficient(raw$link, core$names)
  at_core <- core_estimates(raw$parameters, covariance, core, parameter_units, if (length(link_name)) raw$link)
  list(parameters = c(parameters, if (length(link_name)) link_parameter(raw$link)), link_name = link_name,
       covariance = by_units(covariance, at_core$units), core = if (!is_sparse(core$columns)) at_core)
}

# The covariance of parameters that are `jacobian` times those with this covariance, and of an estimated link, by whose
# parameter some of the parameters in `moved` are moved.
with_link_variance <- function(covariance, link_estimate, jacobian, moved = TRUE) {
  covariance <- by_units(covariance, jacobian)
  if (is.null(link_estimate)) return(covariance)
  moved <- c(drop(jacobian %*% link_estimate$moved[moved]), 1)
  rbind(cbind(covariance, 0), 0) + link_estimate$variance * outer(moved, moved)
}

# The estimates for the columns of the core, with the signs of coefficients, the matrix `units` that transforms them to
# coefficients of the user's columns, and the `basis` of the columns. `link`: that with an estimated parameter.
core_estimates <- function(parameters, covariance, core, units, link = NULL) {
  units <- units * rep(core$signs, each = nrow(units))
  if (!is.null(link)) units <- rbind(cbind(units, 0), c(numeric(ncol(units)), 1))
  list(parameters = c(core$signs * parameters, if (!is.null(link)) link_parameter(link)), covariance = covariance,
       units = units, basis = core$basis)
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
