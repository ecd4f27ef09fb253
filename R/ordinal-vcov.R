# Covariances of coefficients. They are computed from derivatives of the log likelihood of each row, which score tests
# use, too, with respect to thresholds theta (increasing, P(Y <= j) = F(theta_j - eta)) and slopes.

# Rows of a model with flexible thresholds theta and common slopes, in the form that the core accepts. The linear
# predictors `eta` enter as offsets, so that derivatives are taken at slopes of 0.
flexible_rows <- function(theta, eta, y, x, weights, link, nominal = matrix(1, length(eta))) {
  list(link = link, structure = diag(length(theta)), nominal = nominal, location = unname(x) + 0,
       scale = matrix(0, length(eta), 0), y = ifelse(is.na(y), 1L, y), weights = as.double(weights),
       offset = as.double(eta), scale_offset = numeric(length(eta)))
}

# The weighted score of each row, with respect to the coefficients in the order of coef(), where alpha = -theta.
coefficient_scores <- function(fit) {
  refuse_effects(fit, "scores of single rows")
  object <- as_general(fit)
  signs <- signs_for_core(object)
  model <- general_model(object, weights = 1 + 0 * row_weights(object))
  scores <- cumulative_link_gradients_cpp(model, internal_parameters(object)) * rep(signs, each = length(model$y))
  scores <- cbind(scores, if (length(object$link_name)) link_scores(object, model)) * row_weights(object)
  dimnames(scores) <- list(names(object$linear_predictor), names(object$parameters))
  scores
}

# The limits of each row's level on the scale of the link: (theta_{y-1} - eta, theta_y - eta), divided by the row's
# scale.
row_limits <- function(object) {
  need_rows(object)
  if (inherits(object, "judicious_pom_general")) {
    all_limits <- cbind(-Inf, general_limits(object, object, object$linear_predictor), Inf)
    rows <- seq_along(object$y)
    return(list(lower = all_limits[cbind(rows, object$y)], upper = all_limits[cbind(rows, object$y + 1)]))
  }
  theta <- c(-Inf, -unname(object$alpha), Inf)
  list(lower = theta[object$y] - object$linear_predictor, upper = theta[object$y + 1] - object$linear_predictor)
}

# The derivative of each row's log likelihood with respect to the parameter of the link, by finite differences.
link_scores <- function(object, model) {
  limits <- unname(do.call(cbind, row_limits(replace(object, "y", model["y"]))))
  link_value <- link_parameter(object$link)
  h <- 1e-5 * max(abs(link_value), 0.1)
  loglik <- function(parameter) log(cumulative_link_probabilities_cpp(link_with(object$link, parameter), limits)[, 2])
  (loglik(link_value + h) - loglik(link_value - h)) / (2 * h)
}

