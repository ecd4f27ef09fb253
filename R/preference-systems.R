# Ranks systems by votes. A vote states which of two systems answered a query better.

# The names of columns of votes other than those of the two systems, as name_key() writes them, the first ones first.
vote_columns <- list(
  answer = c("answer", "winner", "vote", "preference", "preferred", "choice"),
  query = c("query", "questionid", "question", "prompt", "instruction"),
  worker = c("worker", "judge", "assessor", "rater", "annotator", "voter", "user")
)
# Columns of which one has a 1 in each row, and what it says.
winner_columns <- c(winner_model_a = "a", winner_model_b = "b", winner_tie = "equal")

is_votes <- function(x) is.data.frame(x) && (length(sides_of_votes(names(x))) || names_losers(x))

# The columns of the two systems, such as "system_a" and "system_b", or "generator_1" and "generator_2" beside a column
# of answers.
sides_of_votes <- function(columns) {
  for (stem in c("system", "model")) {
    at <- match(paste0(stem, c("a", "b")), name_key(columns))
    if (!is.na(at[1])) return(columns[stats::na.omit(at)])
  }
  if (any(name_key(without_form_prefix(columns)) %in% vote_columns$answer)) paired_columns(columns, "system")
}

# Whether each row only names the system that won and the one that lost. Beside columns of the two sides, a winner may
# also be a side or a tie.
names_losers <- function(votes) {
  all(c("winner", "loser") %in% names(votes)) && !length(sides_of_votes(names(votes))) && !"doc_a" %in% names(votes)
}

# The columns of votes by their roles. Those of queries and judges may also have names that they have in answers.
columns_of_votes <- function(columns) {
  inner <- without_form_prefix(columns)
  first_of <- function(known) stats::na.omit(columns[match(known, name_key(inner))])[1]
  in_answers <- function(role) setdiff(name_key(inner[has_role(inner, role)]), "id")
  sides <- sides_of_votes(columns)
  used <- c(system_a = sides[1], system_b = sides[2], answer = first_of(vote_columns$answer),
            query = first_of(c(vote_columns$query, in_answers("query"))),
            worker = first_of(c(vote_columns$worker, in_answers("assessor"))))
  used <- used[!is.na(used)]
  unusual <- used[!name_key(used) %in% c("systema", "systemb", "modela", "modelb", unlist(vote_columns))]
  if (length(unusual)) inform_judicious(paste0("Votes read with ", toString(paste0(
    "{.field ", names(unusual), "} = {.val {unusual[", seq_along(unusual), "]}}")), "."), "votes")
  used
}

# Raises an error for a table of counts, as count() or table() make them of votes, and for weights.
refuse_counts <- function(votes, covariates) {
  weight <- setdiff(intersect(c("weight", "weights"), names(votes)), covariates)[1]
  check_that(is.na(weight) || length(unique(votes[[weight]])) < 2, "answers", c(
    "has weights in column {.val {weight}}, but every row counts as one vote.",
    i = "Leave this column out; name it in {.arg covariates} if it is a covariate."))
  name <- setdiff(intersect(c("n", "Freq", "freq", "count", "votes"), names(votes)), covariates)[1]
  # Counts may be of each query or judge. Beside further columns, such a column may be something else.
  others <- setdiff(names(votes), name)
  sides <- c("system_a", "system_b")
  key <- if (all(others %in% c(sides, names(vote_columns)))) others else c(sides, "answer")
  if (is.na(name) || anyDuplicated(votes[key])) return()
  check_that(!are_whole_numbers(votes[[name]], min = 0) || all(votes[[name]] == 1), "answers", c(
    "has the numbers of votes in column {.val {name}}, but every row counts as one vote.",
    i = "Repeat the rows: {.code d[rep(seq_len(nrow(d)), d${name}), ]}, without that column."))
}

