#' Simulate a crowd of workers
#'
#' Simulates workers who compare documents by a latent similarity, to plan a study. A worker perceives the difference
#' `skill * (similarity of A - similarity of B) + bias` plus a standard logistic error, prefers A if it is above
#' `threshold`, B if it is below `-threshold`, and considers the documents equal otherwise. With skill 1 and no bias,
#' this is the model of Rao and Kupper (1967).
#'
#' @param similarity The latent similarity to the query, in log odds: a named list with a named vector per query, or a
#'   data frame with columns `query`, `doc` and `similarity`.
#' @param workers Number of human workers.
#' @param skill,skill_sd Median skill, and the standard deviation of its log between workers. With skill 0, a worker
#'   guesses.
#' @param bias_sd Standard deviation between workers of the bias towards side A.
#' @param threshold Half the width of the interval of differences that are considered equal.
#' @param equal_robots,random_robots Numbers of additional robots that always answer `"equal"`, or answer at random.
#' @param seconds Median time of an answer in seconds. The standard deviation of its log is 0.6, of which half of the
#'   variance is between workers. Robots take 0.4 times the median for each answer.
#' @param no_answer Probability that a human worker gives no answer.
#' @param seed Seed of the draws; NULL uses R's random number generator.
#' @param session A session, by [preference_session()].
#' @param crowd A crowd, by `simulate_crowd()`.
#' @param ... Not used.
#' @return `simulate_crowd()`: a `judicious_crowd`, a list whose elements include `similarity` and `workers` (`worker`,
#'   `kind`, `skill`, `bias` and `speed`). `run_session()`: the complete session. Each pair is answered by different
#'   workers, selected at random; too small a crowd is an error.
#' @examples
#' latent <- list(q = c(x = 2, y = 0, z = -1))
#' crowd <- simulate_crowd(latent, workers = 12, equal_robots = 1, seed = 1)
#' crowd
#' s <- preference_session(list(q = c("x", "y", "z")), seed = 1)
#' run_session(s, crowd, seed = 2)
#' @export
simulate_crowd <- function(similarity, workers = 40, skill = 1, skill_sd = 0.3, bias_sd = 0.2, threshold = 1,
                           equal_robots = 0, random_robots = 0, seconds = 20, no_answer = 0, seed = NULL) {
  for (arg in c("workers", "equal_robots", "random_robots")) check_count(get(arg), arg, min = 0)
  for (arg in c("skill", "skill_sd", "bias_sd", "threshold", "seconds")) check_number(get(arg), arg, min = 0)
  check_number(no_answer, "no_answer", min = 0, max = 1)
  total <- workers + equal_robots + random_robots
  check_that(total != 0, "workers", "A crowd needs {.arg workers} or robots.")
  with_seed(seed, {
    human <- seq_len(total) <= workers
    crowd <- data.frame(worker = paste0("w", formatC(seq_len(total), width = nchar(total), flag = "0")),
                        kind = rep(c("human", "equal robot", "random robot"), c(workers, equal_robots, random_robots)),
                        skill = ifelse(human, skill * exp(rnorm(total, 0, skill_sd)), 0),
                        bias = ifelse(human, rnorm(total, 0, bias_sd), 0),
                        speed = seconds * ifelse(human, exp(rnorm(total, 0, log_seconds_sd)), 0.4))
  })
  structure(list(similarity = check_similarity(similarity), workers = crowd, threshold = threshold,
                 no_answer = no_answer), class = "judicious_crowd")
}

# The standard deviation of the logs of a worker's times, and of the logs of the workers' median times.
log_seconds_sd <- 0.6 / sqrt(2)

check_similarity <- function(similarity) {
  if (is.list(similarity) && !is.data.frame(similarity)) {
    check_that(!is.null(names(similarity)) && !any(vapply(similarity, function(s) is.null(names(s)), NA)), "similarity",
               "as a list must name the queries, and each vector the documents.")
    similarity <- data.frame(query = rep(names(similarity), lengths(similarity)),
                             doc = unlist(lapply(similarity, names), use.names = FALSE),
                             similarity = unlist(similarity, use.names = FALSE))
  }
  similarity <- check_columns(similarity, c("query", "doc", "similarity"), "similarity")
  check_numeric_column(similarity, "similarity", "similarity", missing = FALSE)
  cbind(check_candidates(similarity), similarity = similarity$similarity)
}

