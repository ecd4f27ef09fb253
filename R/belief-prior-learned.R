# Written by data-raw/gain_prior.R, which learned it from fifteen collections of eight families.
learned_prior <- list(
  coefficient = c(intercept = -0.346, popularity = 0.201, share = 0.368, agreement = 0.691, list_agreement = 0.499,
    rank = -0.203, first_ranks = 0.122),
  coefficient_sd = c(intercept = 1.45, popularity = 0.234, share = 0.929, agreement = 0.482, list_agreement =
    0.491, rank = 0.29, first_ranks = 0.149),
  coefficient_correlation = matrix(c(1, -0.05, 0, -0.02, 0, 0.04, 0.02, -0.05, 1, -0.1, 0.1, 0.08, -0.03, 0.06, 0,
    -0.1, 1, 0.01, 0, -0.08, 0.02, -0.02, 0.1, 0.01, 1, 0.13, -0.05, 0.15, 0, 0.08, 0, 0.13, 1, -0.02, 0.16, 0.04,
    -0.03, -0.08, -0.05, -0.02, 1, -0.05, 0.02, 0.06, 0.02, 0.15, 0.16, -0.05, 1), 7),
  variance = c(residual = 0.0366, query = 0.0199, "query:popularity" = 0.00266, "query:system" = 0.00595,
    "query:team" = 0.00222, system = 0.00203, team = 0.000984, "system:popularity" = 0.000964, "team:popularity" =
    0.00026),
  variance_sd = c(residual = 0.4, query = 0.788, "query:popularity" = 0.863, "query:system" = 1.68, "query:team" =
    1.36, system = 1.27, team = 1.29, "system:popularity" = 1.37, "team:popularity" = 1.26),
  system_correlation = 0.4
)
