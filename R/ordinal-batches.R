# Fits pom() in passes over batches of rows: a first pass collects levels, counts and a sample, a fit to the sample is
# the starting point, and each Newton step takes a pass. Only one batch is in memory, or one per worker of
# future::plan().

fit_batches <- function(call, env, batches, control) {
  check_batch_model(call, env, control)
  own_call <- call
  sides <- batch_sides(call, env)
  call$formula <- with_sides(call$formula, sides$nominal, sides$scale)
  survey <- survey_batches(batches, call, env, min(65536, control$batch_rows))
  control$tolerance <- control$tolerance * min(1, survey$weight / survey$positive)
  recipe <- batch_recipe(survey, call, env, control, sides)
  if (!is.null(recipe$sides)) return(fit_general_batches(batches, recipe, survey, control, own_call))
  if (control$penalty > 0) {
    centred <- function(batch) batch$x - rep(recipe$center, each = length(batch$y))
    spread <- sqrt(variances_of_batches(batches, recipe, centred))
    recipe$scale <- ifelse(spread > 0, spread, 1)
  }
  start <- batch_start(survey, recipe, control)
  # Aliased columns add no information, whatever the parameters are, so they are found at the starting point.
  at_start <- sum_of_batches(batches, recipe, start)
  kept <- pom_independent_slopes_cpp(at_start$information, 1e-9)
  thresholds <- seq_along(survey$response$levels[-1])
  if (length(kept) < length(recipe$center)) {
    recipe$kept <- recipe$kept[kept]
    recipe[c("center", "scale")] <- lapply(recipe[c("center", "scale")], `[`, kept)
    start <- start[c(thresholds, length(thresholds) + kept)]
    at_start <- NULL
  }
  pass <- function(parameters) {
    if (!is.null(at_start) && identical(parameters, start)) at_start else sum_of_batches(batches, recipe, parameters)
  }
  control$link <- recipe$link
  core_fit <- pom_fit_by_passes_cpp(pass, start, recipe$center, recipe$scale, control, numeric())
  core_fit$column <- match(recipe$kept, recipe$columns)
  core_fit$aliased <- setdiff(seq_along(recipe$columns), core_fit$column)
  found <- batch_separation(core_fit, batches, recipe, survey, control)
  fit <- name_fit(columns_fit(core_fit, recipe$columns, recipe$link), survey$response, control)
  fit <- c(fit, recipe[c("terms", "xlevels", "contrasts")], list(formula = formula(recipe$terms)))
  fit[c("separation", "separated")] <- found
  report_fit(structure(with_counts_of(fit, survey), class = "judicious_pom"))
}

