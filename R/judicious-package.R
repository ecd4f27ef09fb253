#' Rank retrieval systems with few or no relevance judgments
#'
#' `vignette("judicious")` tells the main job as a story; the help of each function has the rest.
#'
#' @section What is new and what is not: Minimal test collections with learned gain distributions ([mtc()],
#' [mirex_model()]) were published with a C# program (Urbano and Schedl, 2013); this is their first implementation in
#' R. Joint gains ([joint_gains()]) are new. The ordinal models of [pom()] are those of the R packages MASS
#' (`polr()`), ordinal (`clm()`, `clmm()`), VGAM (`vglm()`) and rms (`lrm()`, `orm()`), fitted by another algorithm;
#' measures of runs are those of trec_eval (in C) and of the papers named at [measure()]; significance tests are those
#' of R's stats package and of the papers named at [compare_systems()].
#'
#' @section Arguments: Where an argument takes one of several words, such as `fallback = "uniform"`, they are matched
#' exactly, in their case. Arguments documented as one number, one string or TRUE or FALSE take vectors of length one
#' and nothing else. Names of systems, queries and documents are compared exactly too; numbers and factors serve as
#' well as text. Tables may be data frames of any kind, tibbles and data tables among them.
#'
#' Missing values of the data are an error that names the row, unless the function's help says otherwise: models have
#' `na.action`, [gain_distribution()] has `fallback`, [evaluate()] has policies for each kind. Infinite and undefined
#' numbers are treated alike.
#'
#' @section Terms: A *confidence* is a probability, given the judgments so far and the distribution of the missing
#' gains, that a statement about systems is true. A *confidence interval* of a coefficient or of a difference is a
#' frequentist one, at the level asked for. A *p-value* is of the null hypothesis that the help of the test names,
#' that systems do not differ unless it says otherwise.
#'
#' @section State of development: The package is new: the names of its functions and arguments are meant to stay, what
#' is changed is told in the news. Further development follows the needs of its users.
#'
#' @references Urbano, J. and Schedl, M. (2013). Minimal test collections for low-cost evaluation of
#'   Audio Music Similarity and Retrieval systems. International Journal of Multimedia Information
#'   Retrieval 2, 59-70.
#' @keywords internal
"_PACKAGE"

#' @useDynLib judicious, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @import stats
NULL

# Generics of other packages, exported again so that attaching this package masks none of them. The help of the methods
# has their names as aliases.
#' @importFrom nlme fixef ranef VarCorr
#' @importFrom generics augment evaluate glance tidy
#' @export fixef
#' @export ranef
#' @export VarCorr
#' @export evaluate
NULL

# The pronoun of ggplot2's aes().
utils::globalVariables(".data")
