#' Settings of the judging page
#'
#' Settings for the argument `control` of [judge_app()].
#'
#' @param title The title of the page; NULL uses "Judging", or "Judging: lead's view".
#' @param question The question above the grades, one string. NULL uses a default question.
#' @param reasons The reasons for skipping a document that the page offers; NULL offers four.
#' @param background A question about the assessor, asked once, with `preferences`.
#' @param ids Whether to show identifiers of queries and documents. Use FALSE if they reveal something to assessors.
#' @param ahead Number of documents reserved for an assessor at a time. With 1, each selection uses all earlier
#'   judgments, but the documents of a query do not come together.
#' @param media A folder whose files the page serves under `media/`, for templates such as `"media/{doc}.mp3"`, with
#'   tokens, only after log-in. HTML files are shown without scripts and other files.
#' @param hosts NULL, or host names by which browsers reach the page, such as `"judging.example.org"`.
#' @param proxy NULL, or IP addresses of proxies whose header `X-Forwarded-For` is trusted for the client's address.
#' @param log The path of a log file, or NULL. Log-ins, wrong tokens, answers, downloads and rejections are lines of
#'   JSON with `time`, `event`, `address`, and fields such as `assessor`, without tokens, grades or texts.
#' @param ending The text of the last screen: a string, or a function of the assessor's name that returns text or tags,
#'   such as a code for payment.
#' @return A list of class `judicious_app_control`.
#' @examples
#' str(app_control(title = "Music similarity", ids = FALSE))
#' @export
app_control <- function(title = NULL, question = NULL, reasons = NULL,
                        background = "Do you have a strong background in this? Which one, and for how long?",
                        ids = TRUE, ahead = 4, media = NULL, hosts = NULL, proxy = NULL, log = NULL, ending = NULL) {
  if (!is.null(title)) check_string(title, "title")
  if (!is.null(question)) check_string(question, "question")
  if (!is.null(background)) check_string(background, "background")
  if (!is.null(reasons)) check_texts(reasons, "reasons")
  check_flag(ids, "ids")
  check_count(ahead, "ahead")
  if (!is.null(ending) && !is.function(ending)) check_string(ending, "ending")
  hosts <- check_match(hosts, "hosts", "^([a-z0-9_-]+[.])*[a-z0-9_-]+(:[0-9]+)?$", "the name of a host",
                       "Write names as {.val judging.example.org}, without {.code https://} and without a path.")
  proxy <- check_match(proxy, "proxy", "^[0-9a-f:.]+$", "an IP address", "A proxy on this machine is {.val 127.0.0.1}.")
  structure(list(title = title, question = question, reasons = reasons, background = background, ids = ids,
                 ahead = ahead, media = media_folder(media), hosts = hosts, proxy = proxy, log = page_log(log),
                 ending = ending), class = "judicious_app_control")
}

skip_reasons <- function(nouns) {
  c("It cannot be opened or played", paste("I cannot judge this kind of", nouns[["doc"]]),
    sprintf("The %s is not clear", nouns[["query"]]), "Another reason")
}

