# The variables of a model in new data, by the terms, levels and types of the fit.

# The model's variables in the rows of newdata.
new_frame <- function(object, newdata, na.action, terms) {
  newdata <- check_columns(newdata, character(), "newdata")
  terms <- delete.response(terms)
  elsewhere <- check_new_variables(object, newdata, terms)
  newdata <- with_types_of_fit(object, newdata, terms)
  # Bases such as splines::ns() cannot be computed if no row has values. Rows of NA with the variables of the fit's
  # frame are used instead.
  used <- newdata[intersect(names(newdata), all.vars(terms))]
  for (name in names(used)) refuse_type(used[[name]], name)
  no_values <- length(used) > 0 && !is.null(object$model) && !any(stats::complete.cases(used))
  frame <- withCallingHandlers({
    for (name in names(object$xlevels)) check_known_levels(object$xlevels[[name]], name, newdata, terms)
    if (no_values) na.action(empty_rows(object$model, newdata, terms)) else
      plain_values(model.frame(terms, newdata, na.action = na.action, xlev = object$xlevels))
  }, simpleError = function(cnd) {
    refuse_absent(elsewhere$functions, terms)
    abort_argument("newdata", "cannot be used: {conditionMessage(cnd)}.", kind = "columns")
  }, simpleWarning = function(cnd) {
    # A warning without a call is the one of R that variables have another number of rows than newdata. These variables
    # are reported as missing in newdata.
    if (is.null(conditionCall(cnd))) refuse_absent(elsewhere$variables, terms)
    # R warns that it drops contrasts that were made by C(), which are kept in the contrasts of the fit, and that a
    # variable is not a factor, which is an error below.
    needless <- sub("%s.*", "", gettext(c("contrasts dropped from factor %s", "variable '%s' is not a factor"),
                                        domain = "R-stats"))
    if (any(startsWith(conditionMessage(cnd), needless))) invokeRestart("muffleWarning")
  })
  classes <- attr(terms, "dataClasses")
  if (!is.null(classes)) tryCatch(.checkMFClasses(classes, frame), error = function(cnd) {
    abort_judicious("{.arg newdata}: {conditionMessage(cnd)}.", "columns", argument = "newdata")
  })
  refuse_other_units(c(frame, newdata), attr(terms, "time_units"))
  warn_row_dependent(frame, attr(terms, "row_dependent"), object$model)
  frame
}

