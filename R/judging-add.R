# Sessions whose collection grows. The store keeps each edition of the collection. An event in the log states from where
# on an edition applies, so that every process switches to it at the same event.

# The name under which a session lists the judgments that were there before it.
earlier_judgments <- "earlier judgments"

#' @rdname add_runs
#' @export
add_runs.judicious_session <- function(x, runs, documents = NULL, systems = NULL, grades = NULL,
                                       ties = c("trec_eval", "rank", "identifier", "error"),
                                       duplicates = c("error", "best"), ...) {
  rlang::check_dots_empty()
  extend_session(x, function(collection) {
    add_runs(collection, runs, documents, systems, ties = ties, duplicates = duplicates)
  }, grades)
}

#' @rdname add_runs
#' @export
add_queries.judicious_session <- function(x, runs, queries = NULL, documents = NULL, grades = NULL,
                                          ties = c("trec_eval", "rank", "identifier", "error"),
                                          duplicates = c("error", "best"), ...) {
  rlang::check_dots_empty()
  extend_session(x, function(collection) {
    add_queries(collection, runs, queries, documents, ties = ties, duplicates = duplicates)
  }, grades)
}

# `extend`: a function of the collection that returns the larger collection.
extend_session <- function(s, extend, grades, call = caller_env()) {
  check_session(s, call)
  e <- s$env
  repeat {
    before <- e$x
    carried <- carry_grades(extend(before), grades, call = call, join = TRUE)
    x <- carried$x
    check_goal_fits(x, e$goal, call)
    given <- list(model = e$given$model, grades = if (is.null(grades)) e$given$grades else carried$grades)
    setup <- setup_of(e)
    setup$x <- x
    setup$given <- given
    setup$prepared <- belief_prepare(given$model, x, given$grades, call)
    if (write_addition(e, setup)) break
    # If another process was faster, add to the collection that it left.
    follow_edition(e)
  }
  refresh(e)
  save_trace(e)
  # Judgments outside the pool before are of its pairs now.
  moved <- which(!is.na(find_pairs(x, before$outside$query, before$outside$doc)))
  known <- before$outside[moved, ]
  if (length(moved)) judge(s, known$query, known$doc, known$gain, earlier_judgments)
  judge_by_known_gold(e)
  invisible(s)
}

setup_of <- function(e) mget(setup_parts, envir = e)

write_addition <- function(e, setup) {
  store_exclusive(e$store, {
    current <- as.integer(store_rows(e$store, "meta", list(name = "edition"), lock = TRUE)$value)
    if (current == e$edition) {
      # A session in memory has not stored its first edition yet.
      if (current == 0 && in_memory(e$store)) write_object(e$store, edition_name(0), setup_of(e))
      edition <- add_events(e, "add", detail = addition_text(e$x, setup$x))
      write_object(e$store, edition_name(edition), setup_for_store(setup, e$store))
      set_meta(e$store, "edition", edition)
    }
    current == e$edition
  })
}

# Text such as "2 systems, 35 documents to judge".
addition_text <- function(before, after) {
  systems <- n_systems(after) - n_systems(before)
  queries <- sum(answered_queries(after)) - sum(answered_queries(before))
  paste(c(if (systems) counted(systems, "system"), if (queries) count_queries(queries),
          paste(counted(n_pairs(after) - n_pairs(before), "document"), "to judge")), collapse = ", ")
}