#' Judge in the browser
#'
#' @description Creates a web page on which assessors judge the documents of a session: query and document side by side,
#'   a button and a key for each grade, the next document after each judgment, and the confidence in the ranking. It
#'   works with the keyboard alone, with a screen reader and on a phone. `view = "lead"` shows the ranking, its
#'   confidence, the calibration, and the work of each assessor.
#'
#' Printing the result runs the app; [shiny::runApp()] runs it with a given `port` and `host`. The browser loads
#' nothing from other servers except the contents of `documents`, `queries` and `render`.
#'
#' @details Assessors log in with the token that [add_assessor()] returned: they type it, or open a link that ends in
#'   `#token=` and the token. The token of a `"lead"` also opens the lead's view. When the next document appears, the
#'   previous answer has been saved. A token that is revoked loses its effect within half a minute.
#'
#' Assessors can skip a document that cannot be loaded, list and change their judgments, and leave a comment and a
#' flag, which [judgments_of()] returns.
#'
#' The browser does not learn which systems returned a document, nor at which ranks. Documents of one query come
#' together, in random order. A pair of `preferences` is reserved for as many assessors as it needs answers, for the
#' session's `lease`.
#'
#' @section Many assessors: One R process serves one request at a time. For several assessors, use a session in a store
#'   with a `batch` such as 20 ([session_control()]), and run [prefetch_documents()] in a separate process, so that the
#'   page never waits for an estimation. For hundreds, run several processes with the page behind a proxy that sends
#'   each browser to the same one (`ip_hash` of nginx), with PostgreSQL as the store, and the lead's view in another.
#'
#' @section On a network: Run the page behind a proxy that terminates HTTPS, without which others can read the tokens,
#'   and that limits connections and requests, which R's web server does not. Without `proxy`, a page that is reached
#'   over a network raises an error. Start from `system.file("app", "nginx.conf", package = "judicious")`, with
#'   `judge_app(s, hosts = "judging.example.org", proxy = "127.0.0.1", log = "judging.log")`.
#'
#' The page accepts requests that are addressed to an IP address, `localhost`, the name of this machine or one of
#' `hosts`, and WebSockets that it opened itself. A content security policy keeps the page out of frames and allows no
#' scripts but its own. Each client address may try 20 wrong tokens a minute. Texts from a browser are cut at 500
#' characters; one that sends more than 64 KB or 200 messages in ten seconds is disconnected. `/health` answers 200 if
#' the store can be read, and 503 otherwise.
#'
#' @param session A session of [judging_session()] or [open_session()].
#' @param documents,queries The contents to show: a URL template such as `"https://example.org/{query}/{doc}.mp3"`,
#'   played, shown as an image or linked according to its ending; or a data frame with a column `doc` (and `query`, if
#'   a document differs between queries) or `query`, and some of `title`, `text`, `url` and `image`, for queries also
#'   `description` and `narrative`, for documents `context`; or the path of such a table, or of topics or documents as
#'   in [read_runs()]. NULL shows the texts of the collection, or else the identifier.
#' @param render A function of `query` and `doc` (NULL for the query itself) that returns the content: text, which is
#'   escaped; an `htmltools` tag; [htmltools::HTML()], which is not escaped; or NULL to use `documents` and `queries`.
#'   `"markdown"` or `"html"` shows the texts of these as such, without anything that could run code; a column `format`
#'   with these words does so for single texts.
#' @param guidelines Instructions for the assessors: Markdown, in which HTML that could run code is escaped, or an
#'   `htmltools` tag.
#' @param examples Examples of grades for the guidelines: a data frame with `grade` (a gain of the scale; `"a"`,
#'   `"equal"` or `"b"` with `preferences`) and `text`, in Markdown, or `query` and `doc` (`doc_a` and `doc_b`), whose
#'   contents are shown, or both.
#' @param input `"buttons"`, one for each level, or a `"slider"`, the default for scales with more than 12 levels or
#'   any number as a grade. NULL, in a session that selects whole questions
#'   (`session_control(batch = Inf, same_query = TRUE)`) of two levels, asks for the right answers, as in
#'   `judge(gold = )`: the assessor marks them among the distinct answers, with the number of systems that gave each,
#'   or types one.
#' @param labels Names of the levels, lowest first; for a slider, of its two ends; for preferences, of the answers A,
#'   equal and B.
#' @param preferences NULL, or a [preference_session()]: assessors then answer which of two documents is more similar
#'   to the query, and [preference_answers()] returns the answers. Pass the same one whenever the session is opened
#'   again.
#' @param tokens FALSE lets everyone in, as the assessor `"me"` (or the lead), for judging on your own machine.
#' @param view `"judge"`, or `"lead"`, which requires the token of a lead (unless `tokens = FALSE`) and uses only
#'   `preferences`, `tokens`, and `title`, `hosts`, `proxy` and `log` of the control.
#' @param control Settings by [app_control()].
#' @param ... Settings for [app_control()], instead of `control`, such as `title` or `media`.
#' @return A Shiny app, of class `shiny.appobj`.
#' @section Packages: shiny, bslib, htmltools and, for tokens, openssl.
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
  refuse_other_arguments("judge_app()", ..., settings = if (missing(control)) names(formals(app_control)))
  for (package in c("shiny", "bslib", "htmltools", if (isTRUE(tokens)) "openssl"))
    need_package(package, "The judging page")
  check_session(session)
  check_class(control, "judicious_app_control", "control", "app_control")
  if (!is.null(preferences)) check_class(preferences, "judicious_preferences", "preferences", "preference_session")
  check_flag(tokens, "tokens")
  view <- check_choice(view, c("judge", "lead"), "view")
  control$title <- control$title %||% if (view == "lead") "Judging: lead's view" else "Judging"
  if (is.null(preferences)) control$background <- NULL
  site <- c(control, list(preferences = preferences, tokens = tokens, lead_only = view == "lead"))
  if (view == "lead") return(new_app(session, replace(site, "media", list(NULL))))
  check_guidelines(guidelines)
  x <- session$engine$x
  form <- answer_form(session, preferences, input, labels, control$question)
  if (!is.function(render)) {
    documents <- documents %||% text_columns(x$documents, "doc", preferences$candidates)
    queries <- queries %||% text_columns(x$queries, "query", preferences$candidates)
  }
  content <- page_content(documents, queries, render, control$ids)
  if (form$kind == "gold") content$answers <- function(query) answer_checkboxes(session$engine$x, query, content)
  judging <- list(content = content, ready = list2env(list(items = list())), form = form, keys = answer_keys(form),
                  guidelines = guidelines, examples = check_examples(examples, form))
  new_app(session, c(site, judging))
}