# Raises an error for models whose fit needs more than sums over rows.
check_batch_model <- function(call, env, control) {
  unsupported <- c(if (control$method != "ml") "method", if (is_estimated_link(batch_link(call, env, control))) "link")
  if (length(unsupported) || has_random_terms(call$formula)) {
    subject <- if (length(unsupported)) "{.arg {unsupported[1]}}" else "Random terms"
    abort_judicious(c(
      paste(subject, "{?is/are} not for data of more than {format_count(control$batch_rows)} different rows that are not
            in memory: these are fitted in batches, by maximum likelihood, with a known link and fixed effects."),
      i = "If memory allows, raise {.arg batch_rows} or use a data frame."
    ), "batches", argument = unsupported[1])
  }
  action <- missing_action(call, env)
  check_that(is_standard_action(action) || identical(action, stats::na.pass), "na.action", "In batches {.arg na.action}
    must be {.fn na.omit}, {.fn na.exclude}, {.fn na.pass} or {.fn na.fail}.")
}

batch_link <- function(call, env, control) check_link(eval(call$link, env) %||% "logit", control$link_parameter)

# The variables in the complete rows of a batch; the attribute `missing` counts the other rows.
complete_variables <- function(rows, formula, call, env) {
  frame <- model_variables(rows, formula, call, env)
  if (!any(vapply(frame, anyNA, NA))) return(frame)
  action <- missing_action(call, env)
  if (identical(action, stats::na.pass)) return(frame)
  complete <- stats::complete.cases(frame)
  abort_unless(!identical(action, stats::na.fail), "{.arg data} has missing values, which {.code na.action = na.fail}
    does not allow.", "not_finite")
  model_terms <- attr(frame, "terms")
  frame <- frame[complete, , drop = FALSE]
  structure(frame, terms = model_terms, missing = sum(!complete))
}

# The first pass over the data: collects levels, counts and a sample.
survey_batches <- function(batches, call, env, sample_rows) {
  model_formula <- call$formula
  check_that(inherits(model_formula, "formula") && length(model_formula) >= 3, "formula",
             "has no response: write {.code response ~ terms}.")
  survey <- list(missing = 0, weight = 0, positive = 0, whole = TRUE, levels = list(), response = NULL,
                 sample = list(size = sample_rows, pieces = list(), index = list(), stride = 1, seen = 0))
  for_each_batch(batches, function(rows) {
    survey$sample <<- add_to_sample(survey$sample, rows)
    frame <- complete_variables(rows, model_formula, call, env)
    survey$missing <<- survey$missing + (attr(frame, "missing") %||% 0)
    if (!nrow(frame)) return(TRUE)
    case_weights <- check_weight_values(model.weights(frame), nrow(frame))
    survey$weight <<- survey$weight + if (is.null(case_weights)) nrow(frame) else sum(case_weights)
    survey$positive <<- survey$positive + if (is.null(case_weights)) nrow(frame) else sum(case_weights > 0)
    survey$whole <<- survey$whole && (is.null(case_weights) || all(case_weights == trunc(case_weights)))
    survey$response <<- merge_response(survey$response, frame[[1]], case_weights, names(frame)[1])
    for (name in names(frame)[-1]) survey$levels[[name]] <<- merge_levels(survey$levels[[name]], frame[[name]])
  })
  survey$response <- used_response(survey$response, deparse1(model_formula[[2]]))
  survey$sample <- do.call(rbind, survey$sample$pieces)
  survey
}

# Adds every `stride`-th row to the sample. The stride is doubled whenever the sample has twice as many rows as
# requested.
add_to_sample <- function(sample, rows) {
  from <- sample$seen
  sample$seen <- from + nrow(rows)
  # The rows of this batch that belong to the sample: those whose number in the whole data, from 0, is a multiple of the
  # stride. `from` rows precede the batch.
  chosen <- function() seq(1 + (-from) %% sample$stride, by = sample$stride,
                           length.out = ceiling(sample$seen / sample$stride) - ceiling(from / sample$stride))
  new <- chosen()
  while (sum(lengths(sample$index)) + length(new) > 2 * sample$size) {
    sample$stride <- 2 * sample$stride
    kept <- lapply(sample$index, function(index) which((index - 1) %% sample$stride == 0))
    sample$pieces <- Map(function(piece, kept_rows) piece[kept_rows, , drop = FALSE], sample$pieces, kept)
    sample$index <- Map(`[`, sample$index, kept)
    new <- chosen()
  }
  sample$pieces <- c(sample$pieces, list(rows[new, , drop = FALSE]))
  sample$index <- c(sample$index, list(from + new))
  sample
}

# The levels of a factor or text in the batches so far: all levels, and those that occur. NULL for other variables.
merge_levels <- function(seen, values) {
  if (!is.factor(values) && !is.character(values)) return(NULL)
  if (is.character(values)) values <- text_factor(values)
  list(all = join_levels(seen$all, levels(values)), used = union(seen$used, levels(droplevels(values))),
       ordered = is.ordered(values))
}

# Combines levels. If the levels so far and the new ones are sorted, as numbers or text, the result is sorted, too:
# factor(x) in a batch has only the levels that occur there.
join_levels <- function(old, new) {
  both <- union(old, new)
  if (length(both) == length(old)) return(both)
  number <- suppressWarnings(as.numeric(both))
  text <- lapply(c("radix", "shell"), function(method) match(both, sort(both, method = method)))
  for (rank in c(if (!anyNA(number)) list(number), text)) {
    in_order <- function(levels) !is.unsorted(rank[match(levels, both)])
    if (in_order(old) && in_order(new)) return(both[order(rank)])
  }
  both
}

# Combines the response of the batches so far with another batch: the sum of weights by level, and the numbers that the
# levels represent, if any.
merge_response <- function(seen, y, weights, name) {
  coded <- response_codes(y, name)
  weight <- sum_by_code(weights %||% rep(1, length(y)), coded$codes, length(coded$levels))
  new <- list(kind = class(y)[1], levels = coded$levels, values = coded$values, weight = weight)
  if (is.null(seen)) return(new)
  abort_unless(is.null(seen$values) == is.null(new$values), "The response {.code {name}} is {seen$kind} in one batch
    and {new$kind} in another.", "response", response = name)
  out <- list(kind = seen$kind)
  field <- if (is.null(seen$values)) "levels" else "values"
  join <- if (field == "levels") join_levels else function(old, new) sort(union(old, new))
  out[[field]] <- join(seen[[field]], new[[field]])
  if (field == "values") out$levels <- number_names(out$values)
  place_in <- function(part) match(out[[field]], part[[field]])
  abort_unless(length(out$levels) <= 2000, "The response {.code {name}} has more than 2,000 levels: too many thresholds
    for batches.", "response", response = name)
  weight_of <- function(part) ifelse(is.na(place_in(part)), 0, part$weight[place_in(part)])
  out$weight <- weight_of(seen) + weight_of(new)
  out
}

# The response over all batches, in the form of pom_response(), but without the codes of rows.
used_response <- function(response, name) {
  if (is.null(response)) abort_judicious("{.arg data} has no complete rows.", "response")
  everything <- if (is.null(response$values)) factor(response$levels, response$levels) else response$values
  used <- pom_response(everything, response$weight, name)
  list(levels = used$levels, values = used$values, weight = response$weight[response$weight > 0],
       numbers = response$values[response$weight > 0])
}

# What is needed to convert a batch to matrices: terms, levels and contrasts as for predict(), and the centres and
# scales of the columns, all computed from the sample.
batch_recipe <- function(survey, call, env, control, sides = NULL) {
  report_bases(check_row_wise(call, env, survey$sample), "a part of the rows")
  frame <- complete_variables(survey$sample, call$formula, call, env)
  model_terms <- structure(with_intercept(attr(frame, "terms"), call$formula),
                           time_units = time_units(with_bare_times(frame, survey$sample, attr(frame, "terms"))))
  known_levels <- lapply(survey$levels, function(seen) {
    structure(seen$all[seen$all %in% seen$used], ordered = seen$ordered)
  })
  recipe <- list(terms = model_terms, levels = known_levels, response = survey$response, call = call, env = env,
                 n_levels = length(survey$response$levels), num_threads = control$num_threads,
                 link = batch_link(call, env, control), contrasts = control$contrasts)
  frame <- with_batch_levels(frame, recipe)
  for (name in names(known_levels)) refuse_constant(name, known_levels[[name]])
  x <- finite_columns(model_terms, frame, recipe$contrasts)
  recipe$xlevels <- .getXlevels(model_terms, frame)
  recipe$sides <- sides
  if (!is.null(sides)) return(general_recipe(recipe, frame, survey, control))
  recipe$contrasts <- attr(x, "contrasts")
  recipe$columns <- recipe$kept <- setdiff(colnames(x), "(Intercept)")
  x <- x[, recipe$columns, drop = FALSE]
  recipe$center <- unname(colMeans(x))
  spread <- unname(sqrt(pmax(colMeans(x^2) - recipe$center^2, 0)))
  recipe$scale <- ifelse(spread > 1e-7 * abs(recipe$center), spread, 1)
  recipe
}

# The variances of columns over all rows, from a separate pass. A penalty is relative to these variances. `columns_of`:
# a function that returns the columns of a batch.
variances_of_batches <- function(batches, recipe, columns_of) {
  sums <- list(0, 0, 0)
  for_each_batch(batches, function(rows) {
    batch <- batch_arguments(rows, recipe)
    if (is.null(batch)) return(TRUE)
    case_weights <- if (length(batch$weights)) batch$weights else rep(1, length(batch$y))
    x <- columns_of(batch)
    sums <<- Map(`+`, sums, list(sum(case_weights), colSums(case_weights * x), colSums(case_weights * x^2)))
  })
  unname(sums[[3]] / sums[[1]] - (sums[[2]] / sums[[1]])^2)
}

with_batch_levels <- function(frame, recipe) {
  for (name in names(recipe$levels)) {
    known_levels <- recipe$levels[[name]]
    value <- as.character(frame[[name]])
    frame[[name]] <- factor(value, known_levels, ordered = attr(known_levels, "ordered"))
    unknown <- value[is.na(frame[[name]]) & !is.na(value)]
    if (length(unknown)) refuse_level(name, unknown, recipe)
  }
  frame
}

refuse_level <- function(name, level, recipe) {
  abort_judicious(c("A batch brings the level {.val {level[1]}} of {.code {name}}, which the first pass over the data
    did not have.", i = "Every pass must go over the same rows."), "batches", variable = name)
}

# The matrix, codes, weights and offset of the complete rows of a batch.
batch_arguments <- function(rows, recipe) {
  frame <- complete_variables(rows, recipe$terms, recipe$call, recipe$env)
  if (!nrow(frame)) return(NULL)
  frame <- with_batch_levels(frame, recipe)
  name <- names(frame)[1]
  y <- response_codes(frame[[1]], name)
  surveyed <- recipe$response
  place <- if (is.null(surveyed$numbers)) match(y$levels, surveyed$levels) else match(y$values, surveyed$numbers)
  codes <- if (identical(place, seq_along(surveyed$levels))) y$codes else place[y$codes]
  case_weights <- model.weights(frame)
  if (anyNA(codes)) {
    new <- is.na(codes) & (case_weights %||% 1) > 0
    if (any(new)) refuse_level(name, y$levels[y$codes[new]], recipe)
    codes[is.na(codes)] <- 1L
  }
  if (!is.null(recipe$core)) return(general_rows(frame, recipe, as.integer(codes), case_weights))
  row_offset <- frame_offset(frame)
  check_finite(row_offset, "offset")
  list(x = batch_columns(frame, recipe), y = codes, weights = as.double(case_weights), offset = as.double(row_offset))
}

# The columns of the model without the intercept. If all are plain numbers, model.matrix() is avoided, because it would
# take longer than the rest of a pass; batch_sums() then checks that the numbers are finite.
batch_columns <- function(frame, recipe) {
  is_number <- function(x) is.numeric(x) && is.null(dim(x)) && (!is.object(x) || inherits(x, "AsIs"))
  labels <- attr(recipe$terms, "term.labels")
  if (identical(recipe$columns, labels) && all(labels %in% names(frame)) && all(vapply(frame[labels], is_number, NA)))
    return(matrix(as.double(unlist(frame[recipe$kept], use.names = FALSE)), nrow(frame),
                  dimnames = list(NULL, recipe$kept)))
  x <- finite_columns(recipe$terms, frame, recipe$contrasts)
  x[, recipe$kept, drop = FALSE]
}

batch_sums <- function(rows, recipe, parameters) {
  batch <- batch_arguments(rows, recipe)
  if (is.null(batch)) return(NULL)
  if (!is.null(recipe$core)) return(cumulative_link_pass_cpp(batch, parameters))
  sums <- pom_pass_cpp(batch$x, batch$y, recipe$n_levels, batch$weights, batch$offset, recipe$center, recipe$scale,
                       parameters, recipe$link, recipe$num_threads)
  # Values that are not finite make the sums not finite, except in rows of weight 0: if there are weights, the columns
  # are checked directly.
  if (length(batch$weights) || !all(is.finite(sums$gradient))) {
    for (name in colnames(batch$x)) check_finite(batch$x[, name], name)
  }
  sums
}

# Batches are summed in order, so that the sum does not depend on the number of workers.
sum_of_batches <- function(batches, recipe, parameters) {
  workers <- if (has_workers()) future::nbrOfWorkers() else 1
  total <- NULL
  waiting <- list()
  add_waiting <- function() {
    sums <- over_items(waiting, function(rows) batch_sums(rows, recipe, parameters), "A pass", FALSE)
    for (one in Filter(Negate(is.null), sums)) {
      total <<- if (is.null(total)) one else
        list(value = total$value + one$value, gradient = total$gradient + one$gradient,
             information = Map(`+`, total$information, one$information))
    }
    waiting <<- list()
    refresh_progress()
  }
  for_each_batch(batches, function(rows) {
    waiting[[length(waiting) + 1]] <<- rows
    if (length(waiting) == workers) add_waiting()
  })
  if (length(waiting)) add_waiting()
  total
}

# The starting point: the estimates for the sample, or slopes of 0 if the sample lacks a level or has no finite
# estimates.
batch_start <- function(survey, recipe, control) {
  n <- length(recipe$center)
  weight <- survey$response$weight
  marginal <- c(link_quantile_cpp(recipe$link, cumsum(weight[-length(weight)]) / sum(weight), TRUE), numeric(n))
  batch <- batch_arguments(survey$sample, recipe)
  used <- if (length(batch$weights)) batch$y[batch$weights > 0] else batch$y
  if (length(unique(used)) < recipe$n_levels) return(marginal)
  fit <- fit_columns(batch$x, batch$y, recipe$n_levels, batch$weights, batch$offset, control = control,
                     link = recipe$link)
  if (fit$convergence$status != "converged" || fit$separation != "none") return(marginal)
  slopes <- ifelse(is.na(fit$beta), 0, fit$beta)
  c(-unname(fit$alpha) - sum(recipe$center * slopes), unname(slopes) * recipe$scale)
}

# Adds the numbers of rows to the fit, because the sums do not contain them.
with_counts_of <- function(fit, survey) {
  fit$n_obs <- if (survey$whole) survey$weight else survey$positive
  fit$df_residual <- fit$n_obs - fit$df
  fit[c("n_missing", "response_weight", "source")] <- list(survey$missing, survey$response$weight, "batches")
  fit
}

# The formulas of nominal and scale effects, for models that have them or structured thresholds; NULL for other models.
batch_sides <- function(call, env) {
  side <- function(arg) as_side_formula(eval(call[[arg]], env), env)
  sides <- list(nominal = side("nominal"), scale = side("scale"),
                threshold = check_choice(eval(call$threshold, env) %||% "flexible",
                                         c("flexible", "equidistant", "symmetric"), "threshold"))
  sides$formula <- call$formula
  if (is_beyond_fast_path("logit", sides$nominal, sides$scale, sides$threshold)) sides
}

side_parts <- function(frame, recipe) {
  sides <- recipe$sides
  side_matrices(terms(sides$formula), sides$nominal, sides$scale, frame, recipe$contrasts)
}

# Adds to the recipe the result of core_model() for the sample, with centred and scaled columns.
general_recipe <- function(recipe, frame, survey, control) {
  recipe$parts <- side_parts(frame, recipe)
  y <- response_codes(frame[[1]], names(frame)[1])
  response <- list(codes = match(y$levels, survey$response$levels)[y$codes], levels = survey$response$levels)
  design <- list(response = response, weights = model.weights(frame), offset = recipe$parts$offset,
                 scale_offset = recipe$parts$scale_offset)
  thresholds_as <- check_structure(recipe$sides$threshold, recipe$n_levels)
  recipe$core <- core_model(recipe$parts$x, recipe$parts$n, recipe$parts$z, design, recipe$link, thresholds_as,
                            control$penalty, rotate = FALSE,
                            center_scale = control$penalty == 0 && !any(design$offset %||% 0 != 0))
  recipe
}

# The rows of a batch in the form of the core.
general_rows <- function(frame, recipe, y, weights) {
  parts <- side_parts(frame, recipe)
  core <- recipe$core
  scaled <- function(x, kept, basis) unname(in_basis(x[, colnames(kept), drop = FALSE], basis))
  n <- length(y)
  columns <- list(nominal = cbind(1, scaled(parts$n, core$nominal_columns[, -1, drop = FALSE], core$basis$nominal)),
                  location = scaled(parts$x, core$columns, core$basis$location),
                  scale = scaled(parts$z, core$scale_columns, core$basis$scale))
  bad <- !vapply(columns, function(x) all(is.finite(x)), NA)
  if (any(bad)) check_finite(rowSums(columns[[which(bad)[1]]]), "data")
  c(columns, list(link = core$model$link, structure = core$model$structure, y = y,
                  weights = as.double(weights %||% rep(1, n)), offset = as.double(parts$offset %||% numeric(n)),
                  scale_offset = as.double(parts$scale_offset %||% numeric(n))))
}

fit_general_batches <- function(batches, recipe, survey, control, call) {
  core <- recipe$core
  if (control$penalty > 0) {
    # The variances of the core's columns over all rows, one per parameter; 1 for thresholds.
    variance <- variances_of_batches(batches, recipe, function(batch) cbind(batch$nominal, batch$location, batch$scale))
    variance[1] <- 1
    nominal <- seq_len(ncol(core$nominal_columns))
    core$model$penalty <- core$model$penalty *
      c(rep(variance[nominal], each = length(core$structure$sign)), variance[-nominal])
  }
  levels <- survey$response
  has_all <- length(unique(core$model$y[core$model$weights > 0])) == recipe$n_levels
  start <- if (has_all) best_general_fit(core$model, core$structure, recipe$n_levels, control) else list(status = "")
  if (start$status != "converged") {
    all_levels <- list(link = recipe$link, y = seq_len(recipe$n_levels), weights = levels$weight)
    start$parameters <- marginal_start(c(all_levels, core$model[c("nominal", "location", "scale")]), core$structure,
                                       recipe$n_levels, control)
  }
  control$link <- recipe$link
  d <- length(start$parameters)
  core_fit <- pom_fit_by_passes_cpp(function(beta) sum_of_batches(batches, recipe, beta), start$parameters, numeric(d),
                               rep(1, d), control, core$model$penalty)
  core_fit[c("parameters", "information", "link")] <- list(core_fit$beta, core_fit$information$slopes, recipe$link)
  fit <- general_result(core, with_covariance(core_fit), no_separation)
  parts <- c(recipe$parts, list(frame_terms = recipe$terms, frame_call = call, formula = recipe$sides$formula))
  parts$x <- parts$x[0, , drop = FALSE]
  parts$design <- list(response = levels[c("levels", "values")], xlevels = recipe$xlevels)
  sides <- c("columns", "nominal_columns", "scale_columns")
  fit[sides] <- lapply(fit[sides], function(x) x[0, , drop = FALSE])
  fit <- with_counts_of(new_general(fit, parts, recipe$sides$threshold, control, call), survey)
  report_general(fit)
  fit
}

# Checks for separation as find_separation() does, in passes over the rows, if the fit shows signs of it. The rows of
# the sample are checked first. If they are not separated, no pass is needed; otherwise, one or two passes are usually
# enough.
batch_separation <- function(raw, batches, recipe, survey, control) {
  signs <- raw$status != "converged" || raw$iterations > 12 || raw$reciprocal_condition < 1e-6 ||
    any(abs(raw$beta) * recipe$scale > 8)
  if (!signs || control$penalty > 0) return(no_separation)
  level_names <- survey$response$levels
  m <- length(level_names) - 1
  ratio <- recipe$center / recipe$scale
  slice <- max(1000, 4e6 %/% (m + length(ratio)))  # the number of rows at a time, which use a few dozen MB
  bounds_of <- function(rows, f) {
    batch <- batch_arguments(rows, recipe)
    if (is.null(batch)) return(invisible())
    for (part in split(seq_along(batch$y), (seq_along(batch$y) - 1) %/% slice)) f(batch_bounds(batch, part, recipe, m))
  }
  sampled <- NULL
  chosen <- unique(round(seq(1, nrow(survey$sample), length.out = min(nrow(survey$sample), slice))))
  bounds_of(survey$sample[chosen, , drop = FALSE], function(bounds) sampled <<- rbind(sampled, bounds))
  parameter_units <- rbind(cbind(diag(m), matrix(ratio, m, length(ratio), byrow = TRUE)),
                 cbind(matrix(0, length(ratio), m), diag(1 / recipe$scale, length(ratio))))
  each_set <- function(f) {
    for_each_batch(batches, function(rows) {
      bounds_of(rows, f)
      refresh_progress()
    })
  }
  parameter_names <- c(paste0(">=", level_names[-1]), recipe$kept)
  found_separation(separating_direction(each_set, sampled), parameter_units, parameter_names)
}

batch_bounds <- function(batch, i, recipe, m) {
  x <- (batch$x[i, , drop = FALSE] - rep(recipe$center, each = length(i))) / rep(recipe$scale, each = length(i))
  case_weights <- if (length(batch$weights)) batch$weights[i] else rep(1, length(i))
  limit_movements(list(y = batch$y[i], weights = case_weights, structure = diag(m), nominal = matrix(1, length(i)),
                       location = x))
}
