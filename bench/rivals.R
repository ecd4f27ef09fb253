# Compares joint gains with the alternatives: every method on every collection of JUDICIOUS_DATA with runs, with priors
# learned from other families of the collections of bench/trust-data.R.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/rivals.R store=<folder> [collections=a,b] [seeds=1,2,3,4] [methods=a,b]
#     [budgets=0,20,50,100,200,400,800] [minutes=Inf] [at=100] [measure=AG] [out=file.csv] [details=file.csv]
#
# A budget is at most half of the pool. The results of a method on a collection with a seed are stored as a file, so
# that a study that was interrupted, or stopped after some `minutes` of processor time, continues where it ended; a
# store of another build of the package, or of other scripts, raises an error. `out` is the table of methods at the
# budget `at`; `details` has the means by collection, method and budget. rivals-table.R describes the columns.
#
# `measure`: P(rel=2)@10 or nDCG@10 instead of AG, on collections with ranks and gains above 1. The method evaluatellm
# needs the package of this name, which is on CRAN.
source("bench/trust.R")
source("bench/rivals-methods.R")
source("bench/rivals-table.R")

# Further collections of single answers. Each is a separate family, and nothing is learned from them.
answer_scales <- list(hanna = 0:72, opinsumm = 0:32, dialsumm = 0:48, gsm = 0:1)
more_collections <- c(more_collections, lapply(answer_scales, function(scale) list(k = 1, scale = scale)))

# Methods that need a grade use the collection's grader_of().
with_grader <- function(method_of) {
  force(method_of)
  function(case, others, budgets, seed) method_of(grader_of(case))(case, others, budgets, seed)
}

rivals <- list(
  "joint gains" = list(run = joint_method_of()),
  "joint gains with grades" = list(run = with_grader(joint_method_of), graded = TRUE),
  "grades alone" = list(run = with_grader(grader_alone), graded = TRUE),
  "plug-in, isotonic" = list(run = calibrated_method(isotonic), graded = TRUE),
  "plug-in, proportional odds" = list(run = calibrated_method(proportional_odds, 20), graded = TRUE),
  "calibration with a gate (CJE)" = list(run = gated_method(), graded = TRUE),
  "evaluatellm" = list(run = evaluatellm_method, graded = TRUE),
  "PPI++" = list(run = with_grader(rectified_method), graded = TRUE),
  "PPI++, stratified" = list(run = stratified_method(TRUE), graded = TRUE),
  "depth pooling" = list(run = depth_pooling),
  "bandit, MaxMean" = list(run = bandit_method(max_mean, 0)),
  "bandit, Thompson" = list(run = bandit_method(thompson, 1)),
  "random relevance" = list(run = random_relevance),
  "random + t" = list(run = rectified_method()),
  "stratified + t" = list(run = stratified_method(FALSE)),
  "published MTC" = list(run = published_mtc, only = "AG")
)

# The result of one method on one collection with one seed, from the store if it is there.
rival_rows <- function(case, others, name, budgets, seed, store) {
  of <- c(case$name, gsub("[^A-Za-z+]+", "-", name), case$measure, seed)
  path <- file.path(store, paste0(paste(of, collapse = "_"), ".csv"))
  if (file.exists(path)) {
    kept <- utils::read.csv(path)
    if (all(budgets %in% kept$budget)) return(kept[kept$budget %in% budgets, ])
  }
  x <- case$x
  truth <- colSums(weights_of(x) * x$gain)
  used <- cpu_seconds(estimates <- rivals[[name]]$run(case, others, budgets, seed))
  significant <- significant_pairs(x)
  scored <- do.call(rbind, lapply(estimates, rival_score, truth, significant))
  rows <- data.frame(collection = case$name, method = name, seed = seed, budget = budgets, scored,
                     seconds = round(used, 2))
  utils::write.csv(rows, path, row.names = FALSE)
  # Reads the result back from the store, so that an interrupted study has the same numbers.
  utils::read.csv(path)
}

rivals_main <- function(arguments) {
  given <- given_arguments(arguments, list(store = "", collections = c(collection_names, names(answer_scales)),
                                           seeds = 1:4, methods = names(rivals),
                                           budgets = c(0, 20, 50, 100, 200, 400, 800), minutes = Inf, at = 100,
                                           measure = "AG", out = "", details = ""))
  if (!nzchar(given$store)) stop("Name the folder for the results, as in store=rivals.")
  unknown <- setdiff(given$methods, names(rivals))
  if (length(unknown)) stop("There is no method ", unknown[1], "; there are ", toString(names(rivals)), ".")
  if ("evaluatellm" %in% given$methods && !has("evaluatellm")) {
    stop("The method evaluatellm needs the package evaluatellm: install.packages(\"evaluatellm\").")
  }
  open_store(given$store, Sys.glob(c("bench/rivals*.R", "bench/trust*.R")))
  learned <- suppressMessages(read_cases())
  cases <- suppressMessages(c(learned, sapply(names(answer_scales), read_case, simplify = FALSE)))
  jobs <- rival_jobs(given, cases)
  rows <- list()
  for (i in seq_len(nrow(jobs))) {
    if (sum(proc.time()[1:2]) > 60 * given$minutes) {
      message("Stopped after ", given$minutes, " minutes of processor time; run the script again to continue.")
      break
    }
    case <- measured_case(cases[[jobs$collection[i]]], given$measure)
    budgets <- given$budgets[given$budgets <= length(case$x$gain) / 2]
    rows[[i]] <- rival_rows(case, other_families(learned, case), jobs$method[i], budgets, jobs$seed[i], given$store)
  }
  rivals_report(do.call(rbind, rows), given)
}

# One row per seed, collection and method that supports the measure. Methods that use grades are run only on collections
# with grades.
rival_jobs <- function(given, cases) {
  jobs <- expand.grid(method = given$methods, collection = given$collections, seed = given$seeds,
                      stringsAsFactors = FALSE)
  graded <- vapply(jobs$method, function(name) isTRUE(rivals[[name]]$graded), NA)
  only <- vapply(jobs$method, function(name) c(rivals[[name]]$only, given$measure)[1], "")
  possible <- only == given$measure
  jobs[possible & (!graded | vapply(jobs$collection, function(name) length(cases[[name]]$graders) > 0, NA)), ]
}

rivals_report <- function(rows, given) {
  table <- rival_table(rows, given$at)
  if (nzchar(given$out)) utils::write.csv(table, given$out, row.names = FALSE)
  if (nzchar(given$details)) {
    means <- rival_means(rows)
    means[rival_figures] <- signif(as.matrix(means[rival_figures]), 4)
    utils::write.csv(means, given$details, row.names = FALSE)
  }
  settings <- rival_settings(rival_means(rows))
  show("Settings in which another method orders more pairs right than joint gains, by more than .005",
       settings[settings$better, ])
  cat(sprintf("\nIn %d of %d settings, no other method does.\n", sum(!settings$better), nrow(settings)))
  show(sprintf("Rivals after %d judgments, %s", given$at, given$measure), table)
  cat(sprintf("\n%d collections, seeds %s, %.0f s of processor time\n", length(unique(rows$collection)),
              toString(unique(rows$seed)), sum(unique(rows[c("collection", "method", "seed", "seconds")])$seconds)))
  invisible(table)
}

if (any(grepl("rivals[.]R$", commandArgs()))) rivals_main(commandArgs(TRUE))
