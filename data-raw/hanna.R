# Creates data/hanna.rda: ratings of stories by three people each, with the grades of language models and metrics.
# Run from the package's folder, with JUDICIOUS_DATA set: Rscript data-raw/hanna.R
folder <- file.path(Sys.getenv("JUDICIOUS_DATA"), "hanna")
read <- function(name) utils::read.delim(gzfile(file.path(folder, paste0(name, ".tsv.gz"))), stringsAsFactors = FALSE)

stories <- merge(read("runs")[c("system", "query", "doc")], read("teams"))
for (grader in c("chatgpt", "beluga13b", "llama13b", "mistral7b", "bertscore", "length")) {
  grades <- read(paste0("opinion-", grader))
  stories[[grader]] <- grades$grade[match(paste(stories$query, stories$doc), paste(grades$query, grades$doc))]
}
ratings <- read("assessors")
# The mean of a person's ratings of a story by six criteria from 1 to 5; the file has 3 times their sum less 6.
ratings$rating <- 1 + ratings$gain / 18
hanna <- merge(ratings[c("query", "doc", "assessor", "rating")], stories)
number <- function(query) as.integer(sub("p", "", query))
hanna <- hanna[order(number(hanna$query), hanna$system, hanna$assessor),
               c("system", "team", "query", "assessor", "rating", "chatgpt", "beluga13b", "llama13b", "mistral7b",
                 "bertscore", "length")]
row.names(hanna) <- NULL
hanna[c("system", "team", "query", "assessor")] <- lapply(hanna[c("system", "team", "query", "assessor")], as.character)
stopifnot(nrow(hanna) == 11 * 96 * 3)
save(hanna, file = "data/hanna.rda", compress = "xz", version = 2)
