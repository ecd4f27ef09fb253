# From names to measures: the package's own syntax, and trec_eval's names.

parse_measure <- function(name, call = caller_env()) {
  known <- parse_trec_call(name, call)
  if (!is.null(known)) return(relabel(known, name))
  own <- regmatches(name, regexec("^([A-Za-z0-9_-]+)(\\((.*)\\))?(@([0-9]+))?$", name, perl = TRUE))[[1]]
  base <- if (length(own)) find_measure_type(own[2]) else NA
  if (!is.na(base)) {
    args <- parse_args(own[4], name, call)
    return(relabel(build_measure(base, args, if (nzchar(own[6])) as.numeric(own[6]) else NA, call), name))
  }
  abort_judicious(c(
    "{.val {name}} is not the name of a measure.",
    i = "A name is {.code base(argument=value)@cutoff}, like {.val AG@5} or {.val nDCG(rel=2)@10}; or trec_eval's.",
    i = "The bases are {.val {names(measure_types)}}."
  ), "measure", measure = name, call = call)
}

# A measure keeps the name it was asked by.
relabel <- function(measure, name) {
  measure$label <- name
  measure
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

# A name of trec_eval, to which arguments may be added: "map(rel=2)".
parse_trec_call <- function(name, call) {
  open <- regexpr("(", name, fixed = TRUE)
  if (open < 0) return(parse_trec_name(name, call))
  if (!endsWith(name, ")")) return(NULL)
  known <- parse_trec_name(substr(name, 1, open - 1), call)
  if (is.null(known)) return(NULL)
  args <- known$args
  more <- parse_args(substr(name, open + 1, nchar(name) - 1), name, call)
  args[names(more)] <- more
  build_measure(known$base, args, known$cutoff, call)
}

# trec_eval's names, with parameters after "_" as it prints them or after "." as its -m option takes them.
parse_trec_name <- function(name, call) {
  at <- function(pattern) {
    found <- regmatches(name, regexec(paste0("^", pattern, "$"), name))[[1]]
    if (length(found)) found[-1]
  }
  number <- "([0-9]*\\.?[0-9]+)"
  build <- function(base, args = list(), cutoff = NA) build_measure(base, args, as.numeric(cutoff), call)
  cuts <- c(P = "P", recall = "recall", ndcg_cut = "nDCG", map_cut = "AP", relative_P = "relative_P",
            success = "success", unj = "unjudged")
  for (trec in names(cuts)) {
    k <- at(paste0(trec, "[_.]([0-9]+)"))
    if (!is.null(k)) return(build(cuts[[trec]], cutoff = k))
  }
  plain <- switch(name,
    map = build("AP"), recip_rank = build("RR"), ndcg = build("nDCG"),
    set_P = build("P"), set_recall = build("recall"), set_F = build("F"), set_map = build("set_AP"),
    set_relative_P = build("relative_P"), gm_map = build("AP", list(mean = "geometric")),
    gm_bpref = build("bpref", list(mean = "geometric")), "11pt_avg" = build("iprec"), dcg = build("DCG"),
    ideal_dcg = build("IDCG"), rbp = build("RBP", list(p = 0.9, gain = "linear", max = "query")), G = build("G"),
    rbp_resid = build("RBPresidual", list(p = 0.9))
  )
  if (!is.null(plain)) return(plain)
  one <- list(
    list(paste0("iprec_at_recall[_.]", number), function(x) build("iprec", list(recall = as.numeric(x)))),
    list(paste0("Rprec_mult[_.]", number), function(x) build("Rprec", list(x = as.numeric(x)))),
    list(paste0("set_F[_.]", number), function(x) build("F", list(beta = sqrt(as.numeric(x))))),
    list(paste0("rbp[_.]p=", number), function(x) {
      build("RBP", list(p = as.numeric(x), gain = "linear", max = "query"))
    }),
    list("11pt_avg[_.](.+)", function(x) build("iprec", list(recall = parse_list(x)))),
    list("utility[_.](.+)", function(x) {
      build("utility", stats::setNames(as.list(parse_list(x)), c("a", "b", "c", "d")))
    }),
    list("(ndcg|Rndcg|ndcg_rel|G)[_.](.+=.+)", function(x) {
      build(c(ndcg = "nDCG", Rndcg = "Rndcg", ndcg_rel = "ndcg_rel", G = "G")[[x[1]]],
            list(gain = parse_value(gsub(",", "|", gsub("=", ":", x[2], fixed = TRUE), fixed = TRUE))))
    })
  )
  for (rule in one) {
    found <- at(rule[[1]])
    if (!is.null(found)) return(rule[[2]](found))
  }
  NULL
}

parse_list <- function(text) as.numeric(strsplit(text, ",", fixed = TRUE)[[1]])

# Checks the arguments and fills in defaults: the one way to a measure of measure_types.
build_measure <- function(base, args = list(), cutoff = NA, call = caller_env()) {
  type <- measure_types[[base]]
  args <- Filter(Negate(is.null), args)
  unknown <- setdiff(names(args), names(type$args))
  if (length(unknown)) {
    abort_judicious(c(
      "{.val {base}} has no argument {.val {unknown[1]}}.",
      i = if (length(type$args)) "Its arguments are {.val {names(type$args)}}." else "It has none."
    ), "measure", measure = base, call = call)
  }
  for (name in names(args)) check_measure_arg(args[[name]], name, base, call)
  if (!is.na(cutoff)) {
    check_count(cutoff, "k", call = call)
    if (type$cutoff == "none") {
      abort_judicious("{.val {base}} takes no cutoff.", "measure", measure = base, call = call)
    }
  }
  full <- type$args
  full[names(args)] <- args
  check_measure_whole(base, full, cutoff, call)
  new_measure(base, full, cutoff, type)
}

check_measure_arg <- function(value, name, base, call) {
  switch(name,
    rel = check_number(value, name, call = call),
    p = check_number(value, name, 0, 1, open = TRUE, call = call),
    max = if (!(base == "RBP" && identical(value, "query"))) check_number(value, name, 0, call = call),
    beta = , x = , n = check_number(value, name, 0, call = call),
    b = if (base == "utility") check_number(value, name, call = call) else
      check_number(value, name, 1, open = TRUE, call = call),
    a = , c = , d = check_number(value, name, call = call),
    recall = if (!is.numeric(value) || !length(value) || anyNA(value) || any(value < 0 | value > 1)) {
      abort_judicious("{.arg recall} must be numbers between 0 and 1.", "argument", argument = "recall", call = call)
    },
    rounding = check_choice(value, c("up", "nearest"), name, call),
    mean = check_choice(value, c("arithmetic", "geometric"), name, call),
    ideal = check_choice(value, c("judged", "maximum"), name, call),
    discount = if (!is.function(value)) check_choice(value, c("log2", "log_b"), name, call),
    gain = check_gain_arg(value, base, call)
  )
}

check_gain_arg <- function(value, base, call) {
  table <- is.numeric(value) && length(value) && !is.null(names(value)) &&
    !anyNA(suppressWarnings(as.numeric(names(value)))) && all(is.finite(value))
  if (is.function(value) || table) return(invisible())
  if (is.numeric(value)) {
    abort_judicious(c(
      "{.arg gain} must be a function, a word or a table of gains.",
      i = "A table has the judged grades as names: {.code c(\"1\" = 3, \"2\" = 9)}."
    ), "argument", argument = "gain", call = call)
  }
  check_choice(value, c("linear", "exp", if (base == "RBP") "binary"), "gain", call)
}

check_measure_whole <- function(base, args, cutoff, call) {
  if (identical(args$ideal, "maximum") && is.na(cutoff)) {
    abort_judicious("{.val {base}} with {.code ideal=maximum} needs a cutoff: the length of the ideal list.",
                    "measure", measure = base, call = call)
  }
  if (is.function(args$discount) && is.na(cutoff)) {
    abort_judicious("{.val {base}} with a discount that is a function needs a cutoff.", "measure", measure = base,
                    call = call)
  }
}
