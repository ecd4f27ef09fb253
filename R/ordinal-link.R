# Links with a parameter, which the user sets or pom() estimates by profile likelihood. A link is represented by a
# string: "log-gamma(0.5)" with the value of the parameter, "log-gamma" if it is to be estimated.

# One entry per parameter: the `range` of values that users may set, and the working scale on which the maximum is
# searched: `to` (converts to the parameter), `slope` (its derivative), `grid` (the starting points, in order) and
# `positive` (whether the working scale ends at 0, where the family has a limit: at 1 / df = 0, the t distribution is
# normal).
link_scales <- list(
  lambda = list(range = c(-100, 100), to = identity, slope = function(t) 1,
                grid = c(-4, -2, -1, -0.5, 0, 0.5, 1, 2, 4), positive = FALSE),
  df = list(range = c(1e-3, Inf), to = function(t) 1 / t, slope = function(t) -1 / t^2,
            grid = c(0, 0.005, 0.05, 0.15, 0.4, 1, 2), positive = TRUE)
)

check_link <- function(link, parameter) {
  link_names <- link_names_cpp()
  link <- check_choice(link, names(link_names), "link")
  if (is.null(parameter)) return(link)
  check_that(link_names[[link]] != "", "link_parameter",
             "The link {.val {link}} has no parameter: leave {.arg link_parameter} out.")
  parameter_range <- link_scales[[link_names[[link]]]]$range
  check_number(parameter, "link_parameter", parameter_range[1], parameter_range[2])
  link_with(link, parameter)
}

link_with <- function(link, parameter) paste0(link_family(link), "(", format(parameter, digits = 17), ")")

# Returns "log-gamma" for "log-gamma(0.5)".
link_family <- function(link) sub("\\(.*", "", link)

link_parameter <- function(link) if (grepl("(", link, fixed = TRUE)) as.numeric(sub(".*\\((.*)\\)", "\\1", link))

# The name of the coefficient of an estimated parameter.
link_coefficient <- function(link, others) {
  make.unique(c(others, paste0("link:", link_names_cpp()[[link_family(link)]])))[length(others) + 1]
}

# The link in the form of the user's call: without the parameter if it was estimated.
requested_link <- function(object) if (length(object$link_name)) link_family(object$link) else object$link

# The link as text for printing, such as "log-gamma, lambda = 0.162".
link_text <- function(link) {
  parameter <- link_parameter(link)
  if (is.null(parameter)) return(link)
  name <- link_family(link)
  paste0(name, ", ", link_names_cpp()[[name]], " = ", format(parameter, digits = 3))
}

is_estimated_link <- function(link) link_names_cpp()[link_family(link)] != "" && is.null(link_parameter(link))

#' Fit a model with an estimated parameter of the link
#'
#' @param fit_at A function of a link and of starting values of the parameters (NULL: unknown) that maximises the
#'   likelihood with that link.
#' @param value_at A function of a link and of parameters that returns the log likelihood.
#' @return The result of `fit_at()` at the maximum, with `link` and `at_edge`, which is TRUE if the maximum is at the
#'   edge of the searched range. Otherwise, there is also `link_estimate`: the `variance` of the link's parameter, and
#'   `moved`, the derivatives of the other estimates by it.
#' @noRd
fit_link <- function(link, fit_at, value_at) {
  link_scale <- link_scales[[link_names_cpp()[[link]]]]
  with_value <- function(t) link_with(link, link_scale$to(t))
  last <- NULL
  fit_with <- function(t) last <<- fit_at(with_value(t), last$parameters)
  # At the maximum over the other parameters, the derivative of the likelihood with respect to the link's parameter is
  # that at fixed other parameters.
  slope_at <- function(t, fit = fit_with(t)) {
    # A smaller step of the finite difference would lose more digits in the difference of log likelihoods.
    h <- if (link_scale$positive) min(1e-5 * max(t, 0.1), t / 10) else 1e-4
    (value_at(with_value(t + h), fit$parameters) - value_at(with_value(t - h), fit$parameters)) / (2 * h)
  }
  fits <- lapply(link_scale$grid, fit_with)
  best <- which.max(vapply(fits, `[[`, 0, "loglik"))
  beside <- c(max(best - 1, 1), min(best + 1, length(link_scale$grid)))
  ends <- link_scale$grid[beside]
  if (link_scale$positive) ends[1] <- max(ends[1], 1e-4)
  slopes <- c(slope_at(ends[1], if (ends[1] == link_scale$grid[beside[1]]) fits[[beside[1]]] else fit_with(ends[1])),
              slope_at(ends[2], fits[[beside[2]]]))
  if (!all(is.finite(slopes)) || slopes[1] <= 0 || slopes[2] >= 0)
    return(c(fits[[best]], list(link = with_value(link_scale$grid[best]), at_edge = TRUE)))
  root <- stats::uniroot(slope_at, ends, f.lower = slopes[1], f.upper = slopes[2], tol = 1e-3 * diff(ends))
  t <- root$root
  h <- 1e-3 * max(abs(t), 0.1)
  if (link_scale$positive) h <- min(h, t / 10)
  around <- lapply(c(t - h, t + h), fit_with)
  curvature <- (slope_at(t - h, around[[1]]) - slope_at(t + h, around[[2]])) / (2 * h)
  moved <- (around[[2]]$parameters - around[[1]]$parameters) / (2 * h * link_scale$slope(t))
  # The last step is Newton's, which squares the remaining error.
  t <- t + root$f.root / curvature
  c(fit_with(t), list(link = with_value(t), at_edge = FALSE,
                      link_estimate = list(variance = link_scale$slope(t)^2 / curvature, moved = moved)))
}

report_link <- function(fit) {
  if (!isTRUE(fit$link_at_edge)) return(invisible(fit))
  warn_judicious(c(
    "The likelihood has no maximum in the link's parameter within what was searched: it is highest at
      {link_text(fit$link)}.",
    i = "{.arg link_parameter} sets the parameter."), "link_parameter", link = fit$link)
}

# Threshold structures, in which thresholds depend on fewer parameters: theta = T psi. Coefficients are reported as
# alpha = -theta, so the sign of the first parameter changes, but not that of distances between thresholds.
threshold_structure <- function(kind, levels) {
  m <- length(levels) - 1
  first <- paste0(">=", levels[2])
  switch(kind,
    flexible = list(matrix = diag(m), names = paste0(">=", levels[-1]), sign = rep(-1, m), shift = rep(1, m)),
    equidistant = list(matrix = cbind(1, seq_len(m) - 1), names = c(first, "spacing"), sign = c(-1, 1),
                       shift = c(1, 0)),
    symmetric = symmetric_structure(m))
}

# Symmetric thresholds: those at the same distance from the centre form pairs.
symmetric_structure <- function(m) {
  from_centre <- seq_len(m) - (m + 1) / 2
  distance <- sort(unique(abs(from_centre[from_centre != 0])))
  pairs <- outer(from_centre, distance, function(position, d) sign(position) * (abs(position) == d))
  list(matrix = cbind(1, pairs), names = c("central", paste0("distance.", seq_along(distance))),
       sign = c(-1, rep(1, length(distance))), shift = c(1, rep(0, length(distance))))
}

check_structure <- function(kind, n_levels) {
  check_that(kind == "flexible" || n_levels >= 3, "threshold",
             "{.code threshold = \"{kind}\"} needs at least three levels; the response has {n_levels}.")
  kind
}
