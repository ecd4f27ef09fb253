# Settings of a session: the cost of judgments, by which strategies divide the scores of documents, and its control.

#' Set the cost of judgments
#'
#' States what a judgment costs, in any unit. Documents are selected that serve the goal most per unit of cost.
#'
#' @param judgment The cost of one judgment: a positive number, or numbers named by assessors, such as
#'   `c(llm = 0.01, expert = 2)`. An element without a name is the price of all others, who otherwise have the highest
#'   price.
#' @param new_query The additional cost of the first judgment of a query, whoever makes it: one number.
#' @return A `judicious_cost`, for the argument `cost`.
#' @examples
#' judging_cost(judgment = 10, new_query = 45)
#' judging_cost(c(llm = 0.01, expert = 2))
#' @export
judging_cost <- function(judgment = 1, new_query = 0) {
  if (length(judgment) < 2) {
    check_number(judgment, "judgment", min = 0, max = Inf, open = TRUE)
  } else if (!is.numeric(judgment) || any(!is.finite(judgment) | judgment <= 0) || is.null(names(judgment)) ||
               anyDuplicated(names(judgment))) {
    abort_argument("judgment",
                   "must be one price above 0, or prices named by assessors, of which one may have no name.")
  }
  check_number(new_query, "new_query", min = 0)
  structure(list(judgment = judgment, new_query = new_query), class = "judicious_cost")
}

#' Settings of a judging session
#'
#' Settings for the argument `control` of [judging_session()] and [judging_plan()]. The defaults are suitable for most
#' sessions.
#'
#' @param audit The probability, from 0 to 1, that the next document is selected at random, in proportion to the numbers
#'   of lists that have it.
#' @param overlap The probability that a document is also judged by a second assessor, which shows how much assessors
#'   differ.
#' @param batch How many documents to select at a time. With 1, each selection uses all earlier judgments; more save
#'   waiting time with several assessors or a large pool.
#' @param update_every Coefficients and variances are estimated again when the number of judgments has grown by a fifth,
#'   and, after the first `update_every` judgments, by at least a quarter of `update_every`. Inf leaves the model
#'   unchanged. Independent gains are updated after every `update_every` judgments.
#' @param lease The number of seconds for which a document is reserved for the assessor who asked for it.
#' @param same_query TRUE selects all documents of a batch from one query; an audit is then a whole batch. With
#'   `batch = Inf`, a batch is all unjudged documents of the most informative query, for questions whose right answer
#'   determines the gains of all answers, by `judge(gold = )`.
#' @return A list of class `judicious_session_control`.
#' @examples
#' session_control(batch = 10, overlap = 0.05)
#' @export
session_control <- function(audit = 0.1, overlap = 0, batch = 1, same_query = FALSE, update_every = 20, lease = 600) {
  check_number(audit, "audit", min = 0, max = 1)
  check_number(overlap, "overlap", min = 0, max = 1)
  check_flag(same_query, "same_query")
  check_count(batch, "batch", finite = !same_query)
  check_count(update_every, "update_every", finite = FALSE)
  check_number(lease, "lease", min = 1)
  structure(mget(names(formals())), class = "judicious_session_control")
}

session_settings <- names(formals(session_control))
