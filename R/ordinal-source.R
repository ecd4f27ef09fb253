# Fits pom() to data that are not in memory: a database table or query, Parquet files, or batches by a function. If
# there are few distinct rows, these are fitted with their counts as weights; otherwise see ordinal-batches.R.

is_data_source <- function(x) !missing(x) && (is_database_table(x) || is_parquet(x) || is.function(x))

# Opens a data source. Returns the names of its columns, and a function that returns its rows in batches, with the
# columns that are needed.
open_source <- function(data, batch_rows) {
  if (is_database_table(data)) {
    source_table <- database_table(data, "data")
    return(list(columns = source_table$columns, table = source_table, batches = function(columns, size = batch_rows) {
      database_batches(source_table, select_columns(source_table, columns), size)
    }))
  }
  if (is.function(data)) return(user_source(data))
  files <- parquet_files(data, "data")
  list(columns = files$columns, batches = function(columns) parquet_batches(files, columns))
}

user_source <- function(read) {
  check_that("reset" %in% names(formals(read)), "data", c(
    "A function as {.arg data} must have the argument {.arg reset}: with TRUE it begins anew, with FALSE it returns the
      next rows as a data frame, and NULL after the last.",
    i = if (identical(read, utils::data)) "There are no data called {.code data} here, so R finds its own function.
      {.fn update} and {.fn step} look for the data of a fit where they are called."))
  empty <- 0
  next_rows <- function() {
    rows <- read(reset = FALSE)
    empty <<- if (NROW(rows)) 0 else empty + 1
    check_that(empty < 1000, "data", "returns batches without rows again and again: return NULL after the last rows.")
    if (is.null(rows) || is.data.frame(rows)) return(rows)
    abort_argument("data", "must return data frames, or NULL after the last rows, not {.obj_type_friendly {rows}}.")
  }
  read(reset = TRUE)
  column_names <- names(next_rows())
  check_that(!is.null(column_names), "data", "returns no rows after {.code reset = TRUE}.")
  list(columns = column_names, batches = function(columns) {
    function(reset = FALSE) {
      if (is.na(reset)) return(invisible())
      if (reset) return(read(reset = TRUE))
      rows <- next_rows()
      if (is.null(rows)) return(rows)
      absent <- setdiff(columns, names(rows))
      check_that(!length(absent), "data", "{.arg data}: a batch has no {cli::qty(absent)}column{?s} {.val {absent}}.",
                 kind = "columns", columns = absent)
      plain_columns(as.data.frame(rows)[columns], "data")
    }
  })
}

for_each_batch <- function(batches, f) {
  batches(TRUE)
  while (!is.null(rows <- batches(FALSE))) if (nrow(rows) && isFALSE(f(rows))) return(invisible(FALSE))
  invisible(TRUE)
}

# The distinct rows and their counts, or NULL if there are more than `max_groups`.
group_source <- function(source, columns, batches, max_groups) {
  keys <- if (!is.null(source$table)) group_keys(source$table, first_rows(source$batches(columns, 1e4)))
  if (!is.null(keys)) return(group_in_database(source$table, columns, keys, max_groups))
  groups <- list(rows = NULL, count = numeric())
  complete <- for_each_batch(batches, function(rows) {
    if (any(lengths(lapply(rows, dim)))) return(FALSE)
    # If this batch alone would have too many distinct rows, even if 2% of its rows were repetitions, stops unless rows
    # repeat often.
    if (0.98 * nrow(rows) > max_groups && !is_repetitive(utils::head(rows, 1e4))) return(FALSE)
    new <- count_rows(rows, rep(1, nrow(rows)))
    groups <<- if (is.null(groups$rows)) new else count_rows(rbind(groups$rows, new$rows), c(groups$count, new$count))
    length(groups$count) <= max_groups
  })
  if (complete && length(groups$count)) groups
}

first_rows <- function(batches) {
  on.exit(batches(NA))
  batches(FALSE)
}

# The expressions for GROUP BY. Texts are grouped by their bytes, because a collation may treat "a" and "A" as equal.
# NULL if the first rows hardly repeat, or if there are texts and no expression for their bytes is known for the kind of
# database.
group_keys <- function(table, rows) {
  if (is.null(rows) || (nrow(rows) == 1e4 && !is_repetitive(rows))) return(NULL)
  column <- vapply(names(rows), function(name) quoted_columns(table, name), "")
  is_text <- vapply(rows, function(x) is.character(x) || (is.logical(x) && all(is.na(x))), NA)
  by_bytes <- switch(class(table$connection)[1], SQLiteConnection = "%s COLLATE BINARY",
                     PqConnection = "CAST(%s AS text) COLLATE \"C\"")
  if (!is.null(by_bytes)) ifelse(is_text, sprintf(by_bytes, column), column) else if (!any(is_text)) column
}

# Whether more than 2% of the rows are repetitions. This is expected if 10,000 rows are drawn from at most 260,000
# combinations.
is_repetitive <- function(rows) length(count_rows(rows, rep(1, nrow(rows)))$count) < 0.98 * nrow(rows)

count_rows <- function(rows, count) {
  codes <- lapply(unname(as.list(rows)), function(x) if (is.factor(x)) as.integer(x) else as.vector(unclass(x)))
  code <- do.call(combination_code, codes)
  list(rows = rows[!duplicated(code), , drop = FALSE], count = as.vector(rowsum(count, code, reorder = FALSE)))
}

group_in_database <- function(table, columns, keys, max_groups) {
  sql <- paste("SELECT", paste(keys, collapse = ", "), ", COUNT(*) AS judicious_count FROM", table$from, "GROUP BY",
               paste(keys, collapse = ", "))
  batches <- database_batches(table, sql, max_groups + 1)
  on.exit(batches(NA))
  rows <- batches(FALSE)
  if (is.null(rows) || nrow(rows) > max_groups) return(NULL)
  list(rows = stats::setNames(rows[seq_along(columns)], columns), count = rows[[ncol(rows)]])
}

# Checks that variables computed from half of the rows equal those computed from all of them; otherwise they would
# differ between batches. The variables of poly(), splines::ns() and scale() are equal if the terms have the parameters
# from all the rows in `rows`.
check_row_wise <- function(call, env, rows) {
  # The check includes variables of random terms and of nominal and scale effects.
  own_terms <- terms(with_sides(split_formula(call$formula)$frame, eval(call$nominal, env), eval(call$scale, env)))
  expressions <- c(as.list(attr(own_terms, "variables"))[-1], as.list(call)[intersect(c("weights", "offset", "subset"),
                                                                                 names(call))])
  if (all(vapply(expressions, is.name, NA))) return(invisible(own_terms))
  differing <- differing_variables(rows, own_terms, call, env)
  abort_unless(!length(differing), c("The variable {.code {differing[1]}} depends on other rows: in parts of the data it
    would have other values.", i = "Make it a column of {.arg data}."), "row_wise", variable = differing[1])
  invisible(attr(differing, "terms"))
}

# Reports that parameters of terms such as poly() were computed from only some of the rows, which `rows` describes.
report_bases <- function(terms, rows) {
  variables <- variable_names(terms)
  with_parameters <- variables[variables != variable_names(terms, "predvars")]
  if (!length(with_parameters)) return(invisible())
  inform_judicious("The parameters of {.code {with_parameters}} come from {rows}: coefficients are of
    another basis than with all rows in memory, predictions are of the same kind.", "basis",
    variables = with_parameters)
}
