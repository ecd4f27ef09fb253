# Computes the agreement of workers in Table 2 of Urbano et al. (2010) under several rules for blank answers, and the
# points that a rule would have to add to give the published number. Prints one row per iteration with a blank answer.
# From the package's folder, with JUDICIOUS_DATA set:
#
#   Rscript vignettes/articles/blanks.R
suppressMessages(library(judicious))
source("vignettes/articles/reproduce/load.R")
scripts <- load_reproduction("vignettes/articles/reproduce")

# The points of all pairs of answers: 2 if both answers are the same, 1 if one of them is "equal" and the other is not.
# The maximum is 90 for ten answers.
points <- function(answers) {
  n <- table(factor(answers, c("a", "equal", "b")))
  sum(n * (n - 1)) + n[["equal"]] * (n[["a"]] + n[["b"]])
}

blank_rules <- function(answers, published) {
  pair <- paste(answers$query, answers$doc_a, answers$doc_b)
  by_pair <- split(answers$answer, pair)
  blank <- by_pair[vapply(by_pair, anyNA, NA)]
  known <- lapply(blank, function(one) one[!is.na(one)])
  others <- sum(vapply(by_pair[setdiff(names(by_pair), names(blank))], points, 0))
  all <- 90 * length(by_pair)
  alone <- vapply(known, points, 0)
  with <- function(answer) (others + sum(vapply(known, function(one) points(c(one, answer)), 0))) / all
  size <- lengths(known)
  # Points that all blanks of the iteration together would have to add.
  needed <- (published + c(-0.0005, 0.0005)) * all - others - sum(alone)
  data.frame(
    published = published, "left out" = (others + sum(90 * alone / (size * (size - 1)))) / all,
    "no points" = (others + sum(alone)) / all, "1 point each" = (others + sum(alone + size)) / all,
    "2 points each" = (others + sum(alone + 2 * size)) / all, equal = with("equal"), A = with("a"), B = with("b"),
    "needed from" = needed[1], "needed to" = needed[2], "whole number" = floor(needed[2]) >= ceiling(needed[1]),
    check.names = FALSE
  )
}

answers <- scripts$public_crowd(list2env(list(data = Sys.getenv("JUDICIOUS_DATA"), kept = list())))$answers
published <- scripts$published_numbers("preferences")
published <- published[published$item == "table2" & published$quantity == "agreement", ]
iterations <- sort(unique(answers$iteration[is.na(answers$answer)]))
rows <- lapply(iterations, function(i) {
  cbind(iteration = i, blank_rules(answers[answers$iteration == i, ], published$published[published$row == i]))
})
print(do.call(rbind, rows), digits = 4, row.names = FALSE)
