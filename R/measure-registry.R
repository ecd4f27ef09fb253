# The registry of measures: one entry for each measure, which the parser, the help, the printer and the C++ kernels use.
# CONTRIBUTING states how to add a measure.

# A parameter of a measure: its default and its check. `spec` has the measure's `base`, `cutoff` and `args`.
parameter <- function(default, check) list(default = default, check = check)

number_parameter <- function(default, min = -Inf, max = Inf, open = FALSE) {
  parameter(default, function(value, name, spec) check_number(value, name, min, max, open))
}

# A parameter that is a number, or the name of a numeric column of a collection's queries with a number for each query.
# Kernels read it by `v.number()`.
query_parameter <- function(default, ...) {
  number <- number_parameter(default, ...)$check
  list(default = default, per_query = TRUE,
       check = function(value, name, spec) if (!is_string(value)) number(value, name, spec))
}

flag_parameter <- function(default) parameter(default, function(value, name, spec) check_flag(value, name))

choice_parameter <- function(default, choices) {
  parameter(default, function(value, name, spec) check_choice(value, choices, name))
}

# Raises an error if there is no cutoff, but a keyword or a function (`option`) needs one to determine the number of
# weights.
check_needed_cutoff <- function(needs, option, spec) {
  abort_unless(!needs || !is.na(spec$cutoff),
               "{.val {spec$base}} with {option} needs a cutoff.", "measure", measure = spec$base)
}

gain_parameter <- function(default, choices = c("linear", "exp")) {
  parameter(default, function(value, name, spec) {
    grades <- suppressWarnings(as.numeric(names(value)))
    is_table <- is.numeric(value) && length(grades) && !anyNA(grades) && all(is.finite(value))
    if (is.function(value) || is_table) return(invisible())
    check_that(!is.numeric(value), "gain", c(
      "must be a function, a word or a table of gains.",
      i = "A table has the judged grades as names: {.code c(\"1\" = 3, \"2\" = 9)}."))
    check_choice(value, choices, "gain")
  })
}

relevant_parameter <- list(rel = number_parameter(1))
mean_parameter <- list(mean = choice_parameter("arithmetic", c("arithmetic", "geometric")))
persistence_parameter <- list(p = query_parameter(0.8, 0, 1, open = TRUE))
linear_gain_parameter <- list(gain = gain_parameter("linear"))
graded_parameters <- c(list(rel = number_parameter(NULL)), linear_gain_parameter)
discount_parameters <- c(graded_parameters, list(
  discount = parameter("log2", function(value, name, spec) {
    check_needed_cutoff(is.function(value), "a discount that is a function", spec)
    if (!is.function(value)) check_choice(value, c("log2", "log_b"), name)
  }),
  b = number_parameter(2, 1, open = TRUE)
))
ideal_parameters <- c(discount_parameters, list(
  ideal = parameter("judged", function(value, name, spec) {
    check_choice(value, c("judged", "maximum"), name)
    check_needed_cutoff(value == "maximum", "an ideal list of the highest gain", spec)
  }),
  max = number_parameter(NULL, 0)
))

# Parameters of user models. Gains are scaled to the range from `min` to `max`, and limited to it. As in cwl_eval, ranks
# beyond the `horizon` are ignored.
scaled_gain_parameters <- list(
  min = number_parameter(0, 0),
  max = parameter(NULL, function(value, name, spec) {
    check_number(value, name, spec$args$min %||% 0, open = TRUE)
  }),
  horizon = parameter(1000, function(value, name, spec) check_count(value, name))
)
goal_parameters <- c(list(T = number_parameter(1, 0, open = TRUE)), scaled_gain_parameters)

# The transformation of gains that the parameters of a measure require.
default_transform <- function(parameters) {
  if (!is.null(parameters$horizon)) return(transform_scaled_gains)
  is_graded <- identical(parameters[names(graded_parameters)], graded_parameters)
  if (is_graded) transform_relevant_gains else transform_gains
}

# Whether the ideal list does not depend on the judgments.
has_fixed_ideal <- function(args) args$ideal == "maximum"

