# Truncated regression (Long, 1997, chapter 7) of a gain: normal around a linear predictor, given that it is between two
# limits. It is the baseline that section 4.1 of Urbano and Schedl (2013) mentions as an alternative to ordinal
# regression.

# `data$gain`: an ordered factor whose levels are numbers.
truncated_regression <- function(formula, data) {
  frame <- stats::model.frame(formula, data)
  model_terms <- attr(frame, "terms")
  x <- stats::model.matrix(model_terms, frame)
  aliased <- is.na(stats::lm.fit(x, numeric(nrow(x)))$coefficients)
  x <- x[, !aliased, drop = FALSE]
  grid <- as.numeric(levels(frame$gain))
  y <- grid[as.integer(frame$gain)]
  n <- length(grid)
  limits <- c(grid[1] - (grid[2] - grid[1]) / 2, grid[n] + (grid[n] - grid[n - 1]) / 2)
  # In units of the range, so that all parameters are on similar scales.
  unit <- diff(limits)
  value <- (y - limits[1]) / unit
  # Minus the log likelihood and its gradient, by the coefficients and the log of sigma.
  pieces <- function(p) {
    latent_sd <- exp(p[length(p)])
    latent_mean <- drop(x %*% p[-length(p)])
    z <- (value - latent_mean) / latent_sd
    ends <- list(a = -latent_mean / latent_sd, b = (1 - latent_mean) / latent_sd)
    inside <- log_mass(ends$a, ends$b)
    at <- lapply(ends, function(end) exp(stats::dnorm(end, log = TRUE) - inside))
    list(value = sum(log(latent_sd) - stats::dnorm(z, log = TRUE) + inside),
         gradient = c(crossprod(x, at$a - at$b - z) / latent_sd, sum(1 - z^2 + ends$a * at$a - ends$b * at$b)))
  }
  least_squares <- stats::lm.fit(x, value)
  least_squares <- c(least_squares$coefficients, log(stats::sd(least_squares$residuals)))
  found <- stats::nlminb(least_squares, function(p) pieces(p)$value, function(p) pieces(p)$gradient,
                         control = list(eval.max = 2000, iter.max = 1000, rel.tol = 1e-14),
                         upper = c(rep(Inf, ncol(x)), log(widest_sigma)))
  k <- length(found$par)
  beta <- found$par[-k] * unit
  beta[1] <- beta[1] + limits[1]
  structure(list(coefficients = stats::setNames(beta, colnames(x)), sigma = exp(found$par[[k]]) * unit, limits = limits,
                 levels = as.character(grid), terms = model_terms, formula = formula, n = length(y),
                 log_likelihood = -found$objective - length(y) * log(unit),
                 at_limit = found$par[[k]] > log(widest_sigma) - 1e-6), class = "judicious_truncated")
}

# In units of the range. If values gather at both limits, the best sigma is infinite; this value is as good as any
# larger one, because the density over the range is then an exponential function to three digits.
widest_sigma <- 20

# log(Phi(b) - Phi(a)) for a < b, from the tail in which it does not lose precision.
log_mass <- function(a, b) {
  upper <- a > 0
  low <- stats::pnorm(ifelse(upper, -b, a), log.p = TRUE)
  high <- stats::pnorm(ifelse(upper, -a, b), log.p = TRUE)
  high + log1p(-exp(low - high))
}

predict.judicious_truncated <- function(object, newdata, type = c("prob", "mean"), ...) {
  type <- check_choice(type, c("prob", "mean"), "type")
  x <- stats::model.matrix(stats::delete.response(object$terms), newdata)
  latent_mean <- drop(x[, names(object$coefficients), drop = FALSE] %*% object$coefficients)
  level_values <- as.numeric(object$levels)
  n <- length(level_values)
  cuts <- c(object$limits[1], (level_values[-1] + level_values[-n]) / 2, object$limits[2])
  z <- outer(-latent_mean, cuts, `+`) / object$sigma
  whole <- log_mass(z[, 1], z[, n + 1])
  prob <- vapply(seq_len(n), function(l) exp(log_mass(z[, l], z[, l + 1]) - whole), latent_mean)
  prob <- matrix(prob, ncol = n, dimnames = list(NULL, object$levels))
  if (type == "mean") drop(prob %*% level_values) else prob
}

logLik.judicious_truncated <- function(object, ...) {
  structure(object$log_likelihood, df = length(object$coefficients) + 1, nobs = object$n, class = "logLik")
}

print.judicious_truncated <- function(x, ...) {
  cat("Truncated regression of the gain within ", paste(x$limits, collapse = " and "), ", ",
      counted(x$n, "row"), "\n", sep = "")
  print(x$coefficients, digits = 4)
  cat("sigma ", format(x$sigma, digits = 4), if (x$at_limit) " (its limit: the likelihood rises with it)",
      ", log likelihood ", format(x$log_likelihood, digits = 7), "\n", sep = "")
  invisible(x)
}
