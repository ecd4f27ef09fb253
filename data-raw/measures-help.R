# The measures of a family in markdown, for the help: roxygen evaluates this file where the package's functions are
# seen, with the name of the family as `family`. Each measure is written as in its name, with all parameters and their
# defaults.
measure_families <- list(
  precision = c("P", "recall", "F", "AP", "RR", "Rprec", "success", "iprec", "bpref", "AUC", "pair_accuracy", "Fmax",
                "BEP", "relative_P", "set_AP", "yaap", "infAP", "statAP"),
  gain = c("AG", "CG", "DCG", "nDCG", "IDCG", "ANDCG", "ADR", "infNDCG", "ndcg_rel", "Rndcg", "G", "binG"),
  user = c("RBP", "RBPresidual", "ERR", "INST", "INSQ", "BPM", "NERR8", "NERR9", "NERR10", "NERR11", "SDCG", "Compat"),
  subtopic = c("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall",
               "nugget_recall"),
  count = c("hits", "judged", "unjudged", "num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret",
            "utility")
)
# The file has a field `name: definition` for each measure; the help shows the definition after the measure's title.
definitions <- read.dcf("data-raw/measures.dcf")[1, ]
describe_measures <- function(names) {
  one <- function(base, entry) {
    named <- names(entry$aliases) %||% rep("", length(entry$aliases))
    also <- ifelse(nzchar(named), named, unlist(lapply(entry$aliases, function(a) if (is.character(a)) a else "")))
    own <- entry$parameters[names(entry$parameters) != "judged_only"]
    defaults <- vapply(own, function(p) format_arg(p$default), "")
    parameters <- paste0(names(defaults), ifelse(nzchar(defaults), paste0("=", defaults), ""), collapse = ",")
    paste0("- `", base, if (length(defaults)) paste0("(", parameters, ")"), if (isTRUE(entry$cutoff)) "@k", "`: ",
           entry$title, ", ", gsub("\\s+", " ", definitions[[base]]),
           if (length(also)) paste0("; also ", paste0("`", also, "`", collapse = ", ")), ".")
  }
  paste(mapply(one, names, measure_registry[names]), collapse = "\n")
}
local({
  listed <- unlist(measure_families)
  known <- names(measure_registry)
  wrong <- c(setdiff(known, listed), setdiff(listed, known), listed[duplicated(listed)],
             setdiff(known, names(definitions)), setdiff(names(definitions), known))
  if (length(wrong)) stop("Each measure has a definition and one family: see ", toString(wrong), call. = FALSE)
})
describe_measures(measure_families[[family]])
