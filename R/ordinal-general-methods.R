# Predictions and methods of models beyond the fast path. Shared methods are in ordinal-methods.R.

#' @export
predict.judicious_pom_general <- function(object, newdata, type = predict_types, na.action = na.pass,
                                          se.fit = FALSE, interval = c("none", "confidence"),
                                          level = 0.95, ...) {
  check_no_more("predict()", ...)
  type <- prediction_type(type)
  interval <- check_interval(type, se.fit, interval, level)
  check_numeric_levels(object, type)
  own <- missing(newdata) || is.null(newdata)
  if (type == "terms") return(term_contributions(object, if (!own) newdata, na.action))
  parts <- if (own) object else new_general_parts(object, newdata, na.action)
  at <- function(change) {
    if (any(change != 0)) object <- set_general_parameters(object, object$parameters + change)
    from_linear_predictor(object, linear_predictor(parts$columns, object$beta, parts$offset), type, parts)
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

#' @export
summary.judicious_pom_general <- function(object, ...) {
  estimates <- coefficient_table(object)
  structure(c(
    list(table = estimates, coef_type = object$coef_type, loglik = logLik(object), aic = AIC(object), bic = BIC(object),
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
