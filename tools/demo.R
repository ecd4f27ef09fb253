# The main job from beginning to end, on MIREX 2011 where JUDICIOUS_DATA names the folder that holds it, on
# the embedded collection otherwise. An argument names the folder for the pictures.
suppressMessages(library(judicious))
folder <- c(commandArgs(trailingOnly = TRUE), "judicious-demo")[1]

part <- function(...) cat("\n== ", ..., "\n\n", sep = "")

mirex_2011 <- function(path) {
  file <- function(name) file.path(path, name)
  test_collection(file("runs.txt"), documents = file("metadata.txt"), systems = file("teams.tsv"),
                  judgments = file("judgments.txt"), k = 5, scale = fine_scale())
}

save_pictures <- function(folder, pictures) {
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  for (name in names(pictures)) {
    path <- file.path(folder, paste0(name, ".png"))
    grDevices::png(path, width = 7, height = pictures[[name]]$height, units = "in", res = 110)
    pictures[[name]]$draw()
    grDevices::dev.off()
    cat("  ", path, "\n", sep = "")
  }
}

run_demo <- function(x) {
  truth <- judgments_of(x)
  print(x)

  part("Ranking without a single judgment")
  output_model <- mirex_model("output", "fine")
  gains <- gain_distribution(output_model, output_features(x))
  ranking <- rank_systems(x, gains)
  print(ranking)
  cat(sprintf("\nConfidence in the ranking: %.4f\n", ranking_confidence(ranking)))
  right <- ranking_accuracy(ranking, truth)
  cat(sprintf("Against all judgments: accuracy %.4f, tau %.4f\n", right[["accuracy"]], right[["tau"]]))

  part("The first 10 documents to judge")
  print(next_to_judge(x, gains, n = 10))

  part("Minimal test collection, to a confidence of 95%")
  session <- mtc(x, truth, output_model, mirex_model("judge", "fine"), confidence = 0.95, progress = FALSE)
  print(session)

  part("Pictures")
  one_system <- as.data.frame(ranking)$system[which.min(as.data.frame(ranking)$rank)]
  distribution <- effectiveness_distribution(x, gains, one_system)
  one_query <- effectiveness_distribution(x, uniform_gains(x), one_system, x$queries$query[1])
  save_pictures(folder, list(
    "ranking" = list(height = 5, draw = function() plot(ranking, truth = truth)),
    "confidence" = list(height = 7, draw = function() plot(ranking, type = "confidence")),
    "ranking-after-mtc" = list(height = 5, draw = function() plot(session$ranking, truth = truth)),
    "mtc" = list(height = 4.5, draw = function() plot(session)),
    "distribution-one-query" = list(height = 4, draw = function() plot(one_query)),
    "distribution-all-queries" = list(height = 4, draw = function() plot(distribution))
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
run_demo(x)
