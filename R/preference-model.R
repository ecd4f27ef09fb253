#' Fit a Bradley-Terry model with ties
#'
#' Estimates a strength for every document of a query from the answers to all its comparisons, or for every system from
#' votes on all queries. For documents, use it if the pairs were not selected by [preference_session()]; for systems,
#' to rank them by votes, such as those of an arena or of language models that judge pairs of answers.
#'
#' @details
#' With u the difference in strength between A and B, the model is P(A) : P(equal) : P(B) = exp(u/2) : nu : exp(-u/2)
#' (Davidson 1970).
#'
#' The strength of a document that was always preferred is infinite. Therefore, `prior` answers are added per document
#' or system, in comparison with an average one: ties in the observed share, and otherwise half wins and half losses.
#' Strengths are relative to the mean.
#'
#' Standard errors of documents take all answers as independent. To rank systems by preferences between documents, pass
#' the fit as `grades` to [rank_systems()] or [judging_session()].
#' @section Votes between systems: `answers` has a row per vote, with columns `system_a`, `system_b`, `answer`, and, if
#'   known, `query` and `worker` (the judge). Other names, such as `model_1`, `winner`, `preference` and `annotator_id`,
#'   are understood, too, and so are votes such as `"tie"`, `"both_bad"`, `"Model A"`, `"left"`, `"A>>B"`, columns such
#'   as `winner_model_a`, and the name of the system that won; where the systems are numbered, 1, 2 and 1.5 for a tie.
#'
#'   All queries have the same strengths. Standard errors are clustered by query (a sandwich estimator, multiplied by G
#'   / (G - 1) with G queries, to which 3 / G of the model's variance is added, because few queries may agree by
#'   chance); votes without a query, or of a single one, are taken as independent. Repeated votes of a judge all count;
#'   a message gives their number. A covariate z adds beta z to u. It is the value of system A minus that of B, such as
#'   the difference in length; a constant 1 allows for A being shown first. With `reliability`, judge j's u is r_j times
#'   the difference in strength, plus covariates. r_j is normal with mean 1 (0 for who answers at random, negative for
#'   who prefers the worse) and integrated out on a grid from -1 to 3; its variance is learned. Such a fit needs several
#'   votes per judge, and takes about 12 seconds for 50,000 votes on ten systems.
#'
#' @param answers Answers as in [preference_decisions()], or a session, by [preference_session()], or votes between
#'   systems.
#' @param prior Weight of the prior, as a number of answers per document or system. 0 is maximum likelihood, which
#'   raises an error if a strength is infinite.
#' @param covariates For votes between systems: names of numeric columns of `answers`.
#' @param reliability For votes between systems: whether the reliability of judges is estimated.
#' @param x A fit of `bradley_terry()`.
#' @param confidence A number from .5 to 1: documents differ if one is stronger with at least this probability.
#' @param rule The documents of the current group from which a document, going down the list, must differ to start a new
#'   one: `"any"` of them, `"all"`, or the `"previous"` one.
#' @param ... Not used.
#' @return For documents, a `judicious_bradley_terry`: a list with `strengths` (a data frame with columns `query`,
#'   `doc`, `strength` and `se`, sorted by query and decreasing strength), `covariance` (per query, a matrix named by
#'   document), `queries` (a data frame with `tie`, which is log nu; `loglik`, which includes the prior; and
#'   `answers`) and `prior`.
#'
#'   `ordered_list()` of the fit has the further columns `strength` and `confidence`: the smallest probability that a
#'   document of the previous group is stronger than a document of this group (NA in the first group).
#'
#'   For systems, a ranking as by [rank_systems()], whose estimates are the strengths: `print()` states [rank
#'   sets][rank_sets], and `as.data.frame()`, [system_differences()], [rank_probabilities()], [ranking_confidence()],
#'   `plot()` and `tidy()` apply. Its element `votes` is a list with `covariates` (`covariate`, `estimate` and `sd`),
#'   `judges` (`judge`, `votes`, `reliability` and its `sd`), the `spread` (variance) of their reliability, `tie`,
#'   `loglik`, `prior` and the numbers of `votes` and `clusters`.
#' @references Davidson (1970). On extending the Bradley-Terry model to accommodate ties in paired comparison
#'   experiments. JASA 65, 317-328.
#' @examples
#' crowd <- simulate_crowd(list(q = c(x = 2, y = 0, z = -1)), workers = 12, seed = 1)
#' s <- run_session(preference_session(list(q = c("x", "y", "z")), seed = 1), crowd)
#' fit <- bradley_terry(s)
#' fit
#' ordered_list(fit, confidence = 0.9)
#'
#' # Votes between systems
#' votes <- data.frame(query = rep(1:8, each = 3), system_a = c("A", "B", "C"),
#'                     system_b = c("B", "C", "A"),
#'                     answer = rep(c("a", "a", "tie", "b", "b", "a"), 4))
#' bradley_terry(votes)
#' @export
bradley_terry <- function(answers, prior = 1, covariates = NULL, reliability = FALSE) {
  check_number(prior, "prior", min = 0, max = 1e6)
  check_flag(reliability, "reliability")
  if (is_source(answers)) answers <- table_from_source(answers, "answers")
  if (is_votes(answers)) return(rank_by_votes(answers, prior, covariates, reliability))
  check_that(is.null(covariates) && !reliability, if (reliability) "reliability" else "covariates",
             "is of votes between systems: {.arg answers} has no columns {.val system_a} and {.val system_b}.")
  check_that(!is.data.frame(answers) || any(c("doc_a", "query") %in% names(answers)), "answers", c(
    "must have the columns {.val system_a}, {.val system_b} and {.val answer}, a vote in a row, or those of answers
      about documents, {.val query}, {.val doc_a}, {.val doc_b}, {.val worker} and {.val answer}.",
    i = "Its columns are {.val {names(answers)}}."), kind = "columns")
  pairs <- tally_answers(valid_answers(answers, swapped = TRUE))
  pairs <- pairs[pairs$n_a + pairs$n_equal + pairs$n_b > 0, , drop = FALSE]
  check_that(nrow(pairs) != 0, "answers", "holds no answer.", kind = "answers")
  queries <- unique(pairs$query)
  undecided <- setdiff(queries, pairs$query[pairs$n_a + pairs$n_b > 0])
  if (length(undecided)) warn_of_ties(paste("Every answer to a pair is a tie for", name_some(undecided)))
  fits <- warn_once(lapply(queries, function(query) {
    query_pairs <- pairs[pairs$query == query, , drop = FALSE]
    docs <- unique(c(query_pairs$doc_a, query_pairs$doc_b))
    warn_of_separate_groups(query_pairs, docs, "document", "answer", query)
    fit_query(query_pairs, docs, prior, query)
  }))
  strengths <- without_row_names(do.call(rbind, Map(function(fit, query) {
    data.frame(query = query, doc = names(fit$strength), strength = fit$strength,
               se = sqrt(diag(fit$covariance)))[order(-fit$strength), ]
  }, fits, queries)))
  structure(list(
    strengths = strengths, covariance = stats::setNames(lapply(fits, `[[`, "covariance"), queries),
    queries = data.frame(query = queries, tie = vapply(fits, `[[`, 0, "tie"), loglik = vapply(fits, `[[`, 0, "loglik"),
                         answers = vapply(fits, `[[`, 0, "answers"), row.names = NULL),
    prior = prior), class = "judicious_bradley_terry")
}

