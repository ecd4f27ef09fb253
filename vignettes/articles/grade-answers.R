# The calls of the article grade-answers.Rmd. Its stored output is made in this folder, with ellmer installed, by
#   python3 ../../tests/testthat/language-model.py /dev/null 8089 &
#   Rscript -e 'library(judicious); source("transcript.R")' -e \
#     'store_transcript("grade-answers", make_transcript("grade-answers.R", messages = TRUE))'
answers <- data.frame(
  system = rep(c("north", "east", "south"), each = 4),
  query = rep(c("capital", "boil", "moon", "leap"), 3),
  question = rep(c("What is the capital city of Australia?", "At which temperature does water boil at sea level?",
                   "Why does the moon always show the same side?", "Which years are leap years?"), 3),
  answer = c("The capital city of Australia is Canberra.", "At sea level, water boils at 100 degrees: this temperature
             falls with height.", "The moon turns once while it goes round: always the same side is in view.",
             "Years that 4 divides, but not 100, unless 400 divides them, are leap years.",
             "The capital is Canberra.", "Water boils when it is hot.", "Tides slowed the moon.", "Every fourth.",
             "Sydney.", "It depends.", "Nobody knows.", "2000 and 2004 were leap years.")
)

x <- read_answers(answers, scale = 0:3)

chat <- ellmer::chat_openai_compatible("http://127.0.0.1:8089/v1", model = "stand-in",
                                       params = ellmer::params(temperature = 0))

cache <- tempfile(fileext = ".jsonl")

x <- grade_documents(x, chat, price = c(input = 0.4, output = 1.6), cache = cache)

head(x$grades[c("query", "grader", "value", "status")])

x <- grade_documents(x, chat, price = c(input = 0.4, output = 1.6), cache = cache)

jsonlite::fromJSON(readLines(cache)[2])[c("query", "grade", "reasoning", "input", "output", "cost")]

rank_systems(x)

away <- ellmer::chat_openai_compatible("https://models.example/v1", model = "large")

tryCatch(grade_documents(x, away), judicious_error_consent = function(cnd) cat(conditionMessage(cnd)))
