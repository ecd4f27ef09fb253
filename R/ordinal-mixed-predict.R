#' Predict from a mixed ordinal model
#'
#' Predicts as [predict.judicious_pom()], with the random effects of the groups, without them, or averaged over their
#' distribution.
#'
#' @inheritParams predict.judicious_pom
#' @param object A model by [pom()] with random terms.
#' @param newdata A data frame with the variables of the model, including those of the random terms unless
#'   `effects = "none"`; by default, the rows of the fit. The prediction for a row with a missing value is NA.
#' @param type What to predict, as in [predict.judicious_pom()]. `"terms"` are those of the fixed effects.
#' @param effects How to treat the random effects:
#' * `"conditional"`: at their modes given the data; those of new groups are 0.
#' * `"none"`: all are 0, as in a typical group.
#' * `"marginal"`: the probabilities are averaged over the distribution of the effects, by Gauss-Hermite quadrature with
#' 31 nodes: for groups in the data, a normal approximation of the posterior about the modes; for new groups, the prior.
#' `type = "link"` is as for `"conditional"`.
#' @section Standard errors: They include the uncertainty of thresholds and slopes; with `effects = "conditional"`, also
#'   that of the effects given the data, for known standard deviations.
#' @return As [predict.judicious_pom()].
#' @seealso [posterior_covariance()] for the joint uncertainty of several rows.
#' @examples
#' fit <- pom(gear ~ wt + (1 | carb), data = mtcars)
#' new <- data.frame(carb = c(1, 2, 5), wt = 3)
#' predict(fit, new)
#' predict(fit, new, type = "mean", effects = "marginal")
#' @export
predict.judicious_pom_mixed <- function(object, newdata, type = predict_types, na.action = na.pass,
                                        effects = c("conditional", "none", "marginal"),
                                        se.fit = FALSE, interval = c("none", "confidence"), level = 0.95, ...) {
  refuse_other_arguments("predict()", ...)
  effects <- check_choice(effects, c("conditional", "none", "marginal"), "effects")
  predicted(object, if (!missing(newdata)) newdata, type, na.action, effects, se.fit, interval, level)
}

# The effects of the rows of new data: the `design` for groups of the fit, `extra` entries for groups that are not in
# the fit, and the rows whose group is `missing`.
effect_rows <- function(object, newdata) {
  if (is.null(newdata)) {
    n <- length(object$fixed_predictor)
    return(list(design = object$effect_design, n = n, missing = rep(FALSE, n),
                extra = list(row = integer(), key = character(), value = numeric(), term = integer())))
  }
  newdata <- without_integer64(check_columns(newdata, character(), "newdata"), "newdata")
  env <- environment(object$terms) %||% globalenv()
  n <- nrow(newdata)
  is_missing <- rep(FALSE, n)
  entries <- extra <- vector("list", length(object$random))
  for (t in seq_along(object$random)) {
    random <- object$random[[t]]
    groups <- lapply(random$parts, function(part) as.character(new_value(part, newdata, env)))
    codes <- combination_codes(Map(match, groups, random$part_levels), random$part_levels)
    column <- match(codes, random$combinations, incomparables = NA)
    no_group <- Reduce(`|`, lapply(groups, is.na))
    value <- effect_covariate(random, newdata)
    is_missing <- is_missing | no_group | is.na(value)
    value[is.na(value)] <- 0
    known_rows <- which(!is.na(column))
    entries[[t]] <- list(row = known_rows, column = column[known_rows], value = value[known_rows])
    new <- which(is.na(column) & !no_group)
    extra[[t]] <- list(row = new, key = do.call(text_key, groups)[new], value = value[new])
  }
  extra <- lapply(seq_along(object$factor$row), function(k) {
    # The effect of a new group is a linear combination of the standardised effects of its block.
    from <- extra[[object$factor$row[k]]]
    list(row = from$row, key = paste(object$factor$column[k], from$key), value = from$value,
         term = rep(k, length(from$row)))
  })
  list(design = effect_design(entries, lengths(lapply(object$random, `[[`, "levels")), n, object$factor), n = n,
       missing = is_missing, extra = sapply(c("row", "key", "value", "term"), simplify = FALSE,
                                            function(part) unlist(lapply(extra, `[[`, part))))
}

