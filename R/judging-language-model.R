# Grades by a language model, requested with the package ellmer. Requests are sent in groups, and the answers to a group
# are written to a file before the next group is sent. An answer in the file is not paid for again.

#' Grade documents with a language model
#'
#' Asks a language model for a grade of each document of the pool and returns the collection with these grades, for
#' [rank_systems()] and [judging_session()]. Given a session, it returns a source of judgments for [run_session()].
#' Needs the package ellmer (0.4 or later).
#'
#' @details
#' Documents and queries need texts: a column `text` of `documents` and of `queries` in [test_collection()], which
#' [read_answers()] makes. Documents without a text have no grade.
#'
#' The model gets one request per query, document and repetition, and answers with its reasons and then the number of a
#' level. An answer in another form, or a refusal, is a failed grade, with the status `"failed"` in the collection's
#' `grades`, which is asked for again only with `again = TRUE`. A request that was not answered (see ellmer's option
#' `ellmer_max_tries`) is repeated by the next call.
#'
#' Answers are appended to the file `cache`, in JSON Lines with the model's reasons. A later call asks only for what is
#' not in the file: an answer is used again if `chat` with all its settings, `prompt`, `levels`, both texts and the
#' number of the repetition are the same.
#'
#' @param x A collection by [test_collection()] or [read_answers()]; or a session by [judging_session()].
#' @param chat The model, as a chat of package ellmer without tools, such as `ellmer::chat_openai(model = "gpt-4.1")` or
#'   `ellmer::chat_ollama(model = "llama3.2")`.
#' @param prompt The request: one string, or the path of a text file, in which `{{query}}`, `{{document}}`, `{{levels}}`
#'   and any other column of `documents` or `queries`, such as `{{reference}}`, are replaced; by default
#'   `system.file("prompts", "grade.txt", package = "judicious")`.
#' @param levels The grades from which the model chooses, with their meanings as names, such as
#'   `c("off topic" = 0, "helpful" = 1, "complete" = 2)`. By default, the levels of the gain scale, or 0 to 3 if it is
#'   not known.
#' @param pairs Optional: a data frame with the `query` and `doc` of those to grade, instead of all of the pool.
#' @param repeats How often to ask for each grade; their mean counts, and [grader_validation()] shows how consistent
#'   they are.
#' @param grader The name of the grader; by default, that of the model.
#' @param consent The host to which the texts may be sent, such as `"api.openai.com"`. With NULL, the function asks in
#'   interactive R, and otherwise raises an error that states how much would be sent, for which price. A model on this
#'   machine needs none.
#' @param price The price per million tokens, `c(input = , output = )`, where ellmer does not know it (US dollars).
#' @param max_cost,max_tokens The most that this call may spend. After a first group of requests, it stops if all would
#'   need more.
#' @param max_active,rpm How many requests to send at the same time, and per minute.
#' @param again TRUE repeats the requests whose grades have failed.
#' @param cache The file that keeps the answers. By default `grades.jsonl` in `tools::R_user_dir("judicious", "cache")`.
#' @param progress TRUE shows a progress bar.
#' @param ... Not used.
#' @return The collection, with the grades beside those that it had. For a session: a function for the argument `truth`
#'   of [run_session()], which returns gains with prompts, answers and costs. A failed grade is a skipped document.
#' @section Limits: A text may influence its own grade: validate the grades with judgments of people. Costs are
#'   estimates.
#' @section Errors: `judicious_error_consent`; `judicious_error_budget` if a limit is or will be reached;
#'   `judicious_error_grader_failed` if there is no valid grade.
#' @references Upadhyay et al. (2024). UMBRELA: UMbrela is the (open-source reproduction of the) Bing RELevance
#'   Assessor. arXiv 2406.06519. The default prompt follows it.
#' @examples
#' \dontrun{
#' chat <- ellmer::chat_openai(model = "gpt-4.1-mini", params = ellmer::params(temperature = 0))
#' x <- grade_documents(read_answers("answers.jsonl"), chat, consent = "api.openai.com", max_cost = 5)
#' rank_systems(x)
#' }
#' @export
grade_documents <- function(x, chat, prompt = NULL, levels = NULL, pairs = NULL, repeats = 1, grader = NULL,
                            consent = NULL, price = NULL, max_cost = Inf, max_tokens = Inf, max_active = 10, rpm = 500,
                            again = FALSE, cache = NULL, progress = getOption("judicious.progress", interactive()),
                            ...) {
  refuse_other_arguments("grade_documents()", ...)
  of_session <- inherits(x, "judicious_session")
  if (of_session) check_session(x) else check_class(x, "judicious_collection", "x", "test_collection")
  check_count(repeats, "repeats")
  check_count(max_active, "max_active")
  check_count(rpm, "rpm", finite = FALSE)
  for (arg in c("max_cost", "max_tokens")) check_number(get(arg), arg, min = 0)
  check_flag(again, "again")
  check_flag(progress, "progress")
  check_that(is.null(price) || is.numeric(price) && setequal(names(price), c("input", "output")) &&
               all(is.finite(price) & price >= 0), "price",
             "must be the price per million tokens, as {.code c(input = 2, output = 8)}.")
  if (!is.null(consent)) check_string(consent, "consent")
  collection <- function() if (of_session) x$engine$x else x
  settings <- mget(c("repeats", "consent", "price", "max_cost", "max_tokens", "max_active", "rpm", "again", "progress"))
  job <- grading_job(chat, settings, cache)
  job$template <- prompt_template(prompt)
  job$levels <- grading_levels(levels, collection()$scale, of_session)
  job$settings <- settings_of_chat(job$chat, job$levels)
  check_assessor(grader %||% job$model)
  pairs <- if (!is.null(pairs)) check_id_columns(pairs, c("query", "doc"), "pairs")
  requests <- grading_requests(collection(), pairs %||% pool_ids(collection()), job)
  ask_consent(requests, job, of_session)
  if (of_session) return(grading_source(collection, job))
  grades <- data.frame(requests[c("query", "doc", "repeat")], grader = grader %||% job$model,
                       obtain_answers(requests, job)[c("grade", "status", "error")], check.names = FALSE)
  grades$grade[grades$status != "ok"] <- NaN
  report_failed_grades(grades, job)
  with_grades(x, grades, failed = numeric())
}

