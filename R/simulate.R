#' Simulate a test collection
#'
#' @description Generates a complete test collection: systems of several teams that differ in quality, their ranked
#'   results, documents with an artist and a genre, and a gain for every pair of the pool. Use it to test a method when
#'   the truth is known. By default, it has the shape of the MIREX 2011 collection of Audio Music Similarity; with
#'   other arguments, it resembles text retrieval.
#'
#' @details The latent similarity of a document to a query is the sum of what the systems see (effects of genre, artist
#'   and document) and what only the assessor sees (effects of these and of the query). A system ranks documents by what
#'   is visible, plus three errors: that of all systems, its team's and its own. [simulation_control()] sets the sizes.
#'
#' The gain is a piecewise linear function of the latent similarity, with the thresholds of
#' `mirex_model("output", "fine")`, rounded to the nearest level of `scale`. The query's own artist is not in the
#' collection, as if artists were filtered.
#'
#' @param queries,documents,genres,artists Their numbers. With `genres = 0` or `artists = 0`, documents do not have this
#'   property, as in text retrieval.
#' @param teams,systems Number of teams, and total number of systems: every team has at least one, the others are
#'   assigned at random. Or `systems` states the number of each team.
#' @param k The cutoff: every system returns `k` documents per query.
#' @param scale The gain scale: [fine_scale()], [broad_scale()], or a vector of levels, such as `0:1`.
#' @param overlap The share of the results that repeat a result of another system, 1 - (pairs of the pool) / (results),
#'   at most 1 - 1 / (number of systems). NULL: what follows from `control`, about 0.3 by default.
#' @param mean_gain The mean gain of the pool as a share of the scale, between 0 and 1; on a binary scale, the share of
#'   relevant pairs.
#' @param edition A MIREX edition: 2007, 2009, 2010 or 2011, which sets `teams`, `systems`, `overlap`, `mean_gain` and
#'   `control`, unless given, to resemble it in Tables 1 and 2 of Urbano and Schedl (2013; see [mtc()]).
#' @param seed Seed of the collection; NULL uses R's random number generator.
#' @param control The sizes of the effects, by [simulation_control()].
#' @return A [test_collection()] in which every pair of the pool is judged. The systems are `S01`, `S02`, ... of teams
#'   `T01`, ..., numbered by team, not by quality.
#' @section Warnings: `judicious_warning_overlap` if the overlap differs from `overlap` by more than 0.02.
#' @seealso [ams_demo], a collection that this function generated.
#' @examples
#' x <- simulate_collection(queries = 20, documents = 1000, artists = 100, teams = 4, systems = 6,
#'                          seed = 1)
#' x
#' head(judgments_of(x))
#'
#' # Text: neither genre nor artist, few relevant documents, grades 0 to 3
#' simulate_collection(queries = 20, documents = 2000, genres = 0, artists = 0, teams = 5,
#'                     systems = 12, k = 10, scale = gain_scale(0:3), mean_gain = 0.15,
#'                     overlap = 0.6, seed = 1)
#' @export
simulate_collection <- function(queries = 100, documents = 7000, genres = 10, artists = 600,
                                teams = if (length(systems) > 1) length(systems) else min(10, systems), systems = 18,
                                k = 5, scale = fine_scale(), overlap = NULL, mean_gain = 0.431,
                                edition = NULL, seed = NULL, control = simulation_control()) {
  if (!is.null(edition)) {
    settings <- edition_settings(edition)
    if (missing(systems)) systems <- settings$systems
    if (missing(teams) && length(systems) == 1) teams <- min(settings$teams, systems)
    if (missing(overlap)) overlap <- settings$overlap
    if (missing(mean_gain)) mean_gain <- settings$mean_gain
    if (missing(control)) control <- settings$control
  }
  check_collection_size(queries, documents, genres, artists, k)
  scale <- as_scale(scale)
  check_number(mean_gain, "mean_gain", min = 0, max = 1, open = TRUE)
  if (!is.null(overlap)) check_number(overlap, "overlap", min = 0, max = 1)
  check_class(control, "judicious_simulation_control", "control", "simulation_control")
  check_team_sizes(teams, systems)
  start_progress("Simulating")

  x <- with_seed(seed, {
    world <- list(documents = simulate_documents(documents, genres, artists, control$artist_size),
                  systems = simulate_systems(teams, systems, control$quality),
                  query_genre = if (genres > 0) rep_len(seq_len(genres), queries), k = k, control = control)
    answers <- simulate_lists(world, queries, overlap)
    assemble_collection(world, answers, scale, mean_gain)
  })
  if (!is.null(overlap)) warn_other_overlap(x, overlap)
  x
}