new_value <- function(part, newdata, env) {
  absent <- setdiff(all.vars(part), c(names(newdata), ls(env)))
  check_that(!length(absent), "newdata", c(
    "has no {cli::qty(absent)}column{?s} {.val {absent}}, which {?groups/group} the random effects.",
    i = "{.code effects = \"none\"} predicts a typical group. For the average over all groups, add the column with a
      value that no group has, such as {.code newdata${absent[1]} <- \"new\"}, and use {.code effects = \"marginal\"}."
  ), kind = "columns", columns = absent)
  value <- eval(part, newdata, env)
  check_that(length(value) == nrow(newdata), "newdata", c(
    "{.code {deparse1(part)}} has {length(value)} value{?s} for {nrow(newdata)} row{?s} of {.arg newdata}.",
    i = "Make it a column of {.arg newdata}."), kind = "columns")
  value
}

# The covariate of a random effect in new data: 1 for an intercept.
effect_covariate <- function(random, newdata) {
  if (random$effect == "(Intercept)") return(rep(1, nrow(newdata)))
  absent <- setdiff(all.vars(random$lhs), names(newdata))
  check_that(!length(absent), "newdata", "has no {cli::qty(absent)}column{?s} {.val {absent}}.", kind = "columns",
             columns = absent)
  frame <- model.frame(terms(random$lhs), newdata, na.action = na.pass, xlev = random$xlevels)
  design_matrix(terms(random$lhs), frame)[, random$effect]
}

# The sum of the random effects of each row, at their posterior modes.
effect_predictor <- function(object, rows) {
  entry_row <- rep.int(seq_len(rows$n), diff(rows$design$offset))
  effect <- object$loadings[entry_parameter(rows$design)] * object$mode[rows$design$column]
  replace(sum_by_code(rows$design$value * effect, entry_row, rows$n), rows$missing, NA)
}

# The variances of the rows' random effects: of the posterior for groups of the fit, and of the prior for new groups.
effect_variance <- function(object, rows) {
  out <- mixed_covariance_cpp(object$effect_design, object$loadings, object$curvature, rows$design, TRUE)[, 1]
  extra <- rows$extra
  if (length(extra$row)) {
    # Before squaring, sums the entries of a row that refer to the same standardised effect.
    key <- match(extra$key, unique(extra$key)) * (rows$n + 1) + extra$row
    sums <- rowsum(extra$value * object$loadings[extra$term], key)
    squares <- rowsum(as.vector(sums)^2, as.numeric(rownames(sums)) %% (rows$n + 1))
    row_number <- as.integer(rownames(squares))
    out[row_number] <- out[row_number] + squares
  }
  out
}

marginal_prediction <- function(object, parts, eta, variance, type) {
  nodes <- hermite_nodes(31)
  prob <- 0
  for (k in seq_along(nodes$x)) {
    prob <- prob + nodes$w[k] * from_linear_predictor(object, eta + sqrt(variance) * nodes$x[k], "prob", parts)
  }
  above <- t(apply(prob[, -1, drop = FALSE], 1, function(p) rev(cumsum(rev(p)))))
  from_probabilities(object, eta, type, unname(prob), matrix(above, nrow(prob)))
}

# The derivatives of the linear predictors of the rows with respect to the coefficients. If `rows` has the random
# effects of the rows, the derivatives include the dependence of the modes on the coefficients.
effect_sensitivity <- function(object, rows, x) {
  out <- predictor_sensitivity(object, x)
  if (is.null(rows)) return(out)
  entry_row <- rep.int(seq_len(rows$n), diff(rows$design$offset))
  value <- rows$design$value * object$loadings[entry_parameter(rows$design)]
  moved <- rowsum(value * object$mode_sensitivity[rows$design$column, , drop = FALSE], entry_row)
  row_number <- as.integer(rownames(moved))
  out[row_number, ] <- out[row_number, ] - moved
  out
}

#' Simulate responses from a mixed proportional-odds model
#'
#' Draws responses for the rows of the fit, with the effects of new groups or with those of the groups in the data.
#'
#' @param object A model by [pom()] with random terms.
#' @param nsim Number of responses to draw for every row.
#' @param seed Seed of the draws; NULL uses R's random number generator.
#' @param effects `"new"`: every simulation draws the effects from their normal distribution; `"conditional"`: they are
#'   at their modes given the data.
#' @param ... Not used.
#' @return As [simulate.judicious_pom()].
#' @examples
#' fit <- pom(gear ~ wt + (1 | carb), data = mtcars)
#' head(simulate(fit, 2, seed = 1))
#' @export
simulate.judicious_pom_mixed <- function(object, nsim = 1, seed = NULL, effects = c("new", "conditional"), ...) {
  refuse_other_arguments("simulate()", ...)
  check_count(nsim, "nsim")
  effects <- check_choice(effects, c("new", "conditional"), "effects")
  rows <- effect_rows(object, NULL)
  simulated_responses(object, nsim, seed, function() {
    eta <- object$linear_predictor
    if (effects == "new") {
      object$mode <- rnorm(length(object$mode))
      eta <- object$fixed_predictor + effect_predictor(object, rows)
    }
    from_linear_predictor(object, eta, "cumulative")
  })
}

#' Compute the joint posterior covariance of linear predictors
#'
#' Computes the covariance of the linear predictors of any rows of a mixed model, given the data. Use it for the joint
#' uncertainty of several rows, such as that of a mean. Rows of the same new group share its effect, which has its
#' prior variance.
#'
#' @param object A model by [pom()] with random terms.
#' @param newdata A data frame with the variables of the model; by default, the rows to which the model was fitted.
#' @param fixed TRUE includes the uncertainty of thresholds and slopes, and that of the modes that follows from it.
#'   FALSE treats thresholds, slopes and standard deviations as known.
#' @param diagonal TRUE returns only the variances, as a vector.
#' @return A matrix with one row and one column per row of `newdata`, or a vector with one element per row. It is NA for
#'   rows with missing values.
#' @examples
#' fit <- pom(gear ~ wt + (1 | carb), data = mtcars)
#' posterior_covariance(fit, data.frame(carb = c(1, 1, 5, 5), wt = 3))
#' @export
posterior_covariance <- function(object, newdata = NULL, fixed = FALSE, diagonal = FALSE) {
  check_class(object, "judicious_pom_mixed", "object", "pom")
  check_flag(fixed, "fixed")
  check_flag(diagonal, "diagonal")
  rows <- effect_rows(object, newdata)
  is_missing <- rows$missing
  out <- mixed_covariance_cpp(object$effect_design, object$loadings, object$curvature, rows$design, diagonal)
  extra <- rows$extra
  if (diagonal) out <- effect_variance(object, rows) else if (length(extra$row)) {
    # Groups that are not in the fit have the covariance of the prior.
    key <- match(extra$key, unique(extra$key))
    value <- extra$value * object$loadings[extra$term]
    out <- out + tcrossprod(matrix(sum_by_code(value, (key - 1) * rows$n + extra$row, rows$n * max(key)), rows$n))
  }
  if (fixed) {
    x <- if (is.null(newdata)) object$columns else prediction_rows(object, newdata, na.pass)$columns
    half <- effect_sensitivity(object, rows, x)
    is_missing <- is_missing | is.na(rowSums(half))
    covariance <- object$covariance
    out <- out + if (diagonal) rowSums((half %*% covariance) * half) else half %*% covariance %*% t(half)
  }
  if (diagonal) return(replace(out, is_missing, NA))
  out[is_missing, ] <- out[, is_missing] <- NA
  out
}
