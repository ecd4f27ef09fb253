# Bias of maximum-likelihood and bias-reduced estimates in small samples.   Rscript bench/pom-bias.R [replicates]
suppressMessages(library(judicious))
replicates <- as.integer(c(commandArgs(TRUE), 4000)[1])
set.seed(2014)
n <- 30
x <- cbind(u = rnorm(n), v = rep(0:1, n / 2))
truth <- c(alpha1 = 1, alpha2 = -1, u = 1, v = 1.5)
draws <- lapply(seq_len(replicates), function(i) {
  latent <- drop(x %*% truth[3:4]) + rlogis(n)
  y <- 1L + (latent > -1) + (latent > 1)
  if (length(unique(y)) < 3) return(NULL)
  fit <- function(method) judicious:::pom_fit(x, y, 3L, method = method)
  ml <- fit("ml")
  reduced <- fit("bias_reduced")
  list(separated = ml$separation != "none", ml = c(ml$alpha, ml$beta), reduced = c(reduced$alpha, reduced$beta),
       converged = reduced$convergence$status == "converged")
})
draws <- Filter(Negate(is.null), draws)
separated <- vapply(draws, function(d) d$separated, TRUE)
table <- function(name, keep) t(vapply(draws[keep], function(d) d[[name]], truth))
show <- function(what, estimates) {
  bias <- colMeans(estimates) - truth
  cat(sprintf("%-34s", what), sprintf("%s %+.3f (se %.3f)", names(truth), bias,
                                      apply(estimates, 2, sd) / sqrt(nrow(estimates))), "\n")
}
cat(length(draws), "samples of", n, "rows;", sum(separated), "separated;",
    sum(!vapply(draws, function(d) d$converged, TRUE)), "bias-reduced fits not converged\n")
show("bias of ML, unseparated samples", table("ml", !separated))
show("bias-reduced, unseparated samples", table("reduced", !separated))
show("bias-reduced, all samples", table("reduced", TRUE))
