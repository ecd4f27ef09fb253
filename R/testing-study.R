# Functions that power_analysis() and stability_analysis() share: the plan of a study, its trials in blocks, and the
# summary.

plan_study <- function(scores, sizes, trials, tests, measures, strata, alpha, seed, samples) {
  matrices <- score_matrices(scores, measures)
  queries <- rownames(matrices[[1]])
  n <- length(queries)
  for (x in matrices) for (k in 1:2) {
    check_that(setequal(dimnames(x)[[k]], dimnames(matrices[[1]])[[k]]), "scores",
               "All measures of {.arg scores} must have the same {c('queries', 'systems')[k]}.")
  }
  check_count(trials, "trials")
  check_number(alpha, "alpha", 0, 1, open = TRUE)
  tests <- as_test_list(tests)
  for (test in tests) warn_too_few_replicates(test, choose(ncol(matrices[[1]]), 2), test$alpha %||% alpha)
  max_size <- floor(n / samples)
  sizes <- plain_values(sizes, "sizes") %||% unique(c(seq(min(5, max_size), max_size, by = 5), max_size))
  check_that(are_whole_numbers(sizes, min = 2, max = if (samples == 2) max_size else .Machine$integer.max), "sizes", c(
    "must be whole numbers {if (samples == 2) paste('from 2 to', max_size) else 'of at least 2'}.",
    i = if (samples == 2) "Two disjoint subsets need twice the queries." else "There are {n} queries."))
  sizes <- sort(unique(as.integer(sizes)))
  list(matrices = lapply(matrices, function(x) x[queries, colnames(matrices[[1]]), drop = FALSE]),
       sizes = sizes[sizes <= n], beyond = sizes[sizes > n], trials = trials, tests = tests,
       stratum = query_strata(strata, queries), alpha = alpha, seed = stream_seed(seed), samples = samples)
}

