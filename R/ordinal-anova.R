#' Compare ordinal models by tests
#'
#' With one model, tests its terms sequentially. With several nested models, in the order of their numbers of
#' parameters, tests each against the one before. A model that is not a special case of the next has no test other than
#' the bootstrap.
#'
#' The bootstrap compares the likelihood ratio with those of responses simulated from the smaller model. The p-value of
#' a likelihood ratio test of random terms is too large: halve it for one term, or use the bootstrap.
#'
#' @param object,... One or several models by [pom()] of the same responses and weights. A model with random effects
#'   cannot be tested alone.
#' @param test `"LR"` (likelihood ratio; also `"Chisq"`), `"Wald"`, `"score"` or `"bootstrap"`. The default is `"LR"`,
#'   or `"Wald"` for bias-reduced and penalised fits. Wald and score tests are for models without random effects; the
#'   score test requires a link with no estimated parameter, flexible thresholds, and neither nominal nor scale effects.
#'   The bootstrap compares two or more models, whose weights, if any, must be counts.
#' @param nsim,seed For the bootstrap: the number of simulated responses, to each of which both models are fitted, and
#'   the seed, or NULL.
#' @return A data frame of class `anova` with one row per model or term: the number of parameters, the log likelihood,
#'   AIC, and the test's statistic, degrees of freedom and p-value.
#' @seealso [drop1()], [add1()] and [step()] also work on these models.
#' @examples
#' small <- pom(gear ~ wt, data = mtcars)
#' large <- pom(gear ~ wt + qsec, data = mtcars)
#' anova(small, large)
#' anova(large, test = "Wald")
#' @export
anova.judicious_pom <- function(object, ..., test = c("LR", "Wald", "score", "bootstrap"), nsim = 199, seed = NULL) {
  fits <- list(object, ...)
  several <- length(fits) > 1
  for (fit in fits) check_fitted(check_class(fit, "judicious_pom", "...", "pom"))
  test <- check_test(if (missing(test)) NULL else test, fits)
  check_count(nsim, "nsim")
  check_that(several || !inherits(object, "judicious_pom_mixed"), "...", c(
    "{.fn anova} compares a mixed model with others: give at least one more.",
    i = "{.fn drop1} tests every term, and {.fn summary} has Wald tests of single coefficients."))
  check_that(several || test != "bootstrap", "test", "{.val bootstrap} compares two or more models.")
  if (!several) {
    # The models to compare: without a term, with the first term, with the first two terms, and so on, up to the model
    # itself.
    x <- model.matrix(object)
    term <- attr(x, "assign")
    fits <- c(lapply(seq_len(max(term, 0)) - 1, function(last) refit_columns(object, x[, term <= last, drop = FALSE])),
              fits)
  }
  check_comparable(fits, by_level = test != "score")
  if (test %in% c("Wald", "score")) for (fit in fits) refuse_effects(fit, "Wald and score tests")
  if (several) fits <- fits[order(model_degrees(fits))]
  titles <- if (several) model_labels(fits) else
    c("thresholds only", sprintf("+ %s", attr(terms(object), "term.labels")))
  anova_table(fits, titles, test, if (several) models_title(fits) else
    paste0("Terms of ", formula_text(formula(object)), ", added in order"), nsim, seed)
}

model_degrees <- function(fits) vapply(fits, function(fit) attr(logLik(fit), "df"), 0)

check_test <- function(test, fits) {
  all_ml <- all(vapply(fits, maximises_likelihood, NA))
  test <- test %||% if (all_ml) "LR" else "Wald"
  if (is_string(test) && lower_ascii(test) == "chisq") return(check_test("LR", fits))
  check_choice(test, c("LR", "Wald", "score", "bootstrap"), "test")
  check_that(all_ml || test %in% c("Wald", "bootstrap"), "test", c(
    "Bias-reduced and penalised fits do not maximise the likelihood: there is no test {.val {test}}.",
    i = "Use {.code test = \"Wald\"}."))
  test
}

maximises_likelihood <- function(object) {
  !identical(object$method, "bias_reduced") && (object$control$penalty %||% 0) == 0
}

