# Converts scores in all supported forms to matrices of queries by systems.

#' @return A named list with, for every measure, a numeric matrix with one row per query and one column per system,
#'   both named, and without missing values.
#' @noRd
score_matrices <- function(scores, measures = NULL, min_systems = 2) {
  if (is_source(scores) && length(scores)) scores <- scores_from_path(scores)
  if (inherits(scores, c("judicious_collection", "judicious_session"))) {
    x <- judged_collection(scores)
    note_unjudged(x)
    scores <- evaluate(x, measure = measures)
    measures <- NULL
  }
  scores <- plain_values(scores, "scores", exact = TRUE)
  # A data frame in which each system has a numeric column is treated like a matrix.
  is_long <- is.data.frame(scores) &&
    (any(c("system", "query", "value") %in% names(scores)) || !all(vapply(scores, is.numeric, NA)))
  matrices <- if (is_long) long_scores(scores) else list(score = wide_scores(scores))
  if (!is.null(measures)) {
    check_that(is.character(measures) && length(measures), "measure",
               "must be names of measures in {.arg scores}, not {.obj_type_friendly {measures}}.")
    absent <- setdiff(measures, names(matrices))
    check_that(!length(absent), "measure", c(
      "{.arg scores} has no measure {.val {absent}}.", i = "It has {.val {names(matrices)}}."))
    matrices <- matrices[measures]
  }
  for (x in matrices) {
    check_that(ncol(x) >= min_systems && nrow(x) >= 2, "scores", "must have at least
      {c('one system', 'two systems')[min_systems]} and two queries, not {ncol(x)} and {nrow(x)}.")
    largest <- max(abs(x))
    check_that(can_be_squared(largest), "scores", "has scores of up to {signif(largest, 3)}:
      their squares cannot be represented; {if (largest > 1) 'divide' else 'multiply'} all by a constant.")
    repeated <- colnames(x)[anyDuplicated(colnames(x))]
    check_that(!length(repeated), "scores", "has more than one system named {.val {repeated}}.",
               kind = "duplicate_score")
  }
  lapply(matrices, equal_but_for_rounding)
}

# Makes scores of a query (or of another `group`) equal if they differ only by rounding errors, as sums of the same
# gains in different orders do. Tests that count or rank differences would take these for differences between systems.
equal_but_for_rounding <- function(x, group = row(x), size = abs(x)) {
  ascending <- order(group, x)
  score <- x[ascending]
  # Infinite scores have no finite difference, so numbers are compared.
  error <- 16 * .Machine$double.eps * pmin(size[ascending], .Machine$double.xmax)
  is_larger <- score[-1] > (score + error)[-length(score)]
  is_first <- c(TRUE, is_larger | diff(group[ascending]) > 0)[seq_along(score)]
  # Each score becomes the first, and lowest, of those that it equals.
  x[ascending] <- score[is_first][cumsum(is_first)]
  x
}

# Warns that some judgments are missing, because a significance test ignores the uncertainty of scores that this causes.
note_unjudged <- function(x) {
  unjudged <- count_pairs(x, is.na(x$gain))
  if (!unjudged || all(is.na(x$gain))) return(invisible())
  warn_judicious(c(
    "{format_count(unjudged)} of the {format_count(count_pairs(x))} pairs of the pool of {.arg scores}
      {cli::qty(unjudged)}{?is/are} not judged, and {?counts/count} as not relevant.",
    i = if (!lists_only_relevant(x$gain, x$scale)) "{.fn rank_systems} and {.fn expected_scores} estimate
      {cli::qty(unjudged)}{?its gain/their gains}."
  ), "unjudged", n = unjudged)
}

# A list of one matrix: the scores by the named measure, or by the only measure.
score_matrix <- function(scores, measure, min_systems) {
  if (!is.null(measure)) check_string(measure, "measure")
  matrices <- score_matrices(scores, measure, min_systems = min_systems)
  check_that(length(matrices) <= 1, "measure", c(
    "{.arg scores} has {length(matrices)} measures: {.val {names(matrices)}}.",
    i = "Choose one with {.arg measure}."))
  matrices
}

# Reads the values of single queries from a file that `judicious evaluate --per query` has written.
scores_from_path <- function(path) {
  refuse_trec_eval_output(path[[1]])
  layouts <- list("3" = c("system", "query", "value"), "4" = c("system", "query", "measure", "value"))
  kind <- file_kind("scores", layouts, is_header = function(fields) "value" %in% fields, numbers = "value")
  scores <- read_columns(path, NA, NULL, NULL, kind, "scores")
  # Some tools write the measure before the query.
  if ("all" %in% scores[["measure"]]) scores[c("query", "measure")] <- scores[c("measure", "query")]
  scores <- scores[scores$query != "all", ]
  check_that(nrow(scores), "scores", "has no values of single queries.", kind = "columns")
  scores
}

# Raises an error for the output of `trec_eval -q`, whose first column has measures, which would be read as systems.
refuse_trec_eval_output <- function(path) {
  text <- if (is_string(path)) beginning_of_file(path, NULL, "scores")$text
  if (!length(text)) return(invisible())
  fields <- strsplit(text, "[ \t]+", useBytes = TRUE)[[1]]
  is_measure <- nchar(fields[1]) > 1 && sub("_[0-9.]+$", "", fields[1]) %in% trec_eval_order
  check_that(length(fields) != 3 || !is_measure || fields[3] == "value", "scores", c(
    "{.file {path}} is the output of trec_eval, whose first column has measures, not systems.",
    i = "Give the runs and the judgments to {.fn evaluate}, or add a first column {.field system} to the file."
  ), kind = "columns", path = path)
}

wide_scores <- function(scores) {
  columns <- if (!is.null(colnames(scores))) columns_of(scores)
  names_queries <- header_words(names(columns)) %in% field_names()$query & vapply(columns, may_be_ids, NA)
  if (is.data.frame(scores) && begins_with_row_numbers(scores)) names_queries[1] <- TRUE
  check_that(!any(names_queries), "scores", c(
    "has a column of queries, {.val {colnames(scores)[names_queries][1]}}, beside those of systems.",
    i = "Make its values the names of the rows."))
  if (is.data.frame(scores)) scores <- as.matrix(scores)
  check_that(is.matrix(scores) && is.numeric(scores), "scores", c(
    "must be a numeric matrix, queries by systems, or a data frame with columns
      {.val {c('system', 'query', 'value')}}.",
    x = "It is {.obj_type_friendly {scores}}.",
    i = "{.fn evaluate} makes such scores of runs and judgments."))
  storage.mode(scores) <- "double"
  if (is.null(colnames(scores))) colnames(scores) <- paste0("S", seq_len(ncol(scores)))
  if (is.null(rownames(scores))) rownames(scores) <- seq_len(nrow(scores))
  bad <- which(!is.finite(scores), arr.ind = TRUE)
  check_that(!nrow(bad), "scores", c(
    "has {format_count(nrow(bad))} {cli::qty(nrow(bad))}score{?s} that {?is/are} missing or not finite.",
    x = "The first is of system {.val {colnames(scores)[bad[1, 2]]}} in row {bad[1, 1]}."
  ), kind = "missing_score")
  scores
}

# The columns of a matrix, data frame or table; as.data.frame() would make one row of each cell of a table.
columns_of <- function(x) as.data.frame(if (is.table(x)) unclass(x) else x)

# Other columns are scores, such as those of a system "query" that uses this field of topics.
may_be_ids <- function(column) !is.numeric(column) || are_whole_numbers(column) && !anyDuplicated(column)

long_scores <- function(scores) {
  check_columns(scores, c("system", "query", "value"), "scores")
  check_that(!"weight" %in% names(scores), "scores", c(
    "has queries with weights, and here every query counts alike.",
    i = paste0(hint("{.code scores$weight <- NULL} leaves the weights out; "),
               "{.fn rank_systems} compares weighted means.")), kind = "weights")
  check_that(nrow(scores), "scores", "has no rows.")
  scores <- check_id_columns(scores, c("system", "query", intersect("measure", names(scores))), "scores")
  check_values(scores$value, if (is.numeric(scores$value)) is.finite(scores$value) else FALSE, "value", "scores",
               "finite numbers", kind = "missing_score")
  measure <- scores[["measure"]] %||% rep("score", nrow(scores))
  by_measure <- split(seq_len(nrow(scores)), factor(measure, unique(measure)))
  lapply(by_measure, function(rows) fill_scores(scores$system[rows], scores$query[rows], scores$value[rows], rows))
}

fill_scores <- function(system, query, value, rows) {
  repeated <- which(duplicated(combination_code(query, system)))
  i <- repeated[1]
  check_that(!length(repeated), "scores", "has system {.val {system[i]}} twice for query {.val {query[i]}}, the second
    time in row {rows[i]}.", kind = "duplicate_score", rows = rows[repeated])
  x <- value_matrix(query, system, value)
  absent <- which(is.na(x), arr.ind = TRUE)
  check_that(!nrow(absent), "scores", c(
    "lacks {format_count(nrow(absent))} of its {format_count(length(x))} scores: every system needs one for every
      query.",
    x = "The first is of system {.val {colnames(x)[absent[1, 2]]}}, query {.val {rownames(x)[absent[1, 1]]}}."
  ), kind = "missing_score")
  x
}

# The pairs of m columns in the order of the core: (1, 2), (1, 3), ..., (2, 3), ...
column_pairs <- function(m) {
  list(a = rep(seq_len(m - 1), rev(seq_len(m - 1))), b = sequence(rev(seq_len(m - 1)), from = seq_len(m)[-1]))
}

pair_differences <- function(x, pairs = column_pairs(ncol(x))) {
  unname(x[, pairs$a, drop = FALSE] - x[, pairs$b, drop = FALSE])
}

# The differences `d` between columns of x for tests that rank them: those of a pair that are equal, but for their sign
# and rounding errors, are ties, and so are those that are equal if rounded to `digits`.
ranked_differences <- function(d, x, digits = NULL) {
  if (is.finite(digits %||% Inf)) return(signif(d, digits))
  sign(d) * equal_but_for_rounding(abs(d), col(d), array(max(abs(x)), dim(d)))
}

# The size of differences between scores that can be due to rounding.
rounding_error <- function(x) 16 * .Machine$double.eps * max(abs(x))

all_rows <- function(x) matrix(seq_len(nrow(x)), ncol = 1)
