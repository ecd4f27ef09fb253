# What designs of preference judgments cost, and how good their lists are, on simulated crowds.

# Simulates whole sessions for numbers `n` of candidates and numbers of `answers` per pair, each with similarities,
# crowd and initial order of its own. `similarity` draws `n` latent similarities; `...` are arguments of
# simulate_crowd(). Returns a row per session: the cost in pairs and iterations, and the ADR of the list against the
# order of the similarities.
simulate_designs <- function(n, answers = 10, similarity = function(n) stats::rnorm(n, 0, 2), replicates = 10, ...,
                             seed) {
  design <- expand.grid(replicate = seq_len(replicates), answers = answers, n = n)
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  do.call(rbind, Map(function(n, answers) {
    docs <- paste0("d", seq_len(n))
    latent <- stats::setNames(similarity(n), docs)
    session <- preference_session(list(q = docs), answers = answers)
    session <- run_session(session, simulate_crowd(list(q = latent), ...))
    found <- ordered_list(session)
    truth <- ordered_list(data.frame(query = "q", doc = docs, group = rank(-latent)))
    data.frame(n = n, answers = answers, pairs = nrow(session$pairs), all_pairs = n * (n - 1) / 2,
               n_log_n = n * log2(n), iterations = max(session$pairs$iteration), groups = max(found$group),
               adr = average_dynamic_recall(found, truth)$adr)
  }, design$n, design$answers))
}

mean_designs <- function(sessions) {
  figures <- setdiff(names(sessions), c("n", "answers"))
  stats::aggregate(sessions[figures], sessions[c("answers", "n")], mean)[c("n", "answers", figures)]
}

# The numbers that the article on preference judgments states: build.R compares them with results/designs.csv, and
# bench/preferences.R prints them with more detail. Takes about a minute.
run_designs <- function() {
  # Documents a constant distance apart, 2 logits between neighbours.
  apart <- mean_designs(simulate_designs(c(16, 32, 64, 128), similarity = function(n) 2 * sample(n), seed = 1))
  of_n_log_n <- apart$pairs / apart$n_log_n
  answers <- mean_designs(simulate_designs(20, answers = c(2, 3, 5, 10, 20, 40), workers = 60, replicates = 100,
                                           seed = 3))
  # The same answers by two models: the list of the session, and the order of the strengths.
  compared <- rowMeans(vapply(1:60, function(seed) {
    docs <- sprintf("d%02d", 1:20)
    set.seed(seed)
    latent <- stats::setNames(stats::rnorm(20, 0, 2), docs)
    s <- run_session(preference_session(list(q = docs)), simulate_crowd(list(q = latent)))
    truth <- ordered_list(data.frame(query = "q", doc = docs, group = rank(-latent)))
    strengths <- bradley_terry(s)$strengths
    by_strength <- ordered_list(transform(strengths, group = seq_along(doc)))
    c(session = average_dynamic_recall(ordered_list(s), truth)$adr,
      strengths = average_dynamic_recall(by_strength, truth)$adr)
  }, c(session = 0, strengths = 0)))
  values <- c(
    stats::setNames(answers$adr, paste("ADR with", answers$answers, "answers")),
    stats::setNames(apart$pairs, paste("pairs of", apart$n, "documents apart")),
    "least of n log n" = min(of_n_log_n), "most of n log n" = max(of_n_log_n),
    "ADR of the session" = compared[["session"]], "ADR of the strengths" = compared[["strengths"]]
  )
  data.frame(name = names(values), value = signif(unname(values), 8))
}
