# Parameters of measures and how they transform gains, for the entries of the registry (measure-registry.R).

# A parameter of a measure: its default and its check. `at` has the measure's `base`, `cutoff` and `args`, and the
# `call` for errors.
parameter <- function(default, check) list(default = default, check = check)

number_parameter <- function(default, min = -Inf, max = Inf, open = FALSE) {
  parameter(default, function(value, name, at) check_number(value, name, min, max, open, call = at$call))
}

# A number, or the name of a numeric column of a collection's queries, which has it per query. Kernels read it by
# `v.number()`.
query_parameter <- function(default, ...) {
  number <- number_parameter(default, ...)$check
  list(default = default, per_query = TRUE,
       check = function(value, name, at) if (!is_string(value)) number(value, name, at))
}

flag_parameter <- function(default) parameter(default, function(value, name, at) check_flag(value, name, at$call))

word_parameter <- function(default, choices) {
  parameter(default, function(value, name, at) check_choice(value, choices, name, at$call))
}

# A keyword or a function that needs a cutoff, which determines the length of the list of weights.
check_needed_cutoff <- function(needs, what, at) {
  abort_unless(!needs || !is.na(at$cutoff),
               "{.val {at$base}} with {what} needs a cutoff.", "measure", measure = at$base, call = at$call)
}

gain_parameter <- function(default, choices = c("linear", "exp")) {
  parameter(default, function(value, name, at) {
    grades <- suppressWarnings(as.numeric(names(value)))
    is_table <- is.numeric(value) && length(grades) && !anyNA(grades) && all(is.finite(value))
    if (is.function(value) || is_table) return(invisible())
    check_that(!is.numeric(value), "gain", c(
      "must be a function, a word or a table of gains.",
      i = "A table has the judged grades as names: {.code c(\"1\" = 3, \"2\" = 9)}."
    ), call = at$call)
    check_choice(value, choices, "gain", at$call)
  })
}

relevant_parameter <- list(rel = number_parameter(1))
mean_parameter <- list(mean = word_parameter("arithmetic", c("arithmetic", "geometric")))
persistence_parameter <- list(p = query_parameter(0.8, 0, 1, open = TRUE))
linear_gain_parameter <- list(gain = gain_parameter("linear"))
graded_parameters <- c(list(rel = number_parameter(NULL)), linear_gain_parameter)
discount_parameters <- c(graded_parameters, list(
  discount = parameter("log2", function(value, name, at) {
    check_needed_cutoff(is.function(value), "a discount that is a function", at)
    if (!is.function(value)) check_choice(value, c("log2", "log_b"), name, at$call)
  }),
  b = number_parameter(2, 1, open = TRUE)
))
ideal_parameters <- c(discount_parameters, list(
  ideal = parameter("judged", function(value, name, at) {
    check_choice(value, c("judged", "maximum"), name, at$call)
    check_needed_cutoff(value == "maximum", "an ideal list of the highest gain", at)
  }),
  max = number_parameter(NULL, 0)
))

# For user models, gains are scaled from `min` to `max` and truncated there; cwl_eval ignores ranks beyond the
# `horizon`.
scaled_gain_parameters <- list(
  min = number_parameter(0, 0),
  max = parameter(NULL, function(value, name, at) {
    check_number(value, name, at$args$min %||% 0, open = TRUE, call = at$call)
  }),
  horizon = parameter(1000, function(value, name, at) check_count(value, name, call = at$call))
)
goal_parameters <- c(list(T = number_parameter(1, 0, open = TRUE)), scaled_gain_parameters)

gain_function <- function(gain, values) {
  if (is.null(gain) || identical(gain, "linear") || identical(gain, "binary")) return(as.numeric(values))
  if (identical(gain, "exp")) return(2^values - 1)
  if (is.numeric(gain)) {
    # A value that is not in the table is not changed.
    given <- match(values, as.numeric(names(gain)))
    return(unname(ifelse(is.na(given), values, gain[given])))
  }
  out <- gain(values)
  check_that(is.numeric(out) && length(out) == length(values) && !anyNA(out), "gain",
             "A gain function must return a number for each gain it is given.", call = NULL)
  as.numeric(out)
}

# Transforms the judged gains `levels` as the arguments `args` of a measure state.
gain_worth <- function(args, levels) gain_function(args$gain, levels)

graded_worth <- function(args, levels) {
  worth <- gain_function(args$gain, levels)
  if (!is.null(args$rel)) worth[levels < args$rel] <- 0
  worth
}

relevance_worth <- function(args, levels) as.numeric(levels >= args$rel)

highest_worth <- function(args, levels) gain_function(args$gain, if (is.numeric(args$max)) args$max else max(levels))

# The transformation that the parameters of a measure ask for.
worth_by <- function(parameters) {
  if (!is.null(parameters$horizon)) return(scaled_worth)
  if (identical(parameters[names(graded_parameters)], graded_parameters)) graded_worth else gain_worth
}

rbp_worth <- function(args, levels) {
  if (identical(args$gain, "binary")) return(relevance_worth(args, levels))
  gain_worth(args, levels) / if (identical(args$max, "query")) 1 else max(1, highest_worth(args, levels))
}

scaled_worth <- function(args, levels) {
  highest <- highest_worth(args, levels)
  if (highest <= args$min) return(numeric(length(levels)))
  (pmin(pmax(levels, args$min), highest) - args$min) / (highest - args$min)
}

err_worth <- function(args, levels) {
  highest <- highest_worth(args, levels) + identical(args$gain, "exp")
  gain_worth(args, levels) / if (highest > 0) highest else 1
}

# Whether the ideal list does not depend on the judgments.
has_fixed_ideal <- function(args) args$ideal == "maximum"
