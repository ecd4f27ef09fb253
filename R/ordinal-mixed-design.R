# Converts a formula with random terms to matrices: the fixed part as in pom_design(), and the random effects as a
# sparse design.
mixed_design <- function(call, env, contrasts, nominal = NULL, scale = NULL) {
  model_formula <- eval(call$formula, env)
  parts_of_formula <- split_formula(model_formula)
  check_no_list_groups(parts_of_formula$random, call$data)
  call$formula <- with_sides(parts_of_formula$frame, nominal, scale)
  design <- pom_design(call, env, contrasts, fixed = with_sides(parts_of_formula$fixed, nominal, scale))
  frame <- design$frame
  location_only <- is.null(nominal) && is.null(scale)
  terms <- if (location_only) design$terms else terms_within(parts_of_formula$fixed, attr(frame, "terms"), frame)
  parts <- side_matrices(terms, nominal, scale, frame, contrasts, if (location_only) design$x)
  design[c("offset", "scale_offset")] <- parts[c("offset", "scale_offset")]
  random <- do.call(c, lapply(parts_of_formula$random, expand_random_term, frame = frame,
                              dependent = row_dependent(call, env, attr(frame, "terms"))))
  names(random) <- vapply(random, `[[`, "", "label")
  copies <- names(random)[duplicated(lapply(random, `[`, c("label", "entries")))]
  if (length(copies)) abort_judicious("The random term {.val {copies[1]}} occurs twice.", "formula")
  # Slopes of different columns can have the same name, such as X21 of the factor X2.
  names(random) <- make.unique(names(random))
  random <- Map(function(one, label) {
    if (one$block == one$label) one$block <- label
    one$label <- one$term$label <- label
    one
  }, random, names(random))
  effect_factor <- covariance_factor(vapply(random, `[[`, "", "block"))
  c(parts, list(
    design = design, formula = model_formula, frame_terms = design$terms, frame_call = call,
    random = lapply(random, `[[`, "term"), factor = effect_factor,
    effects = effect_design(lapply(random, `[[`, "entries"), lengths(lapply(random, function(r) r$term$levels)),
                            nrow(frame), effect_factor)))
}

