#' Make measures from arguments
#'
#' One constructor per measure; [measure()] makes the same objects from their printed names. With `G(i)` the gain of
#' the document at rank `i`, `R` the number of relevant documents of the query (judged with a gain of at least
#' `rel`), and documents beyond the end of a list without gain:
#'
#' - `measure_cg()`: the sum of the top `k` gains; `measure_ag()`: this divided by `k` (MIREX uses it: Urbano et al.
#'   2011, equation 1).
#' - `measure_dcg()`: the sum of discounted gains; `measure_ndcg()`: this divided by the same of an ideal list;
#'   `measure_andcg()`: the mean of nDCG at ranks 1 to `k` (Urbano et al. 2011, equations 2 to 4). `discount =
#'   "log2"` divides by log2(1 + rank), as trec_eval does; `"log_b"` by the logarithm of the rank to base `b`, from
#'   rank `b` on (Jarvelin and Kekalainen 2002). `gain = "exp"` is 2^G - 1.
#' - `measure_adr()`: average dynamic recall (Urbano et al. 2011, equations 5 and 6): the mean over ranks `i` of the
#'   share of the first `i` results that an ideal order may have by rank `i`. Without `k`, the number of judged
#'   documents.
#' - `measure_precision()`, `measure_recall()`, `measure_f()`: of the top `k`, or of the whole list; precision
#'   divides by `k` even where the list is shorter. F is (1 + beta^2) P R / (beta^2 P + R).
#' - `measure_ap()`: the mean over relevant documents of the precision at their ranks; `measure_rr()`: one over the
#'   rank of the first; `measure_success()`: whether there is one.
#' - `measure_rprec()`: the precision at rank `x` times `R`; `measure_bep()`: the break-even point, the precision at
#'   `R`, which exists where a relevant document is among the first `R`; `measure_fmax()`: the highest F at any
#'   rank. `measure_iprec()`: the precision at a recall, interpolated (the highest at that recall or a higher one),
#'   averaged over `recall`; the default is the 11-point average.
#' - `measure_auc()`: the area under the ROC curve, of the documents that are retrieved or judged; those that are
#'   not retrieved count as tied at the end. `measure_bpref()`: Buckley and Voorhees 2004, with trec_eval's
#'   correction; `measure_infap()`: Yilmaz and Aslam 2006.
#' - `measure_rbp()`: rank-biased precision (Moffat and Zobel 2008), with binary gains (at least `rel`), or graded
#'   ones divided by the highest; `measure_rbp_residual()`: how much higher it could be if everything not judged
#'   were relevant. `measure_err()`: expected reciprocal rank (Chapelle et al. 2009).
#' - `measure_judged()`: the share of the retrieved documents, of the top `k`, that is judged.
#'
#' @param k The cutoff, a rank; NULL for the whole list.
#' @param rel The lowest gain that is relevant. For measures of gain: gains below it count as zero; NULL counts all.
#' @param gain What a judged gain is worth: `"linear"` (itself), `"exp"` (2^gain - 1), a table such as `c("1" = 3,
#'   "2" = 9)` (grades it leaves out count linearly), or a function of a vector of gains. RBP also takes `"binary"`.
#' @param discount `"log2"`, `"log_b"`, or a function that gives the weights of a vector of ranks.
#' @param b The base for `"log_b"`.
#' @param ideal The list that nDCG divides by: the query's `"judged"` documents in the best order, or `"maximum"`,
#'   `k` documents of the highest gain.
#' @param max The highest gain there can be; NULL: the highest among the judgments (or of the collection's scale).
#'   For RBP also `"query"`: the highest gain among the query's judgments, 1 at least, as trec_eval's `rbp`.
#' @param beta Weight of recall.
#' @param recall Recall points.
#' @param rounding A recall point stands for a number of relevant documents: its share of all, rounded `"up"` (from
#'   a tenth on: trec_eval up to version 9) or to the `"nearest"` (version 10).
#' @param mean How queries are put together: `"arithmetic"`, or `"geometric"` (values below 0.00001 count as that).
#' @param x A multiple of the number of relevant documents.
#' @param p Persistence: the probability to go on to the next document.
#' @return A `judicious_measure`; see [measure()].
#' @references Buckley, C. and Voorhees, E. (2004). Retrieval evaluation with incomplete information. SIGIR.
#'
#' Chapelle, O. et al. (2009). Expected reciprocal rank for graded relevance. CIKM.
#'
#' Jarvelin, K. and Kekalainen, J. (2002). Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4).
#'
#' Moffat, A. and Zobel, J. (2008). Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS
#' 27(1).
#'
#' Urbano, J. et al. (2011). Audio music similarity and retrieval: evaluation power and stability. ISMIR.
#'
#' Yilmaz, E. and Aslam, J. (2006). Estimating average precision with incomplete and imperfect judgments. CIKM.
#' @seealso [evaluate()], [measure_custom()] for your own.
#' @examples
#' measure_ag(5)
#' measure_ndcg(5, discount = "log_b")
#' measure_ndcg(10, gain = "exp", ideal = "maximum", max = 3)
#' measure_dcg(10, gain = function(g) sqrt(g))
#' measure_f(beta = 2)
#' @name measure_constructors
NULL

