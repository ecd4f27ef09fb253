# Prints rankings: headline, notes, table and summary.

#' @rdname rank_systems
#' @usage NULL
#' @export
print.judicious_ranking <- function(x, n = 30, ...) {
  check_number(n, "n", min = 0)
  systems <- merged_systems(x)
  sentences <- ranking_sentences(x)
  cat(sprintf("%s\n", sentences), sep = "")
  shown <- utils::head(systems, n)
  shown$ranks <- ranks_text(shown)
  columns <- c("rank", "ranks", "system", "team", "estimate", "sd", "lower", "upper")
  if (identical(systems$system, systems$team)) columns <- setdiff(columns, "team")
  if (!has_rank_sets(x)) columns <- setdiff(columns, "ranks")
  numbers <- c("estimate", "sd", "lower", "upper")
  shown[numbers] <- lapply(shown[numbers], score_text, span = x$collection$scoring$span)
  print_table(shown[columns], row.names = FALSE)
  cat_rest(sum(systems$members) - sum(shown$members), "system")
  # The set of systems that may be the best can be smaller than the ranks suggest.
  if (any(grepl("(^T|; t)he best is", sentences)) &&
      sum(systems$members[systems$rank_lower == 1]) > length(best_systems(x)))
    cat("Ranks: all true ranks are among them at the same time (", short_level(x),
        "); the best, and the confidence of a pair, are statements of their own\n", sep = "")
  invisible(x)
}

# What the ranking is based on, and how sure it is.
ranking_sentences <- function(x) {
  c(ranking_headline(x), ranking_statement(x), level_note(x), ranking_note(x), other_assessor_note(x))
}

# Whether the ranking is by sums of gains over the collection's own queries, for which the confidence for another
# assessor can be computed.
is_sum_over_own_queries <- function(ranking) {
  x <- ranking$collection
  is.null(ranking$basis$target) && ranking$basis$scope == "these" && is_sum(x) && is.null(x$scoring$transform)
}

# Whether there are pairs of systems, and few enough to compare all of them in print().
has_few_pairs <- function(x) n_systems(x) > 1 && !has_many_systems(x)

# The sentence on how confident the ranking would be for other judgments than these: those of another assessor and, if
# several assessors judged the same documents, their consensus.
other_assessor_note <- function(ranking) {
  gains <- ranking$gains
  x <- ranking$collection
  is_small <- length(gains$sequence) %in% seq_len(max_reconsidered)
  if (!is_sum_over_own_queries(ranking) || !has_few_pairs(x) || !is_small) return(NULL)
  confidence_in <- function(target) {
    sprintf("%.3f", confidence_of_pairs(rank_again(ranking, with_new_cache(gains), target))$mean)
  }
  other <- confidence_in("another")
  # With few judgments and many grades, the confidence for another assessor is almost the same; the note is then left
  # out.
  if (other >= sprintf("%.3f", ranking_confidence(ranking))) return(NULL)
  consensus <- if (anyDuplicated(gains$record$pair)) sprintf(", %s in the consensus", confidence_in("consensus"))
  paste0("Another assessor may order some pairs differently: confidence ", other, " that one orders a pair alike",
         consensus)
}

# With more judgments than this, the confidence for another assessor is left out, because print() would take too long.
max_reconsidered <- 3000

# The `confidence` that the ranking would have without its grades; and `worth`, the number of judgments without grades
# that are worth as much as its judgments with grades. Both are computed once. NULL if there are no grades, if past
# collections determined the parameters of the grades together with the other parameters of the model, if every pair is
# judged, and for measures that have no linear approximation.
ranking_without_grades <- function(ranking) {
  model <- ranking$gains$model$grading$unadapted
  x <- ranking$collection
  if (is.null(model) || length(ranking$mean) < 2 || all_judged(ranking) || !is_approximable(x)) return(NULL)
  computed_once(ranking$cache, "without_grades", list(ranking$mean, ranking$delta), {
    ungraded <- rank_without_grades(ranking, x, model)
    worth <- if (is_sum_over_own_queries(ranking)) equivalent_judgments(ranking$gains, ungraded$gains, rank_seed)
    list(confidence = ranking_confidence(ungraded), worth = worth)
  })
}

