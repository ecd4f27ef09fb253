# Parses names of measures: base(parameter=value,...)@cutoff, or one of the other spellings in the registry.

parse_measure <- function(name, k = NULL, args = list(), call = caller_env()) {
  known <- parse_spelling(name, call) %||% parse_canonical(name, call)
  if (is.null(known)) {
    abort_judicious(c(
      "{.val {name}} is not the name of a measure.",
      i = suggest_name(sub("[(@].*", "", name), names(measure_registry)),
      i = "A name is {.code measure(parameter=value)@cutoff}, like {.val AG@5} or {.val nDCG(rel=2)@10}; or one of
        trec_eval's.",
      i = "The measures are {.val {names(measure_registry)}}."
    ), "measure", measure = name, call = call)
  }
  if (!is.null(k) && !is.na(known$cutoff)) {
    abort_judicious("{.val {name}} has a cutoff already; {.arg k} gives another one.", "measure", measure = name,
                    call = call)
  }
  known$args[names(args)] <- args
  measure <- build_measure(known$base, known$args, k %||% known$cutoff, call)
  # A measure keeps the name under which it was requested as its label.
  if (is.null(k) && !length(args)) measure$label <- name
  measure
}

# The parts of a name in the package's own syntax, or NULL if it does not have this syntax.
parse_canonical <- function(name, call) {
  part <- regmatches(name, regexec("^([A-Za-z0-9_-]+)(\\((.*)\\))?(@([0-9]+))?$", name, perl = TRUE))[[1]]
  base <- if (length(part)) plain_names[[lower_ascii(part[2])]]
  if (is.null(base)) return(NULL)
  list(base = base, args = parse_args(part[4], name, call), cutoff = if (nzchar(part[6])) as.numeric(part[6]) else NA)
}

# The parts of a name in another spelling, possibly with arguments, as in "map(rel=2)"; or NULL.
parse_spelling <- function(name, call) {
  part <- regmatches(name, regexec("^([^(@]+)(\\((.*)\\))?$", name, perl = TRUE))[[1]]
  if (!length(part)) return(NULL)
  for (spelling in spellings) {
    found <- regmatches(part[2], regexec(spelling$pattern, part[2], perl = TRUE))[[1]]
    if (!length(found)) next
    args <- spelling$args(found[-1])
    more <- parse_args(part[4], name, call)
    args[names(more)] <- more
    return(list(base = spelling$base, args = args[names(args) != "k"], cutoff = args$k %||% NA))
  }
  NULL
}

parse_args <- function(text, name, call) {
  if (!nzchar(text)) return(list())
  parts <- strsplit(strsplit(text, ",", fixed = TRUE)[[1]], "=", fixed = TRUE)
  if (any(lengths(parts) != 2)) {
    abort_judicious("The arguments of {.val {name}} must be {.code name=value}, separated by commas.", "measure",
                    measure = name, call = call)
  }
  values <- lapply(parts, function(part) parse_value(trimws(part[2])))
  stats::setNames(values, trimws(vapply(parts, `[`, "", 1)))
}

parse_value <- function(text) {
  pieces <- strsplit(text, "|", fixed = TRUE)[[1]]
  pairs <- strsplit(pieces, ":", fixed = TRUE)
  numbers <- suppressWarnings(as.numeric(vapply(pairs, function(p) p[length(p)], "")))
  if (!length(pieces) || anyNA(numbers) || length(unique(lengths(pairs))) > 1) return(text)
  if (lengths(pairs)[1] == 2) names(numbers) <- vapply(pairs, `[`, "", 1)
  numbers
}

# A pattern for a spelling of the registry, and the arguments in what it captures. trec_eval separates parameters by "_"
# in its output and by "." in its option -m.
read_spelling <- function(base, spelling, fixed) {
  force(fixed)
  at <- regexec("^(.*)\\{(.*)\\}$", spelling)
  part <- regmatches(spelling, at)[[1]]
  if (!length(part)) {
    return(list(base = base, pattern = paste0("^", literal(spelling), "$"), args = function(found) as.list(fixed)))
  }
  number <- "-?[0-9]*\\.?[0-9]+"
  pair <- paste0(number, "=", number)
  names <- strsplit(part[3], ",", fixed = TRUE)[[1]]
  value <- switch(part[3], k = "[0-9]+", gain = sprintf("%s(?:,%s)*", pair, pair),
                  recall = sprintf("%s(?:,%s)*", number, number), paste(rep(number, length(names)), collapse = ","))
  prefix <- sub("_(?=[^_]*$)", "[_.]", literal(part[2]), perl = TRUE)
  list(base = base, pattern = paste0("^", prefix, "(", value, ")$"), args = function(found) {
    # These spellings write tables and lists with = and commas; the package's own syntax uses : and | instead.
    value <- parse_value(chartr("=,", ":|", found))
    if (is.function(fixed)) return(fixed(value))
    c(stats::setNames(if (length(names) > 1) as.list(value) else list(value), names), fixed)
  })
}

literal <- function(text) gsub("([.|()^{}+$*?]|\\[|\\])", "\\\\\\1", text)

# Checks the arguments and fills in the defaults. All measures of the registry are created by this function.
build_measure <- function(base, args = list(), cutoff = NA, call = caller_env()) {
  entry <- measure_registry[[base]]
  args <- Filter(Negate(is.null), args)
  known <- names(entry$parameters)
  unknown <- setdiff(names(args), known)
  if (length(unknown)) {
    abort_judicious(c(
      "{.val {base}} has no parameter {.val {unknown[1]}}.",
      i = if (length(known)) "Its {cli::qty(length(known))}parameter{?s} {?is/are} {.val {known}}." else "It has none."
    ), "measure", measure = base, call = call)
  }
  if (!is.na(cutoff)) {
    check_count(cutoff, "k", call = call)
    if (!entry$cutoff) abort_judicious("{.val {base}} takes no cutoff.", "measure", measure = base, call = call)
  }
  at <- list(base = base, cutoff = cutoff, call = call)
  for (name in names(args)) entry$parameters[[name]]$check(args[[name]], name, at)
  full <- lapply(entry$parameters, `[[`, "default")
  full[names(args)] <- args
  new_measure(base, full, cutoff, entry)
}
