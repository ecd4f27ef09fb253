# Mixed models: pom() against ordinal::clmm on clmm's own examples and on crossed designs, in one run, with the
# difference of the log likelihoods. Usage: Rscript bench/mixed.R
suppressMessages(library(judicious))
source("bench/common.R")

crossed <- function(n, a, b) {
  d <- data.frame(a = factor(sample(a, n, TRUE)), b = factor(sample(b, n, TRUE)), x = rnorm(n))
  d$y <- cut(0.8 * d$x + rnorm(a)[d$a] + 0.7 * rnorm(b)[d$b] + rlogis(n), c(-Inf, -1.2, 0, 1.5, Inf),
             ordered_result = TRUE)
  d
}

slopes <- function(groups, rows) {
  d <- data.frame(g = gl(groups, rows), x = rnorm(groups * rows))
  slope <- 1 + rnorm(groups, sd = 0.7)
  d$y <- cut(slope[d$g] * d$x + rnorm(groups)[d$g] + rlogis(nrow(d)), c(-Inf, -1, 1, Inf), ordered_result = TRUE)
  d
}

mixed_speed <- function(large = TRUE) {
  if (!has("ordinal")) return(NULL)
  set.seed(1)
  cases <- list(
    "wine, (1 | judge)" = list(rating ~ temp + contact + (1 | judge), ordinal::wine),
    "soup, (1 | RESP) + (1 | RESP:PROD)" = list(SURENESS ~ PROD + (1 | RESP) + (1 | RESP:PROD), ordinal::soup),
    "20 groups of 15, (1 | g)" = list(y ~ x + (1 | g), slopes(20, 15)),
    "40 groups of 10, (1 + x | g)" = list(y ~ x + (1 + x | g), slopes(40, 10)),
    "30 x 20 crossed" = list(y ~ x + (1 | a) + (1 | b), crossed(1000, 30, 20)),
    "100 x 50 crossed" = list(y ~ x + (1 | a) + (1 | b), crossed(5000, 100, 50))
  )
  if (!large) cases <- cases[1:5]
  table <- do.call(rbind, lapply(names(cases), function(name) {
    formula <- cases[[name]][[1]]
    data <- cases[[name]][[2]]
    fit <- pom(formula, data)
    ours <- time_call(function() pom(formula, data))
    theirs <- cpu_seconds(peer <- suppressWarnings(ordinal::clmm(formula, data)))
    data.frame(case = name, rows = nrow(data), pom_seconds = ours, clmm_seconds = theirs, ratio = theirs / ours,
               loglik_difference = as.numeric(logLik(fit) - logLik(peer)))
  }))
  rownames(table) <- NULL
  table
}

# Models that clmm cannot fit: three nested and crossed terms.
mixed_growth <- function(rows = c(5000, 10000, 20000, 40000)) {
  grow <- function(n) {
    d <- data.frame(query = factor(sample(n / 50, n, TRUE)), genre = factor(sample(10, n, TRUE)), x = rnorm(n))
    d$system <- factor(sample(18, n, TRUE))
    d$y <- findInterval(d$x + rnorm(n / 50)[d$query] + rlogis(n), -2:2)
    d
  }
  set.seed(2)
  seconds <- vapply(rows, function(n) {
    d <- grow(n)
    cpu_seconds(pom(y ~ x + (1 | query / genre) + (1 | system), d))
  }, 0)
  data.frame(rows = rows, seconds = seconds)
}

mixed_mirex <- function(x) {
  d <- output_features(x)
  document <- x$documents[x$pool$doc, ]
  d$genre <- document$genre
  d$artist <- document$artist
  d$gain <- x$scale$model_levels[max.col(-abs(outer(x$gain, x$scale$model_levels, `-`)), ties.method = "first")]
  formula <- gain ~ pTEAM + pART + sGEN * pGEN + (1 | query) + (1 | query:genre) + (1 | query:artist)
  fit <- pom(formula, d)
  time <- time_call(function() pom(formula, d))
  plain <- time_call(function() pom(gain ~ pTEAM + pART + sGEN * pGEN, d))
  list(times = data.frame(rows = nobs(fit), seconds = time, plain_seconds = plain), effects = VarCorr(fit))
}

main <- function() {
  speed <- mixed_speed()
  if (is.null(speed)) cat("The package ordinal is not installed, so there is nothing to compare with.\n")
  if (!is.null(speed)) show("Against ordinal::clmm()", speed)
  show("Growth", mixed_growth())
  x <- mirex_2011()
  if (is.null(x)) return(invisible())
  real <- mixed_mirex(x)
  show("MIREX 2011, 10 levels, four terms", real$times)
  print(real$effects, row.names = FALSE)
}
if (sys.nframe() == 0) main()
