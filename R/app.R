#' Settings of the judging page
#'
#' Sets the texts of the page, what it shows and how it is reached over a network, for the argument `control` of
#' [judge_app()].
#'
#' @param title The title of the page; NULL uses "Judging", or "Judging: lead's view".
#' @param question The question above the grades, one string. NULL uses a default question.
#' @param reasons The reasons for skipping a document that the page offers, a character vector. The default is four
#'   reasons, such as "The query is not clear".
#' @param background A question about the assessor, asked once, with `preferences`. NULL asks none.
#' @param ids Whether to show identifiers of queries and documents. Use FALSE if identifiers reveal something that
#'   assessors should not know.
#' @param ahead Number of documents that are reserved for an assessor at a time. With 1, all earlier judgments are used
#'   to select each document, but the documents of a query do not come together.
#' @param media A folder whose files the page serves under `media/`, for templates such as `"media/{doc}.mp3"`. With
#'   tokens, only those who have logged in can read them, by a cookie that is valid as long as the token. HTML files are
#'   shown without scripts, and without other files of the folder that they contain.
#' @param hosts NULL, or host names by which browsers reach the page, such as `"judging.example.org"`; see the section
#'   on networks.
#' @param proxy NULL, or IP addresses of proxies whose header `X-Forwarded-For` is trusted for the address of the
#'   client.
#' @param log The path of a log file. NULL (default) writes none. Every log-in, wrong token, answer, download and
#'   rejection adds a line of JSON with `time`, `event`, `address`, and fields of the event such as `assessor`. The log
#'   contains no tokens, grades or texts.
#' @param ending The text of the last screen, when judging has ended: a string, or a function of the assessor's name
#'   that returns text or tags, such as a code with which the assessor is paid. NULL uses the number of judgments and
#'   thanks.
#' @return A list of class `judicious_app_control`.
#' @section Errors: `judicious_error_argument` for an invalid setting, such as a `media` folder that does not exist or a
#'   host with `https://`.
#' @examples
#' app_control(title = "Music similarity", ids = FALSE)$title
#' @export
app_control <- function(title = NULL, question = NULL, reasons = skip_reasons(),
                        background = "Do you have a strong background in this? Which one, and for how long?",
                        ids = TRUE, ahead = 4, media = NULL, hosts = NULL, proxy = NULL, log = NULL,
                        ending = NULL) {
  if (!is.null(title)) check_string(title, "title")
  if (!is.null(question)) check_string(question, "question")
  if (!is.null(background)) check_string(background, "background")
  check_texts(reasons, "reasons")
  check_flag(ids, "ids")
  check_count(ahead, "ahead")
  if (!is.null(ending) && !is.function(ending)) check_string(ending, "ending")
  hosts <- check_form(hosts, "hosts", "^([a-z0-9_-]+[.])*[a-z0-9_-]+(:[0-9]+)?$", "the name of a host",
                      "Write names as {.val judging.example.org}, without {.code https://} and without a path.")
  proxy <- check_form(proxy, "proxy", "^[0-9a-f:.]+$", "an IP address", "A proxy on this machine is {.val 127.0.0.1}.")
  structure(list(title = title, question = question, reasons = reasons, background = background, ids = ids,
                 ahead = ahead, media = media_folder(media), hosts = hosts, proxy = proxy, log = page_log(log),
                 ending = ending), class = "judicious_app_control")
}

skip_reasons <- function() {
  c("It cannot be opened or played", "I cannot judge this kind of document", "The query is not clear", "Another reason")
}

