# Compares the measures of ir_measures, cwl_eval and ranx with slow references, in random lists with equal scores, gaps
# in the ranks, negative and fractional grades, repeated judgments, and missing and additional queries. A test does the
# same for a few lists.
#
#   Rscript bench/measures.R [lists]
suppressMessages(library(judicious))
source("bench/common.R")
source("tests/testthat/reference/trec-reference.R")
source("tests/testthat/reference/measure-reference.R")

# Each case has ten lists: two systems, five queries.
main <- function(arguments) {
  lists <- given_arguments(arguments, list(lists = 10000))$lists
  set.seed(19)
  one <- function(i) measure_differences(random_measure_case())
  differences <- do.call(rbind, lapply(seq_len(ceiling(lists / 10)), one))
  by_measure <- split(differences$difference, differences$measure)
  table <- data.frame(measure = names(by_measure), values = lengths(by_measure),
                      unequal = vapply(by_measure, function(d) sum(!(d < 1e-12)), 0),
                      largest = vapply(by_measure, max, 0))
  show("Values that differ from the references by 1e-12 or more", table)
  cat(sum(table$unequal), "of", sum(table$values), "values are unequal\n")
}
if (sys.nframe() == 0) main(commandArgs(TRUE))
