# Errors where the roles of columns are not clear, with the call or the option that decides.

# The values apart from words for missing ones, such as "None".
present_values <- function(value) value[!are_missing_words(value) & !is.na(value)]

are_ratings <- function(value) length(present_values(value)) > 0 && are_numbers(present_values(value))

are_numbers <- function(value) {
  all(is.na(value) | lower_ascii(value) %in% c("true", "false") | grepl("^ *-?[0-9]*[.,]?[0-9]* *$", value))
}

# Names of columns in which lower numbers are usually better.
are_lower_better <- function(columns) {
  words <- lower_ascii(gsub("([a-z])([A-Z])", "\\1_\\2", sub(" *[(].*", "", columns)))
  grepl("(^|[ _.-])(rank|ranking|errors?|mistakes|[wct]er|ppl|perplexity|loss|latency|distance)$", words)
}

# The columns of numbers, except those that are constant, such as settings, and those whose values all differ, such as
# times.
repeated_numbers <- function(rows) {
  Filter(function(column) {
    if (is_prose(rows[[column]])) return(FALSE)
    value <- present_values(rows[[column]])
    are_numbers(value) && anyDuplicated(value) > 0 && length(unique(value)) > 1
  }, names(rows))
}

# The columns that may be ratings by further criteria: those without other values than the rating `gain`, or, of ratings
# with decimals, with at least half of its range. NULL if the rating has fewer than three values.
other_criteria <- function(rows, gain, columns) {
  if (length(gain) != 1 || !is.character(gain)) return(NULL)
  values <- unique(id_text(rows[[bare_names(gain)]]))
  number <- suppressWarnings(as.numeric(values))
  if (sum(!is.na(number)) <= 2) return(NULL)
  ends <- range(number, na.rm = TRUE)
  has_decimals <- any(number != round(number), na.rm = TRUE)
  Filter(function(column) {
    own <- suppressWarnings(range(as.numeric(rows[[column]]), na.rm = TRUE))
    all(id_text(rows[[column]]) %in% c(values, NA)) ||
      has_decimals && own[1] >= ends[1] && own[2] <= ends[2] && diff(own) > diff(ends) / 2
  }, setdiff(columns, bare_names(gain)))
}

# Raises an error for columns that may be of people or of language models, and for graders without grades.
refuse_unclear_opinions <- function(roles, rows, stated) {
  score <- roles$score
  by_judge <- length(score) > 1 && all(are_named_graders(score, "score"))
  if (length(score) && !length(unlist(stated[c("gain", "grades", "assessor")]))) {
    abort_unclear_scores(score, if (by_judge) role_code("assessor", score) else role_code("gain", score[1]),
                         role_code("grades", if (by_judge) score else score[1]))
  }
  numbers <- setdiff(repeated_numbers(rows), unlist(roles))
  check_that(!length(roles$grader) || length(roles$grades), "grades", c(
    "must be columns where the column {.val {roles$grader}} names the graders.",
    i = if (length(numbers)) "Name them: {role_code('grades', numbers)}.",
    i = "If these are people: {role_code('assessor', roles$grader)}."
  ), kind = "columns")
}

# `by_people`, `by_models`: the code that states who gave the scores.
abort_unclear_scores <- function(score, by_people, by_models) {
  abort_argument("gain", c(
    "The {cli::qty(score)}column{?s} {.val {score}} may be of people or of a language model or metric.",
    i = "If people rated, {by_people}; if not, {by_models}."), kind = "columns", columns = score)
}

# Raises an error for a column of scores of each system.
refuse_scores_of_systems <- function(roles) {
  code <- function(columns) paste(deparse(columns, width.cutoff = 500L), collapse = "")
  score <- unname(roles$score)
  stated <- function(role, scores) hint(paste0("`answer = ", code(roles$answer), ", ", role, " = ", scores, "`"),
    paste0("--columns ", paste0("answer=", roles$answer, ",", role, "=", score, collapse = ",")))
  abort_unclear_scores(score, stated("gain", code(score)), stated("grades", paste0("list(score = ", code(score), ")")))
}