check_collection_size <- function(queries, documents, genres, artists, k) {
  for (arg in c("queries", "k", "documents")) check_count(get(arg), arg)
  check_that(documents >= k, "documents", "{.arg documents} ({documents}) must be at least {.arg k} ({k}): every system
    returns k of them.")
  for (arg in c("genres", "artists")) check_count(get(arg), arg, min = 0)
}

warn_other_overlap <- function(x, overlap) {
  attained <- 1 - n_pairs(x) / n_results(x)
  if (abs(attained - overlap) <= 0.02 || n_systems(x) == 1) return()
  warn_judicious(c(
    "The overlap of the systems is {format(attained, digits = 3)}, not {format(overlap, digits = 3)}.",
    i = "{n_systems(x)} systems can overlap by {format(1 - 1 / n_systems(x), digits = 3)} at most.",
    i = "More documents, or a smaller {.code team_share} in {.arg control}, let them differ more."
  ), "overlap", overlap = attained)
}

check_team_sizes <- function(teams, systems) {
  if (length(systems) == 1) check_count(systems, "systems")
  check_that(are_whole_numbers(systems, 1, .Machine$integer.max), "systems",
             "must be one whole number, or one of at least 1 for each team.")
  check_count(teams, "teams")
  check_that(length(systems) <= 1 || length(systems) == teams, "teams",
             "{.arg systems} gives {length(systems)} teams, {.arg teams} says {teams}.")
  check_that(length(systems) != 1 || teams <= systems, "teams", "must be at most the number of {.arg systems}: {teams}
    teams cannot have {systems} system{?s}.")
}

# Makes the collection by test_collection(), as users do.
assemble_collection <- function(world, answers, scale, mean_gain) {
  n_queries <- length(answers)
  n_systems <- length(world$systems$team)
  ids <- list(query = numbered("q", n_queries), doc = numbered("d", world$documents$n),
              system = numbered("S", n_systems), team = numbered("T", max(world$systems$team)))
  # Converts lists in the order of query, system and rank to rows in the order of system, query and rank.
  by_system <- function(part) {
    values <- array(unlist(lapply(answers, `[[`, part)), c(world$k, n_systems, n_queries))
    as.vector(aperm(values, c(1, 3, 2)))
  }
  runs <- data.frame(
    system = rep(ids$system, each = world$k * n_queries), query = rep(rep(ids$query, each = world$k), n_systems),
    doc = ids$doc[by_system("doc")], rank = rep(seq_len(world$k), n_systems * n_queries))
  first <- !duplicated(runs[c("query", "doc")])
  judgments <- runs[first, c("query", "doc")]
  judgments$gain <- latent_gain(by_system("latent")[first], scale, mean_gain)
  documents <- data.frame(doc = ids$doc)
  queries <- data.frame(query = ids$query)
  if (!is.null(world$documents$artist))
    documents$artist <- numbered("a", world$documents$n_artists)[world$documents$artist]
  if (!is.null(world$documents$genre)) {
    genre <- numbered("g", world$documents$n_genres)
    documents$genre <- genre[world$documents$genre]
    queries$genre <- genre[world$query_genre]
  }
  systems <- data.frame(system = ids$system, team = ids$team[world$systems$team])
  test_collection(runs, documents, systems, queries, judgments, k = world$k, scale = scale)
}

# Numbered identifiers of equal length, such as "q001" to "q100", whose alphabetical order is the numerical one.
numbered <- function(prefix, n) sprintf("%s%0*d", prefix, max(2L, nchar(n)), seq_len(n))
