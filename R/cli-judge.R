# The command `judicious judge`, which runs a session on the terminal, from a file, or in the browser. `o`: the values
# of the options, as cli_parse() returns them.

# Whether to serve the session as a web page, for assessors or for their lead.
cli_wants_page <- function(o) any(c("browser", "lead") %in% o$given)

# Raises an error if the options state more than one task, before the session is opened or created.
cli_check_task <- function(o) {
  check_usage(!is.null(o$store), "--store is missing: the file of the session.")
  tasks <- intersect(c("from", "gold", "browser", "lead", "progress", "add-assessor", "add-lead", "suspend"), o$given)
  if (length(tasks) > 1) abort_usage("--{tasks[1]} and --{tasks[2]} cannot be used together.")
  if (!cli_wants_page(o)) {
    cli_refuse(o, c("tokens", "guidelines", "render", "media", "host", "port", "site", "proxy", "log"),
               "only available with --browser or --lead")
  }
}

cli_judge <- function(o) {
  cli_check_task(o)
  gold <- o$gold
  o$gold <- NULL
  s <- cli_session(o)
  on.exit(close_session(s))
  cli_add(s, o)
  roles <- list(add_assessor = "assessor", add_lead = "lead", suspend = "suspended")
  for (option in names(roles)) if (!is.null(o[[option]])) {
    tokens <- vapply(o[[option]], function(name) add_assessor(s, name, roles[[option]]), "")
    return(data.frame(assessor = o[[option]], token = unname(tokens)))
  }
  # If the options state no other task, the command asks for judgments on the terminal.
  if (cli_wants_page(o)) {
    serve_page(s, o)
  } else if (!is.null(o$from)) {
    # --columns may also name columns of RUNS that sheets of ratings do not have; these are left out.
    columns <- cli_columns_of(o)
    columns <- columns[!names(columns) %in% c("grades", "context", "team", "gold")]
    judgments <- if (cli_has_answers(o, o$from)) ratings_in_sheet(s$engine$x, o$from, columns, "--from") else
      cli_judgments(o, "from")
    judge_from_file(s, judgments, o$as, o$from)
  } else if (!is.null(gold)) {
    right <- gold_source(gold, character())$table
    check_that(!is.null(right), "gold", "{.file {gold}} is no file of right answers.", kind = "file", call = NULL)
    judge(s, query = right$query, gold = right$gold, assessor = o$as)
  } else if (!o$progress && is.null(o$export)) {
    input <- file("stdin", "r")
    on.exit(close(input), add = TRUE)
    judge_on_terminal(s, o, terminal_answers(input))
  }
  if (!is.null(o$export)) {
    ending <- lower_ascii(sub(".*\\.", "", basename(o$export)))
    export_judgments(s, o$export, if (ending %in% c("csv", "parquet")) ending else "qrels")
  }
  cli_progress(s)
}

serve_page <- function(s, o) {
  need_package("shiny", "The page", call = NULL)
  app <- if (o$lead) {
    judge_app(s, view = "lead", tokens = o$tokens, hosts = o$site, proxy = o$proxy, log = o$log)
  } else {
    guidelines <- if (!is.null(o$guidelines)) paste(readLines(o$guidelines, warn = FALSE), collapse = "\n")
    judge_app(s, documents = o$show, render = if (o$render != "text") o$render, guidelines = guidelines,
              tokens = o$tokens, media = o$media, hosts = o$site, proxy = o$proxy, log = o$log)
  }
  # Messages on the page must not name options of the command line, so this option is unset while the page runs.
  before <- options(judicious.shell = NULL)
  on.exit(options(before))
  # Users end the server with Ctrl-C, so an interrupt is not an error.
  tryCatch(shiny::runApp(app, port = o$port, host = o$host, launch.browser = o$host == "127.0.0.1", quiet = o$quiet),
           interrupt = function(cnd) NULL)
}

# Opens an existing session, or creates one from the runs.
cli_session <- function(o) {
  store <- cli_store(o$store)
  # A file that exists but is not a session raises an error.
  s <- if (!is.character(store)) tryCatch(open_session(store), judicious_error_not_a_session = function(cnd) NULL) else
    if (file.exists(store)) open_session(store)
  if (!is.null(s)) {
    tryCatch(cli_refuse_new(o), error = function(cnd) {
      close_session(s)
      rlang::cnd_signal(cnd)
    })
    return(s)
  }
  check_usage(length(o$operands), "There is no session {o$store}; give RUNS to begin one.")
  cli_check_selection(o)
  judgments <- cli_judgments(o)
  x <- cli_measured_collection(o, judgments = NULL, scale_judgments = judgments)
  if ("gold" %in% o$given || o$questions) x$scale <- cli_gold_scale(x$scale, o$questions)
  goal <- cli_goal(o)
  if (!is.null(o$budget)) goal <- goal | goal_budget(o$budget)
  judging_session(x, goal, cli_session_model(x, o), judgments = judgments, strategy = cli_strategy(o),
                  store = store, audit = o$audit, overlap = o$overlap,
                  batch = if (o$questions) Inf else o$batch,
                  cost = judging_cost(new_query = o$new_query), seed = o$seed,
                  grades = cli_grades(o), same_query = o$same_query || o$questions, assessor = o$assessor)
}