models_title <- function(fits) {
  has_class <- function(class) vapply(fits, inherits, NA, class)
  logit <- all(vapply(fits, function(fit) fit$link == "logit", NA)) && !any(has_class("judicious_pom_general"))
  upper_first(paste0(if (any(has_class("judicious_pom_mixed"))) "mixed ",
                     if (logit) "proportional-odds" else "cumulative-link", " models"))
}

# The formulas of the models, and the other arguments in which they differ.
model_labels <- function(fits) {
  argument_names <- c("link", "nominal", "scale", "threshold", "link_parameter", "method", "penalty", "nAGQ", "sd")
  settings <- lapply(fits, function(fit) {
    differing <- vapply(Filter(Negate(is.null), as.list(fit$call)[argument_names]), deparse1, "")
    sprintf("%s = %s", names(differing), differing)
  })
  vapply(seq_along(fits), function(k) {
    paste(c(formula_text(formula(fits[[k]])), setdiff(settings[[k]], Reduce(intersect, settings))), collapse = ", ")
  }, "")
}

anova_table <- function(fits, labels, test, heading, nsim, seed) {
  loglik <- vapply(fits, function(fit) as.numeric(logLik(fit)), 0)
  degrees <- model_degrees(fits)
  tests <- vapply(seq_along(fits)[-1], function(i) test_nested(fits[[i - 1]], fits[[i]], test, nsim, seed), numeric(3))
  notes <- c(if (anyNA(tests[1, ])) if (length(unique(unlist(lapply(fits, `[[`, "nAGQ")))) > 1)
               "\nModels of different nAGQ approximate the likelihood differently: refit them with the same." else
               "\nModels that are not a special case of the next have no test: compare their AIC.",
             if (test != "bootstrap" && any(tests[2, ] %in% 0)) paste0("\n", df_zero_note),
             if (test == "LR" && length(unique(vapply(fits, function(fit) length(fit$sd), 0L))) > 1) paste0(
               "\nA variance of 0 is on the boundary: p-values of tests of random terms are too large.",
               "\nFor one variance, halve them if Chisq > 0, or use test = \"bootstrap\"."),
             if (test == "bootstrap") paste("\np-values of at most", nsim, "simulated responses"))
  name <- c(LR = "Likelihood ratio", bootstrap = "Likelihood ratio", Wald = "Wald", score = "Score")[[test]]
  likelihood_table(loglik, degrees, tests[1, ], tests[2, ], make.unique(labels),
                   paste0(heading, paste(notes, collapse = ""), "\n", name, " tests\n"), Parameters = degrees,
                   p_value = tests[3, ])
}

df_zero_note <- "Rows with Df 0 are the same model: other terms, or nominal effects, have these effects too."

# The statistic, degrees of freedom and p-value of a test; NA if the test cannot compare these models.
test_nested <- function(small, large, test, nsim, seed) {
  small_names <- coefficients_in(small, large)
  large_names <- names(coef(large, complete = FALSE))
  # The hypothesis of a Wald test: the coefficients that only the larger fit has are zero.
  extra <- setdiff(large_names, small_names)
  possible <- test == "bootstrap" || is_nested(small, large) && (test != "Wald" || all(small_names %in% large_names))
  if (!possible) return(rep(NA_real_, 3))
  statistic <- switch(test, Wald = wald_statistic(coef(large), vcov(large), extra),
                      score = score_statistic(large, small),
                      2 * (as.numeric(logLik(large)) - as.numeric(logLik(small))))
  p_value <- if (test == "bootstrap") bootstrap_p_value(statistic, small, large, nsim, seed)
  df <- if (test == "Wald") length(extra) else diff(model_degrees(list(small, large)))
  c(statistic, df, p_value %||% chisq_p(statistic, df))
}

# The p-value of the likelihood ratio `observed`, from its distribution over responses that are drawn from the smaller
# model. It is also valid for hypotheses on the boundary of the parameter space, such as a standard deviation of 0, for
# which the chi-squared distribution is wrong.
bootstrap_p_value <- function(observed, small, large, nsim, seed) {
  refits <- lapply(list(small, large), response_refitter)
  ratio <- function(y) tryCatch(2 * (refits[[2]](y) - refits[[1]](y)), judicious_error = function(cnd) NA_real_)
  simulated <- vapply(simulate(small, nsim, seed = seed), ratio, 0)
  (1 + sum(simulated >= observed - 1e-6, na.rm = TRUE)) / (1 + sum(!is.na(simulated)))
}

