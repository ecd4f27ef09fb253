# Scores of systems per query and measure: the class that evaluate() returns.

new_scores <- function(values, measures, policy) {
  measure_labels <- vapply(measures, `[[`, "", "label")
  n <- length(measure_labels)
  shown <- function(v) {
    v <- as.vector(v)
    v[is.nan(v)] <- if (policy$undefined == "zero") 0 else NA
    v
  }
  # Strings are created when they are needed.
  scores <- list2DF(list(
    system = identifiers_cpp(rep(values$system, each = n), values$systems),
    query = identifiers_cpp(rep(values$query, each = n), values$query_ids),
    measure = identifiers_cpp(rep(seq_len(n), length(values$system)), measure_labels), value = shown(values$value)
  ))
  if (!is.null(values$upper)) {
    upper <- shown(values$upper)
    # If the measure is undefined under the other assumption, both bounds are the value itself.
    upper <- ifelse(is.na(upper), scores$value, upper)
    scores$lower <- pmin(scores$value, upper)
    scores$upper <- pmax(scores$value, upper)
  }
  if (!is.null(values$variance)) scores$variance <- as.vector(values$variance)
  structure(scores, class = c("judicious_scores", "data.frame"), measures = measures, policy = policy)
}

# Combines the values of a measure over queries. `weight`: the weights of the queries, NULL if they are equal.
total_value <- function(value, total, weight = NULL) {
  known <- !is.na(value)
  value <- value[known]
  if (total == "sum") return(sum(if (is.null(weight)) value else weight[known] * value))
  if (!length(value)) return(NA_real_)
  mean_of <- function(v) if (is.null(weight)) mean(v) else stats::weighted.mean(v, weight[known])
  if (total == "geometric") exp(mean_of(log(pmax(value, 1e-5)))) else mean_of(value)
}

# Adds a column with the weights of the queries, for means over queries, if the collection has weights.
weigh_scores <- function(scores, x, call = caller_env()) {
  if (!inherits(x, "judicious_collection") || !is_weighted(x)) return(scores)
  scores$weight <- x$queries$weight[match(scores$query, x$queries$query)]
  without <- unique(scores$query[is.na(scores$weight)])
  abort_unless(!length(without), c(
    "{length(without)} judged quer{?y/ies} {?is/are} not in the collection and {?has/have} no weight:
      {name_some(without)}.",
    i = "Leave {cli::qty(length(without))}{?its/their} judgments out."
  ), "weights", queries = without, call = call)
  scores
}

mean_scores <- function(scores) {
  measures <- attr(scores, "measures")
  total <- if (is.null(measures)) character() else named_totals(measures)
  measure <- id_codes(scores$measure)
  rows <- split(seq_len(nrow(scores)), (id_codes(scores$system)$code - 1L) * length(measure$id) + measure$code)
  first <- vapply(rows, `[`, 1L, 1)
  how <- ifelse(is.na(total[scores$measure[first]]), "mean", total[scores$measure[first]])
  collapse <- function(column) {
    unname(mapply(function(i, how) total_value(scores[[column]][i], how, scores$weight[i]), rows, how))
  }
  out <- data.frame(system = scores$system[first], query = "all", measure = scores$measure[first],
                    value = collapse("value"), row.names = NULL)
  for (column in intersect(c("lower", "upper"), names(scores))) out[[column]] <- collapse(column)
  if ("variance" %in% names(scores)) {
    # Gains of different queries are independent.
    weight <- scores$weight %||% rep(1, nrow(scores))
    out$variance <- unname(vapply(rows, function(i) {
      sum(weight[i]^2 * scores$variance[i]) / sum(weight[i][!is.na(scores$value[i])])^2
    }, 0))
    out$variance[how == "geometric"] <- NA
    sums <- how == "sum"
    out$variance[sums] <- vapply(rows[sums], function(i) sum(weight[i]^2 * scores$variance[i]), 0)
  }
  structure(out, class = c("judicious_scores", "data.frame"), measures = measures, policy = attr(scores, "policy"))
}

#' Print, convert and summarise the result of evaluate()
#'
#' Methods for the result of [evaluate()], a data frame with columns `system`, `query`, `measure` and `value`.
#'
#' @param x,object A `judicious_scores`, the result of [evaluate()].
#' @param n Number of rows to print.
#' @param measure The name of a measure, as in the column `measure`; can be omitted if there is only one.
#' @param row.names,optional,... As in the generics.
#' @return `as.matrix()`: a matrix of queries by systems for one measure, with NA if a system has no value.
#'   `summary()`: a data frame of means, with one row per system and one column per measure, the highest means of
#'   the first measure first. `as.data.frame()`: a plain data frame.
#' @examples
#' runs <- data.frame(system = c("A", "B"), query = "q1", doc = c("d1", "d2"), score = 1)
#' scores <- evaluate(runs, data.frame(query = "q1", doc = "d1", gain = 1), c("P@1", "RR"))
#' as.matrix(scores, measure = "RR")
#' summary(scores)
#' @name judicious_scores
NULL

#' @rdname judicious_scores
#' @export
print.judicious_scores <- function(x, n = 10, ...) {
  systems <- length(unique(x$system))
  queries <- setdiff(unique(x$query), "all")
  over <- if (length(queries)) paste0(", ", count_queries(length(queries)))
  cat("Scores of ", counted(systems, "system"), over, ", ", counted(length(unique(x$measure)), "measure"), "\n",
      sep = "")
  policy <- attr(x, "policy")
  if (!is.null(policy)) {
    cat("Policies: ", paste0(names(policy[1:4]), " = ", unlist(policy[1:4]), collapse = ", "),
        if (is.finite(policy$depth)) paste0(", depth = ", policy$depth), "\n", sep = "")
  }
  print(utils::head(as.data.frame(x), n), row.names = FALSE, digits = 4)
  if (nrow(x) > n) cat("... and ", format_count(nrow(x) - n), " more rows\n", sep = "")
  invisible(x)
}

