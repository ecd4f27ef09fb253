# Random terms of a formula: (1 | g), (1 | a:b), (1 | a/b), (0 + x | g), (1 + x || g),
# (1 | members(m)).

has_random_terms <- function(formula) {
  inherits(formula, "formula") && length(bar_calls(formula[[length(formula)]])) > 0
}

is_bar <- function(e) is.call(e) && (identical(e[[1]], quote(`|`)) || identical(e[[1]], quote(`||`)))
is_call_to <- function(e, names) is.call(e) && is.name(e[[1]]) && as.character(e[[1]]) %in% names

# The `l | g` of a formula's right side, wherever operators of formulas lead to one.
bar_calls <- function(e) {
  if (is_bar(e)) return(list(e))
  if (!is_call_to(e, c("+", "-", "*", ":", "/", "^", "%in%", "("))) return(NULL)
  do.call(c, lapply(as.list(e)[-1], bar_calls))
}

# The right side without its random terms, or NULL where nothing is left.
without_bars <- function(e, call) {
  if (!length(bar_calls(e))) return(e)
  if (is_call_to(e, "(") && is_bar(e[[2]])) return(NULL)
  if (is_call_to(e, c("+", "-", "("))) {
    if (is_call_to(e, "-") && length(bar_calls(e[[length(e)]]))) refuse_bars(e, call)
    kept <- lapply(as.list(e)[-1], without_bars, call = call)
    kept <- kept[!vapply(kept, is.null, NA)]
    if (!length(kept)) return(NULL)
    if (is_call_to(e, "-") && length(kept) < 2) return(as.call(c(e[[1]], kept)))
    if (length(kept) == 1) return(kept[[1]])
    return(as.call(c(e[[1]], kept)))
  }
  refuse_bars(e, call)
}

refuse_bars <- function(e, call) {
  abort_judicious(c("Random terms stand in parentheses and can only be added, as in {.code y ~ x + (1 | g)}.",
                    x = "The formula has {.code {deparse1(e)}}."), "formula", call = call)
}

# The fixed formula, the formula of the model frame, and the random terms: each a list of `lhs` (a one-sided formula),
# `separate` (`||`),
# `parts` (the factors whose combination groups the rows, or the one call of members()) and `group`, its text.
split_formula <- function(formula, call = caller_env()) {
  rhs <- formula[[length(formula)]]
  env <- environment(formula) %||% globalenv()
  fixed <- formula
  fixed[[length(fixed)]] <- without_bars(rhs, call) %||% 1
  random <- do.call(c, lapply(bar_calls(rhs), random_terms_of, env = env, call = call))
  variables <- unique(do.call(c, lapply(random, function(term) c(formula_variables(term$lhs), term$parts))))
  frame <- fixed
  frame[[length(frame)]] <- Reduce(function(a, b) call("+", a, b), c(fixed[[length(fixed)]], variables))
  # members() is found whether or not the package is attached.
  environment(frame) <- list2env(list(members = members), parent = env)
  list(fixed = fixed, frame = frame, random = random)
}

formula_variables <- function(formula) as.list(attr(terms(formula), "variables"))[-1]

random_terms_of <- function(bar, env, call) {
  lhs <- as.formula(base::call("~", bar[[2]]), env = env)
  lapply(nested_groups(bar[[3]], call), function(parts) {
    list(lhs = lhs, separate = identical(bar[[1]], quote(`||`)), parts = parts,
         group = paste(vapply(parts, deparse1, ""), collapse = ":"), text = deparse1(bar))
  })
}

# a/b is a and a:b.
nested_groups <- function(e, call) {
  if (is_call_to(e, "(")) return(nested_groups(e[[2]], call))
  if (is_call_to(e, "/")) {
    outer <- nested_groups(e[[2]], call)
    inner <- lapply(nested_groups(e[[3]], call), function(parts) c(outer[[length(outer)]], parts))
    return(c(outer, inner))
  }
  list(crossed_parts(e, call))
}

crossed_parts <- function(e, call) {
  if (is_call_to(e, "(")) return(crossed_parts(e[[2]], call))
  if (is_call_to(e, ":")) {
    parts <- c(crossed_parts(e[[2]], call), crossed_parts(e[[3]], call))
    if (any(vapply(parts, is_members, NA))) {
      abort_judicious("{.fn members} cannot be crossed with other factors: {.code {deparse1(e)}}.", "formula",
                      call = call)
    }
    return(parts)
  }
  if (is_call_to(e, c("+", "-", "*", "^", "|", "||")) || is.numeric(e)) {
    abort_judicious(c("A random term's right side is a grouping factor, {.code a:b}, {.code a/b} or
      {.code members(m)}, not {.code {deparse1(e)}}.",
                      i = "Write one term for each factor: {.code (1 | a) + (1 | b)}."), "formula", call = call)
  }
  list(e)
}

is_members <- function(e) is_call_to(e, "members") || (is.call(e) && deparse1(e[[1]]) == "judicious::members")