#' Compute the covariance of the coefficients
#'
#' Estimates the covariance matrix of thresholds and slopes, from the information or by a sandwich estimator.
#'
#' @param object A model by [pom()].
#' @param complete TRUE includes aliased coefficients, as NA.
#' @param type How to estimate the covariance:
#' * `"observed"`: the inverse of the observed information, the negative Hessian of the log likelihood;
#' * `"expected"`: the inverse of the expected (Fisher) information, for links whose parameter is known;
#' * `"sandwich"`: \eqn{H^{-1} (\sum s_i s_i') H^{-1}}{H^-1 (sum s_i s_i') H^-1} with the gradients \eqn{s_i} of the
#' rows' log likelihoods, valid even if the model is misspecified. With weights that are counts, the sum is over the
#' counted rows; gradients of rows with other weights are multiplied by them.
#' @param cluster For `"sandwich"`: one value per row of the data, or per row that the fit used; or a variable of the
#'   data, by a formula (`~ x`) or its name. Gradients are first summed within clusters.
#' @param correction Correction for a small number \eqn{G} of clusters. `"CR1"`: the result is multiplied by
#'   \eqn{G/(G-1)}; `"CR0"`: none; `"CR2"`: the gradients of each cluster are multiplied by \eqn{(I - J_g
#'   J^{-1})^{-1/2}}{(I - J_g J^-1)^(-1/2)} with the expected information \eqn{J_g} of its rows and \eqn{J} of all rows,
#'   which makes the covariance unbiased if the model is right (Bell and McCaffrey, 2002); it requires what `"expected"`
#'   does.
#' @param which `"slopes"` omits the thresholds, of which a continuous response may have thousands. More than 10,000
#'   coefficients raise an error with `"all"`.
#' @param ... Not used.
#' @return A square matrix with a row and a column per coefficient, in the order of `coef()`.
#' @references Bell and McCaffrey (2002). Survey Methodology 28, 169-181.
#' @seealso The functions of package `sandwich` also work on these models; if weights are counts, with clusters
#'   `rep(cluster, weights)`.
#' @examples
#' fit <- pom(gear ~ wt, data = mtcars)
#' sqrt(diag(vcov(fit)))
#' sqrt(diag(vcov(fit, type = "sandwich", cluster = mtcars$cyl)))
#' @export
vcov.judicious_pom <- function(object, complete = TRUE, type = c("observed", "expected", "sandwich"), cluster = NULL,
                               which = c("all", "slopes"), correction = c("CR1", "CR0", "CR2"), ...) {
  refuse_other_arguments("vcov()", ...)
  check_fitted(object)
  which <- check_choice(which, c("all", "slopes"), "which")
  type <- check_choice(type, c("observed", "expected", "sandwich"), "type")
  check_that(missing(correction) || type == "sandwich", "correction", "is only available with
    {.code type = \"sandwich\"}.")
  correction <- check_choice(correction, c("CR1", "CR0", "CR2"), "correction")
  check_that(is.null(cluster) || type == "sandwich", "cluster", "is only available with {.code type = \"sandwich\"}.")
  covariance <- switch(type,
    observed = if (which == "all" || !is.null(object$covariance)) observed_covariance(object) else {
      # Only the covariance of the slopes, because that of thousands of thresholds would take long.
      estimated <- estimated_slopes(object)
      structure(pom_slope_covariance_cpp(object$information, object$scale), dimnames = list(estimated, estimated))
    },
    expected = of_coefficients(object, invert_information(expected_information(in_core_columns(object)))),
    sandwich = sandwich_covariance(object, cluster, correction))
  all_names <- names(coef(object))
  if (which == "slopes") {
    covariance <- covariance[!rownames(covariance) %in% names(object$alpha),
                             !colnames(covariance) %in% names(object$alpha), drop = FALSE]
    all_names <- setdiff(all_names, names(object$alpha))
  }
  if (complete && length(object$aliased)) pad_covariance(covariance, all_names) else covariance
}

# The covariance of the coefficients that are not aliased: vcov(), or what the user asks other packages for, a matrix, a
# function of the fit, clusters (`~x`) or "HC0".
user_covariance <- function(object, covariance = NULL) {
  if (is.function(covariance)) covariance <- covariance(object)
  if (is.null(covariance) || isTRUE(covariance)) return(vcov(object, complete = FALSE))
  clusters <- if (inherits(covariance, "formula")) covariance
  if (!is.null(clusters) || identical(covariance, "HC0"))
    return(vcov(object, complete = FALSE, type = "sandwich", cluster = clusters))
  required <- names(coef(object, complete = FALSE))
  covariance <- as.matrix(covariance)
  if (all(required %in% rownames(covariance)) && identical(rownames(covariance), colnames(covariance)))
    covariance <- covariance[required, required, drop = FALSE]
  check_that(is.numeric(covariance), "vcov", "must be a matrix, a function of the fit, {.code ~x} for clusters or
    {.val HC0}.")
  check_that(all(dim(covariance) == length(required)), "vcov", "must be the covariance of the {length(required)}
    coefficient{?s}: it is {nrow(covariance)} by {ncol(covariance)}.")
  structure(covariance, dimnames = list(required, required))
}

# The covariance of the coefficients for the columns of the core, in any form that user_covariance() accepts.
covariance_at_core <- function(object, covariance) {
  if (is.null(covariance) || isTRUE(covariance)) return(estimates_at_core(object)$covariance)
  if (inherits(covariance, "formula") || identical(covariance, "HC0"))
    return(user_covariance(in_core_columns(object), covariance))
  by_units(user_covariance(object, covariance), solve(estimates_at_core(object)$units, tol = 0))
}

# Adds rows and columns of NA to a covariance, so that it has these names.
pad_covariance <- function(covariance, all_names) {
  full <- matrix(NA_real_, length(all_names), length(all_names), dimnames = list(all_names, all_names))
  common_names <- intersect(all_names, colnames(covariance))
  full[common_names, common_names] <- covariance[common_names, common_names]
  full
}

# Standard errors of all coefficients, NA for aliased ones. If the whole covariance has not been computed, only the
# variances are.
standard_errors <- function(object) {
  if (!is.null(object$covariance)) return(sqrt(diag(vcov(object))))
  out <- coef(object)
  out[!is.na(out)] <- sqrt(pom_variances_cpp(object$information, object$center, object$scale))
  out
}

coefficient_table <- function(object, covariance = NULL) {
  check_fitted(object)
  estimate <- coef(object)
  error <- if (is.null(covariance)) standard_errors(object) else
    sqrt(diag(user_covariance(object, covariance)))[names(estimate)]
  z <- estimate / error
  cbind(Estimate = estimate, `Std. Error` = error, `z value` = z, `Pr(>|z|)` = 2 * pnorm(-abs(z)))
}

# The expected information matrix of the coefficients, in the order of coef(), summed over all rows or over some of
# them.
expected_information <- function(object, rows = TRUE) {
  refuse_effects(object, "the expected information")
  check_that(!length(object$link_name), "object",
             "The expected information needs a known link: give {.arg link_parameter}.")
  object <- as_general(object)
  signs <- signs_for_core(object)
  information <- cumulative_link_information_cpp(general_model(object, rows), internal_parameters(object))
  structure(information * outer(signs, signs), dimnames = rep(list(names(object$parameters)), 2))
}

sandwich_covariance <- function(object, cluster, correction) {
  at_core <- in_core_columns(object)
  scores <- coefficient_scores(at_core)
  bread <- observed_covariance(at_core)
  if (is.null(cluster)) {
    scores <- counted_scores(at_core, scores)
    return(of_coefficients(object, bread %*% crossprod(scores) %*% bread))
  }
  need_single_rows(object, "Clusters")
  cluster <- as.character(used_clusters(object, cluster))
  n <- length(unique(cluster[row_weights(object) > 0]))
  check_that(n >= 2, "cluster", "must tell at least two clusters apart.")
  scores <- if (correction == "CR2") adjusted_scores(at_core, scores, cluster) else
    rowsum(scores, cluster, reorder = FALSE)
  of_coefficients(object, (if (correction == "CR1") n / (n - 1) else 1) * bread %*% crossprod(scores) %*% bread)
}

# The cluster of each row of the fit. `cluster` has a value for each of these rows, or for each row of the data.
used_clusters <- function(object, cluster) {
  n <- length(object$y)
  if (is_string(cluster)) cluster <- rlang::new_formula(NULL, as.name(cluster), environment(terms(object)))
  if (inherits(cluster, "formula")) {
    check_that(!is.null(object$terms) && length(all.vars(cluster)) == 1, "cluster",
               "must be a vector, or name one variable of the data, as in {.code ~ x}.")
    data <- stats::expand.model.frame(object, cluster, environment(cluster), na.expand = FALSE)
    if (nrow(data) == n) data <- data_of_fit(object, data)
    cluster <- model.frame(cluster, data, na.action = na.pass)[[1]]
  }
  data <- if (!is.null(object$call$subset)) eval(object$call$data, environment(terms(object)))
  if (is.data.frame(data) && length(cluster) == nrow(data) && length(cluster) != n)
    cluster <- cluster[match(names(object$linear_predictor), rownames(data))]
  if (length(cluster) == n + length(object$na.action)) cluster <- cluster[setdiff(seq_along(cluster), object$na.action)]
  check_that(length(cluster) == n && !anyNA(cluster), "cluster", "must have one value, not missing, for each of the {n}
    rows used; it has {length(cluster)}{if (anyNA(cluster)) ', some missing'}.")
  cluster
}

# The scores of the clusters, multiplied by (I - J_g J^-1)^-1/2. With J^-1 = C'C, this is C^-1 (I - C J_g C')^-1/2 C,
# which uses a symmetric matrix. A cluster that alone determines a coefficient has no score in that direction, and its
# adjusted score is 0 there.
adjusted_scores <- function(object, scores, cluster) {
  information <- function(rows) expected_information(object, rows)
  root <- chol(invert_information(information(TRUE)))
  out <- lapply(split(seq_along(cluster), cluster), function(rows) {
    decomposition <- eigen(diag(nrow(root)) - root %*% information(rows) %*% t(root), symmetric = TRUE)
    stretch <- ifelse(decomposition$values > 1e-8, 1 / sqrt(pmax(decomposition$values, 1e-8)), 0)
    total <- root %*% colSums(scores[rows, , drop = FALSE])
    drop(solve(root, decomposition$vectors %*% (stretch * crossprod(decomposition$vectors, total))))
  })
  do.call(rbind, out)
}

# The scores of single observations: if weights are counts, a row of weight 3 has three observations with equal scores.
counted_scores <- function(object, scores = coefficient_scores(object)) {
  rows <- counted_rows(object)
  if (!has_counts(object)) return(scores)
  scores[rows, , drop = FALSE] / row_weights(object)[rows]
}

#' @exportS3Method sandwich::estfun
estfun.judicious_pom <- function(x, ...) counted_scores(x)

#' @exportS3Method sandwich::bread
bread.judicious_pom <- function(x, ...) warn_far(observed_covariance(x)) * length(counted_rows(x))

# Warns before package sandwich multiplies a covariance with gradients, if digits that are lost to rounding are those
# that count.
warn_far <- function(covariance) {
  sizes <- sqrt(diag(covariance))
  is_near <- !all(is.finite(covariance)) || rcond(covariance / outer(sizes, sizes)) > 1e-11
  if (!is_near) warn_judicious(c("Columns are too far from 0, or nearly collinear, for package {.pkg sandwich}: its
    standard errors lose digits.", i = "Use {.code vcov(fit, type = \"sandwich\")}, or centre the columns."),
    "rounding")
  covariance
}

#' @exportS3Method sandwich::vcovHC
vcovHC.judicious_pom <- function(x, type = "HC3", ...) {
  refuse_effects(x, "{.fn vcovHC}", instead = "Use {.code vcov(fit, type = \"sandwich\")}.")
  check_that(identical(type, "HC0"), "type", c("must be {.val HC0}: other types are for linear models.",
    i = "For few clusters, use {.code vcov(fit, type = \"sandwich\", cluster = ~ x, correction = \"CR2\")}."))
  vcov(x, complete = FALSE, type = "sandwich")
}

# Bootstraps rows, or whole clusters. The default method would match coefficients by position, which is wrong for
# samples that lack a level and therefore a threshold.
#' @exportS3Method sandwich::vcovBS
vcovBS.judicious_pom <- function(x, cluster = NULL, R = 250, ..., use = "pairwise.complete.obs") {
  refuse_other_arguments("vcovBS()", ...)
  check_count(R, "R")
  need_single_rows(x, "Bootstrap samples")
  if (!is.null(cluster)) cluster <- used_clusters(x, cluster)
  env <- environment(terms(x))
  model_data <- eval(x$call$data, env)
  row_names <- names(x$linear_predictor)
  if (is.data.frame(model_data)) data_of_fit(x, model_data)
  place <- if (is.data.frame(model_data)) match(row_names, rownames(model_data)) else as.integer(row_names)
  rows <- if (is.null(cluster)) as.list(place[counted_rows(x)]) else split(place, cluster)
  user_call <- x$call
  if (is.null(cluster) && has_counts(x)) user_call$weights <- NULL
  replicates <- vapply(seq_len(R), function(i) {
    user_call$subset <- unlist(rows[sample(length(rows), replace = TRUE)], use.names = FALSE)
    coef(suppressMessages(suppressWarnings(eval(user_call, env))))[names(coef(x))]
  }, coef(x))
  stats::cov(t(replicates), use = use)
}