answers_of_winners <- function(winners) {
  row <- which(!rowSums(winners == 1) %in% 1 | !rowSums(winners == 0) %in% 2)[1]
  check_that(is.na(row), "answers", "must have a 1 in one of the columns {.val {names(winners)}} and 0 in the others;
    row {row} has {.val {unlist(winners[row, ])}}.", kind = "answers", rows = row)
  unname(winner_columns[max.col(winners == 1, "first")])
}

# What each answer means: "a", "b", "tie" or another value of answers, NA if unknown. An answer may also be the name of
# a system of its row. Where systems are called "a" or "left", all are sides if all can be and some are no such names.
sides_of_answers <- function(answer, system_a, system_b, column) {
  word <- lower_ascii(answer)
  # "Model A" may be the name of a system.
  phrase <- !answer %in% c(system_a, system_b)
  word[phrase] <- answer_word(answer[phrase])
  meant <- unname(answer_meanings[word])
  named <- ifelse(answer == system_a, "a", ifelse(answer == system_b, "b", NA))
  if (all(is.na(answer) | !is.na(meant)) && any(is.na(named) & meant %in% c("a", "b"))) return(meant)
  ambiguous <- which(meant != named)
  first <- ambiguous[1]
  check_that(!length(ambiguous), "answers", c(
    "Column {.val {column}} of {.arg answers} may hold names of systems or of sides.",
    x = "Row {first} holds {.val {answer[first]}}: the system on side {named[first]}, or side {meant[first]}?",
    i = "Write {.val a} and {.val b} for the sides, or give the systems other names."), kind = "answers",
    rows = ambiguous)
  ifelse(is.na(named), meant, named)
}

# Where the sides are numbered, votes may be the numbers of sides, or preferences between them, from 1 to 2, unless
# `systems` have such names.
sides_of_numbers <- function(answer, systems) {
  number <- suppressWarnings(as.numeric(answer))
  if (!all(is.na(answer) | !is.na(number) & number >= 1 & number <= 2) || any(answer %in% systems)) return(answer)
  between <- sum(!number %in% c(1, 1.5, 2, NA))
  if (between) inform_judicious("{format_count(between)} {cli::qty(between)}preference{?s} between 1 and 2
    {?counts/count} as {?a vote/votes} for the nearer system.", "votes")
  ifelse(number == 1.5, "equal", ifelse(number < 1.5, "a", "b"))
}

# Converts votes to checked answers, with the systems in place of documents. If there is no column of queries or of
# judges, each vote counts as one of a different query or judge.
votes_as_answers <- function(votes, covariates) {
  if (names_losers(votes)) votes[c("system_a", "system_b", "answer")] <- list(votes$winner, votes$loser, "a")
  used <- columns_of_votes(names(votes))
  names(votes)[match(used, names(votes))] <- names(used)
  column <- if ("answer" %in% names(used)) used[["answer"]] else "answer"
  if (!"answer" %in% names(votes) && all(names(winner_columns) %in% names(votes)))
    votes$answer <- answers_of_winners(votes[names(winner_columns)])
  votes <- check_columns(votes, c("system_a", "system_b", "answer"), "answers")
  refuse_counts(votes, covariates)
  answer <- id_text(votes$answer)
  check_utf8(answer, column, "answers")
  systems <- lapply(votes[c("system_a", "system_b")], id_text)
  if (endsWith(used[["system_a"]], "1")) answer <- sides_of_numbers(answer, unlist(systems))
  meant <- sides_of_answers(answer, systems[[1]], systems[[2]], column)
  check_values(answer, !is.na(meant) | is.na(answer), column, "answers",
               "{.val a}, {.val b}, {.val tie}, the name of a system of its row, or NA", kind = "answers", if (any(
                 grepl("^[0-9]", answer))) hint("Say what numbers mean, such as 0 for the first system and 2 for a tie:
                   {.code c('a', 'b', 'tie')[x + 1]}."))
  votes$answer <- meant
  # Queries may be named by their texts.
  query <- if (!used["query"] %in% c("query", NA)) id_text(votes$query)
  if (length(query)) votes$query <- replace(query, !is.na(query), text_ids(query[!is.na(query)]))
  for (name in setdiff(c("query", "worker"), names(votes))) votes[[name]] <- seq_len(nrow(votes))
  check_answers(votes, swapped = TRUE, sides = c("system_a", "system_b"))
}

# The covariates of votes as a matrix. The answers by which comparison_design() represents the prior have the last rows,
# with covariates of 0.
covariates_of <- function(votes, covariates, rows) {
  for (name in covariates) {
    check_numeric_column(votes, name, "answers", missing = FALSE)
    check_values(votes[[name]], is.finite(votes[[name]]), name, "answers", "finite numbers")
  }
  rbind(as.matrix(votes[covariates]), matrix(0, rows - nrow(votes), length(covariates)))
}

# Ranks systems by votes. The field `votes` of the result has the model, the coefficients of covariates, and the judges.
rank_by_votes <- function(votes, prior, covariates, reliability) {
  check_that(is.null(covariates) || is.character(covariates), "covariates", "must be names of columns, not
    {.obj_type_friendly {covariates}}.")
  votes <- votes_as_answers(check_columns(votes, covariates, "answers"), covariates)
  is_given <- !is.na(votes$answer)
  check_that(any(is_given), "answers", "holds no answer.", kind = "answers")
  if (!all(is_given))
    inform_judicious("Votes without an answer (NA) are left out: {sum(!is_given)} of {length(is_given)}.", "left_out")
  votes <- votes[is_given, , drop = FALSE]
  judges <- unique(votes$worker)
  check_that(!reliability || length(judges) > 1, "reliability", "needs votes of several judges.")
  systems <- sort(unique(c(votes$doc_a, votes$doc_b)), method = "radix")
  warn_similar("Systems", systems)
  count <- outer(votes$answer, c(n_a = "a", n_equal = "equal", n_b = "b"), `==`) + 0
  if (all(count[, "n_equal"] == 1)) warn_of_ties("Every vote is a tie")
  warn_of_separate_groups(votes, systems, "system", "vote")
  design <- comparison_design(match(votes$doc_a, systems), match(votes$doc_b, systems), count, length(systems), prior)
  extra <- covariates_of(votes, covariates, nrow(design$x))
  # Covariates are divided by their largest value, because numbers such as lengths in characters would hide the votes
  # beside them from the solver.
  size <- vapply(votes[covariates], function(value) max(abs(value), .Machine$double.xmin), 0)
  extra <- t(t(extra) / size)
  if (prior == 0 || length(covariates))
    check_finite_strengths(list(x = cbind(design$x, extra), count = design$count),
                           c(systems[seq_len(ncol(design$x))], covariates))
  judge <- match(votes$worker, judges)
  fit <- fit_votes(design, extra, nrow(votes))
  if (reliability) fit <- fit_reliability(design, extra, judge, fit)
  clusters <- if (length(unique(votes$query)) > 1) votes$query else seq_len(nrow(votes))
  covariance <- clustered_covariance(fit$scores, fit$information, clusters)
  centred <- centred_strengths(systems, fit$slope[seq_len(ncol(design$x))], covariance)
  ranking <- new_ranking(strengths_collection(systems, unique(votes$query)), centred$strength, centred$covariance)
  columns <- ncol(design$x) + seq_along(covariates)
  ranking$votes <- list(
    tie = unname(fit$tie), prior = prior, loglik = fit$value, spread = fit$spread,
    votes = nrow(votes), clusters = length(unique(clusters)),
    covariates = data.frame(covariate = as.character(covariates), estimate = fit$slope[columns] / size,
                            sd = sqrt(diag(covariance)[columns]) / size),
    judges = if (reliability) data.frame(judge = judges, votes = tabulate(judge), reliability = fit$reliability,
                                         sd = fit$sd))
  ranking$basis <- list(kind = "votes", scope = "votes", note = votes_note(ranking$votes, length(judges)))
  ranking
}

# Fits the model to `n` votes; `scores` are the derivatives of their log likelihoods.
fit_votes <- function(design, extra, n) {
  x <- cbind(design$x, extra)
  fit <- maximise_comparisons(x, design$count)
  c(fit, list(scores = vote_gradients(x, fit$rows, seq_len(n), length(fit$par))))
}

vote_gradients <- function(x, rows, result_rows, parameters) {
  cbind(x * rows$u, rows$t)[result_rows, seq_len(parameters), drop = FALSE]
}

# Like fit_votes(), but with judges of different reliability, a factor of the differences in strength. Reliability is
# normally distributed with mean 1, approximated on a grid of values; its variance is estimated as if there were two
# more judges with a variance of 1/4. `start`: the result of fit_votes().
reliability_grid <- seq(-1, 3, by = 0.4)

fit_reliability <- function(design, extra, judge, start) {
  n <- length(judge)
  size <- length(reliability_grid)
  vote <- rep(seq_len(n), size)
  row <- c(vote, seq_len(nrow(design$x))[-seq_len(n)])
  others <- rep(1, length(row) - length(vote))
  x <- cbind(design$x[row, , drop = FALSE] * c(rep(reliability_grid, each = n), others), extra[row, , drop = FALSE])
  count <- design$count[row, , drop = FALSE]
  tied <- length(start$par) > ncol(x)
  # A number for each combination of a vote's judge and a point of the grid.
  cell <- judge[vote] + max(judge) * (rep(seq_len(size), each = n) - 1)
  posterior <- function(of_judges, spread) {
    chance <- sweep(of_judges, 2, log(prop.table(stats::dnorm(reliability_grid, 1, sqrt(spread)))), `+`)
    top <- apply(chance, 1, max)
    chance <- exp(chance - top)
    list(chance = chance / rowSums(chance), value = sum(top + log(rowSums(chance))))
  }
  objective <- function(par) {
    tie <- if (tied) par[ncol(x) + 1] else -Inf
    slope <- par[seq_len(ncol(x))]
    rows <- comparison_likelihood(drop(x %*% slope), tie, count)
    of_judges <- rowsum(matrix(rows$value[seq_along(vote)], n), judge)
    judge_posterior <- posterior(of_judges, spread)
    weight <- c(judge_posterior$chance[judge, ], others)
    # The reliabilities are unknown, which reduces the information by the variance of the judges' scores.
    root_chance <- sqrt(as.vector(judge_posterior$chance))
    on_grid <- rowsum(vote_gradients(x, rows, seq_along(vote), length(par)), cell) * root_chance
    by_judge <- rowsum(on_grid * root_chance, rep(seq_len(max(judge)), size))
    weighted <- lapply(rows, `*`, weight)
    slopes <- likelihood_slopes(x, weighted, tied)
    remaining <- slopes$information - crossprod(on_grid) + crossprod(by_judge)
    if (min(eigen(remaining, TRUE, TRUE)$values) > 0) slopes$information <- remaining
    c(list(slope = slope, tie = tie, rows = weighted, of_judges = of_judges, chance = judge_posterior$chance,
           value = judge_posterior$value + sum(rows$value[-seq_along(vote)])), slopes)
  }
  spread <- 1 / 4
  fit <- start
  repeat {
    fit <- newton_method(fit$par, objective)
    before <- spread
    for (i in 1:50) {
      chance <- posterior(fit$of_judges, spread)$chance
      spread <- (2 / 4 + sum(chance %*% (reliability_grid - 1)^2)) / (2 + nrow(chance))
    }
    if (abs(spread - before) < 1e-6) break
  }
  reliability <- drop(fit$chance %*% reliability_grid)
  c(fit, list(scores = rowsum(vote_gradients(x, fit$rows, seq_along(vote), length(fit$par)), vote), spread = before,
              reliability = unname(reliability),
              sd = unname(sqrt(drop(fit$chance %*% reliability_grid^2) - reliability^2))))
}

# The covariance for votes that are clustered by judge or query. With few clusters, their variance may be small or 0 by
# chance, so the share 3 / n of the model's variance is added.
clustered_covariance <- function(scores, information, cluster, further = 3) {
  sums <- rowsum(scores, cluster)
  n <- nrow(sums)
  bread <- solve(information)
  # A single cluster says nothing about the variance between clusters.
  if (n == 1) return((1 + further) * bread)
  bread %*% crossprod(sums) %*% bread * n / (n - 1) + further / n * bread
}

# A collection for a ranking of systems by votes. It has no documents, and systems are scored by strengths, which have
# no range.
strengths_collection <- function(systems, queries) {
  none <- integer()
  x <- new_collection(data.frame(system = systems, team = systems), data.frame(query = queries),
                      data.frame(doc = character()), list(query = none, document = none),
                      list(system = none, pair = none), 1L, gain_scale(0:1))
  strength <- measure_custom("strength", identity)
  x$scoring[c("measure", "span")] <- list(replace(strength, "total", "none"), 10)
  x
}

votes_note <- function(votes, judges) {
  number <- function(value) sprintf("%.3f", value)
  by_judges <- if (judges < votes$votes) paste(" by", counted(judges, "judge"))
  model <- paste0("Bradley-Terry model of ", counted(votes$votes, "vote"), by_judges,
                  ": strengths are log odds, relative to the mean of the systems")
  errors <- if (votes$clusters == votes$votes) "Standard errors take votes as independent"
            else sprintf("Standard errors are clustered by query (%s)", count_queries(votes$clusters))
  few_clusters <- if (votes$clusters < 10) "; with so few, they may be too small"
  covariates <- if (nrow(votes$covariates))
    paste("Log odds for system_a:", toString(sprintf("%s %s (sd %s)", votes$covariates$covariate,
                                                     number(votes$covariates$estimate), number(votes$covariates$sd))))
  reliability <- if (!is.null(votes$judges))
    sprintf("Reliability of judges, about 1: from %s to %s; %d of %d below 0.5", number(min(votes$judges$reliability)),
            number(max(votes$judges$reliability)), sum(votes$judges$reliability < 0.5), judges)
  c(model, paste0(errors, few_clusters), covariates, reliability)
}
