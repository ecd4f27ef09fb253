# Rankings by the judgments of several assessors, or by those of an assessor who has not judged everything: judgments
# differ from what a ranking refers to by errors, which it takes into account.

# Checks `assessor` and returns it: "these", "consensus", "another", or the name of an assessor of the `gains`. By
# default, gains of a session that estimates the consensus refer to it, too.
check_target <- function(assessor, gains, x, call = caller_env()) {
  if (identical(assessor, assessor_targets)) return(if (is.null(gains$noise)) "these" else "consensus")
  record <- gains$record
  check_string(assessor, "assessor", call)
  if (assessor == "these") return(assessor)
  check_that(assessor %in% c(assessor_targets, record$assessor), "assessor", c(
    "must be {.or {.val {assessor_targets}}}, or an assessor of the judgments, not {.val {assessor}}.",
    i = if (length(record$assessor)) "The assessors are {name_some(sort(unique(record$assessor)))}."
        else "The judgments do not say who made them: their column {.field assessor} does."
  ), call = call)
  check_errors_followed(x, assessor, call)
  assessor
}

check_errors_followed <- function(x, assessor, call = caller_env()) {
  check_that(is_sum(x) && is.null(x$scoring$transform), "assessor", c(
    "{.code assessor = \"{assessor}\"} does not support the measure {.val {x$scoring$measure$name}}.",
    i = "It supports measures that are sums of untransformed gains, such as AG and DCG."
  ), kind = "measure", call = call)
}

# The judgments on which gains are based, as assessor_record() returns them. If nothing is known of their assessors, one
# assessor made all of them.
record_of_gains <- function(x, gains) {
  if (!is.null(gains$record)) return(gains$record)
  joint <- inherits(gains, "judicious_joint_gains")
  pool_gains <- if (!joint) gains_on_pool(x, gains)
  gain <- if (joint) gains$gain else replace(pool_gains$mean, !pool_gains$judged, NA)
  judged <- which(!is.na(gain))
  data.frame(pair = judged, gain = gain[judged], assessor = rep("", length(judged)), final = rep(FALSE, length(judged)))
}

# What a ranking needs to refer to `target`: joint `gains` with the errors of judgments; and of the errors that the
# gains do not include, the variance by pair, from 0 to 1 (`error`), and the number of assessors whose common errors
# have to be added on each query (`by_query`, with variance `common`) and on all (`overall`), see common_errors().
# Unjudged pairs are as uncertain with another assessor as with these.
gains_for_target <- function(x, gains, target) {
  joint <- inherits(gains, "judicious_joint_gains")
  if (target == "these" && is.null(gains$noise)) return(list(gains = gains))
  record <- record_of_gains(x, gains)
  known <- combined_judgments(record, n_pairs(x), x$scale, target)
  another <- target == "another"
  share <- common_share(known$errors, x)
  unknown_error <- if (another) (1 - share) * known$errors$typical else 0
  referred <- list(gains = if (joint) rejudged_gains(gains, known$gain, known$noise) else gains,
                   error = (if (joint) 0 else known$noise) + ifelse(is.na(known$gain), 0, unknown_error),
                   common = share * known$errors$typical)
  c(referred, shared_among(record, x, target))
}

# Of how many assessors the common errors have to be added, `by_query` and `overall`; NULL for none.
shared_among <- function(record, x, target) {
  record <- record[!record$final %in% 1, ]
  if (is_named(target) || !nrow(record)) return(NULL)
  # The errors of several assessors partly cancel.
  left <- function(assessor) sum(prop.table(table(assessor))^2) + (target == "another")
  list(by_query = tapply(record$assessor, factor(x$pool$query[record$pair], seq_len(n_queries(x))), left),
       overall = left(record$assessor))
}

# The common errors of the judgments of a session about the consensus; NULL for other sessions.
shared_errors <- function(record, errors, x, target) {
  if (target != "consensus" || is.null(errors)) return(NULL)
  shared <- shared_among(record, x, target)
  if (!is.null(shared)) c(shared, common = common_share(errors, x) * errors$typical)
}

# The ranking with the variances of errors that the gains do not include, `of` gains_for_target().
add_errors <- function(ranking, of, target) {
  if (target == "these") return(ranking)
  note <- switch(target, consensus = "Confidence in the consensus of assessors",
                 another = "Confidence that another assessor would agree",
                 paste("Confidence in what", target, "would judge"))
  x <- ranking$collection
  pairs <- which(of$error > 0)
  root <- rbind(sqrt(of$error[pairs]) * pair_weights(x, pairs), common_errors(ranking, of))
  root <- root * diff(gain_range(x))
  if (nrow(root)) ranking <- add_covariance(ranking, root)
  ranking$error_root <- root
  ranking$basis$target <- target
  ranking$basis$note <- c(ranking$basis$note, note)
  ranking
}

# The errors of an assessor that documents have in common, as a matrix F with a column per system, whose F'F is the
# covariance that they add: on each query, the leniency, and the factor by which the assessor sees larger differences
# between systems.
common_errors <- function(ranking, of) {
  if (is.null(of$overall)) return(NULL)
  x <- ranking$collection
  cell <- x$pool$query[result_pair(x)] + n_queries(x) * (x$results$system - 1)
  retrieved <- matrix(sum_by_code(result_weight(x), cell, n_queries(x) * n_systems(x)), n_queries(x))
  by_query <- ifelse(is.na(of$by_query), 0, of$by_query) * of$common
  larger <- (ranking$mean - mean(ranking$mean)) / diff(gain_range(x))
  rbind(sqrt(as.vector(by_query)) * retrieved, sqrt(of$overall * assessor_prior$leniency) * colSums(retrieved),
        sqrt(of$overall * assessor_prior$scale) * larger)
}

# Adds F'F to the covariance of the systems; `root`: F, with a column per system.
add_covariance <- function(ranking, root) UseMethod("add_covariance")

#' @export
add_covariance.judicious_ranking <- function(ranking, root) {
  more <- crossprod(root)
  ranking$covariance <- ranking$covariance + more
  apart <- difference_variance_cpp(more)
  # Identical systems have the same errors, up to rounding.
  ranking$difference_variance <- ranking$difference_variance + replace(apart, apart < 1e-12 * max(diag(more), 0), 0)
  ranking
}
