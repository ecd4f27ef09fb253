#' Compute the agreement between raters
#'
#' Computes Cohen's kappa for two raters, Fleiss' kappa for any number of exchangeable raters, Krippendorff's alpha for
#' any number of raters, missing ratings and any level of measurement, the root mean squared difference between raters,
#' or how consistent judgments on two gain scales are.
#'
#' - Cohen's kappa has the large-sample standard error of Fleiss, Cohen and Everitt (1969). Fleiss' kappa (1971) is used
#'   in its form for unequal numbers of ratings; it, alpha and `"rmse"` have jackknife standard errors over the units,
#'   NA with fewer than three. Units with fewer than two ratings are left out.
#' - `"rmse"` averages the root mean squared differences of the pairs of raters (Urbano and Schedl 2013, section 4.3).
#' - `"scales"`: for every two documents of a query with different levels on the coarser scale, the gains on the finer
#'   scale have the same order (`consistent`), are equal, or have the opposite order (`contradicted`).
#'
#' @param x,y Ratings of the same units by two raters: numbers, text or factors. Or two sets of judgments, whose common
#'   pairs are compared: data frames with `query`, `doc` and `gain`, their paths, collections or sessions; for
#'   `"scales"`, `x` has the coarser scale. Without `y`, `x` is one of:
#'   - a matrix or data frame of ratings, units in rows and raters in columns, with NA for missing ratings;
#'   - with `type = "counts"`, a matrix of the number of ratings of each unit in each category;
#'   - preference answers, as in [worker_agreement()]: the units are pairs of documents, the raters are workers, and the
#'     ratings are 1 for A, 0 for equal and -1 for B;
#'   - judgments, also of a collection or session, by several values of `assessor`. Different ratings of a pair by one
#'     assessor raise an error; equal ones count once, with a message.
#' @param method `"cohen"`, the default with `y`; `"krippendorff"`, the default without `y`; `"fleiss"`; `"rmse"`; or
#'   `"scales"`, the default for two sets of judgments.
#' @param ... Not used.
#' @param weights For Cohen's kappa: how disagreement is weighted by the distance between categories (Cohen 1968).
#' @param levels For Cohen's kappa: the categories in order; by default the sorted values, or the levels of a factor.
#' @param level_of_measurement For alpha: what defines the distance between two ratings, by default `"interval"` for
#'   judgments and else `"nominal"`. `"interval"` and `"ratio"` require numbers.
#' @param type What the matrix `x` contains: ratings, or counts of ratings.
#' @return A `judicious_coefficient`: a list with `coefficient`, `estimate`, `se`, `observed` and `expected` (agreement,
#'   or for alpha disagreement), and the numbers of `units`, `ratings` and `raters`; for judgments by `assessor` also
#'   `assessors`: `assessor`, `judged`, the `mean` gain, and the `leniency`, the mean excess over the others' mean gain
#'   of the same documents. With `"scales"`, a `judicious_scale_agreement`: a list with the number of `documents`, the
#'   correlations `pearson` and `spearman`, the number of pairs of documents `compared`, the shares `consistent`,
#'   `equal` and `contradicted`, and `table`: statistics of the gains on the finer scale by `level` of the coarser one.
#' @references Cohen (1968). Psychological Bulletin 70, 213-220.
#'
#'   Fleiss (1971). Psychological Bulletin 76, 378-382.
#'
#'   Fleiss et al. (1969). Psychological Bulletin 72, 323-327.
#'
#'   Krippendorff (2011). Computing Krippendorff's alpha-reliability. University of Pennsylvania. Urbano and Schedl
#'   (2013): see [mtc()].
#' @examples
#' agreement(c(1, 2, 3, 1), c(1, 2, 2, 1), weights = "quadratic")
#' ratings <- rbind(c(1, 1, NA), c(2, 2, 3), c(3, 3, 3), c(1, NA, 2))
#' agreement(ratings, method = "fleiss")
#' agreement(ratings, level_of_measurement = "ordinal")
#' broad <- data.frame(query = "q", doc = 1:4, gain = c(0, 1, 1, 2))
#' fine <- data.frame(query = "q", doc = 1:4, gain = c(20, 15, 50, 90))
#' agreement(broad, fine)
#' @export
agreement <- function(x, y = NULL, method = NULL, ..., weights = c("none", "linear", "quadratic"), levels = NULL,
                      level_of_measurement = c("nominal", "ordinal", "interval", "ratio"),
                      type = c("ratings", "counts")) {
  refuse_other_arguments("agreement()", ...)
  x <- ratings_from_source(x, "x")
  y <- ratings_from_source(y, "y")
  carried <- c("judicious_collection", "judicious_session")
  x <- plain_values(if (inherits(x, carried)) judgments_of(x) else x, "x", exact = TRUE)
  y <- plain_values(if (inherits(y, carried)) judgments_of(y) else y, "y", exact = TRUE)
  two <- is_judgments(x) && is_judgments(y)
  method <- method %||% if (two) "scales" else if (is.null(y)) "krippendorff" else "cohen"
  method <- check_choice(method, c("cohen", "fleiss", "krippendorff", "rmse", "scales"), "method")
  weights <- check_choice(weights, c("none", "linear", "quadratic"), "weights")
  level <- if (missing(level_of_measurement) && is_judgments(x)) "interval" else
    check_choice(level_of_measurement, c("nominal", "ordinal", "interval", "ratio"), "level_of_measurement")
  type <- check_choice(type, c("ratings", "counts"), "type")
  given <- c(weights = weights != "none", levels = !is.null(levels),
             level_of_measurement = !missing(level_of_measurement))
  unused <- setdiff(names(which(given)), argument_use[[method]])
  check_that(!length(unused), unused[1], "is not used by {.code method = \"{method}\"}.")
  coefficient <- function(x, y = NULL) {
    switch(method, cohen = cohen_kappa(x, y, weights, levels), fleiss = fleiss_kappa(x, type),
           krippendorff = krippendorff_alpha(x, level, type), rmse = rater_rmse(x, type))
  }
  if (two) {
    gains <- common_gains(x, y)
    return(switch(method, scales = scale_agreement(gains), cohen = coefficient(gains$x, gains$y),
                  coefficient(gains[c("x", "y")])))
  }
  check_that(method != "scales", "y", "{.arg x} and {.arg y} must be two sets of judgments to compare their scales.")
  check_that(method == "cohen" || is.null(y), "y",
             "must be given for Cohen's kappa or two sets of judgments, and for nothing else.")
  ratings <- checked_ratings(x, type, alone = is.null(y))
  if (!is.null(y)) y <- without_missing_text(y, "y")
  found <- coefficient(ratings, y)
  if (is_judgments(x)) found$assessors <- rater_leniency(ratings)
  found
}

