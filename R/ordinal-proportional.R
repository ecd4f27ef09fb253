#' Test proportional odds
#'
#' Tests the main assumption of [pom()]: whether the slopes are the same at all thresholds, or whether a term affects
#' the spread of the response.
#'
#' @param object A `judicious_pom` by [pom()], without random effects. Score test and Brant's test: logit link, flexible
#'   thresholds, at least three levels and one slope, no separation, nominal or scale effects. Likelihood ratios:
#'   maximum likelihood without penalty; with `against = "nominal"`, flexible thresholds.
#' @param method `"score"`: the score test against a model whose slopes may differ between thresholds, which need not be
#'   fitted. `"brant"`: a Wald test that binary logistic regressions, one at every threshold, have equal slopes (Brant,
#'   1990). `"likelihood_ratio"`: fits a larger model for each term and compares the likelihoods, like `nominal_test()`
#'   and `scale_test()` of package ordinal.
#' @param against For likelihood ratios, the effects of the larger model: `"nominal"`, slopes that differ between
#'   thresholds, or `"scale"`, effects on the spread of the response.
#' @param terms For likelihood ratios: labels of the terms to test, as in the formula; by default all.
#' @return A data frame of class `judicious_po_test` with one row for all slopes together ("omnibus") and one for each:
#'   `term`, `statistic` (chi-squared), `df`, `p_value`. A small p-value is evidence against proportional odds. If a
#'   binary regression has no finite estimate, `judicious_error_separation` names the threshold. For likelihood ratios:
#'   a data frame of class `anova` with one row for the model (`<none>`) and one per term, NA if its larger model cannot
#'   be fitted.
#' @references Brant (1990). Biometrics 46, 1171-1178.
#'
#'   Peterson and Harrell (1990). Applied Statistics 39, 205-217.
#' @examples
#' fit <- pom(Sat ~ Infl + Type + Cont, data = MASS::housing, weights = Freq)
#' proportional_odds_test(fit)
#' proportional_odds_test(fit, "brant")
#' proportional_odds_test(fit, "likelihood_ratio", against = "scale")
#' @export
proportional_odds_test <- function(object, method = c("score", "brant", "likelihood_ratio"),
                                   against = c("nominal", "scale"), terms = NULL) {
  check_class(object, "judicious_pom", "object", "pom")
  refuse_effects(object, "tests of proportional odds", instead =
    "Compare the model with one that has nominal effects: {.code anova(fit, update(fit, nominal = ~ x))}.")
  method <- check_choice(method, c("score", "brant", "likelihood_ratio"), "method")
  against <- check_choice(against, c("nominal", "scale"), "against")
  if (method == "likelihood_ratio") return(effect_tests(object, against, terms))
  unused <- c(if (!is.null(terms)) "terms", if (against != "nominal") "against")[1]
  check_that(is.na(unused %||% NA), unused, "is for likelihood ratio tests: add
    {.code method = \"likelihood_ratio\"}.")
  check_fitted(object)
  need_plain(object, "the test of proportional odds")
  check_that(object$link == "logit", "object",
             "Odds are proportional with the logit link: the model has {.val {link_text(object$link)}}.")
  abort_unless(object$separation == "none", "The data are separated ({object$separation}): proportional odds cannot be
    tested.", "separation")
  # The tests do not depend on the origin and the unit of a column, but their matrices are singular in double precision
  # if these are like those of a time in seconds.
  x <- scale(kept_columns(object))
  check_that(length(object$alpha) >= 2 && ncol(x), "object", "Proportional odds can be tested with at least three levels
    and one slope; the model has {length(object$levels)} level{?s} and {ncol(x)} slope{?s}.")
  if (method == "brant") brant_test(object, x) else score_test(object, x)
}

# Likelihood ratio tests of nominal or scale effects: each compares the model with a model that has one more effect.
effect_tests <- function(object, type, terms) {
  check_that(type != "nominal" || identical(object$threshold %||% "flexible", "flexible"), "object",
             "Nominal effects are tested with flexible thresholds.")
  check_fitted(object)
  check_that(has_likelihood_ratio(object), "object", "Tests of effects compare likelihoods: they are for
    maximum-likelihood fits without random effects and penalty.")
  labels <- attr(stats::terms(object), "term.labels")
  terms <- terms %||% labels
  absent <- setdiff(terms, labels)
  check_that(!length(absent), "terms", "must be among {.val {labels}}; {.val {absent}} {?is/are} not.")
  current_effects <- object$call[[type]]
  rows <- lapply(terms, function(term) {
    rhs <- str2lang(term)
    if (!is.null(current_effects)) rhs <- base::call("+", current_effects[[2]], rhs)
    larger <- object$call
    larger[[type]] <- base::call("~", rhs)
    fit <- withCallingHandlers(
      tryCatch(eval(larger, environment(object$formula)), judicious_error = function(cnd) NULL),
      judicious_message_aliased = function(cnd) invokeRestart("muffleMessage"),
      judicious_warning_convergence = function(cnd) invokeRestart("muffleWarning"),
      judicious_warning_separation = function(cnd) warn_of_change(cnd, paste("With the", type, "effect of"), term))
    if (is.null(fit)) return(c(loglik = NA, df = NA))
    c(loglik = fit$loglik, df = attr(logLik(fit), "df"))
  })
  loglik <- c(object$loglik, vapply(rows, `[[`, 0, "loglik"))
  degrees <- c(attr(logLik(object), "df"), vapply(rows, `[[`, 0, "df"))
  likelihood_table(loglik, degrees, 2 * (loglik - loglik[1])[-1], (degrees - degrees[1])[-1], c("<none>", terms),
                   paste0("Tests of ", type, " effects of ", formula_text(object$formula), "\n"))
}

brant_test <- function(object, x) {
  case_weights <- row_weights(object)
  n_theta <- length(object$alpha)
  binary <- lapply(seq_len(n_theta), function(j) fit_threshold(object, x, j))
  design <- cbind(1, x)
  scaled <- lapply(binary, function(fit) design * (case_weights * fit$prob * (1 - fit$prob)))
  inverse <- lapply(scaled, function(wx) invert_information(crossprod(design, wx)))
  p <- ncol(x)
  slopes_of <- function(j) (j - 1) * p + seq_len(p)
  covariance <- matrix(0, n_theta * p, n_theta * p)
  for (j in seq_len(n_theta)) {
    covariance[slopes_of(j), slopes_of(j)] <- inverse[[j]][-1, -1]
    for (k in seq_len(n_theta)[-seq_len(j)]) {
      # For a threshold k above j, the covariance of the indicators Y > j and Y > k is P(Y > k) (1 - P(Y > j)).
      between <- crossprod(design, design * (case_weights * binary[[k]]$prob * (1 - binary[[j]]$prob)))
      block <- (inverse[[j]] %*% between %*% inverse[[k]])[-1, -1, drop = FALSE]
      covariance[slopes_of(j), slopes_of(k)] <- block
      covariance[slopes_of(k), slopes_of(j)] <- t(block)
    }
  }
  slopes <- unlist(lapply(binary, `[[`, "slopes"))
  contrast <- function(columns) {
    d <- matrix(0, (n_theta - 1) * length(columns), length(slopes))
    for (j in seq_len(n_theta - 1)) {
      rows <- (j - 1) * length(columns) + seq_along(columns)
      d[cbind(rows, slopes_of(1)[columns])] <- 1
      d[cbind(rows, slopes_of(j + 1)[columns])] <- -1
    }
    difference <- d %*% slopes
    drop(crossprod(difference, solve(d %*% covariance %*% t(d), difference)))
  }
  po_table(colnames(x), contrast, n_theta - 1, "Brant's Wald test")
}

# Estimates P(Y > j) for the threshold j by binary logistic regression.
fit_threshold <- function(object, x, j) {
  y <- as.integer(object$y > j) + 1L
  fit <- fit_columns(x, y, 2L, object$weights, object$offset, control = replace(object$control, "method", "ml"))
  finite <- fit$convergence$status == "converged" && !anyNA(fit$beta) && max(abs(linear_predictor(x, fit$beta))) <= 1e3
  abort_unless(finite, "The binary model at the threshold {.val {names(object$alpha)[j]}} has no finite estimate:
    its levels are separated or a column is aliased there.", "separation", threshold = names(object$alpha)[j])
  list(slopes = fit$beta, prob = plogis(fit$alpha + linear_predictor(x, fit$beta, object$offset)))
}

po_table <- function(columns, statistic_of, df_each, method) {
  sets <- c(list(seq_along(columns)), as.list(seq_along(columns)))
  statistic <- vapply(sets, statistic_of, 0)
  degrees <- lengths(sets) * df_each
  structure(data.frame(term = c("omnibus", columns), statistic = statistic, df = degrees,
                       p_value = pchisq(statistic, degrees, lower.tail = FALSE), stringsAsFactors = FALSE),
            method = method, class = c("judicious_po_test", "data.frame"))
}

score_test <- function(object, x) {
  theta <- -unname(object$alpha)
  eta <- unname(object$linear_predictor)
  n_theta <- length(theta)
  p <- ncol(x)
  case_weights <- row_weights(object)
  # The alternative is a larger model, with separate slopes at every threshold.
  rows <- flexible_rows(theta, eta, object$y, x[, 0], case_weights, object$link, cbind(1, unname(x)))
  parameters <- c(theta, numeric(n_theta * p))
  score <- cumulative_link_pass_cpp(rows, parameters)$gradient
  information <- cumulative_link_information_cpp(rows, parameters)
  # Rao's score test against separate slopes for some columns. The statistic has two parts: one for the common model, in
  # which the slopes of a column change together, and one for the remaining directions, given the common ones.
  common_code <- c(seq_len(n_theta), n_theta + rep(seq_len(p), each = n_theta))
  common_rows <- rowsum(information, common_code)
  common_score <- rowsum(score, common_code)
  projection <- solve(t(rowsum(t(common_rows), common_code)), cbind(common_rows, common_score))
  remaining <- information - crossprod(common_rows, projection[, seq_along(score)])
  step <- projection[, length(score) + 1]
  score <- score - drop(crossprod(common_rows, step))
  statistic_of <- function(columns) {
    free <- outer(seq_len(n_theta)[-1], columns * n_theta, `+`)
    sum(common_score * step) + drop(crossprod(score[free], solve(remaining[free, free], score[free])))
  }
  po_table(colnames(x), statistic_of, n_theta - 1, "Score test")
}

#' @export
print.judicious_po_test <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  if (!all(c("term", "statistic", "df", "p_value") %in% names(x))) return(NextMethod())
  cat(attr(x, "method"), "of proportional odds\n")
  result_table <- as.matrix(as.data.frame(x)[c("statistic", "df", "p_value")])
  dimnames(result_table) <- list(x$term, c("Chisq", "Df", "Pr(>Chisq)"))
  printCoefmat(result_table, digits = digits, has.Pvalue = TRUE, P.values = TRUE, cs.ind = NULL, tst.ind = 1)
  invisible(x)
}
