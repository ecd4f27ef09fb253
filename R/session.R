#' Judge until a goal is reached
#'
#' Selects a document, has it judged, brings the joint distribution of the gains up to date, and
#' goes on until the goal is reached. A slice of the judgments is chosen at random: those tell, without
#' knowing the truth, whether the model's distributions hold ([calibration()]), and keep the selection from looking at
#' one
#' kind of document only.
#'
#' @param x A [test_collection()].
#' @param judgments Where gains come from: a data frame with `query`, `doc`, `gain` or the path of such a file (a
#'   simulated session); NULL for the
#'   collection's own judgments; or a function of `query` and `doc` that returns a gain, NA to pass a document over,
#'   or NULL to stop.
#' @param model A [gain_model()] of past collections, or a [gain_prior()].
#' @param goal When to stop, as [goal_mean()].
#' @param select Which document to judge next, as [select_gradient()].
#' @param audit The probability that a judgment is of a random document, from 0 to 1.
#' @param update_every After how many judgments at least to estimate coefficients and variances again. They are
#'   estimated again when the number
#'   of judgments has also grown by a fifth.
#' @param batch How many documents to choose at a time.
#' @param cost A [judging_cost()].
#' @param opinion,measure As in [joint_gains()]. Goals are in units of the measure.
#' @param seed Seed of random choices; the state of the generator is put back. NULL draws from it.
#' @param progress TRUE shows a progress bar.
#' @return A `judicious_session`: a list of
#'   - `trace`: a data frame with one row before the first judgment and one after each: `judged`, `cost` (so far),
#'   `value` (what the goal looks at), `confidence` (mean over
#'     the pairs of systems), and, where all truth is known, `accuracy` and `tau` as in [ranking_accuracy()];
#'   - `order`: the judged pairs, first to last: `query`, `doc`, `gain`, `audit`, and `mean` and `sd`, what was
#'   expected just before;
#'   - `ranking`, `gains`: as by [rank_systems()] and [joint_gains()];
#'   - `reason`: `"goal"`, `"exhausted"` or `"judge"`.
#' @seealso [calibration()], [mtc()] for the published algorithm.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' session <- judging_session(x, goal = goal_mean(0.9) | goal_budget(30), seed = 1)
#' session
#' calibration(session)
#' @export
judging_session <- function(x, judgments = NULL, model = gain_prior(), goal = goal_mean(0.95),
                            select = select_gradient(),
                            audit = 0.1, update_every = 20, batch = 1, cost = judging_cost(), opinion = NULL,
                              measure = NULL, seed = NULL,
                            progress = interactive()) {
  check_class(x, "judicious_collection", "x", "test_collection")
  if (n_systems(x) < 2) abort_judicious("{.arg x} has one system; a ranking takes two.", "argument", argument = "x")
  check_class(model, "judicious_gain_model", "model", "gain_prior")
  check_class(goal, "judicious_goal", "goal", "goal_mean")
  check_class(select, "judicious_strategy", "select", "select_gradient")
  check_class(cost, "judicious_cost", "cost", "judging_cost")
  check_number(audit, "audit", min = 0, max = 1)
  check_count(update_every, "update_every")
  check_count(batch, "batch")
  check_flag(progress, "progress")
  x <- in_measure(x, measure)
  check_followed(x)
  known <- if (is.function(judgments)) NULL else simulated_gains(x, judgments)
  pool <- joint_pool(x, names(model$coefficient), opinion_value(x, opinion))
  gains <- fit_joint_gains(x, model, pool, rep(NA_real_, n_pairs(x)))
  options <- list(goal = goal, select = select, audit = audit, update_every = update_every, batch = batch, cost = cost)
  judge <- if (is.null(known)) judge_with(x, judgments) else function(pair) known[pair]
  state <- list(gains = gains, open = if (is.null(known)) rep(TRUE, n_pairs(x)) else !is.na(known), pair = integer(),
                updated = 0,
                order = list(), trace = list(), cost = 0)
  state <- with_seed(seed, judge_until(state, judge, options, known_means(x, known), progress))
  new_session(x, state, options)
}

known_means <- function(x, known) if (!is.null(known) && !anyNA(known)) true_means(x, known)

# A person's gain for a pair: NULL ends the session, NA passes over.
judge_with <- function(x, ask) {
  ids <- pool_ids(x)
  function(pair) {
    gain <- ask(ids$query[pair], ids$doc[pair])
    if (is.null(gain) || (length(gain) == 1 && is.na(gain))) return(gain)
    check_gains(gain, x$scale, ids$query[pair], ids$doc[pair], "judgments", call = caller_env(3))
    if (length(gain) != 1) {
      abort_judicious("The function {.arg judgments} must return one gain, NA or NULL, not {length(gain)} values.",
                      "argument",
                      argument = "judgments", call = caller_env(3))
    }
    gain
  }
}

