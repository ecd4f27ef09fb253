# pom() on designs of many columns and on data that are not in memory.
#   Rscript bench/pom-sources.R [quick] [batches] [tables] [factor]
# Without a part's name, all parts are run. "quick" takes 5e6 rows instead of 1e8 in batches, and tables of 1e5 rows
# instead of 1e6 (SQLite) and 1e7 (PostgreSQL).
# Times are processor time of R, and elapsed time for the work of a server; each ratio is of times of the same run.
suppressMessages(library(judicious))
source("bench/common.R")

# A factor of many levels and a number, by the sparse path and by the dense one: Helmert contrasts are not mostly zeros.
pom_factor <- function(n = 2e4, levels = 1000, dense = TRUE) {
  set.seed(1)
  data <- data.frame(f = factor(sample(levels, n, TRUE), seq_len(levels)), u = rnorm(n))
  data$y <- findInterval(rnorm(levels)[data$f] + data$u + rlogis(n), c(-2, 0, 1, 2))
  calls <- list(sparse = function() pom(y ~ f + u, data))
  if (dense) calls$dense <- function() pom(y ~ f + u, data, contrasts = list(f = "contr.helmert"))
  seconds <- vapply(calls, time_call, 0)
  data.frame(rows = n, levels = levels, path = names(calls), seconds = seconds, ratio = seconds / seconds[[1]])
}

megabytes <- function(field) {
  as.numeric(gsub("\\D", "", grep(field, readLines("/proc/self/status"), value = TRUE))) / 1024
}

continuous_rows <- function(n) {
  set.seed(2)
  x <- as.data.frame(matrix(rnorm(n * 6), n, dimnames = list(NULL, paste0("x", 1:6))))
  x$y <- findInterval(as.matrix(x) %*% seq(-1, 1, length.out = 6) + rlogis(n), c(-1, 1))
  x
}

# Repeats the same million rows, so that batches take no time to make and the estimates are known. `process` is the peak
# memory of the process in megabytes, `megabytes` the part that the fit adds.
pom_batches <- function(batches = 100, rows = 1e6) {
  data <- continuous_rows(rows)
  formula <- reformulate(paste0("x", 1:6), "y")
  seconds <- time_call(function() pom(formula, data))
  expected <- coef(pom(formula, data))
  invisible(gc())
  before <- megabytes("VmRSS")
  at <- 0
  source <- function(reset) {
    at <<- if (reset) 0 else at + 1
    if (!reset && at <= batches) data
  }
  own <- cpu_seconds(fit <- pom(formula, source))
  data.frame(rows = batches * rows, seconds = own, in_memory = batches * seconds, ratio = own / (batches * seconds),
             passes = 3 + fit$convergence$iterations, error = max(abs(coef(fit) - expected)),
             megabytes = megabytes("VmHWM") - before, process = megabytes("VmHWM"))
}

# A table of six discrete predictors: elapsed seconds of pom(), and of its GROUP BY query alone.
pom_table <- function(connection, rows = 1e6) {
  set.seed(3)
  for (from in seq(1, rows, by = 1e6)) {
    n <- min(1e6, rows - from + 1)
    x <- as.data.frame(lapply(stats::setNames(c(2, 3, 3, 4, 5, 6), letters[1:6]), function(k) sample(k, n, TRUE)))
    x$y <- findInterval(rowSums(x) / 8 + rlogis(n), c(1, 2, 4))
    DBI::dbWriteTable(connection, "discrete", x, append = from > 1, overwrite = from == 1)
  }
  columns <- "y, a, b, c, d, e, f"
  grouped <- system.time(groups <- DBI::dbGetQuery(connection, paste(
    "SELECT", columns, ", COUNT(*) AS n FROM discrete GROUP BY", columns)))[["elapsed"]]
  fitted <- system.time(fit <- pom(y ~ factor(a) + b + c + d + e + f, list(connection, "discrete")))[["elapsed"]]
  frame <- pom(y ~ factor(a) + b + c + d + e + f, DBI::dbReadTable(connection, "discrete"))
  data.frame(database = class(connection)[1], rows = rows, groups = nrow(groups), group_by = grouped, pom = fitted,
             beyond = fitted - grouped, error = max(abs(coef(fit) - coef(frame))))
}

# Calls `use` with a temporary PostgreSQL server; NULL if there is none.
with_postgres <- function(use) {
  if (!has("RPostgres") || !has("testthat") || !has("withr")) return(NULL)
  helper <- new.env()
  sys.source("tests/testthat/helper-postgres.R", helper)
  run <- function() {
    server <- helper$local_postgres()
    connection <- do.call(DBI::dbConnect, c(list(RPostgres::Postgres()), server))
    on.exit(DBI::dbDisconnect(connection))
    use(connection)
  }
  tryCatch(run(), skip = function(cnd) NULL)
}

with_sqlite <- function(use) {
  connection <- DBI::dbConnect(RSQLite::SQLite(), tempfile())
  on.exit(DBI::dbDisconnect(connection))
  use(connection)
}

main <- function(arguments) {
  quick <- "quick" %in% arguments
  parts <- setdiff(arguments, "quick")
  is_asked <- function(part) !length(parts) || part %in% parts
  # This part is first, because the peak memory of the process is measured.
  if (is_asked("batches")) show("Batches of 1,000,000 rows, 6 predictors", pom_batches(if (quick) 5 else 100))
  if (is_asked("tables")) show("A table of discrete predictors, elapsed seconds", rbind(
    with_sqlite(function(connection) pom_table(connection, if (quick) 1e5 else 1e6)),
    with_postgres(function(connection) pom_table(connection, if (quick) 1e5 else 1e7))
  ))
  if (is_asked("factor")) show("A factor of many levels", pom_factor(dense = !quick))
}
if (sys.nframe() == 0) main(commandArgs(TRUE))
