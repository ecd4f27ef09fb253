# The Laplace approximation by its definition, with dense matrices: `z` is a list of dense designs, one per term.
slow_laplace <- function(y, x, z, theta, beta, sd, weights = rep(1, length(y)), details = FALSE) {
  zs <- do.call(cbind, Map(`*`, z, sd))
  fixed <- drop(x %*% beta)
  upper <- c(theta, Inf)[y]
  lower <- c(-Inf, theta)[y]
  at <- function(u) {
    eta <- fixed + drop(zs %*% u)
    p <- plogis(upper - eta) - plogis(lower - eta)
    score <- -(dlogis(upper - eta) - dlogis(lower - eta)) / p
    curvature <- dlogis(upper - eta) + dlogis(lower - eta)
    list(u = u, eta = eta, penalised = sum(weights * log(p)) - sum(u^2) / 2,
         gradient = drop(crossprod(zs, weights * score)) - u,
         h = diag(ncol(zs)) + crossprod(zs, weights * curvature * zs))
  }
  now <- at(rep(0, ncol(zs)))
  for (i in 1:50) {
    step <- solve(now$h, now$gradient)
    if (sum(step * now$gradient) < 1e-20) break
    while (!isTRUE((tried <- at(now$u + step))$penalised >= now$penalised - 1e-9)) step <- step / 2
    now <- tried
  }
  value <- now$penalised - as.numeric(determinant(now$h)$modulus) / 2
  if (details) c(now[c("u", "eta", "h")], value = value) else value
}

# The maximum of slow_laplace() by optim(). Its parameters are the first threshold, the logarithms of the gaps between
# thresholds, the slopes, and the logarithms of the standard deviations.
slow_mixed_fit <- function(y, x, z, start_sd = 0.7) {
  m <- max(y) - 1
  p <- ncol(x)
  unpack <- function(par) {
    list(theta = cumsum(c(par[1], exp(par[seq_len(m)[-1]]))), beta = par[m + seq_len(p)],
         sd = exp(par[-seq_len(m + p)]))
  }
  # Far from the maximum, the modes may not be found. A large value then keeps optim() away.
  objective <- function(par) with(unpack(par), tryCatch(-slow_laplace(y, x, z, theta, beta, sd),
                                                        error = function(e) 1e10))
  start <- c(qlogis(mean(y == 1)), rep(0, m - 1), rep(0, p), rep(log(start_sd), length(z)))
  best <- list(par = start)
  for (ndeps in c(1e-3, 1e-4)) {
    best <- optim(best$par, objective, method = "BFGS",
                  control = list(maxit = 500, reltol = 1e-15, ndeps = rep(ndeps, length(start))))
  }
  c(unpack(best$par), list(loglik = -best$value))
}

indicator <- function(group) {
  group <- factor(group)
  diag(nlevels(group))[as.integer(group), ]
}

# Two crossed factors, a covariate, four levels.
crossed_example <- function(n = 240, seed = 1) {
  set.seed(seed)
  d <- data.frame(a = factor(sample(12, n, TRUE)), b = factor(sample(letters[1:8], n, TRUE)), x = rnorm(n))
  eta <- 0.8 * d$x + rnorm(12)[d$a] + 0.7 * rnorm(8)[d$b]
  d$y <- cut(eta + rlogis(n), c(-Inf, -1.2, 0, 1.5, Inf), labels = 0:3, ordered_result = TRUE)
  d
}

# Five systems, one of which retrieved each row's document.
systems_example <- function(n = 150, seed = 2) {
  set.seed(seed)
  d <- data.frame(x = rnorm(n), system = factor(sample(LETTERS[1:5], n, TRUE)))
  effect <- c(A = -1.5, B = -0.5, C = 0.2, D = 0.8, E = 1.4)
  eta <- 0.5 * d$x + effect[d$system]
  d$y <- cut(eta + rlogis(n), c(-Inf, -1, 1, Inf), labels = 0:2, ordered_result = TRUE)
  d
}

# The gradient of f by central differences.
central_differences <- function(f, at, step = 1e-5) {
  vapply(seq_along(at), function(k) {
    h <- replace(numeric(length(at)), k, step)
    (f(at + h) - f(at - h)) / (2 * step)
  }, 0)
}
