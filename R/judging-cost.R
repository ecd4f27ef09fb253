# Costs of judgments, by which the score of a strategy is divided.

#' Set the cost of judgments
#'
#' @param judgment Cost of one judgment of a query that the assessor already knows.
#' @param new_query Additional cost of the first judgment of a query.
#' @return A `judicious_cost`.
#' @examples
#' judging_cost(judgment = 10, new_query = 45)
#' @export
judging_cost <- function(judgment = 1, new_query = 0) {
  check_number(judgment, "judgment", min = 0, max = Inf, open = TRUE)
  check_number(new_query, "new_query", min = 0)
  structure(list(judgment = judgment, new_query = new_query), class = "judicious_cost")
}

cost_of <- function(cost, query, judged) {
  if (cost$new_query == 0) return(rep(cost$judgment, length(query)))
  cost$judgment + cost$new_query * !(query %in% query[judged])
}
