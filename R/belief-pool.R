# Converts a collection to the form of the C++ class JointPool: codes of query, genre, artist and team; the features of
# the mean; and the weights with which gains sum to the systems' effectiveness. `retrieved` is the sum of the weights of
# each system, which for mean gains is below 1 if lists are short.

joint_pool <- function(x, coefficients, custom = list()) {
  label <- pool_labels(x)
  teams <- unique(x$systems$team)
  output <- pair_features(x, label)
  # Counts teams rather than systems: systems of one team often retrieve the same documents, which is evidence about the
  # team rather than about the documents.
  popularity <- log(output$pTEAM * length(teams))
  weight <- result_weight(x)
  features <- c(joint_feature_values(x, output, popularity), custom)
  features <- features[intersect(names(features), coefficients)]
  structure(class = "judicious_joint_pool", list(
    results = x$results[c("offset", "system")], n_systems = n_systems(x),
    weight = weight, retrieved = system_totals(x, weight),
    # Whether gains, after the transformation by the measure, have only two levels.
    two_levels = !x$scale$any_value && length(unique(unit_gain(x, x$scale$levels))) == 2,
    query = x$pool$query, n_queries = n_queries(x), genre = label$genre, artist = label$artist,
    team = match(x$systems$team, teams), n_teams = length(teams),
    popularity = popularity - mean(popularity),
    x = do.call(cbind, c(list(intercept = rep(1, n_pairs(x))), lapply(features, function(f) f - mean(f))))
  ))
}

#' @export
print.judicious_joint_pool <- function(x, ...) {
  print_line(x, "Pool of ", counted(length(x$query), "pair"), " of ", count_queries(x$n_queries), " and ",
             counted(x$n_systems, "system"), ", with the features ", paste(colnames(x$x), collapse = ", "))
}

# The pool for a model, with features transformed such that their coefficients are independent a priori: if the
# coefficients b have covariance L D L', the features x L have the coefficients L^-1 b with covariance D. `prior`: the
# mean and the standard deviations of these, and L, which has a unit diagonal.
model_pool <- function(x, model, custom = list()) {
  independent_features(joint_pool(x, names(model$coefficient), custom), model)
}

independent_features <- function(pool, model) {
  features <- colnames(pool$x)
  root <- chol(model$coefficient_covariance[features, features, drop = FALSE])
  basis <- t(root / diag(root))
  pool$x <- pool$x %*% basis
  colnames(pool$x) <- features
  pool$prior <- list(mean = stats::setNames(forwardsolve(basis, model$coefficient[features]), features),
                     sd = stats::setNames(diag(root), features), basis = basis)
  pool
}

# Converts a pool by model_pool() for another model of the same features.
pool_for_model <- function(pool, model) {
  features <- colnames(pool$x)
  pool$x <- pool$x %*% solve(pool$prior$basis)
  colnames(pool$x) <- features
  independent_features(pool, model)
}

# bench/trust-selected.R compares standard deviations: with 0.2, 0.3 and 0.6, the coverage of its intervals hardly
# differed (.963, .965 and .966).
selected_sd <- 0.3

# The coefficients of a fit, transformed back to the features of the pool.
fitted_coefficients <- function(fit) {
  features <- names(fit$beta)
  list(mean = stats::setNames(as.vector(fit$basis %*% fit$beta), features),
       covariance = structure(fit$basis %*% fit$beta_covariance %*% t(fit$basis), dimnames = list(features, features)))
}

# Values of the features that can be computed from the collection. Missing values of a pair are replaced by the mean of
# the others; features that do not vary are left out.
joint_feature_values <- function(x, output, popularity) {
  values <- list(popularity = popularity, share = output$pTEAM, agreement = system_agreement(x, popularity),
                 list_agreement = list_agreement(x, popularity), rank = (output$aRANK - 1) / max(x$k - 1, 1),
                 first_ranks = log1p(first_ranks(x)),
                 same_genre = output$sGEN, genre_share = log(output$pGEN), artist_share = log(output$pART))
  has_values <- vapply(values, function(v) any(!is.na(v)), NA)
  values <- lapply(values[has_values], function(v) replace(v, is.na(v), mean(v, na.rm = TRUE)))
  centred <- intersect(c("popularity", "share", "first_ranks"), names(values))
  values[centred] <- lapply(values[centred], within_systems, x = x)
  values[vapply(values, function(v) stats::var(v) > 1e-12, NA)]
}

