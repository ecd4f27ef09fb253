# Predictions and methods of models beyond the fast path. Shared methods are in ordinal-methods.R.

#' @export
predict.judicious_pom_general <- function(object, newdata,
                                          type = c("prob", "cumulative", "class", "mean", "variance", "link"),
                                          na.action = na.pass, se.fit = FALSE, interval = c("none", "confidence"),
                                          level = 0.95, ...) {
  check_no_more("predict()", ...)
  type <- check_choice(type, c("prob", "cumulative", "class", "mean", "variance", "link"), "type")
  interval <- check_interval(type, se.fit, interval, level)
  check_numeric_levels(object, type)
  own <- missing(newdata) || is.null(newdata)
  parts <- if (own) object else new_general_parts(object, newdata, na.action)
  at <- function(change) {
    if (any(change != 0)) object <- set_general_parameters(object, object$parameters + change)
    from_general_parts(object, parts, linear_predictor(parts$columns, object$beta, parts$offset), type)
  }
  out <- if (!se.fit && interval == "none") at(0) else
    with_error(at, observed_covariance(object), type, se.fit, interval, level)
  if (own) pad_prediction(object$na.action, out) else out
}

# The model matrices and offsets of newdata.
new_general_parts <- function(object, newdata, na.action, call = caller_env()) {
  if (is.null(object$terms)) {
    x <- dense_columns(matrix_rows(object, newdata, call)$x)
    return(list(columns = x[, colnames(object$columns), drop = FALSE], nominal_columns = matrix(1, nrow(x), 1),
                scale_columns = x[, 0]))
  }
  frame <- new_frame(object, newdata, na.action, terms = object$frame_terms, call = call)
  side <- function(which, kept) {
    side_columns(object$sides[[which]], frame, object$contrasts)[, kept, drop = FALSE]
  }
  list(columns = side("location", colnames(object$columns)),
       nominal_columns = cbind(rep(1, nrow(frame)), side("nominal", colnames(object$nominal_columns)[-1])),
       scale_columns = side("scale", colnames(object$scale_columns)),
       offset = new_offset(object, newdata, side_offset(object$sides$location, frame), nrow(frame), call),
       scale_offset = side_offset(object$sides$scale, frame))
}

# Predictions for rows with the columns of `parts` and the linear predictor `eta`.
from_general_parts <- function(object, parts, eta, type) {
  if (type == "link") return(eta)
  known <- stats::complete.cases(parts$nominal_columns, parts$scale_columns) & !is.na(eta + (parts$scale_offset %||% 0))
  limits <- general_limits(object, parts, eta, known)
  prob <- cumulative_link_probabilities_cpp(object$link, limits)
  values <- switch(type,
    prob = structure(prob, dimnames = list(NULL, object$levels)),
    cumulative = structure(link_cdf_cpp(object$link, limits, FALSE),
                           dimnames = list(NULL, paste0(">=", object$levels[-1]))),
    class = max.col(prob, ties.method = "first"),
    mean = prob %*% object$level_values,
    variance = rowSums(prob * outer(-drop(prob %*% object$level_values), object$level_values, `+`)^2)
  )
  values <- as.matrix(values)
  out <- matrix(NA, length(eta), ncol(values), dimnames = list(names(eta), colnames(values)))
  out[known, ] <- values
  switch(type, class = factor(object$levels[out], levels = object$levels, ordered = TRUE),
         mean = , variance = drop(out), out)
}

# (theta_ij - eta_i) divided by the row's scale, for all thresholds: rows x thresholds.
general_limits <- function(object, parts, eta, rows = rep(TRUE, length(eta))) {
  of <- function(m) m[rows, , drop = FALSE]
  n <- sum(rows)
  model <- general_model(object, matrix(0, n, 0), of(parts$nominal_columns), of(parts$scale_columns), eta[rows],
                         if (!is.null(parts$scale_offset)) parts$scale_offset[rows])
  slopes <- length(object$structure$sign) * ncol(object$nominal_columns) + seq_len(ncol(object$columns))
  parameters <- internal_parameters(object)
  cumulative_link_limits_cpp(model, if (length(slopes)) parameters[-slopes] else parameters)
}

general_model <- function(object, x, n, z, offset, scale_offset, y = rep(1L, nrow(x))) {
  bare <- function(m) matrix(as.double(m), nrow(m), ncol(m))
  list(link = object$link, structure = object$structure$matrix, nominal = bare(n), location = bare(x), scale = bare(z),
       y = y, weights = rep(1, nrow(x)), offset = as.double(offset %||% numeric(nrow(x))),
       scale_offset = as.double(scale_offset %||% numeric(nrow(x))))
}

