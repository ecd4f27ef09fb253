# Separation of models whose thresholds depend on columns (nominal effects) or on fewer parameters. Limits of rows are
# linear in the parameters d of thresholds and slopes: with C d the movement of every row's upper limit and minus that
# of its lower one, no row becomes less likely along d where C d >= 0, and some row becomes more likely where C d is not
# 0. The data are separated if there is such a direction, with any link and any scale; if there is none, and the link is
# log-concave and the scale known, then the likelihood has a maximum (Albert and Anderson, 1984).

separation_tolerance <- 1e-9

# As find_separation() of the core: directions are sought among the rows that those found before leave tight, until
# their sum lies inside the cone of all; `kind` and the names of the coefficients that it moves.
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
  if (identical(inside, 0)) return(list(kind = "none", coefficients = character()))
  fixed <- seq_len(ncol(bounds))
  held <- eigen(crossprod(bounds[tight, , drop = FALSE]), symmetric = TRUE)
  loose <- held$vectors[, held$values <= 1e-10 * max(held$values, 1e-300), drop = FALSE]
  moved <- sqrt(rowSums((core$units[fixed, fixed] %*% loose)^2)) / sqrt(rowSums(core$units[fixed, fixed]^2))
  list(kind = if (any(tight)) "quasi-complete" else "complete", coefficients = core$names[fixed][moved > 1e-7])
}

# The rows of C, for the limits that are finite.
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

# The point of the cone {d: bounds d >= 0} nearest to `target`: the residual of min |target + bounds'y|, y >= 0, by
# Lawson and Hanson's active sets (Solving Least Squares Problems, 1974, ch. 23).
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

# Towards the least-squares factors of the active rows, dropping rows whose factor would become negative.
improved_set <- function(set, target, bounds) {
  while (length(set$active)) {
    best <- qr.coef(qr(t(bounds[set$active, , drop = FALSE])), -target)
    best[is.na(best)] <- 0
    if (all(best > 0)) return(list(active = set$active, y = best))
    blocked <- best <= 0
    y <- set$y + min(set$y[blocked] / (set$y[blocked] - best[blocked]), 1, na.rm = TRUE) * (best - set$y)
    keep <- y > 1e-14
    if (all(keep)) return(list(active = set$active, y = y))  # rounding: nothing to gain
    set <- list(active = set$active[keep], y = y[keep])
  }
  set
}