# The number of lists that have the document of each pair at rank 1; 0 for every pair if all results have rank 1,
# because then the ranks say nothing.
first_ranks <- function(x) {
  first <- x$results$rank == 1
  if (all(first)) return(numeric(n_pairs(x)))
  as.vector(rowsum(as.numeric(first), rep(seq_len(n_pairs(x)), diff(x$results$offset))))
}

# How much the systems that retrieved a pair agree with the others in general: the mean over those systems of the mean
# popularity of all the documents that each retrieved. As a mean over systems, it varies less between pairs than the
# agreement varies between systems, and hardly at all where most documents are retrieved by most systems. It is
# therefore multiplied by the slope of the regression of popularity on it, over results: it then differs between the
# lists of two systems as much as their popularity does, in any pool.
system_agreement <- function(x, popularity) {
  v <- mean_over_systems_cpp(x$results, system_means(x, popularity))
  n <- diff(x$results$offset)
  v <- v - stats::weighted.mean(v, n)
  if (mean(v^2) < 1e-12) return(v)
  v * sum(n * v * popularity) / sum(n * v^2)
}

# How much the lists that contain a pair agree with the others. For each of the n lists, this is the mean popularity of
# its documents, less the mean of the pool. The n differences are summed and divided by sqrt(n), because the sum of n
# independent effects of systems on a query grows with sqrt(n), and multiplied by a constant so that, for pairs with the
# usual n, the result is the mean of the n differences. A list of popular documents tends to be a better list. Without
# this feature, the effects of systems on the query would explain this tendency, and the slope of popularity would be
# too small.
list_agreement <- function(x, popularity) {
  count <- diff(x$results$offset)
  lists <- list(offset = x$results$offset, system = result_list(x))
  of_list <- mean_over_pairs_cpp(lists, n_systems(x) * n_queries(x), popularity) - mean(popularity)
  sqrt(count / (sum(count^2) / sum(count))) * mean_over_systems_cpp(lists, of_list)
}

# A feature of pairs with the differences between the means of the systems removed. Popularity may predict relevance
# among the documents of one system in another way than it predicts which systems are better. With this feature beside
# `agreement`, each of the two effects has its own slope (Mundlak, 1978, Econometrica 46, 69-85).
within_systems <- function(x, v) within_systems_cpp(x$results, n_systems(x), v)

# The prior of a model for a collection. If every system is a team, a model's variances between teams are added to those
# between systems.
#
# Systems that give answers to questions (each list has one answer, or several that are rated), or that share hardly a
# document, differ more than systems that retrieve lists: the built-in variance between them is larger, by the factor
# `system_factor`. Where they share no documents, few judgments cannot separate their effects from the residual, so the
# variance of the residual is less certain. (Informative grades distinguish such systems: see informative_model().)
#
# Where systems share answers, agreement may be uninformative, as in a choice between two answers, or decisive, as for
# questions with one right answer. The slopes of the features of agreement are therefore less certain than for lists,
# from which they were learned.
prior_for_collection <- function(model, x) {
  if (!anyDuplicated(x$systems$team)) {
    of_systems <- sub("team", "system", team_terms)
    model$variance[of_systems] <- model$variance[of_systems] + model$variance[team_terms]
    model$variance[team_terms] <- 0
  }
  answers <- gives_ratings(x) || !anyDuplicated(result_list(x))
  if (model$built_in) {
    model$system_factor <- 1 + (no_overlap_factor - 1) * if (answers) 1 else lack_of_overlap(x)
    model$variance[["system"]] <- model$variance[["system"]] * model$system_factor
    model$variance_sd[["residual"]] <- model$variance_sd[["residual"]] + no_overlap_residual_sd * lack_of_overlap(x)
  }
  if (!answers) return(model)
  factors <- ifelse(names(model$coefficient) %in% model$built_in_slopes, agreement_sd_factor, 1)
  model$coefficient_covariance <- model$coefficient_covariance * outer(factors, factors)
  model
}

