#' Judge in the browser
#'
#' @description
#' `judge_app()` is a page on which assessors judge the documents of a session: query and document side by side, a key
#' for every grade, the next document as soon as one is judged, and the confidence in the ranking rising beside them.
#' It works by keyboard alone, with a screen reader and on a phone. With `view = "lead"` it is the lead's view alone:
#' the ranking, how sure every pair of systems is, whether that confidence holds, and how the assessors do.
#'
#' It is a Shiny app: printing it runs it, and [shiny::runApp()] takes it with a `port` and a `host`. Everything a
#' page needs comes with it; nothing is fetched from elsewhere, but what `documents`, `queries` and `render` name.
#'
#' @details
#' An assessor logs in with the token of [add_assessor()], by typing it or by a link that ends in `#token=` and the
#' token. The token of an assessor whose role is `"lead"` opens the lead's view too. The browser keeps the token until
#' its tab is closed, so that reloading continues where the assessor was. Each answer is saved when the next document
#' appears. Whoever logs in acts as that assessor and no other; what the browser sends is checked, and all text it
#' sends is capped at 500 characters. A token that [add_assessor()] replaced, and a role that it changed, end at the
#' next action, and within seconds without one; so does a token that expired or was revoked. A browser that sends more
#' than 64 KB is disconnected, and posts are refused.
#'
#' Neither the systems that returned a document nor its ranks are told to the browser. An assessor holds a few documents
#' ahead; those of a query come together, in random order. A pair of `preferences` is held by as many assessors as it
#' needs answers, for as long as the session's `lease`.
#'
#' Once the goal of the session is reached nobody is given another document.
#'
#' @section On a network:
#' Run the page behind a server that speaks HTTPS: tokens can be read on the way otherwise, and Shiny reads a message of
#' any size before it can refuse it. `system.file("app", "nginx.conf", package = "judicious")` is a configuration of
#' nginx to start from; it goes with
#' `judge_app(s, hosts = "judging.example.org", proxy = "127.0.0.1", log = "judging.log")`.
#'
#' The page answers requests for IP addresses, `localhost`, the name of this machine and `hosts`, and WebSockets that
#' a page of its own opened; others are refused, so that no web site can use the page in the name of its reader. It
#' cannot be shown in a frame, runs no scripts but its own (custom content of `render` cannot bring scripts), and does
#' not tell other servers where a reader came from. From one address, 20 wrong tokens a minute are looked at; a token
#' that was right before is looked at always. Files under `media/` are served from that folder alone, wherever links in
#' it lead; hidden files are not. `/health` answers 200 where the store can be read, and 503 where it cannot.
#'
#' @param s A session of [judging_session()] or [open_session()].
#' @param documents,queries What to show of documents and queries. A URL template such as
#'   `"https://example.org/{query}/{doc}.mp3"`: identifiers are percent-encoded, and the ending tells whether it is
#'   played, shown as a picture or linked. Or a data frame with a column `doc` (and `query`, where a document differs
#'   between queries) or `query`, and one or more of `title`, `text` and `url`, or the path of a file with a header and
#'   such columns. NULL shows the identifier.
#' @param render A function of `query` and `doc` that returns what to show: text, which is escaped, a tag of htmltools,
#'   or NULL for what `documents` and `queries` say. `doc` is NULL for the query itself. What it marks as
#'   [htmltools::HTML()] is shown as it is.
#' @param guidelines What assessors should know: Markdown text, of which HTML that could run something is shown as text,
#'   or a tag. NULL: there are none.
#' @param grades `"buttons"`, one for each level, or a `"slider"`. NULL: a slider for scales such as Fine on which every
#'   number is a grade, or that have more than 12 levels, otherwise buttons.
#' @param labels Names of the levels, lowest first; of both ends for a slider; of the answers A, equal and B for
#'   preferences.
#' @param question What is asked.
#' @param reasons The reasons to skip a document that are offered.
#' @param preferences NULL, or a [preference_session()]: assessors then say which of two documents is more like the
#'   query, laid out as in Urbano et al. (2010), and [preference_answers()] returns what they said. Give the same one
#'   whenever the session is opened again.
#' @param background A question about the assessor, asked once, with `preferences`. NULL asks none.
#' @param tokens FALSE lets everyone in without a token, as the assessor `"me"` (with `view = "lead"`, as the lead), for
#'   judging on your own machine.
#' @param title The page's title. NULL: one that tells the view.
#' @param ids Whether to show identifiers of queries and documents. Hide those that tell something.
#' @param ahead How many documents an assessor holds at a time. With 1 each is chosen knowing all judgments before it,
#'   but a query's documents do not come together.
#' @param media A folder whose files the page serves under `media/`, for templates such as `"media/{doc}.mp3"`. Whoever
#'   reaches the page can read them.
#' @param view `"judge"`, or `"lead"` for the lead's view alone, which only tokens of leads open. It uses `preferences`,
#'   `tokens`, `title`, `hosts`, `proxy` and `log`.
#' @param hosts Names under which browsers reach the page, as `"judging.example.org"`; see below.
#' @param proxy IP addresses of servers that pass on requests to the page and are trusted to say in `X-Forwarded-For`
#'   where they come from.
#' @param log A file to which a line of JSON is added for every log-in, wrong token, answer, download and refusal:
#'   `time`, `event`, `address`, and what belongs to the event, as `assessor`. It holds no tokens, grades or texts.
#' @return A `shiny.appobj`.
#' @references Urbano, J., Morato, J., Marrero, M. and Martin, D. (2010). Crowdsourcing preference judgments for
#'   evaluation of music similarity tasks. ACM SIGIR Workshop on Crowdsourcing for Search Evaluation, 9-16.
#' @examplesIf requireNamespace("shiny", quietly = TRUE) && requireNamespace("bslib", quietly = TRUE)
#' x <- simulate_collection(queries = 5, documents = 100, artists = 20, systems = 4, seed = 1)
#' s <- judging_session(x, seed = 1, judgments = FALSE)
#' app <- judge_app(s, documents = "https://example.org/{doc}.mp3", tokens = FALSE,
#'                  guidelines = "Judge how it **sounds**, not the recording's quality.")
#' if (interactive()) app
#' @export
judge_app <- function(s, documents = NULL, queries = NULL, render = NULL, guidelines = NULL, grades = NULL,
                      labels = NULL, question = NULL, reasons = skip_reasons(), preferences = NULL,
                      background = "Do you have a strong background in this? Which one, and for how long?",
                      tokens = TRUE, title = NULL, ids = TRUE, ahead = 4, media = NULL, view = c("judge", "lead"),
                      hosts = NULL, proxy = NULL, log = NULL) {
  need_app_packages(tokens)
  check_class(s, "judicious_session", "s", "judging_session")
  if (!is.null(preferences)) check_class(preferences, "judicious_preferences", "preferences", "preference_session")
  view <- check_choice(view, c("judge", "lead"), "view")
  title <- title %||% if (view == "lead") "Judging: lead's view" else "Judging"
  site <- list(hosts = check_hosts(hosts), proxy = check_proxy(proxy), log = page_log(log), tokens = tokens,
               title = title)
  if (view == "lead") return(new_app(s, c(list(preferences = preferences, lead_only = TRUE), site)))
  check_texts(reasons, "reasons")
  if (!is.null(background)) check_string(background, "background")
  if (!is.null(question)) check_string(question, "question")
  check_count(ahead, "ahead")
  check_guidelines(guidelines)
  form <- if (is.null(preferences)) {
    grade_form(s$env$x$scale, grades, labels, question)
  } else {
    preference_form(labels, question)
  }
  keys <- if (is.null(preferences)) gains_keys(form) else preference_keys(form)
  new_app(s, c(site, list(
    content = page_content(documents, queries, render, ids), form = form, keys = keys, guidelines = guidelines,
    reasons = reasons, preferences = preferences, background = if (!is.null(preferences)) background, ahead = ahead
  )), media)
}

