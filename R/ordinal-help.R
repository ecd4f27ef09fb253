#' Fit ordinal models to data that are not in memory
#'
#' [pom()] fits data of any size: from a table of a database, Parquet files, or a function that returns batches.
#'
#' @section Sources: The argument `data` may be
#' * `list(connection, "table or SELECT")`: a connection by [DBI::dbConnect()] to any database, with the name of a table
#'   ([DBI::Id()] for one in a schema) or a query;
#' * paths of files ending in `.parquet`, with the same columns (package `nanoparquet`); each file is a batch;
#' * a function with the argument `reset`, as for `biglm::bigglm()`: with TRUE, it restarts at the beginning; with
#'   FALSE, it returns the next rows as a data frame, or NULL after the last.
#'
#' Variables that depend on other rows, such as `x - mean(x)`, raise an error (`judicious_error_row_wise`); `poly()`,
#' `scale()` and `splines::ns()` get their parameters from the sample or the distinct rows, with a message.
#'
#' @section Few distinct rows: First, the distinct rows are counted, in a database by `GROUP BY`. If there are at most
#'   `batch_rows` of them (see [pom_control()]), the model is fitted to these, with their counts as weights. All
#'   methods but those that need single rows are then available.
#'
#' @section Batches: Otherwise, one batch is in memory at a time. A first pass collects levels and a systematic sample
#' of at most 131,072 rows; Newton's method starts from the fit to the sample, and each step takes a pass over the data.
#' This requires a link with no estimated parameter, fixed effects only, and maximum likelihood with or without
#' `penalty`. The result has coefficients, covariance, likelihood and `predict(newdata = )`; methods that need the rows
#' raise `judicious_error_no_rows`. A column is aliased if the columns before it explain all but 1e-9 of its
#' information. The exact check for separation takes further passes.
#'
#' With a [future::plan()] of several workers (package `future.apply`), each processes a batch; results do not depend
#' on their number.
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' DBI::dbWriteTable(connection, "cars", mtcars)
#' pom(gear ~ wt + qsec, list(connection, "cars"))
#' DBI::dbDisconnect(connection)
#' @name pom_large
NULL