no_overlap_factor <- 8
no_overlap_residual_sd <- 0.2
agreement_sd_factor <- 4

# The contribution of a gain of 1 of each of the `pairs` to the effectiveness of each system: a matrix, pairs by
# systems.
pair_weights <- function(x, pairs) {
  found <- results_of_pairs(x$results, pairs)
  weight <- matrix(0, length(pairs), n_systems(x))
  weight[cbind(rep(seq_along(pairs), diff(found$offset)), x$results$system[found$at])] <- result_weight(x)[found$at]
  weight
}

# Combines several pools into one, with separate queries, systems, teams and labels, and common coefficients and
# variances.
join_pools <- function(pools) {
  if (length(pools) == 1) return(pools[[1]])
  columns <- unique(unlist(lapply(pools, function(p) colnames(p$x))))
  sizes <- function(field) vapply(pools, function(p) as.integer(p[[field]]), 1L)
  shift <- function(n) c(0L, cumsum(n)[-length(n)])
  shifted <- function(field, add) unlist(Map(function(p, d) ifelse(p[[field]] > 0, p[[field]] + d, 0L), pools, add))
  largest <- function(field) vapply(pools, function(p) max(p[[field]], 0L), 1L)
  results <- lapply(pools, `[[`, "results")
  counts <- unlist(lapply(results, function(r) diff(r$offset)))
  list(results = list(offset = c(0L, cumsum(counts)),
                      system = unlist(Map(function(r, d) r$system + d, results, shift(sizes("n_systems"))))),
       n_systems = sum(sizes("n_systems")), weight = unlist(lapply(pools, `[[`, "weight")),
       query = shifted("query", shift(sizes("n_queries"))), n_queries = sum(sizes("n_queries")),
       genre = shifted("genre", shift(largest("genre"))), artist = shifted("artist", shift(largest("artist"))),
       team = shifted("team", shift(sizes("n_teams"))), n_teams = sum(sizes("n_teams")),
       popularity = unlist(lapply(pools, `[[`, "popularity")),
       x = do.call(rbind, lapply(pools, function(p) {
         full <- matrix(0, nrow(p$x), length(columns), dimnames = list(NULL, columns))
         full[, colnames(p$x)] <- p$x
         full
       })))
}

# Custom features in the mean of joint gains. A model keeps the `features` as the user specified them (`source`) and,
# once it is fitted, the `names` of those that it uses.

# Values of the custom features that vary in the collection: one number per pair, standardised. Missing values are 0,
# the mean.
custom_feature_values <- function(x, features) {
  if (is.null(features)) return(list())
  values <- as.list(feature_columns(x, features$source))
  absent <- setdiff(features$names, names(values))
  check_that(!length(absent), "features", c(
    "The model's {.arg features} give no {cli::qty(length(absent))}column{?s} {.val {absent}} for this collection.",
    i = "The model was fitted with {cli::qty(length(absent))}{?it/them}."
  ), kind = "columns", columns = absent)
  if (!is.null(features$names)) values <- values[features$names]
  check_feature_values(values, n_pairs(x))
  values <- lapply(values, as.numeric)
  values <- values[vapply(values, varies, NA)]
  lapply(values, function(v) {
    v <- as.vector(scale(v))
    replace(v, is.na(v), 0)
  })
}

# Whether values differ by more than rounding error, in any unit.
varies <- function(v) {
  values <- v[!is.na(v)]
  length(values) > 1 && diff(range(values)) > 1e-10 * max(abs(values))
}

