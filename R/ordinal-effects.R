# Likelihood ratio tests of nominal and scale effects: each compares the model with one that has the additional effect.
effect_tests <- function(object, type, terms, call = caller_env()) {
  check_that(type != "nominal" || identical(object$threshold %||% "flexible", "flexible"), "object",
             "Nominal effects are tested with flexible thresholds.", call = call)
  check_fitted(object)
  check_that(has_likelihood_ratio(object), "object", "Tests of effects compare likelihoods: they are for
    maximum-likelihood fits without random effects and penalty.", call = call)
  labels <- attr(stats::terms(object), "term.labels")
  terms <- terms %||% labels
  absent <- setdiff(terms, labels)
  check_that(!length(absent), "terms", "must be among {.val {labels}}; {.val {absent}} {?is/are} not.", call = call)
  present <- object$call[[type]]
  rows <- lapply(terms, function(term) {
    rhs <- str2lang(term)
    if (!is.null(present)) rhs <- base::call("+", present[[2]], rhs)
    larger <- object$call
    larger[[type]] <- base::call("~", rhs)
    fit <- withCallingHandlers(
      tryCatch(eval(larger, environment(object$formula)), judicious_error = function(cnd) NULL),
      judicious_message_aliased = function(cnd) invokeRestart("muffleMessage"),
      judicious_warning_convergence = function(cnd) invokeRestart("muffleWarning"),
      judicious_warning_separation = function(cnd) {
        if (is.null(cnd$term)) {
          names_term <- paste0("With the ", type, " effect of `", term, "`: ", cnd$message)
          warning(structure(replace(unclass(cnd), c("message", "term"), list(names_term, term)), class = class(cnd)))
          invokeRestart("muffleWarning")
        }
      }
    )
    if (is.null(fit)) return(c(loglik = NA, df = NA))
    c(loglik = fit$loglik, df = attr(logLik(fit), "df"))
  })
  loglik <- c(object$loglik, vapply(rows, `[[`, 0, "loglik"))
  degrees <- c(attr(logLik(object), "df"), vapply(rows, `[[`, 0, "df"))
  likelihood_table(loglik, degrees, 2 * (loglik - loglik[1])[-1], (degrees - degrees[1])[-1], c("<none>", terms),
                   paste0("Tests of ", type, " effects of ", formula_text(object$formula), "\n"))
}
