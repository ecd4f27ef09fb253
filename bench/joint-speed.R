# Growth of joint gains in systems, queries and depth: CPU seconds to set the posterior up, per judgment brought in,
# and per selection over the whole pool; milliseconds per draw of all systems' AP, and seconds for its exact moments
# under independent gains. Rscript bench/joint-speed.R [large]
suppressMessages(library(judicious))
source("bench/common.R")

# Lists drawn from 30 k documents per query, the first of them in most lists.
random_collection <- function(systems, queries, k) {
  set.seed(1)
  lists <- replicate(systems * queries, sample.int(30 * k, k, prob = 1 / seq_len(30 * k)))
  runs <- data.frame(system = rep(seq_len(systems), each = k * queries),
                     query = rep(rep(seq_len(queries), each = k), systems),
                     doc = as.vector(lists), rank = seq_len(k))
  test_collection(runs, systems = data.frame(system = seq_len(systems), team = (seq_len(systems) + 3) %/% 4), k = k,
                  scale = broad_scale())
}

joint_case <- function(systems, queries, k) {
  gc(reset = TRUE)
  x <- random_collection(systems, queries, k)
  ids <- as.data.frame(uniform_gains(x))[c("query", "doc")]
  few <- cbind(ids[1:5, ], gain = 1)
  setup <- cpu_seconds({
    gains <- joint_gains(gain_prior(), x, few, update = FALSE)
    rank_systems(x, gains)
  })
  fresh <- joint_gains(gain_prior(), x, few, update = FALSE)
  posterior <- judicious:::joint_posterior(gains)
  pairs <- sample.int(nrow(ids), 10)
  judge <- cpu_seconds(for (i in pairs) judicious:::joint_judge_cpp(posterior, i, 0.5)) / 10
  ranking <- rank_systems(x, gains)
  select <- cpu_seconds(for (i in 1:3) select_gradient()$score(posterior, ranking, goal_mean())) / 3
  draw <- cpu_seconds(rank_systems(x, fresh, measure = "AP", draws = 50, seed = 1)) / 50
  exact <- if (systems <= 120) cpu_seconds(rank_systems(x, uniform_gains(x), measure = "AP")) else NA
  data.frame(systems = systems, queries = queries, k = k, pairs = nrow(ids), setup_s = setup, judge_ms = 1000 * judge,
             select_ms = 1000 * select, ap_draw_ms = 1000 * draw, exact_ap_s = exact, memory_mb = sum(gc()[, 6]))
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

main <- function(large) {
  sizes <- c(eval(formals(joint_speed)$sizes), list(c(120, 100, 10)))
  if (large) sizes <- c(sizes, list(c(250, 500, 10), c(500, 2000, 10)))
  show("Joint gains", joint_speed(sizes))
  show("Exact moments of AP", exact_ap_growth())
}
if (sys.nframe() == 0) main(identical(commandArgs(TRUE), "large"))
