# The command `judicious evaluate --layout trec_eval`, which prints the same bytes as trec_eval 9.0.8 or version 10.
# `o`: the values of the options, as cli_parse() returns them.

# Computes set_F with the order of operations in trec_eval, because the last printed digit can depend on it.
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

# The lines for single queries, in one block per query, without values that are defined only over all queries.
trec_eval_queries <- function(value, lines, total, strings) {
  shown <- lines[!lines$family %in% c("runid", "num_q") & !total[lines$measure] %in% "geometric", ]
  own_strings <- strings[match(rownames(value), names(strings))]
  text <- vapply(seq_len(nrow(shown)), function(i) {
    # The relstring of a query without results is empty.
    if (shown$family[i] == "relstring") return(sprintf("'%s'", ifelse(is.na(own_strings), "", own_strings)))
    trec_eval_number(value[, shown$measure[i]], total[[shown$measure[i]]])
  }, character(nrow(value)))
  query <- rep(rownames(value), each = nrow(shown))
  trec_eval_line(rep(shown$label, nrow(value)), query, as.vector(t(matrix(text, nrow(value)))))
}

trec_eval_number <- function(value, total) sprintf(if (total == "sum") "%.0f" else "%6.4f", value)

# The lines for all queries. Values are summed in the order of queries and in double precision, as in trec_eval.
trec_eval_summary <- function(value, lines, total, system, truth, complete) {
  n <- if (complete) length(unique(truth$query)) else nrow(value)
  geometric <- total[colnames(value)] == "geometric"
  smallest_log <- log(1e-5)
  value[, geometric] <- pmax(log(value[, geometric]), smallest_log)
  totals <- numeric(ncol(value))
  for (i in seq_len(nrow(value))) totals <- totals + value[i, ]
  totals[geometric] <- exp((totals[geometric] + (n - nrow(value)) * smallest_log) / n)
  average <- total[colnames(value)] == "mean"
  totals[average] <- totals[average] / n
  names(totals) <- colnames(value)
  # If queries without results count, trec_eval prints as num_rel the number of documents with a gain above 0 for any
  # query, whatever level is requested.
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

# The lines that `names` requests, in trec_eval's order: the `family`, the printed `label`, and the name of the
# `measure`. Measures that trec_eval lacks come last.
trec_eval_lines <- function(names, newer) {
  requested <- do.call(rbind, lapply(join_parameters(names), trec_eval_request, newer = newer))
  is_unknown <- !requested$family %in% trec_eval_order
  families <- intersect(trec_eval_order, requested$family)
  rows <- lapply(families, function(family) {
    # The parameters of a measure also apply to the nicknames that include the measure.
    given_parameters <- requested$parameters[requested$family == family & nzchar(requested$parameters)]
    trec_eval_family(family, if (length(given_parameters)) given_parameters[1])
  })
  unknown <- requested$family[is_unknown]
  unique(do.call(rbind, c(rows, list(data.frame(family = unknown, label = unknown, measure = unknown)))))
}

# The values of an option have been split at commas. Commas in names such as "P.5,10" do not separate values, so these
# parts are joined again.
join_parameters <- function(names) {
  # Names may also be separated by blanks, as in "nDCG@10 P@5".
  words <- unlist(lapply(names, function(one) if (grepl("(", one, fixed = TRUE)) one else strsplit(one, " +")[[1]]))
  number <- grepl("^[-0-9.]+(=[-0-9.]+)?$", words)
  unname(vapply(split(words, cumsum(!number)), paste, "", collapse = ","))
}

trec_eval_request <- function(name, newer) {
  if (name %in% names(measure_nicknames)) {
    families <- trec_eval_order[trec_eval_order %in% c("runid", if (name == "all_trec") "relstring",
                                                       trec_eval_family_of(measure_nicknames[[name]]))]
    if (!newer) families <- setdiff(families, c("unj", "rbp", "rbp_resid"))
    return(data.frame(family = families, parameters = ""))
  }
  family_name <- trec_eval_family_of(name)
  if (is.na(family_name)) return(data.frame(family = name, parameters = ""))
  data.frame(family = family_name, parameters = sub("^[._]", "", substring(name, nchar(family_name) + 1)))
}

# The name of the measure in trec_eval, without parameters; NA if trec_eval lacks the measure.
trec_eval_family_of <- function(names) {
  trec_eval_names <- trec_eval_order[order(-nchar(trec_eval_order))]
  pattern <- sprintf("^(%s)([._][-0-9.,=p]+)?$", paste(trec_eval_names, collapse = "|"))
  ifelse(grepl(pattern, names), sub(pattern, "\\1", names), NA)
}

trec_eval_family <- function(family, parameters) {
  default <- trec_eval_lists[[family]]
  if (is.null(default)) {
    label <- if (is.null(parameters)) family else paste0(family, "_", parameters)
    return(data.frame(family = family, label = label, measure = if (family %in% c("runid", "relstring")) "" else label))
  }
  values <- if (is.null(parameters)) default else strsplit(parameters, ",", fixed = TRUE)[[1]]
  number <- suppressWarnings(as.numeric(values))
  if (anyNA(number)) abort_usage("--measure: {family} takes numbers, not {parameters}.")
  ascending <- order(number)
  decimals <- family %in% c("iprec_at_recall", "Rprec_mult")
  label <- paste0(family, "_", sprintf(if (decimals) "%3.2f" else "%.0f", number[ascending]))
  data.frame(family = family, label = label, measure = paste0(family, "_", values[ascending]))
}

# The gains of the first documents of each list in the form of trec_eval's relstring: for each system, one string per
# query.
relevance_strings <- function(o, truth, label) {
  longest <- if (label == "relstring") 10 else as.numeric(sub("^relstring_", "", label))
  policy <- list(ties = o$ties, duplicates = o$duplicates, precision = o$precision, depth = o$depth %||% Inf)
  # Messages about ranks were given when the measures were computed, so they are suppressed here.
  lists <- suppressMessages(ranked_lists(o$operands, truth, policy, all_rows = TRUE),
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