refuse_unclear_roles <- function(roles, read, stated) {
  refuse_unclear_opinions(roles, read$rows, stated)
  if (is.null(stated$gain)) refuse_relevance(roles, read$rows)
  # A format may state several columns only for these two roles: one column for each assessor, or two columns that
  # identify the question.
  for (role in c("system", "query", "answer", "gain", "assessor", "context", "team")) {
    decided <- !is.null(stated[[role]]) || role %in% c("query", "assessor") && !is.null(read$roles[[role]]) ||
      role == "query" && setequal(lower_ascii(roles$query), c("instruction", "input"))
    if (!decided) refuse_candidates(roles[[role]], role)
  }
}

# Raises an error where "relevance" may be one of several criteria, as beside "coherence" and "fluency".
refuse_relevance <- function(roles, rows) {
  if (!identical(lower_ascii(roles$gain), "relevance")) return(invisible())
  others <- other_criteria(rows, roles$gain, setdiff(repeated_numbers(rows), unlist(roles)))
  refuse_candidates(c(roles$gain, others), "gain")
}

# The first column whose name ends in one that is known for the roles, such as "metadata.model", or else the first; for
# the answer, the last column without a role. Right answers come last.
likely_column <- function(roles_wanted, roles, columns) {
  open <- union(setdiff(columns, c(unlist(roles), columns[has_role(columns, "gold")])), columns)
  endings <- lapply(c("^.*[.]", "^.*[ _.:/-]|^.*[a-z](?=[A-Z])"), function(start) sub(start, "", open, perl = TRUE))
  last <- if (roles_wanted[1] == "answer") rev(union(intersect(columns, unlist(roles)), columns))
  c(open[has_role(endings[[1]], roles_wanted) | has_role(endings[[2]], roles_wanted)], last)[1]
}

# The column whose values are repeated: if `fewest`, the one with the fewest different values, which may be the names of
# systems; otherwise the one with the most, which may be questions. NULL if there is none. Numbers are left out, and if
# `fewest`, long texts are, too.
repeated_column <- function(rows, fewest) {
  rows <- rows[!vapply(rows, function(value) are_numbers(value) || fewest && is_prose(value), NA)]
  n_values <- vapply(rows, function(value) length(unique(value[!is.na(value)])), 0L)
  n_values <- n_values[n_values > 1 & n_values * (1 + fewest) < nrow(rows) + fewest]
  names(n_values)[if (fewest) which.min(n_values) else which.max(n_values)]
}

# The columns that may identify systems: `one` with their names, or one each (`wide`), with answers or ratings (`of`).
# A single column of texts beside columns of ratings is the `question`.
system_candidates <- function(roles, rows) {
  free <- setdiff(names(rows), unlist(roles[c("query", "question", "gold")]))
  one <- likely_column("system", roles, names(rows))
  if (is.na(one)) one <- repeated_column(rows[setdiff(free, unlist(roles))], fewest = TRUE)
  if (length(free) < 2 || length(c(roles$answer, roles$gain))) return(list(one = c(one, "COLUMN")[1]))
  is_number <- vapply(rows[free], are_numbers, NA)
  texts <- free[!is_number]
  of_ratings <- sum(is_number) > 1 && length(texts) <= !length(c(roles$query, roles$question))
  if (of_ratings) list(of = "gain", wide = free[is_number], question = texts) else
    list(one = one, of = "answer", wide = free)
}

# The column that may have the questions: of those in which systems have values in common, if not all the same, one with
# a known ending, or else that with the most such values. `system`: that of each row, if it is known.
likely_question <- function(roles, rows, system = rows[[c(roles$system, "")[1]]]) {
  free <- rows[setdiff(names(rows), unlist(roles))]
  n_shared <- function(value) {
    (length(unique(value)) > 1) * sum(table(unique(data.frame(system, value))$value) > 1)
  }
  shared <- if (length(system) == nrow(rows)) Filter(n_shared, free)
  likely <- likely_column(c("query", "question"), roles, names(if (length(shared)) shared else rows))
  most <- names(which.max(vapply(shared, n_shared, 0)))
  c(likely[!is.na(likely)], most, repeated_column(free, fewest = FALSE), names(free), names(rows))[1]
}

