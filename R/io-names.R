# Names of columns in the headers of files, and the package's names for them.

# The known names of columns, in lower case and with "_" for other marks, by the name that the package uses: those of
# all files ("all"); those of recommenders and search engines, which count only if no other column has one of the former
# ("weaker"); or those of documents and topics ("texts"). The table is read only once.
field_names <- local({
  cached <- NULL
  function(use = "all") {
    if (is.null(cached)) {
      known <- utils::read.csv(system.file("extdata", "file-columns.csv", package = "judicious", mustWork = TRUE))
      by_use <- split(known, known$use)
      cached <<- lapply(by_use, function(rows) split(rows$name, factor(rows$column, unique(rows$column))))
    }
    cached[[use]]
  }
})

# RecBole writes the types of columns behind their names, as in "user_id:token".
header_words <- function(names) gsub("[-. ]+", "_", sub(":(token|float)(_seq)?$", "", lower_ascii(names)))

are_known_names <- function(names) header_words(names) %in% unlist(field_names())

# Replaces the names in a header by the package's names. `what`: the kind of file.
standard_names <- function(names, what = "") {
  words <- header_words(names)
  recognised <- known_names(words, what)
  # PyTerrier writes additional columns beside the identifiers: `query`, the text of the query, and `docid`, an internal
  # number of the document.
  if (sum(recognised[words] %in% "query") == 2 && any(words %in% c("qid", "query_id", "topic_id"))) {
    recognised[c("query", "query_text")] <- "query_text"
  }
  if (all(c("docno", "docid") %in% words)) recognised["docid"] <- "docid"
  standard <- recognised[words]
  ifelse(is.na(standard), names, standard)
}

# Gives the columns of a data frame the names that they would have in a file, if columns that are `needed` are missing
# otherwise.
with_known_names <- function(x, what, needed) {
  if (!is.data.frame(x) || all(needed %in% names(x))) return(x)
  standard <- standard_names(names(x), what)
  if (all(needed %in% standard) && !anyDuplicated(standard)) names(x) <- standard
  x
}

# A vector of the package's names of columns, named by the words that a header may use for them. Which words these are
# depends on the other `words` of the header. In files of judgments, a column "grade" does not hold gains. In files of
# judgments and grades, "score" holds gains, as in BEIR, unless there are columns of gains, systems or ranks.
known_names <- function(words, what) {
  synonyms <- stats::setNames(rep(names(field_names()), lengths(field_names())), unlist(field_names()))
  if (what == "judgments") synonyms <- synonyms[names(synonyms) != "grade"]
  weaker <- if (what %in% c("runs", "judgments", "grades")) field_names("weaker")
  for (name in names(weaker)) {
    if (!any(synonyms[words] %in% name)) synonyms[weaker[[name]]] <- name
  }
  of_gains <- what %in% c("judgments", "grades")
  if (of_gains && !any(synonyms[words] %in% c("gain", "system", "rank"))) synonyms["score"] <- "gain"
  synonyms
}

# Whether a line is a header: it has at least two known names, and no numbers. A line of a TREC run has numbers,
# although its Q0 is also a known name.
looks_like_header <- function(fields) {
  recognised <- are_known_names(fields) | header_words(fields) %in% unlist(field_names("weaker")[c("query", "doc")])
  sum(recognised) >= 2 && !has_number(fields)
}

has_number <- function(fields) any(grepl("^[-+]?[0-9.]+$", fields))
