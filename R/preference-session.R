#' Sort documents by preference judgments
#'
#' Sorts the candidate documents of each query into groups of equally similar ones, by answers which of two documents
#' is more similar to the query (Urbano et al. 2010). `next_pairs()` returns the pairs to ask, `add_answers()` adds the
#' answers, [ordered_list()] returns the groups, and [judge_app()] shows the pairs on a web page.
#'
#' The sort resembles quicksort: the last document of a segment is its pivot and is compared with the others, which
#' form new segments before it, equal to it and after it. A segment whose pairs have all been compared is a group. The
#' pairs of all open segments are asked as one batch, on random sides and in random order.
#'
#' A session is a plain list, which can be stored with [saveRDS()].
#'
#' @param candidates The documents to sort: a data frame with columns `query` and `doc`, or a named list with a vector
#'   of documents for each query.
#' @param seed A whole number that determines the initial order, sides and the order within batches; by default it is
#'   drawn.
#' @param answers Number of answers that every pair needs; an error if so few can never reach `level`.
#' @param level Level of the test that decides whether two documents differ: see [preference_decisions()].
#' @param missing How to handle missing answers (NA): `"ask"` another worker, count them as `"equal"`, or `"drop"` them,
#'   so that the pair is decided by fewer answers; without any, its documents count as equal.
#' @param order `"random"`, or `"given"` to start from the order of the candidates.
#' @param session A session, by `preference_session()`.
#' @param new Answers: a data frame with columns `query`, `doc_a`, `doc_b`, `worker`, `answer` (`"a"`, `"equal"`, `"b"`
#'   or NA), and optionally `seconds`, `time` and `comment`. The documents of a pair may be on either side. Pairs that
#'   the session did not ask for, and second answers of a worker to a pair, raise an error.
#' @param workers Workers whose answers, past and future, are ignored. Pairs that then lack answers are asked again.
#' @return `preference_session()`, `add_answers()` and `block_workers()` return a `judicious_preferences`.
#'   `next_pairs()` returns a data frame with the pairs to ask, in the order in which to show them: `query`, `doc_a`,
#'   `doc_b`, `iteration` and `needed`, the number of answers still to collect. `as.data.frame()` returns every pair
#'   asked so far, with its counts of answers, p-value and decision, `summary()` the numbers of pairs and answers.
#' @seealso [transitivity_violations()], [worker_quality()], [simulate_crowd()].
#' @references Urbano et al. (2010): see [preference_decisions()].
#' @examples
#' s <- preference_session(list(q = c("x", "y", "z")), seed = 1, answers = 2)
#' ask <- next_pairs(s)
#' ask
#' # Two workers who both prefer the document on side A:
#' s <- add_answers(s, data.frame(ask[rep(1:nrow(ask), each = 2), 1:3], worker = 1:2, answer = "a"))
#' s
#' ordered_list(s)
#' @export
preference_session <- function(candidates, seed = NULL, answers = 10, level = 0.25,
                               missing = c("ask", "equal", "drop"), order = c("random", "given")) {
  if (!is.null(seed)) check_count(seed, "seed", min = 0)
  check_count(answers, "answers")
  check_level(level)
  missing <- check_choice(missing, c("ask", "equal", "drop"), "missing")
  order <- check_choice(order, c("random", "given"), "order")
  check_that(mann_whitney_tail(0, answers) <= level, "level", c(
    "{answers} {cli::qty(answers)}answer{?s} a pair can never differ at {.arg level} {level}.",
    i = "Ask for more {.arg answers}, or use a {.arg level} of at least {signif(mann_whitney_tail(0, answers), 3)}."))
  candidates <- check_candidates(candidates)
  seed <- seed %||% sample.int(.Machine$integer.max, 1)
  # Each document has two random numbers, `side` and `turn`. The fractional part of their sum over the two documents of
  # a pair is a random number for the pair.
  candidates <- with_seed(seed, {
    n <- nrow(candidates)
    if (order == "random") candidates <- candidates[order_within(candidates$query, sample.int(n)), ]
    cbind(candidates, side = runif(n), turn = runif(n))
  })
  refresh_session(structure(list(
    candidates = without_row_names(candidates), seed = seed, answers_needed = answers, level = level,
    missing = missing, answers = data.frame(query = character(), doc_a = character(), doc_b = character(),
                                            worker = character(), answer = character()), blocked = character()
  ), class = "judicious_preferences"))
}

check_candidates <- function(candidates) {
  # A list has one element per query, with its documents, named by the query.
  if (is.list(candidates) && !is.data.frame(candidates)) {
    check_that(has_distinct_names(candidates), "candidates", "as a list must name each query once.")
    candidates <- data.frame(query = rep(names(candidates), lengths(candidates)),
                             doc = as.character(unlist(lapply(candidates, id_text))))
  }
  check_columns(candidates, c("query", "doc"), "candidates")
  check_that(nrow(candidates) != 0, "candidates", "is empty.")
  out <- data.frame(check_id_columns(candidates[c("query", "doc")], c("query", "doc"), "candidates"),
                    row.names = NULL)
  refuse_repeated(out, c("query", "doc"), "candidates", c(
    "{format_count(length(repeated))} {cli::qty(length(repeated))}candidate{?s} {?is/are} named twice.",
    x = "The first is document {.val {first$doc}} of query {.val {first$query}} in row {i}."))
  out
}