rank_without_grades <- function(ranking, x, model) {
  x$gain <- ranking$gains$gain
  x$grades <- NULL
  draws <- ranking$arguments$draws
  ungraded <- suppressWarnings(estimated_gains(x, model, NULL, ranking$learned_from$judgments,
                                              approximate = is.null(draws)),
                              classes = "judicious_warning_contradicted_past")
  ungraded$record <- ranking$gains$record
  rank_again(ranking, ungraded, ranking$basis$target %||% "these")
}

# The ranking with the same settings, by other gains of the collection or for another `target`.
rank_again <- function(ranking, gains, target) {
  input <- target_gains_and_errors(gains$collection, gains, target)
  again <- rank_jointly(input$gains, ranking$basis$scope, ranking$arguments$draws, ranking$arguments$seed)
  again[c("delta", "level")] <- ranking[c("delta", "level")]
  if (target == "these") again else add_errors(again, input, target)
}

judged_or_zero <- function(ranking) if (is.na(ranking$judged)) 0 else ranking$judged

# A sentence with the results of ranking_without_grades(). `format`: a format for sprintf() with one %s for the
# confidence.
without_grades_text <- function(ranking, format) {
  ungraded <- ranking_without_grades(ranking)
  if (is.null(ungraded)) return(NULL)
  judged <- judged_or_zero(ranking)
  # Grades that the model does not trust can lower the confidence; the worth of the grades is then not stated.
  grades_help <- ungraded$confidence <= ranking_confidence(ranking)
  equivalent <- if (isTRUE(ungraded$worth > judged && judged > 0 && grades_help)) {
    sprintf("; %s with them are worth about %s without",
            in_words_of(nouns_of(ranking$collection), counted(judged, "judged document")), format_count(ungraded$worth))
  }
  paste0(sprintf(format, ungraded$confidence), equivalent)
}

# Notes on the treatment of judged queries that no system answers, of missing lists and, for measures that use them, of
# judgments outside the pool.
outside_note <- function(ranking) {
  x <- ranking$collection
  unanswered <- sum(counts_in_means(x) & !answered_queries(x))
  in_words_of(nouns_of(x), c(
    if (unanswered) unanswered_text(unanswered, queries_in_means(x)), missing_lists_text(x),
    if (!is.null(x$outside) && !is_sum(x)) {
      outside_text(nrow(x$outside), length(unique(x$outside$query)), n_queries(x))
    }))
}

# States how many queries have no judgment while others have some. The gains of the former are predicted.
predicted_note <- function(ranking) {
  x <- ranking$collection
  gain <- ranking$gains$gain
  if (length(gain) != n_pairs(x)) return(NULL)
  counts <- counts_in_means(x)
  pair <- c(which(!is.na(gain)), ranking$gains$record$pair)
  judged <- x$queries$query %in% c(x$queries$query[x$pool$query[pair]], x$outside$query)
  n <- sum(counts & !judged)
  if (n == 0 || n == sum(counts)) return(NULL)
  in_words_of(nouns_of(x), sprintf("%s of %s %s no judgment; %s gains are predicted", format_count(n),
                                   count_queries(sum(counts)), if (n == 1) "has" else "have",
                                   if (n == 1) "its" else "their"))
}

# Advises stating the teams if names of systems suggest them: otherwise, the agreement of systems of the same team is
# overrated.
teams_note <- function(ranking) {
  n <- suggested_teams(ranking$collection$systems)
  if (n) sprintf("Names of systems suggest %d teams: state them (%s, or a column team), as systems of a team are alike",
                 n, as_code("systems"))
}

# States which gains count as relevant on a scale of more than two levels, unless the name of the measure does.
relevance_note <- function(x) {
  m <- collection_measure(x)
  binary <- identical(m$args$rel, 1) && (m$args$gain %||% "binary") == "binary"
  if (!binary || length(x$scale$levels) <= 2 || is_share_scale(x$scale)) return(NULL)
  higher <- x$scale$levels[x$scale$levels > 1][1]
  full_name <- sub("^(\\w+)(@.*)?$", sprintf("\\1(rel=%s)\\2", format(higher)), m$name)
  named <- !is.na(higher) && full_name != m$name
  paste0("Relevant: gains of 1 or more", if (named) sprintf(" (\"%s\": of %s or more)", full_name, format(higher)))
}

