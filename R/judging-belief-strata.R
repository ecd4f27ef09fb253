# The belief of a session whose goal refers to strata of the queries: one belief for the whole collection, and one for
# each stratum, in whose means only the queries of the stratum count. All use the same gains and the same judgments.

belief_for_goal <- function(belief, x, goal) {
  if (!length(goal$by)) return(belief)
  parts <- lapply(goal$by, function(by) {
    lapply(queries_by_stratum(x, by), function(queries) {
      restricted <- only_queries(x, seq_len(n_queries(x)) %in% queries)
      list(x = restricted, belief = belief_reweigh(belief, restricted))
    })
  })
  new_strata_belief(belief, stats::setNames(parts, goal$by))
}

# `parts`: by column and stratum, the collection `x` and the `belief`.
new_strata_belief <- function(whole, parts) {
  structure(list(whole = whole, parts = parts), class = "judicious_strata_belief")
}

# Applies f() to the whole and to every part.
over_beliefs <- function(strata, f, ...) {
  new_strata_belief(f(strata$whole, ...), lapply(strata$parts, lapply, function(part) {
    replace(part, "belief", list(f(part$belief, ...)))
  }))
}

# The belief for a stratum, given by its column and its name; NULL: for the whole.
belief_of_stratum <- function(belief, stratum) {
  if (!inherits(belief, "judicious_strata_belief")) return(belief)
  if (is.null(stratum)) belief$whole else belief$parts[[stratum[1]]][[stratum[2]]]$belief
}

#' @export
belief_judge.judicious_strata_belief <- function(belief, ...) over_beliefs(belief, belief_judge, ...)

#' @export
belief_imagine.judicious_strata_belief <- function(belief, ...) over_beliefs(belief, belief_imagine, ...)

#' @export
belief_systems.judicious_strata_belief <- function(belief) belief_systems(belief$whole)

#' @export
belief_pairs.judicious_strata_belief <- function(belief, ...) belief_pairs(belief$whole, ...)

#' @export
belief_reduction.judicious_strata_belief <- function(belief, ...) belief_reduction(belief$whole, ...)

#' @export
belief_due.judicious_strata_belief <- function(belief, ...) belief_due(belief$whole, ...)

#' @export
belief_refit.judicious_strata_belief <- function(belief, ...) belief_refit(belief$whole, ...)

#' @export
belief_restore.judicious_strata_belief <- function(begun, ...) over_beliefs(begun, belief_restore, ...)

#' @export
belief_expect.judicious_strata_belief <- function(belief, ...) over_beliefs(belief, belief_expect, ...)

#' @export
belief_gains.judicious_strata_belief <- function(belief) belief_gains(belief$whole)

#' @export
as.data.frame.judicious_strata_belief <- function(x, ...) as.data.frame(x$whole, ...)
