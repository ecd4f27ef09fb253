# The data of a report, as links to CSV files inside the report, and the code that computes the results from the files.
# The files are text, because R's own file format can run code when a file is opened.

# Columns of judgments that a report must not contain: texts by assessors, and times.
private_columns <- c("comment", "flag", "seconds", "time")

# The data and the code of a report. `tables`: data frames, named by their files. `arguments`: those of the function
# `maker` as R code, in which names of files represent tables. `stratum`: the reported ranking, by name, of several. The
# result has `absent`, the names of arguments that cannot be written as text, such as models.
report_data <- function(tables, maker, arguments, collection = NULL, stratum = NULL) {
  arguments <- Filter(Negate(is.null), arguments)
  is_text <- vapply(arguments, function(value) is.atomic(value) || is.symbol(value) || is.call(value), NA)
  absent <- names(arguments)[!is_text]
  arguments[!is_text] <- lapply(absent, as.name)
  as_lines <- function(name, value) deparse(call("<-", name, value), width.cutoff = 100)
  tables <- Filter(Negate(is.null), tables)
  made <- as.call(c(list(as.name(maker)), unname(arguments[1]), arguments[-1]))
  if (!is.null(stratum)) made <- call("[[", made, stratum)
  code <- c("library(judicious)", if (!is.null(collection)) as_lines(quote(x), collection),
            as_lines(quote(result), made), "result",
            "report(result, \"report.html\")")
  list(tables = stats::setNames(tables, paste0(names(tables), ".csv")), code = code, absent = absent)
}

# The tables of a collection, and the call that makes the collection from the files of these tables.
collection_data <- function(x) {
  runs <- as.data.frame(x)
  grades <- x$grades
  tables <- list(runs = runs[setdiff(names(runs), "gain")],
                 documents = if (ncol(x$documents) > 1) x$documents, queries = if (ncol(x$queries) > 1) x$queries,
                 systems = if (!identical(x$systems$system, x$systems$team)) x$systems,
                 grades = if (!is.null(grades)) data.frame(grades[c("query", "doc")], grade = grades$value,
                                                           grades[c("grader", "repeat")], check.names = FALSE))
  tables <- Filter(Negate(is.null), tables)
  scale <- x$scale
  fine_max <- Find(function(highest) identical(scale$levels, fine_scale(highest)$levels), c(100, 10))
  levels <- if (identical(scale, broad_scale())) quote(broad_scale()) else
    if (scale$any_value && !is.null(fine_max)) call("fine_scale", fine_max) else call("gain_scale", scale$levels)
  named <- lapply(stats::setNames(nm = names(tables)), paste0, ".csv")
  test_call <- as.call(c(list(quote(test_collection)), unname(named[1]), named[-1], list(k = x$k),
                    if (!is_share_scale(scale)) list(scale = levels)))
  list(tables = tables, call = test_call)
}

ranking_data <- function(ranking) {
  inputs <- ranking$arguments
  session <- ranking$learned_from
  collection <- collection_data(inputs$x)
  judgments <- if (is.null(session)) inputs$judgments %||% inputs$x else session$judgments
  if (inherits(judgments, c("judicious_collection", "judicious_session"))) judgments <- judgments_of(judgments)
  used <- is.data.frame(judgments) && nrow(judgments) > 0
  if (used) judgments <- judgments[setdiff(names(judgments), private_columns)]
  models <- list(gains = if (is.null(session)) inputs$gains, past = inputs$past %||% session$model,
                 grades = inputs$grades %||% session$grades)
  if (identical(models$past, gain_prior())) models$past <- NULL
  # The collection of a session has the session's grades already, so they are not repeated.
  if (is.data.frame(models$grades)) models$grades <- NULL
  options <- inputs[c("measure", "level", "scope", "by", "delta", "assessor", "draws", "seed")]
  options$measure <- if (!is.null(options$measure)) as.character(measures_of(options$measure))
  options$assessor <- options$assessor[1]
  usual <- list(level = 0.95, scope = "these", delta = 0, assessor = "these")
  options <- options[!vapply(names(options), function(name) identical(options[[name]], usual[[name]]), NA)]
  arguments <- c(list(quote(x), judgments = if (used) "judgments.csv" else FALSE), models, options)
  stratum <- if (!is.null(options$by)) substring(ranking$stratum, nchar(options$by) + 2)
  report_data(c(collection$tables, list(judgments = if (used) judgments)), "rank_systems", arguments, collection$call,
              stratum)
}

comparison_data <- function(comparison) {
  inputs <- comparison$arguments
  scores <- comparison$scores[, colnames(comparison$scores) != paste("mu =", format(comparison$test$mu)), drop = FALSE]
  score_rows <- data.frame(system = rep(colnames(scores), each = nrow(scores)), query = rownames(scores),
                           measure = comparison$measure, value = c(scores))
  report_data(list(scores = score_rows), "compare_systems",
              list("scores.csv", test = test_code(inputs$test), level = inputs$level, baseline = inputs$baseline,
                   seed = inputs$seed))
}

# The call that makes a significance test; a custom test is returned as it is.
test_code <- function(test) {
  name <- names(Filter(function(entry) entry$title == test$name, significance_registry))
  if (!length(name)) return(test)
  entry <- significance_registry[[name]]
  parameters <- test[intersect(names(entry$parameters), names(test))]
  as.call(c(list(quote(significance_test), name, test$alternative), parameters,
            list(adjust = if ("pairwise" %in% entry$classes) test$adjust)))
}

# Code that repeats the computations, and links to the files that it reads.
reproduce_text <- function(r) {
  data <- if (is.null(r$comparison)) ranking_data(r$ranking) else comparison_data(r$comparison)
  links <- vapply(names(data$tables), function(name) download_link(data$tables[[name]], name), "")
  notes <- c(
    sprintf("<p>All data, as text: %s. The code reads them in the folder that they are saved in.</p>",
            paste(links, collapse = ", ")),
    if (length(data$absent)) sprintf("<p>The report does not contain the %s %s, which the code names: no table holds
      it.</p>", if (length(data$absent) == 1) "object" else "objects", paste(html_text(data$absent), collapse = ", ")),
    if (!is.null(r$ranking$learned_from)) "<p>The estimates above are those of the session, which updates them after
      each judgment and fits the model from time to time. The code fits the model to all judgments at once, so that its
      estimates can differ.</p>",
    if (!is.null(r$ranking) && !is_sum(r$ranking$collection)) "<p>This measure is computed from random draws, so that
      the last digits can differ.</p>",
    if (!is.null(r$comparison$simulations)) "<p>The scores are expected ones. What more judgments may change is computed
      from the gains, which the report does not contain.</p>")
  paste(c(html_lines(notes), html_copy("Code that computes the results again", data$code, open = TRUE),
          html_copy("The call that made this report", report_call(r$call), open = TRUE)), collapse = "\n")
}