#' @rdname judicious_scores
#' @export
as.data.frame.judicious_scores <- function(x, row.names = NULL, optional = FALSE, ...) plain_frame(x)

one_measure <- function(x, measure, call = caller_env()) {
  known <- unique(x$measure)
  if (is.null(measure)) {
    if (length(known) == 1) return(known)
    abort_argument("measure", c("must say which of the measures.", i = "There are {.val {known}}."), call = call)
  }
  check_choice(measure, known, "measure", call)
}

#' @rdname judicious_scores
#' @export
as.matrix.judicious_scores <- function(x, measure = NULL, ...) {
  measure <- one_measure(x, measure)
  x <- x[x$measure == measure, ]
  out <- value_matrix(x$query, x$system, x$value)
  names(dimnames(out)) <- c("query", "system")
  out
}

#' @rdname judicious_scores
#' @export
summary.judicious_scores <- function(object, ...) {
  check_that(nrow(object), "object", "There are no scores to summarise.")
  means <- if (identical(unique(object$query), "all")) object else mean_scores(object)
  by_system <- value_matrix(means$system, means$measure, means$value)
  best_first <- by_system[order(-by_system[, 1]), , drop = FALSE]
  data.frame(system = rownames(best_first), best_first, row.names = NULL, check.names = FALSE)
}

named_totals <- function(measures) {
  stats::setNames(vapply(measures, `[[`, "", "total"), vapply(measures, `[[`, "", "label"))
}

#' Compare systems query by query
#'
#' Computes the difference in effectiveness between two systems for every query. Without `a` and `b`, it summarises the
#' differences of all pairs of systems. Use it to find the queries on which systems differ. [compare_systems()] tests
#' whether differences are significant.
#'
#' @param scores Effectiveness per query, by [evaluate()].
#' @param a,b Names of two systems, or NULL for all pairs.
#' @param measure The name of a measure, as in the column `measure`; can be omitted if there is only one.
#' @param x,object The result of `score_differences()`, or for `plot()` also that of [evaluate()].
#' @param ... Not used.
#' @return For two systems: a data frame of class `judicious_differences` with one row per query for which both have a
#'   value: `query`, `a`, `b` and `difference` (a - b), largest difference first. For all pairs: a data frame of class
#'   `judicious_pairwise` with one row per ordered pair of systems, best systems first: `system_a`, `system_b`,
#'   `difference` (mean of a - b over the queries for which both have a value, weighted if queries have weights), and
#'   `wins`, `ties` and `losses` (numbers of queries on which a is higher, equal and lower). `autoplot()`: a ggplot2
#'   object. `plot()`: the ggplot2 object, invisibly. It shows the differences of two systems as bars, all pairs as a
#'   heatmap, and the result of [evaluate()] as a distribution per system.
#' @examples
#' set.seed(1)
#' judgments <- expand.grid(doc = paste0("d", 1:9), query = paste0("q", 1:6))
#' judgments$gain <- rbinom(54, 2, .3)
#' runs <- merge(judgments[c("doc", "query")], data.frame(system = c("A", "B", "C")))
#' runs$score <- rnorm(nrow(runs))
#' scores <- evaluate(runs, judgments, "nDCG@5")
#' score_differences(scores, "A", "B")
#' score_differences(scores)
#' if (requireNamespace("ggplot2", quietly = TRUE)) plot(score_differences(scores))
#' @export
score_differences <- function(scores, a = NULL, b = NULL, measure = NULL) {
  check_class(scores, "judicious_scores", "scores", "evaluate")
  if (is.null(a) && is.null(b)) return(pairwise_differences(scores, one_measure(scores, measure)))
  check_string(a, "a")
  check_string(b, "b")
  values <- as.matrix(scores, measure = one_measure(scores, measure))
  for (system in c(a, b)) {
    abort_unless(system %in% colnames(values), c(
      "There is no system {.val {system}} in {.arg scores}.",
      i = "There are {name_some(colnames(values), 10)}."
    ), "unknown_system", systems = system)
  }
  out <- data.frame(query = rownames(values), a = values[, a], b = values[, b])
  out <- out[!is.na(out$a) & !is.na(out$b), ]
  out$difference <- out$a - out$b
  out <- out[order(-out$difference), ]
  structure(without_row_names(out), class = c("judicious_differences", "data.frame"), systems = c(a, b),
            measure = one_measure(scores, measure))
}

pairwise_differences <- function(scores, measure, call = caller_env()) {
  values <- as.matrix(scores, measure = measure)
  weight <- scores$weight[match(rownames(values), scores$query)]
  mean_of <- function(v) total_value(v, "mean", weight)
  values <- values[, order(-apply(values, 2, mean_of)), drop = FALSE]
  n <- ncol(values)
  check_that(n >= 2, "scores", "must have two systems or more.", call = call)
  pairs <- expand.grid(b = seq_len(n), a = seq_len(n))
  pairs <- pairs[pairs$a != pairs$b, ]
  count <- function(what) mapply(function(a, b) what(values[, a] - values[, b]), pairs$a, pairs$b)
  out <- data.frame(
    system_a = colnames(values)[pairs$a], system_b = colnames(values)[pairs$b],
    difference = count(mean_of), wins = count(function(d) sum(d > 0, na.rm = TRUE)),
    ties = count(function(d) sum(d == 0, na.rm = TRUE)), losses = count(function(d) sum(d < 0, na.rm = TRUE))
  )
  structure(out, class = c("judicious_pairwise", "data.frame"), measure = measure, systems = colnames(values),
            queries = nrow(values))
}