feature_columns <- function(x, source) {
  if (is.character(source)) return(named_columns(x, source))
  if (is.data.frame(source)) return(matched_columns(x, source))
  computed <- source(x)
  check_that(is.data.frame(computed) && nrow(computed) == n_pairs(x), "features",
             "The function {.arg features} must return a data frame with a row for each of the
               {format_count(n_pairs(x))} pairs of the pool, in the pool's order.")
  computed[setdiff(names(computed), c("query", "doc"))]
}

# The columns with the names `columns` in the collection's tables of documents, queries and systems.
named_columns <- function(x, columns) {
  tables <- x[c("documents", "queries", "systems")]
  values <- lapply(seq_along(columns), function(i) {
    where <- names(tables)[vapply(tables, function(table) columns[i] %in% names(table), NA)]
    if (length(where) != 1) {
      available <- setdiff(unlist(lapply(tables, names)), c("doc", "query", "system"))
      abort_judicious(c(
        if (length(where)) "{.arg features}: both {where[1]} and {where[2]} have a column {.val {columns[i]}}."
        else "{.arg features}: neither documents nor queries nor systems have a column {.val {columns[i]}}.",
        i = if (length(where)) "A function of the collection can tell them apart." else "Their columns are
          {.val {available}}.",
        i = if (!length(where)) "The built-in features of a formula are {.val {setdiff(joint_features, grade_slopes)}}."
      ), "columns", argument = "features", columns = columns[i])
    }
    switch(where,
      documents = metadata_columns(x$documents, columns[i], where, x$pool$doc),
      queries = metadata_columns(x$queries, columns[i], where, x$pool$query),
      systems = system_features(x, columns[i])
    )
  })
  unlist(values, recursive = FALSE)
}

# The columns of a table of the user, whose rows are matched to pairs by query and document, by document, or by query.
matched_columns <- function(x, table) {
  ids_given <- intersect(c("query", "doc"), names(table))
  check_that(length(ids_given), "features", "as a data frame needs a column {.val query}, {.val doc} or both.",
             kind = "columns", columns = c("query", "doc"))
  if (length(ids_given) == 2) return(pair_columns(pool_ids(x), table, "features"))
  table <- check_id_columns(table, ids_given, "features")
  refuse_repeated(table, ids_given, "features", "has {.val {first[[columns]]}} twice, the second time in row {i}.",
                  "duplicate_id")
  row_of_pair <- match(pool_ids(x)[[ids_given]], table[[ids_given]])
  lapply(as.list(table[setdiff(names(table), ids_given)]), `[`, row_of_pair)
}

check_feature_values <- function(values, n) {
  bad <- Find(function(name) {
    v <- values[[name]]
    !(is.numeric(v) || is.logical(v)) || length(v) != n || any(is.infinite(v))
  }, names(values))
  check_that(is.null(bad), "features", c(
    "{.arg features}: {.val {bad}} must be numbers, NA where they are unknown.",
    i = "A function of the collection can make numbers of text."
  ), kind = "columns", columns = bad)
  taken <- intersect(names(values), c("intercept", joint_features))
  check_that(!length(taken), "features", "{.arg features}: the name {.val {taken[1]}} is that of a built-in feature.",
             kind = "columns", columns = taken)
}

# Adds priors for features that the model lacks: those of gain_prior() for built-in features; slope 0 and standard
# deviation 1 for custom ones.
with_features <- function(model, names) {
  new <- setdiff(names, names(model$coefficient))
  slope <- stats::setNames(built_in_prior$coefficient[new], new)
  spread <- coefficient_sd(built_in_prior)[new]
  with_coefficients(model, replace(slope, is.na(slope), 0), replace(spread, is.na(spread), 1))
}

# Adds coefficients to a model, independent of its other coefficients.
with_coefficients <- function(model, mean, sd) {
  before <- model$coefficient_covariance
  model$coefficient <- c(model$coefficient, mean)
  model$coefficient_covariance <- structure(diag(c(rep(0, nrow(before)), sd^2), length(model$coefficient)),
                                            dimnames = list(names(model$coefficient), names(model$coefficient)))
  model$coefficient_covariance[rownames(before), colnames(before)] <- before
  model
}