#' Judge in the browser
#'
#' @description
#' Creates a web page on which assessors judge the documents of a session. It shows query and document side by side with
#' a button and a key for each grade, proceeds to the next document after each judgment, and shows the confidence in the
#' ranking. It works with the keyboard alone, with a screen reader and on a phone. With `view = "lead"` it shows the
#' lead's view only: the ranking, the confidence in every pair of systems, the calibration, and the work of each
#' assessor.
#'
#' The result is a Shiny app: printing it runs it, and [shiny::runApp()] runs it with a given `port` and `host`. The
#' browser loads nothing from other servers except the contents that `documents`, `queries` and `render` refer to.
#'
#' @details
#' Assessors log in with the token that [add_assessor()] returned: they type it, or open a link that ends in `#token=`
#' and the token. The token of an assessor whose role is `"lead"` also opens the lead's view. The browser keeps the
#' token until its tab is closed, so that an assessor can reload the page and continue. When the next document appears,
#' the previous answer has been saved. An assessor cannot act as another. All input from the browser is checked, and its
#' texts are cut at 500 characters. If a token expires, or if [add_assessor()] replaces or revokes it or changes the
#' role, the change takes effect at the next action, or within half a minute without one. A browser that sends more
#' than 64 KB or more than 200 messages in ten seconds, or anything but the log-in before it has logged in, is
#' disconnected before its messages are read; HTTP posts are rejected.
#'
#' The query stays visible while a long document is scrolled. The words of the query are marked in documents; keys
#' switch the marks off and move from one to the next. The contents of the documents reserved for an assessor are loaded
#' in advance. If a document cannot be loaded, or takes more than a few seconds, the page reports this, and
#' offers to try again or to skip the document; as long as nothing but its title could be loaded, it gets no grade.
#' Assessors can list their judgments, change any of them, and leave a comment and a flag on a document;
#' [judgments_of()] and [export_judgments()] return these. The page has a dark and a light style, selected by a switch
#' or by the preference of the browser.
#'
#' The browser does not learn which systems returned a document, nor at which ranks. A few documents are reserved for
#' each assessor in advance; those of one query come together, in random order. A pair of `preferences` is reserved for
#' as many assessors as it needs answers, for the duration of the session's `lease`. Once the goal of the session is
#' reached, no further documents are given out.
#'
#' @section Many assessors: One R process serves the page to all browsers, one request at a time. For more than a few
#' assessors, use a session in a store and run [prefetch_documents()] in a separate process, so that the page never
#' waits for an estimation. For hundreds, run several processes with the page behind a proxy that sends each browser to
#' the same one (`ip_hash` of nginx), with PostgreSQL as the store, and the lead's view in another. `bench/sessions.R`
#' in the package's sources measures this.
#'
#' @section On a network:
#' Run the page behind a proxy that terminates HTTPS, such as nginx: without HTTPS, others on the network can read the
#' tokens. The proxy should also limit connections, requests, their size and their time: R's web server takes a message
#' of any size into memory before the page can reject it (100 MB take about a second, during which nobody is answered),
#' and waits without limit for the rest of a request. If the page can be reached over a network without `proxy`, its
#' first request raises a warning. `system.file("app", "nginx.conf", package = "judicious")` is an nginx
#' configuration to start from. Use it with
#' `judge_app(s, hosts = "judging.example.org", proxy = "127.0.0.1", log = "judging.log")`.
#'
#' The page accepts requests that are addressed to an IP address, `localhost`, the name of this machine or one of
#' `hosts`, and WebSockets that its own page opened. It rejects all others, so that another web site cannot act in an
#' assessor's name. A content security policy keeps the page out of frames and allows no scripts but its own: contents
#' of `render` cannot contain scripts. The address of the page is not sent to other servers. Each client address may try
#' 20 wrong tokens a minute; tokens that were accepted before are exempt. Files under `media/` are served only if they
#' are inside that folder after links are resolved, and are not hidden. `/health` answers 200 if the store can be read,
#' and 503 otherwise.
#'
#' @param session A session of [judging_session()] or [open_session()].
#' @param documents,queries The contents of documents and queries to show. A URL template such as
#'   `"https://example.org/{query}/{doc}.mp3"`: identifiers are percent-encoded, and the ending determines whether the
#'   content is played, shown as an image or linked. Or a data frame with a column `doc` (and `query`, if a document
#'   differs between queries) or `query`, and one or more of `title`, `text` and `url`, or the path of a file with a
#'   header and such columns. Queries can also have the columns `description` and `narrative`, and documents `context`.
#'   NULL shows the texts that the collection has, as one by [read_answers()], or else the identifier.
#' @param render A function of `query` and `doc` that returns the content to show: text, which is escaped; an
#'   `htmltools` tag; [htmltools::HTML()], which is not escaped; or NULL to use `documents` and `queries`. `doc` is NULL
#'   for the query itself.
#' @param guidelines Instructions for the assessors: Markdown text, in which HTML that could run code is escaped, or an
#'   `htmltools` tag. NULL shows none.
#' @param examples Examples of grades, which the guidelines show by grade: a data frame with `grade` (a gain of the
#'   scale; `"a"`, `"equal"` or `"b"` with `preferences`) and `text`, in Markdown, or `query` and `doc` (`doc_a` and
#'   `doc_b` with `preferences`), whose contents are shown, or both. NULL shows none.
#' @param input `"buttons"`, one for each level, or a `"slider"`. NULL uses a slider for scales with more than 12
#'   levels and for scales such as Fine, on which every number is a grade; otherwise buttons.
#' @param labels Names of the levels, lowest first; for a slider, of its two ends; for preferences, of the answers A,
#'   equal and B.
#' @param preferences NULL, or a [preference_session()]: assessors then answer which of two documents is more similar to
#'   the query, with the layout of Urbano et al. (2010), and [preference_answers()] returns the answers. Pass the same
#'   one whenever the session is opened again.
#' @param tokens FALSE lets everyone in without a token, as the assessor `"me"` (with `view = "lead"`, as the lead), for
#'   judging on your own machine.
#' @param view `"judge"`, or `"lead"` for the lead's view only, which requires the token of a lead. It uses
#'   `preferences`, `tokens`, and `title`, `hosts`, `proxy` and `log` of the control; the rest has no effect.
#' @param control Settings by [app_control()].
#' @param ... Settings for [app_control()], instead of `control`, such as `title` or `media`.
#' @return A Shiny app, of class `shiny.appobj`.
#' @section Errors: `judicious_error_missing_package` without the packages shiny, bslib, htmltools and, for tokens,
#'   openssl; `judicious_error_argument` for an invalid argument, such as a `media` folder that does not exist or a host
#'   with `https://`.
#' @references Urbano, J., Morato, J., Marrero, M. and Martin, D. (2010). Crowdsourcing preference judgments for
#'   evaluation of music similarity tasks. ACM SIGIR Workshop on Crowdsourcing for Search Evaluation, 9-16.
#' @examplesIf requireNamespace("shiny", quietly = TRUE) && requireNamespace("bslib", quietly = TRUE)
#' x <- simulate_collection(queries = 5, documents = 100, artists = 20, systems = 4, seed = 1)
#' s <- judging_session(x, seed = 1, judgments = FALSE)
#' app <- judge_app(s, documents = "https://example.org/{doc}.mp3", tokens = FALSE,
#'                  guidelines = "Judge how it **sounds**, not the recording's quality.")
#' if (interactive()) app
#' @export
judge_app <- function(session, documents = NULL, queries = NULL, render = NULL, guidelines = NULL, examples = NULL,
                      input = NULL, labels = NULL, preferences = NULL, tokens = TRUE, view = c("judge", "lead"),
                      control = app_control(...), ...) {
  check_no_more("judge_app()", ..., settings = if (missing(control)) names(formals(app_control)))
  for (package in c("shiny", "bslib", "htmltools", if (isTRUE(tokens)) "openssl")) {
    need_package(package, "The judging page")
  }
  check_class(session, "judicious_session", "session", "judging_session")
  check_class(control, "judicious_app_control", "control", "app_control")
  if (!is.null(preferences)) check_class(preferences, "judicious_preferences", "preferences", "preference_session")
  check_flag(tokens, "tokens")
  view <- check_choice(view, c("judge", "lead"), "view")
  control$title <- control$title %||% if (view == "lead") "Judging: lead's view" else "Judging"
  if (is.null(preferences)) control$background <- NULL
  site <- c(control, list(preferences = preferences, tokens = tokens, lead_only = view == "lead"))
  if (view == "lead") return(new_app(session, replace(site, "media", list(NULL))))
  check_guidelines(guidelines)
  form <- if (!is.null(preferences)) preference_form(labels, control$question) else
    grade_form(session$env$x$scale, input, labels, control$question)
  if (is.null(render) && is.null(preferences)) {
    documents <- documents %||% own_texts(session$env$x$documents, "doc")
    queries <- queries %||% own_texts(session$env$x$queries, "query")
  }
  content <- page_content(documents, queries, render, control$ids)
  new_app(session, c(site, list(content = content, items = new_items(content), form = form, keys = answer_keys(form),
                                guidelines = guidelines, examples = check_examples(examples, form))))
}

