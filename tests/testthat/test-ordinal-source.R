# Data that are not in memory give the same fits as the same data frame.

source_data <- function(n = 3000) {
  with_seed(3, {
    data <- data.frame(`a "b` = round(rnorm(n), 3), f = sample(c("x", "y", "Z"), n, TRUE), k = sample(3L, n, TRUE),
                       day = as.Date("2026-01-01") + sample(6, n, TRUE), t = runif(n) < 0.4, w = sample(3, n, TRUE),
                       big = 5e9 + sample(4, n, TRUE), check.names = FALSE)
    latent <- data[[1]] + 0.5 * (data$f == "y") + 0.1 * as.numeric(data$day - data$day[1]) + rlogis(n)
    data$y <- findInterval(latent, c(-1, 0, 1.5))
    data$f[c(5, 50)] <- NA
    data[[1]][7] <- NA
    data
  })
}

expect_same_fit <- function(fit, frame, tolerance = 1e-8) {
  expect_equal(unname(coef(fit)), unname(coef(frame)), tolerance = tolerance)
  expect_equal(unname(vcov(fit)), unname(vcov(frame)), tolerance = tolerance)
  expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(frame)), tolerance = 1e-10)
  expect_equal(nobs(fit), nobs(frame))
  expect_equal(summary(fit)$n_missing, summary(frame)$n_missing)
}

# A source function that returns batches of `size` rows.
batches_of <- function(data, size = 400) {
  at <- 0
  function(reset = FALSE) {
    if (reset) return(at <<- 0)
    from <- at + 1
    at <<- min(at + size, nrow(data))
    if (from <= nrow(data)) data[from:at, , drop = FALSE]
  }
}

local_sqlite <- function(data, name, env = parent.frame()) {
  skip_if_not_installed("RSQLite")
  connection <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(connection), envir = env)
  DBI::dbWriteTable(connection, name, data)
  connection
}

test_that("a table gives the same fit in groups or batches as in memory", {
  data <- source_data()
  connection <- local_sqlite(data, "a \"table")
  table <- list(connection, "a \"table")
  # SQLite has neither dates nor logical values.
  data$day <- as.numeric(data$day)
  data$t <- as.integer(data$t)
  grouped <- pom(y ~ f + factor(k) + t + day, table)
  expect_identical(grouped$source, "groups")
  expect_lt(length(grouped$y), 600)
  expect_same_fit(grouped, pom(y ~ f + factor(k) + t + day, data))
  formula <- y ~ `a "b` + f + factor(k) + t + factor(big)
  in_batches <- pom(formula, table, batch_rows = 500)
  expect_identical(in_batches$source, "batches")
  expect_same_fit(in_batches, pom(formula, data))
  expect_gt(in_batches$convergence$iterations, 0)
  expect_equal(predict(in_batches, data[1:9, ]), predict(pom(formula, data), data[1:9, ]))
  # Fits with an SQL query as source, weights, an offset and a subset.
  query <- list(connection, "SELECT * FROM \"a \"\"table\" WHERE k > 1; ")
  frame <- pom(formula, data, weights = w, offset = `a "b` / 3, subset = k > 1 & t == 1)
  for (rows in c(500, 1e5)) {
    expect_same_fit(pom(formula, query, weights = w, offset = `a "b` / 3, subset = t == 1, batch_rows = rows), frame)
  }
})

test_that("five links give the same fit in batches as in memory", {
  data <- source_data()
  for (link in c("probit", "cloglog", "cauchit", "robit", "log-gamma")) {
    parameter <- c(robit = 4, `log-gamma` = 0.5)[link]
    if (is.na(parameter)) parameter <- NULL
    own <- list(link = link, link_parameter = unname(parameter))
    batches <- do.call(pom, c(list(y ~ f + k, batches_of(data), batch_rows = 500), own))
    expect_same_fit(batches, do.call(pom, c(list(y ~ f + k, data), own)))
  }
})