# Checked answers, from a data frame, or from a session without the workers that are blocked in it.
valid_answers <- function(answers, swapped = FALSE) {
  if (!inherits(answers, "judicious_preferences")) return(check_answers(answers, swapped = swapped))
  answers$answers[!answers$answers$worker %in% answers$blocked, , drop = FALSE]
}

fit_query <- function(pairs, docs, prior, query) {
  count <- as.matrix(pairs[c("n_a", "n_equal", "n_b")])
  design <- comparison_design(match(pairs$doc_a, docs), match(pairs$doc_b, docs), count, length(docs), prior)
  if (prior == 0) check_finite_strengths(design, docs[-length(docs)], query)
  fit <- maximise_comparisons(design$x, design$count)
  c(centred_strengths(docs, fit$slope, fit$inverse), tie = fit$tie, loglik = fit$value, answers = sum(count))
}

#' @rdname bradley_terry
#' @export
ordered_list.judicious_bradley_terry <- function(x, confidence = 0.9, # nolint: object_length_linter.
                                                 rule = c("any", "all", "previous"), ...) {
  check_number(confidence, "confidence", min = 0.5, max = 1)
  rule <- check_choice(rule, c("any", "all", "previous"), "rule")
  rows <- lapply(names(x$covariance), function(query) {
    items <- x$strengths[x$strengths$query == query, , drop = FALSE]
    better <- probability_stronger(items, x$covariance[[query]])
    group <- group_by_rule(better >= confidence, rule)
    bound <- vapply(unique(group), function(g) if (g == 1) NA_real_ else min(better[group == g - 1, group == g]), 0)
    data.frame(query = query, group = group, doc = items$doc, strength = items$strength, confidence = bound[group])
  })
  new_ordered_list(rows)
}

# A matrix of the probabilities that the document of the row is stronger than that of the column.
probability_stronger <- function(strengths, covariance) {
  covariance <- covariance[strengths$doc, strengths$doc, drop = FALSE]
  variance <- outer(diag(covariance), diag(covariance), "+") - 2 * covariance
  p <- pnorm(outer(strengths$strength, strengths$strength, "-") / sqrt(pmax(variance, 0)))
  diag(p) <- 0.5
  p
}

#' @export
as.data.frame.judicious_bradley_terry <- function(x, ...) x$strengths

#' @export
print.judicious_bradley_terry <- function(x, n = 10, ...) {
  cat("Bradley-Terry model with Davidson's ties, ", count_queries(nrow(x$queries)), ", ",
      counted(sum(x$queries$answers), "answer"), ", prior ", format(x$prior), "\n", sep = "")
  print_rows(x$strengths, n, "document", digits = 3)
  invisible(x)
}
