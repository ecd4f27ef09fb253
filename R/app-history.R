# The list of an assessor's own judgments, from which they can be changed.

# Judgments and skips that were not undone, latest first, with `id`, which is that of the task.
gains_history <- function(s, assessor) {
  store <- s$env$store
  slots <- store_rows(store, "slot", list(assessor = assessor, state = c("judged", "skipped")))
  slots <- pick_rows(slots, slots$copy > 0)
  events <- store_rows(store, "event", list(id = sort(slots$event, decreasing = TRUE)))
  events <- events[order(events$id, decreasing = TRUE), ]
  notes <- notes_of(s, assessor)
  note <- match(text_key(events$query, events$doc), text_key(notes$query, notes$doc))
  events$comment <- notes$comment[note]
  events$flag <- notes$flag[note] %in% TRUE
  events$task <- gains_task_id(rep(assessor, nrow(events)), events$query, events$doc)
  events
}

# The same for preferences: the latest answer to each pair.
preference_history <- function(given, assessor) {
  mine <- given[given$worker == assessor, , drop = FALSE]
  mine$task <- pair_task(mine$query, mine$doc_a, mine$doc_b)
  mine[rev(seq_len(nrow(mine))), ]
}

# `what` describes the item, `answer` the answer; the button sends `task`. Lists are limited to `most` rows.
history_list <- function(task, what, answer, time, note, most = 200) {
  tags <- htmltools::tags
  if (!length(task)) return(tags$p("You have not judged anything yet."))
  shown <- seq_len(min(most, length(task)))
  rows <- lapply(shown, function(i) {
    tags$li(tags$span(class = "past-what", what[i]),
            tags$span(class = "past-answer", answer[i], tags$time(datetime = utc_text(time[i]), class = "past-time")),
            if (nzchar(note[i])) tags$span(class = "past-note", note[i]),
            tags$button(type = "button", class = "tool", `data-action` = "revise", `data-value` = task[i], "Change",
                        tags$span(class = "visually-hidden", what[i])))
  })
  htmltools::tagList(
    if (length(task) > most) tags$p(class = "help", paste("The last", most, "of", format_count(length(task)))),
    tags$ol(class = "past", rows))
}

note_text <- function(comment, flag) {
  comment <- ifelse(is.na(comment), "", comment)
  paste0(ifelse(flag, "\u2691 ", ""), comment)
}

# The name of a document in lists: its title if the table has one, otherwise its identifier, or the beginning of its
# text if identifiers are hidden.
item_name <- function(content, query, doc) {
  source <- if (is.null(doc)) content$queries else content$documents
  row <- if (is.data.frame(source)) source_row(source, query, doc)
  title <- row$title %||% NA
  if (!is.na(title)) return(title)
  if (content$ids) return(doc %||% query)
  text <- row$text %||% NA
  if (is.na(text)) if (is.null(doc)) "Query" else "Document" else strtrim(text, 80)
}

item_names <- function(content, query, doc = NULL) {
  vapply(seq_along(query), function(i) item_name(content, query[i], doc[i]), "")
}