# Reads judgments, or a table of ratings with a header. Several texts are ratings themselves.
ratings_from_source <- function(x, arg) {
  if (!is_string(x) && !is_database_table(x)) return(x)
  columns <- if (is_string(x) && file.exists(x)) columns_of_file(x)
  is_table <- length(columns) && !has_number(columns) &&
    !all(c("query", "doc") %in% standard_names(columns, "judgments"))
  if (is_table) table_from_source(x, arg) else judgments_from_path(x, arg)
}

checked_ratings <- function(x, type, alone) {
  check_that(!is_judgments(x) || "assessor" %in% names(x), "x",
             "must name the {.code assessor} of each judgment, or {.arg y} must be a second set of judgments.")
  check_that(!is.table(x) || type == "counts", "x", c("must hold the ratings of each unit, not a table of counts.",
    i = "For a table of units by categories, {.code type = \"counts\"}."))
  ratings <- ratings_of(x)
  if (alone && identical(ratings, x)) {
    refuse_other_columns(x)
    if (type == "ratings" && NCOL(x) > NROW(x) && NROW(x) > 1) inform_judicious(c(
      "{.arg x} has ratings of {counted(NROW(x), 'unit')} by {NCOL(x)} raters.",
      i = "If raters are in rows, as in other packages, transpose it: {.code t(x)}."), "raters")
  }
  ratings <- without_missing_text(ratings, "x")
  rows <- which(rowSums(is.infinite(as.matrix(if (is_judgments(x)) x$gain else ratings))) > 0)
  check_that(!length(rows), "x", "has an infinite rating in row {rows[1]}.", rows = rows)
  ratings
}

