# Rankings by the judgments of several assessors, or by those of an assessor who has not judged everything: judgments
# differ from what a ranking refers to by errors, which it takes into account.

# Checks `assessor` and returns it: "these", "consensus", "another", or the name of an assessor of the `gains`. By
# default, gains of a session that estimates the consensus refer to it, too.
check_target <- function(assessor, gains, x, call = caller_env()) {
  if (identical(assessor, assessor_targets)) return(if (is.null(gains$noise)) "these" else "consensus")
  record <- gains$record
  check_string(assessor, "assessor", call)
  if (assessor == "these") return(assessor)
  if (!assessor %in% c(assessor_targets, record$assessor)) {
    abort_judicious(c(
      "{.arg assessor} must be {.or {.val {assessor_targets}}}, or an assessor of the judgments, not
        {.val {assessor}}.",
      i = if (length(record$assessor)) "The assessors are {name_some(sort(unique(record$assessor)))}."
          else "The judgments do not say who made them: their column {.field assessor} does."
    ), "argument", argument = "assessor", call = call)
  }
  check_errors_followed(x, assessor, call)
  assessor
}

check_errors_followed <- function(x, assessor, call = caller_env()) {
  if (is_sum(x) && is.null(x$scale$worth)) return(invisible())
  abort_judicious(c("{.code assessor = \"{assessor}\"} does not support the measure {.val {x$measure$name}}.",
                    i = "It supports measures that are sums of untransformed gains, such as AG and DCG."), "measure",
                  argument = "assessor", call = call)
}

# The judgments on which gains are based, as assessor_record() returns them. If nothing is known of their assessors, one
# assessor made all of them.
record_of_gains <- function(x, gains) {
  if (!is.null(gains$record)) return(gains$record)
  gain <- known_gains(x, gains)
  judged <- which(!is.na(gain))
  data.frame(pair = judged, gain = gain[judged], assessor = rep("", length(judged)), final = rep(FALSE, length(judged)))
}

# The known gains of a ranking, by pair of the pool.
known_gains <- function(x, gains) {
  if (inherits(gains, "judicious_joint_gains")) return(gains$gain)
  of <- gains_on_pool(x, gains)
  replace(of$mean, !of$judged, NA)
}

# What a ranking needs to refer to `target`: joint `gains` with the errors of judgments; and `error`, by pair, the
# variance of the errors that the gains do not include, from 0 to 1. Unjudged pairs are as uncertain with another
# assessor as with these.
gains_for_target <- function(x, gains, target) {
  joint <- inherits(gains, "judicious_joint_gains")
  if (target == "these" && is.null(gains$noise)) return(list(gains = gains, error = NULL))
  known <- combined_judgments(record_of_gains(x, gains), n_pairs(x), x$scale, target)
  error <- if (target == "another") ifelse(is.na(known$gain), 0, known$errors$typical)
  if (joint) return(list(gains = rejudged_gains(gains, known$gain, known$noise), error = error))
  list(gains = gains, error = known$noise + (error %||% 0))
}

# The ranking with the additional variances of errors.
add_errors <- function(ranking, error, target) {
  if (target == "these") return(ranking)
  note <- switch(target, consensus = "Confidence in the consensus of assessors",
                 another = "Confidence that another assessor would agree",
                 paste("Confidence in what", target, "would judge"))
  x <- ranking$collection
  if (!is.null(error)) {
    pairs <- which(error > 0)
    root <- diff(worth_range(x$scale)) * sqrt(error[pairs]) * pair_weights(x, pairs)
    ranking <- add_covariance(ranking, root)
  }
  ranking$basis$target <- target
  ranking$basis$note <- c(ranking$basis$note, note)
  ranking
}

# Adds F'F to the covariance of the systems; `root`: F, with a column per system.
add_covariance <- function(ranking, root) UseMethod("add_covariance")

#' @export
add_covariance.judicious_ranking <- function(ranking, root) {
  more <- crossprod(root)
  ranking$covariance <- ranking$covariance + more
  ranking$difference_variance <- ranking$difference_variance + difference_variance_cpp(more)
  ranking
}