# Checks the sources of content: the function or format `render`; and for documents and queries a URL template, a table,
# or the path of a table.
page_content <- function(documents, queries, render, ids) {
  check_that(is.null(render) || is.function(render) || (is_string(render) && render %in% c("markdown", "html")),
             "render", "must be {.val markdown}, {.val html}, a function of {.arg query} and {.arg doc}, or NULL.")
  list(documents = content_source(documents, "documents", c("query", "doc")),
       queries = content_source(queries, "queries", "query"), render = render, ids = ids)
}

content_source <- function(source, arg, fields) {
  if (is.null(source)) return(NULL)
  if (is.character(source) && is.null(dim(source))) return(content_of_text(source, arg, fields))
  id <- fields[length(fields)]
  if (is.data.frame(source)) names(source) <- text_names(names(source), id)
  source <- check_columns(source, id, arg)
  rows <- check_id_columns(source, intersect(fields, names(source)), arg)
  shown <- intersect(c("title", "text", "url", "image", if (arg == "queries") topic_parts else "context"), names(rows))
  check_that(length(shown), arg, "needs a column {.val title}, {.val text}, {.val url} or {.val image} to show.",
             kind = "columns")
  for (column in intersect(c(shown, "format"), names(rows))) rows[[column]] <- as.character(rows[[column]])
  for (column in intersect(c("url", "image"), shown)) {
    unsafe <- which(!is.na(rows[[column]]) & !is_safe_url(rows[[column]]))
    if (length(unsafe)) refuse_url(rows[[column]][unsafe[1]], arg, unsafe[1])
  }
  rows
}

# The texts of documents or queries in a collection, such as answers and topics; NULL if there are none, or if some of
# the `shown` ones, which may be of another collection, have none.
text_columns <- function(table, id, shown = NULL) {
  if (!all(shown[[id]] %in% table[[id]])) return(NULL)
  texts <- intersect(c("text", "title", topic_parts), names(table)[vapply(table, is.character, NA)])
  if (length(texts)) table[intersect(c(id, texts, "context", "format"), names(table))]
}

