# Nearly collinear columns (such as a variable with mean 1e6 and its square) make the information matrix numerically
# singular. The model is therefore fitted to orthonormal columns, and a triangular matrix transforms the coefficients to
# those of the user's columns.

# x = 1 center' + columns %*% root: the columns are centred and orthogonal with mean square 1. x must not have aliased
# columns or an intercept.
orthogonal_basis <- function(x) {
  n <- nrow(x)
  if (!ncol(x)) return(list(columns = x, center = numeric(), root = matrix(0, 0, 0), inverse = matrix(0, 0, 0)))
  center <- colMeans(x)
  x <- x - rep(center, each = n)
  size <- sqrt(colMeans(x^2))
  size[size == 0] <- 1
  decomposed <- qr(x / rep(size, each = n), tol = 1e-15)
  root <- qr.R(decomposed) / sqrt(n)
  list(columns = qr.Q(decomposed) * sqrt(n), center = center, root = root * rep(size, each = ncol(x)),
       inverse = backsolve(root, diag(ncol(x))) / size)
}

# Like orthogonal_basis(), but the columns are only centred and scaled to a (weighted) variance of 1, and sparse columns
# are not centred.
scaled_basis <- function(x, weights) {
  mean_of <- function(x) drop(as.matrix(weights %*% x)) / sum(weights)
  center <- unname(mean_of(x))
  size <- sqrt(pmax(mean_of(if (is_sparse(x)) x^2 else (x - rep(center, each = nrow(x)))^2) -
                      if (is_sparse(x)) center^2 else 0, 0))
  size <- unname(ifelse(size > 0, size, 1))
  if (is_sparse(x)) {
    center[] <- 0
    x@x <- x@x / rep(size, diff(x@p))
  } else {
    x <- in_basis(x, list(center = center, size = size))
  }
  list(columns = x, center = center, size = size, root = diag(size, ncol(x)), inverse = diag(1 / size, ncol(x)))
}

# Columns in the form of a basis.
in_basis <- function(x, basis) {
  x <- dense_columns(x)
  if (is.null(basis)) return(x)
  centred <- x - rep(basis$center, each = nrow(x))
  if (!is.null(basis$size)) return(centred / rep(basis$size, each = nrow(x)))
  if (is.null(basis$inverse)) centred else structure(centred %*% basis$inverse, dimnames = dimnames(x))
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

# Columns in the form that the core accepts: sparse ones as a list of their slots.
compressed <- function(x) if (is_sparse(x)) list(p = x@p, i = x@i, x = x@x) else x

# Names of the columns of `x` that are linear combinations of the columns before them and of those of `fixed`, up to a
# tolerance relative to their spread. The first column of `fixed` is 1. All columns are centred first, because next to a
# mean of 1e6 a spread of 1 would be below the tolerance.
aliased_columns <- function(fixed, x) {
  if (!ncol(x)) return(character())
  every_column <- cbind(fixed[, -1, drop = FALSE], x)
  center <- colMeans(every_column)
  centred <- every_column - rep(center, each = nrow(every_column))
  centred[, sqrt(colMeans(centred^2)) <= 1e-14 * abs(center)] <- 0
  decomposed <- qr(centred, tol = 1e-7)
  late <- decomposed$pivot[seq_len(ncol(every_column)) > decomposed$rank]
  n_fixed <- ncol(fixed) - 1
  colnames(x)[late[late > n_fixed] - n_fixed]
}