# Returns a function of simulated responses that fits the same model to them and returns the log likelihood. If weights
# are counts, the responses are those of counted_rows(); rows with equal data and response are grouped.
response_refitter <- function(object) {
  user_call <- object$call
  env <- environment(formula(object))
  model_data <- eval(user_call$data, env)
  response <- formula(object)[[2]]
  check_that(is.name(response) && is.data.frame(model_data), "test",
             "The bootstrap needs a data frame with the response as a column.")
  model_data <- data_of_fit(object, model_data)
  check_that(all(row_weights(object) %% 1 == 0), "test", c(
    "The bootstrap draws rows: it needs weights that are counts.",
    i = "Fit the models without {.arg weights}, or with whole numbers."))
  user_call$subset <- NULL
  user_call$formula <- formula(object)  # step() leaves a formula without random terms in the call
  function(y) {
    y <- y[!is.na(y)]
    if (has_counts(object)) {
      counts <- tabulate((counted_rows(object) - 1) * nlevels(y) + as.integer(y), nrow(model_data) * nlevels(y))
      nonempty_cells <- which(counts > 0) - 1
      model_data <- model_data[nonempty_cells %/% nlevels(y) + 1, , drop = FALSE]
      y <- ordered(levels(y)[nonempty_cells %% nlevels(y) + 1], levels(y))
      user_call$weights <- counts[nonempty_cells + 1]
    }
    user_call$data <- replace(model_data, as.character(response), list(y))
    suppressWarnings(suppressMessages(as.numeric(logLik(eval(user_call, env)))))
  }
}

chisq_p <- function(statistic, df) ifelse(df > 0, pchisq(statistic, df, lower.tail = FALSE), NA)

has_own_rows <- function(fit) !isTRUE(fit$source %in% c("batches", "groups"))

# The names of the columns of each side of a model: slopes, nominal effects and scale effects.
side_names <- function(fit) {
  list(slopes = estimated_slopes(fit), nominal = colnames(fit$nominal_columns)[-1], scale = colnames(fit$scale_columns))
}

# side_names() of `small`, with each column named as in `large`. Columns are matched by values, because a name such as
# X21 can stand for different columns in two models. Columns that `large` lacks get a new name.
sides_in <- function(small, large) {
  names_of_sides <- side_names(small)
  if (!has_own_rows(small) || !has_own_rows(large)) return(names_of_sides)
  sides <- function(fit) list(kept_columns(fit), fit$nominal_columns[, -1, drop = FALSE], fit$scale_columns)
  Map(function(names, small_columns, large_columns) {
    vapply(seq_along(names), function(k) {
      is_same <- function(column) identical(unname(small_columns[, k]), unname(large_columns[, column]))
      candidates <- c(intersect(names[k], colnames(large_columns)), colnames(large_columns))
      Find(is_same, candidates) %||% paste("other", names[k])
    }, "")
  }, names_of_sides, sides(small), sides(large))
}

# The names of the coefficients of `small`, each replaced by the name that `large` has for the coefficient of the same
# column.
coefficients_in <- function(small, large) {
  type <- coefficient_types(small)[!is.na(coef(small))]
  out <- names(coef(small, complete = FALSE))
  sides <- sides_in(small, large)
  out[type == "slope"] <- sides$slopes
  out[type == "nominal"] <- outer(out[type == "threshold"], sides$nominal, paste, sep = ":")
  of_scale <- stats::setNames(names(coef(large))[coefficient_types(large) == "scale"], colnames(large$scale_columns))
  out[type == "scale"] <- ifelse(sides$scale %in% names(of_scale), of_scale[sides$scale], sides$scale)
  out
}

# Whether the model `small` is a special case of `large`: its settings must be special cases of those of `large`, and
# its columns must be among those of `large`; columns of slopes may also be linear combinations of the columns of
# `large`.
is_nested <- function(small, large) {
  small_sides <- sides_in(small, large)
  large_sides <- side_names(large)
  large_sides$slopes <- c(large_sides$slopes, large_sides$nominal)
  absent <- c(Map(setdiff, small_sides, large_sides), list(random = setdiff(names(small$sd), names(large$sd))))
  if (!is_special_setting(small, large) || length(unlist(absent[-1]))) return(FALSE)
  spans_slopes(large, small, side_names(small)$slopes[small_sides$slopes %in% absent$slopes])
}