# A sentence on the pair of systems whose difference by joint gains contradicts most the design-based difference, which
# uses only the documents that the session drew at random. NULL unless the contradiction is significant at the level 1%,
# with Bonferroni's correction for the number of pairs.
contradicted_by_design <- function(ranking) {
  x <- ranking$collection
  design <- if (identical(ranking$basis$kind, "joint")) ranking_by_audit(ranking)
  if (is.null(design)) return(NULL)
  pair <- which(upper.tri(design$difference_variance), arr.ind = TRUE)
  difference <- function(by) unname(by$mean[pair[, 1]] - by$mean[pair[, 2]])
  error <- sqrt(design$difference_variance[pair])
  z <- ifelse(error > 0, abs(difference(design) - difference(ranking)) / error, 0)
  i <- which.max(z)
  if (z[i] <= stats::qnorm(1 - 0.005 / length(z))) return(NULL)
  difference_text <- function(by) score_text(difference(by)[i], x$scoring$span)
  sprintf(paste("The %s drawn at random contradict this by themselves: %s minus %s is %s by them, %s here; more random",
                "documents of both tell"), counted(design$judged, "document"), x$systems$system[pair[i, 1]],
          x$systems$system[pair[i, 2]], difference_text(design), difference_text(ranking))
}

# The design-based ranking by the documents of a session that were drawn at random; NULL if there are too few.
ranking_by_audit <- function(ranking) {
  x <- ranking$collection
  judgments <- ranking$learned_from$judgments
  # `audit` is NA for judgments made before the session, which are not among those drawn at random.
  if (!is_sum(x) || !has_few_pairs(x) || !any(judgments[["audit"]] %in% TRUE)) return(NULL)
  tryCatch(rank_by_design(x, design_gains(x, judgments), ranking$level),
           judicious_error_empty = function(cnd) NULL)
}

# The notes on a ranking: on what the estimates are based, and the scale if the user did not state it.
ranking_note <- function(x) {
  if (identical(x$basis$kind, "votes")) return(x$basis$note)
  gain_scale <- x$collection$scale
  c(if (all_judged(x)) all_judged_note()
    else c(x$basis$note, if (has_few_pairs(x$collection)) without_grades_text(x, "Without the grades: confidence %.3f"),
           contradicted_by_design(x), if (!is_sum(x$collection)) paste0(
             "Unjudged documents count with their estimated gains, in ideal lists and numbers of relevant documents, ",
             "too; ", as_code("evaluate()"), " counts only judged ones, so its values differ"
           ), predicted_note(x), teams_note(x)), outside_note(x),
    relevance_note(x$collection),
    if (is_share_scale(gain_scale) || !is.null(gain_scale$basis)) paste("Gains:", format(gain_scale)))
}

# The rank sets as text.
ranks_text <- function(data) {
  ifelse(data$rank_lower == data$rank_upper, data$rank_lower, paste(data$rank_lower, "to", data$rank_upper))
}

# The number of decimals: two for a scale up to 100, four for a scale up to 1.
score_decimals <- function(span) max(0, 4 - ceiling(log10(span)))

score_text <- function(value, span) formatC(value, digits = score_decimals(span), format = "f")

# The number of judged documents and, if some documents have several judgments, also the number of judgments.
judgments_text <- function(judged, n_judgments) {
  if (isTRUE(n_judgments > judged)) paste(counted(n_judgments, "judgment"), "of", counted(judged, "document"))
  else counted(judged, "judgment")
}

judgments_of_ranking <- function(x) {
  if (!is.na(x$judged)) in_words_of(nouns_of(x$collection),
                                    judgments_text(x$judged, if (is.null(x$stratum)) nrow(x$gains$record)))
}