new_app <- function(s, spec, media = NULL, call = caller_env()) {
  check_flag(spec$tokens, "tokens", call = call)
  check_string(spec$title, "title", call = call)
  spec$look_again <- 5000
  spec$lead_only <- isTRUE(spec$lead_only)
  # Every address of the app is the guard's to answer; the page is at the root alone.
  app <- shiny::shinyApp(app_page(spec$title), app_server(s, spec), onStart = start_app)
  app$httpHandler <- guarded_handler(app$httpHandler, s, spec, media_folder(media, call))
  app
}

# No page of this app uploads or posts anything: what is posted is refused. Errors of R are for the log, not for the
# browser. What this sets is put back when the app stops.
start_app <- function() {
  before <- options(shiny.maxRequestSize = 1, shiny.sanitize.errors = TRUE)
  shiny::onStop(function() options(before))
}

need_app_packages <- function(tokens, call = caller_env()) {
  for (package in c("shiny", "bslib", "htmltools", if (isTRUE(tokens)) "openssl")) {
    need_package(package, "The judging page", call = call)
  }
}

skip_reasons <- function() {
  c("It cannot be opened or played", "I cannot judge this kind of document", "The query is not clear", "Another reason")
}

check_texts <- function(x, arg, call = caller_env()) {
  if (!is.character(x) || !length(x) || anyNA(x) || any(!nzchar(x))) {
    abort_judicious("{.arg {arg}} must be one or more texts.", "argument", argument = arg, call = call)
  }
}

check_guidelines <- function(guidelines, call = caller_env()) {
  fine <- is.null(guidelines) || (is.character(guidelines) && !anyNA(guidelines)) ||
    inherits(guidelines, c("shiny.tag", "shiny.tag.list"))
  if (!fine) {
    abort_judicious("{.arg guidelines} must be Markdown text or a tag, not {.obj_type_friendly {guidelines}}.",
                    "argument", argument = "guidelines", call = call)
  }
}

preference_form <- function(labels, question, call = caller_env()) {
  labels <- labels %||% c("Variation A", "Both equally similar or dissimilar", "Variation B")
  if (!is.character(labels) || anyNA(labels) || length(labels) != 3) {
    abort_judicious("{.arg labels} must be three texts, for the answers A, equal and B.", "argument",
                    argument = "labels", call = call)
  }
  list(kind = "preferences", labels = labels, question = question %||% "Which is more similar to the original?")
}
