# The complete workflow, on MIREX 2011 if JUDICIOUS_DATA is the folder that contains it, and on the embedded collection
# otherwise. An argument is the folder for the report and the pictures.
suppressMessages(library(judicious))
folder <- c(commandArgs(trailingOnly = TRUE), "judicious-demo")[1]

part <- function(...) cat("\n== ", ..., "\n\n", sep = "")

mirex_2011 <- function(path) {
  file <- function(name) file.path(path, name)
  test_collection(file("runs.txt"), documents = file("metadata.txt"), systems = file("teams.tsv"),
                  judgments = file("judgments.txt"), k = 5, scale = fine_scale())
}

save_pictures <- function(folder, pictures) {
  for (name in names(pictures)) {
    path <- file.path(folder, paste0(name, ".png"))
    grDevices::png(path, width = 7, height = pictures[[name]]$height, units = "in", res = 110)
    pictures[[name]]$draw()
    grDevices::dev.off()
    cat("  ", path, "\n", sep = "")
  }
}

# Compares what a ranking states with the truth.
against_truth <- function(ranking, truth, method) {
  x <- ranking$collection
  scores <- as.data.frame(rank_systems(x, judgments = truth))$estimate
  estimates <- as.data.frame(ranking)
  data.frame(method = method, judgments = ranking$judged, stated = ranking_confidence(ranking),
             right = ranking_accuracy(ranking, truth)[["accuracy"]],
             coverage = mean(estimates$lower <= scores & scores <= estimates$upper))
}

beside <- function(...) {
  table <- rbind(...)
  print(format(table, digits = 3), row.names = FALSE)
  cat("stated: confidence in the ranking; right: share of pairs in the right order; coverage: share of the 95%",
      "intervals that contain the truth\n")
}

run_demo <- function(x, folder) {
  truth <- judgments_of(x)
  print(x)

  part("Ranking without judgments: joint gains, and the published method for comparison")
  ranking <- rank_systems(x, judgments = FALSE)
  published <- rank_systems(x, "published", judgments = FALSE)
  print(ranking)
  cat("\n")
  beside(against_truth(ranking, truth, "joint gains"), against_truth(published, truth, "published (overconfident)"))

  part("Plan: the judgments, hours and money for a confidence of .95")
  plan <- judging_plan(x, goal_mean(0.95), hourly = 25, judgments = FALSE, replicates = 3, seed = 1, progress = FALSE)
  print(plan)

  part("A simulated judging session, and the published algorithm for comparison")
  session <- judging_session(x, goal = goal_mean(0.95) | goal_budget(500), judgments = FALSE, seed = 1)
  run_session(session, truth, progress = FALSE)
  print(session)
  algorithm <- mtc(x, truth, mirex_model("output", "fine"), mirex_model("judge", "fine"), progress = FALSE)
  cat("\n")
  beside(against_truth(rank_systems(session), truth, "joint gains"),
         against_truth(algorithm$ranking, truth, "published (overconfident)"))

  part("Report and pictures")
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  file <- file.path(folder, "report.html")
  report(session, file)
  cat("  ", file, "\n", sep = "")
  save_pictures(folder, list(
    "ranking" = list(height = 5, draw = function() plot(ranking, truth = truth)),
    "confidence" = list(height = 7, draw = function() plot(ranking, type = "confidence")),
    "plan" = list(height = 4.5, draw = function() plot(plan, session)),
    "ranking-after-session" = list(height = 5, draw = function() plot(rank_systems(session), truth = truth)),
    "differences-after-session" = list(height = 6, draw = function() plot(system_differences(rank_systems(session)))),
    "calibration" = list(height = 4.5, draw = function() plot(calibration(session))),
    "published-after-mtc" = list(height = 5, draw = function() plot(algorithm$ranking, truth = truth))
  ))
}

data <- Sys.getenv("JUDICIOUS_DATA")
mirex <- file.path(data, "mirex-ams-2011")
if (nzchar(data) && dir.exists(mirex)) {
  cat("MIREX 2011, Audio Music Similarity\n")
  x <- mirex_2011(mirex)
} else {
  if (nzchar(data)) cat("There is no folder mirex-ams-2011 in JUDICIOUS_DATA; this is the embedded collection.\n")
  cat("ams_demo, a simulated collection in the shape of MIREX 2011\n")
  x <- ams_demo
}
run_demo(x, folder)
