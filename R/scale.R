#' Define a gain scale
#'
#' Defines the gains that an assessor can give to a document, for the argument `scale` of [test_collection()].
#' `gain_scale()` takes any levels; `broad_scale()` and `fine_scale()` are the scales of MIREX.
#'
#' @details The models use the levels of the assessors, except on the Fine scale: assessors give 0 to 100, but models
#' have the ten levels 0, 11, ..., 99 of Urbano and Schedl (2013, section 4.2.3; see [mtc()]), to the nearest of which a
#' gain is rounded. `fine_scale(10)`, of early editions of MIREX, is from 0 to 10 with model levels 0, 1.1, ..., 9.9.
#'
#' @param levels Two or more different, finite numbers, such as `0:3`. Absolute values are at most 1e100, and the range
#'   is at least 1e-100 and a millionth of the largest absolute value.
#' @param highest The highest gain of the Fine scale: 100 or 10.
#' @return A `judicious_scale`: a list with `name` (empty for `gain_scale()`), sorted `levels`, `model_levels` and
#'   `any_value` (TRUE if every number between the lowest and the highest level is a gain).
#' @examples
#' broad_scale()
#' fine_scale()
#' fine_scale(10)
#' gain_scale(0:3)
#' @export
gain_scale <- function(levels) {
  levels <- plain_values(levels, "levels")
  usable <- is.numeric(levels) && length(levels) >= 2 && all(is.finite(levels)) && !anyDuplicated(levels)
  check_that(usable, "levels", "must be two or more different, finite numbers.")
  # Very large or nearly equal levels raise an error, because computations square gains and subtract sums of squares,
  # which would lose digits.
  largest <- max(abs(levels))
  width <- diff(range(levels))
  problem <- if (largest > 1e100) {
    c(x = "The largest is {largest}; squares of such numbers cannot be represented.", i = "Divide them by a constant.")
  } else if (width < 1e-100) {
    c(x = "They span {width}; squares of such numbers cannot be represented.", i = "Multiply them by a constant.")
  } else if (width < 1e-6 * largest) {
    c(x = "They span {width}, which is too little beside {largest}.", i = "Subtract a constant.")
  }
  check_that(is.null(problem), "levels", c("must be numbers of ordinary size.", problem,
                                           i = "The order of systems and the confidence stay the same."))
  new_scale("", sort(as.numeric(levels)))
}

#' @rdname gain_scale
#' @export
broad_scale <- function() new_scale("Broad", c(0, 1, 2))

#' @rdname gain_scale
#' @export
fine_scale <- function(highest = 100) {
  check_that(is.numeric(highest) && length(highest) == 1 && highest %in% c(10, 100), "highest", "must be 100 or 10.")
  parts <- 100 / highest
  new_scale(if (highest == 100) "Fine" else "Fine 0 to 10", 0:100 / parts, model_levels = seq(0, 99, by = 11) / parts,
            any_value = TRUE)
}

new_scale <- function(name, levels, model_levels = levels, any_value = FALSE) {
  structure(list(name = name, levels = levels, model_levels = model_levels, any_value = any_value),
            class = "judicious_scale")
}

#' @export
format.judicious_scale <- function(x, ...) {
  if (is_share_scale(x))
    return(paste0("shares of a scale whose levels are not known (", as_code("scale = 0:3"), " would state them)"))
  l <- x$levels
  shown <- toString(if (length(l) > 6) c(l[1:2], "...", l[length(l)]) else l)
  coarser <- if (length(x$model_levels) < length(l)) paste0(", modelled on ", length(x$model_levels), " levels")
  other_scale <- if (!is.null(x$other)) paste0(" (", as_code(paste("scale =", x$other)), " would state others)")
  paste0(if (nzchar(x$name)) paste0(x$name, ": "), shown, coarser, x$basis, other_scale)
}

#' @export
print.judicious_scale <- function(x, ...) print_line(x, "Gain scale ", format(x))

# Converts a scale, or the levels of one, to a scale.
as_scale <- function(scale) {
  if (inherits(scale, "judicious_scale")) return(scale)
  if (is.numeric(scale)) return(gain_scale(scale))
  abort_argument("scale", c(
    "must be a gain scale or its levels, as {.code 0:3}, not {.obj_type_friendly {scale}}.",
    i = "Scales are made by {.fn fine_scale}, {.fn broad_scale} and {.fn gain_scale}."))
}

# The scale of runs with scores, as in TREC, until judgments or grades show the levels: any number from 0 to 1, modelled
# with four levels.
share_scale <- function() replace(new_scale("Share", 0:3 / 3, any_value = TRUE), "unknown", TRUE)

is_share_scale <- function(scale) isTRUE(scale$unknown)

# The scale of runs without scores, as in MIREX, until judgments or grades show another one.
assumed_scale <- function() replace(fine_scale(), c("basis", "other"), c(", assumed", "0:3"))

