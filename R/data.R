#' Simulated collection of Audio Music Similarity
#'
#' A complete collection in the shape of the MIREX 2011 edition: 18 systems of 10 teams, 100 queries, the five documents
#' that each system returned for a query, documents with artist and genre, and a Fine gain for every pair of the pool,
#' by `simulate_collection(edition = 2011, seed = 2011)`.
#'
#' Its systems are easy to rank without judgments. To study the benefit of judgments, use [text_demo].
#'
#' @format A [test_collection()] in which every pair is judged.
#' @source Simulated; see [simulate_collection()].
#' @examples
#' ams_demo
#' rank_systems(ams_demo, judgments = FALSE)
"ams_demo"

#' Simulated collection of text retrieval, with a language model's grades
#'
#' `text_demo` is a complete collection that is as hard to rank without judgments as real ones are: 24 systems of 10
#' teams, some lexical, some neural, some both; 40 queries; the ranked top ten of every system; and a gain from 0 to 3
#' for every pair of the pool. `text_grades` has a grade from 0 to 3 for each pair, like those of a language model: the
#' grades agree with most judgments, have errors that are common to all documents of a query, and are too high for
#' documents that neural systems retrieve.
#'
#' The data are simulated, with effect sizes like those of TREC Deep Learning 2019 and 2020 (`data-raw/text_demo.R`):
#' they are no evidence that the confidence holds for real collections.
#'
#' @format `text_demo`: a [test_collection()] in which every pair is judged. `text_grades`: a data frame with `query`,
#'   `doc` and `grade`, for the argument `grades` of [rank_systems()] and [judging_session()].
#' @source Simulated.
#' @examples
#' text_demo
#' ranking <- rank_systems(text_demo, judgments = FALSE)
#' ranking_accuracy(ranking, judgments_of(text_demo))
#' with_grades <- rank_systems(text_demo, judgments = FALSE, grades = text_grades)
#' ranking_accuracy(with_grades, judgments_of(text_demo))
"text_demo"

#' @rdname text_demo
#' @format NULL
"text_grades"

#' Real answers: stories rated by people, and mathematical questions
#'
#' `hanna`, for [read_answers()]: stories that 11 systems, one of them people, wrote for 96 prompts. Three people rated
#' every story; language models and metrics graded it.
#'
#' The file `system.file("extdata", "gsm", "answers.jsonl.gz", package = "judicious")` has the answers of 43 language
#' models to 300 of the 1,319 questions of the test set of GSM8K, drawn at random: `id` of the question, `model`,
#' `answer`, and the right answer as `gold`. Most answers are shared by several models.
#'
#' @format `hanna`: a data frame with a row per rating: `system`, its `team`, the prompt (`query`), the `assessor`, the
#'   `rating`, which is the mean of six criteria from 1 to 5, and the grades of the story by `chatgpt`, `beluga13b`,
#'   `llama13b`, `mistral7b` (language models, 1 to 5), `bertscore` (NA for people, whose stories are its reference),
#'   and the `length` in words.
#' @source `hanna`: the benchmark HANNA of Chhun, Colombo, Suchanek and Clavel (2022), "Of human criteria and automatic
#'   metrics", and Chhun, Suchanek and Clavel (2024), "Do language models enjoy their own stories?"; MIT licence,
#'   <https://github.com/dig-team/hanna-benchmark-asg>. GSM8K: Cobbe et al. (2021), "Training verifiers to solve math
#'   word problems", MIT licence; the answers are of ZeroEval, Apache License 2.0,
#'   <https://github.com/WildEval/ZeroEval>. `data-raw/hanna.R` makes `hanna`.
#' @examples
#' x <- read_answers(hanna)
#' rank_systems(x, judgments = FALSE)
#' grader_validation(x)
"hanna"
