# Decomposes the uncertainty of a ranking by its sources. The error of an estimate is g'y for the gains y: g is the
# weight of each gain in the effectiveness minus its weight in the estimate. In the joint model, y is a sum of
# independent effects, so the variance of the error is the sum of the contributions of each effect to g'y.

#' Explain the uncertainty of a ranking
#'
#' Divides the variance of a system's estimate, or of the difference between two systems, among its sources. Use it to
#' see what would make a ranking more certain.
#'
#' @param ranking A ranking by [rank_systems()] with joint gains, or a session or a collection to rank.
#' @param systems One system, or two whose difference is explained. NULL: the two that are ranked best.
#' @param by `"source"`, or `"query"`: the sum, for each query, of the sources that are independent from query to query.
#' @return A data frame of class `judicious_uncertainty` with `source` or `query`, `variance`, and `share` of the stated
#'   variance, largest first. Sources that do not contribute are left out:
#'   - `unjudged documents`: what is particular to each of them;
#'   - `judged documents`: the same for judged ones, which obscures the other effects in their gains;
#'   - `queries`: the effects of queries, also of their popularity slope, genres and artists;
#'   - `systems and teams`: their effects, over all queries and on each;
#'   - `coefficients`: the intercept and the slopes of the features, grades included;
#'   - `selection`: whether selected documents differ from others (`selected` in [gain_prior()]);
#'   - `assessors`: the errors of judgments, if the ranking refers to the consensus or to another assessor; and that the
#'     judgments may be noise;
#'   - `levels and draws`: for measures that need draws, what a weighted sum over ranks does not explain;
#'   - `new queries`: the variance between queries, with `scope = "new"`;
#'   - with `by = "query"`, `all queries`: the sources that are common to them.
#' @examples
#' x <- simulate_collection(queries = 10, documents = 200, artists = 30, systems = 5, seed = 1)
#' ranking <- rank_systems(x, judgments = judgments_of(x)[seq(1, 160, by = 4), ])
#' uncertainty(ranking)
#' uncertainty(ranking, "S01", by = "query")
#' @export
uncertainty <- function(ranking, systems = NULL, by = c("source", "query")) {
  ranking <- as_ranking(ranking)
  part_by <- check_choice(by, c("source", "query"), "by")
  check_that(!is.null(ranking$gains), "ranking", c("must be based on joint gains to explain its uncertainty.",
                                                   i = "Independent gains have a single source: unjudged documents.",
                                                   i = "Leave {.arg gains} out of {.fn rank_systems} for joint gains."))
  explained <- explained_systems(ranking, systems)
  stated <- if (length(explained) == 1) system_variance(ranking)[[explained]] else
    compare_pairs(ranking, among = explained)$variance
  parts <- variance_contributions(ranking, explained)
  if (stated <= 0) parts$variance <- 0 * parts$variance
  remaining <- stated - sum(parts$variance)
  new <- ranking$basis$scope == "new"
  by_draws <- !is_sum(ranking$collection)
  if (new || by_draws || ranking$gains$doubt > 0) {
    unexplained <- paste(c(if (new) "new queries", if (by_draws) "levels and draws",
                           if (ranking$gains$doubt > 0) "assessors"), collapse = ", ")
    parts <- rbind(parts, data.frame(source = unexplained, query = NA, variance = remaining))
  }
  part <- if (part_by == "source") parts$source else
    ifelse(is.na(parts$query), "all queries", ranking$collection$queries$query[parts$query])
  by_part <- tapply(parts$variance, factor(part, unique(part)), sum)
  shares <- data.frame(name = names(by_part), variance = as.vector(by_part), share = as.vector(by_part) / stated,
                       stringsAsFactors = FALSE)
  shares <- shares[shares$variance != 0, ]
  shares <- shares[order(-shares$variance), ]
  names(shares)[1] <- part_by
  structure(without_row_names(shares), class = c("judicious_uncertainty", "data.frame"), sd = sqrt(stated),
            span = ranking$collection$scoring$span,
            systems = ranking$collection$systems$system[explained])
}

