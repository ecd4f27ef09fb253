#' Plot an ordinal model
#'
#' @description `plot()` of a model draws one of three plots. `type = "probabilities"`: the probability of each level
#'   against one variable, with the others at their mean or most frequent level. `"residuals"`: surrogate residuals
#'   against the linear predictor, and against the quantiles of the link's distribution. `"thresholds"`: thresholds and
#'   slopes with their Wald intervals.
#'
#' `plot()` of a profile shows the signed root of the drop in log likelihood against each slope.
#'
#' @param x A model by [pom()], or a `judicious_pom_profile`, as returned by [profile()].
#' @param type The plot to draw.
#' @param variable For `"probabilities"`: the variable on the horizontal axis; by default the first one.
#' @param seed For `"residuals"`: the seed of the surrogate draws; NULL uses R's random number generator.
#' @param level The confidence level of the intervals, between 0 and 1.
#' @param ... Not used.
#' @return The ggplot2 object, invisibly.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' fit <- pom(gear ~ wt + hp, data = mtcars)
#' plot(fit)
#' plot(fit, type = "residuals", seed = 1)
#' plot(profile(fit))
#' @export
plot.judicious_pom <- function(x, type = c("probabilities", "residuals", "thresholds"), variable = NULL, seed = NULL,
                               level = 0.95, ...) {
  refuse_other_arguments("plot()", ...)
  check_fitted(x)
  type <- check_choice(type, c("probabilities", "residuals", "thresholds"), "type")
  need_package("ggplot2", "{.fn plot}")
  show_plot(switch(type, probabilities = ggplot_probabilities(probabilities_picture(x, variable)),
                   residuals = ggplot_residuals(x, seed), thresholds = ggplot_coefficients(x, level)))
}

# Data of the plot of probabilities: one row per value of the variable and per level.
probabilities_picture <- function(fit, variable, values = 101) {
  variables <- fitted_variables(fit)
  check_that(length(variables), "x", "The model has no variable to draw against.")
  variable <- variable %||% names(variables)[1]
  check_that(is_string(variable) && variable %in% names(variables), "variable",
             "must be one of {.or {.val {names(variables)}}}.")
  shown <- variables[[variable]]
  varies <- vapply(variables, is_continuous, NA) & !names(variables) %in% grouped_variables(fit)
  continuous <- varies[[variable]]
  grid_values <- if (continuous) seq(as.numeric(min(shown)), as.numeric(max(shown)), length.out = values) else
    sort(unique(shown), method = "radix")
  if (is_time(shown)) mostattributes(grid_values) <- attributes(shown)[names(attributes(shown)) != "names"]
  grid <- Map(function(column, varies) rep(typical_value(column, varies), length(grid_values)), variables, varies)
  grid[[variable]] <- grid_values
  grid <- as.data.frame(grid, stringsAsFactors = FALSE, optional = TRUE)
  prob <- predict_typical(fit, grid, "prob")
  others <- setdiff(names(variables), variable)
  list(
    data = data.frame(at = rep(if (continuous) grid_values else factor(grid_values, grid_values), ncol(prob)),
                      level = factor(rep(colnames(prob), each = length(grid_values)), colnames(prob)),
                      prob = as.vector(prob)), continuous = continuous, variable = variable,
    title = paste("Probability of each level of", as.character(formula(fit)[[2]])[1], "against", variable),
    subtitle = if (length(others)) paste("with", paste(others, "=", shown_values(grid[1, others, drop = FALSE]),
                                                       collapse = ", ")) else "")
}

shown_values <- function(row) {
  vapply(row, function(value) if (is.numeric(value)) format_short(value, 3) else as.character(value), "")
}

# The variables inside factor(), cut() and the like, whose effects are known only at the values of the data.
grouped_variables <- function(fit) {
  frame <- model.frame(fit)
  calls <- Filter(is.call, as.list(attr(fit$frame_terms %||% terms(fit), "variables"))[-1])
  all.vars(as.expression(Filter(function(call) !is_continuous(frame[[deparse1(call)]]), calls)))
}

is_time <- function(column) inherits(column, c("Date", "POSIXct", "difftime"))

is_continuous <- function(column) is.numeric(column) || is_time(column)

# The mean of a variable that varies continuously; otherwise its most frequent value.
typical_value <- function(column, varies) {
  if (varies) return(mean(column))
  if (is.logical(column)) return(mean(column) >= 0.5)
  values <- sort(column, method = "radix")
  values[which.max(tabulate(match(values, values)))]
}

ggplot_probabilities <- function(picture) {
  # Colours go from light to dark in the order of the levels, so that they are also distinct in greyscale.
  colours <- grDevices::hcl.colors(nlevels(picture$data$level), "Viridis", rev = TRUE)
  few <- length(colours) <= 12
  chart <- ggplot2::ggplot(picture$data, ggplot2::aes(x = .data$at, y = .data$prob, fill = .data$level))
  chart <- chart + if (picture$continuous) {
    # All levels have the same values of the variable. The default statistic would add a narrow strip at both ends.
    ggplot2::geom_area(stat = "identity", position = ggplot2::position_stack(reverse = TRUE), alpha = 0.9)
  } else {
    ggplot2::geom_col(position = ggplot2::position_stack(reverse = TRUE), width = 0.7, alpha = 0.9)
  }
  chart + ggplot2::scale_fill_manual(name = NULL, values = colours,
                                    guide = if (few) ggplot2::guide_legend(nrow = 1) else "none") +
    wrapped_texts(x = picture$variable, y = "probability", title = picture$title, subtitle = picture$subtitle) +
    plot_theme()
}
