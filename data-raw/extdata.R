# Creates inst/extdata/demo: a small collection in files, for the examples of the command line.
# Run from the package's folder, with the package installed: Rscript data-raw/extdata.R
library(judicious)

x <- simulate_collection(queries = 20, documents = 300, artists = 40, systems = 6, seed = 20)
folder <- "inst/extdata/demo"
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
write <- function(data, file, header = TRUE) {
  path <- file.path(folder, file)
  utils::write.table(data, path, sep = "\t", quote = FALSE, row.names = FALSE, col.names = header, na = "")
}

runs <- as.data.frame(x)
runs <- runs[order(match(runs$system, x$systems$system), match(runs$query, x$queries$query), runs$rank), ]
write(runs[c("system", "query", "doc", "rank")], "runs.tsv")
# Queries are pieces of music, too: their genre is in the table of documents.
queries <- data.frame(doc = x$queries$query, artist = NA, genre = x$queries$genre)
write(rbind(x$documents, queries), "documents.tsv")
write(x$systems, "systems.tsv")
judgments <- judgments_of(x)
write(judgments, "judgments.tsv")
write(judgments[seq(1, nrow(judgments), by = 10), ], "some.tsv")
# The same for trec_eval: a document with a gain of at least 50 is relevant.
first <- runs[runs$system == runs$system[1], ]
write(data.frame(first$query, "Q0", first$doc, first$rank, 6 - first$rank, first$system), "trec.run", FALSE)
write(data.frame(judgments$query, 0, judgments$doc, as.integer(judgments$gain >= 50)), "qrels.txt", FALSE)
