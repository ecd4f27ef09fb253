# Names of columns in the headers of files, and the package's names for them.

# Accepted names in a header, in lower case and with "_" for other marks, by the name that the package uses.
field_names <- list(
  system = c("system", "run", "runid", "run_id", "run_name", "tag", "run_tag"),
  team = c("team", "group"),
  query = c("query", "topic", "qid", "query_id", "queryid", "topic_id", "topicid", "query_text"),
  iteration = c("iteration", "iter", "q0"),
  doc = c("doc", "document", "docno", "docid", "doc_id", "document_id", "corpus_id", "pid", "passage_id"),
  rank = c("rank", "position", "doc_position"),
  score = c("score", "sim", "similarity"),
  subtopic = c("subtopic", "nugget"),
  gain = c("gain", "grade", "rel", "relevance", "judgment", "judgement", "label", "rating")
)

# Names that runs and judgments of recommenders and search engines use for these columns. They count only if no other
# column has one of the names above.
weaker_names <- list(
  system = c("model", "model_name", "algorithm", "algo", "recommender", "submission", "engine", "method",
             "retriever"),
  query = c("user", "user_id", "userid", "uid", "q", "search_term"),
  doc = c("item", "item_id", "itemid", "iid", "movie_id", "movieid", "product_id", "candidate", "candidate_id",
          "track_id", "song_id", "url"),
  score = c("prediction", "predicted_rating", "est", "_score", "_rankingscore", "@search_score", "text_match")
)

# RecBole writes the types of columns behind their names, as in "user_id:token".
header_words <- function(names) gsub("[-. ]+", "_", sub(":(token|float)(_seq)?$", "", lower_ascii(names)))

are_known_names <- function(names) header_words(names) %in% unlist(field_names)

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

# A vector of the package's names of columns, named by the words that a header may use for them. Which words these are
# depends on the other `words` of the header. In files of judgments, a column "grade" does not hold gains. In files of
# judgments and grades, "score" holds gains, as in BEIR, unless there are columns of gains, systems or ranks.
known_names <- function(words, what) {
  synonyms <- stats::setNames(rep(names(field_names), lengths(field_names)), unlist(field_names))
  if (what == "judgments") synonyms <- synonyms[names(synonyms) != "grade"]
  for (name in if (what %in% c("runs", "judgments", "grades")) names(weaker_names)) {
    if (!any(synonyms[words] %in% name)) synonyms[weaker_names[[name]]] <- name
  }
  of_gains <- what %in% c("judgments", "grades")
  if (of_gains && !any(synonyms[words] %in% c("gain", "system", "rank"))) synonyms["score"] <- "gain"
  synonyms
}

# Whether a line is a header: it has at least two known names, and no numbers. A line of a TREC run has numbers,
# although its Q0 is also a known name.
looks_like_header <- function(fields) {
  recognised <- are_known_names(fields) | header_words(fields) %in% unlist(weaker_names[c("query", "doc")])
  sum(recognised) >= 2 && !has_number(fields)
}

has_number <- function(fields) any(grepl("^[-+]?[0-9.]+$", fields))
