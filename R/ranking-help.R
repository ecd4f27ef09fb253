#' Rank sets: which ranks a system may have
#'
#' With probability `level`, the true ranks of *all* systems lie in their rank sets, from `rank_lower` to `rank_upper`
#' of a ranking by [rank_systems()]. [rank_probabilities()] has the probability of each rank.
#'
#' @section Definition: A rank is 1 plus the number of better systems, so equal systems share one. The sets come from
#'   `r rank_draws` joint draws of the scores with a fixed seed, from a t distribution with `r rank_set_freedom`
#'   degrees of freedom (section 4 of `vignette("methods")`).
#'
#'   Systems are *identical* if their estimates are equal and their difference has no variance: they returned the same
#'   lists, or every document that distinguishes them is judged. More than `r max_matrix_systems` systems by the
#'   default ranking have no sets (NA).
#'
#' @section What print() states: The groups of systems that the sets separate. If it decides the order of more pairs:
#'   which first systems are all above which last ones, and the smallest set of systems that holds the best one, each
#'   with probability `level` by the same draws.
#'
#' @section Why statements differ: Rank sets hold for all systems at once; the confidence of a pair, the probability of
#'   being the best and the set that holds the best are each about one question. So a pair can be decided although its
#'   rank sets overlap, and a system whose set begins at 1 need not be among those that may be the best.
#' @seealso [goal_ranks()] judges until the sets are narrow.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 4, seed = 1)
#' ranking <- rank_systems(x, judgments = judgments_of(x)[1:100, ])
#' as.data.frame(ranking)[c("system", "rank", "rank_lower", "rank_upper")]
#' @name rank_sets
NULL

#' Rankings when assessors disagree
#'
#' If documents were judged by several assessors, [rank_systems()] and [judging_session()] learn how lenient and how
#' reliable each of them is, and rank for the consensus, for another assessor, or for one of them.
#'
#' @section Model: A judgment is the consensus about the document, plus the leniency of the assessor, plus an error.
#'   Leniency and error variance of each assessor are learned from documents that several judged. The gain of a
#'   document with several judgments is their mean, each less the leniency of its assessor and weighted by the
#'   assessor's precision. A final judgment of a lead (`final` in [judge()]) replaces all others. With `"consensus"`
#'   and `"another"`, errors that an assessor's judgments of a query, or of all documents, have in common enter, too
#'   (section 11 of `vignette("methods")`).
#'
#'   Where documents were judged twice, the probability that the judgments are noise is computed from their agreement;
#'   the less assessors agree, the more a ranking falls back to the one without judgments.
#'
#' @section Choices: The argument `assessor` is one of:
#'   - `"these"` (default): the gains computed from the judgments are taken as the truth. Where no document was judged
#'     twice, they are the judgments themselves.
#'   - `"consensus"`: the mean over all assessors like these. The more assessors judged a document, the more certain it
#'     is.
#'   - `"another"`: one more assessor who judges the same documents. The confidence is the probability that this
#'     assessor's judgments would give two systems the same order.
#'   - a name: as if this assessor had judged all judged documents; where this is not so, the judgments of others count,
#'     less the difference in leniency and with their errors.
#'
#'   All except `"these"` need joint gains and a measure that is a sum over documents of untransformed gains, such as AG
#'   and DCG.
#'
#' @section What print() states: With up to `r max_reconsidered` judged documents, a ranking by `"these"` judgments
#'   also states the confidence that another assessor would agree and, if documents were judged twice, that in the
#'   consensus.
#' @seealso [agreement()] for the leniency of each assessor.
#' @examples
#' # Is one assessor enough? Compare the confidence in the consensus.
#' x <- simulate_collection(queries = 10, documents = 200, artists = 30, systems = 4, seed = 1)
#' ann <- cbind(judgments_of(x)[1:60, ], assessor = "ann")
#' bob <- transform(ann[1:30, ], assessor = "bob", gain = pmin(100, gain + 10))
#' ranking_confidence(rank_systems(x, judgments = ann, assessor = "consensus"))
#' ranking_confidence(rank_systems(x, judgments = rbind(ann, bob), assessor = "consensus"))
#' @name ranking_assessors
NULL