# A list column as grouping factor is reported here, because model.frame() would reject it without an explanation.
check_no_list_groups <- function(random, data) {
  for (part in do.call(c, lapply(random, `[[`, "parts"))) {
    abort_unless(!is.name(part) || !is.list(data) || !is.list(data[[as.character(part)]]), "{.code {deparse1(part)}} is
      a list: it cannot group rows as a factor does.", "grouping", group = deparse1(part))
  }
}

# The effects of a random term, in a list: an intercept, or several with slopes. `term` has what prediction needs, and
# `entries` the effects of the rows. `dependent`: the variables of the frame that depend on other rows.
expand_random_term <- function(spec, frame, dependent) {
  # Variables such as poly() and scale() keep the parameters that they have in the frame.
  lhs <- structure(terms_within(spec$lhs, attr(frame, "terms"), frame), row_dependent = dependent,
                   intercept = attr(terms(spec$lhs), "intercept"))
  columns <- if (!identical(spec$lhs[[2]], 1)) design_matrix(lhs, frame) else only_intercept(nrow(frame))
  abort_unless(ncol(columns) != 0, "The random term {.code ({spec$text})} has no effect on its left side.", "formula")
  grouping <- factor_grouping(spec, frame)
  lapply(colnames(columns), function(column) {
    value <- columns[, column]
    check_finite(value, column)
    abort_unless(any(value != 0), "The random slope {.code {column}} of {.code ({spec$text})} is 0 in every row.",
                 "random_slopes")
    label <- if (column == "(Intercept)") spec$group else paste(column, "|", spec$group)
    list(label = label, entries = list(row = seq_along(value), column = grouping$column, value = value),
         block = if (ncol(columns) > 1 && !spec$separate) spec$text else label,
         term = c(spec[c("parts", "group")], grouping[c("levels", "part_levels", "combinations")],
                  list(label = label, effect = column, lhs = lhs, xlevels = .getXlevels(lhs, frame),
                       contrasts = attr(columns, "contrasts"))))
  })
}

only_intercept <- function(n) matrix(1, n, 1, dimnames = list(NULL, "(Intercept)"))

# The group of every row: the levels are the combinations of the factors that occur.
factor_grouping <- function(spec, frame) {
  parts <- lapply(spec$parts, function(part) {
    value <- frame[[expression_text(part)]]
    abort_unless(is.null(dim(value)), "{.code {deparse1(part)}} cannot group rows in {.code {spec$group}}: it is
      {.obj_type_friendly {value}}.", "grouping", group = spec$group)
    if (is.factor(value) && !has_unused_levels(value)) value else text_factor(value)
  })
  part_levels <- lapply(parts, levels)
  code <- combination_codes(lapply(parts, as.integer), part_levels)
  combinations <- sort(unique(code))
  first_row <- match(combinations, code)
  levels <- do.call(paste, c(lapply(parts, function(p) as.character(p[first_row])), sep = ":"))
  abort_unless(length(levels) >= 2, c(
    "{.code {spec$group}} has only one level, {.val {levels}}, in the rows used: its effects have no variance to
      estimate.",
    i = "Leave the term out."), "grouping", group = spec$group)
  if (length(levels) == length(code))
    warn_judicious(c("{.code {spec$group}} has as many levels as there are rows: its effects can hardly be told from the
      response's own variation.", i = "Look at how the rows are grouped."), "grouping", group = spec$group)
  list(levels = levels, part_levels = part_levels, combinations = combinations, column = match(code, combinations))
}

# A distinct number for every combination of levels; the first factor varies slowest.
combination_codes <- function(codes, part_levels) {
  Reduce(function(total, k) (total - 1) * length(part_levels[[k]]) + codes[[k]], seq_along(codes)[-1],
         as.double(codes[[1]]))
}

# The elements of the Cholesky factors of the covariances of the effects. There is one factor per block of correlated
# effects (most blocks have one effect). Effect `row` is the sum over elements of the parameter times the standardised
# effect `column`. The diagonal elements come first, in the order of the effects.
covariance_factor <- function(block) {
  n <- length(block)
  below <- which(outer(block, block, `==`) & lower.tri(diag(n)), arr.ind = TRUE)
  below <- below[order(below[, 1], below[, 2]), , drop = FALSE]
  list(row = c(seq_len(n), unname(below[, 1])), column = c(seq_len(n), unname(below[, 2])))
}

is_correlated <- function(factor) length(factor$row) > max(0L, factor$row)

# The design of all effects by rows. Row i has the entries after `offset[i]`. Each entry has a `value`, the number of
# its effect (`column`; levels of all terms are numbered consecutively) and, if effects are correlated, the parameter
# that multiplies it (`loading`). `term`: the term of each effect. `diagonal`: for each parameter, the term of the
# standardised effects that it multiplies. Numbers count from 1, offsets from 0.
effect_design <- function(entries, n_levels, n_rows, factor) {
  first_column <- cumsum(c(0L, n_levels))[seq_along(n_levels)]
  size <- vapply(entries, function(entry) length(entry$row), 0L)[factor$row]
  abort_unless(sum(size) <= .Machine$integer.max, "The rows have {format_count(sum(size))} random effects together, more
    than the {format_count(.Machine$integer.max)} that can be numbered.", "size")
  row_of_entry <- unlist(lapply(entries[factor$row], `[[`, "row"), use.names = FALSE)
  column <- unlist(Map(function(entry, b) entry$column + b, entries[factor$row], first_column[factor$column]),
                   use.names = FALSE)
  value <- unlist(lapply(entries[factor$row], `[[`, "value"), use.names = FALSE)
  loading <- rep.int(seq_along(factor$row), size)
  row_order <- order(row_of_entry, method = "radix")
  out <- list(offset = c(0L, cumsum(tabulate(row_of_entry, n_rows))), column = as.integer(column)[row_order],
              value = as.double(value)[row_order], term = rep.int(seq_along(n_levels), n_levels),
              n_terms = length(factor$row))
  if (is_correlated(factor)) c(out, list(loading = loading[row_order], diagonal = factor$column)) else out
}

# The design of effects, restricted to some rows.
design_rows <- function(design, rows) {
  count <- diff(design$offset)[rows]
  entry_index <- sequence(count, design$offset[rows] + 1L)
  for (part in intersect(c("column", "value", "loading"), names(design))) design[[part]] <- design[[part]][entry_index]
  design$offset <- c(0L, as.integer(cumsum(count)))
  design
}

# Divides the rows into independent parts, and returns the number of each row's part. Rows of different parts share no
# effect, neither directly nor through other rows.
independent_parts <- function(design) {
  part <- seq_len(length(design$offset) - 1L)
  row_of_entry <- rep.int(part, diff(design$offset))
  smallest <- function(values, by, n) {
    out <- rep(.Machine$integer.max, n)
    value_order <- order(values, decreasing = TRUE)
    out[by[value_order]] <- values[value_order]
    out
  }
  repeat {
    of_effect <- smallest(part[row_of_entry], design$column, length(design$term))
    linked <- smallest(of_effect[design$column], row_of_entry, length(part))
    new <- pmin(part, linked)
    if (identical(new, part)) return(match(part, unique(part)))
    part <- new
  }
}

# The parameter that multiplies each entry.
entry_parameter <- function(design) design$loading %||% design$term[design$column]

# The covariance matrix of the effects of one level of a group; effects are correlated within blocks.
# reported_deviations() returns the standard deviations of all effects, then their correlations.
factor_covariance <- function(loadings, factor) {
  n <- max(factor$row)
  root <- matrix(0, n, n)
  root[cbind(factor$row, factor$column)] <- loadings
  tcrossprod(root)
}

reported_deviations <- function(loadings, factor) {
  covariance <- factor_covariance(loadings, factor)
  deviations <- sqrt(diag(covariance))
  below <- factor$row != factor$column
  pairs <- cbind(factor$row, factor$column)[below, , drop = FALSE]
  c(deviations, covariance[pairs] / (deviations[pairs[, 1]] * deviations[pairs[, 2]]))
}

deviations_of_fit <- function(object) {
  stats::setNames(reported_deviations(object$loadings, object$factor), reported_names(names(object$sd), object$factor))
}

reported_names <- function(labels, factor) {
  below <- factor$row != factor$column
  c(paste0("sd(", labels, ")"),
    if (any(below)) paste0("cor(", labels[factor$column[below]], ", ", labels[factor$row[below]], ")"))
}

# The effects of the rows of new data: the `design` for groups of the fit, `extra` entries for groups that are not in
# the fit, and the rows whose group is `missing`.
effect_rows <- function(object, newdata) {
  if (is.null(newdata)) {
    n <- length(object$fixed_predictor)
    return(list(design = object$effect_design, n = n, missing = rep(FALSE, n),
                extra = list(row = integer(), key = character(), value = numeric(), term = integer())))
  }
  newdata <- check_columns(newdata, character(), "newdata")
  env <- environment(object$terms) %||% globalenv()
  n <- nrow(newdata)
  is_missing <- rep(FALSE, n)
  entries <- extra <- vector("list", length(object$random))
  for (t in seq_along(object$random)) {
    random <- object$random[[t]]
    groups <- group_values(object, random, newdata, env)
    codes <- combination_codes(Map(match, groups, random$part_levels), random$part_levels)
    column <- match(codes, random$combinations, incomparables = NA)
    no_group <- Reduce(`|`, lapply(groups, is.na))
    # The effects of a term have the same columns.
    if (t == 1 || !identical(random$lhs, object$random[[t - 1]]$lhs)) columns <- slope_columns(object, random, newdata)
    value <- columns[, random$effect]
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

# The values of the grouping factors in new data, as text.
group_values <- function(object, random, newdata, env) {
  values <- lapply(random$parts, new_value, newdata, env)
  names(values) <- vapply(random$parts, expression_text, "")
  warn_row_dependent(structure(values, row.names = rownames(newdata), class = "data.frame"),
                     intersect(names(values), attr(random$lhs, "row_dependent")), object$model)
  unname(lapply(values, as.character))
}

# The covariates of the effects of a random term in new data.
slope_columns <- function(object, random, newdata) {
  if (identical(random$lhs[[2]], 1)) return(only_intercept(nrow(newdata)))
  variables <- intersect(variable_names(random$lhs), attr(random$lhs, "row_dependent"))
  of_term <- replace(object, "xlevels", list(random$xlevels))
  frame <- new_frame(of_term, newdata, na.pass, structure(random$lhs, row_dependent = variables))
  design_matrix(random$lhs, frame, random$contrasts)
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
