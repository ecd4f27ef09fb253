#' The rare knobs of simulate_collection()
#'
#' All effects are standard deviations on the logit scale of the gain's latent value, where the ten levels of the Fine
#' scale are between a third and two apart (Table 7 of Urbano and Schedl 2013, L_output); `same_genre` is what a
#' document of the query's own genre has more. A vector may name some of its elements only: the others keep their
#' defaults.
#'
#' @param seen The part of a document's similarity to a query that systems can see: `same_genre`, and the spread of
#'   `genre` (of each genre for each query), `artist` (of each artist for each query) and `document`.
#' @param unseen What only the assessor sees, the same and `query`: how well a query is served at all. It leaves
#'   its mark on the gains and none on the results.
#' @param error The errors of systems: the spread of what they wrongly see in a `genre`, an `artist` or a
#'   `document` for a query.
#' @param shared_error How large the error that all systems make together is, as a multiple of `error`.
#' @param team_share The share of a system's own error variance that it has in common with the other systems of its
#'   team, between 0 and 1.
#' @param quality How much systems differ: the spread of the logarithm of their error, between teams (`team`) and
#'   between systems of a team (`system`).
#' @param artist_size How unevenly documents are spread over artists: the standard deviation of the logarithm
#'   of an artist's share; 0 makes them equal.
#' @param candidates How many documents per query systems choose from: those that are most similar by
#'   what all systems see. At least ten times `k` are always there.
#' @return A list of class `judicious_simulation_control`, for [simulate_collection()].
#' @seealso [simulate_collection()].
#' @examples
#' # Assessors who judge nothing but what systems see:
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
    unseen = named_effects(unseen, "unseen", signed = "same_genre"),
    error = named_effects(error, "error"),
    quality = named_effects(quality, "quality"),
    shared_error = shared_error, team_share = team_share, artist_size = artist_size, candidates = candidates
  ), class = "judicious_simulation_control")
}

# The defaults, tuned so that a collection of the shape of MIREX 2011 looks like it.
default_effects <- list(
  seen = c(same_genre = 1.9, genre = 1, artist = 0.65, document = 0.45),
  unseen = c(query = 0.75, same_genre = 1, genre = 0.8, artist = 0.45, document = 0.85),
  error = c(genre = 0.65, artist = 0.85, document = 0.85),
  quality = c(team = 0.7, system = 0.06)
)

named_effects <- function(given, arg, signed = character(), call = caller_env()) {
  effects <- default_effects[[arg]]
  if (is.null(given)) return(effects)
  usable <- is.numeric(given) && !is.null(names(given)) && !anyDuplicated(names(given)) &&
    all(names(given) %in% names(effects))
  if (!usable) {
    abort_judicious(c(
      "{.arg {arg}} must be numbers named by what they are for: {.val {names(effects)}}.",
      i = "Those left out keep their defaults."
    ), "argument", argument = arg, call = call)
  }
  bad <- which(!is.finite(given) | (given < 0 & !(names(given) %in% signed)))
  if (length(bad)) {
    one <- names(given)[bad[1]]
    range <- if (one %in% signed) "a finite number" else "a number of at least 0"
    abort_judicious("Element {.val {one}} of {.arg {arg}} must be {range}, not {given[[one]]}.",
                    "argument", argument = arg, call = call)
  }
  effects[names(given)] <- given
  effects
}

# The editions of Table 1, each as arguments of simulate_collection(). Overlap is 1 - judgments / results there.
# What the gains of 2007, 2009 and 2010 were like is known only from the errors of the uniform distribution and
# of L_output in Table 2: `mean_gain` is about what L_output expects of such a collection, and `same_genre`
# (unseen) makes the errors of the uniform distribution those of the table. Systems of a team that are less
# alike let 2009 overlap as little as it did.
edition_settings <- function(edition, call = caller_env()) {
  editions <- list(
    "2007" = list(teams = 8, systems = 12, overlap = 1 - 4832 / 6000, mean_gain = 0.48,
                  same_genre = 1.8, team_share = 0.72),
    "2009" = list(teams = 9, systems = 15, overlap = 1 - 6732 / 7500, mean_gain = 0.46,
                  same_genre = 1.4, team_share = 0.3),
    "2010" = list(teams = 5, systems = 8, overlap = 1 - 2737 / 4000, mean_gain = 0.5,
                  same_genre = 1.5, team_share = 0.72),
    "2011" = list(teams = 10, systems = 18, overlap = 1 - 6322 / 9000, mean_gain = 0.431,
                  same_genre = 1, team_share = 0.72)
  )
  settings <- if (length(edition) == 1) editions[[as.character(edition)]]
  if (is.null(settings)) {
    abort_judicious(
      "{.arg edition} must be one of {.or {names(editions)}}, not {.obj_type_friendly {edition}}{show_value(edition)}.",
      "argument", argument = "edition", call = call
    )
  }
  settings$control <- simulation_control(unseen = c(same_genre = settings$same_genre), team_share = settings$team_share)
  settings
}
