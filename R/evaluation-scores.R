# Scores of systems by query and measure: the class of the results of evaluate().

new_scores <- function(values, measures, policy) {
  measure_labels <- vapply(measures, `[[`, "", "label")
  n <- length(measure_labels)
  shown <- function(v) {
    v <- as.vector(v)
    v[is.nan(v)] <- if (policy$undefined == "zero") 0 else NA
    v
  }
  scores <- list2DF(list(
    system = rep(values$systems[values$system], each = n), query = rep(values$query_ids[values$query], each = n),
    measure = rep(measure_labels, length(values$system)), value = shown(values$value)))
  if (!is.null(values$upper)) {
    upper <- shown(values$upper)
    # Where the measure is undefined if unjudged documents count as relevant, both bounds equal the value.
    upper <- ifelse(is.na(upper), scores$value, upper)
    scores$lower <- pmin(scores$value, upper)
    scores$upper <- pmax(scores$value, upper)
  }
  if (isTRUE(values$left_out > 0)) policy$left_out <- as.integer(values$left_out)
  structure(scores, class = c("judicious_scores", "data.frame"), measures = measures, policy = policy)
}

# Combines the values of a measure over queries. `weight`: the weights of the queries, NULL if they are equal.
total_value <- function(value, total, weight = NULL) {
  is_defined <- !is.na(value)
  value <- value[is_defined]
  if (total == "sum") return(sum(if (is.null(weight)) value else weight[is_defined] * value))
  if (!length(value)) return(NA_real_)
  mean_of <- function(v) if (is.null(weight)) mean(v) else stats::weighted.mean(v, weight[is_defined])
  if (total == "geometric") exp(mean_of(log(pmax(value, 1e-5)))) else mean_of(value)
}

# Adds the weights of the queries, if the collection has weights, because means over queries need them.
weigh_scores <- function(scores, x) {
  if (!inherits(x, "judicious_collection") || !is_weighted(x)) return(scores)
  scores$weight <- x$queries$weight[match(scores$query, x$queries$query)]
  no_weight <- unique(scores$query[is.na(scores$weight)])
  abort_unless(!length(no_weight), c(
    "{length(no_weight)} judged quer{?y/ies} {?is/are} not in the collection and {?has/have} no weight:
      {name_some(no_weight)}.",
    i = "Leave {cli::qty(length(no_weight))}{?its/their} judgments out."), "weights", queries = no_weight)
  scores
}

mean_scores <- function(scores) {
  measures <- attr(scores, "measures")
  total <- if (is.null(measures)) character() else named_totals(measures)
  measure <- id_codes(scores$measure)
  rows <- split(seq_len(nrow(scores)), (id_codes(scores$system)$code - 1L) * length(measure$id) + measure$code)
  first <- vapply(rows, `[`, 1L, 1)
  aggregation <- ifelse(is.na(total[scores$measure[first]]), "mean", total[scores$measure[first]])
  collapse <- function(column) {
    unname(mapply(function(i, by) total_value(scores[[column]][i], by, scores$weight[i]), rows, aggregation))
  }
  out <- data.frame(system = scores$system[first], query = "all", measure = scores$measure[first],
                    value = collapse("value"), row.names = NULL)
  for (column in intersect(c("lower", "upper"), names(scores))) out[[column]] <- collapse(column)
  structure(out, class = c("judicious_scores", "data.frame"), measures = measures, policy = attr(scores, "policy"))
}

#' Print, convert and summarise the result of evaluate()
#'
#' Methods for the result of [evaluate()].
#'
#' @param x,object A `judicious_scores`, the result of [evaluate()].
#' @param n Number of rows to print.
#' @param measure The name of a measure, as in the column `measure`; can be omitted if there is only one.
#' @param ... As in the generics.
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
  if (!is.null(policy))
    cat("Policies: ", paste0(names(policy[1:4]), " = ", unlist(policy[1:4]), collapse = ", "),
        if (is.finite(policy$depth)) paste0(", depth = ", policy$depth), "\n", sep = "")
  if (isTRUE(policy$left_out > 0)) cat(left_out_text(policy$left_out), "\n", sep = "")
  print_rows(as.data.frame(x), n, digits = 4)
  invisible(x)
}

# States how many queries evaluate() leaves out because they have no judgments. rank_systems() does not leave them out,
# but predicts their gains.
left_out_text <- function(n) {
  paste(count_queries(n), "of the runs", if (n == 1) "has no judgment and is" else "have no judgment and are",
        "left out")
}

#' @rdname judicious_scores
#' @usage NULL
#' @export
as.data.frame.judicious_scores <- function(x, row.names = NULL, optional = FALSE, ...) plain_frame(x)

one_measure <- function(x, measure) {
  measures <- unique(x$measure)
  if (is.null(measure)) {
    if (length(measures) == 1) return(measures)
    abort_argument("measure", c("must say which of the measures.", i = "There are {.val {measures}}."))
  }
  check_choice(measure, measures, "measure")
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
