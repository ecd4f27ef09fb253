# The cost of designs of preference judgments, and the quality of their lists, on simulated crowds: the numbers that the
# article on preference judgments states. build.R compares them with results/designs.csv; bench/preferences.R prints
# them with more detail. Takes about a minute.
run_designs <- function() {
  # Documents a constant distance apart, 2 logits between neighbours.
  apart <- summary(preference_plan(c(16, 32, 64, 128), similarity = function(n) 2 * sample(n), seed = 1))
  of_n_log_n <- apart$pairs / apart$n_log_n
  answers <- summary(preference_plan(20, answers = c(2, 3, 5, 10, 20, 40), workers = 60, replicates = 100, seed = 3))
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