# The column that may have ratings: of numbers that differ, the first with a name such as "RAW.SCR", or else the last.
likely_rating <- function(rows) {
  numbers <- Filter(function(name) length(unique(rows[[name]])) > 1 && are_ratings(rows[[name]]), names(rows))
  found <- c(grep("rating|score|scr|rank|likert|overall", numbers, ignore.case = TRUE, value = TRUE), rev(numbers))[1]
  if (length(numbers)) paste0(if (are_lower_better(found)) "-", found)
}

# The names of columns without what Mechanical Turk writes before them.
without_form_prefix <- function(columns) sub("^(input|answer)[.:]", "", columns, ignore.case = TRUE)

# The two columns of a role that differ by "1" and "2", "a" and "b" or "left" and "right", such as "model_a" and
# "model_b".
paired_columns <- function(columns, role) {
  inner <- lower_ascii(without_form_prefix(columns))
  stem <- sub("[ _.-]*([12ab]|left|right)$|^(left|right)[ _.-]+", "", inner)
  is_pair <- stem != inner & table(stem)[stem] == 2 & has_role(stem, role)
  first <- which(stem == stem[is_pair][1])
  columns[first[order(inner[first])]]
}

# Raises an error for tables with a row per comparison of two answers, per error in an answer, or per form.
refuse_other_rows <- function(roles, rows) {
  columns <- names(rows)
  votes <- "{.fn bradley_terry} ranks systems by votes: a data frame with the columns {.field system_a},
    {.field system_b} and {.field answer} ({.val a}, {.val b} or {.val tie})."
  sides <- if (!length(roles$system)) paired_columns(columns, "system")
  check_that(!length(sides), "x", c("has votes between two systems in a row.", i = votes), kind = "columns")
  pair <- paired_columns(columns, "answer")
  check_that(length(c(roles$system, roles$answer)) || !length(pair), "x", c("has two answers in a row, {.val {pair}}.",
    i = "If each column has the answers of one system: {role_code('answer', pair)}.", i = votes), kind = "columns")
  by_error <- has_errors(columns) && !length(roles$gain)
  known <- roles[c("system", "answer", "gain", "grades", "score")]
  by_form <- !length(unlist(known)) && any(c("timestamp", "startdate") %in% name_key(columns))
  check_that(!by_form, "x", c("has a row for each person who filled in a form.",
    i = "Give a row per rating, with the system, the question, the rater and the rating."), kind = "columns")
  check_that(!by_error, "x", c("has a row for each error in an answer, with its severity.",
    i = "Give a row per answer and rater, with a rating such as the sum of -1 for a minor and -5 for a major error.",
    i = if (by_error) hint(paste0("With these rows as a data frame x: {.code ", code_of_sums(roles, rows), "}"))
  ), kind = "columns")
}

# Whether a table has a row per error in an answer, as those of MQM.
has_errors <- function(columns) all(c("category", "severity") %in% lower_ascii(columns))

# The code that makes a table of ratings from the rows of errors: the sums of the usual weights of severities.
code_of_sums <- function(roles, rows) {
  severity <- names(rows)[match("severity", lower_ascii(names(rows)))]
  levels <- gsub("([{}])", "\\1\\1", unique(rows[[severity]]))
  weight <- c(minor = -1, major = -5, critical = -25)[match(lower_ascii(levels), c("minor", "major", "critical"))]
  weight[is.na(weight)] <- 0
  query <- if (length(roles$query)) roles$query else likely_question(roles, rows)
  sprintf("x$rating <- c(%s)[x$%s]; read_answers(aggregate(rating ~ %s, x, sum), query = %s)",
          paste0('"', levels, '" = ', weight, collapse = ", "), severity,
          paste(c(roles$system, query, roles$assessor), collapse = " + "), paste(deparse(query), collapse = ""))
}

refuse_absent_roles <- function(roles, needed, rows) {
  opinions <- c(roles$answer, roles$gain, roles$grades)
  likely <- likely_column("answer", roles, names(rows))
  for (role in needed) if (!length(roles[[role]])) abort_without_role(role, roles, rows, likely, opinions)
  if (!length(opinions) && length(roles$assessor) < 2) abort_without_opinions(roles, rows, likely)
}