# The help adds the definitions in data-raw/measures.dcf to the titles.
# - `parameters`: in the order in which they print.
# - `aliases`: other spellings of the name. An element without a name is a spelling. Otherwise the name is the spelling
#   and the value is the arguments that it stands for. Braces, as in "unj_{k}", capture the values of the arguments that
#   they name. The value can also be a function that returns the arguments: it is called with the captured value or, if
#   the spelling has no braces, with the parsed name, if the spelling has other arguments than the measure.
# - `cutoff`: whether the measure can have a cutoff; or the name of the parameter that `@` sets.
# - `needs_ranks`: whether the order of the documents matters.
# - `total`: how the values of the queries are combined, "mean" or "sum".
# - `linear`: whether the value is the sum, over the documents, of a weight of the rank times the transformed gain:
#   TRUE, FALSE or a function of the arguments.
# - `transform`: the transformation of the gains, a function of the arguments and the gains; by default that of the
#   parameters.
# - `needs`: columns of the judgments that the measure uses beside query, document and gain: "subtopic", without which
#   it raises an error, or "stratum" (or "probability").
# - `unanswered`: the value of a query without results: "zero"; "undefined" if the measure is undefined for the query
#   regardless of the results; or "query", the value that the query has for every system.
judged_only_parameter <- list(judged_only = flag_parameter(FALSE))

measure_entry <- function(title, parameters = list(), aliases = list(), cutoff = TRUE, range = c(0, 1),
                          direction = "higher", needs_ranks = TRUE, total = "mean", linear = FALSE,
                          transform = default_transform(parameters), unanswered = "zero", needs = NULL) {
  list(title = title, parameters = c(parameters, judged_only_parameter), aliases = aliases,
       cutoff = cutoff, range = range, direction = direction, needs_ranks = needs_ranks, total = total, linear = linear,
       transform = transform, unanswered = unanswered, needs = needs)
}

unbounded <- c(0, Inf)

# Entries of measures that need judgments by subtopic, or of a sample of the pool.
subtopic_entry <- function(title, parameters = list(), aliases = list(), cutoff = TRUE, needs_ranks = TRUE) {
  measure_entry(title, c(parameters, relevant_parameter), aliases, cutoff, needs_ranks = needs_ranks,
                unanswered = "undefined", needs = "subtopic")
}
sampled_entry <- function(title, parameters, aliases = list(), cutoff = FALSE, range = unbounded) {
  measure_entry(title, parameters, aliases, cutoff, range, unanswered = "undefined", needs = "stratum")
}
novelty_parameter <- list(alpha = number_parameter(0.5, 0, 1))
rbp_of_trec_eval <- list(gain = "linear", max = "query")

