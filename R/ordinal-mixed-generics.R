#' Extract parts of a mixed model
#'
#' Return the fixed effects, the random effects, and their variances. The generics are those of package nlme.
#'
#' @param object,x A model by [pom()] with random terms; for `as.data.frame()`, the result of `ranef()`.
#' @param sigma Not used; required by the generic.
#' @param row.names,optional Not used.
#' @param ... Not used.
#' @return
#' * `fixef()`: thresholds and slopes, as `coef()`.
#' * `ranef()`: a `judicious_ranef`, a list with one data frame per random term, with rows named by the levels of the
#'   term. The column `(Intercept)`, or the column named like the slope, has the effects (their modes given the data and
#'   the estimates), and `sd` their conditional standard deviations. `as.data.frame()` returns one long data frame:
#'   `term`, `effect`, `level`, `estimate`, `sd`.
#' * `VarCorr()`: a data frame with one row per random term: `term`, `levels` (their number), `variance`, `sd` and
#'   `std_error` (of the standard deviation; NA if it is known or 0). If effects are correlated, the attribute
#'   `correlation` is the correlation matrix of the effects of all terms.
#' @aliases fixef ranef VarCorr
#' @name mixed-generics
#' @examples
#' fit <- pom(gear ~ wt + (1 | carb), data = mtcars)
#' VarCorr(fit)
#' head(as.data.frame(ranef(fit)))
#' fixef(fit)
NULL

#' @rdname mixed-generics
#' @rawNamespace S3method(nlme::fixef, judicious_pom_mixed)
fixef.judicious_pom_mixed <- function(object, ...) object$coefficients

#' @rdname mixed-generics
#' @rawNamespace S3method(nlme::ranef, judicious_pom_mixed)
ranef.judicious_pom_mixed <- function(object, ...) {
  deviation <- effect_deviations(object)
  out <- Map(function(effects, s, random) {
    stats::setNames(data.frame(unname(effects), s, row.names = make.unique(names(effects)), check.names = FALSE),
                    c(random$effect, "sd"))
  }, object$effects, deviation, object$random)
  structure(out, names = names(object$effects), class = "judicious_ranef")
}

# The standard deviations of the effects given the data, by term.
effect_deviations <- function(object) {
  term <- object$effect_design$term
  if (!is_correlated(object$factor)) return(split(unname(object$sd[term]) * sqrt(object$mode_variance), term))
  n_levels <- lengths(object$effects)
  lapply(seq_along(n_levels), function(r) {
    # A design with one row for each level, and only this effect in it.
    entries <- rep(list(list(row = integer(), column = integer(), value = numeric())), length(n_levels))
    entries[[r]] <- list(row = seq_len(n_levels[r]), column = seq_len(n_levels[r]), value = rep(1, n_levels[r]))
    rows <- effect_design(entries, n_levels, n_levels[r], object$factor)
    sqrt(mixed_covariance_cpp(object$effect_design, object$loadings, object$curvature, rows, TRUE)[, 1])
  })
}

#' @rdname mixed-generics
#' @export
as.data.frame.judicious_ranef <- function(x, row.names = NULL, optional = FALSE, ...) {
  parts <- Map(function(effects, term) {
    data.frame(term = term, effect = names(effects)[1], level = rownames(effects), estimate = effects[[1]],
               sd = effects$sd)
  }, unclass(x), names(x))
  without_row_names(do.call(rbind, parts))
}

#' @export
print.judicious_ranef <- function(x, n = 6, ...) {
  for (term in names(x)) {
    cat(term, "\n", sep = "")
    print(utils::head(x[[term]], n), ...)
    more <- nrow(x[[term]]) - n
    if (more > 0) cat("... and", format_count(more), "more\n")
    cat("\n")
  }
  invisible(x)
}

#' @rdname mixed-generics
#' @rawNamespace S3method(nlme::VarCorr, judicious_pom_mixed)
VarCorr.judicious_pom_mixed <- function(x, sigma = 1, ...) {
  sd_names <- paste0("sd(", names(x$sd), ")")
  estimates <- data.frame(term = names(x$sd), levels = lengths(x$effects, use.names = FALSE), variance = unname(x$sd)^2,
                          sd = unname(x$sd), std_error = sqrt(diag(x$full_covariance)[sd_names]), row.names = NULL)
  # R warns that the correlation of an effect with variance 0 is not defined; it is NaN.
  if (is_correlated(x$factor)) {
    correlation <- suppressWarnings(stats::cov2cor(factor_covariance(x$loadings, x$factor)))
    attr(estimates, "correlation") <- structure(correlation, dimnames = list(names(x$sd), names(x$sd)))
  }
  estimates
}