explained_systems <- function(ranking, systems) {
  all_ids <- ranking$collection$systems$system
  if (is.null(systems)) return(utils::head(systems_best_first(ranking), 2))
  explained <- match(systems, all_ids)
  abort_unless(!anyNA(explained), c(
    "{.arg systems} {.val {systems[is.na(explained)][1]}} is not in the collection.", i = "It has {name_some(all_ids)}."
  ), "unknown_systems", argument = "systems")
  check_that(length(explained) %in% 1:2 && !anyDuplicated(explained), "systems",
             "must be the name of one system, or of two different ones, not {length(explained)} name{?s}.")
  explained
}

# The contributions to the variance of the error: a data frame of `source`, `query` (NA if the contribution is common to
# all queries) and `variance`.
variance_contributions <- function(ranking, explained) {
  gains <- ranking$gains
  x <- ranking$collection
  if (!is_sum(x) && is.null(gains$approximation)) gains <- approximate_measure(with_new_cache(gains))
  weight <- weight_in_difference(gains$pool, explained)
  pair_effects <- effects_of_pairs(gains$pool, gains$parameters)
  judged <- gains$sequence
  noise <- gains$noise[judged] %||% numeric(length(judged))
  judged_effects <- lapply(pair_effects, function(effect) {
    place <- match(effect$pair, judged)
    used <- !is.na(place)
    list(pair = place[used], unit = match(effect$unit[used], unique(effect$unit[used])),
         loading = effect$loading[used], variance = effect$variance)
  })
  covariance_with <- effect_product(pair_effects, weight)[judged]
  covariance_product <- function(v) effect_product(judged_effects, v) + noise * v
  weight_in_estimate <- solve_by_conjugate_gradients(covariance_product, covariance_with)
  error_weight <- replace(weight, judged, weight[judged] - weight_in_estimate)
  parts <- lapply(names(pair_effects), function(name) {
    effect <- pair_effects[[name]]
    first <- !duplicated(effect$unit)
    # The contribution of each unit of the effect, such as a query or a system.
    part <- data.frame(pair = effect$pair[first], query = effect$query[first],
                       variance = effect$variance * unit_sums(effect, error_weight)[effect$unit[first]]^2)
    origin <- rep(effect_source(name), nrow(part))
    if (name == "residual") origin[part$pair %in% judged] <- "judged documents"
    if (name %in% names(gains$unchecked)) part$variance <- part$variance * gains$unchecked[[name]]
    data.frame(source = origin, part[c("query", "variance")])
  })
  parts <- c(parts, list(data.frame(source = rep("assessors", length(judged)), query = gains$pool$query[judged],
                                    variance = noise * weight_in_estimate^2)))
  parts <- do.call(rbind, parts)
  # For a nonlinear measure, the contributions are those to its linear approximation; they are scaled to the variance of
  # the draws.
  scaling <- if (is.null(gains$approximation)) diff(gain_range(x))^2 else
    as.matrix(gains$approximation$factor)[explained[1], explained[length(explained)]]
  parts$variance <- parts$variance * scaling * (1 - gains$doubt)
  rbind(parts, assessor_error_variance(ranking, explained))
}

# The variance from errors of assessors that the gains do not include.
assessor_error_variance <- function(ranking, explained) {
  root <- ranking$error_root
  if (is.null(root)) return(NULL)
  difference <- root[, explained[1]] - if (length(explained) == 2) root[, explained[2]] else 0
  data.frame(source = "assessors", query = NA, variance = sum(difference^2))
}

weight_in_difference <- function(pool, explained) {
  of_system <- function(one) pool$results$system == one
  of_result <- of_system(explained[1]) - if (length(explained) == 2) of_system(explained[2]) else 0
  used <- which(of_result != 0)
  pair <- rep(seq_along(pool$query), diff(pool$results$offset))[used]
  sum_by_code(of_result[used] * rep_len(pool$weight, length(of_result))[used], pair, length(pool$query))
}

effect_source <- function(name) {
  if (name == "residual") return("unjudged documents")
  if (name %in% system_terms) return("systems and teams")
  if (name %in% joint_terms) return("queries")
  if (name == "selected") "selection" else "coefficients"
}

