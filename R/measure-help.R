#' Measures of precision and recall
#'
#' Measures for which a document is relevant or not, such as AP. [measure()] explains how their names are written for
#' [evaluate()], [rank_systems()] and others.
#'
#' @section Measures: `{}` stands for values.
#'
#' `r source("data-raw/measures-help.R", list2env(list(family = "precision"), parent = asNamespace("judicious")))$value`
#'
#' @section Parameters:
#' - `rel`: the lowest gain that is relevant.
#' - `mean`: how the queries are combined: `"arithmetic"`, or `"geometric"` (values below 0.00001 count as 0.00001).
#' - `beta`: the weight of recall in F.
#' - `rounding`: how the product of a recall point and the number of relevant documents becomes a whole number: `"up"`
#'   if its fractional part is at least 0.1 (trec_eval up to version 9), or to the `"nearest"` one (version 10).
#'
#' @section Differences from other programs: `pair_accuracy`: ir_measures leaves out queries without a relevant document
#'   in the list; here their value is 0.
#' @references Aslam and Pavlu (2007). A practical sampling strategy for efficient retrieval evaluation. Northeastern
#'   University.
#'
#'   Buckley and Voorhees (2004). Retrieval evaluation with incomplete information. SIGIR.
#'
#'   Yilmaz and Aslam (2006). Estimating average precision with incomplete and imperfect judgments. CIKM.
#'
#'   Yilmaz et al. (2008). A simple and efficient sampling method for estimating AP and NDCG. SIGIR.
#' @examples
#' measure(c("AP", "P@10", "recall(rel=2)@100"))
#' @name measures_precision
NULL

#' Measures of graded gain
#'
#' Measures that use how relevant a document is, such as nDCG. [measure()] explains how their names are written for
#' [evaluate()], [rank_systems()] and others.
#'
#' @section Measures: Ranks beyond the end of a list have gain 0. `{}` stands for values.
#'
#' `r source("data-raw/measures-help.R", list2env(list(family = "gain"), parent = asNamespace("judicious")))$value`
#'
#' @section Parameters:
#' - `rel`: gains below it count as 0, if it is given; in `binG` and `Rndcg`, the lowest gain that is relevant.
#' - `gain`: the transformation of the gains: `"linear"` (none), `"exp"` (2^gain - 1), a table such as
#'   `c("1" = 3, "2" = 9)` (other gains are not transformed), or a function of a vector of gains.
#' - `discount`: `"log2"` divides by log2(1 + rank), as trec_eval does. `"log_b"` divides by the logarithm of the rank
#'   to base `b`, from rank `b` on (Jarvelin and Kekalainen 2002): this is equation 2 of Urbano et al. (2011), whose
#'   measures are `"nDCG(discount=log_b)@5"` and `"ANDCG(discount=log_b)@5"`. A function returns the weights of a
#'   vector of ranks.
#' - `ideal`: the list by which nDCG divides: the `"judged"` documents in the best order, or `"maximum"`, `k` documents
#'   of the highest gain.
#' - `max`: the highest possible gain; by default that of the judgments or the collection's scale.
#'
#' @references Jarvelin and Kekalainen (2002). Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4).
#'
#'   Urbano et al. (2011): see [power_analysis()].
#'
#'   Yilmaz et al. (2008). A simple and efficient sampling method for estimating AP and NDCG. SIGIR.
#' @examples
#' measure(c("AG@5", "nDCG(gain=exp)@10"))
#' measure("ANDCG", k = 5, discount = "log_b")
#' @name measures_gain
NULL