refuse_other_units <- function(variables, in_fit) {
  new <- time_units(variables)[names(in_fit)]
  other <- which(new != in_fit)
  check_that(!length(other), "newdata", "has the times {.code {names(in_fit)[other]}} in {.val {new[other]}}, but the
    data of the fit in {.val {in_fit[other]}}: convert them.", kind = "columns", columns = names(in_fit)[other])
}

# Warns about predictors that depend on other rows, such as x - mean(x), unless the rows of the fit, which may have
# another order or lie among rows that the fit left out, have their values in the fit.
warn_row_dependent <- function(frame, variables, in_fit) {
  if (!length(variables)) return(invisible())
  again <- frame[rownames(in_fit), variables, drop = FALSE]
  are_equal <- isTRUE(all.equal(c(again), c(in_fit[variables]), tolerance = 1e-10, check.attributes = FALSE))
  if (are_equal) return(invisible())
  warn_judicious(c("{.code {variables}} {cli::qty(variables)}depend{?s/} on other rows: {?it is/they are} computed from
    other rows than in the fit.", i = "Make {cli::qty(variables)}{?it a column/them columns}
    of the data, or use {.code scale(x)} or {.code poly(x, 2)}, which keep the means of the fit."), "row_wise",
    variables = variables)
}

# Raises an error if a variable of the terms is neither a column of newdata nor found elsewhere. Returns the names that
# are found elsewhere: `variables` of the environment of the formula, and `functions`, names that may only be those of
# functions, as in C(f, contr.sum).
check_new_variables <- function(object, newdata, terms) {
  absent <- setdiff(all.vars(terms), c(names(newdata), "pi"))
  # The environment is searched only if columns are missing, because listing the names of a large environment takes
  # longer than a small prediction.
  outside <- if (length(absent)) intersect(absent, ls(environment(terms) %||% emptyenv(), all.names = TRUE))
  absent <- setdiff(absent, outside)
  # A variable outside of newdata with one value for each row of the fit has no values for new rows, so it raises an
  # error. Others, such as knots, may be outside of newdata.
  n_fit <- length(object$linear_predictor) + length(object$na.action)
  is_row_variable <- vapply(outside, function(name) NROW(get(name, environment(terms))) == n_fit, NA)
  if (n_fit > 1) refuse_absent(outside[is_row_variable], terms)
  # A missing column may have the name of a function, such as c.
  is_function <- vapply(absent, exists, NA, envir = environment(terms) %||% globalenv(), mode = "function")
  refuse_absent(absent[!is_function | absent %in% variable_names(terms)], terms)
  list(variables = outside, functions = absent)
}

refuse_absent <- function(absent, terms) {
  has_dollar <- any(c("$", "[[") %in% all.names(terms))
  check_that(!length(absent), "newdata", c(
    "has no {cli::qty(absent)}column{?s} {.val {absent}}.",
    i = "It must have every variable of the model.",
    i = if (has_dollar) "Fit with {.code pom(y ~ x, data = d)} instead of {.code pom(d$y ~ d$x)}."
  ), kind = "columns", columns = absent)
}

# Columns of newdata in which all values are NA are logical: they get the type that they have in the fit.
with_types_of_fit <- function(object, newdata, terms) {
  classes <- attr(terms, "dataClasses")
  unknown <- names(newdata)[vapply(newdata, function(value) is.logical(value) && all(is.na(value)), NA)]
  for (name in intersect(unknown, names(object$xlevels))) newdata[[name]] <- as.character(newdata[[name]])
  for (name in intersect(unknown, names(classes)[classes == "numeric"])) newdata[[name]] <- as.numeric(newdata[[name]])
  newdata
}

# A model frame with a row for each row of newdata, in which all variables are NA, but have their types in the frame of
# the fit.
empty_rows <- function(frame, newdata, terms) {
  frame <- frame[rep(NA_integer_, nrow(newdata)), variable_names(terms), drop = FALSE]
  rownames(frame) <- rownames(newdata)
  structure(frame, terms = terms)
}

check_known_levels <- function(in_fit, name, newdata, terms) {
  value <- if (name %in% names(newdata)) newdata[[name]] else eval(str2lang(name), newdata, environment(terms))
  unknown <- setdiff(unique(as.character(value)), c(in_fit, NA))
  check_that(!length(unknown), "newdata", c(
    "has {cli::qty(unknown)}the new level{?s} {.val {unknown}} in the column {.val {name}}.",
    i = "The model knows the levels {.val {in_fit}}.",
    i = if (name %in% attr(terms, "row_dependent")) "It depends on other rows: make it a column of the data."
  ), kind = "levels", columns = name, levels = unknown)
}

# The offset terms of the formula plus the argument `offset`, for n rows of newdata.
new_offset <- function(object, newdata, offset, n) {
  if (!is.null(object$call$offset)) {
    absent <- setdiff(all.vars(object$call$offset), names(newdata))
    absent <- absent[!vapply(absent, exists, NA, envir = environment(object$terms))]
    check_that(!length(absent), "newdata", "has no {cli::qty(absent)}column{?s} {.val {absent}}, of the model's
      offset.", kind = "columns", columns = absent)
    value <- eval(object$call$offset, newdata, environment(object$terms))
    check_offset_values(value, expression_text(object$call$offset))
    check_that(length(value) %in% c(1, n), "newdata", c(
      "The model has {.code offset = {rlang::expr_deparse(object$call$offset)}}, which has {length(value)} value{?s} for
        {n} row{?s} of {.arg newdata}.",
      i = "Make the offset a column of {.arg newdata}."), kind = "offset")
    offset <- (offset %||% 0) + value
  }
  offset
}