# A gain is a sum of effects: a list of these, named by term or feature. In each, the gain of `pair` includes the effect
# of `unit` times `loading`. All units have the same `variance`; `query` is that of each unit, NA if units are common to
# all queries.
effects_of_pairs <- function(pool, parameters) {
  n <- length(pool$query)
  count <- diff(pool$results$offset)
  pair <- rep(seq_len(n), count)
  of_system <- pool$results$system
  of_team <- pool$team[of_system]
  size <- parameters$scale
  tilted <- size * pool$popularity
  of_pairs <- function(label, size) list(pair = which(label > 0), unit = label[label > 0], loading = size[label > 0])
  of_results <- function(label, size) list(pair = pair, unit = label, loading = (size / sqrt(count))[pair])
  each_query <- function(effect) {
    effect$query <- pool$query[effect$pair]
    effect$unit <- effect$query + pool$n_queries * (effect$unit - 1)
    effect
  }
  same <- rep(1L, n)
  pair_effects <- list(
    residual = c(of_pairs(seq_len(n), parameters$residual_scale), list(query = pool$query)),
    query = each_query(of_pairs(same, size)), "query:popularity" = each_query(of_pairs(same, tilted)),
    "query:genre" = each_query(of_pairs(pool$genre, size)), "query:artist" = each_query(of_pairs(pool$artist, size)),
    "query:system" = each_query(of_results(of_system, size)), "query:team" = each_query(of_results(of_team, size)),
    system = of_results(of_system, size), team = of_results(of_team, size),
    "system:popularity" = of_results(of_system, tilted), "team:popularity" = of_results(of_team, tilted)
  )
  slopes <- lapply(colnames(pool$x), function(name) of_pairs(same, parameters$slope * pool$x[, name]))
  pair_effects <- c(pair_effects, stats::setNames(slopes, colnames(pool$x)))
  variance <- c(parameters$variance[joint_terms], parameters$coefficient_variance)
  pair_effects <- Map(function(effect, variance) {
    effect$unit <- match(effect$unit, unique(effect$unit))
    effect$query <- effect$query %||% rep(NA_integer_, length(effect$pair))
    c(effect, list(variance = variance))
  }, pair_effects[c(joint_terms, colnames(pool$x))], variance)
  pair_effects[variance > 0]
}

# For each unit of an effect, the sum over its pairs of the loading times `v`.
unit_sums <- function(effect, v) as.vector(rowsum(effect$loading * v[effect$pair], effect$unit))

# The product of the covariance of the gains and `v`.
effect_product <- function(effects, v) {
  out <- numeric(length(v))
  for (effect in effects) {
    if (!length(effect$pair)) next
    value <- effect$variance * effect$loading * unit_sums(effect, v)[effect$unit]
    out <- out + sum_by_code(value, effect$pair, length(v))
  }
  out
}

# Solves A x = b by conjugate gradients. `product(v)` returns A v; A is positive definite.
solve_by_conjugate_gradients <- function(product, b, max_iterations = 10 * length(b) + 100) {
  x <- numeric(length(b))
  residual <- direction <- b
  size <- sum(residual^2)
  enough <- 1e-24 * size
  for (iteration in seq_len(max_iterations)) {
    if (size <= enough) break
    image <- product(direction)
    distance <- size / sum(direction * image)
    x <- x + distance * direction
    residual <- residual - distance * image
    old_size <- size
    size <- sum(residual^2)
    direction <- residual + size / old_size * direction
  }
  x
}

#' @export
print.judicious_uncertainty <- function(x, n = 10, ...) {
  systems <- attr(x, "systems")
  if (!all(c("variance", "share") %in% names(x)) || is.null(systems)) {
    print_rows(as.data.frame(x), n)
    return(invisible(x))
  }
  cat("Uncertainty of ", if (length(systems) == 2) "the difference between ", paste(systems, collapse = " and "),
      ": standard deviation ", score_text(attr(x, "sd"), attr(x, "span")), "\n", sep = "")
  print_rows(data.frame(as.data.frame(x)[1], variance = signif(x$variance, 3), share = percent(x$share)), n)
  invisible(x)
}
