#' Simulated collection of Audio Music Similarity
#'
#' A complete collection in the shape of the MIREX 2011 edition: 18 systems of 10 teams, 100 queries, the five documents
#' that each system returned for a query, documents with artist and genre, and a Fine gain for every pair of the pool.
#' `simulate_collection(edition = 2011, seed = 2011)` made it (`data-raw/ams_demo.R`); it represents no real system,
#' document or assessor.
#'
#' Its systems are easy to rank without judgments: the output of the systems alone puts .94 to .95 of the pairs in the
#' right order, so a hundred judgments can hardly improve the order. To study the benefit of judgments, use
#' [text_demo].
#'
#' @format A [test_collection()] in which every pair is judged. Functions use its judgments by default; to rank it as if
#'   nothing were judged, use `rank_systems(ams_demo, judgments = FALSE)`.
#' @source Simulated; see [simulate_collection()].
#' @examples
#' ams_demo
#' rank_systems(ams_demo, judgments = FALSE)
"ams_demo"

#' Simulated collection of text retrieval, with a language model's grades
#'
#' `text_demo` is a complete collection that is as hard to rank without judgments as real ones. It has 24 systems of 10
#' teams, of which some are lexical, some are neural and some combine both; 40 queries; the ranked top ten of every
#' system; and a gain from 0 to 3 for every pair of the pool. `text_grades` has a grade from 0 to 3 for each of these
#' pairs, as a language model would give them: they agree with most judgments, err for whole queries at a time, and are
#' too high for documents that neural systems retrieve.
#'
#' The script `data-raw/text_demo.R` makes both and compares them with TREC Deep Learning 2019 and 2020. Without
#' judgments, [rank_systems()] puts .86 of the pairs of systems in the right order, against .89 and .90 in the real
#' collections; .53 of the pool are not relevant, against .53 and .61; the correlation of grades with gains is .74,
#' against .72 and .61 for GPT-4. The sizes of its effects were chosen to come near these figures and the stated
#' confidence on the real collections. Results on it are therefore no evidence that the confidence can be trusted; the
#' README has results on five real collections. The numbers represent no real system, document, assessor or
#' language model.
#'
#' @format `text_demo`: a [test_collection()] in which every pair is judged. To rank it as if nothing were judged, use
#'   `rank_systems(text_demo, judgments = FALSE)`. `text_grades`: a data frame with `query`, `doc` and `grade`, for the
#'   argument `opinion` of [rank_systems()] and [judging_session()].
#' @source Simulated.
#' @examples
#' text_demo
#' ranking <- rank_systems(text_demo, judgments = FALSE)
#' ranking_accuracy(ranking, judgments_of(text_demo))
#' with_grades <- rank_systems(text_demo, judgments = FALSE, opinion = text_grades)
#' ranking_accuracy(with_grades, judgments_of(text_demo))
"text_demo"

#' @rdname text_demo
#' @format NULL
"text_grades"
