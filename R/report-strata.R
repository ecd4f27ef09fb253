# Contents of the report of rankings within strata of the queries.

strata_report <- function(rankings, session, call, ranked_by) {
  by <- attr(rankings, "by")
  state <- if (!is.null(session)) progress(session)
  parts <- lapply(names(rankings), function(name) stratum_report(rankings[[name]], by, name))
  first <- parts[[1]]
  list(
    template = "strata",
    title = paste("Rankings of", counted(n_systems(first$ranking$collection), "system"), "by", by),
    rankings = rankings, ranking = first$ranking, parts = parts, session = session,
    answer = c(unlist(lapply(parts, stratum_answer)), goal_answer(state)),
    question = strata_question(rankings, by, state), systems = strata_systems(rankings),
    judging = judging_facts(first$ranking, session, state, judged = sum(vapply(rankings, judged_in, 1))),
    calibration = if (!is.null(session)) calibration(session), agreement = state$agreement,
    assessors = report_assessors(state$assessors), methods = ranking_methods(rankings, session, by),
    call = report_call(call),
    ranked_by = if (!is.null(ranked_by)) report_call(ranked_by)
  )
}

stratum_report <- function(ranking, by, name) {
  part <- ranking_report(ranking, NULL, NULL)
  part$heading <- markdown_text(paste(by, name))
  part$headline <- part$answer
  part$pairs_file <- paste0("pairs-", gsub("[^A-Za-z0-9]+", "-", name), ".csv")
  part
}

# One line per stratum; its section has the details.
stratum_answer <- function(part) {
  ranking <- part$ranking
  facts <- sprintf("**%s**, %s, %s:", part$heading, count_queries(queries_in_means(ranking$collection)),
                   counted(judged_in(ranking), "judgment"))
  if (!nrow(part$pairs)) return(paste(facts, "there is only one system."))
  decided <- sum(part$pairs$confidence >= decided_level)
  sprintf("%s **%s** is ranked first. The confidence in the ranking is %.3f%s; %s of the %s %s decided.", facts,
          markdown_text(part$systems$system[1]), ranking_confidence(ranking), published_label(ranking),
          format_count(decided), counted(nrow(part$pairs), "pair"), if (decided == 1) "is" else "are")
}

strata_question <- function(rankings, by, state) {
  question <- ranking_question(rankings[[1]], state)
  counts <- vapply(rankings, function(r) queries_in_means(r$collection), 1)
  pairs <- sum(vapply(rankings, function(r) count_pairs(r$collection), 1))
  question$value[question$fact == "Queries"] <-
    sprintf("%s; by %s: %s", format_count(sum(counts)), by, paste(names(rankings), counts, collapse = ", "))
  pool <- question$fact == "Pool"
  question$value[pool] <- sub("^[^ ]+ query-document pairs?", counted(pairs, "query-document pair"),
                              question$value[pool])
  question
}

# One row per system, two columns per stratum.
strata_systems <- function(rankings) {
  parts <- lapply(rankings, function(ranking) {
    data <- as.data.frame(ranking)
    data[match(names(ranking$mean), data$system), ]
  })
  weight <- vapply(rankings, function(r) queries_in_means(r$collection), 1)
  overall <- Reduce(`+`, Map(function(part, w) part$estimate * w, parts, weight))
  span <- rankings[[1]]$collection$span
  best_first <- order(-overall)
  table <- data.frame(system = parts[[1]]$system[best_first], stringsAsFactors = FALSE)
  for (name in names(parts)) {
    part <- parts[[name]][best_first, ]
    table[[paste(name, "rank")]] <- as.integer(part$rank)
    number <- lapply(part[c("estimate", "lower", "upper")], score_text, span)
    table[[paste(name, "estimate")]] <- report_number(do.call(sprintf, c("%s (%s to %s)", unname(number))))
  }
  table
}
