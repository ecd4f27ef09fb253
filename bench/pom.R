# pom() against the proportional-odds engines that are installed, in one run, single thread.
#   Rscript bench/pom.R [quick] [folder for the growth plot]
# Times are CPU seconds (user and system), the best of some repetitions; ratios are the fastest peer's time over ours.
suppressMessages(library(judicious))
arguments <- commandArgs(TRUE)
quick <- "quick" %in% arguments
folder <- c(setdiff(arguments, "quick"), tempdir())[1]

draw <- function(n, p, levels) {
  set.seed(n + p + levels)
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  latent <- drop(x %*% seq(-1, 1, length.out = p)) + rlogis(n)
  y <- if (levels < n) findInterval(latent, quantile(latent, seq_len(levels - 1) / levels)) + 1L else rank(latent)
  list(x = x, y = as.integer(y), data = data.frame(y = ordered(y), x))
}

best_time <- function(call, times) {
  min(vapply(seq_len(times), function(i) sum(system.time(call())[1:2]), 0))
}

# A call much shorter than the clock's tick is timed in batches.
timed <- function(call) {
  first <- best_time(call, 1)
  if (first > 1) return(first)
  batch <- max(1, ceiling(0.1 / max(first, 1e-3)))
  best_time(function() for (i in seq_len(batch)) call(), 3) / batch
}

has <- function(package) requireNamespace(package, quietly = TRUE)

matrix_peers <- function(d, levels) {
  c(list(pom = function() judicious:::pom_fit(d$x, d$y, levels)),
    if (has("ordinal") && levels < 1000) list(clm.fit = function() ordinal::clm.fit(y = ordered(d$y), X = cbind(1, d$x))),
    if (has("rms") && levels < 1000) list(lrm.fit = function() rms::lrm.fit(d$x, d$y)),
    if (has("rms")) list(orm.fit = function() rms::orm.fit(d$x, d$y)))
}

formula_peers <- function(d, levels) {
  formula <- reformulate(colnames(d$x), "y")
  c(list(pom = function() pom(formula, d$data)),
    if (has("MASS") && levels < 1000) list(polr = function() MASS::polr(formula, d$data)),
    if (has("ordinal") && levels < 1000) list(clm = function() ordinal::clm(formula, data = d$data)),
    if (has("rms") && levels < 1000) list(lrm = function() rms::lrm(formula, d$data)),
    if (has("rms")) list(orm = function() rms::orm(formula, d$data)))
}

report <- function(what, size, calls) {
  seconds <- vapply(calls, function(call) tryCatch(timed(call), error = function(e) NA_real_), 0)
  peers <- seconds[-1]
  cat(sprintf("%-8s n = %-7s p = %d J = %-6s ours %9.2f ms | %s | ratio %.1f\n", what, format(size[1], scientific = FALSE), size[2],
              format(size[3], scientific = FALSE), 1e3 * seconds[1],
              paste(sprintf("%s %.0f ms", names(peers), 1e3 * peers), collapse = ", "), min(peers, na.rm = TRUE) / seconds[1]))
}

sizes <- list(c(1e4, 6, 10), c(1e5, 6, 10), c(1e4, 6, 101), c(1e6, 6, 3))
if (quick) sizes <- sizes[1:3]
for (size in sizes) {
  d <- draw(size[1], size[2], size[3])
  report("matrix", size, matrix_peers(d, size[3]))
  report("formula", size, formula_peers(d, size[3]))
}

d <- draw(3e4, 3, 3e4)
cat(sprintf("continuous response, n = J = 30000, p = 3: %.0f ms\n", 1e3 * timed(function() judicious:::pom_fit(d$x, d$y, 3e4L))))

d <- draw(1e5, 6, 10)
for (threads in 1:2) {
  wall <- min(vapply(1:5, function(i) system.time(judicious:::pom_fit(d$x, d$y, 10L, control = pom_control(num_threads = threads)))[[3]], 0))
  cat(sprintf("n = 100000, %d thread(s): %.1f ms by the wall clock\n", threads, 1e3 * wall))
}

n <- round(10^seq(3, if (quick) 5.5 else 6.5, by = 0.25))
ours <- vapply(n, function(n) {
  d <- draw(n, 6, 10)
  timed(function() judicious:::pom_fit(d$x, d$y, 10L))
}, 0)
large <- n >= 1e4
slope <- coef(lm(log(ours[large]) ~ log(n[large])))[[2]]
cat(sprintf("growth: time ~ n^%.2f for n from 10^4 on\n", slope))
file <- file.path(folder, "pom-growth.png")
png(file, 900, 650, res = 130)
plot(n, 1e3 * ours, log = "xy", pch = 19, xlab = "rows", ylab = "milliseconds", main = "Matrix-level fit, 6 columns, 10 levels",
     panel.first = grid(col = "grey90"))
lines(n, 1e3 * ours[length(n)] * n / n[length(n)], lty = 2, col = "#D55E00")
legend("topleft", c("measured", "proportional to rows"), pch = c(19, NA), lty = c(NA, 2), col = c("black", "#D55E00"), bty = "n")
invisible(dev.off())
cat("plot:", file, "\n")
