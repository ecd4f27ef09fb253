#' Evaluate lists and runs against partially ordered lists
#'
#' Computes average dynamic recall (ADR; Typke et al. 2006; Urbano et al. 2011, equations 5 and 6) of lists or runs
#' compared with a true list in which the order within groups does not matter. At rank i, the allowed documents are
#' those of the true list up to the end of the group that contains rank i. ADR@k is the mean over the ranks i = 1, ...,
#' k of a_i / i, with a_i the number of allowed documents among the first i retrieved.
#'
#' For lists with groups (Urbano et al. 2010, section 5.4), the function computes the mean over all permutations within
#' the groups, and the lowest and highest value, exactly. The paper drew random sets, as `permutations = 1000` does.
#'
#' @param results The lists or runs to evaluate: an [ordered_list()], or a data frame of runs with columns `system`,
#'   `query`, `doc` and `rank` (lower ranks come first).
#' @param truth The true list: an [ordered_list()]. The ADR of a query without results is 0. Other queries of `results`
#'   are left out with a message.
#' @param k Number of ranks to evaluate; by default the length of the query's true list. At later ranks, all documents
#'   of that list are allowed.
#' @param permutations Number of random sets of lists to draw, by permuting within the groups of `results`. Not used for
#'   runs.
#' @param seed Seed of the permutations; NULL uses R's random number generator.
#' @return A `judicious_list_adr`: a data frame with one row per query (for runs: per system and query): `query`, for
#'   runs `system`, `adr` (the mean over permutations), `lowest`, `highest`, `k`, `retrieved` (the number of results)
#'   and `known` (how many of these are in the true list). The attribute `"sets"` has the mean ADR of each random set.
#'
#'   `summary()`: the means of `adr`, `lowest` and `highest` over queries, and with `permutations` the mean and range
#'   of the sets. With `against`, also `p_value`, of a one-tailed signed-rank test of whether the ADR is lower than in
#'   `against`, and `stars` (.05, .01), as in Table 8 of Urbano et al. (2010).
#' @references Typke et al. (2006). A measure for evaluating retrieval techniques based on partially ordered ground
#'   truth lists. IEEE International Conference on Multimedia and Expo, 1793-1796.
#'
#'   Urbano et al. (2010, 2011): see [preference_decisions()], [power_analysis()].
#' @examples
#' truth <- ordered_list(list(c("A", "B", "C"), c("D", "E")))
#' # (A, B), (D, E, C) read as A, B, D, E, C scores .933; in the best order of its groups, 1:
#' average_dynamic_recall(ordered_list(list("A", "B", "D", "E", "C")), truth)
#' average_dynamic_recall(ordered_list(list(c("A", "B"), c("D", "E", "C"))), truth)
#' @order 1
#' @export
average_dynamic_recall <- function(results, truth, k = NULL, permutations = 0, seed = NULL) {
  check_class(truth, "judicious_ordered_list", "truth", "ordered_list")
  if (!is.null(k)) check_count(k, "k")
  check_count(permutations, "permutations", min = 0)
  runs <- !inherits(results, "judicious_ordered_list")
  if (runs) results <- check_list_runs(results)
  systems <- if (runs) unique(results$system) else NA_character_
  queries <- unique(truth$query)
  check_common_queries(unique(results$query), queries)
  ideal <- split(truth, factor(truth$query, levels = queries))
  rows <- lapply(systems, function(system) {
    system_results <- if (runs) results[results$system == system, , drop = FALSE] else results
    found <- split(system_results, factor(system_results$query, levels = queries))
    Map(function(truth, result, query) {
      gains <- list(ideal = truth$group, group = truth$group[match(result$doc, truth$doc)], block = result$group,
                 k = k %||% nrow(truth))
      list(at = gains, row = data.frame(system = system, query = query, as.list(recall_of(gains)), k = gains$k,
                                        retrieved = nrow(result), known = sum(!is.na(gains$group))))
    }, ideal, found, queries)
  })
  out <- bind_tables(do.call(c, rows), "row")
  names(out)[names(out) == "expected"] <- "adr"
  if (!runs) out$system <- NULL
  permuted_adr <- function(ranked) {
    permutation <- order(ranked$block, runif(length(ranked$block)))
    ranked[c("group", "block")] <- list(ranked$group[permutation], seq_along(permutation))
    recall_of(ranked)[["expected"]]
  }
  sets <- if (permutations > 0 && !runs) with_seed(seed,
    replicate(permutations, mean(vapply(rows[[1]], function(r) permuted_adr(r$at), 0))))
  structure(out, sets = sets, class = c("judicious_list_adr", "data.frame"))
}