# The arguments that only some methods use. Others raise an error, so that no result is taken for another, such as a
# weighted Fleiss' kappa.
argument_use <- list(cohen = c("weights", "levels"), krippendorff = "level_of_measurement")

# For each rater, the mean of his or her ratings, and their mean difference from the mean of the other ratings of the
# same units.
rater_leniency <- function(ratings) {
  rated <- !is.na(ratings)
  others <- (rowSums(ratings, na.rm = TRUE) - ratings) / (rowSums(rated) - 1)
  data.frame(assessor = colnames(ratings), judged = colSums(rated), mean = colMeans(ratings, na.rm = TRUE),
             leniency = colMeans(ratings - others, na.rm = TRUE), row.names = NULL)
}

# Converts `x` to ratings, with units in rows and raters in columns.
ratings_of <- function(x) UseMethod("ratings_of")

#' @export
ratings_of.default <- function(x) x

# Raises an error for columns without ratings, which would count as ratings of somebody who never agrees: columns named
# as units that differ in every row or stand beside one of raters, row numbers, texts that occur once, and texts beside
# numbers.
refuse_other_columns <- function(x) {
  if (is.null(colnames(x))) return()
  columns <- columns_of(x)
  is_text <- vapply(columns, function(column) is.character(column) || is.factor(column), NA)
  text <- lapply(columns, function(column) if (!is.numeric(column)) as.character(column[!is.na(column)]))
  every_text <- unlist(text, use.names = FALSE)
  repeated <- unique(every_text[duplicated(every_text)])
  occurs_once <- is_text & lengths(text) > 2 & !vapply(text, function(column) any(column %in% repeated), NA)
  named_unit <- has_role(names(columns), c("query", "possible query")) |
    header_words(names(columns)) %in% c(unlist(field_names()[c("query", "doc")]), "unit", "unit_id", "subject")
  in_every_row <- any(has_role(names(columns), "assessor")) | !vapply(columns, anyDuplicated, 0L)
  row_numbers <- length(columns) > 2 & begins_with_row_numbers(columns) & seq_along(columns) == 1
  beside_numbers <- is_text & any(vapply(columns, is.numeric, NA))
  other <- named_unit & in_every_row | occurs_once & !all(occurs_once) | row_numbers | beside_numbers
  check_that(!any(other), "x", c(
    "has a column without ratings, {.val {names(columns)[other][1]}}: each must hold the ratings of one person.",
    i = "Leave it out. If rows are single ratings, name their columns {.val {c('query', 'doc', 'assessor', 'gain')}}."))
}

# Replaces texts that mean that there is no rating, such as empty cells of a file or "NA", by NA, and reports them.
# "none" may be a category.
without_missing_text <- function(x, arg) {
  check_that(is.data.frame(x) || !is.null(x) && is.atomic(x), arg,
             "must be a vector, a matrix or a data frame of ratings, not {.obj_type_friendly {x}}.")
  is_missing <- function(text) are_missing_words(text, setdiff(missing_grade_words, "none"))
  columns <- Filter(Negate(is.numeric), if (is.data.frame(x)) x else list(x))
  for (i in seq_along(columns)) check_utf8(as.character(columns[[i]]), c(names(columns)[i], i)[1], arg)
  found <- Filter(is_missing, unlist(lapply(columns, as.character), use.names = FALSE))
  n <- length(found)
  if (n) inform_judicious(c(
    "{format_count(n)} {cli::qty(n)}text{?s} of {.arg {arg}} {cli::qty(n)}{?is/are} no rating{?s}:
      {.val {unique(found)}}.",
    i = "Give a category another name."), "empty_ratings", n = n)
  without <- function(value) {
    if (is.factor(value)) levels(value)[is_missing(levels(value))] <- NA else if (n)
      value[is_missing(as.character(value))] <- NA
    value
  }
  if (is.data.frame(x)) x[] <- lapply(x, without) else x <- without(x)
  x
}

