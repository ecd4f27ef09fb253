# Converts the user's call, with the data instead of their expression, to matrices: model frame, response codes, model
# matrix, weights, offset. If there is a formula `fixed`, the model matrix is made from it, because the formula of the
# call then includes further variables for the model frame.
pom_design <- function(call, env, contrasts, sparse = FALSE, fixed = NULL) {
  used_columns(call, env, names(call$data))
  frame <- pom_frame(call, env)
  terms <- attr(frame, "terms")
  times <- time_units(with_bare_times(frame, call$data, terms))
  check_that(attr(terms, "response") != 0, "formula", "has no response: write {.code response ~ terms}.")
  check_that(!variable_names(terms)[1] %in% attr(terms, "term.labels"), "formula",
             "has the response {.code {variable_names(terms)[1]}} on both sides.")
  if (!is.null(fixed)) terms <- terms_within(fixed, terms, frame)
  model_formula <- formula(terms)
  terms <- structure(with_intercept(terms, model_formula), row_dependent = row_dependent(call, env, terms),
                     time_units = times)
  check_contrasts(contrasts, terms, names(call$data))
  case_weights <- check_weights(model.weights(frame), nrow(frame))
  row_offset <- frame_offset(frame)
  check_one_column(row_offset, "offset")
  if (!is.null(row_offset)) row_offset <- as.double(row_offset)
  check_finite(row_offset, "offset")
  # model.response() is not used, because it would create names of all rows.
  response <- pom_response(frame[[attr(terms, "response")]], case_weights, names(frame)[1])
  sparse <- sparse && length(response$levels) <= max_sparse_levels
  used <- used_contrasts(contrasts, terms)
  x <- withCallingHandlers(model_columns(terms, frame, used, sparse), simpleError = function(cnd) {
    check_that(!length(used), "contrasts", "cannot be used: {conditionMessage(cnd)}.")
  })
  renamed <- attr(x, "renamed")
  shown <- sprintf("%s is of %s", colnames(x)[renamed], attr(terms, "term.labels")[attr(x, "assign")[renamed]])
  if (length(renamed)) inform_judicious("Columns of the same name are numbered: {shown}.", "renamed",
                                   columns = colnames(x)[renamed])
  list(x = x, response = response, weights = case_weights, offset = row_offset, formula = model_formula, terms = terms,
       xlevels = .getXlevels(terms, frame), contrasts = attr(x, "contrasts"), frame = frame,
       source = if (!is.null(attr(frame, "counts"))) "counts", na.action = attr(frame, "na.action"))
}

