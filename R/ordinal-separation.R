# Separation in models with nominal effects or structured thresholds. The limits of each row are linear in the
# parameters d of thresholds and slopes. Let C d be the change of the upper limit, and minus the change of the lower
# limit, of every row. No row becomes less likely along d if C d >= 0, and some row becomes more likely if C d is not 0.
# The data are separated if such a direction exists, for any link and any scale. If none exists, the link is log-concave
# and the scale is known, then the likelihood has a maximum (Albert and Anderson, 1984).

separation_tolerance <- 1e-9

no_separation <- list(kind = "none", coefficients = character())

# Returns the `kind` of separation and the names of the coefficients that diverge.
model_separation <- function(core) {
  bounds <- limit_movements(core$model)
  fixed <- seq_len(ncol(bounds))
  found_separation(separating_direction(function(f) f(bounds), bounds), core$units[fixed, fixed], core$names[fixed])
}

# The result for a direction along which no row becomes less likely. `units` transforms the parameters to the
# coefficients with these names.
found_separation <- function(unmoved, units, names) {
  if (is.null(unmoved)) return(no_separation)
  spectrum <- eigen(unmoved$gram, symmetric = TRUE)
  free_directions <- spectrum$vectors[, spectrum$values <= 1e-10 * max(spectrum$values, 1e-300), drop = FALSE]
  moved <- sqrt(rowSums((units %*% free_directions)^2)) / sqrt(rowSums(units^2))
  list(kind = if (unmoved$count > 0) "quasi-complete" else "complete", coefficients = names[moved > 1e-7])
}

#' The rows of C that are tight in the interior of the cone of separating directions
#'
#' The algorithm of find_separation() in the core: searches for a direction among the rows that are still tight for the
#' sum of the directions found before, until the sum lies in the interior of the cone.
#' @param each A function that applies a function to the rows of C, or to blocks of them, one after the other.
#' @param known Some rows of C, which are searched first for one that a direction violates: no pass over the data is
#'   needed where they have one.
#' @return Count, sum and crossproducts of the tight rows; NULL if there is no direction.
#' @noRd
separating_direction <- function(each_set, known_bounds) {
  most_violated <- function(d) {
    violated <- violated_row(known_bounds, d)
    if (!is.null(violated)) return(violated)
    new <- NULL
    each_set(function(bounds) new <<- rbind(new, violated_row(bounds, d)))
    known_bounds <<- rbind(known_bounds, new)
    if (!is.null(new)) violated_row(new, d)
  }
  direction <- numeric(ncol(known_bounds))
  unmoved <- unmoved_rows(each_set, direction)
  for (round in seq_along(direction)) {
    found <- project_on_cone_cpp(unmoved$sum, most_violated)
    size <- sqrt(sum(found^2))
    if (size <= separation_tolerance * sqrt(sum(unmoved$sum^2))) break
    direction <- direction + found / size
    unmoved <- unmoved_rows(each_set, direction)
    if (unmoved$count == 0) break
  }
  if (any(direction != 0)) unmoved
}

unmoved_rows <- function(each_set, d) {
  total <- list(count = 0, sum = 0 * d, gram = matrix(0, length(d), length(d)))
  each_set(function(bounds) {
    rows <- bounds[drop(bounds %*% d) <= separation_tolerance, , drop = FALSE]
    total <<- Map(`+`, total, list(nrow(rows), colSums(rows), crossprod(rows)))
  })
  total
}

# The row whose condition C d >= 0 the direction d violates most, or NULL if there is none.
violated_row <- function(bounds, d) {
  slack <- drop(bounds %*% d)
  worst <- which.min(slack)
  if (length(worst) && slack[worst] < -separation_tolerance * sqrt(sum(d^2))) bounds[worst, ]
}

# The rows of the matrix C for finite limits, each scaled to length 1.
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