# The parameters in the form of the core, with thresholds theta.
internal_parameters <- function(object) {
  n_psi <- length(object$structure$sign) * ncol(object$nominal_columns)
  parameters <- unname(object$parameters)[seq_len(length(object$parameters) - length(object$link_name))]
  parameters[seq_len(n_psi)] <- parameters[seq_len(n_psi)] * object$structure$sign
  parameters
}

general_scores <- function(object) {
  y <- ifelse(is.na(object$y), 1L, object$y)
  model <- general_model(object, object$columns, object$nominal_columns, object$scale_columns,
                         object$offset, object$scale_offset, as.integer(y))
  scores <- cumulative_link_gradients_cpp(model, internal_parameters(object))
  scores <- cbind(scores, if (length(object$link_name)) link_scores(object, model)) * row_weights(object)
  n_psi <- length(object$structure$sign) * ncol(object$nominal_columns)
  scores[, seq_len(n_psi)] <- sweep(scores[, seq_len(n_psi), drop = FALSE], 2,
                                    rep(object$structure$sign, ncol(object$nominal_columns)), `*`)
  dimnames(scores) <- list(names(object$linear_predictor), names(object$parameters))
  scores
}

# The derivative of each row's log likelihood by the parameter of the link, by finite differences.
link_scores <- function(object, model) {
  all <- cbind(-Inf, cumulative_link_limits_cpp(model, internal_parameters(object)), Inf)
  limits <- cbind(all[cbind(seq_along(model$y), model$y)], all[cbind(seq_along(model$y), model$y + 1L)])
  at <- link_parameter(object$link)
  h <- 1e-5 * max(abs(at), 0.1)
  loglik <- function(parameter) {
    log(cumulative_link_probabilities_cpp(link_with(object$link, parameter), limits)[, 2])
  }
  (loglik(at + h) - loglik(at - h)) / (2 * h)
}

#' @export
summary.judicious_pom_general <- function(object, ...) {
  table <- coefficient_table(object)
  structure(c(
    list(table = table, coef_type = object$coef_type, loglik = logLik(object), aic = AIC(object), bic = BIC(object),
         n_missing = length(object$na.action)),
    object[c("call", "formula", "levels", "n_obs", "aliased", "convergence", "link", "threshold", "separation",
             "separated")],
      expected_error(object)
  ), class = "judicious_pom_general_summary")
}

#' @export
print.judicious_pom_general_summary <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat_general_header(x)
  titles <- c(slope = "Slopes", nominal = "Effects on single thresholds", scale = "Log scale",
              link = "Link",
              threshold = paste0("Thresholds (", x$threshold, ")"))
  for (type in names(titles)[names(titles) %in% x$coef_type]) {
    cat("\n", titles[[type]], ":\n", sep = "")
    one <- x$table[x$coef_type == type, , drop = FALSE]
    if (type == "threshold") print(one[, 1:2, drop = FALSE], digits = digits) else
      printCoefmat(one, digits = digits, na.print = "aliased", signif.legend = FALSE)
  }
  cat_summary_end(x)
  cat_trouble(x)
  invisible(x)
}

#' @export
print.judicious_pom_general <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat_general_header(x)
  cat("\n")
  print(coef(x), digits = digits)
  cat("\n", counted(x$n_obs, "observation"), ", ", counted(length(x$levels), "level"), ", log likelihood ",
      format(x$loglik, nsmall = 2), "\n", sep = "")
  cat_trouble(x)
  invisible(x)
}

cat_general_header <- function(x, model = "Cumulative-link model") {
  cat(model, " (", link_text(x$link), "): ", formula_text(x$formula), "\n", sep = "")
  for (side in c("nominal", "scale")) {
    if (!is.null(x$call[[side]])) cat("  ", side, ": ", paste(deparse(x$call[[side]]), collapse = " "), "\n", sep = "")
  }
}

# Raises an error except for the logit model with flexible thresholds and one slope per column.
need_plain <- function(object, what, call = caller_env()) {
  refuse_effects(object, what, call)
  if (inherits(object, "judicious_pom_general")) {
    abort_judicious("{upper_first(what)} works for proportional-odds models: logit link, flexible thresholds, no
      nominal or scale effects.", "argument", argument = "object", call = call)
  }
}
