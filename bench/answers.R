# The share of pairs of systems that are ranked in the right order on the two bundled collections of answers, as README
# states: language models without any label, and writers of stories by random ratings, with and without grades. Replaces
# the table in README.md.
#
#   Rscript bench/answers.R [samples]
#
# takes four minutes with 50 samples, the default.
suppressPackageStartupMessages(library(judicious))
given <- commandArgs(TRUE)
samples <- if (length(given)) as.integer(given[1]) else 50

file <- system.file("extdata", "gsm", "answers.jsonl.gz", package = "judicious")
models <- suppressMessages(read_answers(file))
ranking <- rank_systems(models)
rows <- jsonlite::stream_in(gzfile(file), verbose = FALSE)
# Answers that are not numbers count as wrong.
right <- suppressWarnings(as.numeric(rows$answer) == as.numeric(gsub(",", "", rows$gold)))
truth <- tapply(right, rows$model, function(x) mean(x %in% TRUE))[names(ranking$mean)]
pairs <- utils::combn(length(truth), 2)
differ <- truth[pairs[1, ]] != truth[pairs[2, ]]
agree <- sign(truth[pairs[1, ]] - truth[pairs[2, ]]) == sign(ranking$mean[pairs[1, ]] - ranking$mean[pairs[2, ]])
cat(sprintf("gsm: %d models, %d questions, no label: %.3f of the pairs right, stated %.3f\n", length(truth),
            length(unique(rows$id)), mean(agree[differ]), ranking_confidence(ranking)))

# Accuracy by the number of questions with a label, which are drawn at random or selected five at a time; or by the
# number of labelled answers, if single answers are selected. Means over samples of 25 models and 200 questions each.
key <- judgments_of(suppressMessages(read_answers(file, gold = "gold")))
labels <- c(0, 5, 10, 20, 30)
labelled <- function(seed) {
  set.seed(seed)
  own <- subset(rows, model %in% sample(unique(model), 25) & id %in% sample(unique(id), 200))
  x <- suppressMessages(read_answers(own[c("model", "id", "answer")], scale = 0:1))
  truth <- merge(key, unique(as.data.frame(x)[c("query", "doc")]))
  drawn <- sample(unique(own$id))
  ask <- list(
    "random questions" = function(known, n) data.frame(query = drawn[n - 4:0]),
    "selected questions" = function(known, n) {
      select_documents(x, judgments = known, n = Inf, same_query = TRUE, batches = 5, seed = 1)["query"]
    },
    "selected answers" = function(known, n) select_documents(x, judgments = known, n = 5, seed = 1)[c("query", "doc")]
  )
  do.call(rbind, lapply(names(ask), function(way) {
    known <- FALSE
    do.call(rbind, lapply(seq(0, max(labels), 5), function(n) {
      if (n > 0) known <<- unique(rbind(if (is.data.frame(known)) known, merge(truth, unique(ask[[way]](known, n)))))
      if (!n %in% labels) return(NULL)
      ranking <- rank_systems(x, judgments = known)
      data.frame(way, labels = n, right = ranking_accuracy(ranking, truth)[["accuracy"]],
                 stated = ranking_confidence(ranking))
    }))
  }))
}
each <- do.call(rbind, lapply(seq_len(min(samples, 20)), labelled))
shares <- stats::aggregate(cbind(right, stated) ~ way + labels, each, mean)
shares$worst <- stats::aggregate(right ~ way + labels, each, min)$right
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
