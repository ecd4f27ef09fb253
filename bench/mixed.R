# Mixed models: pom() against ordinal::clmm on clmm's own examples and on crossed designs, in one run. Prints
# seconds per fit, the ratio, and the difference of the log likelihoods. Usage: Rscript bench/mixed.R
library(judicious)
stopifnot(requireNamespace("ordinal", quietly = TRUE))

seconds <- function(code, at_least = 1) {
  code <- substitute(code)
  env <- parent.frame()
  runs <- 0
  start <- proc.time()[["user.self"]]
  repeat {
    eval(code, env)
    runs <- runs + 1
    spent <- proc.time()[["user.self"]] - start
    if (spent >= at_least) return(spent / runs)
  }
}

set.seed(1)
crossed <- function(n, a, b) {
  d <- data.frame(a = factor(sample(a, n, TRUE)), b = factor(sample(b, n, TRUE)), x = rnorm(n))
  d$y <- cut(0.8 * d$x + rnorm(a)[d$a] + 0.7 * rnorm(b)[d$b] + rlogis(n), c(-Inf, -1.2, 0, 1.5, Inf),
             ordered_result = TRUE)
  d
}
cases <- list(
  "wine, (1 | judge)" = list(rating ~ temp + contact + (1 | judge), ordinal::wine),
  "soup, (1 | RESP) + (1 | RESP:PROD)" = list(SURENESS ~ PROD + (1 | RESP) + (1 | RESP:PROD), ordinal::soup),
  "1,000 rows, 30 x 20 crossed" = list(y ~ x + (1 | a) + (1 | b), crossed(1000, 30, 20)),
  "5,000 rows, 100 x 50 crossed" = list(y ~ x + (1 | a) + (1 | b), crossed(5000, 100, 50))
)
table <- do.call(rbind, lapply(names(cases), function(name) {
  formula <- cases[[name]][[1]]
  data <- cases[[name]][[2]]
  ours <- seconds(fit <- pom(formula, data))
  theirs <- seconds(peer <- suppressWarnings(ordinal::clmm(formula, data)), 0)
  data.frame(case = name, rows = nrow(data), pom = signif(ours, 3), clmm = signif(theirs, 3),
             ratio = round(theirs / ours),
             loglik_difference = signif(as.numeric(logLik(fit) - logLik(peer)), 2))
}))
print(table, row.names = FALSE)

# What clmm cannot fit: growth with the rows, three nested and crossed terms and one of several members per row.
grow <- function(n) {
  d <- data.frame(query = factor(sample(n / 50, n, TRUE)), genre = factor(sample(10, n, TRUE)), x = rnorm(n))
  d$systems <- members(lapply(seq_len(n), function(i) sample(18, sample(3, 1))))
  d$y <- findInterval(d$x + rnorm(n / 50)[d$query] + rlogis(n), -2:2)
  d
}
times <- vapply(c(5000, 10000, 20000, 40000), function(n) {
  d <- grow(n)
  seconds(pom(y ~ x + (1 | query / genre) + (1 | systems), d, sd_prior = c(0.5, 1)), 0)
}, 0)
print(data.frame(rows = c(5000, 10000, 20000, 40000), seconds = round(times, 2)), row.names = FALSE)

root <- Sys.getenv("JUDICIOUS_DATA")
if (nzchar(root)) {
  path <- function(file) file.path(root, "mirex-ams-2011", file)
  read <- function(file, names) utils::read.delim(path(file), header = FALSE, col.names = names,
                                                  colClasses = "character")
  truth <- read("judgments.txt", c("query", "doc", "gain"))
  truth$gain <- as.numeric(truth$gain)
  x <- suppressWarnings(test_collection(read("runs.txt", c("system", "query", "doc")),
                                        read("metadata.txt", c("doc", "artist", "genre")),
                                        read("teams.tsv", c("system", "team")), judgments = truth))
  d <- output_features(x)
  document <- x$documents[x$pool$doc, ]
  d$genre <- document$genre
  d$artist <- document$artist
  d$systems <- members(x)
  gain <- truth$gain[match(paste(d$query, d$doc), paste(truth$query, truth$doc))]
  d$gain <- x$scale$model_levels[max.col(-abs(outer(gain, x$scale$model_levels, `-`)), ties.method = "first")]
  time <- seconds(fit <- pom(gain ~ pTEAM + pART + sGEN * pGEN + (1 | query) + (1 | query:genre) + (1 | query:artist) +
                             (1 | systems), d))
  cat("\nMIREX 2011, 10 levels:", nobs(fit), "rows,", round(time, 2), "seconds, plain fit",
      round(seconds(pom(gain ~ pTEAM + pART + sGEN * pGEN, d)), 3), "\n")
  print(VarCorr(fit), row.names = FALSE)
}
