# Time of joint gains by the number of systems, queries and depth: CPU time to rank without judgments, per added
# judgment, per selection over the whole pool, per update of ranking and goal, and to estimate coefficients and
# variances from 100 judgments; milliseconds per draw of all systems' AP, and seconds for its exact moments under
# independent gains; whole sessions; and the likelihood and conditioning by the number of judgments, with the bound by
# the operations of their products. Rscript bench/joint-speed.R [large | session | ranking | judgments]
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")

# Lists are drawn from 30 * k documents per query, the first of which are in most lists.
random_collection <- function(systems, queries, k) {
  set.seed(1)
  lists <- replicate(systems * queries, sample.int(30 * k, k, prob = 1 / seq_len(30 * k)))
  runs <- data.frame(system = rep(seq_len(systems), each = k * queries),
                     query = rep(rep(seq_len(queries), each = k), systems),
                     doc = as.vector(lists), rank = seq_len(k))
  test_collection(runs, systems = data.frame(system = seq_len(systems), team = (seq_len(systems) + 3) %/% 4), k = k,
                  scale = broad_scale())
}

# Repeats the queries `times` times as new queries, which is faster than simulating a large collection.
repeat_queries <- function(x, times) {
  n <- length(x$pool$query)
  shift <- function(by, n) rep(by * (seq_len(times) - 1L), each = n)
  count <- nrow(x$queries)
  x$pool <- list(query = rep(x$pool$query, times) + shift(count, n), doc = rep(x$pool$doc, times))
  x$results <- list(offset = c(0L, cumsum(rep(diff(x$results$offset), times))), system = rep(x$results$system, times),
                    rank = rep(x$results$rank, times))
  x$queries <- data.frame(query = sprintf("q%d", seq_len(count * times)), stringsAsFactors = FALSE)
  x$gain <- rep(x$gain, times)
  x
}

# Peak memory of this process so far, in MB.
peak_memory <- function() {
  if (!file.exists("/proc/self/status")) return(NA_real_)
  as.numeric(gsub("[^0-9]", "", grep("^VmHWM", readLines("/proc/self/status"), value = TRUE))) / 1024
}

joint_case <- function(systems, queries, k) {
  x <- random_collection(systems, queries, k)
  ids <- as.data.frame(uniform_gains(x))[c("query", "doc")]
  chosen <- sample.int(nrow(ids), 110)
  few <- cbind(ids[chosen[1:100], ], gain = sample(0:2, 100, TRUE))
  rank <- cpu_seconds(rank_systems(x, joint_gains(x, gain_prior())))
  refit <- cpu_seconds(gains <- joint_gains(x, gain_prior(), judgments = few))
  fresh <- joint_gains(x, gain_prior(), judgments = few[1:5, ], update = FALSE)
  posterior <- judicious:::joint_posterior(gains)
  pairs <- chosen[101:110]
  judge <- cpu_seconds(for (i in pairs) judicious:::joint_judge_cpp(posterior, i, 0.5, 0)) / 10
  ranking <- rank_systems(x, gains)
  select <- cpu_seconds(for (i in 1:3) strategy_gradient()$score(gains, ranking, goal_mean(), 1)) / 3
  trace <- cpu_seconds(for (i in 1:5) {
    ranking_confidence(rank_systems(x, gains))
    goal_mean()$progress(ranking)
  }) / 5
  draw <- cpu_seconds(rank_systems(x, fresh, measure = "AP", draws = 50, seed = 1)) / 50
  exact <- if (systems <= 120) cpu_seconds(rank_systems(x, uniform_gains(x), measure = "AP")) else NA
  data.frame(systems = systems, queries = queries, k = k, pairs = nrow(ids), rank_s = rank, judge_ms = 1000 * judge,
             select_ms = 1000 * select, trace_ms = 1000 * trace, refit_s = refit, ap_draw_ms = 1000 * draw,
             exact_ap_s = exact)
}

# Whole sessions of one assessor: seconds until the first document is available, then milliseconds per judgment,
# including estimation, in processor and wall-clock time.
session_speed <- function(x, truth, judgments) {
  session <- judging_session(x, goal = goal_budget(judgments), seed = 1, judgments = FALSE)
  open <- cpu_seconds(next_documents(session, assessor = "simulated"))
  time <- system.time(run_session(session, truth))
  data.frame(systems = nrow(x$systems), queries = nrow(x$queries), pairs = length(x$pool$query), judgments = judgments,
             open_s = open, cpu_ms = 1000 * sum(time[c("user.self", "sys.self")]) / judgments,
             wall_ms = 1000 * time[["elapsed"]] / judgments, peak_mb = peak_memory())
}

# 500 systems, 2,000 queries, k = 10.
large_session <- function(judgments = 60) {
  x <- random_collection(500, 50, 10)
  set.seed(2)
  x$gain <- as.numeric(sample(0:2, length(x$pool$query), TRUE, c(.6, .25, .15)))
  x <- repeat_queries(x, 40)
  session_speed(x, judgments_of(x), judgments)
}

# A judged collection: a model with selection of its effects, and joint gains with 400 judgments, also with fixed
# variances, which leaves out their estimation. Times of two versions of the package are only comparable if they are
# measured in alternation on one machine.
estimation_speed <- function(x, judgments = 400) {
  set.seed(3)
  truth <- judgments_of(x)
  some <- truth[sample.int(nrow(truth), judgments), ]
  gains <- time_call(function() joint_gains(x, gain_prior(), judgments = some))
  given <- time_call(function() joint_gains(x, gain_prior(), judgments = some, update = FALSE))
  model <- time_call(function() gain_model(past = x))
  data.frame(pairs = nrow(truth), model_s = model, judgments = judgments, gains_s = gains, given_s = given,
             ratio = model / gains)
}

