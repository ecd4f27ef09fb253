# Designs that mostly contain zeros, such as those of factors with many levels, in compressed columns: a dgCMatrix of
# package Matrix.

check_finite <- function(x, name) {
  bad <- if (if (is.integer(x)) anyNA(x) else !is.finite(sum(x))) which(!is.finite(x))
  abort_unless(!length(bad), c(
    "{.code {name}} must be finite.",
    x = "Row {bad[1]} of those used has {.val {x[bad[1]]}}."), "not_finite", variable = name, rows = bad)
  invisible(x)
}

is_sparse <- function(x) inherits(x, "dgCMatrix")

# Makes names of columns unique. Attribute `renamed`: the columns whose names changed.
with_distinct_names <- function(x) {
  column_names <- colnames(x)
  if (!anyDuplicated(column_names)) return(x)
  colnames(x) <- make.unique(column_names)
  if (is.matrix(x)) attr(x, "renamed") <- which(duplicated(column_names))
  x
}

# Raises an error for columns with such large or small numbers that their squares, in sums and in variances of slopes,
# would overflow or underflow.
check_column_sizes <- function(x) {
  size <- if (is_sparse(x)) {
    vapply(split(abs(x@x), factor(rep.int(seq_len(ncol(x)), diff(x@p)), seq_len(ncol(x)))), max, 0, 0)
  } else if (nrow(x)) vapply(seq_len(ncol(x)), function(k) max(abs(range(x[, k]))), 0)
  bad <- which(size > 1e150 | size > 0 & size < 1e-150)[1]
  abort_unless(is.na(bad), c(
    "{.code {colnames(x)[bad]}} has values of up to {signif(size[bad], 3)}: squares of such numbers cannot be
      represented.",
    i = "{if (size[bad] > 1) 'Divide' else 'Multiply'} it by a constant: the fit stays the same, in another unit."
  ), "column_size", columns = colnames(x)[bad])
  x
}

dense_columns <- function(x) if (is_sparse(x)) as.matrix(x) else x

max_sparse_levels <- 200  # with more levels, the dense part of the information, for thresholds, is too large

# The model matrix in compressed columns, or NULL if less than nine tenths of it are zeros.
sparse_columns <- function(terms, frame, contrasts) {
  if (!has_many_levels(terms, frame) || !requireNamespace("Matrix", quietly = TRUE)) return(NULL)
  x <- with_distinct_names(Matrix::sparse.model.matrix(terms, frame, contrasts.arg = contrasts))
  # Contrasts without a baseline have few zeros, so the share of zeros is also checked in the matrix itself.
  if (is_sparse(x) && length(x@x) < 0.1 * prod(dim(x))) check_column_sizes(check_finite_entries(x))
}

check_finite_entries <- function(x) {
  bad <- which(!is.finite(x@x))[1]
  if (is.na(bad)) return(x)
  check_finite(x[, findInterval(bad - 1, x@p)], colnames(x)[findInterval(bad - 1, x@p)])
}

# Whether the terms have at least 60 columns, of which less than a tenth is nonzero in each row. In a row, a factor has
# at most one nonzero column, and a numeric variable all of its columns.
has_many_levels <- function(terms, frame) {
  factors <- attr(terms, "factors")
  if (!length(factors)) return(FALSE)
  variables <- unclass(frame)[seq_len(nrow(factors))]  # in the order of the terms' variables
  level_counts <- vapply(variables, function(v) if (is.logical(v)) 2L else nlevels(v), 0L)
  if (prod(level_counts[level_counts > 0 & rowSums(factors) > 0]) <= 10) return(FALSE)
  width <- vapply(variables, NCOL, 0L)
  entries <- apply(factors > 0, 2, function(in_term) prod(width[in_term]))
  columns <- entries * apply(factors > 0, 2, function(in_term) prod(pmax(level_counts[in_term], 1)))
  sum(columns) >= 60 && sum(entries) < 0.1 * sum(columns)
}

# Fits compressed columns in the core; NULL if the core needs dense columns.
fit_compressed <- function(x, skip, y, n_levels, weights, offset, control) {
  if (n_levels > max_sparse_levels) return(NULL)
  first <- x@p[skip + 1L]
  entries <- if (first > 0) -seq_len(first) else TRUE
  slots <- list(p = x@p[seq(skip + 1L, length(x@p))] - first, i = x@i[entries], x = x@x[entries])
  pom_fit_sparse_cpp(slots, nrow(x), y, n_levels, as.double(weights), as.double(offset), control)
}

check_can_be_dense <- function(x) {
  size <- 8 * prod(dim(x)) / 2^30
  abort_unless(size <= 8, c(
    "The model needs {.arg x} as a dense matrix, which takes {round(size)} GB.",
    i = "Sparse columns are for maximum likelihood, with at most {max_sparse_levels} levels and no nearly collinear
      columns."), "too_large")
}
