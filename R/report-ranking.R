# The contents of the report of a ranking or a session.

ranking_report <- function(ranking, session, call) {
  x <- ranking$collection
  state <- if (!is.null(session)) progress(session)
  pairs <- pairs_with_intervals(ranking)
  list(title = paste0("Ranking of ", counted(n_systems(x), "system"), if (!is.null(ranking$stratum)) ", ",
                      ranking$stratum),
       ranking = ranking, session = session, answer = ranking_answer(ranking, pairs, state),
       question = ranking_question(ranking, state),
       systems = report_systems(ranking, pairs), pairs = pairs, judging = judging_facts(ranking, session, state),
       calibration = if (!is.null(session)) calibration(session),
       agreement = overlap_agreement(ranking$gains$record, x$scale), another = other_assessor_note(ranking),
       assessors = report_assessors(state$assessors), methods = ranking_methods(ranking, session), call = call)
}

# The confidence from which the order of a pair counts as decided.
decided_level <- 0.95

ranking_answer <- function(ranking, pairs, state) {
  m <- length(ranking$mean)
  x <- ranking$collection
  noise <- noise_warning(ranking)
  lines <- if (!is.null(noise)) sprintf("**%s.**", upper_first(noise))
  if (m > 1) {
    statement <- ranking_statement(ranking)
    ordered <- sum(can_be_ordered(pairs))
    if (!is.null(statement))
      lines <- c(lines, markdown_text(paste0(c(statement, level_note(ranking)), ".")), best_system_text(ranking))
    lines <- c(lines, sprintf(
      paste("The confidence in the ranking is **%.3f**%s. It is the mean probability, over the %s of systems%s, that",
            "their order is right."),
      ranking_confidence(ranking), basis_label(ranking), counted(ordered, "pair"),
      if (ordered < nrow(pairs)) " that judgments can order" else ""
    ), sprintf("%s.", without_grades_text(ranking, "Without the grades, the confidence would be %.3f")))
    decided <- sum(pairs$confidence >= decided_level)
    n_open <- nrow(undecided_pairs(pairs))
    n_equal <- nrow(pairs) - decided - n_open
    lines <- c(lines, sprintf("%s of the %s %s decided, with a confidence of %s or more; %s %s open%s.",
                              format_count(decided), counted(nrow(pairs), "pair"), if (decided == 1) "is" else "are",
                              format(decided_level), format_count(n_open), if (n_open == 1) "is" else "are",
                              if (n_equal) sprintf(", and %s no judgment can order", format_count(n_equal)) else ""))
  }
  judged <- judged_or_zero(ranking)
  lines <- c(lines, sprintf("%s of the %s of the pool %s judged (%s).", format_count(judged),
                            in_words_of(nouns_of(x), counted(count_pairs(x), "query-document pair")),
                            if (judged == 1) "is" else "are",
                            percent(judged / count_pairs(x), 1)))
  notes <- c(if (!all_judged(ranking)) predicted_note(ranking), outside_note(ranking))
  c(lines, if (length(notes)) markdown_text(paste0(notes, ".")), goal_answer(state),
    if (nzchar(published_label(ranking)))
      "The published method assumes that gains are independent. They are not, so its intervals are too narrow.")
}

# A text with the probability that the first system is the best. Systems that are identical to it count as the same.
best_system_text <- function(ranking) {
  first_alike <- identical_systems(ranking)
  best <- names(ranking$mean)[first_alike == first_alike[systems_best_first(ranking)[1]]]
  sprintf(if (length(best) == 1) "**%s** is ranked first. The probability that it is the best system is %s."
          else "**%s** are identical and ranked first. The probability that no system is better is %s.",
          markdown_text(joined_names(best)), percent(rank_probabilities(ranking)$best[1]))
}

goal_answer <- function(state) {
  if (is.null(state)) return(NULL)
  goal <- markdown_text(goal_text(state$goal))
  why <- why_stopped(state$goal, state$confidence, state$open, state$skipped)
  if (!is.null(why)) return(sprintf("Judging stopped: %s (%s).", why, goal))
  more <- if (!is.na(state$expected_more))
    sprintf(" It is expected to take %s.", counted(state$expected_more, "more judgment"))
  paste0("The goal of the session, ", goal, ", is ", unmet_text(state$goal, state$nouns), ".", more)
}

