# Threshold structures, in which thresholds depend on fewer parameters: theta = T psi. Coefficients are reported as
# alpha = -theta, so the sign of the first parameter changes, but not that of distances between thresholds.

threshold_structure <- function(kind, levels) {
  m <- length(levels) - 1
  first <- paste0(">=", levels[2])
  switch(kind,
    flexible = list(matrix = diag(m), names = paste0(">=", levels[-1]), sign = rep(-1, m), shift = rep(1, m)),
    equidistant = list(matrix = cbind(1, seq_len(m) - 1), names = c(first, "spacing"), sign = c(-1, 1),
                       shift = c(1, 0)),
    symmetric = symmetric_structure(m)
  )
}

# Pairs of thresholds at the same distance from the centre.
symmetric_structure <- function(m) {
  from_centre <- seq_len(m) - (m + 1) / 2
  distance <- sort(unique(abs(from_centre[from_centre != 0])))
  pairs <- outer(from_centre, distance, function(at, d) sign(at) * (abs(at) == d))
  list(matrix = cbind(1, pairs), names = c("central", paste0("distance.", seq_along(distance))),
       sign = c(-1, rep(1, length(distance))), shift = c(1, rep(0, length(distance))))
}

check_structure <- function(kind, n_levels, call = caller_env()) {
  kind <- check_choice(kind, c("flexible", "equidistant", "symmetric"), "threshold", call)
  if (kind != "flexible" && n_levels < 3) {
    abort_judicious("{.code threshold = \"{kind}\"} needs at least three levels; the response has {n_levels}.",
                    "argument", argument = "threshold", call = call)
  }
  kind
}
