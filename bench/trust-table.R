# The table of trust in vignettes/articles/paper.Rmd: judging sessions with joint gains, compared with the published
# method, on each whole collection of JUDICIOUS_DATA. The prior is learned from the other collections only. Figures are
# means over budgets and seeds. Coverage is that of 95% intervals of differences between systems and of systems.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-table.R [store=folder] [budgets=50,100,200,400] [seeds=4]
#
# replaces the table in the article, between the two comments that name this script, and the sentence below it that
# names the collection and the number of judgments with the lowest coverage. With a store, an interrupted run continues
# (bench/trust.R).
source("bench/trust.R")

trust_names <- c("mirex-ams-2011" = "MIREX 2011", "clef-ehealth-2015" = "CLEF eHealth 2015",
                 "trec-dl-2019" = "TREC DL 2019", "trec-dl-2020" = "TREC DL 2020",
                 "trec-dl-2022-silver" = "TREC DL 2022, silver labels")
trust_methods <- c("joint", "published MTC")
# Columns of the results of trust.R, named as in the glossary.
trust_figures <- c(confidence = "stated", accuracy = "right", z2 = "z2",
                   "coverage: differences" = "coverage_differences", systems = "coverage")

# Markdown: one row per collection, with the methods side by side.
trust_table <- function(results) {
  means <- stats::aggregate(results[unname(trust_figures)], results[c("method", "collection")], mean)
  cells <- function(method) {
    part <- means[means$method == method, ]
    part <- part[match(names(trust_names), part$collection), trust_figures]
    Map(function(values, digits) sub("^0[.]", ".", sprintf("%.*f", digits, values)), part, c(3, 3, 1, 3, 3))
  }
  columns <- c(list(unname(trust_names)), unlist(lapply(trust_methods, cells), recursive = FALSE))
  c(paste0("| collection | ", paste(names(trust_figures), collapse = " | "), " | published: ",
           paste(names(trust_figures), collapse = " | "), " |"),
    paste0(strrep("|---", length(columns)), "|"),
    paste0("| ", do.call(paste, c(unname(columns), sep = " | ")), " |"))
}

# The sentence of the article about the worst case: the collection and budget with the lowest coverage of the intervals
# of differences.
failure_sentence <- function(results) {
  joint <- results[results$method == "joint", ]
  means <- stats::aggregate(joint[c("z2", "coverage_differences")], joint[c("budget", "collection")], mean)
  worst <- means[which.min(means$coverage_differences), ]
  said <- "**Where joint gains fail:** on %s, z2 is %.1f after %d judgments, and the intervals of differences cover %s."
  sprintf(said, sub(",.*", "", trust_names[[worst$collection]]), worst$z2, worst$budget,
          sub("^0", "", sprintf("%.3f", worst$coverage_differences)))
}

replace_sentence <- function(file, sentence) {
  text <- readLines(file)
  at <- grep("^[*]{2}Where joint gains fail:", text)
  if (length(at) != 1) stop(file, " must have one line that says where joint gains fail.")
  writeLines(replace(text, at, sentence), file)
}

# Replaces the lines between the comments of a file that name this script.
replace_marked <- function(file, lines) {
  text <- readLines(file)
  marks <- grep("^<!-- (table|end) of bench/trust-table.R -->$", text)
  if (length(marks) != 2) stop(file, " must have one pair of comments around the table.")
  writeLines(c(text[seq_len(marks[1])], lines, text[marks[2]:length(text)]), file)
}

if (sys.nframe() == 0) {
  results <- main(c(paste0("methods=", toString(trust_methods)), paste0("collections=", toString(names(trust_names))),
                    "budgets=50,100,200,400", "seeds=4", commandArgs(TRUE)))
  replace_marked("vignettes/articles/paper.Rmd", trust_table(results))
  replace_sentence("vignettes/articles/paper.Rmd", failure_sentence(results))
}
