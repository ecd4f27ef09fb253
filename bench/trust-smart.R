# Does confidence hold where documents are retrieved by their words for written queries with judgments of relevance?
# Makes collections from the test collections of the SMART system, from which nothing of the package was learned:
# Cranfield (relevance from 0 to 4), CACM and CISI. The systems are those that bench/trust-elsewhere.R makes of texts;
# documents that nobody judged are not relevant. Measures confidence as bench/trust-families.R does, with the built-in
# prior.
#
#   Rscript bench/trust-smart.R smart=<folder> [collections=cran,cacm,cisi] [measures=AG,P,nDCG,AP,RR]
#     [budgets=0,5,10,20,50,100,200,400] [seeds=4] [mode=random|session] [draws=300] [out=file.csv]
#
# The folder has a folder for each collection, with its documents (all), queries (qry) and judgments (rel), as the many
# copies of these files have them: cran.all.1400, cran.qry and cranqrel; cacm.all, query.text and qrels.text; CISI.ALL,
# CISI.QRY and CISI.REL.
source("bench/trust-elsewhere.R")

# The numbers and the texts (fields .T and .W) of the documents or queries of a file.
read_smart <- function(file) {
  lines <- iconv(readLines(file, warn = FALSE), "latin1", "UTF-8", sub = " ")
  is_mark <- grepl("^\\.[A-Z]( |$)", lines)
  item <- cumsum(grepl("^\\.I ", lines))
  field <- substr(lines, 2, 2)[which(is_mark)][cumsum(is_mark)]
  is_text <- !is_mark & field %in% c("T", "W")
  text <- tapply(lines[is_text], factor(item[is_text], seq_len(max(item))), paste, collapse = " ")
  list(number = as.integer(sub("^\\.I +", "", grep("^\\.I ", lines, value = TRUE))),
       text = ifelse(is.na(text), "", tolower(text)))
}

# Query, document and gain. Cranfield numbers its queries in their order in the file, and 1 is its highest relevance.
read_relevance <- function(file, name) {
  fields <- strsplit(trimws(readLines(file, warn = FALSE)), "[ \t]+")
  number <- function(at) as.integer(vapply(fields, `[`, "", at))
  truth <- data.frame(query = number(1), doc = number(2), gain = if (name == "cran") 5 - number(3) else 1)
  truth <- truth[truth$gain %in% 1:4, ]
  truth[!duplicated(truth[c("query", "doc")]), ]
}

# At most 60 of the queries that have a relevant document; the documents relevant to them and others, `n` or more.
case_of_smart <- function(folder, name, n = 1200) {
  documents <- read_smart(file.path(folder, name, "all"))
  queries <- read_smart(file.path(folder, name, "qry"))
  if (name == "cran") queries$number <- seq_along(queries$number)
  truth <- read_relevance(file.path(folder, name, "rel"), name)
  set.seed(1)
  answered <- intersect(queries$number, truth$query)
  some <- sort(answered[sample.int(length(answered), min(60, length(answered)))])
  truth <- truth[truth$query %in% some & truth$doc %in% documents$number, ]
  is_kept <- documents$number %in% c(truth$doc, documents$number[sample.int(length(documents$number), n)])
  documents <- lapply(documents, `[`, is_kept)
  words <- strsplit(gsub("[^a-z]+", " ", c(queries$text[match(some, queries$number)], documents$text)), " +")
  text <- factor(rep(seq_along(words), lengths(words)), seq_along(words))
  counts <- unclass(table(text, unlist(words)))
  gains <- matrix(0, length(some), length(documents$number), dimnames = list(some, documents$number))
  gains[cbind(match(truth$query, some), match(truth$doc, documents$number))] <- truth$gain
  scores <- text_models(counts, seq_along(some), substr(colnames(counts), 1, 5))
  scores <- lapply(scores, function(score) score[, -seq_along(some)])
  case_of_scores(scores, gains, 10, if (name == "cran") 0:4 else 0:1)
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(
    smart = "", collections = c("cran", "cacm", "cisi"), measures = c("AG", "P", "nDCG", "AP", "RR"),
    budgets = c(0, 5, 10, 20, 50, 100, 200, 400), seeds = 4L, mode = "random", draws = 300L, out = ""
  ))
  results <- do.call(rbind, lapply(given$collections, function(name) {
    case <- c(case_of_smart(given$smart, name), list(name = name))
    runs <- expand.grid(seed = seq_len(given$seeds), measure = given$measures, stringsAsFactors = FALSE)
    do.call(rbind, Map(function(measure, seed) {
      run_measure(case, gain_prior(), measure, given$mode, seed, given$budgets, given$draws)
    }, runs$measure, runs$seed))
  }))
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  results$over <- results$stated - results$right
  figures <- c("over", "right", "log_score", "z2", "coverage")
  each <- stats::aggregate(results[figures], results[c("collection", "measure", "budget")], mean)
  show("By collection", each)
  show("Means over collections", stats::aggregate(each[figures], each[c("measure", "budget")], mean))
}
