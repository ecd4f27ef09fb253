# Gauss-Hermite quadrature: rules, and the error of the Laplace approximation.

# Nodes and weights of the standard normal distribution, from the eigenvalues of the Jacobi matrix of the Hermite
# polynomials (Golub and Welsch, 1969).
hermite_nodes <- function(n) {
  jacobi <- matrix(0, n, n)
  at <- cbind(seq_len(n - 1), seq_len(n)[-1])
  jacobi[at] <- jacobi[at[, 2:1]] <- sqrt(seq_len(n - 1))
  decomposition <- eigen(jacobi, symmetric = TRUE)
  list(x = decomposition$values, w = decomposition$vectors[1, ]^2)
}

# The rule in the form of the core: one node is the Laplace approximation, which needs no rule.
hermite_rule <- function(n) {
  if (n == 1) return(matrix(0, 0, 2))
  rule <- hermite_nodes(n)
  used <- rule$w > 0
  cbind(rule$x, rule$w)[used, , drop = FALSE]
}

# Quadrature is available for one standardised effect per group.
has_quadrature <- function(effects) effects$n_terms == 1 && all(diff(effects$offset) <= 1)

check_nodes <- function(n, effects, call = caller_env()) {
  check_count(n, "nAGQ", call = call)
  check_that(n <= 100, "nAGQ", "must be at most 100.", call = call)
  check_that(n <= 1 || has_quadrature(effects), "nAGQ", c(
    "above 1 is for models with one random effect a group, {.code (1 | group)}.",
    i = "Models with several random effects have Laplace's approximation: leave {.arg nAGQ} out."
  ), call = call)
  n
}

# Text for printing: how the random effects were integrated, and how accurately.
integral_text <- function(x) {
  if (x$nAGQ > 1) return(paste("adaptive quadrature,", x$nAGQ, "nodes"))
  error <- x$laplace_error
  if (abs(error) < 0.005) return("Laplace; error of the log likelihood below 0.005")
  paste0("Laplace; log likelihood ", format(abs(error), digits = 2), " too ", if (error > 0) "high" else "low",
         if (abs(error) > 0.05 && x$has_quadrature) ": use nAGQ = 10")
}
