#' Grades of language models and other graders
#'
#' Grades by a language model, a metric, another person or an older set of judgments make rankings more certain. Pass
#' them as `grades` to [test_collection()], [rank_systems()], [judging_session()] or [joint_gains()], which learn from
#' the judgments how informative they are. [grader_validation()] checks them.
#'
#' @section Forms of grades: NULL uses those of the collection, FALSE none; others replace those of the collection, with
#'   a message. One of:
#'   - a data frame with `query`, `doc` and `grade` (or `gain` or `strength`; numbers or an ordered factor), or its path
#'     in a format of [read_judgments()];
#'   - strengths of the documents, by [bradley_terry()] of preferences;
#'   - one number per pair, in pool order;
#'   - for several graders, a named list of these, a vector of paths, or one data frame or file with a column `grader`.
#'     With a column `repeat`, a grade is the mean of the repeated ones;
#'   - a matrix of the probabilities of the levels (of the ten model levels on the Fine scale), pairs by levels, of
#'     which the logit of the expected gain is used;
#'   - a function of the collection that returns any of these, such as
#'     `function(x) gain_distribution(model, output_features(x), fallback = "NA")$prob`.
#'
#'   A pair without a grade (NA) is treated as average. Grades of documents outside the pool are ignored.
#'
#' @section What is learned: Each step up a grader's scale, whatever its unit, adds an amount to the logit of the mean
#'   gain. A single grader with more than `r max_grades` different grades, or with probabilities, has one slope
#'   (`grades`) instead; among several graders, its grades are cut into `r max_grades` groups of about the same size.
#'   Amounts and slope describe documents within systems. Differences between systems in their mean grades have a slope
#'   of their own, `system_grades`. A [gain_model()] learns the amounts for graders of the same names.
#'
#'   Without such a model, the prior is a mixture: the graders are informative, as three language models on TREC Deep
#'   Learning 2019 and 2020 are, or they say nothing. The weights depend on the correlation, within queries, of the
#'   grades with the number of teams that retrieved a document, and on how probable the judgments are under each. In a
#'   small pool, both have a weight near 1/2 before judgments, and `print()` says so. Section 10 of
#'   `vignette("methods")` has the formulas.
#'
#' @section Favoured systems: Systems that a grader re-ranked have better grades than they deserve. They are detected
#'   if the runs have ranks: their mean grades are then not used, and `print()` names them. Teams with higher grades
#'   than the agreement of their lists with others suggests may be better or favoured: where systems share documents,
#'   up to `r max_favours` of them have a slope of their own (`favour:` and the team's name). Where systems share no
#'   documents, as with single answers, stated variances allow for favours, and [goals] wait for judgments of every
#'   system. If a grader may favour a system, judge some documents before you trust a ranking.
#' @seealso [grade_documents()] asks a language model. The article "How far statements can be trusted" has results with
#'   good, useless and partial graders.
#' @examples
#' rank_systems(text_demo, judgments = FALSE, grades = text_grades)
#' @name graders
NULL
