# Pairs of systems that are ranked in the right order on the two collections of answers that the package has, as README
# states: language models without any label, and writers of stories by random ratings, with and without grades. Replaces
# the table of README.md.
#
#   Rscript bench/answers.R [samples]
#
# takes two minutes with 50 samples, the default.
suppressPackageStartupMessages(library(judicious))
given <- commandArgs(TRUE)
samples <- if (length(given)) as.integer(given[1]) else 50

file <- system.file("extdata", "gsm", "answers.jsonl.gz", package = "judicious")
models <- suppressMessages(read_answers(file))
ranking <- rank_systems(models)
rows <- jsonlite::stream_in(gzfile(file), verbose = FALSE)
# Answers that are no numbers are wrong.
right <- suppressWarnings(as.numeric(rows$answer) == as.numeric(gsub(",", "", rows$gold)))
truth <- tapply(right, rows$model, function(x) mean(x %in% TRUE))[names(ranking$mean)]
pairs <- utils::combn(length(truth), 2)
differ <- truth[pairs[1, ]] != truth[pairs[2, ]]
agree <- sign(truth[pairs[1, ]] - truth[pairs[2, ]]) == sign(ranking$mean[pairs[1, ]] - ranking$mean[pairs[2, ]])
cat(sprintf("gsm: %d models, %d questions, no label: %.3f of the pairs right, stated %.3f\n", length(truth),
            length(unique(rows$id)), mean(agree[differ]), ranking_confidence(ranking)))

stories <- suppressMessages(read_answers(hanna))
ratings <- judgments_of(stories)
truth <- stats::aggregate(gain ~ query + doc, ratings, mean)
right_by <- function(n, grades, seed) {
  set.seed(seed)
  some <- ratings[sample(nrow(ratings), n), ]
  ranking <- rank_systems(stories, judgments = some, grades = grades)
  c(right = ranking_accuracy(ranking, truth)[["accuracy"]], stated = ranking_confidence(ranking))
}
rows <- vapply(c(20, 60, 100, 200), function(n) {
  both <- lapply(list(grades = NULL, none = FALSE), function(grades) {
    rowMeans(vapply(seq_len(samples), function(seed) right_by(n, grades, seed), c(right = 0, stated = 0)))
  })
  sprintf("| %d | %s |", n, paste(sub("^0", "", sprintf("%.3f", unlist(both))), collapse = " | "))
}, "")
table <- c("| ratings | with grades: right | stated | without: right | stated |", "|---|---|---|---|---|", rows)
writeLines(table)
if (file.exists("README.md")) {
  text <- readLines("README.md")
  marks <- grep("^<!-- (table|end) of bench/answers.R -->$", text)
  writeLines(c(text[seq_len(marks[1])], table, text[marks[2]:length(text)]), "README.md")
}