# The state that all requests of one call of grade_documents() share. Money and tokens are counted here, over all calls
# of a source of judgments.
grading_job <- function(chat, settings, cache) {
  need_package("ellmer", "{.fn grade_documents}")
  if (is_string(chat)) chat <- ellmer::chat(chat)
  check_that(inherits(chat, "Chat"), "chat", c(
    "must be a chat of package {.pkg ellmer}, not {.obj_type_friendly {chat}}.",
    i = hint("{.code ellmer::chat_openai()} makes one.")
  ))
  check_that(!length(chat$get_tools()), "chat", "must not have tools.")
  job <- list2env(settings, parent = emptyenv())
  job$chat <- chat
  url <- attr(chat$get_provider(), "base_url")
  job$host <- sub("^[a-z+]+://([^/@]*@)?(\\[[^]]*\\]|[^/:?#]*).*", "\\2", url)
  job$model <- chat$get_model()
  job$cache <- cache %||% file.path(tools::R_user_dir("judicious", "cache"), "grades.jsonl")
  check_string(job$cache, "cache")
  dir.create(dirname(job$cache), showWarnings = FALSE, recursive = TRUE)
  # A file that cannot be written is found before an answer is paid for.
  append_to_cache(raw(), job)
  job$spent <- c(cost = 0, tokens = 0)
  job$answered <- 0
  job$sent <- numeric()
  job
}