ranking_question <- function(ranking, state) {
  x <- ranking$collection
  facts <- c(
    Systems = count_systems(n_systems(x), length(unique(x$systems$team))),
    stats::setNames(format_count(queries_in_means(x)), in_words_of(nouns_of(x), "Queries")),
    Measure = paste(c(measure_label(x), relevance_note(x)), collapse = ". "),
    Pool = pool_text(x),
    `Gain scale` = scale_text(x$scale),
    `Smallest difference of interest` = if (ranking$delta > 0) format(ranking$delta), Goal = goal_text(state$goal),
    Model = if (length(ranking$basis$note)) paste(sub("[.]$", "", ranking$basis$note), collapse = ". ")
            else "Independent gains, as published")
  data.frame(fact = names(facts), value = unname(facts))
}

# The table of systems, best first. `better` and `worse`: the numbers of systems that are decided to be worse, and
# better, than the system.
report_systems <- function(ranking, pairs) {
  systems <- merged_systems(ranking)
  span <- ranking$collection$scoring$span
  number <- function(value) report_number(score_text(value, span))
  shown <- data.frame(rank = systems$rank)
  if (has_rank_sets(ranking)) shown[["rank set"]] <- report_number(ranks_text(systems))
  shown$system <- systems$system
  if (!identical(systems$system, systems$team)) shown$team <- systems$team
  shown$estimate <- number(systems$estimate)
  shown[[paste(percent(ranking$level), "interval")]] <-
    report_number(paste(score_text(systems$lower, span), "to", score_text(systems$upper, span)))
  if (length(ranking$mean) < 2) return(shown)
  # The first of the identical systems in each row.
  first_alike <- names(ranking$mean)[distinct_best_first(ranking)]
  if (has_rank_sets(ranking)) {
    ranks <- rank_probabilities(ranking)
    shown[["P(best)"]] <- report_number(sprintf("%.2f", ranks$best[match(first_alike, ranks$system)]))
  }
  count <- function(pairs, column) tabulate(match(pairs[[column]], first_alike), length(first_alike))
  decided <- pairs[pairs$confidence >= decided_level, ]
  undecided <- undecided_pairs(pairs)
  shown[["better than"]] <- count(decided, "system_a")
  shown[["worse than"]] <- count(decided, "system_b")
  shown[["open"]] <- count(undecided, "system_a") + count(undecided, "system_b")
  shown
}

# The pairs that are not decided yet. Pairs of identical systems are left out, because they can never be decided.
undecided_pairs <- function(pairs) pairs[pairs$confidence < decided_level & can_be_ordered(pairs), ]

# The undecided pairs, with identical systems as one system. The most important pairs come first: those with the largest
# probability of a wrong order, divided by the rank of the better system.
report_open_pairs <- function(pairs, ranking) {
  shown <- stats::setNames(merged_systems(ranking)$system, names(ranking$mean)[distinct_best_first(ranking)])
  rows <- undecided_pairs(pairs)
  rows <- rows[rows$system_a %in% names(shown) & rows$system_b %in% names(shown), ]
  rows <- rows[order((rows$confidence - 1) / match(rows$system_a, names(shown))), ]
  rows[c("system_a", "system_b")] <- lapply(rows[c("system_a", "system_b")], function(system) unname(shown[system]))
  rows
}

report_matrix_text <- function(r) {
  sprintf("Confidence in the order of every pair of systems, best first: %s of %s have %s or more",
          format_count(sum(r$pairs$confidence >= decided_level)), counted(nrow(r$pairs), "pair"), format(decided_level))
}

shown_pairs <- function(pairs, span) {
  interval <- paste(score_text(pairs$lower, span), "to", score_text(pairs$upper, span))
  data.frame(system = pairs$system_a, `ranked above` = pairs$system_b,
             difference = report_number(score_text(pairs$difference, span)), interval = report_number(interval),
             confidence = report_number(sprintf("%.3f", pairs$confidence)), check.names = FALSE)
}

decided_bins <- function(pairs) {
  bins <- confidence_bins(confidence_counts(pairs$confidence))
  data.frame(confidence = sprintf("%.2f to %.2f", bins$from, bins$to), pairs = bins$pairs,
             share = report_number(percent(bins$share)))
}

