# Written by data-raw/gain_prior.R, which learned it from fifteen collections of eight families.
learned_prior <- list(
  coefficient = c(intercept = -0.351, popularity = 0.201, share = 0.288, agreement = 1.09, list_agreement = 0.569,
    rank = -0.213, first_ranks = 0.124),
  coefficient_sd = c(intercept = 1.46, popularity = 0.235, share = 0.916, agreement = 0.806, list_agreement =
    0.529, rank = 0.293, first_ranks = 0.15),
  coefficient_correlation = matrix(c(1, -0.05, 0, 0.02, 0.02, 0.02, 0.03, -0.05, 1, -0.11, 0.07, 0.07, -0.02, 0.05,
    0, -0.11, 1, 0.01, -0.01, -0.06, -0.02, 0.02, 0.07, 0.01, 1, 0.24, -0.11, 0.22, 0.02, 0.07, -0.01, 0.24, 1,
    -0.09, 0.22, 0.02, -0.02, -0.06, -0.11, -0.09, 1, -0.07, 0.03, 0.05, -0.02, 0.22, 0.22, -0.07, 1), 7),
  variance = c(residual = 0.0374, query = 0.0199, "query:popularity" = 0.00265, "query:system" = 0.00557,
    "query:team" = 0.0023, system = 0.00206, team = 0.000992, "system:popularity" = 0.00101, "team:popularity" =
    0.000268),
  variance_sd = c(residual = 0.4, query = 0.787, "query:popularity" = 0.865, "query:system" = 1.73, "query:team" =
    1.38, system = 1.27, team = 1.29, "system:popularity" = 1.39, "team:popularity" = 1.26),
  system_correlation = 0.4
)
