# What there is to measure: one entry per measure, which constructors, parser, printing and kernel share.

# `kind` is the kernel's name; `args` the arguments with their defaults (NULL: none), in the order in
# which they print; `cutoff` is "none", "optional" or "required"; `ranks` whether the order of the
# documents matters; `total` how queries are put together: mean, geometric mean or sum.
measure_type <- function(kind, title, args = list(), cutoff = "optional", range = c(0, 1), direction = "higher",
                         ranks = TRUE, total = "mean") {
  list(kind = kind, title = title, args = args, cutoff = cutoff, range = range, direction = direction, ranks = ranks,
       total = total)
}

graded_args <- list(rel = NULL, gain = "linear")
discount_args <- c(graded_args, list(discount = "log2", b = 2))
ideal_args <- c(discount_args, list(ideal = "judged", max = NULL))
unbounded <- c(0, Inf)

measure_types <- list(
  AG = measure_type("ag", "average gain", graded_args, range = unbounded, ranks = FALSE),
  CG = measure_type("cg", "cumulated gain", graded_args, range = unbounded, ranks = FALSE),
  DCG = measure_type("dcg", "discounted cumulated gain", discount_args, range = unbounded),
  nDCG = measure_type("ndcg", "normalised discounted cumulated gain", ideal_args),
  IDCG = measure_type("ideal_dcg", "ideal discounted cumulated gain", discount_args, range = unbounded,
                      direction = "none", ranks = FALSE),
  ANDCG = measure_type("andcg", "average normalised discounted cumulated gain", ideal_args),
  ADR = measure_type("adr", "average dynamic recall", list(gain = "linear")),
  P = measure_type("p", "precision", list(rel = 1), ranks = FALSE),
  recall = measure_type("recall", "recall", list(rel = 1), ranks = FALSE),
  F = measure_type("f", "F measure", list(beta = 1, rel = 1), ranks = FALSE),
  relative_P = measure_type("relative_p", "precision relative to the highest possible", list(rel = 1), ranks = FALSE),
  set_AP = measure_type("set_ap", "precision times recall", list(rel = 1), ranks = FALSE),
  success = measure_type("success", "success", list(rel = 1), ranks = FALSE),
  AP = measure_type("ap", "average precision", list(rel = 1, mean = "arithmetic")),
  RR = measure_type("rr", "reciprocal rank", list(rel = 1)),
  Rprec = measure_type("rprec", "R-precision", list(x = 1, rel = 1), cutoff = "none"),
  BEP = measure_type("bep", "break-even point", list(rel = 1), cutoff = "none"),
  Fmax = measure_type("fmax", "maximal F measure", list(rel = 1)),
  iprec = measure_type("iprec", "interpolated precision", list(recall = (0:10) / 10, rel = 1, rounding = "up")),
  AUC = measure_type("auc", "area under the ROC curve", list(rel = 1)),
  bpref = measure_type("bpref", "binary preference", list(rel = 1, mean = "arithmetic"), cutoff = "none"),
  infAP = measure_type("infap", "inferred average precision", list(rel = 1), cutoff = "none"),
  RBP = measure_type("rbp", "rank-biased precision", list(p = 0.8, gain = "binary", rel = 1, max = NULL)),
  RBPresidual = measure_type("rbp_residual", "residual of rank-biased precision", list(p = 0.8), direction = "lower"),
  ERR = measure_type("err", "expected reciprocal rank", list(gain = "exp", max = NULL)),
  judged = measure_type("judged", "share judged", ranks = FALSE, direction = "none"),
  unjudged = measure_type("unjudged", "share unjudged, of the cutoff", ranks = FALSE, direction = "lower"),
  num_ret = measure_type("n_ret", "documents retrieved", cutoff = "none", range = unbounded, direction = "none",
                         ranks = FALSE, total = "sum"),
  num_rel = measure_type("n_rel", "relevant documents", list(rel = 1), "none", unbounded, "none", FALSE, "sum"),
  num_rel_ret = measure_type("n_rel_ret", "relevant documents retrieved", list(rel = 1), "none", unbounded, "higher",
                             FALSE, "sum"),
  num_nonrel_judged_ret = measure_type("n_nonrel_judged", "judged documents retrieved that are not relevant",
                                       list(rel = 1), "none", unbounded, "lower", FALSE, "sum"),
  utility = measure_type("utility", "utility", list(a = 1, b = -1, c = 0, d = 0, n = 0, rel = 1), "none",
                         c(-Inf, Inf), ranks = FALSE),
  yaap = measure_type("yaap", "smoothed average precision", list(rel = 1), "none", c(-Inf, Inf)),
  binG = measure_type("bing", "binary G", list(rel = 1), "none"),
  G = measure_type("g", "normalised gain G", list(gain = "linear"), "none"),
  ndcg_rel = measure_type("ndcg_rel", "nDCG averaged at the relevant documents", list(gain = "linear"), "none"),
  Rndcg = measure_type("rndcg", "nDCG averaged where the ideal gain falls", list(rel = 1, gain = "linear"), "none")
)

# Other names of the same measures, lower case.
measure_aliases <- c(r = "recall", map = "AP", mrr = "RR", recip_rank = "RR", "r-prec" = "Rprec", rprecision = "Rprec",
                     precision = "P", mapcut = "AP", "r-precision" = "Rprec", idealdcg = "IDCG")

find_measure_type <- function(name) {
  exact <- match(lower_ascii(name), lower_ascii(names(measure_types)))
  if (!is.na(exact)) names(measure_types)[exact] else unname(measure_aliases[lower_ascii(name)])
}

# The table as a list in markdown, for the help page of measure().
describe_measure_types <- function() {
  titles <- vapply(measure_types, `[[`, "", "title")
  paste0("- `", names(titles), "`: ", titles, collapse = "\n")
}
