# Makes measures from their names: base(parameter=value,...)@cutoff, or another spelling in the registry.

parse_measure <- function(name, k = NULL, args = list()) {
  parsed <- parse_name(name)
  abort_unless(is.null(k) || is.na(parsed$cutoff), "{.val {name}} has a cutoff already; {.arg k} gives another one.",
               "measure", measure = name)
  parsed$args[names(args)] <- args
  if (length(parsed$args)) parsed <- adapt_arguments(parsed)
  abort_unless(is.na(parsed$cutoff) || are_whole_numbers(parsed$cutoff, min = 1), "The cutoff of {.val {name}} must be a
    whole number of at least 1.", "measure", argument = "measure", measure = name)
  measure <- build_measure(parsed$base, parsed$args, k %||% parsed$cutoff)
  # The label of a measure is the name under which it was requested.
  if (is.null(k) && !length(args)) measure$label <- name
  measure
}

parse_name <- function(name) {
  # ir_measures also writes alpha as a Greek letter, and "@all" for no cutoff.
  name <- sub("@all$", "", sub("^\u03b1_?", "alpha_", name))
  # ranx appends the minimum relevance level to the name, as in "precision-l2".
  level <- regmatches(name, regexec("^(.+)-l([0-9]+)$", name))[[1]]
  text <- if (length(level)) level[2] else name
  parsed <- parse_spelling(text) %||% parse_plain(text)
  if (is.null(parsed)) abort_unknown_measure(name)
  if (length(level)) parsed$args$rel <- as.numeric(level[3])
  parsed
}

abort_unknown_measure <- function(name) {
  base <- sub("^\u03b1", "alpha", sub("[(@].*", "", name))
  is_text <- base %in% c("runid", "relstring")
  several <- length(expand_measure_name(name)) > 1
  parts <- trimws(strsplit(name, ",(?![^(]*[)])", perl = TRUE)[[1]])
  valid_names <- c(names(plain_names), names(measure_nicknames), paste0(names(trec_eval_lists), "_10"))
  abort_judicious(c(
    if (several) "{.val {name}} is the name of several measures." else "{.val {name}} is not the name of a measure.",
    i = if (several) hint("{.fn measure} without {.arg k} makes them all.", "Of these, name one.") else if (!is_text)
      sub("(?=\"[?]$)", regmatches(name, regexpr("(@[0-9]+)?$", name)), suggest_name(base, valid_names), perl = TRUE),
    i = if (length(parts) > 1 && !several)
      hint("Several measures are several texts: {.code c(\"{parts[1]}\", \"{parts[2]}\")}."),
    i = if (is_text) "Its value is text, which {.code judicious evaluate --layout trec_eval} prints.",
    i = "A name is {.field measure(parameter=value)@cutoff}, like {.val AG@5} or {.val nDCG(rel=2)@10}; or one of
      trec_eval's, ir_measures' or ranx's.",
    i = "The measures are {.val {names(measure_registry)}}."
  ), "measure", argument = "measure", measure = name)
}

# The parts of a name in the form base(parameter=value,...)@cutoff; NULL if it has another form.
parse_plain <- function(name) {
  part <- regmatches(name, regexec("^([A-Za-z0-9_-]+)(\\((.*)\\))?(@([0-9]*\\.?[0-9]+))?$", name, perl = TRUE))[[1]]
  if (!length(part)) return(NULL)
  # If no name matches exactly, capitalisation is ignored.
  name_index <- match(part[2], names(plain_names))
  if (is.na(name_index)) name_index <- match(lower_ascii(part[2]), lower_ascii(names(plain_names)))
  if (is.na(name_index)) return(NULL)
  found <- plain_names[[name_index]]
  more <- parse_args(part[4], name)
  cutoff <- if (nzchar(part[6])) as.numeric(part[6]) else NA
  place <- measure_registry[[found$base]]$cutoff
  if (is.character(place) && !is.na(cutoff)) {
    more[[place]] <- cutoff
    cutoff <- NA
  }
  parameters <- found$args %||% list()
  parameters[names(more)] <- more
  parsed <- list(base = found$base, args = parameters, cutoff = cutoff)
  if (is.null(found$adapt)) parsed else found$adapt(parsed)
}

# The parts of a name with a parameter in its spelling, such as "P_10", and perhaps with further arguments, as in
# "P_10(rel=2)"; NULL if it has another form.
parse_spelling <- function(name) {
  part <- regmatches(name, regexec("^([^(@]+)(\\((.*)\\))?$", name, perl = TRUE))[[1]]
  if (!length(part)) return(NULL)
  for (spelling in spellings[startsWith(part[2], spelling_starts)]) {
    found <- regmatches(part[2], regexec(spelling$pattern, part[2], perl = TRUE))[[1]]
    if (!length(found)) next
    parameters <- spelling$args(found[-1])
    further_arguments <- parse_args(part[4], name)
    parameters[names(further_arguments)] <- further_arguments
    return(list(base = spelling$base, args = parameters[names(parameters) != "k"], cutoff = parameters$k %||% NA))
  }
  NULL
}

# Converts names of arguments in ir_measures to ours.
adapt_arguments <- function(parsed) {
  other_names <- c(gains = "gain", min_rel = "min", max_rel = "max")
  parameters <- names(measure_registry[[parsed$base]]$parameters)
  renamed <- names(parsed$args) %in% setdiff(names(other_names), parameters) &
    other_names[names(parsed$args)] %in% parameters
  names(parsed$args)[renamed] <- other_names[names(parsed$args)[renamed]]
  if (!is.null(parsed$args$dcg) && ("gain" %in% parameters || parsed$base == "SDCG")) {
    dcg <- check_choice(parsed$args$dcg, c("log2", if ("gain" %in% parameters) "exp-log2"), "dcg")
    if (dcg == "exp-log2") parsed$args$gain <- "exp"
    parsed$args$dcg <- NULL
  }
  if (!is.null(parsed$args$cutoff)) {
    abort_unless(is.na(parsed$cutoff), "A cutoff stands both after @ and in parentheses: keep one.", "measure",
                 argument = "measure")
    parsed$cutoff <- parsed$args$cutoff
    parsed$args$cutoff <- NULL
  }
  parsed
}

parse_args <- function(text, name) {
  if (!nzchar(text)) return(list())
  # Commas inside braces belong to a table, and do not separate arguments.
  table <- gregexpr("\\{[^{}]*\\}", text)
  regmatches(text, table) <- lapply(regmatches(text, table), chartr, old = ",", new = "|")
  parts <- strsplit(strsplit(text, ",", fixed = TRUE)[[1]], "=", fixed = TRUE)
  abort_unless(all(lengths(parts) == 2), "The arguments of {.val {name}} must be {.field name=value}, separated by
    commas.", "measure", measure = name)
  arguments <- trimws(vapply(parts, `[`, "", 1))
  repeated <- arguments[anyDuplicated(arguments)]
  abort_unless(!length(repeated), "{.val {name}} has two arguments {.val {repeated}}.", "measure", measure = name)
  stats::setNames(lapply(parts, function(part) parse_value(trimws(part[2]))), arguments)
}

# Parses a value in the package's format or in Python's, which has 'words' in quotes, True, and tables as {1:3,2:9}.
parse_value <- function(text) {
  if (grepl("^[{].*[}]$", text)) text <- gsub("[{} ]", "", text)
  text <- gsub("[\"']", "", text)
  if (lower_ascii(text) %in% c("true", "false")) return(lower_ascii(text) == "true")
  pieces <- strsplit(text, "|", fixed = TRUE)[[1]]
  pairs <- strsplit(pieces, ":", fixed = TRUE)
  numbers <- suppressWarnings(as.numeric(vapply(pairs, function(p) p[length(p)], "")))
  if (!length(pieces) || anyNA(numbers) || length(unique(lengths(pairs))) > 1) return(text)
  if (lengths(pairs)[1] == 2) names(numbers) <- vapply(pairs, `[`, "", 1)
  numbers
}

# Converts a spelling in the registry to a pattern, the text with which it starts, and a function that makes arguments
# of the text that the pattern captures. trec_eval separates parameters by "_" in its output and by "." in its option
# -m.
read_spelling <- function(base, spelling, fixed) {
  force(fixed)
  part <- regmatches(spelling, regexec("^(.*)\\{(.*)\\}$", spelling))[[1]]
  number <- "-?[0-9]*\\.?[0-9]+"
  pair <- paste0(number, "=", number)
  keys <- strsplit(part[3], ",", fixed = TRUE)[[1]]
  value <- switch(part[3], k = "[0-9]+", gain = sprintf("%s(?:,%s)*", pair, pair),
                  recall = sprintf("%s(?:,%s)*", number, number), paste(rep(number, length(keys)), collapse = ","))
  prefix <- sub("_(?=[^_]*$)", "[_.]", escape_pattern(part[2]), perl = TRUE)
  beginning <- sub("_[^_]*$", "", part[2])
  list(base = base, pattern = paste0("^", prefix, "(", value, ")$"), start = beginning, args = function(found) {
    # These spellings use = and commas in tables and lists; the package's own syntax uses : and | instead.
    value <- parse_value(chartr("=,", ":|", found))
    if (is.function(fixed)) return(fixed(value))
    c(stats::setNames(if (length(keys) > 1) as.list(value) else list(value), keys), fixed)
  })
}

escape_pattern <- function(text) gsub("([.|()^{}+$*?]|\\[|\\])", "\\\\\\1", text)

# Makes a measure: checks the arguments, and sets the others to their defaults. All measures of the registry are made by
# this function.
build_measure <- function(base, args = list(), cutoff = NA) {
  entry <- measure_registry[[base]]
  arguments <- Filter(Negate(is.null), args)
  if (!identical(is.na(cutoff), TRUE)) {
    check_count(cutoff, "k")
    if (!isTRUE(entry$cutoff)) abort_judicious("{.val {base}} takes no cutoff.", "measure", measure = base)
  }
  spec <- list(base = base, cutoff = cutoff, args = arguments)
  parameters <- fill_parameters(entry, arguments, base, "{.val {name}}", "measure", spec, measure = base)
  new_measure(base, parameters, cutoff, entry)
}

format_arg <- function(value) {
  if (is.function(value)) return("function")
  if (is.null(value) || is.character(value)) return(value %||% "")
  numbers <- vapply(value, format_number, "")
  paste(if (is.null(names(value))) numbers else paste0(names(value), ":", numbers), collapse = "|")
}

format_args <- function(args, parameters) {
  changed <- function(name) !is.null(args[[name]]) && !identical(args[[name]], parameters[[name]]$default)
  shown <- Filter(changed, names(parameters))
  if (!length(shown)) return("")
  paste0("(", paste0(shown, "=", vapply(args[shown], format_arg, ""), collapse = ","), ")")
}

# Unchecked constructor. `args` must be complete and valid; `fun` is the function of a custom measure.
new_measure <- function(base, args, cutoff, entry, fun = NULL) {
  name <- paste0(base, format_args(args, entry$parameters), if (!is.na(cutoff)) paste0("@", format_number(cutoff)))
  structure(list(
    name = name, label = name, base = base, title = entry$title, args = args, cutoff = as.integer(cutoff),
    direction = entry$direction, range = entry$range, needs_ranks = entry$needs_ranks,
    linear = if (is.function(entry$linear)) entry$linear(args) else entry$linear,
    total = if (identical(args$mean, "geometric")) "geometric" else entry$total, fun = fun
  ), class = "judicious_measure")
}

# All parameters of an entry of a registry: the values of `args`, which are checked, and the defaults of the others. An
# error about a parameter that the entry lacks begins with `subject`, for cli, in which `name` is the name of the entry.
fill_parameters <- function(entry, args, name, subject, kind, spec = NULL, ...) {
  valid <- names(entry$parameters)
  unknown <- setdiff(names(args) %||% rep("", length(args)), valid)
  abort_unless(!length(unknown), c(
    paste(subject, "has no parameter {.val {unknown[1]}}."),
    i = if (length(valid)) "Its {cli::qty(length(valid))}parameter{?s} {?is/are} {.val {valid}}." else "It has none."
  ), kind, ...)
  for (given in names(args)) entry$parameters[[given]]$check(args[[given]], given, spec)
  full <- lapply(entry$parameters, `[[`, "default")
  full[names(args)] <- args
  full
}

# Names that represent several measures: trec_eval's nicknames, and its measures with a list of parameters.
trec_eval_cutoffs <- c("5", "10", "15", "20", "30", "100", "200", "500", "1000")

# The default parameters of trec_eval's measures, in its order and notation.
trec_eval_lists <- list(
  iprec_at_recall = sprintf("%.2f", (0:10) / 10), P = trec_eval_cutoffs, recall = trec_eval_cutoffs,
  Rprec_mult = sprintf("%.2f", (1:10) / 5), ndcg_cut = trec_eval_cutoffs, map_cut = trec_eval_cutoffs,
  relative_P = trec_eval_cutoffs, success = c("1", "5", "10"), unj = c("5", "10", "20")
)

all_of_list <- function(family) paste0(family, "_", trec_eval_lists[[family]])

official_measures <- c("num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
                       all_of_list("iprec_at_recall"), all_of_list("P"))

# runid and relstring are not among the nicknames' measures, because their values are text.
measure_nicknames <- list(
  official = official_measures,
  set = c("num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P", "set_map",
          "set_F"),
  all_trec = c(
    official_measures, all_of_list("recall"), all_of_list("unj"), "rbp", "rbp_resid", "infAP", "gm_bpref",
    all_of_list("Rprec_mult"), "utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel", "Rndcg",
    all_of_list("ndcg_cut"), all_of_list("map_cut"), all_of_list("relative_P"), all_of_list("success"), "set_P",
    "set_relative_P", "set_recall", "set_map", "set_F", "num_nonrel_judged_ret")
)

# The measures that a name represents: a nickname, a list such as "P.5,10", or a family of measures without its
# parameter. The text is checked first, because it may come from an untrusted file.
expand_measure_name <- function(name) {
  abort_unless(validEnc(name) && nchar(name) <= 10000, "The name of a measure must be text of at most 10,000 characters,
    in UTF-8.", "measure", argument = "measure")
  if (!is.null(measure_nicknames[[name]])) return(measure_nicknames[[name]])
  if (name %in% setdiff(names(trec_eval_lists), names(measure_registry))) return(all_of_list(name))
  families <- paste(names(trec_eval_lists), collapse = "|")
  part <- regmatches(name, regexec(sprintf("^(%s)[._]([0-9.]+(,[0-9.]+)+)$", families), name))[[1]]
  if (!length(part)) return(name)
  paste0(part[2], "_", strsplit(part[3], ",", fixed = TRUE)[[1]])
}

# The spellings in the registry, in two groups: patterns for those that contain parameters, and the others, which allow
# a cutoff, arguments and any capitalisation.
spellings <- list()
plain_names <- lapply(stats::setNames(nm = names(measure_registry)), function(base) list(base = base))
for (base in names(measure_registry)) {
  aliases <- measure_registry[[base]]$aliases
  named <- names(aliases) %||% rep("", length(aliases))
  for (i in seq_along(aliases)) {
    spelling <- if (nzchar(named[i])) named[i] else aliases[[i]]
    preset <- if (nzchar(named[i])) aliases[[i]]
    if (grepl("{", spelling, fixed = TRUE)) {
      spellings[[length(spellings) + 1]] <- read_spelling(base, spelling, preset)
    } else {
      plain_names[[spelling]] <- if (is.function(preset)) list(base = base, adapt = preset) else
        list(base = base, args = as.list(preset))
    }
  }
}
spelling_starts <- vapply(spellings, `[[`, "", "start")
rm(base, aliases, named, i, spelling, preset)