# If judgments follow from right answers, gains are 0 or 1, unless other levels are known.
cli_gold_scale <- function(scale, questions) {
  if (is_share_scale(scale)) return(gain_scale(0:1))
  if (questions && length(scale$levels) > 2)
    inform_judicious("Gains have more than two levels: the page asks for the gain of each answer.", "progress")
  scale
}

# Adds to the session the runs of new systems and of new queries.
cli_add <- function(s, o) {
  if (length(o$add_runs) && cli_has_answers(o, o$add_runs)) add_runs(s, cli_answers(o, o$add_runs))
  else if (length(o$add_runs)) {
    add_runs(s, o$add_runs, o$documents, o$systems, ties = o$ties, duplicates = o$duplicates)
  }
  if (length(o$add_queries)) {
    add_queries(s, o$add_queries, o$queries, o$documents, ties = o$ties, duplicates = o$duplicates)
  }
}

cli_refuse_new <- function(o) {
  if (length(o$operands)) abort_usage("{o$store} is an existing session with its own runs: remove RUNS to continue it.")
  made_with <- c("judgments", "documents", "systems", "queries", "k", "scale", "model", "goal", "confidence",
                 "past", "grades", "delta", "margin", "width", "top", "baseline", "equal", "by", "strategy", "weights",
                 "ties", "duplicates", "tie-break", "new-query", "audit", "overlap", "assessor", "batch",
                 "same-query", "budget", "measure", "seed")
  if (length(o$add_runs) || length(o$add_queries)) {
    made_with <- setdiff(made_with, c("documents", "systems", "queries", "ties", "duplicates"))
  }
  cli_refuse(o, made_with, "part of the session in --store and cannot be changed")
}