# Whether link, thresholds, number of quadrature nodes, fixed standard deviations and offset of the scale of `small` are
# special cases of those of `large`. Columns and the offset of the location are compared by is_nested().
is_special_setting <- function(small, large) {
  kinds <- vapply(list(small, large), function(fit) fit$threshold %||% "flexible", "")
  thresholds <- kinds[2] == "flexible" || kinds[1] %in% c("equidistant", kinds[2])
  same_accuracy <- length(unique(c(small$nAGQ, large$nAGQ))) < 2
  same_sd <- is.null(large$control$sd) || identical(large$control$sd, small$control$sd)
  same_offset <- all((small$scale_offset %||% 0) == (large$scale_offset %||% 0))
  thresholds && same_accuracy && same_sd && same_offset && is_special_link(small$link, large)
}

# Whether the slopes of `large` can represent the additional parts of the linear predictor of `small`: these `columns`,
# and the difference between the offsets.
spans_slopes <- function(large, small, columns) {
  shift <- (small$offset %||% 0) - (large$offset %||% 0)
  if (!length(columns) && all(shift == 0)) return(TRUE)
  if (!has_own_rows(small) || !has_own_rows(large)) return(FALSE)
  # Centred, because a spread of 1 about a mean of 1e9 would be taken for rounding errors of a constant.
  centred <- function(...) scale(cbind(...), scale = FALSE)
  extra <- centred(kept_columns(small)[, columns, drop = FALSE], if (any(shift != 0)) shift)
  basis <- qr(cbind(1, centred(kept_columns(large), large$nominal_columns[, -1])))
  max(abs(qr.resid(basis, extra))) <= 1e-7 * max(abs(extra))
}

# Whether a link is that of the model `large`, or a special case of its family if the model estimates the parameter of
# its link.
is_special_link <- function(link, large) {
  family <- link_family(large$link)
  special <- list(`log-gamma` = c("cloglog", "probit", "loglog"), robit = c("probit", "cauchit"))[[family]]
  link == large$link || length(large$link_name) && link_family(link) %in% c(family, special)
}

# The table of log likelihoods, with a test in each row but the first: its `statistic` and its degrees of freedom,
# `change`.
likelihood_table <- function(loglik, degrees, statistic, change, labels, heading, ...,
                             p_value = chisq_p(statistic, change)) {
  result_table <- data.frame(..., `Log likelihood` = loglik, AIC = 2 * (degrees - loglik), Chisq = c(NA, statistic),
                             Df = c(NA, change), `Pr(>Chisq)` = c(NA, p_value), check.names = FALSE, row.names = labels)
  structure(result_table, heading = heading, class = c("anova", "data.frame"))
}

# Models are comparable only if they have the same rows, response and weights. Data that are not in memory are grouped
# differently for each formula, so their rows cannot be compared. With `by_level`, the total weight of each level of the
# response is compared instead, if all models have it.
check_comparable <- function(fits, by_level = FALSE) {
  compare_by_level <- by_level && !any(vapply(fits, function(fit) is.null(fit$response_weight), NA))
  same <- vapply(fits[-1], function(fit) {
    if (compare_by_level) return(isTRUE(all.equal(fit$response_weight, fits[[1]]$response_weight)))
    identical(unname(fit$y), unname(fits[[1]]$y)) && identical(fit$levels, fits[[1]]$levels) &&
      isTRUE(all.equal(fit$weights, fits[[1]]$weights))
  }, TRUE)
  abort_unless(all(same), c(
    "The models are not fitted to the same responses: {.val {formula_text(formula(fits[[which(!same)[1] + 1]]))}}
      differs from the first.",
    i = "Missing values of a predictor drop rows: fit all models to the complete rows."), "not_comparable")
}