ranking_headline <- function(x) {
  judged <- if (is.na(x$judged)) "" else paste(" with", judgments_of_ranking(x))
  delta_text <- if (x$delta > 0) paste0(", differences above ", format(x$delta))
  confidence <- ranking_confidence(x)
  confidence_text <- if (!is.na(confidence)) {
    sprintf(": confidence %.3f%s%s", confidence, delta_text %||% "", basis_label(x))
  }
  stratum <- if (!is.null(x$stratum)) {
    in_stratum <- in_words_of(nouns_of(x$collection), count_queries(queries_in_means(x$collection)))
    paste0(" (", x$stratum, ", ", in_stratum, ")")
  }
  paste(c(paste0("Ranking of ", counted(length(x$mean), "system"), stratum, " by ", measure_label(x$collection), judged,
                 confidence_text), noise_warning(x)), collapse = "; ")
}

noise_warning <- function(ranking) chance_warning(overlap_agreement(ranking$gains$record, ranking$collection$scale))

# The conclusion about the order of the systems, in one sentence.
ranking_statement <- function(ranking) {
  n <- length(ranking$mean)
  if (n < 2 || !has_rank_sets(ranking)) return(NULL)
  level <- short_level(ranking)
  jointly <- if (any(ranking$difference_variance > 0)) sprintf(" (jointly %s)", level) else ""
  best_first <- systems_best_first(ranking)
  identical_first <- identical_systems(ranking)[best_first]
  if (length(unique(identical_first)) == 1) return(paste0("All systems are equal", jointly))
  if (n == 2) return(better_text(ranking, best_first))
  scores <- score_draws(ranking, freedom = rank_set_freedom)
  sets <- rank_sets(ranking, scores = scores)
  rows <- data.frame(system = names(ranking$mean), rank_lower = sets$lower, rank_upper = sets$upper)[best_first, ]
  ends <- separated_ends(scores[best_first, , drop = FALSE], ranking$level)
  size <- stated_groups(separated_groups(rows), ends)
  if (!is.null(size)) return(paste0(separation_text(rows, size, identical_first), jointly))
  best <- best_set_text(rows$system, best_systems(ranking), sprintf(" (%s)", level), is_certain = prod(ends) > 0)
  if (prod(ends) == 0) upper_first(best) else paste0(ends_text(ends), jointly, "; ", best)
}

short_level <- function(ranking) sub("^0", "", format(ranking$level))

# A sentence for rankings whose order is more certain than the values. An error that all systems share, such as that in
# the mean gain of unjudged documents, cancels in the differences between systems. NULL unless differences are at least
# twice as precise as estimates, and the interval of the mean estimate of all systems is wider than 5% of the range of
# the measure on either side.
level_note <- function(ranking) {
  m <- length(ranking$mean)
  if (!has_few_pairs(ranking$collection) || all(ranking$difference_variance == 0)) return(NULL)
  estimate_variance <- mean(system_variance(ranking))
  pair_variance <- sum(ranking$difference_variance) / (m * (m - 1))
  common_variance <- estimate_variance - (m - 1) / m * pair_variance / 2
  span <- ranking$collection$scoring$span
  width <- function(variance) stats::qnorm((1 + ranking$level) / 2) * sqrt(max(variance, 0))
  if (estimate_variance < 4 * pair_variance || width(common_variance) <= 0.05 * span) return(NULL)
  sprintf("The order is known better than the level: estimates within %s, their differences within %s (%s)",
          score_text(width(estimate_variance), span), score_text(width(pair_variance), span),
          short_level(ranking))
}

# States which of two systems is better, and about how many more judgments would raise the confidence to the level of
# the ranking.
better_text <- function(ranking, best_first) {
  confidence <- compare_pairs(ranking)$confidence
  better <- paste(names(ranking$mean)[best_first], collapse = " is better than ")
  if (all(ranking$difference_variance == 0)) return(better)
  # Rounds down, so that ".95" or "1" is stated only if the confidence has reached it.
  round_down <- function(share) sub("^0", "", sprintf("%.2f", floor(share * 100 + 1e-9) / 100))
  level <- short_level(ranking)
  text <- paste0(better, ", ", if (confidence >= 0.995) "above .99" else round_down(confidence))
  if (confidence >= ranking$level || !is_sum_over_own_queries(ranking)) return(text)
  # If the judgments look random, more judgments would not help.
  if (!is.null(noise_warning(ranking))) return(text)
  more <- judgments_to_level(ranking, confidence)
  if (is.na(more)) text else sprintf("%s; about %s to %s", text, counted(more, "more judgment"), level)
}