# Content from a text: a path is read as a table; any other text must be a URL template with one of the fields.
content_of_text <- function(source, arg, fields) {
  check_string(source, arg)
  if (file.exists(source)) {
    what <- if (arg == "queries") arg else "documents"
    return(content_source(metadata_from_path(source, what, arg), arg, fields))
  }
  has_field <- vapply(fields, function(field) grepl(paste0("{", field, "}"), source, fixed = TRUE), NA)
  check_that(any(has_field), arg, "must be a data frame, the path of a file that exists, or a URL template with
    {.or {.code {paste0('{', fields, '}')}}}, not {.val {source}}.")
  if (!is_safe_url(source)) refuse_url(source, arg, NULL)
  source
}

refuse_url <- function(url, arg, row) {
  where <- if (is.null(row)) "" else paste0(" in row ", row)
  abort_judicious(c(
    "{.arg {arg}} holds the address {.val {url}}{where}, which the page will not open.",
    i = "Addresses are relative, or start with {.code http://} or {.code https://}, and hold no spaces or
      control characters."
  ), "unsafe_url", argument = arg, row = row)
}

# Whether a browser opens an address without running code: if it is relative, or its scheme is http or https.
is_safe_url <- function(url) {
  scheme <- grepl("^[[:space:]]*[^/?#]*:", url)
  (!scheme | grepl("^https?://", url, ignore.case = TRUE)) & !grepl("[[:cntrl:][:space:]\\\\]", url)
}

# Checks the examples of each grade and returns a data frame with `grade`, and `text` or the documents to show.
check_examples <- function(examples, form) {
  if (is.null(examples)) return(NULL)
  examples <- check_columns(examples, "grade", "examples")
  parts <- if (form$kind == "preferences") c("doc_a", "doc_b") else "doc"
  needed <- c("query", parts)
  check_that("text" %in% names(examples) || all(needed %in% names(examples)), "examples",
             "needs a column {.val text}, or the columns {.val {needed}}.", kind = "columns")
  valid <- if (form$kind == "preferences") {
    examples$grade %in% names(answer_values)
  } else {
    is.numeric(examples$grade) & in_scale(form$scale, examples$grade)
  }
  i <- which(!valid)[1]
  check_that(all(valid), "examples", "has the grade {.val {examples$grade[i]}} in row {i}, which nobody can give.",
             rows = which(!valid))
  examples
}

answer_form <- function(session, preferences, input, labels, question) {
  if (!is.null(preferences)) return(preference_form(labels, question))
  x <- session$engine$x
  if (is.null(input) && judges_whole_questions(session$engine)) return(gold_form(x$scale, question))
  grade_form(x$scale, input, labels, question, nouns_of(x))
}

check_guidelines <- function(guidelines) {
  valid <- is.null(guidelines) || (is.character(guidelines) && !anyNA(guidelines)) ||
    inherits(guidelines, c("shiny.tag", "shiny.tag.list"))
  check_that(valid, "guidelines", "must be Markdown text or a tag, not {.obj_type_friendly {guidelines}}.")
}

new_app <- function(s, spec) {
  # Intervals in milliseconds; tests use shorter ones.
  spec[c("tick", "look_again", "look_rarely")] <- list(1000, 5000, 30000)
  spec$login <- as_html(login_screen(spec$title))
  spec$nouns <- if (is.null(spec$preferences)) nouns_of(s$engine$x) else nouns_of_documents
  if (!spec$lead_only) {
    spec$reasons <- spec$reasons %||% skip_reasons(spec$form$nouns)
    spec$drawn <- predrawn_parts(spec)
  }
  # The guard handles requests for every path; the page itself is at the root only.
  app <- shiny::shinyApp(app_page(spec$title), app_server(s, spec), onStart = function() start_app(drawn_page, spec))
  drawn_page <- with_cached_page(app$httpHandler)
  app$httpHandler <- guarded_handler(drawn_page, s, spec)
  app
}

# Starts the app. The page has no uploads or posts, so requests with a body of more than one byte are rejected. The
# browser does not get the messages of R's errors. These options are restored when the app stops. The page is drawn once
# before anybody opens it, because drawing its styles takes a second the first time.
start_app <- function(page, spec) {
  before <- options(shiny.maxRequestSize = 1, shiny.sanitize.errors = TRUE)
  shiny::onStop(function() options(before))
  limit_connections(spec)
  # The server's address is known only once the server runs. A page that has stopped by then must not stop the next one.
  cancel <- later::later(function() {
    tryCatch(require_proxy(spec), error = function(cnd) shiny::stopApp(rlang::cnd_signal(cnd)))
  })
  shiny::onStop(function() cancel())
  page(list2env(list(PATH_INFO = "/", REQUEST_METHOD = "GET"), parent = emptyenv()))
}
