# The command `judicious grade`.
# `o`: the values of the options, as cli_parse() returns them.

cli_grade <- function(o) {
  check_usage(!is.null(o$chat), "--chat is missing: which model grades?")
  price <- if (!is.null(o$price)) suppressWarnings(as.numeric(o$price))
  if (!length(price) %in% c(0, 2) || anyNA(price)) abort_usage("--price must be two numbers, such as 2,8.")
  if (length(price)) names(price) <- c("input", "output")
  levels <- if (!is.null(o$levels)) cli_levels(o$levels)
  if (anyNA(levels)) abort_usage("--levels must be numbers, such as 0:3 or 0,1,3, not \"{o$levels}\".")
  x <- cli_collection(o)
  x$grades <- NULL
  x <- grade_documents(x, cli_chat(o), prompt = o$prompt, levels = levels, repeats = o$repeats, grader = o$grader,
                       consent = o$consent, price = price, max_cost = o$max_cost %||% Inf,
                       max_tokens = o$max_tokens %||% Inf, max_active = o$max_active, again = o$again, cache = o$cache)
  out <- x$grades[c("query", "doc", "grader", "repeat")]
  out$grade <- ifelse(x$grades$status == "ok", format_number(x$grades$value), "none")
  out
}

cli_chat <- function(o) {
  need_package("ellmer", "{.code judicious grade}", call = NULL)
  parts <- strsplit(o$param %||% character(), "=", fixed = TRUE)
  value <- suppressWarnings(as.numeric(vapply(parts, `[`, "", 2)))
  if (anyNA(value) || any(lengths(parts) != 2)) abort_usage("--param must be NAME=NUMBER, such as temperature=0.")
  params <- tryCatch(do.call(ellmer::params, stats::setNames(as.list(value), vapply(parts, `[`, "", 1))),
                     error = function(cnd) abort_usage("--param: {conditionMessage(cnd)}"))
  chat <- function() {
    if (is.null(o$base_url)) return(ellmer::chat(o$chat, params = params))
    # Servers that users run themselves often need no key.
    ellmer::chat_openai_compatible(o$base_url, model = o$chat, params = params,
                                   credentials = function() Sys.getenv("OPENAI_API_KEY", "none"))
  }
  tryCatch(chat(), error = function(cnd) {
    why <- first_line_of(cnd)
    abort_judicious("--chat {o$chat}: {why}", "chat", call = NULL)
  })
}
