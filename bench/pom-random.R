# Random designs with all links and mixed terms: detects crashes, and likelihoods below those of other packages.
#   Rscript bench/pom-random.R [designs] [minutes] [first] [file=table.csv]
# where `minutes` is the processor time after which it stops, and `first` the number of the first design. Designs that
# are in `file` already are not fitted again; new ones are appended to it.
# A design draws rows, columns, levels, weights, separation and terms. Its fit is "worse" if its log likelihood is more
# than 1e-6 below the best one of clm() or clmm(), polr() and vglm(), and no warning reports the problem. Two
# quadratures of 9 nodes differ by about their errors, so that the message by which pom() states its error counts as a
# warning.
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

# With random terms, the parameters of most links are fixed (lambda = 0.5, df = 4), because estimating them takes
# seconds.
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

# The fits by the packages that support the model. Package ordinal has no robit link.
theirs <- function(design) {
  d <- design$data
  fits <- list()
  if (has("ordinal") && design$link != "robit") fits$ordinal <- by_ordinal
  if (design$kind != "plain") return(fits)
  if (has("MASS") && !design$link %in% c("robit", "log-gamma")) fits$MASS <- function(design) {
    MASS::polr(design$formula, d, weights = w, method = if (design$link == "logit") "logistic" else design$link)
  }
  vglm_link <- paste0(design$link, "link")
  if (has("VGAM") && vglm_link %in% c("logitlink", "probitlink", "clogloglink", "cauchitlink")) {
    fits$VGAM <- function(design) {
      family <- do.call(VGAM::cumulative, list(link = vglm_link, parallel = TRUE))
      VGAM::vglm(design$formula, family, d, weights = w)
    }
  }
  fits
}

by_ordinal <- function(design) {
  d <- design$data
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
  loglik <- if (is.null(fit) || is.character(fit)) NA_real_ else if (isS4(fit)) fit@criterion$loglikelihood else
    as.numeric(logLik(fit))
  list(loglik = loglik, warned = warned, error = if (is.character(fit)) fit)
}

compare_design <- function(seed) {
  design <- draw_design(seed)
  own <- fit_quietly(ours, design)
  peers <- vapply(theirs(design), function(fit_one) fit_quietly(fit_one, design)$loglik, 0)
  peers <- peers[is.finite(peers)]
  best <- if (length(peers)) max(peers) else NA_real_
  below <- best - own$loglik
  result <- if (!is.null(own$error)) "error" else if (is.na(below)) "no peer" else if (below > 1e-6) {
    if (own$warned) "below, warned" else "worse"
  } else if (below < -1e-6) "better" else "equal"
  data.frame(seed = seed, kind = design$kind, link = design$link, side = if (is_mixed(design)) design$side else "",
             peer = if (length(peers)) names(peers)[which.max(peers)] else "", result = result, below = below,
             error = if (is.null(own$error)) "" else gsub("\\s+", " ", substr(own$error, 1, 80)))
}

# The table of the designs: rows of the file, if there is one, and results of the designs that are not in it.
random_designs <- function(designs, minutes = Inf, first = 1, file = "") {
  done <- if (file.exists(file)) utils::read.csv(file)
  for (seed in setdiff(seq(first, length.out = designs), done$seed)) {
    if (sum(proc.time()[1:2]) > 60 * minutes) break
    row <- compare_design(seed)
    done <- rbind(done, row)
    if (nzchar(file)) {
      utils::write.table(row, file, append = file.exists(file), sep = ",", row.names = FALSE,
                         col.names = !file.exists(file))
    }
  }
  done
}

if (sys.nframe() == 0) {
  table <- do.call(random_designs, given_arguments(commandArgs(TRUE), list(designs = 3000, minutes = Inf, first = 1,
                                                                           file = "")))
  cat(nrow(table), "designs\n")
  print(table(table$link, table$result))
  print(table(table$kind, table$result))
  bad <- table[table$result %in% c("worse", "error"), ]
  if (nrow(bad)) show("Worse than a peer without a warning, or an error", bad)
}
