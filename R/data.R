#' A simulated collection of Audio Music Similarity
#'
#' A complete collection in the shape of the MIREX 2011 edition: 18 systems of 10 teams, 100 queries, their
#' ranked top five, documents with artist and genre, and a Fine gain for every pair of the pool. Made by
#' `simulate_collection(edition = 2011, seed = 2011)` in `data-raw/ams_demo.R`; no real system, document or
#' assessor is behind it.
#'
#' @format A [test_collection()] in which every pair is judged. To begin without judgments, as one does in
#'   earnest, leave them aside: they play no part in [output_features()] and [rank_systems()], and
#'   [judgments_of()] gives them as a data frame.
#' @source Simulated; see [simulate_collection()].
#' @examples
#' ams_demo
#' gains <- gain_distribution(mirex_model("output", "fine"), output_features(ams_demo))
#' rank_systems(ams_demo, gains)
"ams_demo"