#' Design-based estimates, without a model
#'
#' `rank_systems(x, "design")` ranks by documents that were judged at random, without a model of gains. Use it to check
#' joint gains.
#'
#' @section Estimates: A system's estimate is what a linear function of the grades, fitted to the judged documents,
#'   predicts on average for its results, plus the mean error of this prediction over its judged ones: the regression
#'   estimator of survey sampling; for one system and one grader, PPI++ with power tuning. With fewer than ten judgments
#'   for each grader, grades are not used. Variances are those of sampling without replacement, with quantiles of t;
#'   each is averaged with that of all systems' errors, which has the weight of three documents.
#'
#' @section Needs: Judged documents drawn at random from the pool, two of every system at least, and a measure that is
#'   a sum over documents. Of a session, or of judgments with a column `audit`, only the audit counts, weighted by its
#'   sampling probabilities.
#' @references Angelopoulos et al. (2023). PPI++: Efficient prediction-powered inference. arXiv:2311.01453.
#' @seealso [calibration()] for a session's predictions.
#' @examples
#' x <- simulate_collection(queries = 30, documents = 300, artists = 40, systems = 4, seed = 1)
#' judged <- judgments_of(x)
#' rank_systems(x, "design", judgments = judged[sample(nrow(judged), 100), ])
#' @name ranking_design
NULL

#' Measures in rankings
#'
#' [rank_systems()] ranks by any measure of [measure()] of which higher values are better. This page says which are
#' exact, which need draws of the gains, and which can guide judging in [judging_session()], [judging_plan()],
#' [select_documents()] and [mtc_study()].
#'
#' @section Sums over documents: AG, CG, P, DCG, RBP, and nDCG and ANDCG with `ideal = "maximum"` are sums, over the
#'   documents of a list, of a weight of the rank times a function of the gain. Means and covariance of the systems then
#'   follow exactly from those of the gains: always for [gain_distribution()]; for [joint_gains()] if the function is
#'   the gain itself, if the joint gains were made for the measure, or if the scale has two levels. Otherwise they are
#'   estimated from draws.
#'
#'   The function of P on a graded scale is 1 for gains of at least `rel` and 0 for others; that of `gain = "exp"` is
#'   2^gain - 1. `joint_gains(measure = "P@5")` describes the value of this function: a model of relevance. Learn a
#'   [gain_model()] for the same measure. Negative levels of a scale count as gains; [evaluate()] treats them as
#'   unjudged.
#'
#' @section AP of independent gains: Means, variances and covariances are exact (Carterette, Allan and Sitaraman 2006;
#'   Aslam, Pavlu and Yilmaz 2006), at a cost quadratic in the documents of a query. Unjudged documents outside the
#'   pool count as not relevant.
#'
#' @section Measures that need draws: All others (AP, RR, ERR, nDCG with the judged ideal, [measure_custom()], ...) need
#'   [joint_gains()]. Their means, covariance and ranks are estimated from `draws` of the gains
#'   ([simulate()][simulate.judicious_joint_gains]), so means have a standard error of `sd` / sqrt(`draws`). Where a
#'   measure is not defined for a query, or a system returned no document for it, the value is 0.
#'
#'   To select documents, such a measure is approximated by a weighted sum over ranks, fitted to draws.
#'
#' @section Measures that can guide judging: Built-in measures of which higher values are better, averaged over the
#'   queries (or summed, if they are sums over documents). Measures by [measure_custom()], other totals and geometric
#'   means such as `"gm_map"` raise an error: to rank by them, make joint gains without `measure` and use
#'   `rank_systems(x, gains, measure = )`.
#' @references Aslam et al. (2006). A statistical method for system evaluation using incomplete judgments. SIGIR.
#'
#'   Carterette et al. (2006). Minimal test collections for retrieval evaluation. SIGIR.
#' @examples
#' x <- simulate_collection(queries = 10, documents = 200, artists = 30, systems = 4, seed = 1)
#' rank_systems(x, judgments = judgments_of(x)[1:40, ], measure = "nDCG@5", seed = 1)
#' @name ranking_measures
NULL
