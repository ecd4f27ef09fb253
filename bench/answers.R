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

# Right answers: of random questions, of those that are selected five at a time, and of single answers.
key <- judgments_of(suppressMessages(read_answers(file, gold = "gold")))
models <- suppressMessages(read_answers(file, scale = 0:1))
by_labels <- function(known, way, labels) {
  ranking <- rank_systems(models, judgments = known)
  data.frame(way, labels, right = ranking_accuracy(ranking, key)[["accuracy"]], stated = ranking_confidence(ranking))
}
questions <- models$queries$query
labels <- c(5, 10, 20, 30, 60)
sampled <- do.call(rbind, lapply(1:5, function(seed) {
  set.seed(seed)
  drawn <- sample(questions)
  do.call(rbind, lapply(labels, function(n) by_labels(key[key$query %in% drawn[1:n], ], "random questions", n)))
}))
selected <- function(way, n, same_query) {
  known <- key[0, ]
  do.call(rbind, lapply(seq(5, max(labels), 5), function(asked) {
    next_ones <- select_documents(models, judgments = if (nrow(known)) known else FALSE, n = n, same_query = same_query,
                                  batches = 5, seed = 1)
    known <<- rbind(known, merge(key, next_ones[c("query", "doc")]))
    by_labels(known, way, asked)
  }))
}
shares <- rbind(stats::aggregate(cbind(right, stated) ~ way + labels, sampled, mean),
                selected("selected questions", Inf, TRUE), selected("selected answers", 1, FALSE))
shares <- shares[shares$labels %in% labels, ]
print(shares, digits = 3, row.names = FALSE)
results <- "vignettes/articles/results"
if (dir.exists(results)) {
  utils::write.csv(shares, file.path(results, "right-answers.csv"), row.names = FALSE, quote = FALSE)
}

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