#' @rdname preference_session
#' @export
next_pairs <- function(session) {
  check_class(session, "judicious_preferences", "session", "preference_session")
  open_pairs <- session$pairs[session$pairs$needed > 0, c("query", "doc_a", "doc_b", "iteration", "needed")]
  without_row_names(open_pairs[order(pair_numbers(session, open_pairs, "turn")), ])
}

#' @rdname preference_session
#' @export
add_answers <- function(session, new) {
  check_class(session, "judicious_preferences", "session", "preference_session")
  new <- check_answers(new, "new")
  unasked <- which(!pair_key(new) %in% pair_key(session$pairs))
  refuse_answers(new, unasked, "new", "{?is/are} to pairs that the session did not ask.",
                 "The first, in row {rows[1]}, compares", "{.fn next_pairs} returns the pairs to ask.", "unknown_pair")
  old <- text_key(pair_key(session$answers), session$answers$worker)
  repeated <- which(text_key(pair_key(new), new$worker) %in% old)
  refuse_answers(new, repeated, "new", "{?is/are} already in the session.",
                 "The first, in row {rows[1]}: worker {.val {first$worker}} on", NULL, "duplicate")
  session$answers <- stacked_tables(list(session$answers, new))
  refresh_session(session)
}

#' @rdname preference_session
#' @export
block_workers <- function(session, workers) {
  check_class(session, "judicious_preferences", "session", "preference_session")
  workers <- check_ids(workers, "worker", "workers")
  unknown <- setdiff(workers, session$answers$worker)
  check_that(!length(unknown), "workers", "must have answered: there are no answers of {.val {unknown}}.")
  session$blocked <- union(session$blocked, workers)
  refresh_session(session)
}

# A uniform random number for each pair, which does not depend on the order of its two documents: the fractional part of
# the sum of their numbers in a column of the candidates, "side" or "turn".
pair_numbers <- function(session, pairs, column) {
  value <- session$candidates[[column]]
  key <- text_key(session$candidates$query, session$candidates$doc)
  number_of <- function(doc) value[match(text_key(pairs$query, doc), key)]
  (number_of(pairs$doc_a) + number_of(pairs$doc_b)) %% 1
}

# Recomputes trees, pairs and decisions from the answers.
refresh_session <- function(session) {
  decided <- decide_answers(session)
  decided <- decided[decided$needed == 0, , drop = FALSE]
  queries <- unique(session$candidates$query)
  trees <- Map(function(docs, of_query) grow_tree(docs, sign_matrix(docs, of_query)),
               split(session$candidates$doc, factor(session$candidates$query, levels = queries)),
               split(decided, factor(decided$query, levels = queries)))
  none <- data.frame(query = character(), doc_a = character(), doc_b = character(), pivot = character(),
                     iteration = integer(), node = integer())
  asked <- Map(function(tree, query) {
    if (!is.null(tree$comparisons)) data.frame(query = query, tree$comparisons)
  }, trees, queries)
  pairs <- do.call(rbind, c(list(none), unname(asked)))
  swap <- pair_numbers(session, pairs, "side") < 0.5
  pairs[swap, c("doc_a", "doc_b")] <- pairs[swap, c("doc_b", "doc_a")]
  pairs <- decide_answers(session, pairs[order(pairs$iteration), , drop = FALSE])
  pairs$decision[pairs$needed > 0] <- NA
  session$pairs <- pairs
  session$trees <- trees
  session
}

# Counts the answers to each of the `pairs` (by default, to every pair with answers), and decides which document comes
# first. `needed`: the number of answers that are still to be collected.
decide_answers <- function(session, pairs = NULL) {
  tally <- tally_answers(valid_answers(session), pairs)
  counted <- tally$n_a + tally$n_equal + tally$n_b + if (session$missing == "ask") 0 else tally$n_missing
  tally$needed <- pmax(0, session$answers_needed - counted)
  if (session$missing == "equal") tally$n_equal <- tally$n_equal + tally$n_missing
  tally <- cbind(tally, decide_pairs(tally$n_a, tally$n_equal, tally$n_b, session$level)[c("p_value", "decision")])
  # If all answers to a pair are missing and are dropped, nothing shows that the documents differ, so they count as
  # equal.
  tally$decision[is.na(tally$decision)] <- "equal"
  apply_final_decisions(tally, session$final)
}

# Replaces the answers to pairs by a lead's final decisions (`query`, `doc_a`, `doc_b`, `answer`).
apply_final_decisions <- function(tally, final) {
  if (is.null(final) || !nrow(final)) return(tally)
  final_row <- match(pair_key(tally), pair_key(final))
  decided <- which(!is.na(final_row))
  value <- directed_answers(final, tally, match(pair_key(final), pair_key(tally)))
  tally$decision[decided] <- decision_label(-value[final_row[decided]])
  tally$needed[decided] <- 0
  tally
}

sign_matrix <- function(docs, tally) {
  direction <- matrix(NA_real_, length(docs), length(docs))
  sides <- cbind(match(tally$doc_a, docs), match(tally$doc_b, docs))
  direction[sides] <- decision_sign(tally$decision)
  direction[sides[, 2:1, drop = FALSE]] <- -decision_sign(tally$decision)
  direction
}