cut_at <- function(k, call = caller_env()) {
  if (is.null(k)) return(NA)
  check_count(k, "k", call = call)
}

#' @rdname measure_constructors
#' @export
measure_ag <- function(k = NULL, rel = NULL, gain = "linear") {
  build_measure("AG", list(rel = rel, gain = gain), cut_at(k))
}

#' @rdname measure_constructors
#' @export
measure_cg <- function(k = NULL, rel = NULL, gain = "linear") {
  build_measure("CG", list(rel = rel, gain = gain), cut_at(k))
}

#' @rdname measure_constructors
#' @export
measure_dcg <- function(k = NULL, rel = NULL, gain = "linear", discount = "log2", b = 2) {
  build_measure("DCG", list(rel = rel, gain = gain, discount = discount, b = b), cut_at(k))
}

#' @rdname measure_constructors
#' @export
measure_ndcg <- function(k = NULL, rel = NULL, gain = "linear", discount = "log2", b = 2, ideal = "judged",
                         max = NULL) {
  args <- list(rel = rel, gain = gain, discount = discount, b = b, ideal = ideal, max = max)
  build_measure("nDCG", args, cut_at(k))
}

#' @rdname measure_constructors
#' @export
measure_andcg <- function(k = NULL, rel = NULL, gain = "linear", discount = "log2", b = 2, ideal = "judged",
                          max = NULL) {
  args <- list(rel = rel, gain = gain, discount = discount, b = b, ideal = ideal, max = max)
  build_measure("ANDCG", args, cut_at(k))
}

#' @rdname measure_constructors
#' @export
measure_adr <- function(k = NULL) build_measure("ADR", list(), cut_at(k))

#' @rdname measure_constructors
#' @export
measure_precision <- function(k = NULL, rel = 1) build_measure("P", list(rel = rel), cut_at(k))

#' @rdname measure_constructors
#' @export
measure_recall <- function(k = NULL, rel = 1) build_measure("recall", list(rel = rel), cut_at(k))

#' @rdname measure_constructors
#' @export
measure_f <- function(k = NULL, beta = 1, rel = 1) build_measure("F", list(beta = beta, rel = rel), cut_at(k))

#' @rdname measure_constructors
#' @export
measure_ap <- function(k = NULL, rel = 1, mean = "arithmetic") {
  build_measure("AP", list(rel = rel, mean = mean), cut_at(k))
}

#' @rdname measure_constructors
#' @export
measure_rr <- function(k = NULL, rel = 1) build_measure("RR", list(rel = rel), cut_at(k))

#' @rdname measure_constructors
#' @export
measure_success <- function(k = NULL, rel = 1) build_measure("success", list(rel = rel), cut_at(k))

#' @rdname measure_constructors
#' @export
measure_rprec <- function(x = 1, rel = 1) build_measure("Rprec", list(x = x, rel = rel))

#' @rdname measure_constructors
#' @export
measure_bep <- function(rel = 1) build_measure("BEP", list(rel = rel))

#' @rdname measure_constructors
#' @export
measure_fmax <- function(k = NULL, rel = 1) build_measure("Fmax", list(rel = rel), cut_at(k))

#' @rdname measure_constructors
#' @export
measure_iprec <- function(recall = (0:10) / 10, rel = 1, rounding = "up") {
  build_measure("iprec", list(recall = recall, rel = rel, rounding = rounding))
}

#' @rdname measure_constructors
#' @export
measure_auc <- function(k = NULL, rel = 1) build_measure("AUC", list(rel = rel), cut_at(k))

#' @rdname measure_constructors
#' @export
measure_bpref <- function(rel = 1, mean = "arithmetic") build_measure("bpref", list(rel = rel, mean = mean))

#' @rdname measure_constructors
#' @export
measure_infap <- function(rel = 1) build_measure("infAP", list(rel = rel))

#' @rdname measure_constructors
#' @export
measure_rbp <- function(p = 0.8, k = NULL, gain = "binary", rel = 1, max = NULL) {
  build_measure("RBP", list(p = p, gain = gain, rel = rel, max = max), cut_at(k))
}

#' @rdname measure_constructors
#' @export
measure_rbp_residual <- function(p = 0.8, k = NULL) build_measure("RBPresidual", list(p = p), cut_at(k))

#' @rdname measure_constructors
#' @export
measure_err <- function(k = NULL, gain = "exp", max = NULL) {
  build_measure("ERR", list(gain = gain, max = max), cut_at(k))
}

#' @rdname measure_constructors
#' @export
measure_judged <- function(k = NULL) build_measure("judged", list(), cut_at(k))