# Fits a model with the same response and weights, but other columns and perhaps another offset. The result has no
# formula and is for comparisons only.
refit_columns <- function(object, x, offset = object$offset) {
  if (inherits(object, "judicious_pom_mixed")) {
    fit <- mixed_fit(problem_of_fit(object, x, offset), known_deviations(object), object$nAGQ)
    return(c(fit, list(beta = fit$parameters[colnames(fit$columns)])))
  }
  if (inherits(object, "judicious_pom_general"))
    return(fit_parts(parts_of_fit(object, x, offset), requested_link(object), object$threshold, object$control))
  fit <- fit_columns(x, object$y, length(object$levels), object$weights, offset, object$control, object$link)
  response <- list(codes = object$y, levels = object$levels, values = object$level_values)
  new_matrix_fit(fit, x, response, object$weights, offset, object$control)
}

wald_statistic <- function(estimate, covariance, names) {
  if (!length(names)) return(0)
  drop(estimate[names] %*% solve(covariance[names, names, drop = FALSE], estimate[names]))
}

# The score statistic of the smaller model: from the gradient of the larger model's likelihood at the maximum of the
# smaller one.
score_statistic <- function(large, small) {
  need_plain(large, "the score test")
  x <- scale(kept_columns(large))
  theta <- -unname(small$alpha)
  rows <- flexible_rows(theta, small$linear_predictor, small$y, x, row_weights(small), small$link)
  parameters <- c(theta, numeric(ncol(x)))
  score <- cumulative_link_pass_cpp(rows, parameters)$gradient
  drop(score %*% solve(cumulative_link_information_cpp(rows, parameters), score))
}

#' @export
drop1.judicious_pom <- function(object, scope, ...) {
  refuse_likelihood_ratio(object, ...)
  # drop1() refits to the rows of the fit, except within step(), which refits to all rows that are complete without the
  # term and raises an error if their number changes.
  if (!is.null(object$na.action) && !identical(sys.function(sys.parent()), stats::step))
    object$call$subset <- if (is.null(object$call$subset)) -as.integer(object$na.action) else
      rownames(model.frame(object))
  result <- explain_refits(utils::getS3method("drop1", "default")(object, scope, ...), "Without")
  if (any(result$Df %in% 0)) attr(result, "heading") <- c(attr(result, "heading"), df_zero_note, "")
  result
}

#' @export
add1.judicious_pom <- function(object, scope, ...) {
  refuse_likelihood_ratio(object, ...)
  explain_refits(utils::getS3method("add1", "default")(object, scope, ...), "With")
}

refuse_likelihood_ratio <- function(object, ..., test = "none") {
  check_that(!identical(test, "Chisq") || maximises_likelihood(object), "test", c(
    "Bias-reduced and penalised fits do not maximise the likelihood: there are no likelihood ratio tests.",
    i = "{.code anova(fit, test = \"Wald\")} and {.code car::Anova(fit)} have Wald tests."))
}

# Explains R's error that the number of rows has changed, and adds to warnings of refits the term that was added or
# removed. R's functions store this term in a variable `tt`; `changed` states what was done with it.
explain_refits <- function(result, changed) {
  base_error <- gettext("number of rows in use has changed: remove missing values?", domain = "R-stats")
  withCallingHandlers(result, simpleError = function(cnd) {
    abort_unless(conditionMessage(cnd) != base_error, c(
      "The models with and without the term have different rows, because of missing values.",
      i = "Fit the model to the rows that are complete in all variables of the search."), "not_comparable")
  }, judicious_warning = function(cnd) warn_of_change(cnd, changed, dynGet("tt")),
  judicious_message_contrasts = function(cnd) invokeRestart("muffleMessage"))
}

# Repeats a warning of a refit, with the term that was added or removed.
warn_of_change <- function(cnd, changed, term) {
  cnd$message <- paste0(changed, " `", term, "`: ", cnd$message)
  warning(cnd)
  invokeRestart("muffleWarning")
}

#' @export
extractAIC.judicious_pom <- function(fit, scale = 0, k = 2, ...) {
  df <- attr(logLik(fit), "df")
  c(df, deviance(fit) + k * df)
}

#' @export
deviance.judicious_pom <- function(object, ...) -2 * as.numeric(logLik(object))

#' @export
df.residual.judicious_pom <- function(object, ...) object$df_residual
