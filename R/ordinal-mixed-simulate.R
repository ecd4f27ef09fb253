#' Simulate responses from a mixed proportional-odds model
#'
#' Draws responses for the rows of the fit, with the effects of new groups or with those of the groups in the data.
#'
#' @param object A `judicious_pom_mixed`, as returned by [pom()] with random terms.
#' @param nsim Number of responses to draw for every row.
#' @param seed Seed of the draws. The state of R's random number generator is restored afterwards. NULL uses its current
#'   state.
#' @param effects `"new"`: every simulation draws the effects from their normal distribution; `"conditional"`: the
#'   effects are at their modes given the data.
#' @param ... Not used.
#' @return A data frame with one ordered factor per simulation, `sim_1` and so on, and one row per row of the fit.
#' @examples
#' fit <- pom(gear ~ wt + (1 | carb), data = mtcars)
#' head(simulate(fit, 2, seed = 1))
#' @export
simulate.judicious_pom_mixed <- function(object, nsim = 1, seed = NULL, effects = c("new", "conditional"), ...) {
  check_count(nsim, "nsim")
  effects <- check_choice(effects, c("new", "conditional"), "effects")
  rows <- effect_rows(object, NULL)
  n_effects <- length(object$mode)
  draw <- function(i) {
    eta <- object$linear_predictor
    if (effects == "new") {
      object$mode <- rnorm(n_effects)
      eta <- object$fixed_predictor + effect_predictor(object, rows)
    }
    at_most <- 1 - mixed_at(object, object, eta, "cumulative")
    level <- 1L + rowSums(runif(length(eta)) > at_most)
    factor(object$levels[level], levels = object$levels, ordered = TRUE)
  }
  out <- with_seed(seed, lapply(seq_len(nsim), draw))
  names(out) <- paste0("sim_", seq_len(nsim))
  data.frame(out, row.names = names(object$linear_predictor))
}