test_that("structured thresholds, nominal and scale effects give the same fit in batches as in memory", {
  data <- source_data()
  models <- list(list(nominal = ~k), list(scale = ~ k + offset(k / 9)), list(threshold = "symmetric", penalty = 3),
                 list(nominal = ~t, scale = ~k, link = "probit", penalty = 2))
  for (own in models) {
    formula <- y ~ f + k + `a "b`
    batches <- do.call(pom, c(list(formula, batches_of(data), batch_rows = 500), own))
    frame <- do.call(pom, c(list(formula, data), own))
    expect_identical(batches$source, "batches")
    expect_equal(coef(batches), coef(frame), tolerance = 1e-7)
    expect_equal(vcov(batches), vcov(frame), tolerance = 1e-6)
    expect_equal(logLik(batches), logLik(frame), tolerance = 1e-9)
    expect_equal(predict(batches, data[1:9, ]), predict(frame, data[1:9, ]), tolerance = 1e-7)
    expect_error(estfun.judicious_pom(batches), class = "judicious_error_no_rows")
  }
})

test_that("plain, nominal and mixed models give the same fit to groups of equal rows as to all rows", {
  data <- source_data()
  connection <- local_sqlite(data[c("y", "f", "k", "t")], "rows")
  table <- list(connection, DBI::Id(table = "rows"))
  data$t <- as.integer(data$t)
  expect_same_fit(pom(y ~ ., table), pom(y ~ ., data[c("y", "f", "k", "t")]))
  expect_same_fit(pom(y ~ f, table, link = "probit", nominal = ~ t), pom(y ~ f, data, link = "probit", nominal = ~ t),
                  1e-6)
  expect_same_fit(pom(y ~ f + (1 | k), table, sd = c(k = 0.5)), pom(y ~ f + (1 | k), data, sd = c(k = 0.5)), 1e-6)
  expect_equal(anova(pom(y ~ f, table), pom(y ~ f + t, table))$Chisq,
               anova(pom(y ~ f, data, subset = !is.na(f)), pom(y ~ f + t, data))$Chisq)
})

test_that("functions and Parquet files as sources give the same fit as data in memory", {
  data <- source_data()
  data$f <- factor(data$f, c("Z", "y", "x", "unused"))
  data$y <- ordered(c("low", "mid", "high", "top")[data$y + 1], c("low", "mid", "high", "top"))
  formula <- y ~ `a "b` * f + poly(as.numeric(day), 1) + factor(k)
  expect_message(fit <- pom(formula, batches_of(data), batch_rows = 500), class = "judicious_message_basis")
  frame <- pom(formula, data)
  expect_equal(logLik(fit), logLik(frame))
  expect_equal(predict(fit, data[1:20, ]), predict(frame, data[1:20, ]))
  # If the data are grouped, the basis is computed from distinct rows, each counted once; if no row repeats, from all
  # rows.
  expect_message(pom(y ~ poly(as.numeric(day), 1), batches_of(data)), "distinct rows", class = "judicious_message_basis")
  data$number <- seq_along(data$y)
  expect_no_message(whole <- pom(y ~ poly(number, 2), batches_of(data)), class = "judicious_message_basis")
  expect_same_fit(whole, pom(y ~ poly(number, 2), data))
  data$number <- NULL
  expect_same_fit(pom(y ~ f + t, batches_of(data)), pom(y ~ f + t, data))
  skip_if_not_installed("nanoparquet")
  paths <- file.path(withr::local_tempdir(), c("a.parquet", "b.parquet"))
  nanoparquet::write_parquet(data[1:1600, ], paths[1])
  nanoparquet::write_parquet(data[1601:3000, ], paths[2])
  formula <- y ~ `a "b` + f + day
  expect_same_fit(pom(formula, paths, batch_rows = 500), pom(formula, data))
  expect_same_fit(pom(y ~ f + day, paths), pom(y ~ f + day, data))
})

