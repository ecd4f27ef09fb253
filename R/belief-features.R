# Custom features in the mean of joint gains. A model keeps the user's `features` (`source`) and, once it is fitted, the
# `names` of those that it uses.

# One number per pair for each feature that varies in the collection: standardised, with 0, the mean, for unknown
# values.
own_feature_values <- function(x, features, call = caller_env()) {
  if (is.null(features)) return(list())
  values <- as.list(feature_columns(x, features$source, call))
  absent <- setdiff(features$names, names(values))
  check_that(!length(absent), "features", c(
    "The model's {.arg features} give no {cli::qty(length(absent))}column{?s} {.val {absent}} for this collection.",
    i = "The model was fitted with {cli::qty(length(absent))}{?it/them}."
  ), kind = "columns", columns = absent, call = call)
  if (!is.null(features$names)) values <- values[features$names]
  check_feature_values(values, n_pairs(x), call)
  values <- lapply(values, as.numeric)
  values <- values[vapply(values, varies, NA)]
  lapply(values, function(v) {
    v <- as.vector(scale(v))
    replace(v, is.na(v), 0)
  })
}

# Whether values differ by more than rounding error, in any unit.
varies <- function(v) {
  known <- v[!is.na(v)]
  length(known) > 1 && diff(range(known)) > 1e-10 * max(abs(known))
}

feature_columns <- function(x, source, call) {
  if (is.character(source)) return(named_columns(x, source, call))
  if (is.data.frame(source)) return(matched_columns(x, source, call))
  computed <- source(x)
  check_that(is.data.frame(computed) && nrow(computed) == n_pairs(x), "features",
             "The function {.arg features} must return a data frame with a row for each of the
               {format_count(n_pairs(x))} pairs of the pool, in the pool's order.", call = call)
  computed[setdiff(names(computed), c("query", "doc"))]
}

# Columns of the collection's tables, under the requested names.
named_columns <- function(x, columns, call) {
  tables <- x[c("documents", "queries", "systems")]
  values <- lapply(seq_along(columns), function(i) {
    where <- names(tables)[vapply(tables, function(table) columns[i] %in% names(table), NA)]
    if (length(where) != 1) {
      known <- setdiff(unlist(lapply(tables, names)), c("doc", "query", "system"))
      abort_judicious(c(
        if (length(where)) "{.arg features}: both {where[1]} and {where[2]} have a column {.val {columns[i]}}."
        else "{.arg features}: neither documents nor queries nor systems have a column {.val {columns[i]}}.",
        i = if (length(where)) "A function of the collection can tell them apart." else "Their columns are
          {.val {known}}.",
        i = if (!length(where)) "The built-in features of a formula are {.val {setdiff(joint_features, grade_slopes)}}."
      ), "columns", argument = "features", columns = columns[i], call = call)
    }
    switch(where,
      documents = metadata_columns(x$documents, columns[i], where, x$pool$doc, call),
      queries = metadata_columns(x$queries, columns[i], where, x$pool$query, call),
      systems = system_features(x, columns[i], call)
    )
  })
  unlist(values, recursive = FALSE)
}

# Columns of a table that is matched by query and document, by document or by query.
matched_columns <- function(x, table, call) {
  ids_given <- intersect(c("query", "doc"), names(table))
  check_that(length(ids_given), "features", "as a data frame needs a column {.val query}, {.val doc} or both.",
             kind = "columns", columns = c("query", "doc"), call = call)
  if (length(ids_given) == 2) return(pair_columns(pool_ids(x), table, "features", call))
  ids <- check_ids(table[[ids_given]], ids_given, "features", call)
  again <- which(duplicated(ids))
  check_that(!length(again), "features", "has {.val {ids[again[1]]}} twice, the second time in row {again[1]}.",
             kind = "duplicate_id", rows = again, call = call)
  at <- match(pool_ids(x)[[ids_given]], ids)
  lapply(as.list(table[setdiff(names(table), ids_given)]), `[`, at)
}

check_feature_values <- function(values, n, call) {
  bad <- Find(function(name) {
    v <- values[[name]]
    !(is.numeric(v) || is.logical(v)) || length(v) != n || any(is.infinite(v))
  }, names(values))
  check_that(is.null(bad), "features", c(
    "{.arg features}: {.val {bad}} must be numbers, NA where they are unknown.",
    i = "A function of the collection can make numbers of text."
  ), kind = "columns", columns = bad, call = call)
  taken <- intersect(names(values), c("intercept", joint_features))
  check_that(!length(taken), "features", "{.arg features}: the name {.val {taken[1]}} is that of a built-in feature.",
             kind = "columns", columns = taken, call = call)
}

# Adds priors for custom features that the model does not have: slope 0, standard deviation 1.
with_own_features <- function(model, names) {
  new <- setdiff(names, names(model$coefficient))
  with_coefficients(model, stats::setNames(numeric(length(new)), new), rep(1, length(new)))
}

# Adds to an earlier model the priors of gain_prior() for built-in features that it does not have.
with_built_in_features <- function(model, names) {
  prior <- gain_prior()
  new <- setdiff(intersect(names, names(prior$coefficient)), names(model$coefficient))
  with_coefficients(model, prior$coefficient[new], coefficient_sd(prior)[new])
}

# Adds coefficients to a model, independent of the existing ones.
with_coefficients <- function(model, mean, sd) {
  before <- model$coefficient_covariance
  model$coefficient <- c(model$coefficient, mean)
  model$coefficient_covariance <- structure(diag(c(rep(0, nrow(before)), sd^2), length(model$coefficient)),
                                            dimnames = list(names(model$coefficient), names(model$coefficient)))
  model$coefficient_covariance[rownames(before), colnames(before)] <- before
  model
}
