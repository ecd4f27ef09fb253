# Measures in the form that the C++ kernels take.

# What the core needs to know of measures: gain functions and thresholds as tables over the levels.
core_measures <- function(measures, levels) {
  lapply(measures[!is_custom(measures)], function(m) {
    args <- m$args
    rel <- args$rel %||% if (m$kind %in% graded_kinds) -Inf else 1
    list(
      kind = m$kind, cutoff = m$cutoff, gain = gain_table(m, levels), relevant = as.integer(levels >= rel),
      parameter = as.numeric(core_parameters(m)),
      discount = if (is.function(args$discount)) "table" else args$discount %||% "log2",
      base = args$b %||% 2, discount_table = discount_table(args$discount, m$cutoff),
      ideal = args$ideal %||% "judged",
      max = gain_function(args$gain, if (is.numeric(args$max)) args$max else max(levels))
    )
  })
}

graded_kinds <- c("ag", "cg", "dcg", "ndcg", "ideal_dcg", "andcg")

core_parameters <- function(m) {
  args <- m$args
  switch(m$kind,
    f = args$beta, rprec = args$x, rbp_residual = args$p,
    rbp = c(args$p, identical(args$max, "query")),
    utility = unlist(args[c("a", "b", "c", "d", "n")]),
    iprec = c(args$rounding == "nearest", args$recall), numeric()
  )
}

gain_function <- function(gain, values) {
  if (is.null(gain) || identical(gain, "linear") || identical(gain, "binary")) return(values)
  if (identical(gain, "exp")) return(2^values - 1)
  if (is.numeric(gain)) {
    given <- match(values, as.numeric(names(gain)))
    return(ifelse(is.na(given), values, gain[given]))
  }
  out <- gain(values)
  if (!is.numeric(out) || length(out) != length(values) || anyNA(out)) {
    abort_judicious("A gain function must return a number for each gain it is given.", "argument", argument = "gain",
                    call = NULL)
  }
  as.numeric(out)
}

gain_table <- function(m, levels) {
  args <- m$args
  highest <- if (is.numeric(args$max)) args$max else max(levels)
  values <- unname(gain_function(args$gain, levels))
  if (m$kind == "rbp" && identical(args$gain, "binary")) return(as.numeric(levels >= args$rel))
  if (m$kind == "rbp" && !identical(args$max, "query")) return(values / max(1, gain_function(args$gain, highest)))
  if (m$kind == "err") {
    top <- gain_function(args$gain, highest)
    return(if (identical(args$gain, "exp")) values / (top + 1) else if (top > 0) values / top else values)
  }
  if (!is.null(args$rel) && m$kind %in% graded_kinds) values[levels < args$rel] <- 0
  values
}

discount_table <- function(discount, cutoff) {
  if (!is.function(discount)) return(numeric())
  weights <- discount(seq_len(cutoff))
  if (!is.numeric(weights) || length(weights) != cutoff || anyNA(weights)) {
    abort_judicious("A discount function must return a number for each rank it is given.", "argument",
                    argument = "discount",
                    call = NULL)
  }
  as.numeric(weights)
}

# Kinds that are sums over documents of (weight of the rank) x (function of the gain), so that both
# moments follow from those of the function.
linear_kinds <- c("ag", "cg", "dcg", "p", "rbp")
