# Compares pom() with the installed proportional-odds engines, in one run, single-threaded.
#   Rscript bench/pom.R [quick] [folder for the growth plot]
# Times are processor time; ratios are a peer's time over ours. bench/pom-links.R does the same for every link.
suppressMessages(library(judicious))
source("bench/common.R")

draw <- function(n, p, levels) {
  set.seed(n + p + levels)
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  latent <- drop(x %*% seq(-1, 1, length.out = p)) + rlogis(n)
  y <- if (levels < n) findInterval(latent, quantile(latent, seq_len(levels - 1) / levels)) + 1L else rank(latent)
  list(x = x, y = as.integer(y), data = data.frame(y = ordered(y), x))
}

# Leaves out engines that would take minutes or gigabytes.
matrix_peers <- function(d, levels) {
  c(list("judicious, pom_fit()" = function() pom_fit(d$x, d$y)),
    if (has("ordinal") && levels < 1000) list("ordinal::clm.fit()" = function() {
      ordinal::clm.fit(y = ordered(d$y), X = cbind(1, d$x))
    }),
    if (has("rms") && levels < 1000) list("rms::lrm.fit()" = function() rms::lrm.fit(d$x, d$y)),
    if (has("rms")) list("rms::orm.fit()" = function() rms::orm.fit(d$x, d$y)))
}

formula_peers <- function(d, levels) {
  formula <- reformulate(colnames(d$x), "y")
  c(list("judicious::pom()" = function() pom(formula, d$data)),
    if (has("MASS") && levels < 1000) list("MASS::polr()" = function() MASS::polr(formula, d$data)),
    if (has("ordinal") && levels < 1000) list("ordinal::clm()" = function() ordinal::clm(formula, data = d$data)),
    if (has("VGAM") && levels * nrow(d$x) <= 1e5) list("VGAM::vglm()" = function() {
      VGAM::vglm(formula, VGAM::cumulative(parallel = TRUE, reverse = TRUE), d$data)
    }),
    if (has("rms") && levels < 1000) list("rms::lrm()" = function() rms::lrm(formula, d$data)),
    if (has("rms")) list("rms::orm()" = function() rms::orm(formula, d$data)))
}

# The difference between the log likelihood of each engine and the highest.
loglik_of <- function(fit) tryCatch(as.numeric(stats::logLik(fit)), error = function(cnd) NA_real_)

compare_engines <- function(size, peers, likelihood = FALSE) {
  d <- draw(size[1], size[2], size[3])
  calls <- peers(d, size[3])
  seconds <- vapply(calls, function(call) {
    tryCatch(suppressWarnings(time_call(call)), error = function(cnd) NA_real_)
  }, 0)
  table <- data.frame(rows = format(size[1], scientific = FALSE, big.mark = ","), columns = size[2], levels = size[3],
                      engine = names(calls), milliseconds = 1e3 * seconds, ratio = seconds / seconds[[1]])
  if (likelihood) {
    loglik <- vapply(calls, function(call) tryCatch(loglik_of(suppressWarnings(call())), error = function(cnd) NA), 0)
    table$below_best <- max(loglik, na.rm = TRUE) - loglik
  }
  table
}

pom_speed <- function(sizes = list(c(1e4, 6, 10), c(1e5, 6, 10), c(1e4, 6, 101)), peers = formula_peers,
                      likelihood = FALSE) {
  table <- do.call(rbind, lapply(sizes, compare_engines, peers = peers, likelihood = likelihood))
  rownames(table) <- NULL
  table
}

# A continuous response: every value is a level.
pom_continuous <- function(n = 3e4) pom_speed(list(c(n, 3, n)), matrix_peers)

pom_growth <- function(largest = 6.5) {
  n <- round(10^seq(3, largest, by = 0.25))
  seconds <- vapply(n, function(n) {
    d <- draw(n, 6, 10)
    time_call(function() pom_fit(d$x, d$y))
  }, 0)
  data.frame(rows = n, milliseconds = 1e3 * seconds)
}

# The exponent b of time ~ n^b, for sizes at which fixed costs are negligible.
growth_exponent <- function(growth) {
  coef(lm(log(milliseconds) ~ log(rows), growth[growth$rows >= 1e4, ]))[[2]]
}

plot_growth <- function(growth) {
  last <- growth[nrow(growth), ]
  plot(growth$rows, growth$milliseconds, log = "xy", pch = 19, xlab = "rows", ylab = "milliseconds",
       main = "One fit, 6 columns, 10 levels", panel.first = grid(col = "grey90"))
  lines(growth$rows, last$milliseconds * growth$rows / last$rows, lty = 2, col = "#D55E00")
  legend("topleft", c("measured", "proportional to rows"), pch = c(19, NA), lty = c(NA, 2),
         col = c("black", "#D55E00"), bty = "n")
}

pom_threads <- function(n = 1e5) {
  d <- draw(n, 6, 10)
  wall <- vapply(1:2, function(threads) {
    control <- pom_control(num_threads = threads)
    min(vapply(1:5, function(i) system.time(pom_fit(d$x, d$y, control = control))[[3]], 0))
  }, 0)
  data.frame(rows = n, threads = 1:2, wall_milliseconds = 1e3 * wall)
}