# Raises an error if columns have no common order: text would be ordered alphabetically, or levels of factors differ.
# Reports levels of plain factors that are in alphabetical order.
refuse_text <- function(columns, coefficient, remedy) {
  differ <- length(unique(lapply(Filter(is.factor, columns), base::levels))) > 1
  check_that(!differ && !any(vapply(columns, is.character, NA)), "x", c(
    paste(coefficient, "needs ratings with an order, which", if (differ) "factors of different levels have not." else
      "text has not."), i = remedy))
  plain <- Find(function(column) is.factor(column) && !is.ordered(column), columns)
  if (!is.null(plain)) report_level_order(base::levels(plain), "x")
}

# Raises an error if squares of differences between ratings cannot be represented.
check_rating_range <- function(value) {
  spread <- diff(range(value, na.rm = TRUE))
  check_that(can_be_squared(spread), "x", "has ratings that differ by {signif(spread, 3)}: the
    square cannot be represented. {if (spread > 1) 'Divide' else 'Multiply'} all by a constant.")
}

cohen_kappa <- function(x, y, weights, levels) {
  if (is.null(y)) {
    check_that(isTRUE(ncol(x) == 2), "y", "must be given for Cohen's kappa, unless {.arg x} has two columns.")
    columns <- as.data.frame(x)
    x <- columns[[1]]
    y <- columns[[2]]
  }
  check_that(!is.data.frame(x) && !is.data.frame(y), "x", "{.arg x} and {.arg y} must be the ratings of one person each,
    or two sets of judgments with the columns {.val query}, {.val doc} and {.val gain}.")
  check_that(length(x) == length(y), "y",
             "{.arg x} and {.arg y} must be equally long, but have {length(x)} and {length(y)} ratings.")
  in_other_order <- !identical(names(x), names(y)) && !anyDuplicated(names(x)) && setequal(names(x), names(y))
  check_that(!in_other_order, "y", "has the names of {.arg x} in another order; {.code y[names(x)]} is in the same.")
  if (weights != "none" && is.null(levels)) refuse_text(list(x, y), "{.arg weights}", "Give {.arg levels} from lowest to
    highest.")
  ratings <- with_comparable_types(list(x, y))
  categories <- rating_levels(ratings, levels)
  both <- !is.na(x) & !is.na(y)
  n <- sum(both)
  check_that(n != 0, "x", "No unit has a rating by both raters.")
  in_category <- function(rating) factor(rating_text(rating[both]), rating_text(categories))
  p <- unclass(table(in_category(ratings[[1]]), in_category(ratings[[2]]))) / n
  k <- length(categories)
  distance <- abs(outer(seq_len(k), seq_len(k), "-")) / max(1, k - 1)
  w <- 1 - switch(weights, none = (distance > 0) + 0, linear = distance, quadratic = distance^2)
  row_share <- rowSums(p)
  column <- colSums(p)
  observed <- sum(w * p)
  expected <- sum(w * outer(row_share, column))
  estimate <- (observed - expected) / (1 - expected)
  mean_weight <- outer(drop(w %*% column), drop(row_share %*% w), "+")
  variance <- (sum(p * (w - mean_weight * (1 - estimate))^2) - (estimate - expected * (1 - estimate))^2) /
    (n * (1 - expected)^2)
  name <- if (weights == "none") "Cohen's kappa" else paste0("Cohen's kappa, ", weights, " weights")
  new_reliability(name, estimate, sqrt(max(0, variance)), observed, expected, n, 2 * n, 2)
}

no_overlap <- "Agreement needs documents, or other units, that two people have rated."

# The root mean squared difference of two raters, averaged over the pairs of raters. `observed` is the mean squared
# difference over all comparisons; `expected` is NA, because this coefficient does not correct for chance.
rater_rmse <- function(ratings, type) {
  check_that(type != "counts", "type",
             "{.arg method} {.val rmse} needs ratings: counts do not say which rater gave them.")
  ratings <- as.matrix(ratings)
  check_that(is.numeric(ratings), "x", "{.arg method} {.val rmse} needs numeric ratings.")
  ratings <- ratings[rowSums(!is.na(ratings)) >= 2, , drop = FALSE]
  check_that(nrow(ratings), "x", c("No unit has two ratings.", i = no_overlap))
  check_rating_range(ratings)
  # A row per unit and pair of its raters: most of several hundred raters have no unit in common.
  comparisons <- do.call(rbind, lapply(seq_len(nrow(ratings)), function(unit) {
    raters <- utils::combn(which(!is.na(ratings[unit, ])), 2)
    cbind(unit, pair = raters[1, ] * ncol(ratings) + raters[2, ],
          squared = (ratings[unit, raters[1, ]] - ratings[unit, raters[2, ]])^2)
  }))
  squared <- comparisons[, "squared"]
  pair <- match(comparisons[, "pair"], unique(comparisons[, "pair"]))
  of_unit <- split(seq_along(pair), comparisons[, "unit"])
  total <- drop(rowsum(squared, pair))
  compared <- tabulate(pair)
  estimate <- function(total, compared) mean(sqrt(total[compared > 0] / compared[compared > 0]))
  se <- jackknife_se(nrow(ratings), function(i) {
    left_out <- pair[of_unit[[i]]]
    total[left_out] <- total[left_out] - squared[of_unit[[i]]]
    compared[left_out] <- compared[left_out] - 1
    estimate(total, compared)
  })
  new_reliability("Root mean squared difference", estimate(total, compared), se, sum(total) / sum(compared), NA_real_,
                  nrow(ratings), sum(!is.na(ratings)), ncol(ratings))
}

rating_levels <- function(x, levels) {
  factors <- Filter(is.factor, x)
  # Classes such as dates are text here, because unlist() would drop them.
  x <- lapply(x, function(v) if (is.numeric(v) || is.logical(v)) v else as.character(v))
  found <- unique(unlist(x)) %||% character()
  categories <- levels %||% unique(c(unlist(lapply(factors, base::levels)), sort(found, method = "radix")))
  unknown <- setdiff(unlist(lapply(x, function(v) rating_text(v[!is.na(v)]))), rating_text(categories))
  check_that(!length(unknown), "levels", "A rating is not among {.arg levels}: {name_some(unknown)}.")
  twice <- anyDuplicated(categories)
  check_that(!twice, "levels", "has {.val {categories[twice]}} twice.")
  if (is.null(levels) && is.character(categories)) warn_similar("Ratings", categories)
  categories
}

# TRUE and FALSE beside numbers are 1 and 0.
with_comparable_types <- function(columns) {
  if (any(vapply(columns, is.numeric, NA))) columns[] <- lapply(columns, function(v) if (is.logical(v)) v + 0 else v)
  columns
}

# The text of ratings, by which they are compared: computed numbers such as 0.1 + 0.2 and 0.3 are equal. The text of the
# integer 100000 would not be that of the double.
rating_text <- function(v) as.character(if (is.integer(v)) as.double(v) else v)

fleiss_kappa <- function(ratings, type) {
  counts <- rating_counts(ratings, type)
  n <- rowSums(counts)
  agree <- rowSums(counts * (counts - 1)) / (n * (n - 1))
  total <- colSums(counts)
  rest <- t(total - t(counts))
  left_out <- cbind((sum(agree) - agree) / (length(n) - 1), rowSums((rest / rowSums(rest))^2))
  kappa <- function(part) (part[1] - part[2]) / (1 - part[2])
  of_counts("Fleiss' kappa", counts, c(mean(agree), sum((total / sum(total))^2)), kappa, function(i) left_out[i, ])
}

# A coefficient with a jackknife standard error over units. `parts` has the observed and the expected (dis)agreement,
# `leave_out(i)` those without unit i.
of_counts <- function(name, counts, parts, coefficient, leave_out) {
  se <- jackknife_se(nrow(counts), function(i) coefficient(leave_out(i)))
  new_reliability(name, coefficient(parts), se, parts[1], parts[2], nrow(counts), sum(counts), attr(counts, "raters"))
}

krippendorff_alpha <- function(ratings, level, type) {
  if (level == "ordinal" && type == "ratings")
    refuse_text(if (is.data.frame(ratings)) ratings else list(ratings), "{.arg level_of_measurement} {.val ordinal}",
                "Use a data frame of factors with the same levels, from lowest to highest.")
  counts <- rating_counts(ratings, type)
  value <- attr(counts, "value")
  check_that(!level %in% c("interval", "ratio") || is.numeric(value), "level_of_measurement",
             "{.arg level_of_measurement} {.val {level}} needs numeric ratings.")
  if (level == "interval") check_rating_range(value)
  check_that(level != "ratio" || all(value >= 0), "x", "has ratings below 0: they have no {.val ratio}.")
  # A unit contributes to the coincidence matrix the ordered pairs of its ratings by different raters, each pair divided
  # by the number of ratings of the unit less 1.
  n_others <- rowSums(counts) - 1
  coincidence <- crossprod(counts / n_others, counts) - diag(colSums(counts / n_others), ncol(counts))
  total <- colSums(counts)
  disagreement <- function(coincidence, total) {
    distance <- alpha_distance(level, value, total)
    c(sum(coincidence * distance) / sum(total), sum(outer(total, total) * distance) / (sum(total) * (sum(total) - 1)))
  }
  leave_out <- if (level != "ordinal") {
    left_out <- disagreement_left_out(counts, alpha_distance(level, value, total))
    function(i) left_out[i, ]
  } else function(i) {
    unit <- counts[i, ]
    disagreement(coincidence - (outer(unit, unit) - diag(unit, ncol(counts))) / n_others[i], total - unit)
  }
  of_counts(paste0("Krippendorff's alpha, ", level), counts, disagreement(coincidence, total),
            function(part) 1 - part[1] / part[2], leave_out)
}

# The observed and the expected disagreement without each unit, for distances that do not depend on the numbers of
# ratings. Both are sums over pairs of ratings, from which the pairs of the unit are subtracted: adding up all others
# for each unit would take hours for 1000 units with decimals.
disagreement_left_out <- function(counts, distance) {
  from_unit <- counts %*% distance
  within_unit <- rowSums(from_unit * counts)
  observed <- within_unit / (rowSums(counts) - 1)
  total <- colSums(counts)
  n <- sum(total) - rowSums(counts)
  all_pairs <- sum(outer(total, total) * distance)
  pairs <- all_pairs - 2 * drop(from_unit %*% total) + within_unit
  # What rounding leaves of 0 is no disagreement.
  pairs[pairs < 1e-12 * all_pairs] <- 0
  cbind((sum(observed) - observed) / n, pairs / (n * (n - 1)))
}

# The squared distance between two categories. At the ordinal level, it is the squared distance between the mid-ranks of
# the ratings; `total` has the number of ratings in each category.
alpha_distance <- function(level, value, total) {
  middle <- cumsum(total) - total / 2
  switch(level, nominal = 1 - diag(length(total)), ordinal = outer(middle, middle, "-")^2,
         interval = outer(value, value, "-")^2, ratio = {
           pair_sum <- outer(value, value, "+")
           ifelse(pair_sum == 0, 0, (outer(value, value, "-") / pair_sum)^2)
         })
}

# The numbers of ratings as a matrix, units x categories, without units that have fewer than two ratings. Attributes:
# `value`, the values of the categories; `raters`, the number of raters, or for counts the largest number of ratings of
# a unit.
rating_counts <- function(ratings, type) {
  check_that(is.matrix(ratings) || is.data.frame(ratings), "x",
             "must be a matrix or a data frame, not {.obj_type_friendly {ratings}}.")
  if (type == "counts") {
    counts <- as.matrix(ratings)
    check_that(are_whole_numbers(counts, min = 0), "x", "must hold whole numbers of ratings.")
    level_names <- colnames(ratings)
    as_number <- suppressWarnings(as.numeric(level_names))
    value <- if (is.null(level_names)) seq_len(ncol(counts)) else if (anyNA(as_number)) level_names else as_number
    # table() sorts the names of columns as texts, 10 before 2.
    by_value <- if (is.numeric(value)) order(value) else seq_along(value)
    counts <- counts[, by_value, drop = FALSE]
    value <- value[by_value]
    raters <- max(rowSums(counts))
  } else {
    ratings <- with_comparable_types(as.data.frame(ratings))
    # If columns are factors, all of them use the order of the levels of the first one.
    value <- rating_levels(as.list(ratings), NULL)
    codes <- matrix(match(unlist(lapply(ratings, rating_text)), rating_text(value)), nrow(ratings))
    counts <- matrix(apply(codes, 1, tabulate, nbins = length(value)), nrow(codes), byrow = TRUE)
    raters <- ncol(codes)
  }
  counts <- counts[rowSums(counts) >= 2, , drop = FALSE]
  check_that(nrow(counts) != 0, "x", c("No unit has two ratings.", i = no_overlap))
  structure(counts, value = value, raters = raters)
}

jackknife_se <- function(n, leave_out) {
  if (n < 3) return(NA_real_)
  part <- vapply(seq_len(n), leave_out, 0)
  sqrt((n - 1) / n * sum((part - mean(part))^2))
}

# Cohen's kappa with quadratic weights between the first and the second judgments of documents, without the final
# decisions of leads; NULL if no document has a second judgment.
overlap_agreement <- function(judgments, scale) {
  judgments <- judgments[!judgments$final %in% 1, ]
  second <- judgments[duplicated(judgments$pair), ]
  second <- second[!duplicated(second$pair), ]
  if (!NROW(second)) return(NULL)
  first <- judgments[match(second$pair, judgments$pair), ]
  agreement(level_index(scale, first$gain), level_index(scale, second$gain), weights = "quadratic",
            levels = seq_along(scale$model_levels))
}

# The warning to show beside the confidence in a ranking if assessors may agree only by chance: random judgments can
# make random differences between systems look certain. NULL, meaning no warning, for fewer than 20 documents with two
# judgments, which are too few to tell.
chance_warning <- function(agreement) {
  if (isTRUE(agreement$units >= 20 && agreement$estimate - stats::qnorm(0.975) * agreement$se <= 0)) sprintf(
    "do not rely on it: the assessors are not shown to agree better than chance (kappa %.2f, %s judged twice)",
    agreement$estimate, counted(agreement$units, "document"))
}

new_reliability <- function(coefficient, estimate, se, observed, expected, units, ratings, raters) {
  structure(list(coefficient = coefficient, estimate = estimate, se = se, observed = observed, expected = expected,
                 units = units, ratings = ratings, raters = raters), class = "judicious_coefficient")
}

#' @export
print.judicious_coefficient <- function(x, ...) {
  se <- if (is.finite(x$se)) sprintf("standard error %.3f", x$se) else "standard error not known"
  value <- if (is.nan(x$estimate)) "not defined, because all ratings are equal" else
    sprintf("%.3f (%s)", x$estimate, se)
  cat(x$coefficient, ": ", value, "\n", sep = "")
  cat(sprintf("%s of %s by %s\n", counted(x$ratings, "rating"), counted(x$units, "unit"), counted(x$raters, "rater")))
  if (!is.null(x$assessors)) print_table(x$assessors, digits = 3, row.names = FALSE)
  invisible(x)
}

#' @export
as.data.frame.judicious_coefficient <- function(x, ...) {
  as.data.frame(unclass(x)[names(x) != "assessors"], stringsAsFactors = FALSE)
}
