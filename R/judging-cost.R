# Costs of judgments, by which the score of a strategy is divided.

#' Set the cost of judgments
#'
#' States what a judgment costs, in any unit: seconds, money, or 1 for each. [judging_session()], [judging_plan()] and
#' [select_documents()] select the documents that serve the goal most per unit of cost.
#'
#' @param judgment The cost of one judgment: a positive number, or positive numbers named by assessors if these differ
#'   in price, such as `c(llm = 0.01, expert = 2)`. An element without a name is the price of all other assessors, who
#'   otherwise have the highest price.
#' @param new_query The additional cost of the first judgment of a query, whoever makes it: one number.
#' @return A `judicious_cost`, for the argument `cost`.
#' @seealso [select_documents()] and [run_session()], which choose among assessors who differ in price.
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

# The price of a judgment by each of some assessors.
price_of <- function(cost, assessor = "") {
  price <- unname(cost$judgment)
  priced <- names(cost$judgment) %||% ""
  others <- c(price[!nzchar(priced)], max(price))[1]
  ifelse(assessor %in% priced[nzchar(priced)], price[match(assessor, priced)], others)
}

# The assessors with a price of their own.
priced_assessors <- function(cost) setdiff(names(cost$judgment), "")


cost_of <- function(cost, query, judged) {
  price <- price_of(cost)
  if (cost$new_query == 0) return(rep(price, length(query)))
  price + cost$new_query * !(query %in% query[judged])
}