query_strata <- function(strata, queries) {
  if (is.null(strata)) return(rep(1L, length(queries)))
  if (is.data.frame(strata)) {
    strata <- check_columns(strata, "query", "strata")
    column <- setdiff(names(strata), "query")
    check_that(length(column) == 1, "strata", "must have one column besides {.val query}, not {length(column)}.")
    strata <- stats::setNames(as.character(strata[[column]]), id_text(strata$query))
  }
  if (is.null(names(strata))) {
    check_that(length(strata) == length(queries), "strata", "must be named by query or have one value for each of the
      {length(queries)} queries, not {length(strata)}.")
    names(strata) <- queries
  }
  value <- strata[match(queries, names(strata))]
  check_that(!anyNA(value), "strata", "has no stratum for {name_some(queries[is.na(value)])}.")
  match(value, unique(value))
}

# Runs the study separately for each group of sets of systems.
study_system_sets <- function(study, systems, outcomes, class, progress) {
  groups <- system_groups(systems, colnames(study$matrices[[1]]), study$trials, study$seed)
  tables <- Map(function(label, sets) {
    seeds <- with_seed(study$seed %% .Machine$integer.max, sample.int(.Machine$integer.max, length(sets)))
    parts <- Map(function(set, seed) {
      study$matrices <- lapply(study$matrices, function(x) x[, set, drop = FALSE])
      study$trials <- ceiling(study$trials / length(sets))
      study$seed <- seed
      run_study(study, outcomes, progress)
    }, sets, seeds)
    rows <- study_tables(study, unlist(parts, recursive = FALSE), same_systems = FALSE)$rows
    cbind(rows[1:3], systems = label, rows[-(1:3)], stringsAsFactors = FALSE)
  }, names(groups), groups)
  new_study(study, list(rows = do.call(rbind, unname(tables))), class)
}

# The sets of systems in each group; the trials of a group are divided among its sets. The list is named by group.
system_groups <- function(systems, all, trials, seed) {
  if (!are_whole_numbers(systems, min = 2, max = length(all))) {
    sets <- if (is.list(systems)) lapply(systems, unique)
    check_that(has_distinct_names(sets) && all(lengths(sets) >= 2) && identical(lengths(sets), lengths(systems)),
               "systems", c(
      "must be whole numbers from 2 to {length(all)}, or a list of sets of systems.",
      i = "The sets of a list have different names, and two or more different systems each."))
    unknown <- setdiff(id_text(unlist(sets)), all)
    check_that(!length(unknown), "systems", "names {name_some(unknown)}, which {.arg scores} do not have.")
    return(lapply(systems, function(set) list(id_text(set))))
  }
  sizes <- sort(unique(as.integer(systems)))
  stats::setNames(lapply(sizes, function(m) {
    if (m == length(all)) return(list(all))
    with_seed(seed %% .Machine$integer.max, replicate(min(trials, 25), sort(sample(all, m)), simplify = FALSE))
  }), sizes)
}

# Runs all blocks of trials, in this process, or on the workers if the user has set a future plan.
run_study <- function(study, outcomes, progress) {
  check_flag(progress, "progress")
  over_items(study_blocks(study), function(block) run_block(study, block, outcomes), "Trials", progress)
}

# Divides the trials into blocks, which workers process: up to 100 trials of one size.
study_blocks <- function(study, block_size = 100) {
  n <- length(study$stratum)
  do.call(c, lapply(study$sizes, function(size) {
    trials <- if (size == n) 1 else study$trials
    first <- seq(0, trials - 1, by = block_size)
    Map(function(first, count) list(size = size, first = first, count = count), first, pmin(block_size, trials - first))
  }))
}

# Runs a block. For every measure, test and outcome, returns the share of pairs with this outcome in each trial, and the
# number of trials with this outcome for each pair.
run_block <- function(study, block, outcomes) {
  subsets <- draw_subsets_cpp(study$stratum, block$size, block$first, block$count, study$samples, study$seed)
  seed <- study$seed + block$size * 1e6 + block$first * study$samples
  cells <- study_cells(study)
  results <- Map(function(test, measure) {
    code <- decide_subsets(study$tests[[test]], study$matrices[[measure]], subsets,
                           study$tests[[test]]$alpha %||% study$alpha, seed)
    lapply(outcomes(code), function(happened) list(share = colMeans(happened), count = rowSums(happened)))
  }, cells$test, cells$measure)
  list(size = block$size, cells = cells, results = unname(results))
}

# The summary of the trials: `rows` by measure, test and size; `pairs` also by pair of systems, if all trials have the
# same systems.
study_tables <- function(study, parts, same_systems = TRUE) {
  size <- vapply(parts, `[[`, 0L, "size")
  cells <- parts[[1]]$cells
  rows <- expand.grid(size = study$sizes, cell = seq_len(nrow(cells)))
  tables <- Map(function(s, i) {
    cell <- data.frame(measure = cells$measure[i], test = cells$test[i], size = s)
    results <- lapply(parts[size == s], function(part) part$results[[i]])
    of_outcomes <- function(column) {
      lapply(stats::setNames(nm = names(results[[1]])),
             function(outcome) lapply(results, function(h) h[[outcome]][[column]]))
    }
    share <- lapply(of_outcomes("share"), unlist)
    main <- share[[1]]
    bounds <- unname(quantile(main, c(0.025, 0.975)))
    count <- if (same_systems) lapply(of_outcomes("count"), Reduce, f = `+`)
    list(rows = data.frame(cell, trials = length(main), lapply(share, mean),
                           sd = if (length(main) > 1) sd(main) else NA_real_, lower = bounds[1], upper = bounds[2]),
         pairs = if (same_systems) pair_rows(study, cell, lapply(count, `/`, length(main))))
  }, rows$size, rows$cell)
  list(rows = bind_tables(tables, "rows"), pairs = bind_tables(tables, "pairs"))
}

# A data frame with a row for each pair of systems; the columns of `cell` come first.
pair_rows <- function(study, cell, ...) {
  systems <- colnames(study$matrices[[1]])
  pairs <- column_pairs(length(systems))
  data.frame(cell, system_a = systems[pairs$a], system_b = systems[pairs$b], ...)
}

study_cells <- function(study, ...) {
  expand.grid(..., test = names(study$tests), measure = names(study$matrices), stringsAsFactors = FALSE)
}

new_study <- function(study, tables, class) {
  structure(tables$rows, class = c(class, "data.frame"), pairs = tables$pairs, seed = study$seed, tests = study$tests,
            n_queries = length(study$stratum), alpha = study$alpha)
}

#' @export
print.judicious_power <- function(x, n = 40, ...) {
  print_study(x, "Power: share of the pairs of systems found significant", c("power", "lower", "upper"), n)
}

#' @export
print.judicious_stability <- function(x, n = 40, ...) {
  print_study(x, "Stability: share of the pairs of systems in conflict between two disjoint subsets of the queries",
              c("conflicts", "lack_of_power", "sign_swap", "swap_significant"), n)
  if (!is.null(attr(x, "generalisability"))) {
    cat("Reliability of the scores with all queries, and the queries needed\n")
    columns <- c("measure", "coefficient", "value", "lower", "upper", "queries", "queries_lower", "queries_upper")
    print_table(attr(x, "generalisability")[columns], row.names = FALSE, digits = 3)
  }
  invisible(x)
}

print_study <- function(x, title, columns, n) {
  if (!is.null(attr(x, "tests"))) {
    cat(title, "\n", sep = "")
    for (name in names(attr(x, "tests"))) cat("  ", name, ": ", format(attr(x, "tests")[[name]]), "\n", sep = "")
  }
  rows <- plain_frame(x)
  shares <- intersect(columns, names(rows))
  rows[shares] <- lapply(rows[shares], function(share) ifelse(is.na(share), "", percent(share, digits = 2)))
  print_rows(rows[intersect(c("measure", "test", "size", "systems", "trials", columns), names(rows))], n)
  invisible(x)
}

#' @export
tidy.judicious_power <- function(x, ...) {
  refuse_other_arguments("tidy()", ...)
  plain_frame(x)
}

#' @export
tidy.judicious_stability <- tidy.judicious_power

#' @export
print.judicious_reliability <- function(x, ...) {
  cat("Power, conflicts, and what is both significant and stable\n")
  rows <- plain_frame(x)
  shares <- intersect(c("power", "conflicts", "stable"), names(rows))
  rows[shares] <- lapply(rows[shares], percent, digits = 1)
  print_table(rows, row.names = FALSE)
  invisible(x)
}

#' @importFrom utils toLatex
#' @export
toLatex.judicious_reliability <- function(object, ...) {
  shares <- lapply(object[c("power", "conflicts", "stable")], percent, 1)
  latex_table(data.frame(sprintf("%s (%s)", object$measure, object$test), object$size, shares),
              c("", "Queries", "Power", "Conflicts", "Stable"), "lrrrr")
}

# Raises the default number of replicates to twice the number that a significant p-value after correction requires, up
# to 200,000. The usual 10,000 are too few for the pairs of 33 systems with Holm's correction.
with_enough_replicates <- function(test, n_pairs, alpha) {
  resampled <- inherits(test, "judicious_test_resampling") && test$adjust != "none"
  if (resampled && test$replicates == replicates_parameter$default)
    test$replicates <- min(max(test$replicates, 2 * ceiling(n_pairs / alpha)), 2e5)
  test
}

# Warns if no pair can be significant: a resampling p-value is at least 1/(replicates + 1), and multiplied by the number
# of pairs, it may always be above the significance level.
warn_too_few_replicates <- function(test, n_pairs, alpha) {
  if (!inherits(test, "judicious_test_resampling") || test$adjust == "none") return(invisible())
  needed <- ceiling(n_pairs / alpha)
  if (test$replicates + 1 < needed) {
    warn_judicious(c(
      "{format_count(test$replicates)} replicates are too few: with the {adjust_label(test$adjust)} correction for
        {format_count(n_pairs)} pairs the smallest p-value possible can stay above {format(alpha)}.",
      i = "Give it at least {.code replicates = {format_number(10 * needed)}}, or use
        {.code significance_test(\"randomised_tukey\")}."), "replicates", needed = needed)
  }
}
