# Compares the confidence that a session with a nonlinear measure states with that of the ranking of its judgments, by
# the same draws. In large collections, a session updates means and variances only approximately between draws
# (vignette("methods"), section 6). Prints by collection and measure the largest difference in confidence just after
# estimations, and the largest and the mean difference elsewhere.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-followed.R [collections=a,b] [measures=nDCG,AP,RR,ERR] [budget=60]
#     [every=4]
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")

followed_session <- function(x, name, budget, every) {
  truth <- judgments_of(x)[c("query", "doc", "gain")]
  s <- judging_session(x, goal_budget(budget), measure = paste0(name, "@", x$k), judgments = FALSE, seed = 1)
  rows <- lapply(0:budget, function(n) {
    now <- progress(s, expect = FALSE)
    estimated <- n == s$engine$fitted
    checked <- estimated || n %% every == every - 1
    stated <- if (checked) ranking_confidence(rank_systems(s, draws = ncol(s$engine$ranking$draws), seed = 1)) else NA
    if (n < budget) {
      document <- next_documents(s, 1)
      judge(s, document$query, document$doc,
            truth$gain[match(paste(document$query, document$doc), paste(truth$query, truth$doc))])
    }
    data.frame(judged = n, estimated, difference = now$confidence - stated)
  })
  steps <- do.call(rbind, rows)
  between <- steps[!steps$estimated & !is.na(steps$difference), ]
  farthest <- if (nrow(between)) which.max(abs(between$difference)) else NA
  data.frame(measure = name, estimated = max(abs(steps$difference[steps$estimated])),
             between = between$difference[farthest], after = between$judged[farthest],
             mean = mean(abs(between$difference)))
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(collections = collection_names,
                                                   measures = c("nDCG", "AP", "RR", "ERR"), budget = 60L, every = 4L))
  results <- do.call(rbind, lapply(given$collections, function(name) {
    x <- if (name == "text_demo") text_demo else read_case(name)$x
    if (x$k < 5 || name == "mirex-ams-2011") return(NULL)
    found <- lapply(given$measures, followed_session, x = x, budget = given$budget, every = given$every)
    data.frame(collection = name, do.call(rbind, found))
  }))
  show("Confidence of the session less that of its ranking", results)
}
