# Texts by which other people could inject code or markup into an output, and an expectation that an output is free of
# control characters.

# Identifiers, in which control characters such as escape are not allowed.
hostile_ids <- c(
  "=cmd|' /C calc'!A0", "+1+1", "a\u202eb", "<img src=x onerror=window.hacked=1>", "-2", "@SUM(1)",
  "'=quoted", "\"quoted\"", "```", "{code}", "`r stop('run')`", "</script><script>window.hacked=1</script>",
  "![x](secret.txt)", "$\\input{secret}$", "\\input{secret.tex}", "&amp;", "%s{x}", "{.run stop()}"
)

# Texts of documents and queries, which may also have control characters.
hostile_texts <- c(hostile_ids, "\033]52;c;AAAA\a", "\033[2J", "a\n```\n![x](secret.txt)\n", "\u009b2J",
                   strrep("x", 1e6))

# A collection whose systems, queries, documents, teams, and columns of all three have hostile names, and whose
# documents and queries have hostile texts.
hostile_collection <- function(ids = hostile_ids, texts = NULL) {
  n <- length(ids)
  runs <- expand.grid(rank = 1:3, system = ids[seq_len(min(n, 6))], query = ids[seq_len(min(n, 4))],
                      stringsAsFactors = FALSE)
  runs$doc <- ids[(runs$rank * 3 + match(runs$system, ids) * 2 + match(runs$query, ids)) %% n + 1]
  runs <- runs[!duplicated(runs[c("system", "query", "doc")]), c("system", "query", "doc", "rank")]
  pairs <- unique(runs[c("query", "doc")])
  pairs$gain <- seq_len(nrow(pairs)) %% 2
  documents <- queries <- NULL
  if (!is.null(texts)) {
    queries <- data.frame(query = unique(runs$query), text = texts[(seq_along(unique(runs$query)) * 7) %% length(texts) + 1],
                          "=cmd<b>`" = rep_len(c("<i>&", "=de"), length(unique(runs$query))), check.names = FALSE)
    docs <- unique(runs$doc)
    documents <- data.frame(doc = docs, text = rep_len(texts, length(docs)), genre = rep_len(ids, length(docs)),
                            "+x,\"<b>" = rep_len(rev(texts[nchar(texts) < 100]), length(docs)), check.names = FALSE)
  }
  suppressWarnings(test_collection(runs, documents, queries = queries, k = 3, scale = 0:1, judgments = pairs))
}

# Expects no character that controls a terminal, except line ends and tabs. `own`: a pattern of the sequences that the
# program itself may write. `of`: the output's name in a failure.
expect_no_controls <- function(lines, own = "^$", of = "") {
  lines <- gsub(own, "", paste(lines, collapse = "\n"), perl = TRUE)
  found <- regmatches(lines, gregexpr("[\u0001-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]", lines))[[1]]
  testthat::expect_identical(found, character(), label = paste("control characters of", of))
}
