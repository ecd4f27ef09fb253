# Bias of maximum-likelihood and bias-reduced estimates in small samples.   Rscript bench/pom-bias.R [replicates]
suppressMessages(library(judicious))
source("bench/common.R")

truth <- c(alpha1 = 1, alpha2 = -1, u = 1, v = 1.5)

one_sample <- function(x) {
  latent <- drop(x %*% truth[3:4]) + rlogis(nrow(x))
  y <- 1L + (latent > -1) + (latent > 1)
  if (length(unique(y)) < 3) return(NULL)
  fit <- function(method) pom_fit(x, y, method = method)
  ml <- fit("ml")
  reduced <- fit("bias_reduced")
  list(separated = ml$separation != "none", ml = c(ml$alpha, ml$beta), reduced = c(reduced$alpha, reduced$beta),
       converged = reduced$convergence$status == "converged")
}

# One row per kind of estimate: its bias, with standard errors; the last three columns count samples.
estimate_bias <- function(replicates = 4000, rows = 30) {
  set.seed(2014)
  x <- cbind(u = rnorm(rows), v = rep_len(0:1, rows))
  draws <- Filter(Negate(is.null), lapply(seq_len(replicates), function(i) one_sample(x)))
  separated <- vapply(draws, function(d) d$separated, NA)
  row <- function(label, name, keep) {
    estimates <- t(vapply(draws[keep], function(d) d[[name]], truth))
    data.frame(estimates = label, t(colMeans(estimates) - truth),
               largest_se = max(apply(estimates, 2, sd)) / sqrt(nrow(estimates)), samples = nrow(estimates))
  }
  table <- rbind(row("ML, samples not separated", "ml", !separated),
                 row("bias-reduced, the same samples", "reduced", !separated),
                 row("bias-reduced, all samples", "reduced", TRUE))
  attr(table, "not_converged") <- sum(!vapply(draws, function(d) d$converged, NA))
  table
}

main <- function(replicates) {
  table <- estimate_bias(replicates)
  show("Bias in samples of 30 rows", table)
  cat(attr(table, "not_converged"), "bias-reduced fits have not converged\n")
}
if (sys.nframe() == 0) main(as.integer(c(commandArgs(TRUE), 4000)[1]))
