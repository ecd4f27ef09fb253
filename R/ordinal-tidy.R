#' Convert ordinal models to data frames
#'
#' Return the coefficients (`tidy()`), the fit statistics (`glance()`) or the data with predictions (`augment()`), as
#' in package broom, or the coefficients as a LaTeX table.
#'
#' @param x A model by [pom()].
#' @param conf.int TRUE adds the columns `conf.low` and `conf.high`, the confidence limits; the default if `conf.level`
#'   is given.
#' @param conf.level Confidence level of the limits.
#' @param conf.method `"wald"` or `"profile"`, as in [confint.judicious_pom()]; thresholds always have Wald limits.
#' @param exponentiate TRUE returns the exponentials of estimates and limits, but not of standard errors, nor of the
#'   standard deviations and correlations of random effects. With the logit link, those of slopes and nominal effects
#'   are odds ratios; those of scale effects are ratios of standard deviations.
#' @param data The data frame to which the model was fitted. NULL uses the model frame.
#' @param newdata A data frame of other rows to predict, instead of `data`.
#' @param type.predict The prediction in `.fitted`, as `type` in [predict.judicious_pom()].
#' @param object,digits For `toLatex()`: a model by [pom()], and the number of decimals.
#' @param ... For `toLatex()`, arguments of `tidy()`; otherwise not used.
#' @return `tidy()`: a data frame with `term`, `estimate`, `std.error`, `statistic`, `p.value`, `coef.type` ("slope",
#'   "threshold", "nominal", "scale", or "ran_pars" for standard deviations and correlations of random effects) and,
#'   with `conf.int`, `conf.low` and `conf.high`. `glance()`: one row with `nobs`, `edf` (number of coefficients),
#'   `logLik`, `AIC`, `BIC`, `deviance`, `df.residual`, `converged`. `augment()`: `data` or `newdata` with a column
#'   `.fitted` and, for `data`, `.resid` (the Li-Shepherd residual). `toLatex()`: the lines of the table.
#' @examples
#' fit <- pom(gear ~ wt, data = mtcars)
#' generics::tidy(fit, conf.int = TRUE)
#' toLatex(fit)
#' @aliases tidy glance augment
#' @name pom-tidy
NULL

#' @rdname pom-tidy
#' @export
tidy.judicious_pom <- function(x, conf.int = !missing(conf.level), conf.level = 0.95,
                               conf.method = c("wald", "profile"), exponentiate = FALSE, ...) {
  refuse_other_arguments("tidy()", ...)
  conf.method <- check_choice(conf.method, c("wald", "profile"), "conf.method")
  estimates <- coefficient_table(x)
  colnames(estimates) <- c("estimate", "std.error", "statistic", "p.value")
  types <- coefficient_types(x)
  if (inherits(x, "judicious_pom_mixed")) {
    deviations <- deviations_of_fit(x)
    estimates <- rbind(estimates, cbind(deviations, sqrt(diag(vcov(x, sd = TRUE)))[names(deviations)], NA, NA))
    types <- c(types, rep("ran_pars", length(deviations)))
  }
  result_table <- data.frame(term = rownames(estimates), estimates, coef.type = types, row.names = NULL)
  if (conf.int) {
    limits <- confint(x, rownames(estimates), level = conf.level, method = "wald")
    if (conf.method == "profile" && length(x$beta)) {
      refuse_effects(x, "profiles of slopes", instead = "Leave out {.arg conf.method}, or set it to {.val wald}.")
      profiled <- confint(x, level = conf.level, method = "profile")
      limits[rownames(profiled), ] <- profiled
    }
    result_table$conf.low <- unname(limits[, 1])
    result_table$conf.high <- unname(limits[, 2])
  }
  if (exponentiate) {
    columns <- intersect(c("estimate", "conf.low", "conf.high"), names(result_table))
    ratios <- types != "ran_pars"
    result_table[ratios, columns] <- exp(result_table[ratios, columns])
  }
  result_table
}

#' @export
as.data.frame.judicious_pom <- function(x, row.names = NULL, optional = FALSE, ...) tidy(x, ...)

#' @rdname pom-tidy
#' @importFrom utils toLatex
#' @export
toLatex.judicious_pom <- function(object, digits = 3, ...) {
  check_count(digits, "digits", min = 0)
  columns <- c(estimate = "Estimate", std.error = "Standard error", statistic = "z", p.value = "p", conf.low = "Lower",
               conf.high = "Upper")
  cells <- tidy(object, ...)
  columns <- columns[names(columns) %in% names(cells)]
  text <- lapply(cells[names(columns)], format_fixed, digits)
  smallest <- 10^-digits
  text$p.value[which(cells$p.value < smallest)] <- paste("<", format_fixed(smallest, digits))
  cells <- data.frame(cells$term, text)
  latex_table(cells, c("Term", columns), c("l", rep("r", length(columns))))
}

#' @rdname pom-tidy
#' @export
glance.judicious_pom <- function(x, ...) {
  data.frame(nobs = nobs(x), edf = attr(logLik(x), "df"), logLik = as.numeric(logLik(x)), AIC = AIC(x), BIC = BIC(x),
             deviance = deviance(x), df.residual = df.residual(x), converged = x$convergence$status == "converged")
}

#' @rdname pom-tidy
#' @export
augment.judicious_pom <- function(x, data = NULL, newdata = NULL, type.predict = c("class", "mean", "link"), ...) {
  type.predict <- check_choice(type.predict, c("class", "mean", "link"), "type.predict")
  if (!is.null(newdata)) {
    newdata$.fitted <- predict(x, newdata, type = type.predict)
    return(newdata)
  }
  if (is.null(data)) {
    data <- model.frame(x)
    x$na.action <- NULL  # The model frame has no rows with missing values: predict() must not add rows for them.
  }
  fitted <- predict(x, type = type.predict)
  check_that(nrow(data) == length(fitted), "data", c(
    "has {nrow(data)} row{?s}, the fit {length(fitted)}.",
    i = "Give the rows that were fitted, fit with {.code na.action = na.exclude}, or use {.arg newdata}."))
  data$.fitted <- fitted
  data$.resid <- residuals(x, "li_shepherd")
  data
}