test_that("fits in batches are bitwise identical with and without parallel workers", {
  skip_if_not_installed("future.apply")
  skip_if_not(future::supportsMulticore())
  data <- source_data()
  here <- pom(y ~ `a "b` + f, batches_of(data), batch_rows = 500)
  before <- future::plan("multicore", workers = 2)
  withr::defer(future::plan(before))
  expect_identical(coef(pom(y ~ `a "b` + f, batches_of(data), batch_rows = 500)), coef(here))
})

test_that("separation is detected exactly in batches", {
  expect_separation <- function(formula, data, expected) {
    of <- function(...) {
      fit <- suppressWarnings(pom(formula, ...), classes = "judicious_warning_separation")
      list(kind = fit$separation, coefficients = sort(fit$separated))
    }
    expect_identical(of(data), expected)
    expect_identical(of(batches_of(data), batch_rows = 500), expected)
  }
  data <- source_data()[c("y", "f", "k", "w", "a \"b")]
  names(data)[5] <- "u"
  data <- data[stats::complete.cases(data), ]
  data$u <- data$u + seq_along(data$u) / 1e6  # all rows differ
  none <- list(kind = "none", coefficients = character())
  # A rare level of a factor, which the first sample may lack, and which always has the highest level of the response.
  rare <- seq(701, 2900, by = 733)
  data$rare <- seq_along(data$y) %in% rare
  data$y[rare] <- 3L
  expect_separation(y ~ u + rare + k, data, list(kind = "quasi-complete", coefficients = "rareTRUE"))
  data$y[rare[2]] <- 2L
  expect_separation(y ~ u + rare + k, data, none)
  data$v <- pmax(data$y, 1)  # the two lowest levels tie
  expect_separation(y ~ v + u, data, list(kind = "quasi-complete", coefficients = c(">=1", ">=2", ">=3", "v")))
  data$z <- data$y + data$u / 100
  expect_separation(y ~ z, data, list(kind = "complete", coefficients = c(">=1", ">=2", ">=3", "z")))
})

test_that("fits in batches report aliased columns and separation, and include rare levels", {
  data <- source_data()
  data$u <- data[[1]]
  data$v <- 3 - 2 * data$u
  data$rare <- ifelse(seq_along(data$u) == 2001, "once", "often")
  expect_message(fit <- pom(y ~ u + v + rare, batches_of(data), batch_rows = 500),
                 class = "judicious_message_aliased")
  frame <- suppressMessages(pom(y ~ u + v + rare, data))
  expect_identical(fit$aliased, "v")
  expect_equal(coef(fit), coef(frame), tolerance = 1e-8)
  data$y <- findInterval(data$u, c(-1, 1))
  expect_warning(pom(y ~ u, batches_of(data), batch_rows = 500), class = "judicious_warning_separation")
  expect_equal(coef(pom(y ~ u, batches_of(data), batch_rows = 500, penalty = 1)),
               coef(pom(y ~ u, data, penalty = 1)), tolerance = 1e-8)
})

test_that("levels of several batches are combined in one order", {
  expect_identical(join_levels(c("1", "3"), c("2", "10")), c("1", "2", "3", "10"))
  expect_identical(join_levels(c("low", "high"), c("low", "mid")), c("low", "high", "mid"))
  expect_identical(join_levels(c("a", "c"), "b"), c("a", "b", "c"))
})

test_that("errors about data that are not in memory name the problem", {
  data <- source_data()
  connection <- local_sqlite(data, "rows")
  table <- list(connection, "rows")
  fit <- pom(y ~ `a "b` + f, table, batch_rows = 500)
  grouped <- pom(y ~ f, table)
  first <- TRUE
  changing <- function(reset) {
    if (reset) first <<- FALSE
    NULL
  }
  expect_snapshot(error = TRUE, {
    pom(y ~ f, connection)
    pom(y ~ f, list(connection, "none"))
    pom(y ~ z, table)
    pom(y ~ f, function(x) x)
    pom(y ~ f, function(reset) 1)
    pom(y ~ f, "none.parquet")
    pom(y ~ I(`a "b` - mean(`a "b`, na.rm = TRUE)), table, batch_rows = 500)
    pom(y ~ `a "b` + f, table, link = "robit", batch_rows = 500)
    residuals(fit)
    predict(fit)
    influence(grouped)
    pom(y ~ f, changing)
    pom(y ~ f, function(reset) data[0, ])
  })
})