recall_of <- function(ranked) {
  group <- ranked$group
  group[is.na(group)] <- 0L
  adr_cpp(ranked$ideal, group, ranked$block, ranked$k)
}

check_list_runs <- function(results) {
  results <- check_columns(results, c("system", "query", "doc", "rank"), "results")
  ids <- c("system", "query", "doc")
  out <- data.frame(check_id_columns(results[ids], ids, "results"), rank = results$rank, row.names = NULL)
  check_numeric_column(out, "rank", "results", missing = FALSE)
  for (column in c("doc", "rank")) {
    refuse_repeated(out, c("system", "query", column), "results", "System {.val {first$system}} has the {columns[3]}
      {.val {first[[columns[3]]]}} for query {.val {first$query}} twice (row {i} of {.arg {arg}}).")
  }
  out <- out[order(match(out$system, unique(out$system)), match(out$query, unique(out$query)), out$rank), ]
  cbind(out, group = as.integer(ave(out$rank, combination_code(out$system, out$query), FUN = seq_along)))
}

#' @rdname average_dynamic_recall
#' @param object A `judicious_list_adr`.
#' @param against NULL, or the ADR of the same results against other true lists of the same queries.
#' @param ... Not used.
#' @order 2
#' @export
summary.judicious_list_adr <- function(object, against = NULL, ...) {
  values <- as.data.frame(object)
  system_name <- values$system %||% rep("", nrow(values))
  out <- do.call(rbind, lapply(unique(system_name), function(one) {
    scores <- values[system_name == one, ]
    data.frame(system = one, queries = nrow(scores), as.list(colMeans(scores[c("adr", "lowest", "highest")])))
  }))
  if (!is.null(against)) out <- cbind(out, compare_adr(values, against))
  if (is.null(values$system)) out$system <- NULL
  sets <- attr(object, "sets")
  if (!is.null(sets)) out <- cbind(out, sets_mean = mean(sets), sets_lowest = min(sets), sets_highest = max(sets))
  out
}

# For each system, the p-value of a one-tailed signed-rank test of whether its ADR over the queries is lower in `data`
# than in `against`, and the stars of significance.
compare_adr <- function(data, against) {
  check_class(against, "judicious_list_adr", "against", "average_dynamic_recall")
  key <- function(adr) text_key(adr$system %||% rep("", nrow(adr)), adr$query)
  matching_row <- match(key(data), key(against))
  check_that(!anyNA(matching_row) && nrow(against) == nrow(data), "against",
             "must have the systems and queries of {.arg object}.")
  test <- significance_test("wilcoxon", "greater", adjust = "none")
  system_name <- data$system %||% rep("", nrow(data))
  p <- vapply(split(seq_along(matching_row), factor(system_name, unique(system_name))), function(rows) {
    compare_systems(cbind(against = against$adr[matching_row[rows]], object = data$adr[rows]), test)$pairs$p_value
  }, 0)
  data.frame(p_value = unname(p), stars = ifelse(p <= 0.01, "**", ifelse(p <= 0.05, "*", "")))
}

#' @export
print.judicious_list_adr <- function(x, ...) {
  cat("Average dynamic recall, means over queries\n")
  print_table(summary(x), row.names = FALSE, digits = 3)
  invisible(x)
}

check_common_queries <- function(result_queries, true_queries) {
  check_that(any(result_queries %in% true_queries), "results", "No query of {.arg results} is in {.arg truth}.",
             kind = "no_common_query")
  unknown <- setdiff(result_queries, true_queries)
  if (length(unknown)) inform_judicious(c(
    "{format_count(length(unknown))} {cli::qty(length(unknown))}quer{?y/ies} of {.arg results} {?is/are} left out.",
    x = "They are not in {.arg truth}: {name_some(unknown)}."), "unjudged_query", n = length(unknown))
}
