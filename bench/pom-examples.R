# Fits models of the data of the packages ordinal, MASS and VGAM, and of simulated data for rms, with pom() and with the
# package, and compares log likelihoods and slopes. A package that is not installed is left out.
#   Rscript bench/pom-examples.R
suppressMessages(library(judicious))
source("bench/common.R")

data_of <- function(name, package) {
  into <- new.env()
  utils::data(list = name, package = package, envir = into)
  into[[name]]
}

# The log likelihood and the slopes of a fit; for vglm(), those of the model of 1 - P(Y <= j).
found <- function(fit) {
  list(loglik = as.numeric(if (isS4(fit)) VGAM::logLik(fit) else stats::logLik(fit)), slopes = slopes_of(fit))
}
slopes_of <- function(fit) {
  if (inherits(fit, "judicious_pom")) return(fit$beta)
  if (inherits(fit, "clm")) return(fit$beta)
  if (inherits(fit, "polr")) return(stats::coef(fit))
  all <- if (isS4(fit)) VGAM::coef(fit) else stats::coef(fit)
  all[!grepl("Intercept|^y>=|>=", names(all))]
}

compare <- function(package, example, ours, theirs) {
  if (!has(package)) return(NULL)
  pair <- lapply(list(ours, theirs), function(f) tryCatch(suppressWarnings(suppressMessages(found(f()))),
                                                          error = function(cnd) NULL))
  failed <- vapply(pair, is.null, NA)
  known <- !any(failed)
  data.frame(package, example, failed = paste(c("judicious", package)[failed], collapse = " "),
             loglik = if (!failed[1]) pair[[1]]$loglik else NA,
             above_theirs = if (known) pair[[1]]$loglik - pair[[2]]$loglik else NA,
             slopes = if (known) max(abs(unname(pair[[1]]$slopes) - unname(pair[[2]]$slopes)), 0) else NA)
}

links <- c("logit", "probit", "cloglog", "loglog", "cauchit")
rows <- list()
add <- function(...) rows[[length(rows) + 1]] <<- compare(...)

for (link in links) {
  housing <- data_of("housing", "MASS")
  add("MASS", paste("housing", link), function() pom(Sat ~ Infl + Type + Cont, housing, weights = Freq, link = link),
      function() MASS::polr(Sat ~ Infl + Type + Cont, housing, weights = Freq,
                            method = if (link == "logit") "logistic" else link))
}
if (has("ordinal")) {
  wine <- data_of("wine", "ordinal")
  soup <- data_of("soup", "ordinal")
  for (link in links) {
    add("ordinal", paste("wine", link), function() pom(rating ~ temp * contact, wine, link = link),
        function() ordinal::clm(rating ~ temp * contact, data = wine, link = link))
    add("ordinal", paste("soup", link), function() pom(SURENESS ~ PROD + DAY + SOUPTYPE, soup, link = link),
        function() ordinal::clm(SURENESS ~ PROD + DAY + SOUPTYPE, data = soup, link = link))
  }
  for (threshold in c("equidistant", "symmetric")) {
    add("ordinal", paste("wine", threshold), function() pom(rating ~ temp + contact, wine, threshold = threshold),
        function() ordinal::clm(rating ~ temp + contact, data = wine, threshold = threshold))
  }
  add("ordinal", "wine nominal", function() pom(rating ~ temp, wine, nominal = ~contact),
      function() ordinal::clm(rating ~ temp, data = wine, nominal = ~contact))
  add("ordinal", "soup scale", function() pom(SURENESS ~ PROD, soup, scale = ~PROD, link = "probit"),
      function() ordinal::clm(SURENESS ~ PROD, data = soup, scale = ~PROD, link = "probit"))
}
if (has("VGAM")) {
  pneumo <- transform(data_of("pneumo", "VGAM"), let = log(exposure.time))
  long <- stats::reshape(pneumo, list(c("normal", "mild", "severe")), "n", direction = "long")
  long$y <- ordered(long$time)
  vglm_links <- c(logit = "logitlink", probit = "probitlink", cloglog = "clogloglink", cauchit = "cauchitlink")
  for (link in names(vglm_links)) {
    mirrored <- if (link == "cloglog") "loglog" else link
    # vglm() uses the name of a link unevaluated, so its value is inserted into the call.
    family <- do.call(VGAM::cumulative, list(link = vglm_links[[link]], parallel = TRUE,
                                             reverse = TRUE))
    add("VGAM", paste("pneumo", link), function() pom(y ~ let, long, weights = n, link = mirrored),
        function() VGAM::vglm(y ~ let, family, long[long$n > 0, ], weights = n))
  }
}
if (has("rms")) {
  set.seed(1)
  n <- 300
  d <- data.frame(x1 = runif(n, -1, 1), x2 = runif(n, -1, 1), x3 = sample(0:1, n, TRUE))
  d$y <- as.integer(cut(d$x1 + 0.5 * d$x2 + 0.5 * d$x3 + rnorm(n), 4))
  # The families of orm() are those of P(Y >= j).
  for (family in c("logistic", "probit", "loglog", "cloglog", "cauchit")) {
    own <- c(logistic = "logit", loglog = "cloglog", cloglog = "loglog", probit = "probit", cauchit = "cauchit")
    add("rms", paste("orm", family), function() pom(y ~ x1 + x2 + x3, d, link = own[[family]]),
        function() rms::orm(y ~ x1 + x2 + x3, d, family = family, eps = 1e-10))
  }
}
table <- do.call(rbind, rows)
show("Examples of the packages", table, 8)
counts <- table[table$failed == "", ]
cat(sprintf("\n%d examples; %d with a failure; log likelihood lower than theirs by more than 1e-6: %d; higher: %d\n",
            nrow(table), sum(table$failed != ""), sum(counts$above_theirs < -1e-6), sum(counts$above_theirs > 1e-6)))
