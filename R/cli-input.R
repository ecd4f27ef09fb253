# Creates collections, gains and goals from the options of the command line. `o`: the values of the options, as
# cli_parse() returns them.

# The collection that the options describe. `scale_judgments`: judgments from which the levels of the scale are inferred
# if no option states them.
cli_collection <- function(o, judgments = cli_judgments(o), scale_judgments = judgments) {
  x <- if (cli_has_answers(o)) cli_answers(o) else cli_runs_collection(o)
  grades <- grades_in_files(o$grades, cli_failed(o))
  x <- with_inferred_scale(x, scale_judgments, grades)
  # Judgments of another collection would only change the scale, so they raise an error.
  if (NROW(scale_judgments)) check_common_ids(x, scale_judgments, must = TRUE)
  if (!is.null(scale_judgments)) warn_other_scale(scale_judgments$gain, x$scale)
  if (is.null(judgments)) return(x)
  if (!is_judged_again(judgments)) return(add_judgments(x, judgments))
  x$assessed <- NULL
  with_combined_judgments(x, judgments)
}

cli_runs_collection <- function(o) {
  runs <- runs_from_path(o$operands, "runs")
  # If the measure has a deeper cutoff than the default, the collection needs that many results.
  cutoff <- if (!is.null(o$measure)) measures_of(o$measure, "measure")[[1]]$cutoff
  k <- o$k %||% if (isTRUE(cutoff > default_cutoff(runs))) cutoff
  # Results below the cutoff do not count, so lists need not have them, and a warning would mislead.
  withCallingHandlers(
    test_collection(runs, o$documents, o$systems, o$queries, k = k, scale = cli_scale(o$scale), ties = o$ties,
                    duplicates = o$duplicates),
    judicious_warning_short_list = function(cnd) {
      if (isTRUE(cnd$shortest >= cutoff)) tryInvokeRestart("muffleWarning")
    }
  )
}

# Whether the input has answers in place of runs: by --columns or --gold, or by the form of the file.
cli_has_answers <- function(o, paths = o$operands) !is.null(o$columns) || !is.null(o$gold) || holds_answers(paths)

cli_answers <- function(o, paths = o$operands) {
  cli_refuse(o, c("documents", "systems", "queries", "k", "ties", "duplicates"),
             "not available with answers in place of runs")
  arguments <- c(list(paths), cli_columns_of(o), list(scale = cli_scale(o$scale), failed = cli_failed(o)),
                 if (!is.null(o$gold)) list(gold = o$gold))
  reported_by(NULL, do.call(read_answers, arguments))
}

