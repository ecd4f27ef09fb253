# Mistakes that newcomers make. Each must raise an error of this package that names the argument and says what to do.
# The snapshot has all messages, so that a reviewer can read them.

runs <- data.frame(system = rep(c("A", "B", "C"), each = 3), query = rep(c("q1", "q2", "q3"), 3),
                   doc = c("d1", "d2", "d3", "d2", "d3", "d1", "d1", "d3", "d2"), rank = 1L)
judgments <- data.frame(query = c("q1", "q2", "q3"), doc = c("d1", "d2", "d3"), gain = c(0, 1, 2))
x <- test_collection(runs, judgments = judgments, k = 1, scale = 0:2)
session <- judging_session(x, goal_budget(3), judgments = FALSE, seed = 1)
ranking <- rank_systems(x)
scores <- evaluate(x, "AG@1")
comparison <- compare_systems(scores, "t")
fit <- pom(Sat ~ Infl, MASS::housing, weights = Freq)

wrong <- rlang::exprs(
  # Collections
  test_collection(),
  test_collection(runs[-1]),
  test_collection("no-such-run.txt"),
  test_collection(runs, k = 0),
  test_collection(runs, k = 1, scale = "coarse"),
  test_collection(runs, judgements = judgments),
  test_collection(rbind(runs, runs[1, ]), k = 2),
  test_collection(runs, judgments = transform(judgments, gain = 7), k = 1, scale = 0:2),
  test_collection(runs, judgments = transform(judgments, gain = "high"), k = 1, scale = 0:2),
  test_collection(runs, judgments = rbind(judgments, transform(judgments, gain = 0)), k = 1, scale = 0:2),
  read_runs(3),
  read_judgments(judgments["query"]),
  add_runs(x, runs),
  judgments_of(runs),
  # Measures
  evaluate(runs, judgments),
  evaluate(x, "nCDG@10"),
  evaluate(x, measure = "AP", ties = "random"),
  evaluate(x, measures = "AP"),
  evaluate(judgments, runs, "AP"),
  measure("P", k = -1),
  measure("AP", depth = 3),
  # Rankings
  rank_systems(),
  rank_systems(runs),
  rank_systems(x, judgments),
  rank_systems(x, "publised"),
  rank_systems(x, level = 95),
  rank_systems(x, seed = "a"),
  rank_systems(x, conf_level = 0.9),
  rank_systems(x, grades = judgments["gain"]),
  rank_systems(x, past = "last year"),
  rank_systems(x, scope = "all"),
  rank_systems(x, by = "language"),
  rank_systems(session, judgments = judgments),
  system_differences(x, equal = -1),
  ranking_accuracy(ranking, judgments[1, ]),
  rank_probabilities(scores),
  head(ranking, "a"),
  glance(ranking, level = 0.9),
  tidy(ranking, conf.level = 95),
  toLatex(ranking, rows = 5),
  agreement(judgments),
  plot(ranking, colour = "red"),
  plot(ranking, type = "bars"),
  plot(ranking, top = 0),
  # Goals, plans and sessions
  goal_mean(95),
  goal_top(0),
  goal_budget("all"),
  goal_mean() | 200,
  judging_plan(x, 0.95, judgments = FALSE),
  judging_plan(x, goal_mean(), judgments = FALSE, most = 3),
  judging_session(),
  judging_session(x, goal_mean(), sede = 1),
  judging_session(x, 0.95, judgments = FALSE),
  judging_session(x, goal_top(3), judgments = FALSE),
  judging_session(x, goal_beats("Z"), judgments = FALSE),
  judging_session(x, judgments = FALSE, strategy = "gradient"),
  judging_session(x, judgments = FALSE, store = "no/folder/s.sqlite"),
  open_session("no-such-session.sqlite"),
  judge(session, "q1", "d9", 1),
  judge(session, "q1", "d1", 5),
  judge(x, "q1", "d1", 1),
  next_documents(session, n = -1),
  run_session(session, judgments[1:2]),
  run_session(session, judgments, progress = "yes"),
  export_judgments(session, "judgments.xlsx"),
  undo_judgment(session, "nobody"),
  report(runs, "report.html"),
  report(ranking, "report.pdf"),
  # Tests
  compare_systems(scores, "anova"),
  compare_systems(scores, conf_level = 0.9),
  compare_systems(scores, baseline = "Z"),
  compare_systems(runs),
  effect_sizes(scores),
  power_analysis(scores, sizes = 1),
  significance_test("t", alternative = "two-sided"),
  goal_width(2),
  independent_gains(1),
  published_method("output"),
  judging_plan(x, judgments = FALSE, assessor = "consensus"),
  block_workers(preference_session(data.frame(query = "q", doc = c("a", "b"))), "zoe"),
  test_collection(runs, judgments),
  evaluate(x, "nDCG@0"),
  rank_systems(x, draws = 1),
  compare_systems(scores, simulations = 0),
  tidy(ranking, conf.int = "yes"),
  # Ordinal models
  pom(),
  pom(Sat ~ Infl, "housing"),
  pom(1),
  pom(Freq ~ Infl, MASS::housing, link = "logistic"),
  pom(Sat ~ Infl, MASS::housing, link = "probits"),
  predict(fit, type = "classes"),
  predict(fit, MASS::housing["Sat"], type = "prob"),
  proportional_odds_test(lm(Freq ~ Sat, MASS::housing))
)

test_that("errors of wrong calls name the argument and the remedy", {
  expect_gte(length(wrong), 60)
  told <- lapply(wrong, function(call) tryCatch({
    withCallingHandlers(eval(call), warning = function(w) invokeRestart("muffleWarning"))
    NULL
  }, error = identity))
  silent <- vapply(told, is.null, NA)
  expect_identical(vapply(wrong[silent], rlang::expr_label, "", USE.NAMES = FALSE), character())
  bare <- !silent & !vapply(told, inherits, NA, "judicious_error")
  expect_identical(vapply(wrong[bare], rlang::expr_label, "", USE.NAMES = FALSE), character())
  # Each message says what to do, and names the argument or its value.
  messages <- vapply(told, function(cnd) cli::ansi_strip(conditionMessage(cnd)), "")
  advises <- grepl("\\bmust\\b|\n[i\u2139] |; check |: leave out|Check that", messages)
  expect_identical(vapply(wrong[!advises], rlang::expr_label, "", USE.NAMES = FALSE), character())
  values <- vapply(wrong, function(call) paste(gsub("\"", "", as.character(as.list(call)[-1])), collapse = "|"), "")
  names_it <- vapply(seq_along(told), function(i) {
    any(vapply(c(told[[i]]$argument, strsplit(values[i], "|", fixed = TRUE)[[1]]), grepl, NA, messages[i], fixed = TRUE))
  }, NA)
  expect_identical(vapply(wrong[!names_it], rlang::expr_label, "", USE.NAMES = FALSE), character())
  # Later versions of rlang name only the first class of a data frame.
  messages <- sub("/data.frame> object", "> object", messages, fixed = TRUE)
  expect_snapshot(for (i in which(!silent & !bare)) {
    cat("> ", rlang::expr_deparse(wrong[[i]], width = 500), "\n", messages[i], "\n\n", sep = "")
  })
})