# Peak memory of a fit in addition to the data, in copies of the model matrix, measured in a separate process.
pom_memory <- function() {
  if (!file.exists("/proc/self/status")) return(NA_real_)
  megabytes <- function(field) {
    as.numeric(gsub("\\D", "", grep(field, readLines("/proc/self/status"), value = TRUE))) / 1024
  }
  code <- c("suppressMessages(library(judicious)); set.seed(1)",
            "x <- matrix(rnorm(6e6), 1e6, dimnames = list(NULL, letters[1:6]))",
            "y <- sample(3L, 1e6, TRUE); invisible(gc())",
            paste("megabytes <-", paste(deparse(megabytes), collapse = "\n")),
            "before <- megabytes('VmRSS'); fit <- pom_fit(x, y)",
            "cat((megabytes('VmHWM') - before) / (8 * 6e6 / 2^20))")
  script <- tempfile(fileext = ".R")
  writeLines(code, script)
  as.numeric(system2(file.path(R.home("bin"), "Rscript"), script, stdout = TRUE))
}

# Six factors of 2 to 6 levels, whose equal rows are merged before the fit, from memory, Parquet and SQLite. Each fit is
# a separate process; `megabytes` is its peak memory beyond what it used before. `one_by_one` has an offset with as many
# values as rows, so that no rows are equal.
pom_equal_rows <- function(rows = 1e6, folder = tempfile()) {
  dir.create(folder, showWarnings = FALSE)
  code <- c("suppressMessages(library(judicious)); rows <- %d; set.seed(3)",
            "levels <- c(a = 2, b = 3, c = 3, d = 4, e = 5, f = 6)",
            "d <- lapply(levels, function(k) sample.int(k, rows, TRUE))",
            "d$y <- findInterval(Reduce(`+`, d) / 8 + rlogis(rows), c(1, 2, 4))",
            "d <- as.data.frame(d)",
            "file <- function(name) file.path('%s', paste0(rows, name))",
            "formula <- y ~ factor(a) + factor(b) + factor(c) + factor(d) + factor(e) + factor(f)")
  write <- c("nanoparquet::write_parquet(d, file('.parquet'))",
             "connection <- DBI::dbConnect(RSQLite::SQLite(), file('.sqlite')); DBI::dbWriteTable(connection, 'd', d)")
  fit <- c("megabytes <- function(field) as.numeric(gsub('\\\\D', '',",
           "  grep(field, readLines('/proc/self/status'), value = TRUE))) / 1024",
           "invisible(gc()); before <- megabytes('VmRSS')",
           "s <- system.time(fit <- pom(formula, source))",
           "cat(sum(s[c(1, 2)]), s[3], megabytes('VmHWM') - before, format(fit$loglik, digits = 15))")
  sources <- list(
    memory = c("d[1:6] <- lapply(d[1:6], factor); source <- d; formula <- y ~ a + b + c + d + e + f"),
    one_by_one = c("d[1:6] <- lapply(d[1:6], factor); d$o <- seq_len(rows) / rows * 1e-9; source <- d",
                   "formula <- y ~ a + b + c + d + e + f + offset(o)"),
    Parquet = "rm(d); source <- file('.parquet')",
    SQLite = "rm(d); source <- list(DBI::dbConnect(RSQLite::SQLite(), file('.sqlite')), 'd')"
  )
  run <- function(lines) {
    script <- tempfile(fileext = ".R")
    writeLines(c(sprintf(code[1], rows), code[2:5], sprintf(code[6], folder), code[7], lines), script)
    scan(text = system2(file.path(R.home("bin"), "Rscript"), script, stdout = TRUE), quiet = TRUE)
  }
  run(write)
  found <- vapply(sources, function(lines) run(c(lines, fit)), numeric(4))
  data.frame(rows = format(rows, big.mark = ",", scientific = FALSE), data = names(sources), seconds = found[1, ],
             elapsed = found[2, ], megabytes = found[3, ], log_likelihood = found[4, ], row.names = NULL)
}

main <- function(arguments) {
  quick <- "quick" %in% arguments
  folder <- c(setdiff(arguments, "quick"), tempdir())[1]
  sizes <- list(c(1e4, 6, 10), c(1e5, 6, 10), c(1e4, 6, 101), c(1e6, 6, 3))
  if (quick) sizes <- sizes[1:3]
  show("From a formula and a data frame", pom_speed(sizes, formula_peers, likelihood = TRUE))
  show("From matrices", pom_speed(sizes, matrix_peers))
  show("A level per row", pom_continuous())
  show("Threads", pom_threads())
  if (has("nanoparquet") && has("RSQLite")) {
    show("Equal rows", do.call(rbind, lapply(if (quick) 1e6 else c(1e6, 1e7), pom_equal_rows)), digits = 12)
  }
  if (!quick) cat(sprintf("\nmemory at n = 1,000,000: %.2f copies of x beyond x\n", pom_memory()))
  growth <- pom_growth(if (quick) 5.5 else 6.5)
  show("Growth", growth)
  cat(sprintf("time ~ n^%.2f for n from 10^4 on\n", growth_exponent(growth)))
  file <- file.path(folder, "pom-growth.png")
  png(file, 900, 650, res = 130)
  plot_growth(growth)
  invisible(dev.off())
  cat("plot:", file, "\n")
}
if (sys.nframe() == 0) main(commandArgs(TRUE))
