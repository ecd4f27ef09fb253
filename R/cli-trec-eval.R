# The command `judicious evaluate --layout trec_eval`: the lines of trec_eval 9.0.8, or of version 10, byte for byte.
# `o`: the values of the options, as cli_parse() returns them.

# The measures in the order in which trec_eval prints them, after the texts about runs and queries.
trec_eval_order <- c(
  "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
  "iprec_at_recall", "P", "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG", "G",
  "dcg", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P",
  "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret", "yaap", "rbp", "rbp_resid", "unj"
)

# set_F in trec_eval's order of operations, on which the last digit of a printed value can depend.
trec_eval_f <- function(value, lines) {
  for (name in lines$measure[lines$family == "set_F"]) {
    weight <- if (name == "set_F") 1 else as.numeric(sub("set_F_", "", name))
    p <- value[, "set_P"]
    r <- value[, "set_recall"]
    value[, name] <- ifelse(p > 0, (weight + 1) * p * r / (weight * p + r), 0)
  }
  value
}

trec_eval_line <- function(label, query, value) sprintf("%-22s\t%s\t%s", label, query, value)

# One block of lines per query, without the values that are defined over all queries only.
trec_eval_queries <- function(value, lines, total, strings) {
  shown <- lines[!lines$family %in% c("runid", "num_q") & !total[lines$measure] %in% "geometric", ]
  own_strings <- strings[match(rownames(value), names(strings))]
  text <- vapply(seq_len(nrow(shown)), function(i) {
    # Queries without results have an empty string.
    if (shown$family[i] == "relstring") return(sprintf("'%s'", ifelse(is.na(own_strings), "", own_strings)))
    trec_eval_number(value[, shown$measure[i]], total[[shown$measure[i]]])
  }, character(nrow(value)))
  query <- rep(rownames(value), each = nrow(shown))
  trec_eval_line(rep(shown$label, nrow(value)), query, as.vector(t(matrix(text, nrow(value)))))
}

trec_eval_number <- function(value, total) sprintf(if (total == "sum") "%.0f" else "%6.4f", value)

# Sums over the queries, in their order and in double precision, as in trec_eval.
trec_eval_summary <- function(value, lines, total, system, truth, complete) {
  n <- if (complete) length(unique(truth$query)) else nrow(value)
  geometric <- total[colnames(value)] == "geometric"
  least <- log(1e-5)
  value[, geometric] <- pmax(log(value[, geometric]), least)
  totals <- numeric(ncol(value))
  for (i in seq_len(nrow(value))) totals <- totals + value[i, ]
  totals[geometric] <- exp((totals[geometric] + (n - nrow(value)) * least) / n)
  average <- total[colnames(value)] == "mean"
  totals[average] <- totals[average] / n
  names(totals) <- colnames(value)
  # If queries without results count, trec_eval counts their relevant documents regardless of the level.
  relevant <- if (complete) sum(truth$levels[truth$level[truth$level > 0]] > 0)
  shown <- lines[lines$family != "relstring", ]
  text <- vapply(seq_len(nrow(shown)), function(i) {
    switch(shown$family[i],
      runid = system, num_q = sprintf("%d", n),
      num_rel = sprintf("%.0f", relevant %||% totals[["num_rel"]]),
      trec_eval_number(totals[[shown$measure[i]]], total[[shown$measure[i]]])
    )
  }, "")
  trec_eval_line(shown$label, "all", text)
}

# The lines that the names request, in trec_eval's order: the `family`, the printed `label`, and the name of the
# `measure`. Measures that trec_eval does not have come last.
trec_eval_lines <- function(names, newer) {
  asked <- do.call(rbind, lapply(join_parameters(names), trec_eval_asked, newer = newer))
  is_unknown <- !asked$family %in% trec_eval_order
  families <- intersect(trec_eval_order, asked$family)
  rows <- lapply(families, function(family) {
    # Parameters that are given once also apply to the nicknames.
    given_parameters <- asked$parameters[asked$family == family & nzchar(asked$parameters)]
    trec_eval_family(family, if (length(given_parameters)) given_parameters[1])
  })
  unique(do.call(rbind, c(rows, list(data.frame(family = asked$family[is_unknown], label = asked$family[is_unknown],
                                                measure = asked$family[is_unknown])))))
}

