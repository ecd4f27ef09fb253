#' Fit a Bradley-Terry model with ties
#'
#' Estimates a strength for every document of a query from the answers to all its comparisons. This also orders
#' documents that were never compared. Use it if the pairs were not selected by [preference_session()], or for strengths
#' with standard errors.
#'
#' @details
#' With u the difference in strength between documents A and B, the models are:
#'
#' * `ties = "davidson"`: P(A) : P(equal) : P(B) = exp(u/2) : nu : exp(-u/2) (Davidson 1970), by Newton's method.
#' * `ties = "rao-kupper"`: logit P(A) = u - tau and logit P(A or equal) = u + tau (Rao and Kupper 1967), a
#'   proportional-odds model.
#'
#' The strength of a document that was always preferred is infinite. Therefore, `prior` answers are added per document,
#' in comparison with an average document: the observed share of ties, and the others half wins and half losses.
#' Strengths are relative to the mean of the query's documents.
#'
#' Standard errors take all answers as independent. To rank systems by preferences, pass the fit as `grades` to
#' [rank_systems()] or [judging_session()].
#'
#' @param answers Answers as in [preference_decisions()], or a session, by [preference_session()].
#' @param ties The model of equal answers.
#' @param prior Weight of the prior, as a number of answers per document. 0 is maximum likelihood, an error for infinite
#'   strengths.
#' @param x A fit of `bradley_terry()`.
#' @param confidence A number from .5 to 1: documents differ if one is stronger with at least this probability.
#' @param rule The documents of the current group from which a document, going down the list, must differ to start a new
#'   one: `"any"` of them, `"all"`, or the `"previous"` one.
#' @param ... Not used.
#' @return A `judicious_bradley_terry`: a list with `strengths` (a data frame with columns `query`, `doc`, `strength`
#'   and `se`, sorted by query and decreasing strength), `covariance` (per query, a matrix named by document), `queries`
#'   (a data frame with `tie`, which is log nu or tau; `loglik`, which includes the prior; and `answers`), `ties` and
#'   `prior`.
#'
#'   `ordered_list()` of the fit has the further columns `strength` and `confidence`: the smallest probability that a
#'   document of the previous group is stronger than a document of this group (NA in the first group).
#' @references Davidson, R. R. (1970). On extending the Bradley-Terry model to accommodate ties in paired comparison
#'   experiments. JASA 65, 317-328.
#'
#'   Rao, P. V. and Kupper, L. L. (1967). Ties in paired-comparison experiments: a generalization of the Bradley-Terry
#'   model. JASA 62, 194-204.
#' @examples
#' crowd <- simulate_crowd(list(q = c(x = 2, y = 0, z = -1)), workers = 12, seed = 1)
#' s <- run_session(preference_session(list(q = c("x", "y", "z")), seed = 1), crowd)
#' fit <- bradley_terry(s)
#' fit
#' ordered_list(fit, confidence = 0.9)
#' @export
bradley_terry <- function(answers, ties = c("davidson", "rao-kupper"), prior = 1) {
  ties <- check_choice(ties, c("davidson", "rao-kupper"), "ties")
  check_number(prior, "prior", min = 0)
  pairs <- tally_answers(valid_answers(answers, swapped = TRUE))
  pairs <- pairs[pairs$n_a + pairs$n_equal + pairs$n_b > 0, , drop = FALSE]
  check_that(nrow(pairs) != 0, "answers", "holds no answer.", kind = "answers")
  queries <- unique(pairs$query)
  error_call <- rlang::current_env()
  fit_one <- if (ties == "davidson") davidson_cpp else fit_rao_kupper
  fits <- lapply(queries, function(query) {
    own <- pairs[pairs$query == query, , drop = FALSE]
    docs <- unique(c(own$doc_a, own$doc_b))
    if (prior == 0) check_finite_strengths(own, docs, query, error_call)
    fit_query(own, docs, prior, fit_one)
  })
  strengths <- without_row_names(do.call(rbind, Map(function(fit, query) {
    data.frame(query = query, doc = names(fit$strength), strength = fit$strength,
               se = sqrt(diag(fit$covariance)))[order(-fit$strength), ]
  }, fits, queries)))
  structure(list(
    strengths = strengths, covariance = stats::setNames(lapply(fits, `[[`, "covariance"), queries),
    queries = data.frame(query = queries, tie = vapply(fits, `[[`, 0, "tie"), loglik = vapply(fits, `[[`, 0, "loglik"),
                         answers = vapply(fits, `[[`, 0, "answers"), row.names = NULL),
    ties = ties, prior = prior), class = "judicious_bradley_terry")
}

# Checked answers, from a data frame or from a session without its blocked workers.
valid_answers <- function(answers, call = caller_env(), swapped = FALSE) {
  if (!inherits(answers, "judicious_preferences")) return(check_answers(answers, call = call, swapped = swapped))
  answers$answers[!answers$answers$worker %in% answers$blocked, , drop = FALSE]
}

