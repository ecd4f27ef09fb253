# Written by data-raw/gain_prior.R, which learned it from fifteen collections of eight families.
learned_prior <- list(
  coefficient = c(intercept = -0.346, popularity = 0.202, share = 0.27, agreement = 1.12, list_agreement = 0.569,
    rank = -0.206, first_ranks = 0.122),
  coefficient_sd = c(intercept = 1.45, popularity = 0.236, share = 0.912, agreement = 0.817, list_agreement =
    0.535, rank = 0.292, first_ranks = 0.149),
  coefficient_correlation = matrix(c(1, -0.05, -0.02, 0.02, 0.02, 0.04, 0.03, -0.05, 1, -0.11, 0.08, 0.08, -0.02,
    0.06, -0.02, -0.11, 1, 0.01, -0.02, -0.05, -0.03, 0.02, 0.08, 0.01, 1, 0.26, -0.12, 0.22, 0.02, 0.08, -0.02,
    0.26, 1, -0.09, 0.23, 0.04, -0.02, -0.05, -0.12, -0.09, 1, -0.06, 0.03, 0.06, -0.03, 0.22, 0.23, -0.06, 1), 7),
  variance = c(residual = 0.0387, query = 0.0199, "query:popularity" = 0.00258, "query:system" = 0.00684,
    "query:team" = 0.00193, system = 0.00203, team = 0.000928, "system:popularity" = 0.000787, "team:popularity" =
    0.000242),
  variance_sd = c(residual = 0.638, query = 0.787, "query:popularity" = 0.856, "query:system" = 1.53, "query:team"
    = 1.4, system = 1.26, team = 1.28, "system:popularity" = 1.38, "team:popularity" = 1.25),
  system_correlation = 0.4
)