test_that("a table in PostgreSQL gives the same fit as in memory", {
  server <- local_postgres()
  connection <- do.call(DBI::dbConnect, c(list(RPostgres::Postgres()), server))
  withr::defer(DBI::dbDisconnect(connection))
  data <- source_data()
  DBI::dbWriteTable(connection, DBI::Id(schema = "pg_temp", table = "Rows"), data,
                    field.types = c(big = "bigint", k = "bigint"))
  table <- list(connection, "Rows")
  grouped <- pom(y ~ f + factor(k) + t + day, table)
  expect_identical(grouped$source, "groups")
  expect_same_fit(grouped, pom(y ~ f + factor(k) + t + day, data))
  formula <- y ~ `a "b` + f + day + t + factor(big)
  expect_same_fit(pom(formula, table, batch_rows = 500), pom(formula, data))
  expect_same_fit(pom(y ~ f + day, list(connection, "SELECT y, f, day FROM \"Rows\" WHERE k < 3")),
                  pom(y ~ f + day, data, subset = k < 3))
  # A collation that ignores case, as for columns of type citext.
  data$f <- rep_len(c("x", "X", "y"), nrow(data))
  DBI::dbExecute(connection, "CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2',
    deterministic = false)")
  DBI::dbExecute(connection, "CREATE TABLE folded (y double precision, f text COLLATE folded)")
  DBI::dbWriteTable(connection, "folded", data[c("y", "f")], append = TRUE)
  expect_identical(DBI::dbGetQuery(connection, "SELECT COUNT(DISTINCT f)::integer AS n FROM folded")$n, 2L)
  folded <- pom(y ~ f, list(connection, "folded"))
  expect_identical(folded$source, "groups")
  expect_same_fit(folded, pom(y ~ f, data))
})

test_that("texts that a database collation treats as equal stay different levels", {
  data <- source_data()[c("y", "k")]
  data$f <- rep_len(c("x", "X", "y", "y "), nrow(data))
  for (collation in c("NOCASE", "RTRIM")) {
    connection <- local_sqlite(data[0, ], "unused")
    DBI::dbExecute(connection, sprintf("CREATE TABLE rows (y INTEGER, k INTEGER, f TEXT COLLATE %s)", collation))
    DBI::dbWriteTable(connection, "rows", data, append = TRUE)
    expect_identical(DBI::dbGetQuery(connection, "SELECT COUNT(DISTINCT f) AS n FROM rows")$n, 3L)
    fit <- pom(y ~ f + factor(k), list(connection, "rows"))
    expect_identical(fit$source, "groups")
    expect_same_fit(fit, pom(y ~ f + factor(k), data))
  }
  # For an unknown type of database, only numbers can be grouped, because it is unknown how to compare texts by bytes.
  other <- list(connection = DBI::ANSI())
  expect_null(group_keys(other, data))
  expect_identical(group_keys(other, data["k"]), c(k = "\"k\""))
})

test_that("64-bit integers returned by a source function are numbers", {
  data <- source_data()[c("y", "k")]
  long <- data
  long$k <- structure(readBin(writeBin(as.vector(rbind(data$k, 0L)), raw(), endian = "little"), "double", nrow(data),
                              endian = "little"), class = "integer64")
  expect_same_fit(pom(y ~ k, batches_of(long), batch_rows = 500), pom(y ~ k, data))
  expect_same_fit(pom(y ~ factor(k), batches_of(long)), pom(y ~ factor(k), data))
})