#' Measures of user models
#'
#' Measures that follow a user down the list until the user stops. [measure()] explains how their names are written for
#' [evaluate()], [rank_systems()] and others.
#'
#' @section Measures: `{}` stands for values.
#'
#' `r source("data-raw/measures-help.R", list2env(list(family = "user"), parent = asNamespace("judicious")))$value`
#'
#' @section Parameters:
#' - `p`: the probability of continuing to the next document. For RBP and its residual also the name of a numeric column
#'   of a collection's queries, as in `"RBP(p=persistence)@10"`, with which [evaluate()] takes each query's own.
#' - `rel`: the lowest gain that is relevant. `gain`: the transformation of the gains, as in [measures_gain].
#' - `T`: the total gain that a user wants, if a document of the highest gain counts as 1. `min` and `max`: the gains
#'   that count as 0 and as 1, by default 0 and the highest of the judgments or the scale. `horizon`: the last rank that
#'   any user examines. In RBP, `max = "query"` is the highest gain among the query's judgments, at least 1.
#'
#' @section Differences from other programs:
#' - `ERR`: gdeval always divides by 2^4, as `"ERR(max=4)@20"` does.
#' - `RBP(p=0.9)`: ir_measures requires `rel`, here 1 by default. `"rbp.95"` is the measure of ranx, with binary gains
#'   and `p = 0.95`; `"rbp"` is that of trec_eval by its formula. In `"rbp@95"`, 95 is a cutoff.
#' - `min` and `max` are `min_rel` and `max_rel` in ir_measures.
#' - `Compat`: its authors' program compares the top 1,000, as `"Compat(depth=1000)"` does.
#'
#' @references Azzopardi et al. (2021). ERR is not C/W/L: exploring the relationship between expected reciprocal rank
#'   and other metrics. ICTIR.
#'
#'   Azzopardi et al. (2019). cwl_eval: an evaluation tool for information retrieval. SIGIR.
#'
#'   Chapelle et al. (2009). Expected reciprocal rank for graded relevance. CIKM.
#'
#'   Clarke et al. (2021). Assessing top-k preferences. ACM TOIS 39(3).
#'
#'   Moffat and Zobel (2008). Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27(1).
#'
#'   Moffat et al. (2012). Models and metrics: IR evaluation as a user process. ADCS.
#'
#'   Moffat et al. (2015). INST: an adaptive metric for information retrieval evaluation. ADCS.
#'
#'   Zhang et al. (2017). Evaluating web search with a Bejeweled player model. SIGIR.
#' @examples
#' measure(c("RBP(p=0.95)", "ERR@10", "INST(T=2)"))
#' @name measures_user
NULL

#' Measures of subtopics and nuggets
#'
#' Measures of diversity, for judgments with a column `subtopic` in [evaluate()], and of the nuggets that answers
#' support. [measure()] explains how names are written.
#'
#' @section Measures:
#' `r source("data-raw/measures-help.R", list2env(list(family = "subtopic"), parent = asNamespace("judicious")))$value`
#'
#' @section Parameters: `rel`: the lowest gain that is relevant. `alpha`: by how much a subtopic is worth less for each
#'   earlier document of it. `beta`: persistence.
#'
#' @section Differences from other programs: ndeval's value is 0 where a query has no relevant document; here it is not
#'   defined (see `undefined` in [evaluate()]).
#'
#' @section Ranking systems with few judgments: A [test_collection()] has one gain per document. `P_IA`, `AP_IA`,
#'   `StRecall` and `nugget_recall` are means over the subtopics of a query of `P`, `AP`, `success` and `AG` (with
#'   gains of 0, 0.5 and 1), and `ERR_IA` with `alpha = 0.5` is one of `ERR(max=1)`, up to a factor that depends on `k`
#'   only. Make a collection in which each subtopic is a query with the results of its query and, in `queries`, the
#'   `weight` 1 over the number of its subtopics (of a nugget, its share of their weights); [rank_systems()] then ranks
#'   by that measure. Its confidence has not been checked on such collections.
#' @references Chapelle et al. (2011). Intent-based diversification of web search results: metrics and algorithms.
#'   Information Retrieval 14(6).
#'
#'   Clarke et al. (2008). Novelty and diversity in information retrieval evaluation. SIGIR.
#'
#'   Clarke et al. (2009). An effectiveness measure for ambiguous and underspecified queries. ICTIR.
#'
#'   Pradeep et al. (2024). Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
#'   framework. arXiv 2411.09607.
#' @examples
#' runs <- data.frame(system = "A", query = "q", doc = c("d1", "d2"), rank = 1:2)
#' judgments <- data.frame(query = "q", doc = c("d1", "d2"), subtopic = c("s1", "s2"), gain = 1)
#' evaluate(runs, judgments, c("alpha_nDCG@2", "StRecall@1"))
#' @name measures_subtopic
NULL

#' Counts of documents and queries
#'
#' Counts and shares that describe lists and judgments. Pass their names to [evaluate()]; [measure()] explains how names
#' are written.
#'
#' @section Measures: `rel` is the lowest gain that is relevant. `{}` stands for values.
#'
#' `r source("data-raw/measures-help.R", list2env(list(family = "count"), parent = asNamespace("judicious")))$value`
#'
#' @section Differences from other programs: `judged`: ir_measures counts negative judgments; here they mark documents
#'   that are not judged.
#' @examples
#' measure(c("num_rel_ret", "judged@10"))
#' @name measures_count
NULL