# Simulates answers, in the form that add_answers() accepts, with `seconds`. Each pair is answered by `needed` different
# workers, without those who have answered it in `exclude`.
ask_crowd <- function(crowd, pairs, exclude = NULL) {
  key <- text_key(crowd$similarity$query, crowd$similarity$doc)
  similarity <- function(doc) crowd$similarity$similarity[match(text_key(pairs$query, doc), key)]
  difference <- similarity(pairs$doc_a) - similarity(pairs$doc_b)
  i <- which(is.na(difference))[1]
  abort_unless(!anyNA(difference), "The crowd has no similarity of {.val {pairs$doc_a[i]}} or {.val {pairs$doc_b[i]}} to
    query {.val {pairs$query[i]}}.", "unknown_document", argument = "pairs")
  excluded <- if (!is.null(exclude)) split(exclude$worker, pair_key(exclude))
  keys <- pair_key(pairs)
  workers_of_pair <- lapply(seq_len(nrow(pairs)), function(i) {
    free <- which(!crowd$workers$worker %in% excluded[[keys[i]]])
    abort_unless(length(free) >= pairs$needed[i], c(
      "The crowd of {nrow(crowd$workers)} has {length(free)} {cli::qty(length(free))}worker{?s} left for a pair that
        needs {pairs$needed[i]} answers.",
      i = "Simulate more {.arg workers}."), "crowd_too_small")
    free[sample.int(length(free), pairs$needed[i])]
  })
  pair_number <- rep(seq_len(nrow(pairs)), lengths(workers_of_pair))
  data.frame(pairs[pair_number, c("query", "doc_a", "doc_b")],
             crowd_answers(crowd, crowd$workers[unlist(workers_of_pair), , drop = FALSE], difference[pair_number]),
             row.names = NULL)
}

crowd_answers <- function(crowd, worker, difference) {
  n <- nrow(worker)
  perceived <- worker$skill * difference + worker$bias + rlogis(n)
  answer <- c("b", "equal", "a")[(perceived > -crowd$threshold) + (perceived > crowd$threshold) + 1]
  random <- worker$kind == "random robot"
  answer[random] <- sample(names(answer_values), sum(random), replace = TRUE)
  answer[worker$kind == "equal robot"] <- "equal"
  human <- worker$kind == "human"
  answer[human & runif(n) < crowd$no_answer] <- NA
  seconds <- worker$speed * ifelse(human, exp(rnorm(n, 0, log_seconds_sd)), 1)
  data.frame(worker = worker$worker, answer = answer, seconds = round(seconds, 1))
}

#' @rdname simulate_crowd
#' @export
run_session.judicious_preferences <- function(session, crowd, seed = NULL, ...) {
  check_class(crowd, "judicious_crowd", "crowd", "simulate_crowd")
  crowd$workers <- crowd$workers[!crowd$workers$worker %in% session$blocked, , drop = FALSE]
  with_seed(seed, {
    while (nrow(pairs <- next_pairs(session)) > 0) {
      session <- add_answers(session, ask_crowd(crowd, pairs, exclude = session$answers))
    }
    session
  })
}

#' @export
print.judicious_crowd <- function(x, ...) {
  kinds <- table(factor(x$workers$kind, c("human", "equal robot", "random robot")))
  cat("Simulated crowd: ", counted(kinds[[1]], "human worker"),
      if (kinds[[2]]) paste0(", ", counted(kinds[[2]], "robot"), " that always ",
                             if (kinds[[2]] == 1) "answers" else "answer", " equal"),
      if (kinds[[3]]) paste0(", ", counted(kinds[[3]], "robot"), " answering at random"),
      "; ", counted(nrow(x$similarity), "document"), " of ", count_queries(length(unique(x$similarity$query))), "\n",
        sep = "")
  invisible(x)
}