# Contrasts must be named by variables of the model. Those of other columns or variables, which update() and drop1()
# leave in the call when they remove a term, are not used.
check_contrasts <- function(contrasts, terms, columns) {
  check_that(!length(contrasts) || has_distinct_names(contrasts), "contrasts",
             "must be named by factors of the model, as in {.code list(x = \"contr.sum\")}.")
  outside <- setdiff(names(contrasts), rownames(attr(terms, "factors")))
  unknown <- setdiff(outside, columns)
  unknown <- unknown[!vapply(unknown, exists, NA, envir = environment(terms) %||% emptyenv())]
  check_that(!length(unknown), "contrasts", c(
    "has {.val {unknown}}, which {?is/are} not in the model.",
    i = "Its variables are {.val {rownames(attr(terms, 'factors'))[-1]}}."))
  if (length(outside)) inform_judicious("The contrasts of {.val {outside}} are not used, because the model has no such
    {cli::qty(outside)}variable{?s}.", "contrasts", columns = outside)
}

# Puts the user's call into a fit whose call has the data instead of their expression. The expression is evaluated once,
# because it may be random, as d[sample(n), ] is, or take time.
keep_call <- function(fit, user_call) {
  fit$call <- user_call
  fit$frame_call$data <- user_call$data
  without_nulls(fit)
}

# Other packages, such as ggeffects, take a list with an element NULL for no model.
without_nulls <- function(fit) structure(Filter(Negate(is.null), unclass(fit)), class = class(fit))

# The terms of the fixed formula with the attributes of their variables in the frame (which poly() needs to predict).
terms_within <- function(fixed, all_terms, frame) {
  out <- terms(fixed, data = frame)
  attr(out, "intercept") <- 1L
  position <- match(variable_names(out), variable_names(all_terms))
  attr(out, "predvars") <- as.call(c(quote(list), as.list(attr(all_terms, "predvars"))[-1][position]))
  attr(out, "dataClasses") <- attr(all_terms, "dataClasses")[position]
  out
}

with_intercept <- function(terms, formula) {
  if (attr(terms, "intercept") == 0) inform_judicious("The thresholds are the model's intercepts:
    {.code {formula_text(formula)}} is fitted as with an intercept.", "intercept")
  attr(terms, "intercept") <- 1L
  terms
}

# Checks the columns that the call uses. Other names are looked up in the environment of the formula.
used_columns <- function(call, env, columns) {
  is_valid <- all(validUTF8(utf8_text(as.character(columns))))
  check_that(is_valid, "data", "has names of columns that are not in UTF-8.", kind = "encoding")
  model_formula <- eval(call$formula, env)
  used <- c(list(model_formula), as.list(call)[intersect(c("weights", "offset", "subset"), names(call))],
             lapply(as.list(call)[intersect(c("nominal", "scale"), names(call))], eval, env))
  used <- setdiff(unlist(lapply(used, variables_in)), ".")
  absent <- setdiff(used, columns)
  absent <- absent[!vapply(absent, exists, NA, envir = environment(model_formula) %||% env)]
  if (length(absent)) {
    where <- if (is.null(columns)) "The call has no {.arg data}" else
      "{.arg data} has no {cli::qty(absent)}column{?s} {.val {absent}}"
    abort_judicious(c(paste0(where, ", and {?there is/there are} no variable{?s} {.val {absent}} where the formula was
                             written."), i = if (length(columns)) "The columns are {name_some(columns, 20)}."),
                    "columns", argument = "data", columns = absent)
  }
  intersect(columns, used)
}

# The names of the variables of an expression. An expression such as `d$x` has the variable d.
variables_in <- function(expression) {
  if (!any(c("$", "@") %in% all.names(expression))) return(all.vars(expression))
  all.vars(str2lang(gsub("[$@] *(`[^`]*`|[[:alnum:]._]+)", "", paste(deparse(expression), collapse = " "))))
}

pom_frame <- function(call, env) {
  call <- call[c(1L, match(c("formula", "data", "weights", "offset", "subset", "na.action"), names(call), 0L))]
  call[[1L]] <- quote(stats::model.frame)
  action <- missing_action(call, env)
  # Standard functions leave a frame without missing values unchanged, but na.omit() would copy the data.
  if (is_standard_action(action))
    call$na.action <- function(frame) if (any(vapply(frame, anyNA, NA))) action(frame) else frame
  if ("data" %in% names(call)) call$data <- plain_values(eval(call$data, env))
  if ("subset" %in% names(call)) call$subset <- existing_rows(call, env)
  frame <- plain_values(withCallingHandlers(eval(call, env), error = function(cnd) {
    check_row_arguments(call, env)
    refuse_terms(call, env)
    abort_unless(inherits(cnd, "judicious_error"), "The variables of the model do not make a table:
      {conditionMessage(cnd)}.", "columns")
  }))
  frame <- with_factors(frame)
  if (NCOL(model.response(frame)) < 2) return(frame)
  refuse_factors_as_counts(call, env)
  with_counts(frame)
}

# Unused levels of predictors are dropped, as in lm(); pom_response() reports those of the response. Text is converted
# here, because model.matrix() would create factors whose levels, and thus coefficients, depend on the locale.
with_factors <- function(frame) {
  for (name in setdiff(names(frame), names(frame)[attr(attr(frame, "terms"), "response")])) {
    value <- frame[[name]]
    if (is.character(value)) check_utf8(value, name, "data")
    if (is.character(value) || has_unused_levels(value)) frame[[name]] <- text_factor(value)
  }
  frame
}

# The variables of some rows, including missing values.
model_variables <- function(rows, formula, call, env) {
  frame_call <- call[c(1L, match(c("weights", "offset", "subset"), names(call), 0L))]
  frame_call[[1L]] <- quote(stats::model.frame)
  frame_call[c("formula", "data", "na.action")] <- list(formula, rows, quote(stats::na.pass))
  eval(frame_call, env)
}

# The names of variables that have other values in halves of (at most 1000 of) the rows than in all of them. Attribute
# `terms`: with the parameters of variables such as poly().
differing_variables <- function(rows, terms, call, env) {
  rows <- rows[unique(round(seq(1, nrow(rows), length.out = min(nrow(rows), 1000)))), , drop = FALSE]
  full <- model_variables(rows, terms, call, env)
  terms <- attr(full, "terms")
  half <- seq_len(ceiling(nrow(rows) / 2))
  halves <- lapply(list(half, -half), function(i) model_variables(rows[i, , drop = FALSE], terms, call, env))
  is_equal <- vapply(seq_along(full), function(k) {
    value <- function(frame) if (is.factor(frame[[k]])) as.character(frame[[k]]) else unclass(frame[[k]])
    parts <- if (is.null(dim(full[[k]]))) unlist(lapply(halves, value)) else do.call(rbind, lapply(halves, value))
    isTRUE(all.equal(parts, value(full), tolerance = 1e-10, check.attributes = FALSE))
  }, NA)
  structure(names(full)[!is_equal], terms = terms)
}

# The predictors that depend on other rows, such as x - mean(x), so that predictions for other data would compute them
# from other means. Variables that `data` does not have are not examined.
row_dependent <- function(call, env, terms) {
  terms <- delete.response(terms)
  if (!is.data.frame(call$data) || all(vapply(as.list(attr(terms, "variables"))[-1], is.name, NA))) return(character())
  # The seed restores the random numbers that variables such as jitter(x) draw.
  found <- with_seed(1, suppressWarnings(tryCatch(differing_variables(call$data, terms, call[1L], env),
                                                  error = function(cnd) NULL)))
  as.character(found)
}

# The value of `subset`. Rows that do not exist raise an error; model.frame() would make rows of missing values of them.
existing_rows <- function(call, env) {
  model_formula <- eval(call$formula, env)
  value <- eval(call$subset, call$data, environment(model_formula) %||% env)
  n <- row_count(model_formula, call$data, env)
  absent <- if (is.numeric(value)) abs(value[which(abs(value) > n)]) else if (is.character(value))
    setdiff(value, if (is.data.frame(call$data)) rownames(call$data) else value) else if (length(value) > n) n + 1
  check_that(!length(absent), "subset", "selects row {.val {absent[1]}}, but the data have {n} row{?s}.")
  value
}

row_count <- function(model_formula, data, env) {
  if (is.data.frame(data)) nrow(data) else NROW(eval(model_formula[[2]], data, environment(model_formula) %||% env))
}

# Raises a clearer error than model.frame(), which calls the argument "(weights)" and does not state its length.
check_row_arguments <- function(call, env) {
  model_formula <- eval(call$formula, env)
  data <- eval(call$data, env)
  n <- row_count(model_formula, data, env)
  for (name in intersect(c("weights", "offset"), names(call))) {
    value <- eval(call[[name]], data, environment(model_formula))
    check_that(NROW(value) == n, name, c(
      "has {NROW(value)} value{?s}, but the data have {n} row{?s}.",
      i = if (is_string(value) && value %in% names(data)) "Give the column without quotes: {.code {name} = {value}}."
    ))
  }
}

# Raises an error for a term that cannot be computed, as poly(x, 2) if x has missing or infinite values.
refuse_terms <- function(call, env) {
  model_formula <- eval(call$formula, env)
  data <- eval(call$data, env)
  value_of <- function(expression) eval(expression, data, environment(model_formula))
  lacks_values <- function(value) anyNA(value) || is.numeric(value) && any(is.infinite(value))
  for (term in as.list(attr(terms(model_formula, data = data), "variables"))[-1]) {
    value <- suppressWarnings(tryCatch(value_of(term), error = identity))
    check_that(!is.function(value), "data", "has no column {.val {expression_text(term)}}.", kind = "columns")
    if (!inherits(value, "error")) next
    lacking <- Filter(function(name) lacks_values(value_of(as.name(name))), all.vars(term))
    abort_unless(!length(lacking), c(
      "The term {.code {expression_text(term)}} cannot be computed, because {.code {lacking[1]}} has values that are
        missing or infinite.",
      i = "Leave their rows out: {.code data = data[is.finite(data${lacking[1]}), ]}."
    ), "columns", columns = lacking)
    abort_judicious("The term {.code {expression_text(term)}} cannot be computed: {conditionMessage(value)}.",
                    "columns")
  }
}

# Raises an error for cbind() of factors, such as the responses of a multivariate model, whose codes would be taken for
# counts.
refuse_factors_as_counts <- function(call, env) {
  model_formula <- eval(call$formula, env)
  response <- as.list(model_formula[[2]])
  if (!identical(response[[1]], quote(cbind))) return(invisible())
  columns <- lapply(response[-1], eval, eval(call$data, env), environment(model_formula) %||% env)
  abort_unless(!any(vapply(columns, is.factor, NA)), c(
    "A response of several columns has the counts of the levels, but {.code {format(model_formula[[2]])}} has factors.",
    i = "Fit a model to each response."), "response")
}

# A response of counts, such as cbind(low, high): one row per level, with the count as its weight. The attribute
# `counts` has the names of the rows of the data.
with_counts <- function(frame) {
  model_terms <- attr(frame, "terms")
  counts <- model.response(frame)
  abort_unless(is.numeric(counts) && all(is.finite(counts)) && all(counts >= 0), "A response of several columns has the
    counts of the levels: finite numbers that are not negative.", "response")
  level_names <- colnames(counts) %||% as.character(seq_len(ncol(counts)))
  cell <- which(t(counts) > 0) - 1
  row_of_count <- cell %/% length(level_names) + 1
  level <- cell %% length(level_names) + 1
  left_out <- attr(frame, "na.action")
  case_weights <- t(counts)[cell + 1] * (model.weights(frame)[row_of_count] %||% 1)
  row_names <- rownames(frame)[row_of_count]
  frame <- frame[row_of_count, , drop = FALSE]
  frame[[1]] <- ordered(level_names[level], level_names)
  frame[["(weights)"]] <- case_weights
  attr(model_terms, "dataClasses")[[1]] <- "ordered"
  # The omitted rows are not rows of this frame, so predictions cannot be padded for them.
  if (!is.null(left_out)) attr(frame, "na.action") <- structure(left_out, class = "omit")
  structure(frame, terms = model_terms, counts = row_names)
}

# Raises an error for terms that have a meaning in other packages, but would be ordinary functions here.
check_special_terms <- function(formula) {
  remedies <- c(strata = "{.code nominal = ~ group} gives each group thresholds of its own.",
                cluster = "{.code vcov(fit, type = 'sandwich', cluster = )} allows for clusters.")
  remedies[c("s", "te", "ti", "t2", "lo")] <- "{.code splines::ns(x, df = 4)} or {.code poly(x, 3)} fit curves."
  right_side <- formula[[length(formula)]]
  bad <- intersect(names(remedies), setdiff(all.names(right_side), all.vars(right_side)))
  check_that(!length(bad), "formula", c(paste0("{.code ", bad[1], "()} in the formula has no meaning for {.fn pom}."),
                                        i = remedies[[bad[1]]]))
}

has_unused_levels <- function(x) is.factor(x) && any(tabulate(x, nlevels(x)) == 0)

# How to handle missing values, by the rules of model.frame(): as the argument `na.action` states, else the attribute of
# the data, else the option.
missing_action <- function(call, env) {
  in_call <- "na.action" %in% names(call)
  action <- if (in_call) eval(call$na.action, env) else attr(eval(call$data, env), "na.action")
  if (!in_call && (is.null(action) || is.numeric(action))) action <- getOption("na.action")
  if (is.character(action)) get(action, envir = env, mode = "function") else action
}

is_standard_action <- function(action) {
  any(vapply(list(stats::na.omit, stats::na.exclude, stats::na.fail), identical, NA, action))
}

# The model matrix. Checks the variables first, because model.matrix() does not name a constant factor in its error.
model_columns <- function(terms, frame, contrasts, sparse = FALSE) {
  for (name in intersect(variable_names(terms)[-attr(terms, "response")], names(frame))) {
    value <- frame[[name]]
    level_names <- if (is.factor(value) || is.character(value)) as.character(unique(value[!is.na(value)]))
    refuse_constant(name, level_names)
    refuse_type(value, name)
  }
  (if (sparse) sparse_columns(terms, frame, contrasts)) %||% finite_columns(terms, frame, contrasts)
}

# Raises an error if the values of a variable are of a type that models cannot use.
refuse_type <- function(value, name) {
  abort_unless(!is.complex(value) && !is.raw(value) && !is.list(value), "The variable {.code {name}} must be numbers, a
    factor, text or TRUE and FALSE, not {.obj_type_friendly {value}}.", "columns", columns = name)
}

# The variables of the terms as text, as they are named in a model frame; `which` may also be "predvars".
variable_names <- function(terms, which = "variables") vapply(as.list(attr(terms, which))[-1], expression_text, "")

# The text of an expression in the form that model frames use as a name: a variable's name has no backquotes.
expression_text <- function(expression) if (is.name(expression)) as.character(expression) else deparse1(expression)

refuse_constant <- function(name, levels) {
  abort_unless(length(levels) != 1, c(
    "The factor {.code {name}} has only the level {.val {levels}} in the rows used: it has no effect to estimate.",
    i = "Leave it out, or look at {.arg subset} and missing values."), "columns", columns = name)
}

finite_columns <- function(terms, frame, contrasts) {
  x <- design_matrix(terms, frame, contrasts)
  for (column in colnames(x)[!is.finite(colSums(x))]) check_finite(x[, column], column)
  check_column_sizes(x)
}

# The model matrix, with a distinct name for every column. In R's model.matrix(), the level 1 of a factor `X2` and a
# number `X21` both give a column X21. Methods find coefficients by these names, because the same terms have the same
# names in new data.
design_matrix <- function(terms, frame, contrasts = NULL) with_distinct_names(model.matrix(terms, frame, contrasts))

# The used levels, their numeric values (or NULL), and the code of each row.
pom_response <- function(y, weights, name) {
  if (is.numeric(y) && identical(ncol(y), 1L)) y <- as.vector(y)
  coded <- response_codes(y, name)
  codes <- coded$codes
  levels <- coded$levels
  used <- tabulate(if (is.null(weights)) codes else codes[weights > 0], length(levels)) > 0
  check_that(!anyNA(levels[used]), "formula", c(
    "The response {.code {name}} has the level NA, as by {.fn addNA}, which has no place in the order of the others.",
    i = "Leave these rows out, or give the level a name and a place: {.code ordered(..., levels = )}."
  ), kind = "response", response = name)
  if (is.factor(y) && !is.ordered(y)) report_level_order(levels[!is.na(levels)], name)
  only <- if (any(used)) "only the level {.val {levels[used]}}" else "no level"
  abort_unless(sum(used) >= 2, c(
    paste0("The response {.code {name}} has ", only, " in the rows used: a model needs at least 2."),
    i = "Look at {.arg subset}, {.arg weights} and missing values."), "response", response = name)
  if (!all(used)) {
    unused <- levels[!used]
    if (is.factor(y)) inform_judicious("{cli::qty(unused)}Level{?s} {.val {unused}} of {.code {name}}
      {cli::qty(unused)}{?has/have} no observations and {?is/are} dropped.", "unused_levels", levels = unused)
    codes <- cumsum(used)[codes] * ifelse(used[codes], 1L, NA)
    levels <- levels[used]
  }
  values <- if (is.null(coded$values)) suppressWarnings(as.numeric(levels)) else coded$values[used]
  list(codes = as.integer(codes), levels = levels, values = if (!anyNA(values)) values)
}

# Informs that the levels of a factor are in alphabetical order: once per session, because refits would repeat the
# message. The order of numbers and of the intervals of cut() is that of the values.
report_level_order <- function(levels, name) {
  numbers <- suppressWarnings(as.numeric(levels))
  in_order <- if (anyNA(numbers)) any(grepl("^[[(]", levels)) else !is.unsorted(numbers)
  if (length(levels) < 3 || in_order || is.unsorted(levels)) return(invisible())
  shown <- paste(c(utils::head(levels, 6), if (length(levels) > 6) "..."), collapse = " < ")
  inform_judicious(c(
    "{.code {name}} is not an ordered factor: its levels are taken in the order {shown}.",
    i = "{.code ordered({name}, levels = )} gives another order, from the lowest level to the highest."
  ), "level_order", .frequency = "once", .frequency_id = paste("judicious", name, shown))
}

# The code of each row, the names of the levels from lowest to highest, and, for numbers, their `values`.
response_codes <- function(y, name) {
  if (is.factor(y)) return(list(codes = as.integer(y), levels = levels(y)))
  if (is.logical(y)) return(list(codes = y + 1L, levels = c("FALSE", "TRUE")))
  if (is.numeric(y) && is.null(dim(y))) {
    check_finite(y, name)
    values <- sort(unique(y))
    return(list(codes = match(y, values), levels = number_names(values), values = as.double(values)))
  }
  abort_judicious(c(
    "The response {.code {name}} must be a factor, numbers or TRUE and FALSE, not {.obj_type_friendly {y}}.",
    i = if (is.character(y)) "Text has no order: use {.code ordered(..., levels = )} with the levels from lowest to
      highest."), "response", response = name)
}

number_names <- function(values) {
  for (digits in 15:17) {
    number_text <- trimws(formatC(values, digits = digits, format = "g", width = 1, decimal.mark = "."))
    if (!anyDuplicated(number_text)) break
  }
  number_text
}

check_weights <- function(weights, n) {
  weights <- check_weight_values(weights, n)
  if (!is.null(weights) && !any(weights > 0)) abort_judicious("{.arg weights} are all zero.", "weights")
  weights
}

check_weight_values <- function(weights, n) {
  if (is.null(weights)) return(NULL)
  check_one_column(weights, "weights")
  bad <- if (is.numeric(weights)) which(!is.finite(weights) | weights < 0) else seq_len(n)
  abort_unless(!length(bad), c("{.arg weights} must be numbers that are finite and not negative.",
                               x = "Row {bad[1]} has {.val {weights[bad[1]]}}."), "weights", rows = bad)
  as.double(weights)
}

formula_text <- function(formula) {
  if (is.null(formula)) return("columns of a matrix")
  gsub("\\s+", " ", paste(deparse(formula, width.cutoff = 500L), collapse = " "))
}

# The model matrix of one side of the model.
side_columns <- function(terms, frame, contrasts) {
  if (is.null(terms)) return(matrix(0, nrow(frame), 0, dimnames = list(NULL, character())))
  design_matrix(delete.response(terms), frame, used_contrasts(contrasts, terms))
}

used_contrasts <- function(contrasts, terms) {
  used <- as.list(contrasts)[names(contrasts) %in% rownames(attr(terms, "factors"))]
  if (length(used)) used
}

# The units in which the variables of a frame that are times count. Model matrices have bare numbers.
time_units <- function(frame) {
  unlist(lapply(frame, function(value) {
    if (inherits(value, "difftime")) units(value) else intersect(c("Date", "POSIXct"), class(value))
  }))
}

# The variables of a frame, and those of the data that terms such as poly(x, 2) and x > 3 may convert to numbers, unless
# the terms state the units of these. Methods for dates, such as weekdays(), serve all classes of dates.
with_bare_times <- function(frame, data, terms) {
  to_numbers <- c("as.numeric", "as.double", "as.integer", "unclass", "poly", "ns", "bs")
  unstated <- Filter(function(part) is.call(part) && !grepl("units *=|\"(sec|min|hour|day|week)s\"", deparse1(part)),
                     as.list(attr(delete.response(terms), "variables"))[-1])
  variables <- function(parts) as.character(unlist(lapply(parts, all.vars)))
  converted <- variables(Filter(function(part) any(all.names(part) %in% to_numbers), unstated))
  lengths_of_time <- Filter(function(name) inherits(data[[name]], "difftime"), variables(unstated))
  c(frame, data[intersect(c(converted, lengths_of_time), names(data))])
}

# The sum of the offsets. The errors of model.offset() do not say which of them has no numbers.
frame_offset <- function(frame) {
  for (name in c(names(frame)[attr(attr(frame, "terms"), "offset")], intersect(names(frame), "(offset)")))
    check_offset_values(frame[[name]], name)
  model.offset(frame)
}

check_offset_values <- function(value, name) {
  check_that(is.numeric(value) || all(is.na(value)), "offset", "must be numbers, but {.code {name}} is
    {.obj_type_friendly {value}}.", kind = "offset")
}

check_one_column <- function(value, name) {
  check_that(NCOL(value) == 1, name, "must have one number for each row, not {NCOL(value)} columns.")
}
