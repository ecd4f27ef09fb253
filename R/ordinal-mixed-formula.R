# Parses random terms of a formula: (1 | g), (1 | a:b), (1 | a/b), (0 + x | g), (1 + x || g).

# Converts a formula given as text to a formula in the environment in which the model is fitted.
as_model_formula <- function(formula, env) {
  if (inherits(formula, "formula")) return(formula)
  parsed <- if (is.call(formula) || is.character(formula) && length(formula) == 1)
    tryCatch(as.formula(formula, env = env), error = function(cnd) NULL)
  check_that(!is.null(parsed), "formula",
             "must be a formula, {.code response ~ terms}, not {.obj_type_friendly {formula}}.")
  parsed
}

has_random_terms <- function(formula) inherits(formula, "formula") && length(bar_calls(formula[[length(formula)]])) > 0

is_call_to <- function(expr, names) is.call(expr) && is.name(expr[[1]]) && as.character(expr[[1]]) %in% names
is_bar <- function(expr) is_call_to(expr, c("|", "||"))

# The calls `l | g` on the right side of a formula that are terms, that is, reached through formula operators only. Left
# operands are followed by a loop, not by recursion, because a formula with hundreds of terms is nested that deeply.
bar_calls <- function(expr) {
  found <- list()
  while (is_call_to(expr, c("+", "-", "*", ":", "/", "^", "%in%", "("))) {
    if (length(expr) == 3) found <- c(bar_calls(expr[[3]]), found)
    expr <- expr[[2]]
  }
  if (is_bar(expr)) c(list(expr), found) else found
}

# The right side of a formula without its random terms, or NULL if nothing is left.
without_bars <- function(expr) {
  if (!length(bar_calls(expr))) return(expr)
  if (is_call_to(expr, "(") && is_bar(expr[[2]])) return(NULL)
  subtracted <- is_call_to(expr, "-") && length(bar_calls(expr[[length(expr)]]))
  abort_unless(!subtracted && is_call_to(expr, c("(", "+", "-")), c(
    "Random terms must be in parentheses and can only be added, as in {.code y ~ x + (1 | g)}.",
    x = "The formula has {.code {deparse1(expr)}}."), "formula")
  kept <- Filter(Negate(is.null), lapply(as.list(expr)[-1], without_bars))
  if (!length(kept)) return(NULL)
  # If the left operand of a minus is removed, the minus remains as a sign.
  if (is_call_to(expr, "+") && length(kept) == 1) kept[[1]] else as.call(c(expr[[1]], kept))
}

# Splits a formula into the fixed formula, the formula of the model frame, and the random terms. Each of these is a list
# of `lhs` (a one-sided formula), `separate` (whether it has `||`), `parts` (the factors whose combination groups the
# rows) and `group`, the text of the grouping.
split_formula <- function(formula) {
  rhs <- formula[[length(formula)]]
  env <- environment(formula) %||% globalenv()
  fixed <- formula
  fixed[[length(fixed)]] <- without_bars(rhs) %||% 1
  random <- do.call(c, lapply(bar_calls(rhs), function(bar) {
    lhs <- as.formula(base::call("~", bar[[2]]), env = env)
    lapply(nested_groups(bar[[3]]), function(parts) {
      list(lhs = lhs, separate = is_call_to(bar, "||"), parts = parts,
           group = paste(vapply(parts, expression_text, ""), collapse = ":"), text = deparse1(bar))
    })
  }))
  variables <- unique(do.call(c, lapply(random, function(term) {
    c(as.list(attr(terms(term$lhs), "variables"))[-1], term$parts)
  })))
  frame <- fixed
  frame[[length(frame)]] <- Reduce(function(a, b) call("+", a, b), c(fixed[[length(fixed)]], variables))
  list(fixed = fixed, frame = frame, random = random)
}

# a/b means two terms: a and a:b.
nested_groups <- function(expr) {
  if (is_call_to(expr, "(")) return(nested_groups(expr[[2]]))
  if (is_call_to(expr, "/")) {
    outer_groups <- nested_groups(expr[[2]])
    inner <- lapply(nested_groups(expr[[3]]), function(parts) c(outer_groups[[length(outer_groups)]], parts))
    return(c(outer_groups, inner))
  }
  list(crossed_parts(expr))
}

crossed_parts <- function(expr) {
  if (is_call_to(expr, "(")) return(crossed_parts(expr[[2]]))
  if (is_call_to(expr, ":")) return(c(crossed_parts(expr[[2]]), crossed_parts(expr[[3]])))
  abort_unless(!is_call_to(expr, c("+", "-", "*", "^", "|", "||")) && !is.numeric(expr), c(
    "A random term's right side is a grouping factor, {.code a:b} or {.code a/b}, not {.code {deparse1(expr)}}.",
    i = "Write one term for each factor: {.code (1 | a) + (1 | b)}."), "formula")
  list(expr)
}

# A formula for the model frame: the terms of the location and of the other sides.
with_sides <- function(formula, nominal, scale) {
  check_side_formula(nominal, "nominal")
  check_side_formula(scale, "scale")
  for (side in list(nominal, scale)) if (!is.null(side)) formula[[3]] <- call("+", formula[[3]], side[[2]])
  formula
}

check_side_formula <- function(side, arg) {
  if (is.null(side)) return(invisible())
  is_one_sided <- inherits(side, "formula") && length(side) == 2
  check_that(is_one_sided && !has_random_terms(side) && (arg != "nominal" || is.null(attr(terms(side), "offset"))), arg,
    "must be a one-sided formula without random terms{if (arg == 'nominal') ' and offset'}, such as {.code ~ x}.")
}