is_open_scale <- function(scale) is_share_scale(scale) || identical(scale$basis, ", assumed")

# The lowest level of a scale, from gains that are whole numbers and do not include 0: 1 for ratings, such as 1 to 5;
# but 0 for relevance up to 3 or 4, because often only positive levels are kept in files.
lowest_level <- function(gain, highest = 5, enough = 10) {
  if (min(gain) >= 1 && max(gain) >= highest && max(gain) <= 10 && length(gain) >= enough) 1 else 0
}

other_scale_text <- function(gain, lowest) if (min(gain) > 0 && max(gain) > 1) paste0(1 - lowest, ":", max(gain))

# The scale that gains suggest. Up to a gain of 10, its levels are whole numbers from the lowest to the highest; if the
# gains are not whole numbers, values between levels are allowed, too. Up to 100, it is the Fine scale. NULL if the
# gains suggest no scale: above 100, for judgments from 0 to 1 that are not whole numbers, and for grades that are not
# whole numbers up to 10. Thirty judgments with a few whole numbers below 50, such as 0, 2, 4 and 16, show the levels.
scale_of_gains <- function(gain, kind) {
  gain <- gain[!is.na(gain)]
  if (!length(gain) || max(gain) > 100) return(NULL)
  are_whole <- all(gain == trunc(gain))
  is_shown <- if (kind == "judgments") are_whole || max(gain) > 1 else are_whole && max(gain) <= 10
  if (!is_shown) return(NULL)
  inferred <- if (max(gain) > 10) scale_above_ten(gain, kind) else scale_to_highest(gain, are_whole)
  between <- if (max(gain) <= 10 && !are_whole) " and numbers between"
  inferred$basis <- paste0(between, ", inferred from the ", kind)
  inferred
}

scale_above_ten <- function(gain, kind) {
  levels <- unique(c(0, gain))
  has_levels <- kind == "judgments" && length(gain) >= 30 && length(levels) <= 6 && all(gain %in% 0:49)
  if (has_levels) gain_scale(levels) else fine_scale()
}

# The scale from the lowest level to the highest gain. If 0 does not occur, `other` names the other possible scale.
scale_to_highest <- function(gain, are_whole) {
  lowest <- lowest_level(gain)
  scale <- gain_scale(lowest:ceiling(max(gain, 1)))
  if (are_whole) scale$other <- other_scale_text(gain, lowest)
  scale$any_value <- !are_whole
  scale
}

in_scale <- function(scale, gain) {
  if (scale$any_value) return(gain >= min(scale$levels) & gain <= max(scale$levels))
  on_levels(scale, gain) %in% scale$levels
}

# Gains that equal a level of the scale up to rounding errors, as 0.3 and the fourth of seq(0, 1, 0.1), become this
# level.
on_levels <- function(scale, gain) {
  if (scale$any_value) return(gain)
  level <- scale$levels[nearest(scale$levels, gain)]
  equal <- which(abs(gain - level) < 1e-10 * diff(range(scale$levels)))
  gain[equal] <- level[equal]
  gain
}

