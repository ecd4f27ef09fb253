# Converts the predictions of any model to a matrix of probabilities, one column per level, lowest first.

# Rows of `features` in which no variable of the model is missing.
complete_for_model <- function(model, features, call = caller_env()) {
  predictors <- tryCatch(stats::delete.response(stats::terms(model)), error = function(cnd) NULL)
  if (is.null(predictors)) return(rep(TRUE, nrow(features)))
  variables <- all.vars(predictors)
  absent <- setdiff(variables, names(features))
  # A formula may also use constants of its environment.
  constant <- vapply(absent, exists, NA, envir = environment(predictors) %||% baseenv(), mode = "numeric")
  check_that(all(constant), "features", c(
    "has no {cli::qty(sum(!constant))}column{?s} {.val {absent[!constant]}}, which the model needs.",
    i = "Its columns are {.val {names(features)}}."
  ), kind = "columns", columns = absent[!constant], call = call)
  used <- intersect(variables, names(features))
  if (length(used)) stats::complete.cases(features[used]) else rep(TRUE, nrow(features))
}

#' @return `levels`, numbers in ascending order, and `prob`, a matrix with one row per row of `features`.
#' @noRd
predict_gain_prob <- function(model, features, call = caller_env()) {
  # Methods treat zero rows differently, but the levels are needed in any case.
  nothing <- !nrow(features)
  if (nothing) return(predict_no_rows(model, call))
  prob <- tryCatch(
    stats::predict(model, features, type = "prob"),
    error = function(cnd) {
      abort_judicious("{.code predict(model, features, type = \"prob\")} fails.", "predict", parent = cnd, call = call)
    }
  )
  if (is.list(prob) && !is.data.frame(prob)) prob <- prob$fit
  # Some methods drop a single row to a vector.
  if (is.null(dim(prob)) && nrow(features) == 1 && !is.null(names(prob))) prob <- t(prob)
  if (is.data.frame(prob)) prob <- as.matrix(prob)
  check_prob_matrix(prob, nrow(features), call)
}

predict_no_rows <- function(model, call) {
  known <- model$levels %||% model$lev %||% model$y.levels
  value <- suppressWarnings(as.numeric(known))
  check_that(length(value) && !anyNA(value), "features",
             "No row of {.arg features} has all that the model needs.", kind = "missing_features", call = call)
  value <- sort(value)
  list(levels = value, prob = matrix(0, 0, length(value)))
}

check_prob_matrix <- function(prob, n, call) {
  fault <- function(message) {
    abort_judicious(c(
      "{.code predict(model, features, type = \"prob\")} must give a matrix of probabilities, one
        row per row of {.arg features}, one column per level.",
      x = message
    ), "predict", argument = "model", call = call)
  }
  if (!is.matrix(prob) || !is.numeric(prob)) fault("It gives {.obj_type_friendly {prob}}.")
  if (nrow(prob) != n) fault("It has {nrow(prob)} row{?s} where {.arg features} has {n}.")
  gains <- column_levels(prob)
  if (is.null(gains)) {
    named <- if (is.null(colnames(prob))) "have no names" else "are {.val {colnames(prob)}}"
    fault(paste0("Its columns must be named by two or more different numbers, but ", named, "."))
  }
  bad <- which(abs(rowSums(prob) - 1) > 1e-6 | rowSums(prob < 0) > 0)
  if (length(bad)) fault("Row {bad[1]} is not a distribution: {paste(signif(prob[bad[1], ], 4), collapse = ', ')}.")
  sorted <- order(gains)
  list(levels = gains[sorted], prob = unname(prob[, sorted, drop = FALSE]))
}

# The numbers in the column names; NULL unless there are at least two, all different.
column_levels <- function(prob) {
  gains <- suppressWarnings(as.numeric(colnames(prob)))
  valid <- length(gains) == ncol(prob) && length(gains) >= 2 && !anyNA(gains) && !anyDuplicated(gains)
  if (valid) gains
}

scale_of_levels <- function(levels) {
  known <- list(fine_scale(), fine_scale(10), broad_scale())
  same <- vapply(known, function(scale) identical(scale$model_levels, as.numeric(levels)), NA)
  if (any(same)) known[[which(same)]] else gain_scale(levels)
}

# Checks that the levels of a model are the model levels of the scale.
check_model_levels <- function(levels, scale, arg = "model", call = caller_env()) {
  if (identical(as.numeric(levels), as.numeric(scale$model_levels))) return(invisible())
  abort_judicious(c(
    "The levels of {.arg {arg}} are not those of the gain scale.",
    x = "The model has {paste(levels, collapse = ', ')}; the scale models
      {paste(scale$model_levels, collapse = ', ')}.",
    i = "The scale is {format(scale)}."
  ), "levels", argument = arg, call = call)
}