# Codes and counts of the comparisons, including those of the prior against a further, average document.
fit_query <- function(pairs, docs, prior, fit_one) {
  first <- match(pairs$doc_a, docs)
  second <- match(pairs$doc_b, docs)
  count <- as.matrix(pairs[c("n_a", "n_equal", "n_b")])
  n <- length(docs)
  if (prior > 0) {
    tie <- sum(count[, 2]) / sum(count)
    first <- c(first, seq_len(n))
    second <- c(second, rep(n + 1L, n))
    count <- rbind(count, matrix(prior * c((1 - tie) / 2, tie, (1 - tie) / 2), n, 3, byrow = TRUE))
  }
  fit <- fit_one(first, second, count[, 1], count[, 2], count[, 3], n + (prior > 0))
  if (isFALSE(fit$converged))
    warn_judicious("The Davidson model has not converged: the answers hardly bound the strengths. Use a larger
      {.arg prior}.", "convergence")
  # Only differences are identified: report strengths relative to the mean of the query's documents.
  centre <- diag(n) - 1 / n
  dimnames(centre) <- list(docs, docs)
  list(strength = drop(centre %*% fit$strength[seq_len(n)]),
       covariance = centre %*% fit$covariance[seq_len(n), seq_len(n)] %*% centre, tie = fit$tie,
       loglik = fit$loglik, answers = sum(pairs[c("n_a", "n_equal", "n_b")]))
}

# The design has one column per document except the last: +1 if it is document A, -1 if it is document B.
fit_rao_kupper <- function(first, second, wins, ties, losses, n) {
  x <- matrix(0, length(first), n)
  x[cbind(seq_along(first), first)] <- 1
  x[cbind(seq_along(first), second)] <- x[cbind(seq_along(first), second)] - 1
  x <- rbind(x, -x)[, -n, drop = FALSE]
  colnames(x) <- paste0("doc", seq_len(n - 1))
  count <- rbind(cbind(wins, ties, losses), cbind(losses, ties, wins))
  kept <- colSums(count) > 0 # without ties there are two categories: the Bradley-Terry model
  answer <- factor(rep(c("a", "equal", "b"), each = nrow(count)), levels = c("b", "equal", "a")[rev(kept)],
                   ordered = TRUE)
  weight <- as.vector(count) / 2
  use <- weight > 0 & !is.na(answer)
  long <- rbind(x, x, x)[use, , drop = FALSE]
  fit <- pom(answer ~ ., data = data.frame(answer = answer[use], long), weights = weight[use])
  slopes <- colnames(x)
  covariance <- matrix(0, n, n)
  covariance[-n, -n] <- vcov(fit)[slopes, slopes]
  # The thresholds are +tau (equal or better) and -tau (better).
  list(strength = c(unname(fit$beta[slopes]), 0), covariance = covariance, tie = unname(fit$alpha[1]),
       loglik = fit$loglik)
}

# Ford's condition: strengths are finite if a chain of wins or ties leads from every document to every other document.
check_finite_strengths <- function(pairs, docs, query, call) {
  beats <- diag(length(docs)) > 0
  sides <- cbind(match(pairs$doc_a, docs), match(pairs$doc_b, docs))
  beats[sides[pairs$n_a + pairs$n_equal > 0, , drop = FALSE]] <- TRUE
  beats[sides[pairs$n_b + pairs$n_equal > 0, 2:1, drop = FALSE]] <- TRUE
  repeat {
    further <- beats %*% beats > 0
    if (all(further == beats)) break
    beats <- further
  }
  bad <- which(!beats, arr.ind = TRUE)
  abort_unless(!nrow(bad), c(
    "The strengths of query {.val {query}} are not finite: no chain of answers puts {.val {docs[bad[1, 1]]}} level with
      or above {.val {docs[bad[1, 2]]}}.",
    i = "Use {.arg prior} above 0."), "unbounded", query = query, call = call)
}

#' @rdname bradley_terry
#' @export
ordered_list.judicious_bradley_terry <- function(x, confidence = 0.9, # nolint: object_length_linter.
                                                 rule = c("any", "all", "previous"), ...) {
  check_number(confidence, "confidence", min = 0.5, max = 1)
  rule <- check_choice(rule, c("any", "all", "previous"), "rule")
  rows <- lapply(names(x$covariance), function(query) {
    own <- x$strengths[x$strengths$query == query, , drop = FALSE]
    better <- probability_stronger(own, x$covariance[[query]])
    group <- group_by_rule(better >= confidence, rule)
    bound <- vapply(unique(group), function(g) if (g == 1) NA_real_ else min(better[group == g - 1, group == g]), 0)
    data.frame(query = query, group = group, doc = own$doc, strength = own$strength, confidence = bound[group])
  })
  new_ordered_list(rows)
}

# Matrix of the probabilities that the row's document is stronger than the column's.
probability_stronger <- function(own, covariance) {
  covariance <- covariance[own$doc, own$doc, drop = FALSE]
  variance <- outer(diag(covariance), diag(covariance), "+") - 2 * covariance
  p <- pnorm(outer(own$strength, own$strength, "-") / sqrt(pmax(variance, 0)))
  diag(p) <- 0.5
  p
}

#' @export
as.data.frame.judicious_bradley_terry <- function(x, ...) x$strengths

#' @export
print.judicious_bradley_terry <- function(x, n = 10, ...) {
  cat("Bradley-Terry model with ", if (x$ties == "davidson") "Davidson's" else "Rao and Kupper's", " ties, ",
      count_queries(nrow(x$queries)), ", ", counted(sum(x$queries$answers), "answer"), ", prior ", format(x$prior),
        "\n", sep = "")
  print_rows(x$strengths, n, "document", digits = 3)
  invisible(x)
}