# Warns about gains or grades such as 0 to 5, and judgments such as 0.25, which are valid on the Fine scale but probably
# belong to another scale. Judgments from 0 to 1 are no reason to warn if the user has stated the scale.
warn_other_scale <- function(gain, scale, kind = "judgments", grader = NULL) {
  gain <- gain[!is.na(gain)]
  if (!scale$any_value || length(gain) < 10) return(invisible())
  remedy <- if (are_assumed_shares(gain, scale, kind))
    "Are they shares? Multiply them by {max(scale$levels)}, or state their {.arg scale}."
  else if (max(gain) %in% 1:10 && all(gain == trunc(gain)))
    paste0("Is the scale {paste(sort(unique(gain)), collapse = ',')}? Then set {.arg scale}",
           hint(" in {.fn test_collection}"), ".")
  of_grader <- if (!is.null(grader)) " of {.val {grader}}"
  if (!is.null(remedy)) warn_judicious(c(paste0("The {kind}", of_grader, " are all from {min(gain)} to {max(gain)}, but
    the scale is {format(scale)}."), i = remedy), "scale")
}

# Whether judgments seem to list relevant documents only, as those of BEIR and clicks do: a model that learns from them
# expects other documents, which are `unjudged`, to be relevant, too.
lists_only_relevant <- function(gain, scale, unjudged = anyNA(gain)) {
  judged <- gain[!is.na(gain)]
  is_relevance <- min(scale$levels) == 0 && length(scale$levels) <= 5 && !scale$any_value
  is_relevance && length(judged) >= 30 && unjudged && min(judged) > 0
}

warn_only_relevant <- function(gain, scale) {
  if (!lists_only_relevant(gain, scale)) return(invisible())
  warn_judicious(c(
    "None of the {format_count(sum(!is.na(gain)))} judgments is 0: the gains of other documents may be overestimated.",
    i = if (!is.null(scale$other)) hint("If 0 is not a level, state {.code scale = {scale$other}}.",
                                        "If 0 is not a level, state --scale {scale$other}."),
    i = hint("If the judgments list relevant documents only, use {.fn evaluate} or {.fn compare_systems}, which take all
      others as not relevant.", "If the judgments list relevant documents only, use evaluate or compare, which take all
      others as not relevant.")
  ), "only_relevant", n = sum(!is.na(gain)))
}

are_assumed_shares <- function(gain, scale, kind) {
  kind == "judgments" && is_open_scale(scale) && max(scale$levels) > 1 && max(gain) <= 1 && any(gain != trunc(gain))
}

# The index of the model's level that is nearest to a gain; a gain halfway between two levels is rounded up.
level_index <- function(scale, gain) nearest(scale$model_levels, gain)

nearest <- function(levels, gain) findInterval(gain, (levels[-1] + levels[-length(levels)]) / 2) + 1L

# The gains of a collection, rounded to the model's levels.
modelled_gain <- function(x) x$scale$model_levels[level_index(x$scale, x$gain)]

# The uniform distribution over the levels of the scale: the probabilities of the model's levels, and the exact mean and
# variance (50 and 850 on the Fine scale).
uniform_gain <- function(scale) {
  l <- scale$levels
  level_counts <- tabulate(level_index(scale, l), length(scale$model_levels))
  list(prob = level_counts / length(l), mean = mean(l), variance = mean((l - mean(l))^2))
}

# Checks that gains are on the scale; an error names the first row that is not. Returns them without rounding errors.
check_gains <- function(gain, scale, query, doc, arg) {
  check_numeric_column(list(gain = gain), "gain", arg)
  bad <- which(is.na(gain) | !in_scale(scale, gain))
  i <- bad[1]
  abort_unless(!length(bad), c(
    "{format_count(length(bad))} {cli::qty(length(bad))}gain{?s} of {.arg {arg}} {cli::qty(length(bad))}{?is/are}
      not on the scale {format(scale)}.",
    x = "The first is {gain[i]} in row {i} (query {.val {query[i]}}, document {.val {doc[i]}}).",
    i = if (arg == "gain") "The scale of a session stays as it is." else
      "Give another {.arg scale}, or correct the judgments.",
    i = if (isTRUE(gain[i] != trunc(gain[i]))) "Gains with decimals can be rounded to the levels, or rescaled to 0 to
      100 for {.code scale = fine_scale()}, which takes any number.",
    i = if (isTRUE(gain[i] < 0)) hint("Grades below 0 that mark junk can be replaced by 0: {.code pmax(gain, 0)}.",
                                      "Grades below 0 that mark junk become 0 with --negative zero.")
  ), "gain_outside_scale", argument = arg, rows = bad)
  on_levels(scale, gain)
}

# Functions of gains: how a measure with the arguments `args` transforms the judged gains `levels`.

# The values of a gain function: linear, exponential, a table or an R function.
apply_gain_function <- function(gain, values) {
  if (is.null(gain) || identical(gain, "linear") || identical(gain, "binary")) return(as.numeric(values))
  if (identical(gain, "exp")) return(2^values - 1)
  if (is.numeric(gain)) {
    # Values that are missing from the table stay unchanged.
    in_table <- match(values, as.numeric(names(gain)))
    return(unname(ifelse(is.na(in_table), values, gain[in_table])))
  }
  out <- gain(values)
  check_that(is.numeric(out) && length(out) == length(values) && !anyNA(out), "gain",
             "A gain function must return a number for each gain it is given.", call = NULL)
  as.numeric(out)
}

transform_gains <- function(args, levels) apply_gain_function(args$gain, levels)

transform_relevant_gains <- function(args, levels) {
  transformed <- apply_gain_function(args$gain, levels)
  if (!is.null(args$rel)) transformed[levels < args$rel] <- 0
  transformed
}

transform_to_relevance <- function(args, levels) as.numeric(levels >= args$rel)

highest_transformed <- function(args, levels) {
  apply_gain_function(args$gain, if (is.numeric(args$max)) args$max else max(levels))
}

transform_for_rbp <- function(args, levels) {
  if (identical(args$gain, "binary")) return(transform_to_relevance(args, levels))
  transform_gains(args, levels) / if (identical(args$max, "query")) 1 else max(1, highest_transformed(args, levels))
}

transform_scaled_gains <- function(args, levels) {
  highest <- highest_transformed(args, levels)
  if (highest <= args$min) return(numeric(length(levels)))
  (pmin(pmax(levels, args$min), highest) - args$min) / (highest - args$min)
}

transform_for_err <- function(args, levels) {
  highest <- highest_transformed(args, levels) + identical(args$gain, "exp")
  transform_gains(args, levels) / if (highest > 0) highest else 1
}