judging_facts <- function(ranking, session, state) {
  words <- function(text) in_words_of(nouns_of(ranking$collection), text)
  if (is.null(session)) {
    if (!judged_or_zero(ranking))
      return(paste0("Nothing is judged: the ranking is based on the model", if (isTRUE(ranking$basis$graded))
        ", the grades", " and the systems' lists alone."))
    return(words(sprintf(paste(
      "The collection came with %s; how the documents were selected is not recorded. The confidence assumes that the",
      "selection did not depend on their gains."), judgments_of_ranking(ranking))))
  }
  engine <- refresh(session$engine)
  if (is_all_earlier(engine)) return(words(earlier_methods(engine)))
  refits <- sprintf(" The model was fitted again after at most %s.", counted(engine$update_every, "judgment"))
  c(words(earlier_methods(engine)),
    sprintf(words(paste("Documents were selected by the %s, %s. A share of %s was selected at random instead, to audit",
                        "the model.%s")), markdown_text(engine$strategy$label),
            if (is.infinite(engine$batch)) words("a query at a time") else
              if (engine$batch > 1) sprintf("%d at a time", as.integer(engine$batch)) else "one at a time",
            percent(engine$audit), if (is.finite(engine$update_every)) refits else ""),
    if (!state$judged) sprintf("Nothing is judged yet; the confidence is %.3f.", state$confidence) else sprintf(
      "%s; the confidence was %.3f before the first judgment and is %.3f now.", words(judged_by_text(state)),
      as.data.frame(session)$confidence[1], state$confidence))
}

# By how many assessors documents were judged, without those of judgments that were made before the session.
judged_by_text <- function(state) {
  is_earlier <- state$assessors$assessor == earlier_judgments
  earlier <- state$assessors$judged[is_earlier]
  paste0(counted(state$judged, "document"), if (state$judged == 1) " was" else " were", " judged",
         if (length(earlier)) sprintf(", %s of them before the session and the others", format_count(earlier)),
         " by ", counted(max(sum(!is_earlier), 1), "assessor"))
}

# The table of assessors. Costs are shown only if judgments have prices; otherwise they equal the number of judgments.
report_assessors <- function(assessors) {
  if (is.null(assessors) || !nrow(assessors)) return(NULL)
  seconds <- assessors$median_seconds
  shown <- data.frame(assessor = assessors$assessor, judged = assessors$judged, skipped = assessors$skipped,
                      `median seconds` = known_number(seconds, sprintf("%.1f", seconds)), check.names = FALSE)
  if (any(assessors$cost != assessors$judged)) shown$cost <- assessors$cost
  shown
}

# Sentences on how well the model predicted the audited judgments, and the differences between systems.
calibration_verdict <- function(table) {
  systems <- table[table$judgments == "systems", ]
  c(audit_verdict(table), if (isTRUE(systems$lower > 1)) sprintf(
    paste("The differences between systems deviate more from the predictions than the stated variances allow: their z2",
          "is %.2f (%.2f to %.2f). The confidence in the ranking may be overstated."),
    systems$z2, systems$lower, systems$upper))
}

audit_verdict <- function(table) {
  audit <- table[table$judgments == "audit", ]
  if (is.na(audit$lower) || audit$n < 10)
    return("Too few randomly selected documents are judged to tell whether the model's predictions hold.")
  text <- sprintf(paste("z2, the mean squared error in units of the predicted variance, is %.2f (%.2f to %.2f) for",
                        "the %s that were selected at random; 1 is right. "),
                  audit$z2, audit$lower, audit$upper, counted(audit$n, "document"))
  paste0(text, if (audit$lower > 1)
    "The model is overconfident about single documents: treat the confidence in the ranking with caution." else
      if (audit$upper < 1)
        "The model is underconfident about single documents: its variances are larger than needed." else
          "These judgments do not contradict the predictions.")
}

shown_calibration <- function(table) {
  number <- function(value) known_number(value, sprintf("%.2f", value))
  share <- function(value) known_number(value, percent(value))
  limits <- sprintf("%.2f to %.2f", table$lower, table$upper)
  data.frame(judgments = table$judgments, n = table$n, bias = number(table$bias), z2 = number(table$z2),
             `interval of z2` = known_number(table$lower, limits),
             `in 50%` = share(table$within_50), `in 80%` = share(table$within_80), `in 95%` = share(table$within_95),
             check.names = FALSE)
}

#' @rdname rank_systems
#' @return `toLatex(object, digits = NULL)`: a LaTeX table by `knitr::kable()`.
#' @usage NULL
#' @export
toLatex.judicious_ranking <- function(object, digits = NULL, ...) {
  refuse_other_arguments("toLatex()", ...)
  rows <- head(object, Inf)
  if (!is.null(digits)) check_count(digits, "digits", min = 0)
  digits <- digits %||% score_decimals(object$collection$scoring$span)
  with_team <- !identical(rows$system, rows$team)
  rows[c("estimate", "lower", "upper")] <- lapply(rows[c("estimate", "lower", "upper")], format_fixed, digits)
  columns <- c("rank", "system", if (with_team) "team", "estimate", "lower", "upper")
  header <- c("Rank", "System", if (with_team) "Team", "Estimate", paste(c("Lower", "Upper"), percent(object$level)))
  latex_table(rows[columns], header, paste0("rl", if (with_team) "l", "rrr"))
}
