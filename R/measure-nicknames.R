# Names that stand for several measures: trec_eval's nicknames, and its measures with a list of parameters.

trec_eval_cutoffs <- c("5", "10", "15", "20", "30", "100", "200", "500", "1000")

# The default parameters of trec_eval's measures, in the order and the form in which it prints them.
trec_eval_lists <- list(
  iprec_at_recall = sprintf("%.2f", (0:10) / 10), P = trec_eval_cutoffs, recall = trec_eval_cutoffs,
  Rprec_mult = sprintf("%.2f", (1:10) / 5), ndcg_cut = trec_eval_cutoffs, map_cut = trec_eval_cutoffs,
  relative_P = trec_eval_cutoffs, success = c("1", "5", "10"), unj = c("5", "10", "20")
)

all_of_list <- function(family) paste0(family, "_", trec_eval_lists[[family]])

official_measures <- c("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
                       all_of_list("iprec_at_recall"), all_of_list("P"))

# Without runid and relstring, whose values are text.
measure_nicknames <- list(
  official = official_measures,
  set = c("num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P", "set_map",
          "set_F"),
  all_trec = c(
    official_measures, all_of_list("recall"), all_of_list("unj"), "rbp", "rbp_resid", "infAP", "gm_bpref",
    all_of_list("Rprec_mult"), "utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel", "Rndcg",
    all_of_list("ndcg_cut"), all_of_list("map_cut"), all_of_list("relative_P"), all_of_list("success"), "set_P",
    "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret"
  )
)

# The measures for which a name stands: nicknames, "P.5,10", and families that are measures only with a parameter.
expand_measure_name <- function(name) {
  if (!is.null(measure_nicknames[[name]])) return(measure_nicknames[[name]])
  if (name %in% setdiff(names(trec_eval_lists), names(measure_registry))) return(all_of_list(name))
  families <- paste(names(trec_eval_lists), collapse = "|")
  part <- regmatches(name, regexec(sprintf("^(%s)[._]([0-9.]+(,[0-9.]+)+)$", families), name))[[1]]
  if (!length(part)) return(name)
  paste0(part[2], "_", strsplit(part[3], ",", fixed = TRUE)[[1]])
}