measure_registry <- list(
  AG = measure_entry("average gain", graded_parameters, range = unbounded, needs_ranks = FALSE, linear = TRUE),
  CG = measure_entry("cumulated gain", graded_parameters, range = unbounded, needs_ranks = FALSE, linear = TRUE),
  DCG = measure_entry("discounted cumulated gain", discount_parameters, list("dcg", dcg_burges = list(gain = "exp")),
                      range = unbounded, linear = TRUE),
  nDCG = measure_entry("normalised discounted cumulated gain", ideal_parameters,
                       list("ndcg", "ndcg_{gain}", "ndcg_cut_{k}", ndcg_burges = list(gain = "exp")),
                       linear = has_fixed_ideal, unanswered = "undefined"),
  IDCG = measure_entry("ideal discounted cumulated gain", discount_parameters, list("ideal_dcg", "idealdcg"),
                       range = unbounded, direction = "none", needs_ranks = FALSE),
  ANDCG = measure_entry("average normalised discounted cumulated gain", ideal_parameters, linear = has_fixed_ideal,
                        unanswered = "undefined"),
  ADR = measure_entry("average dynamic recall", linear_gain_parameter, unanswered = "undefined"),
  P = measure_entry("precision", relevant_parameter, list("precision", "P_{k}", "set_P", SetP = function(parsed) {
    if (isTRUE(parsed$args$relative)) parsed$base <- "relative_P"
    parsed$args$relative <- NULL
    parsed
  }), needs_ranks = FALSE, linear = TRUE, transform = transform_to_relevance),
  recall = measure_entry("recall", relevant_parameter, list("r", "recall_{k}", "set_recall", "SetR"),
                         needs_ranks = FALSE, unanswered = "undefined"),
  F = measure_entry("F measure", c(list(beta = number_parameter(1, 0)), relevant_parameter), list(
    "set_F", "f1", "set_F_{beta}" = function(x) list(beta = sqrt(x)), SetF = function(parsed) {
      if (is.numeric(parsed$args$beta)) parsed$args$beta <- sqrt(parsed$args$beta)
      parsed
    }), needs_ranks = FALSE, unanswered = "undefined"),
  relative_P = measure_entry("precision relative to the highest possible", relevant_parameter,
                             list("relative_P_{k}", "set_relative_P", "SetRelP"), needs_ranks = FALSE),
  set_AP = measure_entry("precision times recall", relevant_parameter, list("set_map", "SetAP"), needs_ranks = FALSE),
  success = measure_entry("success", relevant_parameter, list("success_{k}", "hit_rate", "hitrate", "hit", "hr"),
                          needs_ranks = FALSE, unanswered = "undefined"),
  AP = measure_entry("average precision", c(relevant_parameter, mean_parameter),
                     list("map", "mapcut", "map_cut_{k}", "average_precision",
                          gm_map = list(mean = "geometric")), unanswered = "undefined"),
  RR = measure_entry("reciprocal rank", relevant_parameter, list("mrr", "recip_rank"), unanswered = "undefined"),
  Rprec = measure_entry("R-precision", c(list(x = number_parameter(1, 0)), relevant_parameter),
                        list("r-prec", "rprecision", "r-precision", "r_precision", "Rprec_mult_{x}"), cutoff = FALSE,
                        unanswered = "undefined"),
  BEP = measure_entry("break-even point", relevant_parameter, cutoff = FALSE, unanswered = "undefined"),
  Fmax = measure_entry("maximal F measure", relevant_parameter, unanswered = "undefined"),
  iprec = measure_entry("interpolated precision", c(
    list(recall = parameter((0:10) / 10, function(value, name, spec) {
      check_that(is.numeric(value) && length(value) && !anyNA(value) && !any(value < 0 | value > 1), name,
                 "{.arg recall} must be numbers between 0 and 1.")
    })), relevant_parameter, list(rounding = choice_parameter("up", c("up", "nearest")))),
    list("11pt_avg", "11pt_avg_{recall}", "iprec_at_recall_{recall}"), cutoff = "recall", unanswered = "undefined"),
  AUC = measure_entry("area under the ROC curve", relevant_parameter, unanswered = "undefined"),
  bpref = measure_entry("binary preference", c(relevant_parameter, mean_parameter),
                        list(gm_bpref = list(mean = "geometric")), cutoff = FALSE, unanswered = "undefined"),
  infAP = sampled_entry("inferred average precision", relevant_parameter, list("xinfAP"), range = c(0, 1)),
  infNDCG = sampled_entry("inferred nDCG", discount_parameters, cutoff = TRUE),
  statAP = sampled_entry("statistical average precision", relevant_parameter),
  RBP = measure_entry("rank-biased precision", c(
    persistence_parameter, list(gain = gain_parameter("binary", c("linear", "exp", "binary"))), relevant_parameter,
    list(max = parameter(NULL, function(value, name, spec) {
      if (!identical(value, "query")) check_number(value, name, 0)
    }))), list(rbp = c(p = 0.9, rbp_of_trec_eval), "rbp_p={p}" = rbp_of_trec_eval, "rbp{p}" = list()),
    linear = function(args) !identical(args$max, "query") && is.numeric(args$p), transform = transform_for_rbp),
  RBPresidual = measure_entry("residual of rank-biased precision", persistence_parameter,
                              list(rbp_resid = list(p = 0.9)), direction = "lower"),
  ERR = measure_entry("expected reciprocal rank", list(gain = gain_parameter("exp"), max = number_parameter(NULL, 0)),
                      transform = transform_for_err),
  BPM = measure_entry("Bejeweled player model", goal_parameters),
  INST = measure_entry("INST", goal_parameters, cutoff = FALSE),
  INSQ = measure_entry("INSQ", goal_parameters, cutoff = FALSE, linear = TRUE),
  NERR8 = measure_entry("nearly expected reciprocal rank, equation 8", scaled_gain_parameters),
  NERR9 = measure_entry("nearly expected reciprocal rank, equation 9", scaled_gain_parameters),
  NERR10 = measure_entry("nearly expected reciprocal rank, equation 10",
                         c(list(p = number_parameter(0.9, 0, 1, open = TRUE)), scaled_gain_parameters), cutoff = FALSE),
  NERR11 = measure_entry("nearly expected reciprocal rank, equation 11", goal_parameters, cutoff = FALSE),
  SDCG = measure_entry("scaled discounted cumulated gain", scaled_gain_parameters, linear = TRUE),
  Compat = measure_entry("compatibility", list(
    p = number_parameter(0.95, 0, 1, open = TRUE), normalize = flag_parameter(TRUE),
    depth = parameter(NULL, function(value, name, spec) check_count(value, name))
  ), cutoff = FALSE, unanswered = "undefined"),
  pair_accuracy = measure_entry("accuracy of pairs", relevant_parameter, list("Accuracy")),
  alpha_DCG = subtopic_entry("novelty-biased DCG", novelty_parameter),
  alpha_nDCG = subtopic_entry("novelty-biased nDCG", novelty_parameter, list("alpha-nDCG")),
  ERR_IA = subtopic_entry("intent-aware expected reciprocal rank", novelty_parameter),
  nERR_IA = subtopic_entry("normalised intent-aware expected reciprocal rank", novelty_parameter),
  NRBP = subtopic_entry("novelty- and rank-biased precision",
                        c(novelty_parameter, list(beta = number_parameter(0.5, 0, 1, open = TRUE))), cutoff = FALSE),
  nNRBP = subtopic_entry("normalised novelty- and rank-biased precision",
                         c(novelty_parameter, list(beta = number_parameter(0.5, 0, 1, open = TRUE))), cutoff = FALSE),
  AP_IA = subtopic_entry("intent-aware average precision", aliases = list("MAP_IA"), cutoff = FALSE),
  P_IA = subtopic_entry("intent-aware precision", needs_ranks = FALSE),
  StRecall = subtopic_entry("subtopic recall", aliases = list("STREC"), needs_ranks = FALSE),
  nugget_recall = measure_entry("nugget recall", list(
    okay = number_parameter(0.5, 0, 1), strict = flag_parameter(FALSE), full = number_parameter(2, 0, open = TRUE)
  ), needs_ranks = FALSE, unanswered = "undefined", needs = "subtopic"),
  hits = measure_entry("hits", relevant_parameter, range = unbounded, needs_ranks = FALSE, linear = TRUE,
                       transform = transform_to_relevance),
  judged = measure_entry("judged share", needs_ranks = FALSE, direction = "none"),
  unjudged = measure_entry("unjudged share of the cutoff", aliases = list("unj_{k}"), needs_ranks = FALSE,
                           direction = "lower"),
  num_q = measure_entry("number of queries", aliases = list("NumQ"), cutoff = FALSE, range = unbounded,
                        direction = "none", needs_ranks = FALSE, total = "sum", unanswered = "query"),
  num_ret = measure_entry("number of documents retrieved", list(rel = number_parameter(NULL)), aliases = list("NumRet"),
                          cutoff = FALSE, range = unbounded, direction = "none", needs_ranks = FALSE, total = "sum"),
  num_rel = measure_entry("number of relevant documents", relevant_parameter, list("NumRel"), cutoff = FALSE,
                          range = unbounded, direction = "none", needs_ranks = FALSE, total = "sum",
                          unanswered = "query"),
  num_rel_ret = measure_entry("number of relevant documents retrieved", relevant_parameter, list("NumRelRet"),
                              cutoff = FALSE, range = unbounded, needs_ranks = FALSE, total = "sum"),
  num_nonrel_judged_ret = measure_entry("number of judged documents retrieved that are not relevant",
                                        relevant_parameter, cutoff = FALSE, range = unbounded, direction = "lower",
                                        needs_ranks = FALSE, total = "sum"),
  utility = measure_entry("utility", c(
    list(a = number_parameter(1), b = number_parameter(-1), c = number_parameter(0), d = number_parameter(0),
         n = number_parameter(0, 0)), relevant_parameter), list("utility_{a,b,c,d}"),
    cutoff = FALSE, range = c(-Inf, Inf), needs_ranks = FALSE),
  yaap = measure_entry("smoothed average precision", relevant_parameter, cutoff = FALSE, range = c(-Inf, Inf),
                       unanswered = "query"),
  binG = measure_entry("binary G", relevant_parameter, cutoff = FALSE, unanswered = "undefined"),
  G = measure_entry("normalised gain G", linear_gain_parameter, list("G_{gain}"), cutoff = FALSE,
                    unanswered = "undefined"),
  ndcg_rel = measure_entry("nDCG averaged at the relevant documents", linear_gain_parameter, list("ndcg_rel_{gain}"),
                           cutoff = FALSE, unanswered = "undefined"),
  Rndcg = measure_entry("nDCG averaged where the ideal gain falls", c(relevant_parameter, linear_gain_parameter),
                        list("Rndcg_{gain}"), cutoff = FALSE, unanswered = "undefined")
)

# The names of values in the order in which trec_eval prints them.
trec_eval_order <- c(
  "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
  "iprec_at_recall", "P", "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG", "G",
  "dcg", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P",
  "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret", "yaap", "rbp", "rbp_resid", "unj"
)
