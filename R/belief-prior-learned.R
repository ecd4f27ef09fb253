# Written by data-raw/gain_prior.R, which learned it from fifteen collections of eight families.
learned_prior <- list(
  coefficient = c(intercept = -0.344, popularity = 0.202, share = 0.371, agreement = 0.692, list_agreement = 0.491,
    rank = -0.211, first_ranks = 0.121),
  coefficient_sd = c(intercept = 1.45, popularity = 0.234, share = 0.93, agreement = 0.371, list_agreement = 0.382,
    rank = 0.292, first_ranks = 0.149),
  coefficient_correlation = matrix(c(1, -0.05, 0, -0.02, 0.01, 0.04, 0.02, -0.05, 1, -0.1, 0.13, 0.11, -0.03, 0.06,
    0, -0.1, 1, 0.01, 0, -0.09, 0.02, -0.02, 0.13, 0.01, 1, 0.22, -0.08, 0.18, 0.01, 0.11, 0, 0.22, 1, -0.04, 0.19,
    0.04, -0.03, -0.09, -0.08, -0.04, 1, -0.05, 0.02, 0.06, 0.02, 0.18, 0.19, -0.05, 1), 7),
  variance = c(residual = 0.0367, query = 0.0199, "query:popularity" = 0.00266, "query:system" = 0.00593,
    "query:team" = 0.00222, system = 0.00203, team = 0.00098, "system:popularity" = 0.000948, "team:popularity" =
    0.000258),
  variance_sd = c(residual = 0.4, query = 0.788, "query:popularity" = 0.864, "query:system" = 1.68, "query:team" =
    1.36, system = 1.27, team = 1.29, "system:popularity" = 1.38, "team:popularity" = 1.26),
  system_correlation = 0.4
)
