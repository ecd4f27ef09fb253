# The cost of designs of preference judgments, and the quality of their lists, on simulated crowds. Prints the numbers
# that the vignette and the documentation quote. Takes about three minutes.
library(judicious)
source("vignettes/articles/designs.R")
options(width = 120)

cat("1. Pairs asked against n log2 n: documents a constant distance apart (2 logits between neighbours)\n")
apart <- simulate_designs(c(8, 16, 32, 64, 128), answers = 10, similarity = function(n) 2 * sample(n), replicates = 10,
                         seed = 1)
mean_by <- function(plan) {
  s <- mean_designs(plan)
  cbind(s, of_all = s$pairs / s$all_pairs, of_n_log_n = s$pairs / s$n_log_n)
}
print(mean_by(apart), digits = 3)

cat("\n2. The same, documents drawn from one normal distribution (sd 2): the more, the closer together\n")
dense <- simulate_designs(c(8, 16, 32, 64, 128), answers = 10, replicates = 10, seed = 2)
print(mean_by(dense), digits = 3)
growth <- function(plan) coef(lm(log(pairs) ~ log(n), plan[plan$n >= 16, ]))[[2]]
cat(sprintf(paste0("growth of the pairs, exponent of n: %.2f apart, %.2f dense; n log n from 16 to 128: %.2f; all ",
                   "pairs: %.2f\n"),
            growth(apart), growth(dense), log(128 * 7 / (16 * 4)) / log(8), log(128 * 127 / (16 * 15)) / log(8)))

cat("\n3. ADR of the list against the latent order, by answers per pair (20 documents, sd 2)\n")
answers <- simulate_designs(20, answers = c(2, 3, 5, 10, 20, 40), workers = 60, replicates = 100, seed = 3)
print(mean_designs(answers), digits = 3)

cat("\n4. Robots that always answer equal: found by worker_quality(), by number of their answers\n")
found <- do.call(rbind, lapply(1:60, function(seed) {
  docs <- sprintf("d%02d", 1:20)
  set.seed(seed)
  crowd <- simulate_crowd(list(q = setNames(rnorm(20, 0, 2), docs)), workers = 40, equal_robots = 3)
  q <- worker_quality(run_session(preference_session(list(q = docs)), crowd))
  data.frame(robot = crowd$workers$kind[match(q$worker, crowd$workers$worker)] == "equal robot",
             equal = grepl("always equal", q$robot),
             time = grepl("constant time", q$robot), answers = q$answers)
}))
robots <- found[found$robot, ]
robots$bin <- cut(robots$answers, c(0, 5, 10, 15, 20, Inf))
print(aggregate(cbind(equal, time) ~ bin, robots, mean), digits = 3)
cat(sprintf("robots: %d, found by their answers %d, by answers or time %d; humans: %d, called robots: %d\n",
            nrow(robots), sum(robots$equal),
            sum(robots$equal | robots$time), sum(!found$robot), sum((found$equal | found$time)[!found$robot])))

cat(paste0("\n5. The same answers by two methods: the session's list, and the order of Bradley-Terry strengths (20 ",
           "documents, ADR against the latent order)\n"))
compared <- do.call(rbind, lapply(1:60, function(seed) {
  docs <- sprintf("d%02d", 1:20)
  set.seed(seed)
  latent <- setNames(rnorm(20, 0, 2), docs)
  s <- run_session(preference_session(list(q = docs)), simulate_crowd(list(q = latent)))
  truth <- ordered_list(data.frame(query = "q", doc = docs, group = rank(-latent)))
  by_strength <- function(fit) ordered_list(transform(fit$strengths, group = seq_along(doc)))
  fit <- bradley_terry(s)
  data.frame(session = average_dynamic_recall(ordered_list(s), truth)$adr,
             davidson = average_dynamic_recall(by_strength(fit), truth)$adr,
             davidson_groups = average_dynamic_recall(ordered_list(fit), truth)$adr)
}))
print(rbind(mean = colMeans(compared), se = sapply(compared, sd) / sqrt(nrow(compared))), digits = 3)
