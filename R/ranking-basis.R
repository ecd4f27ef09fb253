# The gains on which a ranking is based: how rank_systems() computes them from its other arguments, and how print()
# describes them.

# `carried`: the grades, by carry_grades(). `draws`: NULL if the ranking is to state the draws of a session.
gains_to_rank_by <- function(x, gains, past, carried, judgments, measure, draws, call = caller_env()) {
  given <- c("past", "grades", "judgments")[!c(is.null(past), is.null(carried$asked), is.null(judgments))]
  if (inherits(gains, c("judicious_gains", "judicious_joint_gains"))) {
    refuse_beside_gains(given, "gains that are made already", call)
    return(gains)
  }
  if (is.null(gains) || inherits(gains, "judicious_gain_model")) {
    if (!is.null(gains)) refuse_beside_gains(intersect(given, "past"), "a model", call)
    # If joint gains cannot be made for the measure, make them for the gains themselves; the ranking uses draws.
    measured <- in_measure(x, measure, call)
    if (!is_followed(measured)) {
      measured <- x
      measure <- NULL
    }
    check_followed(measured, call)
    model <- gains %||% model_of_past(past, carried$past, measure, call)
    return(estimated_gains(measured, model, carried$grades, judgments, follow = is.null(draws), call = call))
  }
  if (identical(gains, "design")) {
    refuse_beside_gains(intersect(given, "past"), "design-based estimates", call)
    return(design_gains(x, judgments, call))
  }
  independent <- if (identical(gains, "published")) "the published method" else "a model of independent gains"
  refuse_beside_gains(intersect(given, c("past", "grades")), independent, call)
  x$gain <- judgments_or_own(x, judgments, call = call)
  if (identical(gains, "published")) return(published_gains(x, call))
  check_gain_source(gains, call)
  known_made_certain(x, output_gains(x, gains, output_features(x), call))
}

refuse_beside_gains <- function(given, what, call) {
  check_that(!length(given), given[1], c(
    "{.arg {given[1]}} cannot be combined with {what}.",
    i = "Leave {.arg gains} out to use {.arg {given[1]}} with joint gains."
  ), call = call)
}

# A model is any object with a predict() method. Check for obvious mistakes here, such as a misspelt "published" or a
# data frame, which would raise an obscure error in predict().
check_gain_source <- function(gains, call) {
  check_that(!inherits(gains, c("judicious_collection", "judicious_session")), "gains",
             "is {.obj_type_friendly {gains}}, which can be given as {.arg past}.", call = call)
  check_that(!is.atomic(gains) && !is.data.frame(gains) && !is.function(gains), "gains", c(
    "must be joint gains, a model, a {.fn gain_distribution} or {.val published}, not
      {.obj_type_friendly {gains}}{show_value(gains)}.",
    i = "Leave it out for joint gains from {.arg past}, {.arg grades} and {.arg judgments}."
  ), call = call)
}

#' @return A list with `kind`, "joint" or "independent", `note`, the lines to print, and the `scope`. Independent gains
#'   have no note, because the label of their confidence describes them.
#' @noRd
gains_basis <- function(gains, scope = "these") {
  if (inherits(gains, "judicious_design")) return(list(kind = "design", note = design_note, scope = scope))
  if (!inherits(gains, "judicious_joint_gains")) return(list(kind = "independent", note = character(), scope = scope))
  learned <- gains$model$fitted
  model <- gains$model$grading$plain %||% gains$model
  built_in <- prior_for(gain_prior(), gains$collection)
  prior <- if (!is.null(learned)) {
    sprintf("a model of %s (%s)", counted(learned$collections, "judged collection"),
            counted(learned$judged, "judgment"))
  } else if (identical(model$coefficient[names(built_in$coefficient)], built_in$coefficient) &&
               identical(model$variance, built_in$variance) && is.null(model$features)) {
    built_in_prior_label
  } else {
    "your prior"
  }
  # Steps up a grader's scale are named like "grade>=2".
  graded <- any(names(gains$fit$beta) %in% grade_slopes | grepl(">=", names(gains$fit$beta), fixed = TRUE))
  new_queries <- if (scope == "new") "Estimates for new queries of the same kind"
  widened <- if (gains$fit$widening > 1) {
    sprintf("Variances are multiplied by %.2f, because the session's check of the model fails (see ?calibration)",
            gains$fit$widening)
  }
  made_of <- paste0("Joint gains from ", prior, if (graded) " and grades")
  list(kind = "joint", note = c(made_of, grades_note(gains), widened, new_queries), scope = scope, prior = prior,
       graded = graded)
}

built_in_prior_label <- "the built-in prior"

# Whether every gain to which the ranking refers is known.
all_judged <- function(ranking) {
  is.null(ranking$basis$target) && !identical(ranking$basis$scope, "new") &&
    isTRUE(ranking$judged == count_pairs(ranking$collection))
}

all_judged_note <- paste("Every pair of the pool is judged, so that nothing is estimated; judgments = FALSE ranks",
                         "without the judgments.")
