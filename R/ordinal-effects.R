#' Tests of nominal and scale effects
#'
#' For each term of a model: does its effect differ between thresholds (`nominal_test()`), or does it change the
#' spread of the response (`scale_test()`)? Likelihood ratio tests against the model with that one effect more.
#'
#' @param object A `judicious_pom`, by [pom()], with flexible thresholds for `nominal_test()`.
#' @param terms Terms to test: labels as in the formula. All by default.
#' @return A data frame of class `anova` with a row per term: log likelihood, AIC, the likelihood ratio
#'   statistic, degrees of freedom, p value.
#' @seealso [proportional_odds_test()] for the score test, which needs no further fit.
#' @examples
#' fit <- pom(gear ~ wt + am, data = transform(mtcars, gear = pmin(gear, 5)))
#' scale_test(fit, "wt")
#' @export
nominal_test <- function(object, terms = NULL) {
  check_class(object, "judicious_pom", "object", "pom")
  if (!identical(object$threshold %||% "flexible", "flexible")) {
    abort_judicious("Nominal effects are tested with flexible thresholds.", "argument", argument = "object")
  }
  effect_tests(object, "nominal", terms)
}

#' @rdname nominal_test
#' @export
scale_test <- function(object, terms = NULL) {
  check_class(object, "judicious_pom", "object", "pom")
  effect_tests(object, "scale", terms)
}

effect_tests <- function(object, side, terms, call = caller_env()) {
  check_fitted(object, call)
  refuse_effects(object, "Tests of nominal and scale effects", call)
  check_plain_method(object$method %||% "ml", object$control, call)
  labels <- attr(stats::terms(object), "term.labels")
  terms <- terms %||% labels
  absent <- setdiff(terms, labels)
  if (length(absent)) {
    abort_judicious("{.arg terms} must be among {.val {labels}}; {.val {absent}} {?is/are} not.", "argument",
                    argument = "terms", call = call)
  }
  present <- object$call[[side]]
  rows <- lapply(terms, function(term) {
    rhs <- str2lang(term)
    if (!is.null(present)) rhs <- base::call("+", present[[2]], rhs)
    larger <- object$call
    larger[[side]] <- base::call("~", rhs)
    fit <- withCallingHandlers(
      tryCatch(eval(larger, environment(object$formula)), judicious_error = function(cnd) NULL),
      judicious_message_aliased = function(cnd) invokeRestart("muffleMessage"),
      judicious_warning_convergence = function(cnd) invokeRestart("muffleWarning")
    )
    if (is.null(fit)) return(c(loglik = NA, df = NA))
    c(loglik = fit$loglik, df = attr(logLik(fit), "df"))
  })
  loglik <- c(object$loglik, vapply(rows, `[[`, 0, "loglik"))
  df <- c(attr(logLik(object), "df"), vapply(rows, `[[`, 0, "df"))
  chisq <- 2 * (loglik - loglik[1])
  change <- df - df[1]
  table <- data.frame(
    `Log likelihood` = loglik, AIC = 2 * (df - loglik), Chisq = c(NA, chisq[-1]), Df = c(NA, change[-1]),
    `Pr(>Chisq)` = c(NA, pchisq(chisq, change, lower.tail = FALSE)[-1]), check.names = FALSE,
      row.names = c("<none>", terms)
  )
  structure(table, heading = paste0("Tests of ", side, " effects of ", formula_text(object$formula), "\n"),
            class = c("anova", "data.frame"))
}