# Option values are split at commas, including those within "P.5,10", which are joined again here.
join_parameters <- function(names) {
  # Names may also be separated by blanks, as in "nDCG@10 P@5".
  words <- unlist(lapply(names, function(one) if (grepl("(", one, fixed = TRUE)) one else strsplit(one, " +")[[1]]))
  number <- grepl("^[-0-9.]+(=[-0-9.]+)?$", words)
  unname(vapply(split(words, cumsum(!number)), paste, "", collapse = ","))
}

trec_eval_asked <- function(name, newer) {
  if (name %in% names(measure_nicknames)) {
    families <- trec_eval_order[trec_eval_order %in% c("runid", if (name == "all_trec") "relstring",
                                                       family_of(measure_nicknames[[name]]))]
    if (!newer) families <- setdiff(families, c("unj", "rbp", "rbp_resid"))
    return(data.frame(family = families, parameters = ""))
  }
  family_name <- family_of(name)
  if (is.na(family_name)) return(data.frame(family = name, parameters = ""))
  data.frame(family = family_name, parameters = sub("^[._]", "", substring(name, nchar(family_name) + 1)))
}

# The name of the measure in trec_eval, without parameters; NA if trec_eval has no such measure.
family_of <- function(names) {
  known <- trec_eval_order[order(-nchar(trec_eval_order))]
  pattern <- sprintf("^(%s)([._][-0-9.,=p]+)?$", paste(known, collapse = "|"))
  ifelse(grepl(pattern, names), sub(pattern, "\\1", names), NA)
}

trec_eval_family <- function(family, given) {
  default <- trec_eval_lists[[family]]
  if (is.null(default)) {
    label <- if (is.null(given)) family else paste0(family, "_", given)
    return(data.frame(family = family, label = label, measure = if (family %in% c("runid", "relstring")) "" else label))
  }
  values <- if (is.null(given)) default else strsplit(given, ",", fixed = TRUE)[[1]]
  number <- suppressWarnings(as.numeric(values))
  if (anyNA(number)) abort_usage("--measure: {family} takes numbers, not {given}.")
  ascending <- order(number)
  decimals <- family %in% c("iprec_at_recall", "Rprec_mult")
  label <- paste0(family, "_", sprintf(if (decimals) "%3.2f" else "%.0f", number[ascending]))
  data.frame(family = family, label = label, measure = paste0(family, "_", values[ascending]))
}

# The gains of the first documents in the form of trec_eval's relstring: by system, a string for every query.
relevance_strings <- function(o, truth, label) {
  longest <- if (label == "relstring") 10 else as.numeric(sub("^relstring_", "", label))
  policy <- list(ties = o$ties, duplicates = o$duplicates, precision = o$precision, depth = o$depth %||% Inf)
  # Messages on ranks were given when the measures were computed.
  lists <- suppressMessages(ranked_lists(o$operands, truth, policy, all_rows = TRUE, call = NULL),
                            classes = "judicious_message_rank")
  level <- lists$items$level
  gain <- c(NA, truth$levels)[level + 1]
  mark <- ifelse(!lists$items$known, "-", ifelse(level == 0, ".", ifelse(gain > 9, ">", floor(gain))))
  keep <- if (o$unjudged == "condensed") level > 0 else rep(TRUE, length(level))
  list_of <- rep(seq_along(lists$query), diff(lists$offset))
  strings <- vapply(seq_along(lists$query), function(i) {
    paste(utils::head(mark[keep & list_of == i], longest), collapse = "")
  }, "")
  split(stats::setNames(strings, lists$query_ids[lists$query]), lists$systems[lists$system])
}
