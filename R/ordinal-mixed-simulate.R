#' Simulate responses from a mixed proportional-odds model
#'
#' @param object A `judicious_pom_mixed`, as returned by [pom()] with random terms.
#' @param nsim Number of simulated responses.
#' @param seed A seed, or NULL to use R's random number generator in its current state.
#' @param effects `"new"`: every simulation draws effects from their prior; `"conditional"`: effects are at their modes.
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
  term <- object$effect_design$term
  draw <- function(i) {
    eta <- object$linear_predictor
    if (effects == "new") {
      object$mode <- rnorm(length(term))
      eta <- object$fixed_predictor + effect_predictor(object, rows)
    }
    # P(Y >= l_j) = F(alpha_j + eta) decreases in j, so the level is the number of thresholds that the noise exceeds.
    level <- 1L + rowSums(outer(unname(eta) + rlogis(length(eta)), unname(object$alpha), `+`) > 0)
    factor(object$levels[level], levels = object$levels, ordered = TRUE)
  }
  out <- with_seed(seed, lapply(seq_len(nsim), draw))
  names(out) <- paste0("sim_", seq_len(nsim))
  data.frame(out, row.names = names(object$linear_predictor))
}
