# The answers of the crowd of 2010 in the format of this package, and the published lists. A new batch begins where
# creation times are more than ten minutes apart. Blank answers are NA.
crowd_2010 <- function() {
  path <- skip_without_data("crowd-preferences-2010")
  raw <- utils::read.csv(file.path(path, "judgments.csv"), encoding = "latin1", stringsAsFactors = FALSE)
  months <- match(substr(raw$CreationTime, 5, 7), month.abb)
  created <- as.POSIXct(paste0("2010-", months, substr(raw$CreationTime, 8, 19)), format = "%Y-%m %d %H:%M:%S",
                        tz = "GMT")
  times <- sort(unique(created))
  batch <- cumsum(c(TRUE, diff(as.numeric(times)) > 600))
  answers <- data.frame(
    query = raw$Input.query, doc_a = raw$Input.docA, doc_b = raw$Input.docB, worker = raw$WorkerId,
    answer = c(a = "a", b = "b", s = "equal")[raw$Answer.radio], seconds = raw$WorkTimeInSeconds,
    iteration = batch[match(created, times)], background = raw$Answer.bground, stringsAsFactors = FALSE
  )
  truth <- utils::read.table(file.path(path, "MTurk.qrel"), col.names = c("source", "query", "doc", "group"),
                             stringsAsFactors = FALSE)
  list(answers = answers, truth = ordered_list(truth))
}

# The groups of a query's list, each as a sorted set of documents, so that lists can be compared regardless of the order
# within groups.
group_sets <- function(list, query) {
  own <- as.data.frame(list)[list$query == query, ]
  unname(lapply(split(own$doc, own$group), sort))
}

# The answers of `n` workers to a batch of pairs. All prefer the document with the lower latent value.
sure_answers <- function(pairs, latent, n = 10) {
  side <- sign(latent[pairs$doc_a] - latent[pairs$doc_b])
  row <- rep(seq_len(nrow(pairs)), each = n)
  data.frame(pairs[row, c("query", "doc_a", "doc_b")], worker = rep(seq_len(n), nrow(pairs)),
             answer = c("a", "equal", "b")[side[row] + 2], stringsAsFactors = FALSE, row.names = NULL)
}

run_sure <- function(session, latent, n = 10) {
  while (nrow(pairs <- next_pairs(session)) > 0) session <- add_answers(session, sure_answers(pairs, latent, n))
  session
}