prompt_template <- function(prompt) {
  prompt <- enc2utf8(prompt %||% system.file("prompts", "grade.txt", package = "judicious", mustWork = TRUE))
  check_string(prompt, "prompt")
  if (!grepl("\n", prompt) && file.exists(prompt)) {
    prompt <- paste(readLines(prompt, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  }
  check_that(grepl("{{", prompt, fixed = TRUE), "prompt", c(
    "has no place for a text.", i = "{.code {{{{query}}}}} and {.code {{{{document}}}}} are replaced by the texts; a
      prompt without line breaks may be the path of a file."
  ))
  prompt
}

# The levels that the model can answer, named by their meanings. If the model judges for a session, they must be on the
# scale of the session.
grading_levels <- function(levels, scale, of_session) {
  if (is.null(levels)) {
    levels <- if (is_open_scale(scale)) 0:3 else scale$model_levels
    n <- length(levels)
    meaning <- rep("", n)
    meaning[c(1, n)] <- c("does not serve the person at all", "serves the person fully, without detours")
    if (n > 2) meaning[2] <- "is about the matter, but hardly serves the person"
    if (n > 3) meaning[n - 1] <- "serves the person, but in part, or among other things"
    names(levels) <- if (n <= 4) meaning else replace(meaning, c(2, n - 1), "")
  }
  are_valid <- is.numeric(levels) && length(levels) > 1 && all(is.finite(levels)) && !anyDuplicated(levels)
  check_that(are_valid, "levels", "must be two or more different numbers, with their meanings as names.")
  check_that(!of_session || all(in_scale(scale, levels)), "levels", "must be on the scale of the session,
    {format(scale)}.")
  levels
}

# The settings on which an answer depends, in addition to the request. The objects of ellmer keep their properties as
# attributes, some in nested objects; credentials and headers are left out, because answers do not depend on them.
settings_of_chat <- function(chat, levels) {
  properties <- function(object) {
    fields <- attributes(object)
    kept <- setdiff(sort(names(fields), method = "radix"), c("class", "S7_class", "credentials", "extra_headers"))
    is_object <- function(value) typeof(value) %in% c("S4", "object")
    lapply(Filter(Negate(is.function), fields[kept]), function(one) if (is_object(one)) properties(one) else one)
  }
  turns <- lapply(chat$get_turns(), function(turn) lapply(attr(turn, "contents"), ellmer::contents_record))
  rlang::hash(list(properties(chat$get_provider()), chat$get_model(), chat$get_system_prompt(), turns,
                   as.numeric(levels)))
}

# One row per request: `query`, `doc`, `repeat`, `prompt` and `key`, which names its answer in the file.
grading_requests <- function(x, pairs, job) {
  text_rows <- list(queries = match(id_text(pairs$query), x$queries$query),
                    documents = match(id_text(pairs$doc), x$documents$doc))
  unknown <- which(is.na(text_rows$queries) | is.na(text_rows$documents))
  check_that(!length(unknown), "pairs", "has a query or a document that the collection does not have, in row
    {unknown[1]}.")
  for (what in names(text_rows)) {
    check_that("text" %in% names(x[[what]]), "x", c(
      "has no texts of its {what}.",
      i = hint("{.code test_collection({what} = )} takes a table with a column {.val text}.",
               "--{what} FILE has them in a column {.val text}."),
      i = if (what == "queries") hint("If its identifiers are the texts: {.code read_answers(question = \"query\")}.",
                                      "If identifiers of answers are the texts: --columns question=query.")
    ), kind = "columns")
  }
  has_texts <- !is.na(x$documents[["text"]][text_rows$documents]) & !is.na(x$queries[["text"]][text_rows$queries])
  if (!all(has_texts)) {
    inform_judicious("{format_count(sum(!has_texts))} of {format_count(length(has_texts))} pairs lack a text and are not
      graded.", "no_text")
  }
  rows <- rep(which(has_texts), job$repeats)
  prompt <- rep(fill_prompt(job, x, lapply(text_rows, `[`, has_texts)), job$repeats)
  number <- rep(seq_len(job$repeats), each = sum(has_texts))
  key <- vapply(seq_along(rows), function(i) rlang::hash(charToRaw(paste(job$settings, number[i], prompt[i]))), "")
  data.frame(query = pairs$query[rows], doc = pairs$doc[rows], "repeat" = number, prompt = prompt, key = key,
             check.names = FALSE)
}

# Replaces all fields of the template at once, because a text may contain something that looks like a field. Each text
# is put between tags with its checksum: a text cannot contain its own closing tag, because adding it would change the
# checksum.
fill_prompt <- function(job, x, text_rows) {
  field <- function(name) {
    if (name == "levels") return(paste0(format_number(job$levels), ifelse(nzchar(names(job$levels) %||% ""), ": ", ""),
                                        names(job$levels), collapse = "\n"))
    table_name <- if (name == "query" || !name %in% c("document", names(x$documents))) "queries" else "documents"
    column <- if (name %in% c("query", "document")) "text" else name
    check_that(column %in% names(x[[table_name]]), "prompt", c(
      "has the field {.val {name}}, which is not a column of documents or queries.",
      i = "They have {.val {unique(c('query', 'document', 'levels', names(x$documents), names(x$queries)))}}."
    ))
    text <- enc2utf8(as.character(x[[table_name]][[column]]))
    tag <- paste0(name, "-", text_checksums(text))
    paste0("<", tag, ">\n", text, "\n</", tag, ">")[text_rows[[table_name]]]
  }
  pattern <- "\\{\\{ *([[:alnum:]_.]+) *\\}\\}"
  names_in <- gsub("[{} ]", "", regmatches(job$template, gregexpr(pattern, job$template))[[1]])
  between <- strsplit(paste0(job$template, " "), pattern)[[1]]
  pieces <- rbind(as.list(between), c(lapply(names_in, field), list(""))[seq_along(between)])
  rep_len(trimws(do.call(paste0, pieces), "right"), length(text_rows$queries))
}

# Describes the requests, their destination and their cost, and stops unless the user agrees.
ask_consent <- function(requests, job, of_session) {
  unasked <- requests[must_ask(requests, cached_answers(job$cache, requests$key), job), ]
  if (!nrow(unasked)) return(invisible())
  characters <- sum(nchar(unasked$prompt, "chars", allowNA = TRUE), na.rm = TRUE)
  # English has about four characters per token, and three sentences of reasons about 100 tokens.
  tokens <- c(input = characters / 4, output = 100 * nrow(unasked))
  cost <- if (!is.null(job$price)) sum(job$price[names(tokens)] * tokens) / 1e6
  money <- if (is.null(cost)) "The first answers will show the cost." else "The cost is about {format_short(cost, 2)}."
  inform_judicious(paste("{if (of_session) 'Up to '}{counted(nrow(unasked), 'request')} to {job$model} at {job$host},
    with the texts of {counted(length(unique(unasked$doc)), 'document')} and
    {count_queries(length(unique(unasked$query)))}:
    {format_count(characters)} characters, about {format_count(signif(sum(tokens), 2))} tokens.", money),
    "grading", requests = nrow(unasked), tokens = sum(tokens), cost = cost %||% NA_real_)
  if (job$host %in% c("localhost", "[::1]") || grepl("^127[.][0-9.]+$", job$host)) return(invisible())
  if (is.null(job$consent) && interactive()) {
    reply <- readline(sprintf("Send these texts to %s? Type yes to agree: ", job$host))
    if (lower_ascii(trimws(reply)) == "yes") return(invisible())
  }
  check_that(identical(job$consent, job$host), "consent", c(
    "must name the host to which the texts may be sent.",
    i = "{.code consent = \"{job$host}\"} agrees that they leave this machine."
  ), kind = "consent", host = job$host)
}

must_ask <- function(requests, cached, job) {
  status <- cached$status[match(requests$key, cached$key)]
  is.na(status) | job$again & status != "ok"
}

# The answers to the requests, in their order, from the file or from the model.
obtain_answers <- function(requests, job) {
  stored_answers <- cached_answers(job$cache, requests$key)
  unasked <- which(must_ask(requests, stored_answers, job) & !duplicated(requests$key))
  advance <- start_progress("Grading", length(unasked), job$progress)
  first <- 1
  silent <- 0
  while (first <= length(unasked)) {
    group <- unasked[first:min(first + job$max_active - 1, length(unasked))]
    check_spending(job, length(unasked) - first + 1, length(group))
    keep_rate(job, length(group))
    answers <- ask_group(requests[group, ], job)
    new <- answers[answers$status != "unanswered", ]
    write_answers(new, job)
    job$answered <- job$answered + nrow(new)
    job$spent <- job$spent + c(sum(new$cost), sum(new$input, new$output))
    stored_answers <- rbind(stored_answers[!stored_answers$key %in% answers$key, ], answers)
    if (isTRUE(attr(answers, "interrupted"))) rlang::interrupt()
    advance(length(group))
    silent <- if (nrow(new)) 0 else silent + length(group)
    if (silent >= 3) break
    first <- first + length(group)
  }
  out <- stored_answers[match(requests$key, stored_answers$key), ]
  not_asked <- is.na(out$key)
  out[not_asked, c("status", "error")] <- list("unanswered", "not asked, because the model had ceased to answer")
  out
}

# Waits until `n` requests more are within the limit per minute, because ellmer counts only those of one group.
keep_rate <- function(job, n) {
  now <- proc.time()[["elapsed"]]
  job$sent <- job$sent[job$sent > now - 60]
  too_many <- min(length(job$sent) + n - job$rpm, length(job$sent))
  if (too_many > 0) Sys.sleep(job$sent[too_many] + 60 - now)
  job$sent <- c(job$sent, rep(proc.time()[["elapsed"]], n))
}

# Stops before a group of requests that would exceed a limit, and after the first group if all requests together would.
# Nothing is checked before the first group, because the length of answers is not known yet.
check_spending <- function(job, n_left, size) {
  if (!job$answered) return(invisible())
  limit <- c(cost = job$max_cost, tokens = job$max_tokens)
  check_that(is.infinite(job$max_cost) || !is.na(job$spent[["cost"]]), "price", "is needed with {.arg max_cost}:
    {.pkg ellmer} does not know the price of {job$model}.")
  ahead <- job$spent / job$answered * n_left
  unit <- c(cost = "in money", tokens = "tokens")
  first_time <- is.null(job$estimated)
  if (first_time) {
    job$estimated <- TRUE
    money <- if (!is.na(ahead[["cost"]])) paste0(" and ", format_short(ahead[["cost"]], 2), " in money")
    inform_judicious("{counted(n_left, 'further request')} will need about
      {format_count(signif(ahead[['tokens']], 2))} tokens{money}.", "grading", requests = n_left,
      tokens = ahead[["tokens"]], cost = ahead[["cost"]])
  }
  next_ones <- if (first_time) ahead else job$spent / job$answered * size
  over <- names(which(job$spent + next_ones > limit))[1]
  check_that(is.na(over), paste0("max_", over), c(
    "is {format_number(limit[[over]])}, but {counted(if (first_time) n_left else size, 'further request')} would make it
      about {format_short(sum(job$spent[[over]], next_ones[[over]]), 3)} {unit[[over]]}.",
    i = "The {format_count(job$answered)} answers of this call are kept. Raise the limit, or grade fewer documents."
  ), kind = "budget")
}

# Sends some requests in parallel. If one reply is unreadable, ellmer raises an error for all of them; they are then
# sent one by one.
ask_group <- function(requests, job) {
  interrupted <- FALSE
  # The reasoning is requested first, so that the model bases the grade on it.
  type <- ellmer::type_object(
    reasoning = ellmer::type_string("Why the text deserves its grade, in two or three sentences.", required = FALSE),
    grade = ellmer::type_enum(unname(format_number(job$levels)), "The grade.", required = FALSE)
  )
  before <- options(cli.progress_show_after = 1e6)
  on.exit(options(before))
  replies <- tryCatch(
    suppressWarnings(withCallingHandlers(
      reply_table(ellmer::parallel_chat_structured(
        job$chat, as.list(requests$prompt), type, include_tokens = TRUE, include_cost = TRUE,
        max_active = job$max_active, rpm = job$rpm, on_error = "continue"
      ), job),
      # ellmer reports an interrupt by this message only, and ends the current requests.
      cli_message = function(cnd) if (identical(cnd$type, "alert_warning")) interrupted <<- TRUE
    )),
    error = function(cnd) {
      if (nrow(requests) > 1) return(NULL)
      # Raised by ellmer if a reply is a number or a text instead of an object.
      is_malformed <- inherits(cnd, "subscriptOutOfBoundsError")
      data.frame(status = if (is_malformed) "failed" else "unanswered", grade = NA_real_, reasoning = NA_character_,
                 input = 0, output = 0, cost = 0, error = if (is_malformed) no_grade else first_line_of(cnd))
    }
  )
  if (is.null(replies)) return(do.call(rbind, lapply(split(requests, seq_len(nrow(requests))), ask_group, job)))
  structure(data.frame(requests[c("key", "query", "doc", "repeat")], replies, check.names = FALSE),
            interrupted = interrupted)
}

no_grade <- "no valid grade in the reply"

first_line_of <- function(cnd) gsub("[[:space:]]+", " ", gsub("[.]?\n[^[:alnum:]] ", ": ", conditionMessage(cnd)))

# The replies as a table of numbers and texts. If a provider rejects a request because of its content, the status is a
# refusal.
reply_table <- function(replies, job) {
  n <- nrow(replies)
  errors <- replies$.error %||% vector("list", n)
  grade <- as.numeric(as.character(replies$grade))
  ok <- grade %in% job$levels
  http <- vapply(errors, function(cnd) as.integer(cnd$status %||% NA), 0L)
  # Requests that were not sent because of an interrupt do not have an error, so they are recognised by the lack of a
  # reply.
  sent <- is.null(replies$.error) | replies$output_tokens > 0 | !is.na(replies$reasoning)
  answered <- ok | vapply(errors, is.null, NA) & sent | http %in% c(400L, 413L, 422L)
  why <- vapply(errors, function(cnd) if (is.null(cnd)) no_grade else first_line_of(cnd), "")
  input <- replies$input_tokens + replies$cached_input_tokens
  cost <- if (is.null(job$price)) as.numeric(replies$cost) else
    (input * job$price[["input"]] + replies$output_tokens * job$price[["output"]]) / 1e6
  data.frame(status = ifelse(ok, "ok", ifelse(answered, "failed", "unanswered")), grade = ifelse(ok, grade, NA),
             reasoning = as.character(replies$reasoning), input = input, output = replies$output_tokens,
             cost = cost, error = ifelse(ok, NA, why))
}

# Appends answers to the file, which is on the disk when the function returns. A line break is written first, because a
# crash may have cut off the last line.
write_answers <- function(answers, job) {
  if (!nrow(answers)) return(invisible())
  row <- function(i) jsonlite::toJSON(c(as.list(answers[i, ]), model = job$model, host = job$host,
                                        time = format(Sys.time(), "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")),
                                      auto_unbox = TRUE, na = "null", digits = NA)
  lines <- vapply(seq_len(nrow(answers)), row, "")
  append_to_cache(charToRaw(enc2utf8(paste0("\n", paste(lines, collapse = "\n"), "\n"))), job)
}

# Processes may share the file: their lines are not mixed.
append_to_cache <- function(bytes, job) {
  why <- append_bytes_cpp(path.expand(job$cache), bytes)
  check_that(!nzchar(why), "cache", "cannot be written: {.file {job$cache}}: {why}.", kind = "file", path = job$cache)
}

# The answers in the file that have these keys, the latest of each.
cached_answers <- function(cache, keys) {
  lines <- if (file.exists(cache)) readLines(cache, warn = FALSE, encoding = "UTF-8", skipNul = TRUE)
  lines <- lines[sub("^\\{\"key\":\"([0-9a-f]+)\".*", "\\1", lines, useBytes = TRUE) %in% keys]
  parsed <- lapply(lines, function(line) tryCatch(jsonlite::parse_json(line), error = function(cnd) NULL))
  records <- Filter(Negate(is.null), parsed)
  text <- function(name) vapply(records, function(one) as.character(one[[name]] %||% NA), "")
  columns <- c("key", "query", "doc", "repeat", "status", "grade", "reasoning", "input", "output", "cost", "error")
  cached <- as.data.frame(stats::setNames(lapply(columns, text), columns), check.names = FALSE)
  numbers <- c("repeat", "grade", "input", "output", "cost")
  cached[numbers] <- lapply(cached[numbers], as.numeric)
  cached[!duplicated(cached$key, fromLast = TRUE), ]
}

report_failed_grades <- function(grades, job) {
  failed <- grades[grades$status != "ok", ]
  if (!nrow(failed)) return(invisible())
  i <- c(x = "The first is query {.val {failed$query[1]}}, document {.val {failed$doc[1]}}: {failed$error[1]}",
         i = "The file {.file {job$cache}} has all answers; {.code again = TRUE} asks for failed grades again.")
  check_that(nrow(failed) < nrow(grades), "chat", c("{job$model} has given no valid grade.", i), kind = "grader_failed")
  inform_judicious(c("{format_count(nrow(failed))} grades of {job$model} failed.", i), "failed_grades", failed = failed)
}

# A source of judgments for run_session(). An unanswered request raises an error, and run_session(retry = ) repeats the
# call.
grading_source <- function(collection, job) {
  job$repeats <- 1
  job$estimated <- TRUE
  function(query, doc) {
    requests <- suppressMessages(grading_requests(collection(), data.frame(query, doc), job),
                                 classes = "judicious_message_no_text")
    answers <- obtain_answers(requests, job)
    empty <- which(answers$status == "unanswered")
    check_that(!length(empty), "chat", "{job$model} did not answer: {answers$error[empty[1]]}", kind = "grader_failed")
    # A document without a text is skipped, as is one whose grade has failed.
    request <- match(text_key(query, doc), text_key(requests$query, requests$doc))
    reply <- data.frame(gain = answers$grade, prompt = requests$prompt, answer = answers$reasoning)[request, ]
    if (!anyNA(answers$cost)) reply$cost <- replace(answers$cost[request], is.na(request), 0)
    reply
  }
}