# The names of columns that --columns states, by role.
cli_columns_of <- function(o) {
  # Names that contain commas, such as "exact_match,strict-match", have been split, and are joined again.
  parts <- o$columns %||% character()
  assignments <- tapply(parts, cumsum(grepl("=", parts, fixed = TRUE)), paste, collapse = ",")
  assignments <- strsplit(as.character(assignments), "=", fixed = TRUE)
  for (one in assignments) check_usage(length(one) == 2 && one[1] %in% answer_roles, "--columns must be ROLE=COLUMN,
    such as system=model,gain=rating; the roles are {paste(answer_roles, collapse = ', ')}.")
  split(vapply(assignments, `[`, "", 2), vapply(assignments, `[`, "", 1))
}

# The judgments in the file of an option, changed by --negative and --combine; NULL if the option is not used.
cli_judgments <- function(o, option = "judgments") {
  if (is.null(o[[option]])) return(NULL)
  check_usage(!cli_has_answers(o) || !holds_answers(o[[option]]), "--{option}: {.file {o[[option]]}} has ratings of
    answers. Give this file beside the files of answers, without --{option}.")
  judgments <- judgments_from_path(o[[option]], option)
  if (identical(o$negative, "zero")) judgments$gain <- pmax(judgments$gain, 0)
  if (is.null(o$combine)) judgments else combine_assessors(judgments, o$combine, NULL, option)
}

# The collection that the options describe, with the measure of --measure.
cli_measured_collection <- function(o, ...) with_measure(cli_collection(o, ...), o$measure)

cli_scale <- function(text) {
  if (is.null(text)) return(NULL)
  if (text %in% c("fine", "broad")) return(if (text == "fine") fine_scale() else broad_scale())
  gains <- cli_levels(text)
  check_usage(length(gains) > 1 && !anyNA(gains) && !anyDuplicated(gains),
              "--scale must be fine, broad, or different numbers, such as 0:3 or 0,1,3, not \"{text}\".")
  gain_scale(gains)
}

# Converts "0,1,3" or "0:3" to numbers.
cli_levels <- function(text) {
  numbers <- function(parts) suppressWarnings(as.numeric(parts))
  if (!grepl(":", text)) return(numbers(cli_split_list(text)))
  ends <- numbers(strsplit(text, ":")[[1]])
  if (length(ends) == 2 && !anyNA(ends)) seq(ends[1], ends[2]) else NA
}

cli_is_joint <- function(o) {
  joint <- is.null(o$estimates) && !isTRUE(o$model %in% c("published", "uniform"))
  check_usage(is.null(o$past) || joint && o$model == "joint",
              "--past is only available with --model joint, and without --estimates.")
  joint
}

# The model in the file that --model names; NULL if it does not name a file.
cli_model_file <- function(model, option = "model") {
  if (is.null(model) || model %in% c("joint", "published", "uniform")) return(NULL)
  if (!file.exists(model) || dir.exists(model)) {
    check_usage(option != "model" || grepl("[./\\]", model),
                "--model must be joint, published, uniform or a model file, not \"{model}\".")
    abort_judicious("--{option}: there is no file {.file {model}}.", "file", call = NULL)
  }
  refuse <- function(why = NULL) {
    abort_judicious(c("--{option}: {.file {model}} was not written by {.code judicious fit --save}.",
                      x = if (!is.null(why)) "{why}"), "file", call = NULL)
  }
  found <- tryCatch(decode_data(readBin(model, "raw", file.size(model)), "model"),
                    judicious_error_not_data = function(cnd) refuse(conditionMessage(cnd)))
  if (inherits(found, "judicious_gain_model")) found else refuse()
}

cli_gain_model <- function(o) {
  if (is.null(o$past)) return(cli_model_file(o$model) %||% gain_prior())
  sessions <- lapply(o$past, function(store) open_session(cli_store(store, "past")))
  on.exit(lapply(sessions, close_session))
  gain_model(sessions, grades = cli_grades(o), measure = o$measure)
}

# The grades in --grades for joint gains: data frames of query, doc and gain.
cli_grades <- function(o) {
  check_usage(is.null(o$grades) || cli_is_joint(o), "--grades is only available with --model joint.")
  grades_in_files(o$grades, cli_failed(o))
}

# The values that mark failed grades; an empty text stands for no such value.
cli_failed <- function(o) if (!is.null(o$failed)) setdiff(strsplit(o$failed, ",", fixed = TRUE)[[1]], "")

# The two models of independent gains: for use before any judgment, and with judgments.
cli_published_models <- function(x, o) {
  if (o$model == "uniform") return(list())
  if (!lower_ascii(x$scale$name) %in% c("fine", "broad")) {
    inform_judicious("The published models are for the scales fine and broad; on {format(x$scale)}, gains are uniform.",
                     "fallback")
    return(list())
  }
  note_fallback(x, list(output = mirex_model("output", x$scale), judge = mirex_model("judge", x$scale)))
}

note_fallback <- function(x, models) {
  lacking <- sum(!complete_for_model(models$output, output_features(x)))
  if (lacking) {
    inform_judicious(c("{format_count(lacking)} of {format_count(n_pairs(x))} pairs lack a feature that the model
      needs; without judgments, their gains are uniform.", if (is.null(x$documents[["genre"]])) {
                       c(i = "Genres and artists are read from --documents.")
                     }), "fallback")
  }
  models
}

# The model of the gains for a session.
cli_session_model <- function(x, o) {
  if (cli_is_joint(o)) return(cli_gain_model(o))
  models <- cli_published_models(x, o)
  independent_gains(models$output, models$judge)
}

#' Estimate the gains of a collection by the model that the options state
#'
#' @param assessed For joint gains: judgments of several assessors, instead of those of the collection.
#' @noRd
cli_gains <- function(x, o, assessed = NULL) {
  joint <- cli_is_joint(o)
  grades <- cli_grades(o)
  if (!is.null(o$estimates)) return(cli_estimated_gains(x, o$estimates))
  model <- cli_session_model(x, o)
  if (joint) return(joint_gains(x, model, judgments = assessed, grades = grades))
  initial <- belief_begin(belief_prepare(model, x, NULL), x)
  fit <- if (!all(is.na(x$gain))) belief_refit(initial, x$gain, Inf)
  belief_gains(belief_restore(initial, fit, x$gain, integer()))
}

cli_estimated_gains <- function(x, path) {
  kind <- file_kind("estimates", list("4" = c("query", "doc", "mean", "variance")),
                    is_header = function(fields) any(fields == "mean"), numbers = c("mean", "variance"))
  read <- read_columns(path, NA, NULL, NULL, kind, "estimates")
  check_values(read$variance, read$variance >= 0, "variance", "estimates", "numbers of at least 0")
  refuse_repeated(read, c("query", "doc"), "estimates", "has query {.val {first$query}}, document {.val {first$doc}}
    twice, the second time in row {i}.", "duplicate_id")
  prob <- matrix(NA_real_, nrow(read), length(x$scale$model_levels))
  colnames(prob) <- x$scale$model_levels
  gains <- new_gains(read$query, read$doc, prob, read$mean, read$variance, judged = read$judged %in% "TRUE",
                     fallback = logical(nrow(read)), scale = x$scale)
  judged <- which(!is.na(x$gain))
  if (!length(judged)) return(gains)
  update(gains, data.frame(pool_ids(x)[judged, ], gain = x$gain[judged]))
}

cli_goal <- function(o) {
  required <- function(option) {
    value <- o[[option]]
    check_usage(!is.null(value), "--goal {o$goal} needs --{option}.")
    value
  }
  check_usage(o$confidence > 0 && o$confidence < 1, "--confidence must be between 0 and 1, not {o$confidence}.")
  if (!o$goal %in% c("all_pairs", "top", "beats")) {
    cli_refuse(o, "equal", "only available with --goal all_pairs, top or beats")
  }
  switch(o$goal,
    mean = goal_mean(o$confidence, o$delta, o$by),
    all_pairs = goal_all_pairs(o$confidence, o$delta, o$equal, o$by),
    top = goal_top(required("top"), o$confidence, o$delta, o$equal, o$by),
    beats = goal_beats(required("baseline"), o$confidence, o$delta, o$equal, o$by),
    absolute = goal_absolute(required("margin"), o$confidence, o$by),
    width = goal_width(required("width"), o$confidence, o$by)
  )
}

# If gains are independent, the default strategy weights comparisons.
cli_strategy <- function(o) {
  if (!cli_is_joint(o) && !"strategy" %in% o$given) {
    comparisons <- if (o$goal %in% c("mean", "all_pairs")) o$weights else "goal"
    return(strategy_weight(comparisons, o$confidence, tie_break = o$tie_break))
  }
  do.call(paste0("strategy_", o$strategy), list())
}

# Raises an error if one of the options `names` is used that would have no effect, rather than ignoring it. `why`
# completes the sentence "--option is ...".
cli_refuse <- function(o, names, why) {
  used <- intersect(o$given, names)
  if (length(used)) abort_usage("--{used[1]} is {why}.")
}

# The store that an option names: a path is returned unchanged; the address of a PostgreSQL database,
# postgresql://user:password@host:port/name?option=value, is converted to a driver and connection arguments.
cli_store <- function(text, option = "store") {
  if (!grepl("^postgres(ql)?://", text)) return(text)
  parts <- regmatches(text, regexec("^[a-z]+://(([^:@/]*)(:([^@/]*))?@)?([^:/?]*)(:([0-9]+))?(/([^?]*))?([?](.*))?$",
                                    text))[[1]]
  check_usage(length(parts),
              "--{option} must be a file or an address such as postgresql://user@host:5432/name, not \"{text}\".")
  need_package("RPostgres", "A session in a PostgreSQL database", call = NULL)
  address_parts <- list(user = parts[3], password = parts[5], host = parts[6], port = parts[8], dbname = parts[10])
  pairs <- strsplit(strsplit(parts[12], "&", fixed = TRUE)[[1]], "=", fixed = TRUE)
  more <- stats::setNames(lapply(pairs, function(p) paste(p[-1], collapse = "=")), vapply(pairs, `[`, "", 1))
  address_parts <- utils::modifyList(address_parts[nzchar(address_parts)], more)
  c(list(drv = RPostgres::Postgres()), lapply(address_parts, utils::URLdecode))
}
