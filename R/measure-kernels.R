# Converts measures to the form that the C++ kernels accept.

# Gain functions and relevance thresholds become tables over the levels.
# `details`: of the judgments, see judged_gains().
core_measures <- function(measures, levels, details = list()) {
  check_subtopics(measures, details)
  check_query_columns(measures, details)
  lapply(measures[!is_custom(measures)], function(m) {
    given <- m$args
    worth <- as.numeric(measure_worth(m, levels))
    # Sums over documents must be numbers, too.
    uses_gains <- !is.null(given$gain) || !identical(measure_registry[[m$base]]$worth, gain_worth)
    large <- which(!is.finite(worth) | abs(worth) > 1e300)
    check_that(!uses_gains || !length(large), "judgments",
               "A gain of {levels[large[1]]} is too large for {.val {m$label}}.", call = NULL)
    list(name = m$base, cutoff = m$cutoff, gain = worth, relevant = as.integer(levels >= (given$rel %||% 1)),
         parameters = Filter(function(value) is.atomic(value) && !is.null(value), given),
         unanswered = measure_registry[[m$base]]$unanswered, discount_table = discount_table(given$discount, m$cutoff),
         max_gain = highest_worth(given, levels))
  })
}

measures_by_subtopic <- function(measures) {
  Filter(function(m) is.null(m$fun) && identical(measure_registry[[m$base]]$needs, "subtopic"), unclass(measures))
}

# Measures that are, up to a factor of the cutoff, means over the subtopics (or nuggets) of these.
of_one_subtopic <- c(P_IA = "P", AP_IA = "AP", ERR_IA = "ERR(max=1)", StRecall = "success", nugget_recall = "AG")

check_subtopics <- function(measures, details, call = NULL) {
  by_subtopic <- measures_by_subtopic(measures)
  if (!length(by_subtopic) || !is.null(details$start)) return(invisible())
  m <- by_subtopic[[1]]
  one <- if (m$base == "ERR_IA" && m$args$alpha != 0.5) NA else of_one_subtopic[m$base]
  abort_judicious(c(
    "{.val {m$label}} needs judgments by subtopic, and a test collection has one gain a document.",
    x = if (is.na(one)) "It depends on which subtopics a document has together, which joint gains do not describe.",
    i = if (!is.na(one)) "It is a mean over subtopics: use {.val {one}} on a collection in which each subtopic is a
      query (see {.fn measure}).",
    i = "{.fn evaluate} computes it from runs and judgments with a column {.val subtopic}."
  ), "measure", measure = m$name, call = call)
}

# The parameters of a measure that name a column of the queries.
query_parameters <- function(m) {
  known <- measure_registry[[m$base]]$parameters
  Filter(function(name) is.character(m$args[[name]]) && isTRUE(known[[name]]$per_query), names(m$args))
}

# Only evaluate() with a collection passes columns of the queries.
check_query_columns <- function(measures, details) {
  lacking <- Filter(function(m) length(setdiff(unlist(m$args[query_parameters(m)]), names(details$of_query))), measures)
  if (!length(lacking)) return(invisible())
  abort_judicious(c(
    "{.val {lacking[[1]]$label}} has a parameter per query, with which only values of {.fn evaluate} are computed.",
    i = "{.fn measure_custom} defines a measure that also ranks systems by joint gains."
  ), "measure", measure = lacking[[1]]$name, call = NULL)
}

# Transformed gains of a measure; `levels` are all distinct gains.
measure_worth <- function(m, levels) measure_registry[[m$base]]$worth(m$args, levels)

# The contribution of a document with transformed gain 1 to the value of a list, by its position and the length of the
# list: the value that the kernel computes for a list without other documents.
rank_weights <- function(m, levels, position, retrieved) {
  code <- position + (max(position, 0) + 1) * as.double(retrieved)
  one <- which(!duplicated(code))
  core <- core_measures(list(m), levels)[[1]]
  core$gain <- 1
  core$relevant <- 1L
  lists <- list(query = rep(1L, length(one)), retrieved = retrieved[one], offset = 0:length(one))
  items <- list(rank = position[one], level = rep(1L, length(one)), first = position[one], last = position[one])
  value <- evaluate_lists_cpp(lists, items, list(integer()), list(core), plain_policy)
  as.vector(value)[match(code, code[one])]
}

# Unjudged documents are not relevant, and ranks are used as given.
plain_policy <- list(unjudged = "zero", ties = "rank", seed = 0)

discount_table <- function(discount, cutoff) {
  if (!is.function(discount)) return(numeric())
  discounts <- discount(seq_len(cutoff))
  check_that(is.numeric(discounts) && length(discounts) == cutoff && !anyNA(discounts), "discount",
             "A discount function must return a number for each rank it is given.", call = NULL)
  as.numeric(discounts)
}
