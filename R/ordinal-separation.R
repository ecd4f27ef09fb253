# Separation in models with nominal effects or structured thresholds. The limits of each row are linear in the
# parameters d of thresholds and slopes. Let C d be the change of the upper limit, and minus the change of the lower
# limit, of every row. No row becomes less likely along d if C d >= 0, and some row becomes more likely if C d is not 0.
# The data are separated if such a direction exists, for any link and any scale. If none exists, the link is log-concave
# and the scale is known, then the likelihood has a maximum (Albert and Anderson, 1984).

separation_tolerance <- 1e-9

no_separation <- list(kind = "none", coefficients = character())

# The algorithm of find_separation() in the core: searches for a direction among the rows that are still tight for the
# sum of the directions found before, until the sum lies in the interior of the cone. Returns `kind` and the names of
# the coefficients that move.
cone_separation <- function(core) {
  bounds <- limit_movements(core$model)
  tight <- rep(TRUE, nrow(bounds))
  inside <- 0
  for (round in seq_len(ncol(bounds))) {
    sums <- colSums(bounds[tight, , drop = FALSE])
    found <- project_on_cone(sums, bounds)
    size <- sqrt(sum(found^2))
    if (size <= separation_tolerance * sqrt(sum(sums^2))) break
    inside <- inside + found / size
    tight <- drop(bounds %*% inside) <= separation_tolerance
    if (!any(tight)) break
  }
  if (identical(inside, 0)) return(no_separation)
  fixed <- seq_len(ncol(bounds))
  held <- eigen(crossprod(bounds[tight, , drop = FALSE]), symmetric = TRUE)
  loose <- held$vectors[, held$values <= 1e-10 * max(held$values, 1e-300), drop = FALSE]
  moved <- sqrt(rowSums((core$units[fixed, fixed] %*% loose)^2)) / sqrt(rowSums(core$units[fixed, fixed]^2))
  list(kind = if (any(tight)) "quasi-complete" else "complete", coefficients = core$names[fixed][moved > 1e-7])
}

# The rows of C for finite limits, each of length 1.
limit_movements <- function(model) {
  m <- nrow(model$structure)
  movement <- function(j, sign) {
    rows <- which(model$weights > 0 & j >= 1 & j <= m)
    threshold <- model$structure[j[rows], , drop = FALSE]
    psi <- lapply(seq_len(ncol(model$nominal)), function(k) model$nominal[rows, k] * threshold)
    sign * cbind(do.call(cbind, psi), -model$location[rows, , drop = FALSE])
  }
  out <- rbind(movement(model$y, 1), movement(model$y - 1L, -1))
  unname(out / sqrt(rowSums(out^2)))
}

# The projection of `target` on the cone {d: bounds d >= 0}: the residual of min |target + bounds'y| over y >= 0, by the
# active-set algorithm of Lawson and Hanson (Solving Least Squares Problems, 1974, ch. 23).
project_on_cone <- function(target, bounds) {
  set <- list(active = integer(), y = numeric())
  residual <- target
  for (round in seq_len(1000 + 100 * length(target))) {
    size <- sqrt(sum(residual^2))
    if (size <= separation_tolerance * sqrt(sum(target^2))) return(0 * target)
    slack <- drop(bounds %*% residual)
    worst <- which.min(slack)
    if (slack[worst] >= -separation_tolerance * size || worst %in% set$active) break
    set <- improved_set(list(active = c(set$active, worst), y = c(set$y, 0)), target, bounds)
    residual <- target + drop(crossprod(bounds[set$active, , drop = FALSE], set$y))
  }
  residual
}

# Moves to the least-squares solution for the active rows, and drops rows whose multiplier would become negative.
improved_set <- function(set, target, bounds) {
  while (length(set$active)) {
    best <- qr.coef(qr(t(bounds[set$active, , drop = FALSE])), -target)
    best[is.na(best)] <- 0
    if (all(best > 0)) return(list(active = set$active, y = best))
    blocked <- best <= 0
    y <- set$y + min(set$y[blocked] / (set$y[blocked] - best[blocked]), 1, na.rm = TRUE) * (best - set$y)
    keep <- y > 1e-14
    if (all(keep)) return(list(active = set$active, y = y))  # no progress because of rounding
    set <- list(active = set$active[keep], y = y[keep])
  }
  set
}
