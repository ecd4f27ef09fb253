# Growth of joint gains in systems, queries and depth: CPU seconds to set the posterior up, per judgment brought in,
# and per selection over the whole pool; milliseconds per draw of all systems' AP, and seconds for its exact moments
# under independent gains. Rscript bench/joint-speed.R [large]
suppressMessages(library(judicious))
sizes <- list(c(18, 100, 5), c(36, 100, 5), c(18, 200, 5), c(18, 100, 10), c(60, 100, 10), c(120, 100, 10))
if (identical(commandArgs(TRUE), "large")) sizes <- c(sizes, list(c(250, 500, 10), c(500, 2000, 10)))

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

cpu <- function(expr) sum(system.time(expr)[1:2])
rows <- lapply(sizes, function(s) {
  x <- random_collection(s[1], s[2], s[3])
  ids <- as.data.frame(uniform_gains(x))[c("query", "doc")]
  setup <- cpu({
    gains <- joint_gains(gain_prior(), x, cbind(ids[1:5, ], gain = 1), update = FALSE)
    rank_systems(x, gains)
  })
  fresh <- joint_gains(gain_prior(), x, cbind(ids[1:5, ], gain = 1), update = FALSE)
  posterior <- judicious:::joint_posterior(gains)
  pairs <- sample.int(nrow(ids), 10)
  judge <- cpu(for (i in pairs) judicious:::joint_judge_cpp(posterior, i, 0.5)) / 10
  ranking <- rank_systems(x, gains)
  select <- cpu(for (i in 1:3) select_gradient()$score(posterior, ranking, goal_mean())) / 3
  draw <- cpu(rank_systems(x, fresh, measure = "AP", draws = 50, seed = 1)) / 50
  exact <- if (s[1] <= 120) cpu(rank_systems(x, uniform_gains(x), measure = "AP")) else NA
  data.frame(systems = s[1], queries = s[2], k = s[3], pairs = nrow(ids), setup_s = round(setup, 3),
             judge_ms = round(1000 * judge, 2),
             select_ms = round(1000 * select, 2), ap_draw_ms = round(1000 * draw, 2),
             exact_ap_s = round(exact, 2), memory_mb = round(sum(gc()[, 6])))
})
print(do.call(rbind, rows), row.names = FALSE)
