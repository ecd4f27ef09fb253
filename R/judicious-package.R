#' Rank retrieval systems with few or no relevance judgments
#'
#' Ranks systems with a confidence for every pair, selects the next document to judge, and decides when to stop.
#' Guides: `vignette("rank-runs")`, `vignette("rank-answers")`, `vignette("judging-campaign")` and
#' `vignette("ordinal-models")`. `vignette("glossary")` defines the terms.
#'
#' @section Main functions:
#' - [test_collection()] combines runs, metadata and judgments into the object that most functions take.
#' - [rank_systems()] ranks the systems with few or no judgments.
#' - [judging_session()] selects documents to judge until a goal is reached, [judge_app()] shows them in a browser, and
#'   [judging_plan()] predicts how many judgments this takes.
#' - [gain_model()] learns from past judged collections; `grades` in [rank_systems()] uses the grades of a language
#'   model.
#' - [report()] writes a report, and [calibration()] checks whether the predictions hold.
#' - [evaluate()] computes effectiveness measures from judgments, and [compare_systems()] tests whether systems differ.
#' - [pom()] fits ordinal regression models.
#' - [preference_session()] sorts documents by preference judgments.
#' - [mtc()] is the published algorithm.
#'
#' @section What is new and what is not: Minimal test collections ([mtc()], [mirex_model()]) were published by Urbano
#'   and Schedl (2013); joint gains ([joint_gains()]) are new. The models of [pom()] are those of the R packages MASS,
#'   ordinal, VGAM and rms; measures and significance tests are published ones, too.
#'
#' @section Arguments: Words such as `fallback = "uniform"` are matched exactly, as are names of systems, queries and
#'   documents, which may be text, numbers or factors. An invalid argument raises `judicious_error_argument`, a missing
#'   package `judicious_error_missing_package`. With a number as `seed`, results are reproducible, and the state of R's
#'   random number generator is restored. The option `judicious.progress`, TRUE or FALSE, is the default of every
#'   argument `progress`; without it, progress bars are shown in interactive sessions.
#'
#' Missing values and infinite numbers raise an error that names the row, unless the help states otherwise.
#'
#' @section Terms: A *confidence* is a probability, given the judgments so far and the distribution of the missing
#'   gains, that a statement about systems is true. A *confidence interval* is a frequentist one.
#'
#' @references Urbano, J. and Schedl, M. (2013). Minimal test collections for low-cost evaluation of Audio Music
#'   Similarity and Retrieval systems. IJMIR 2, 59-70.
#' @keywords internal
"_PACKAGE"

#' @useDynLib judicious, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @import stats
NULL

# Re-exports the generics of other packages, so that attaching this package does not mask them. The help pages of the
# methods have these names as aliases.
#' @importFrom generics augment evaluate glance tidy
#' @export augment
#' @export evaluate
#' @export glance
#' @export tidy
NULL

# The generics of nlme are loaded on first use, because loading nlme takes a tenth of the time of a short command.
#' @rawNamespace export(fixef, ranef, VarCorr)
.onLoad <- function(libname, pkgname) {
  delayedAssign("fixef", nlme::fixef, assign.env = topenv())
  delayedAssign("ranef", nlme::ranef, assign.env = topenv())
  delayedAssign("VarCorr", nlme::VarCorr, assign.env = topenv())
  register_elsewhere()
}

# ggplot2's aes() uses `.data` as a pronoun, so it is not an undefined variable.
utils::globalVariables(".data")