# `answer`: the column that is most likely to have the answers.
abort_without_role <- function(role, roles, rows, answer, opinions) {
  of_means <- role == "query" && has_means(roles$system, rows)
  found <- if (role == "system") system_candidates(roles, rows) else list(one = likely_question(roles, rows))
  abort_argument("x", c(
    "No column is known to be the {if (role == 'query') 'question' else role}.",
    x = "The columns are {.val {names(rows)}}.",
    i = if (length(found$one) && !of_means) "Name it: {role_code(role, found$one)}.",
    i = if (of_means) hint("If each row has the results of a system on several benchmarks, {.fn compare_systems}
      compares systems by a table with a row per benchmark and a column per system.", "If each row has the results of a
      system on several benchmarks, give its answers to single questions."),
    i = if (role == "system") one_system_hint(opinions, answer, rows, found$wide),
    i = if (length(found$wide)) "If each system has a column of its own, name these columns: {role_code(found$of,
      found$wide)}.",
    i = if (length(found$question)) "Name the question: {role_code('query', found$question)}."
  ), kind = "columns")
}

one_system_hint <- function(opinions, answer, rows, of_systems) {
  if (length(opinions)) return(if (!length(of_systems))
    "If all answers are of one system, add a column {.field system} with its name.")
  if (!are_numbers(rows[[answer]])) paste0("If all answers are of one system, name the answer: ",
                                           role_code("answer", answer), ".")
}

# Whether a table has a row of numbers for each system, as leaderboards do.
has_means <- function(system, rows) {
  numbers <- rows[setdiff(names(rows), system)]
  length(system) == 1 && length(numbers) > 1 && !anyDuplicated(rows[[system]]) && all(vapply(numbers, are_numbers, NA))
}

abort_without_opinions <- function(roles, rows, answer) {
  rating <- likely_rating(rows[setdiff(names(rows), unlist(roles))])
  is_answer <- !answer %in% c(unlist(roles), bare_names(rating)) && !are_numbers(rows[[answer]])
  abort_argument("x", c(
    "No column is known to be an answer, a rating or a grade.",
    x = "The columns are {.val {names(rows)}}.",
    i = if (is_answer || !length(rating)) "Name the answer: {role_code('answer', answer)}.",
    i = if (length(rating)) "Name the rating: {role_code('gain', rating)}."
  ), kind = "columns")
}

# The code of the argument, or of the option on the command line, that assigns a role to these columns; of more than 20
# columns, only the first three are shown.
role_code <- function(role, columns) {
  more <- if (length(columns) > 20) ", ..."
  columns <- unname(if (length(columns) > 20) columns[1:3] else columns)
  names <- sub("[)]$", paste0(more, ")"), paste(deparse(columns, width.cutoff = 500L), collapse = ""))
  hint(paste0("`", role, " = ", names, "`"),
       paste0("--columns ", paste0(role, "=", columns, collapse = ","), more))
}

check_role_columns <- function(stated, role, columns) {
  if (is.null(stated)) return(invisible())
  named <- role_columns(stated)
  weights <- !is.numeric(stated) || role == "gain" && !is.null(named) && all(is.finite(stated)) && any(stated != 0)
  check_that(is.character(named) && weights, role, "must be names of columns{if (role == 'gain') ', or weights named by
    columns'}, not {.obj_type_friendly {stated}}.")
  unknown <- named[!named %in% columns & !bare_names(named) %in% columns]
  check_that(!length(unknown), role, c(
    "There is no column {.val {unknown[1]}} for {.arg {role}}.",
    i = suggest_name(unknown[1], columns) %||% "The columns are {.val {columns}}."
  ), kind = "columns", columns = unknown)
}

refuse_candidates <- function(columns, role) {
  # Beside a column such as "response", "answer" often has the right answer.
  if (role == "answer") columns <- columns[order(name_key(columns) == "answer")]
  weighted <- " A weighted mean is {.code gain = c(\"{columns[1]}\" = 1, \"{columns[2]}\" = 1)}."
  check_that(length(columns) < 2, role, c(
    "{length(columns)} columns may be the {if (role == 'query') 'question' else role}: {.val {columns}}.",
    i = paste0("Say which: {role_code(role, columns[1])}.", if (role == "gain") hint(weighted),
               if (role == "query") " If they identify it together: {role_code(role, columns)}.",
               if (role == "answer") " If each is of a system: {role_code(role, columns)}.",
               if (role == "answer") " If the other has the right answers: {role_code('gold', rev(columns)[1])}.")
  ), kind = "columns", columns = columns)
}
