# Gauss-Hermite quadrature: rules, and the error of the Laplace approximation.

# Nodes and weights of the standard normal distribution, from the eigenvalues of the Jacobi matrix of the Hermite
# polynomials (Golub and Welsch, 1969).
hermite_nodes <- function(n) {
  jacobi <- matrix(0, n, n)
  above_diagonal <- cbind(seq_len(n - 1), seq_len(n)[-1])
  jacobi[above_diagonal] <- jacobi[above_diagonal[, 2:1]] <- sqrt(seq_len(n - 1))
  decomposition <- eigen(jacobi, symmetric = TRUE)
  list(x = decomposition$values, w = decomposition$vectors[1, ]^2)
}

# The quadrature rule in the form that the core accepts. One node is the Laplace approximation, which needs no rule.
hermite_rule <- function(n) {
  if (n == 1) return(matrix(0, 0, 2))
  rule <- hermite_nodes(n)
  cbind(rule$x, rule$w)[rule$w > 0, , drop = FALSE]
}

# The largest number of effects that depend on each other: 2 for (1 + x | g), and all for crossed effects.
dependent_effects <- function(effects) {
  part <- rep.int(independent_parts(effects), diff(effects$offset))
  max(tabulate(part[!duplicated(effects$column)]))
}

# Text for printing that states how the random effects were integrated, and how accurately.
integral_text <- function(x) {
  if (x$nAGQ > 1) return(paste("adaptive quadrature,", x$nAGQ, "nodes"))
  error <- x$laplace_error
  if (abs(error) < 0.005) return("Laplace; error of the log likelihood below 0.005")
  paste0("Laplace; log likelihood ", format(abs(error), digits = 2), " too ", if (error > 0) "high" else "low",
         if (abs(error) > 0.05 && x$has_quadrature) ": use nAGQ = 10")
}
