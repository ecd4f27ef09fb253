#' Set the effect sizes of a simulated collection
#'
#' Sets the sizes of the effects that [simulate_collection()] adds up to the similarity of a document to a query:
#' standard deviations on the logit scale, except `same_genre`, which is added for documents of the query's own genre.
#' Elements of `seen`, `unseen`, `error` and `quality` that are not named keep their defaults.
#'
#' @param seen The part that is visible to systems: `same_genre`, and the standard deviations `genre` (of each genre for
#'   each query), `artist` and `document`. Defaults: 1.9, 1, 0.65 and 0.45.
#' @param unseen The part that only the assessor sees, which affects the gains but not the results: the same elements,
#'   and `query`, the standard deviation of how similar the whole collection is to a query. Defaults: 1, 0.8, 0.45,
#'   0.85, and 0.75 for `query`.
#' @param error Errors of the systems that belong to a `genre`, an `artist` or a `document` for a query. Defaults: 0.65,
#'   0.85 and 0.85.
#' @param shared_error Size of the error that all systems share, as a multiple of `error`.
#' @param team_share Share of the variance of a system's own errors that is due to its team, from 0 to 1.
#' @param quality How much systems differ: the standard deviation of the log of the size of their errors, between teams
#'   (`team`) and between systems of a team (`system`). Defaults: 0.7 and 0.06.
#' @param artist_size How unevenly documents are distributed over artists: the standard deviation of the log of an
#'   artist's share.
#' @param candidates Number of documents per query from which systems select; at least ten times `k`.
#' @return A list of class `judicious_simulation_control`, for [simulate_collection()].
#' @examples
#' # Gains depend only on what systems see
#' no_surprise <- c(query = 0, same_genre = 0, genre = 0, artist = 0, document = 0)
#' x <- simulate_collection(queries = 10, documents = 500, artists = 50, seed = 1,
#'                          control = simulation_control(unseen = no_surprise))
#' x
#' @export
simulation_control <- function(seen = NULL, unseen = NULL, error = NULL, shared_error = 0.4, team_share = 0.72,
                               quality = NULL, artist_size = 0.9, candidates = 2000) {
  check_number(shared_error, "shared_error", min = 0)
  check_number(team_share, "team_share", min = 0, max = 1)
  check_number(artist_size, "artist_size", min = 0, max = 10)
  check_count(candidates, "candidates")
  structure(list(
    seen = named_effects(seen, "seen", signed = "same_genre"),
    unseen = named_effects(unseen, "unseen", signed = "same_genre"), error = named_effects(error, "error"),
    quality = named_effects(quality, "quality"),
    shared_error = shared_error, team_share = team_share, artist_size = artist_size, candidates = candidates
  ), class = "judicious_simulation_control")
}

# Default effects, chosen so that simulated collections resemble the MIREX collection of 2011.
default_effects <- list(
  seen = c(same_genre = 1.9, genre = 1, artist = 0.65, document = 0.45),
  unseen = c(query = 0.75, same_genre = 1, genre = 0.8, artist = 0.45, document = 0.85),
  error = c(genre = 0.65, artist = 0.85, document = 0.85), quality = c(team = 0.7, system = 0.06)
)

named_effects <- function(effects, arg, signed = character()) {
  defaults <- default_effects[[arg]]
  if (is.null(effects)) return(defaults)
  usable <- is.numeric(effects) && !is.null(names(effects)) && !anyDuplicated(names(effects)) &&
    all(names(effects) %in% names(defaults))
  check_that(usable, arg, c("must be numbers named by what they are for: {.val {names(defaults)}}.",
                            i = "Those left out keep their defaults."))
  bad <- which(!is.finite(effects) | (effects < 0 & !(names(effects) %in% signed)))
  name <- names(effects)[bad[1]]
  allowed <- if (isTRUE(name %in% signed)) "a finite number" else "a number of at least 0"
  check_that(!length(bad), arg, "Element {.val {name}} of {.arg {arg}} must be {allowed}, not {effects[[name]]}.")
  defaults[names(effects)] <- effects
  defaults
}

# The settings of simulate_collection() for the editions of MIREX in Table 1 of Urbano and Schedl (2013). Overlap is 1 -
# judgments / results. The only information about the gains of 2007, 2009 and 2010 is in their Table 2: the errors of
# the uniform distribution and of the model L_output. `mean_gain` is roughly the mean that L_output predicts for such a
# collection, and `same_genre` (unseen) is set such that the uniform distribution has the errors of that table. The low
# overlap of 2009 requires that systems of a team be less similar.
edition_settings <- function(edition) {
  editions <- list("2007" = list(teams = 8, systems = 12, overlap = 1 - 4832 / 6000, mean_gain = 0.48,
                                 same_genre = 1.8, team_share = 0.72),
                   "2009" = list(teams = 9, systems = 15, overlap = 1 - 6732 / 7500, mean_gain = 0.46,
                                 same_genre = 1.4, team_share = 0.3),
                   "2010" = list(teams = 5, systems = 8, overlap = 1 - 2737 / 4000, mean_gain = 0.5,
                                 same_genre = 1.5, team_share = 0.72),
                   "2011" = list(teams = 10, systems = 18, overlap = 1 - 6322 / 9000, mean_gain = 0.431,
                                 same_genre = 1, team_share = 0.72))
  settings <- if (length(edition) == 1) editions[[as.character(edition)]]
  check_that(!is.null(settings), "edition", "must be one of {.or {names(editions)}}, not
    {.obj_type_friendly {edition}}{show_value(edition)}.")
  settings$control <- simulation_control(unseen = c(same_genre = settings$same_genre), team_share = settings$team_share)
  settings
}