new_app <- function(s, spec) {
  spec$tick <- 1000
  spec$look_again <- 5000
  spec$look_rarely <- 30000
  spec$login <- as_html(login_screen(spec$title))
  spec$menu <- menu_drawer(spec)
  if (!spec$lead_only) spec$drawn <- drawn_parts(spec)
  # The guard answers every path of the app; the page is at the root only.
  app <- shiny::shinyApp(app_page(spec$title), app_server(s, spec), onStart = function() start_app(drawn_page, spec))
  drawn_page <- drawn_once(app$httpHandler)
  app$httpHandler <- guarded_handler(drawn_page, s, spec, spec$media)
  app
}

# The page has no uploads or posts, so posts are rejected. Errors of R go to the log, not to the browser. The options
# are restored when the app stops. The page is drawn before anybody asks for it, as its styles take a second the first
# time.
start_app <- function(page, spec) {
  before <- options(shiny.maxRequestSize = 1, shiny.sanitize.errors = TRUE)
  shiny::onStop(function() options(before))
  limit_connections(spec)
  page(list2env(list(PATH_INFO = "/", REQUEST_METHOD = "GET"), parent = emptyenv()))
}

check_guidelines <- function(guidelines, call = caller_env()) {
  fine <- is.null(guidelines) || (is.character(guidelines) && !anyNA(guidelines)) ||
    inherits(guidelines, c("shiny.tag", "shiny.tag.list"))
  check_that(fine, "guidelines", "must be Markdown text or a tag, not {.obj_type_friendly {guidelines}}.", call = call)
}
