# How the main work on answers of language models grows with the number of questions: processor seconds to read a table
# with the answers of 50 models, of which a tenth has ratings of people and all have grades of a model; to rank the
# models; to print the ranking; to validate the grader; to open a session with these ratings; and of its next rating.
#
#   Rscript bench/answers-scale.R [questions=100,400,2000] [models=50]
suppressMessages(library(judicious))
source("bench/common.R")
given <- given_arguments(commandArgs(TRUE), list(questions = c(100, 400, 2000), models = 50))

answers_of <- function(models, questions) {
  set.seed(1)
  n <- models * questions
  quality <- rep(stats::rnorm(models, 0, 0.4), each = questions) + stats::rnorm(n)
  data.frame(model = rep(paste0("m", seq_len(models)), each = questions), id = rep(seq_len(questions), models),
             response = paste("answer", seq_len(n)),
             rating = ifelse(stats::runif(n) < 0.1, pmin(pmax(round(3 + quality), 1), 5), NA),
             gpt4 = pmin(pmax(round(5 + 2 * quality + stats::rnorm(n)), 1), 10))
}

seconds <- vapply(given$questions, function(questions) {
  path <- tempfile(fileext = ".csv")
  utils::write.csv(answers_of(given$models, questions), path, row.names = FALSE)
  read <- cpu_seconds(x <- suppressMessages(read_answers(path)))
  rank <- cpu_seconds(ranking <- rank_systems(x))
  c(read = read, rank = rank, print = cpu_seconds(utils::capture.output(print(ranking))),
    validate = cpu_seconds(grader_validation(x)),
    open = cpu_seconds(asked <- next_documents(session <- judging_session(x, seed = 1))),
    judge = cpu_seconds(next_documents(judge(session, asked$query, asked$doc, 3))))
}, numeric(6))
show(paste("Processor seconds for", given$models, "models"), data.frame(questions = given$questions, t(seconds)))
