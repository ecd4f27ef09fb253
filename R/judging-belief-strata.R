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
over_beliefs <- function(strata, f) {
  new_strata_belief(f(strata$whole), lapply(strata$parts, lapply, function(part) {
    part$belief <- f(part$belief)
    part
  }))
}

# The belief for a stratum, given by its column and its name; NULL: for the whole.
belief_of_stratum <- function(belief, stratum) {
  if (!inherits(belief, "judicious_strata_belief")) return(belief)
  if (is.null(stratum)) belief$whole else belief$parts[[stratum[1]]][[stratum[2]]]$belief
}

#' @export
belief_judge.judicious_strata_belief <- function(belief, pair, gain, noise = 0) {
  over_beliefs(belief, function(b) belief_judge(b, pair, gain, noise))
}

#' @export
belief_imagine.judicious_strata_belief <- function(belief, pairs) {
  over_beliefs(belief, function(b) belief_imagine(b, pairs))
}

#' @export
belief_systems.judicious_strata_belief <- function(belief) belief_systems(belief$whole)

#' @export
belief_pairs.judicious_strata_belief <- function(belief, pairs = NULL) belief_pairs(belief$whole, pairs)

#' @export
belief_reduction.judicious_strata_belief <- function(belief, directions, pairs = NULL) {
  belief_reduction(belief$whole, directions, pairs)
}

#' @export
belief_due.judicious_strata_belief <- function(belief, judged, fitted, every) {
  belief_due(belief$whole, judged, fitted, every)
}

#' @export
belief_refit.judicious_strata_belief <- function(belief, gain, every, selected = integer()) {
  belief_refit(belief$whole, gain, every, selected)
}

#' @export
belief_restore.judicious_strata_belief <- function(begun, fit, gain, sequence, noise = NULL) {
  over_beliefs(begun, function(b) belief_restore(b, fit, gain, sequence, noise))
}

#' @export
belief_expect.judicious_strata_belief <- function(belief, error) {
  over_beliefs(belief, function(b) belief_expect(b, error))
}

#' @export
belief_gains.judicious_strata_belief <- function(belief) belief_gains(belief$whole)

#' @export
as.data.frame.judicious_strata_belief <- function(x, ...) as.data.frame(x$whole, ...)