# TREC Deep Learning 2020, or NULL if it is not in the folder JUDICIOUS_DATA.
trec_2020 <- function() {
  folder <- file.path(Sys.getenv("JUDICIOUS_DATA"), "trec-dl-2020")
  if (dir.exists(folder)) read_folder(folder)$x
}

# Ranking without judgments. `peak_mb` does not include the collection itself.
large_ranking <- function(systems = 1000, queries = 10000, k = 10) {
  x <- repeat_queries(random_collection(systems, 50, k), queries / 50)
  before <- peak_memory()
  time <- system.time(rank_systems(x, joint_gains(x, gain_prior())))
  cpu <- sum(time[c("user.self", "sys.self")])
  data.frame(systems = systems, queries = queries, k = k, pairs = length(x$pool$query), cpu_s = cpu,
             wall_s = time[["elapsed"]], peak_mb = peak_memory() - before)
}

# Milliseconds of one evaluation of the marginal likelihood with derivatives, which must not jump where the objective
# switches between its two algorithms (the number of evaluations depends on the gains), and of conditioning on all
# judgments at once, without the moments of the prior. `bound_ms` is what the products of the latter take at `rate`
# operations a second: the square of the judgments by the shared effects, or of the effects by the judgments, and its
# Cholesky factor; the covariances of the effects, of the systems, and of the results and pairs with the factor's rows.
judgments_speed <- function(sizes = list(c(200, 50, 380), c(200, 50, 480), c(200, 50, 600), c(200, 50, 700),
                                         c(600, 20, 1150), c(600, 20, 1260), c(60, 250, 3000)), rate = 15e9) {
  rows <- lapply(sizes, function(size) {
    x <- random_collection(size[1], size[2], 10)
    ids <- as.data.frame(uniform_gains(x))[c("query", "doc")]
    n <- size[3]
    set.seed(2)
    some <- cbind(ids[sample.int(nrow(ids), n), ], gain = sample(0:2, n, TRUE))
    gains <- joint_gains(x, gain_prior(), judgments = some, update = FALSE)
    pool <- gains$pool
    objective <- judicious:::joint_objective(pool, gains$sequence, gains$gain[gains$sequence] / 2)
    parameters <- judicious:::joint_parameters(objective$pool, gains$fit,
                                                judicious:::stated_variance(objective$pool, gains$fit))
    evaluate <- min(vapply(1:5, function(i) {
      parameters$variance <- 1.01^i * parameters$variance
      cpu_seconds(judicious:::joint_evaluate_cpp(objective$pointer, parameters, "gradient"))
    }, 0))
    posterior <- function(gains) {
      min(vapply(1:5, function(i) cpu_seconds(judicious:::joint_posterior(judicious:::with_new_cache(gains))), 0))
    }
    condition <- posterior(gains) - posterior(joint_gains(x, gain_prior()))
    effects <- ncol(pool$x) + 2 * (pool$n_systems + pool$n_teams)
    small <- min(n, effects)
    operations <- small^2 * max(n, effects) + small^3 / 3 + small * (effects^2 + size[1]^2) +
      2 * small * (2 * length(pool$results$system) + nrow(ids) * n / size[2])
    data.frame(systems = size[1], queries = size[2], judgments = n, evaluate_ms = 1000 * evaluate,
               condition_ms = 1000 * condition, bound_ms = 1000 * operations / rate,
               ratio = condition / operations * rate)
  })
  do.call(rbind, rows)
}

joint_speed <- function(sizes = list(c(18, 100, 5), c(36, 100, 5), c(18, 200, 5), c(18, 100, 10), c(60, 100, 10))) {
  do.call(rbind, lapply(sizes, function(size) joint_case(size[1], size[2], size[3])))
}

# AP of independent gains, whose exact moments take quadratic time in the documents of a query.
exact_ap_growth <- function(depths = c(20, 40, 80, 160), systems = 10, queries = 10) {
  seconds <- vapply(depths, function(k) {
    x <- random_collection(systems, queries, k)
    gains <- uniform_gains(x)
    time_call(function() rank_systems(x, gains, measure = "AP"))
  }, 0)
  data.frame(depth = depths, seconds = seconds)
}

main <- function(part) {
  if (part == "judgments") return(show("Likelihood and conditioning by judgments", judgments_speed()))
  x <- mirex_2011()
  if (!is.null(x)) show("Session, music similarity 2011", session_speed(x, judgments_of(x), 400))
  if (!is.null(x)) show("Estimation, music similarity 2011", estimation_speed(x))
  y <- trec_2020()
  if (!is.null(y)) show("Session, TREC DL 2020", session_speed(y, judgments_of(y), 800))
  if (!is.null(y)) show("Estimation, TREC DL 2020", estimation_speed(y))
  sizes <- c(eval(formals(joint_speed)$sizes), list(c(120, 100, 10), c(240, 100, 10)))
  show("Joint gains", joint_speed(sizes))
  show("Exact moments of AP", exact_ap_growth())
  show("Likelihood and conditioning by judgments", judgments_speed())
  if (part %in% c("large", "session")) show("Session, large", large_session())
  if (part %in% c("large", "ranking")) show("Ranking, large", large_ranking())
}
if (sys.nframe() == 0) main(c(commandArgs(TRUE), "")[1])
