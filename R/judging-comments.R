# Comments and flags that assessors leave on documents. They are events in the log: the last comment and the last flag
# of an assessor on a document are the current ones.

add_note <- function(s, query, doc, comment, flag, assessor) {
  e <- s$env
  ids <- pair_ids(e$x, session_pairs(e, query, doc))
  before <- notes_of(s, assessor)
  before <- before[before$query == ids$query & before$doc == ids$doc, ]
  store_exclusive(e$store, {
    if (!identical(comment, c(before$comment, "")[1])) {
      add_events(e, "comment", assessor, ids$query, ids$doc, detail = comment)
    }
    if (flag != c(before$flag, FALSE)[1]) {
      add_events(e, if (flag) "flag" else "unflag", assessor, ids$query, ids$doc)
    }
  })
  invisible(s)
}

# One row for each document and assessor with a comment or a flag: `query`, `doc`, `assessor`, `comment` ("" for none),
# `flag` and `time`, latest last.
notes_of <- function(s, assessor = NULL) {
  where <- c(list(kind = note_events), if (!is.null(assessor)) list(assessor = assessor))
  events <- store_rows(s$env$store, "event", where)
  key <- text_key(events$query, events$doc, events$assessor)
  last <- function(kinds) {
    of_kind <- which(events$kind %in% kinds)
    of_kind[!duplicated(key[of_kind], fromLast = TRUE)]
  }
  notes <- events[!duplicated(key, fromLast = TRUE), c("query", "doc", "assessor", "time")]
  key_of <- text_key(notes$query, notes$doc, notes$assessor)
  said <- last("comment")
  marked <- last(c("flag", "unflag"))
  comments <- events$detail[said][match(key_of, key[said])]
  notes$comment <- ifelse(is.na(comments), "", comments)
  notes$flag <- (events$kind[marked] == "flag")[match(key_of, key[marked])] %in% TRUE
  notes$time <- utc_time(notes$time)
  without_row_names(notes[nzchar(notes$comment) | notes$flag, ])
}
