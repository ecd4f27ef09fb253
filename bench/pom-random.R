# Random designs with all links and mixed terms: detects crashes, and likelihoods below those of package ordinal.
#   Rscript bench/pom-random.R [designs] [minutes] [first]
# where `minutes` is the processor time after which it stops, and `first` the number of the first design.
# A design draws rows, columns, levels, weights, separation and terms. Its fit is "worse" if its log likelihood is more
# than 1e-6 below that of clm() or clmm() and no warning reports the problem. Two quadratures of 9 nodes differ by about
# their errors, so that the message by which pom() states its error counts as a warning.
suppressMessages(library(judicious))
source("bench/common.R")

draw_design <- function(seed) {
  set.seed(seed)
  n <- sample(c(12, 30, 80, 200), 1)
  d <- data.frame(u = rnorm(n), v = rnorm(n) * 10^runif(1, -3, 3), f = gl(3, 1, n), g = factor(sample(6, n, TRUE)))
  d$w <- if (runif(1) < 0.3) sample(1:3, n, TRUE) else rep(1, n)
  latent <- runif(1, -3, 3) * d$u + rnorm(6)[d$g] * runif(1, 0, 2) + rlogis(n)
  levels <- sample(2:5, 1)
  d$y <- ordered(findInterval(latent, quantile(latent, seq_len(levels - 1) / levels)))
  list(data = d, link = sample(c("logit", "probit", "cloglog", "loglog", "cauchit", "log-gamma", "robit"), 1),
       formula = sample(list(y ~ u, y ~ u + v, y ~ u + f, y ~ u * f, y ~ v), 1)[[1]],
       kind = sample(c("plain", "scale", "nominal", "mixed", "quadrature"), 1),
       side = sample(c("none", "none", "scale", "nominal"), 1), estimated = runif(1) < 0.1)
}

is_mixed <- function(design) design$kind %in% c("mixed", "quadrature")

# With random terms most links' parameters are given, lambda = 0.5 or df = 4, because their estimation takes seconds.
ours_mixed <- function(design) {
  d <- design$data
  parameter <- if (design$estimated) NA else c(`log-gamma` = 0.5, robit = 4)[design$link]
  pom(update(design$formula, . ~ . + (1 | g)), d, weights = w, link = design$link,
      link_parameter = if (!is.na(parameter)) parameter[[1]], nAGQ = if (design$kind == "mixed") 1 else 9,
      scale = if (design$side == "scale") ~v, nominal = if (design$side == "nominal") ~v)
}

ours <- function(design) {
  d <- design$data
  switch(design$kind,
    plain = pom(design$formula, d, weights = w, link = design$link),
    scale = pom(design$formula, d, weights = w, link = design$link, scale = ~v),
    nominal = pom(design$formula, d, weights = w, link = design$link, nominal = ~v),
    ours_mixed(design)
  )
}

# Package ordinal has no robit.
theirs <- function(design) {
  d <- design$data
  if (design$link == "robit") return(NULL)
  turned <- c(cloglog = "loglog", loglog = "cloglog")
  link <- if (design$link %in% names(turned)) turned[[design$link]] else design$link
  if (is_mixed(design) && (design$side != "none" || design$link == "log-gamma")) return(NULL)
  switch(design$kind,
    plain = ordinal::clm(design$formula, data = d, weights = w, link = design$link),
    scale = ordinal::clm(design$formula, data = d, weights = w, link = design$link, scale = ~v),
    nominal = ordinal::clm(design$formula, data = d, weights = w, link = design$link, nominal = ~v),
    mixed = NULL,  # clmm's Laplace approximation does not use the exact modes
    quadrature = ordinal::clmm(update(design$formula, . ~ . + (1 | g)), data = d, weights = w, link = link, nAGQ = 9)
  )
}

fit_quietly <- function(fit_one, design) {
  warned <- FALSE
  fit <- tryCatch(suppressMessages(withCallingHandlers(
    fit_one(design), judicious_message_quadrature = function(cnd) warned <<- TRUE, warning = function(cnd) {
      warned <<- TRUE
      invokeRestart("muffleWarning")
    }
  )), error = function(cnd) conditionMessage(cnd))
  loglik <- if (is.null(fit) || is.character(fit)) NA_real_ else as.numeric(logLik(fit))
  list(loglik = loglik, warned = warned, error = if (is.character(fit)) fit)
}

compare_design <- function(seed) {
  design <- draw_design(seed)
  a <- fit_quietly(ours, design)
  b <- if (has("ordinal")) fit_quietly(theirs, design) else list(loglik = NA_real_)
  below <- b$loglik - a$loglik
  result <- if (!is.null(a$error)) "error" else if (is.na(below)) "no peer" else if (below > 1e-6) {
    if (a$warned) "below, warned" else "worse"
  } else if (below < -1e-6) "better" else "equal"
  data.frame(seed = seed, kind = design$kind, link = design$link, side = if (is_mixed(design)) design$side else "",
             result = result, below = below, error = if (is.null(a$error)) "" else substr(a$error, 1, 80))
}

random_designs <- function(designs, minutes = Inf, first = 1) {
  tables <- list()
  for (seed in seq(first, length.out = designs)) {
    if (sum(proc.time()[1:2]) > 60 * minutes) break
    tables[[seed]] <- compare_design(seed)
  }
  do.call(rbind, tables)
}

if (sys.nframe() == 0) {
  table <- do.call(random_designs, given_arguments(commandArgs(TRUE), list(designs = 3000, minutes = Inf, first = 1)))
  cat(nrow(table), "designs\n")
  print(table(table$kind, table$result))
  bad <- table[table$result %in% c("worse", "error"), ]
  if (nrow(bad)) show("Worse than a peer without a warning, or an error", bad)
}
