#' Test nominal and scale effects
#'
#' Tests by likelihood ratios whether the effect of a term differs between thresholds (`type = "nominal"`), or whether
#' the term affects the spread of the response (`type = "scale"`). Each test compares the model with one that has this
#' additional effect.
#'
#' @param object A `judicious_pom`, as returned by [pom()], fitted by maximum likelihood without penalty and random
#'   effects; for `type = "nominal"`, with flexible thresholds.
#' @param type `"nominal"`: slopes that differ between thresholds; `"scale"`: effects on the spread of the response.
#' @param terms Labels of the terms to test, as in the formula; by default all.
#' @return A data frame of class `anova` with one row for the model (`<none>`) and one per term: log likelihood, AIC,
#'   likelihood ratio statistic, degrees of freedom, p-value. They are NA for a term whose larger model cannot be
#'   fitted.
#' @seealso [proportional_odds_test()] tests proportional odds without fitting a larger model.
#' @examples
#' fit <- pom(Sat ~ Infl + Type + Cont, data = MASS::housing, weights = Freq)
#' effect_tests(fit)
#' @export
effect_tests <- function(object, type = c("nominal", "scale"), terms = NULL) {
  check_class(object, "judicious_pom", "object", "pom")
  type <- check_choice(type, c("nominal", "scale"), "type")
  if (type == "nominal" && !identical(object$threshold %||% "flexible", "flexible")) {
    abort_judicious("Nominal effects are tested with flexible thresholds.", "argument", argument = "object")
  }
  check_fitted(object)
  refuse_effects(object, "tests of nominal and scale effects")
  if (!has_likelihood_ratio(object)) {
    abort_judicious("Tests of effects compare likelihoods: they are for maximum-likelihood fits without random effects
      and penalty.", "argument", argument = "object")
  }
  labels <- attr(stats::terms(object), "term.labels")
  terms <- terms %||% labels
  absent <- setdiff(terms, labels)
  if (length(absent)) {
    abort_judicious("{.arg terms} must be among {.val {labels}}; {.val {absent}} {?is/are} not.", "argument",
                    argument = "terms")
  }
  present <- object$call[[type]]
  rows <- lapply(terms, function(term) {
    rhs <- str2lang(term)
    if (!is.null(present)) rhs <- base::call("+", present[[2]], rhs)
    larger <- object$call
    larger[[type]] <- base::call("~", rhs)
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
  structure(table, heading = paste0("Tests of ", type, " effects of ", formula_text(object$formula), "\n"),
            class = c("anova", "data.frame"))
}