# The number of judgments, of documents that distinguish two systems, after which the confidence reaches the level with
# a probability of one half. If the judgments reduce the variance of the difference from v to r v, they change its mean
# by a normal variable with variance (1 - r) v. NA if gains are not joint, or if no such document is left.
judgments_to_level <- function(ranking, confidence) {
  gains <- ranking$gains
  if (!inherits(gains, "judicious_joint_gains")) return(NA)
  x <- ranking$collection
  side <- (x$scoring$weight %||% rep(1, n_results(x))) * c(1, -1)[x$results$system]
  distinguishes <- abs(rowsum(side, result_pair(x))) > 1e-12 * max(abs(side))
  open <- which(distinguishes & is.na(gains$gain))
  open <- with_seed(rank_seed, open[sample.int(length(open))])
  variance <- difference_variance_cpp(joint_systems_cpp(joint_posterior(gains))$covariance)[1, 2]
  z <- stats::qnorm(confidence)
  target_z <- stats::qnorm(ranking$level)
  judgments_until(gains, open, function(covariance) {
    share <- difference_variance_cpp(covariance)[1, 2] / variance
    margin <- target_z * sqrt(share)
    sum(stats::pnorm((c(z, -z) - margin) / sqrt(max(1 - share, 1e-12)))) >= 0.5
  })
}

# What limits the meaning of a confidence.
basis_label <- function(ranking) paste0(published_label(ranking), agreement_label(ranking))

# A label for a confidence that assumes independent gains. If all pairs are judged, the confidence does not depend on
# this assumption.
published_label <- function(ranking) {
  if (identical(ranking$basis$kind, "independent") && !all_judged(ranking)) ", published (overconfident)" else ""
}

# A label for rankings without judgments, grades and past collections, which are based on the agreement of systems.
agreement_label <- function(ranking) {
  basis <- ranking$basis
  by_agreement <- isTRUE(ranking$judged == 0) && identical(basis$prior, built_in_prior_label) && !basis$graded &&
    !all_judged(ranking)
  if (!by_agreement || diff(range(ranking$mean)) <= gain_resolution(ranking$collection)) return("")
  ", by agreement alone, which may mean nothing (20 judgments tell)"
}

#' @export
summary.judicious_ranking <- function(object, ...) {
  refuse_other_arguments("summary()", ...)
  structure(list(systems = length(object$mean), judged = object$judged, confidence = ranking_confidence(object),
                 delta = object$delta, headline = ranking_headline(object), note = ranking_note(object),
                 decided = confidence_bins(confidence_of_pairs(object)$bins)), class = "judicious_ranking_summary")
}

#' @export
print.judicious_ranking_summary <- function(x, ...) {
  cat(sprintf("%s\n", c(x$headline, x$note)), sep = "")
  if (!nrow(x$decided) || x$systems < 2) return(invisible(x))
  cat("Pairs of systems by confidence:\n")
  bins <- x$decided
  cat(sprintf("  %.2f to %.2f  %6s  %4s\n", bins$from, bins$to, format_count(bins$pairs), percent(bins$share)),
      sep = "")
  invisible(x)
}

#' @rdname rank_systems
#' @usage NULL
#' @export
print.judicious_rankings <- function(x, n = 30, ...) {
  cat("Rankings by ", attr(x, "by"), ", ", counted(length(x), "stratum", "strata"), "\n", sep = "")
  for (name in names(x)) {
    cat("\n")
    print(x[[name]], n)
  }
  invisible(x)
}

#' @export
as.data.frame.judicious_rankings <- function(x, row.names = NULL, optional = FALSE, ...) {
  parts <- lapply(x, as.data.frame)
  stratum <- data.frame(rep(names(x), vapply(parts, nrow, 1L)))
  names(stratum) <- attr(x, "by")
  data.frame(stratum, do.call(rbind, unname(parts)), row.names = row.names, check.names = FALSE)
}
