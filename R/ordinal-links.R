# The distributions behind the links, in R: P(Y <= j) = F(theta_j - eta).

pom_links <- c("logit", "probit", "cloglog", "loglog", "cauchit")

link_cdf <- function(link, x, lower = TRUE) {
  switch(link,
    logit = plogis(x, lower.tail = lower), probit = pnorm(x, lower.tail = lower),
      cauchit = pcauchy(x, lower.tail = lower),
    cloglog = if (lower) -expm1(-exp(x)) else exp(-exp(x)),
    loglog = if (lower) exp(-exp(-x)) else -expm1(-exp(-x))
  )
}

link_quantile <- function(link, p, lower = TRUE) {
  switch(link,
    logit = qlogis(p, lower.tail = lower), probit = qnorm(p, lower.tail = lower),
      cauchit = qcauchy(p, lower.tail = lower),
    cloglog = log(-(if (lower) log1p(-p) else log(p))),
    loglog = -log(-(if (lower) log(p) else log1p(-p)))
  )
}

# The mean of the latent variable's distribution, where there is one: what surrogate residuals are centred at.
link_mean <- function(link) c(logit = 0, probit = 0, cloglog = digamma(1), loglog = -digamma(1), cauchit = 0)[[link]]

# What coefficients are differences of.
link_scale <- function(link) if (link == "logit") "log odds" else paste(link, "of the probability")

# The variance of the latent variable's distribution; the Cauchy distribution has none.
link_variance <- function(link) {
  c(logit = pi^2 / 3, probit = 1, cloglog = pi^2 / 6, loglog = pi^2 / 6, cauchit = Inf)[[link]]
}