judge_until <- function(state, judge, options, truth, progress) {
  bar <- if (progress) cli::cli_progress_bar("Judging", clear = TRUE)
  repeat {
    ranking <- ranking_of_posterior(state$gains$collection, joint_posterior(state$gains), state$gains)
    aim <- options$goal$progress(ranking)
    state$trace[[length(state$trace) + 1]] <- trace_row(ranking, state, aim, truth)
    if (aim$reached) return(utils::modifyList(state, list(reason = "goal")))
    if (!any(state$open)) return(utils::modifyList(state, list(reason = "exhausted")))
    for (choice in next_choices(state, options)) {
      gain <- judge(choice$pair)
      state$open[choice$pair] <- FALSE
      if (is.null(gain)) return(utils::modifyList(state, list(reason = "judge")))
      if (!is.na(gain)) state <- take_judgment(state, choice, gain, options)
    }
    state <- update_session(state, options)
    if (progress) cli::cli_progress_update(id = bar)
  }
}

# The next batch: each of its members is a random pair with the probability of an audit.
next_choices <- function(state, options) {
  at_random <- stats::runif(options$batch) < options$audit
  open <- which(state$open)
  audited <- open[sample.int(length(open), min(sum(at_random), length(open)))]
  selected <- integer()
  if (any(!at_random)) {
    free <- replace(state$open, audited, FALSE)
    selected <- choose_batch(state$gains, sum(!at_random), options$goal, options$select, options$cost, free)$pair
  }
  marked <- function(pairs, audit) lapply(pairs, function(pair) list(pair = pair, audit = audit))
  c(marked(selected, FALSE), marked(audited, TRUE))
}

take_judgment <- function(state, choice, gain, options) {
  gains <- state$gains
  x <- gains$collection
  posterior <- joint_posterior(gains)
  before <- joint_pair_cpp(posterior, choice$pair)
  state$cost <- state$cost + cost_of(options$cost, x$pool$query, !is.na(gains$gain))[choice$pair]
  joint_judge_cpp(posterior, choice$pair, unit_gain(x$scale, gain))
  state$gains$gain[choice$pair] <- gain
  range <- gain_range(gains)
  state$order[[length(state$order) + 1]] <- list(
    query = x$queries$query[x$pool$query[choice$pair]], doc = x$documents$doc[x$pool$doc[choice$pair]], gain = gain,
    audit = choice$audit, mean = worth_range(x$scale)[1] + range * before$mean, sd = range * sqrt(before$variance)
  )
  state
}

# Coefficients and variances anew, when there is enough that is new.
update_session <- function(state, options) {
  judged <- sum(!is.na(state$gains$gain))
  if (judged - state$updated < max(options$update_every, 0.2 * state$updated)) return(state)
  g <- state$gains
  state$gains <- fit_joint_gains(g$collection, g$model, g$pool, g$gain, start = g$fit)
  state$updated <- judged
  state
}

trace_row <- function(ranking, state, aim, truth) {
  row <- list(judged = length(state$order), cost = state$cost, value = aim$value,
              confidence = ranking_confidence(ranking))
  if (is.null(truth)) return(row)
  tau <- pair_agreement(ranking$mean, truth, gain_resolution(ranking$collection))
  c(row, accuracy = (1 + tau) / 2, tau = tau)
}

# Rows that are lists of the same names, as a data frame.
bind_rows <- function(rows) {
  if (length(rows)) as.data.frame(do.call(Map, c(list(f = c), rows)), stringsAsFactors = FALSE)
}

new_session <- function(x, state, options) {
  # The goal's last estimates, with coefficients and variances from all judgments.
  structure(list(trace = bind_rows(state$trace), order = bind_rows(state$order), gains = state$gains,
                 ranking = rank_systems(x, state$gains, seed = 1), reason = state$reason, options = options),
                   class = "judicious_session")
}

#' @export
print.judicious_session <- function(x, ...) {
  row <- function(label, value) cat(sprintf("  %-10s %s\n", label, value))
  last <- x$trace[nrow(x$trace), ]
  pool <- n_pairs(x$gains$collection)
  cat("Judging session: ", counted(last$judged, "judgment"), " of a pool of ", format_count(pool), "\n", sep = "")
  reasons <- c(goal = "reached", exhausted = "not reached: nothing is left that could be judged",
               judge = "not reached: the judge ended the session")
  row("goal", paste0(x$options$goal$label, ": ", reasons[[x$reason]]))
  row("selection", sprintf("%s, %s of the judgments at random", x$options$select$label, percent(x$options$audit)))
  row("confidence", sprintf("%.4f in the ranking (%.4f before the first judgment)", last$confidence,
                            x$trace$confidence[1]))
  if (!is.null(last$accuracy)) row("accuracy", sprintf("%.4f (tau %.4f) against the full judgments", last$accuracy,
                                                       last$tau))
  invisible(x)
}

#' @export
as.data.frame.judicious_session <- function(x, row.names = NULL, optional = FALSE, ...) x$trace