# Records the judgments in a file. The assessor is that of the file's column `assessor`, or else the argument
# `assessor`. Judgments that exist with the same gain are skipped, so that a file can be used again.
judge_from_file <- function(s, judgments, assessor, path) {
  name <- as.character(judgments[["assessor"]] %||% rep("", nrow(judgments)))
  judgments$assessor <- ifelse(is.na(name) | !nzchar(name), assessor, name)
  seconds <- judgments[["seconds"]]
  judgments$seconds <- if (is.null(seconds)) NA_real_ else as_numbers(seconds, "seconds", "from")
  judgments$final <- NULL
  judgments <- check_assessors(judgments, s$engine$x$scale, "from")
  recorded <- judgments_of(s)
  key <- function(rows) text_key(rows$query, rows$doc, rows$assessor)
  is_recorded <- (recorded$gain[match(key(judgments), key(recorded))] == judgments$gain) %in% TRUE
  if (any(is_recorded)) {
    inform_judicious("{format_count(sum(is_recorded))} {cli::qty(sum(is_recorded))}judgment{?s} of {.file {path}}
      {cli::qty(sum(is_recorded))}{?is/are} in the session already.", "progress")
  }
  judgments <- judgments[!is_recorded, ]
  # If one judgment fails, none is recorded.
  store_exclusive(s$engine$store, for (one in unique(judgments$assessor)) {
    of_assessor <- judgments[judgments$assessor == one, ]
    judge(s, of_assessor$query, of_assessor$doc, of_assessor$gain, one, of_assessor$seconds)
  })
}

#' Ask for judgments on the terminal
#'
#' @param o Options: `as` (the assessor), `n` (the largest number of documents), `show` (a template of a path or an
#'   address).
#' @param answers A function that returns the next line that the assessor typed, or NULL at the end of the input.
#' @param say A function that prints its arguments as a line.
#' @noRd
judge_on_terminal <- function(s, o, answers, say = say_on_terminal) {
  allowed <- s$engine$x$scale
  say("Gains are ", scale_on_terminal(allowed), ". Answer with a gain, s [reason] to skip, u to undo, p for progress, ",
      "q to stop.")
  n_judged <- 0
  while (is.null(o$n) || n_judged < o$n) {
    figures <- progress(s)
    pair <- if (!figures$goal$reached) next_documents(s, 1, o$as)
    if (!NROW(pair)) {
      why <- why_stopped(figures$goal, figures$confidence, figures$open, figures$skipped) %||% "nothing to judge now"
      say(upper_first(why), if (figures$goal$reached) paste0(": ", figures$goal$label), ".")
      break
    }
    show_document(pair, o$show, s$engine$x, say)
    done <- take_answer(s, pair, o$as, answers, say, figures)
    if (is.null(done)) break
    n_judged <- n_judged + done
  }
  next_documents(s, 0, o$as)
}

scale_on_terminal <- function(scale) paste0(format(scale), if (scale$any_value) ", or any number between them")

show_document <- function(pair, template, x, say) {
  say("")
  say("Query     ", pair$query)
  show_columns(x$queries, "query", pair$query, say)
  say("Document  ", pair$doc)
  show_columns(x$documents, "doc", pair$doc, say)
  if (is.null(template)) return(invisible())
  place <- document_place(template, pair)
  say(if (file.exists(place)) paste(readLines(place, warn = FALSE, encoding = "UTF-8"), collapse = "\n") else place)
}

# Shows the metadata of a query or a document: texts in lines of the terminal's width, other columns with their names.
show_columns <- function(table, id, item, say) {
  shown <- table[match(item, table[[id]]), setdiff(names(table), c(id, "weight")), drop = FALSE]
  for (name in names(shown)[!is.na(shown)]) {
    value <- format(shown[[name]])
    if (!name %in% c("title", "text", topic_parts, "context")) value <- paste0(name, ": ", value)
    lines <- unlist(lapply(strsplit(value, "\n", fixed = TRUE)[[1]], strwrap, 0.9 * getOption("width"), prefix = "  "))
    say(paste(lines, collapse = "\n"))
  }
}

# The URL or the path that a template gives for a document. The identifier is untrusted, so the path must not lead out
# of the template's folder.
document_place <- function(template, pair) {
  if (grepl("^[a-z]+://", template)) return(fill_template(template, pair$query, pair$doc))
  place <- fill_template(template, pair$query, pair$doc, identity)
  upwards <- function(path) sum(strsplit(path, "[/\\\\]")[[1]] == "..")
  is_elsewhere <- function(path) grepl("^([/\\\\~]|[A-Za-z]:)", path)
  leaves <- upwards(place) > upwards(template) || is_elsewhere(place) && !is_elsewhere(template)
  if (leaves) "This document is not shown: its identifier, as a part of a path, leads to another folder." else place
}

# Asks until the answer is valid. Returns 1 after a judgment, 0 after a skip or an undo, NULL to stop.
take_answer <- function(s, pair, assessor, answers, say, figures) {
  shown_at <- Sys.time()
  repeat {
    answer <- answers()
    if (is.null(answer)) return(NULL)
    answer <- trimws(answer)
    word <- lower_ascii(sub("[[:space:]].*", "", answer))
    if (word == "q") return(NULL)
    if (word == "p") {
      for (line in utils::capture.output(print(figures))) say(line)
      next
    }
    done <- tryCatch(
      switch(word, s = skip_shown(s, pair, answer, assessor), u = {
        undo_judgment(s, assessor)
        0
      }, judge_shown(s, pair, answer, assessor, shown_at)),
      judicious_error_gain_outside_scale = function(cnd) paste0("The gain is not on the scale ",
                                                                scale_on_terminal(s$engine$x$scale), "."),
      judicious_error_nothing_to_undo = cli_one_line
    )
    if (is.numeric(done)) return(done)
    say(done)
  }
}

# skip_shown() and judge_shown() carry out an answer. They return the result of take_answer(), or a text that describes
# the error in the answer.
skip_shown <- function(s, pair, answer, assessor) {
  reason <- sub("^[^[:space:]]*[[:space:]]*", "", answer)
  skip_document(s, pair$query, pair$doc, if (nzchar(reason)) reason else NA_character_, assessor)
  0
}

judge_shown <- function(s, pair, answer, assessor, start) {
  gain <- suppressWarnings(as.numeric(answer))
  if (is.na(gain)) return("That is neither a gain nor one of s, u, p, q.")
  seconds <- as.numeric(difftime(Sys.time(), start, units = "secs"))
  judge(s, pair$query, pair$doc, gain, assessor, seconds)
  1
}

# Returns a function that reads the next line from a connection.
terminal_answers <- function(con) {
  function() {
    cat("> ", file = stderr())
    typed <- readLines(con, 1)
    if (length(typed)) return(typed)
    cat("\n", file = stderr())
    NULL
  }
}

say_on_terminal <- function(...) cat(..., "\n", sep = "", file = stderr())

cli_progress <- function(s) {
  p <- progress(s)
  inform_judicious("{goal_text(p$goal)}: {goal_state(p)}.", "progress")
  data.frame(judged = p$judged, skipped = p$skipped, open = p$open, goal = p$goal$label, value = p$goal$value,
             asked = p$goal$asked, reached = p$goal$reached, confidence = p$confidence,
             expected_more = p$expected_more, agreement = p$agreement$estimate %||% NA_real_)
}
