# Assigns roles to the columns of a table of answers. Columns are assigned by the user, by the known format of a tool,
# or by their names, in this order.

# The columns of each role, and whether each system has a separate column of answers or ratings (`wide`).
column_roles <- function(read, stated, by_gold = FALSE) {
  columns <- setdiff(names(read$rows), file_column)
  for (role in names(stated)) check_role_columns(stated[[role]], role, columns)
  raters <- roles_of_raters(setdiff(columns, bare_names(unlist(lapply(stated, role_columns)))), stated)
  read$roles <- utils::modifyList(raters, Filter(length, read$roles))
  named_systems <- length(stated$answer) > 1 || is.character(stated$gain) && length(stated$gain) > 1
  if (named_systems) return(list(roles = wide_roles(stated, columns), wide = TRUE))
  roles <- recognised_roles(read, stated, columns)
  # Right answers determine the gains, so columns of ratings or scores are not used.
  if (by_gold) roles[c("gain", "score", "assessor")] <- NULL
  of_systems <- if (!length(roles$system)) columns_of_systems(columns)
  if (is.null(of_systems) && are_files_of_systems(roles, read)) roles$system <- file_column
  refuse_other_rows(roles, read$rows[columns])
  refuse_unclear_roles(roles, read, stated)
  is_wide <- !is.null(of_systems)
  if (length(of_systems$score)) refuse_scores_of_systems(of_systems)
  if (is_wide) roles <- c(roles[c("query", "question", "sample", "gold")], of_systems)
  refuse_absent_roles(roles, if (is_wide) "query" else c("system", "query"), read$rows[columns])
  list(roles = roles, wide = is_wide)
}

# Columns such as "Rater 1" and "Rater 2", "human1" and "human2", "ratings.ann" or "doctor_rating" have the ratings of
# one assessor, unless there is a column with the ratings of all. If there is only one, or if the only one is a mean, as
# in "avg_rating", the assessor needs no name.
roles_of_raters <- function(columns, stated) {
  lower_names <- lower_ascii(columns)
  stem <- sub("[ _.-]*([0-9]+|[ _.-][a-z])$", "", lower_names)
  # Other names of ratings are not accepted here, because they also name options of multiple choice, such as "choice_a".
  of_people <- has_role(stem, "assessor") | name_key(stem) %in% c("rating", "human", "judgment", "judgement") |
    startsWith(name_key(stem), "human") & has_role(stem, "gain")
  in_list <- grepl(".", lower_names, fixed = TRUE) & name_key(sub("[.].*", "", lower_names)) %in% rating_lists
  named <- are_named_ratings(columns)
  rater_columns <- columns[stem != lower_names & of_people | in_list | named]
  is_certain <- length(rater_columns) > 1 || any(in_list | named)
  if (!length(rater_columns)) {
    rater_columns <- columns[has_role(names_of_means(columns), "gain")]
    is_certain <- length(rater_columns) == 1
  }
  if (!is_certain || !is.null(stated$gain) || any(has_role(columns, c("gain", "assessor")))) return(list())
  stats::setNames(list(rater_columns), if (length(rater_columns) > 1) "assessor" else "gain")
}

# Whether each file has the answers of one system and is named after it. This does not apply to a table with a column
# per model, or to a single file of judgments.
are_files_of_systems <- function(roles, read) {
  !length(roles$system) && file_column %in% names(read$rows) && (length(roles$answer) || length(unique(read$part)) > 1)
}

# The columns of each role: those that the user named, or else those of the tool's format, or else those with known
# names.
recognised_roles <- function(read, stated, columns) {
  roles <- Filter(length, stated)
  # A column without any value has a role only if no other column has it, and the role is no optional one.
  empty <- Filter(function(column) !any(nzchar(read$rows[[column]]) & !is.na(read$rows[[column]])), columns)
  for (role in c("system", "query", "question", "answer", "gain", "grades", "assessor", "context", "team", "grader",
                 "sample", "score")) {
    candidates <- setdiff(columns_of_role(columns, role), unlist(roles))
    filled <- setdiff(candidates, empty)
    is_optional <- role %in% c("assessor", "context", "team", "grader", "sample")
    roles[[role]] <- roles[[role]] %||% read$roles[[role]] %||%
      if (length(filled) || is_optional) filled else candidates
  }
  roles <- with_opinions(roles, read$rows, stated)
  if (is.null(stated$sample)) roles <- with_texts_of_samples(roles, read$rows)
  open <- setdiff(c("query", "answer"), names(Filter(Negate(is.null), c(stated, read$roles))))
  if ("query" %in% open) roles <- with_texts_of_queries(without_row_ids(roles, read$rows), read$rows)
  # If questions have no ids, their texts identify them. Instruction and input are parts of one text.
  if (!length(roles$query)) roles$query <- roles$question
  roles <- with_possible_roles(roles, read$rows[columns], one_file = length(unique(read$part)) < 2)
  if (!length(roles$query)) roles$query <- roles$question
  if ("query" %in% open) roles <- without_repeated_ids(roles, read$rows)
  roles <- with_answers_of_systems(roles, read$rows, open)
  signed <- c("gain", "grades", if (length(roles$assessor) > 1) "assessor")
  for (role in setdiff(signed, names(Filter(length, stated)))) {
    lowest <- vapply(roles[[role]], lowest_is_best, NA, rows = read$rows)
    roles[[role]][lowest] <- paste0("-", roles[[role]][lowest])
  }
  roles
}

# Whether the name of a column, such as "rating (1 = best)", or the labels of its values, such as "1 - excellent", say
# that its lowest number is the best.
lowest_is_best <- function(rows, column) {
  value <- unique(id_text(rows[[column]]))
  number <- suppressWarnings(as.numeric(sub("^ *(-?[0-9.]+).*", "\\1", value)))
  best <- " *[-=:(.)]* *(is |the )?(best|excellent|perfect|outstanding|very good|strongly agree)"
  says <- function(text, number) grepl(paste0("(^|[^0-9.])", number, best), text, ignore.case = TRUE)
  range <- suppressWarnings(range(number, na.rm = TRUE))
  range[2] > max(1, range[1]) && (says(column, "[01]") || any(says(value, range[1]))) ||
    grepl("lower( is|=)? *better", column, ignore.case = TRUE)
}

# Corrects the columns of questions and answers by what systems have in common. `open`: which of these roles neither the
# user nor the format of the file states.
with_answers_of_systems <- function(roles, rows, open) {
  if (length(roles$question) > 1 && !identical(roles$query, roles$question)) roles$question <- character()
  # A column such as "source", which may be something else, has no texts of questions if many questions share them.
  n_values <- vapply(rows[c(roles$question, roles$query)], function(value) length(unique(value)), 0L)
  is_shared <- all(lengths(roles[c("question", "query")]) == 1) && n_values[1] * 2 < n_values[2]
  if (is_shared && roles$question %in% possible_columns(names(rows), "question")) roles$question <- character()
  if (any(lengths(roles[c("system", "query")]) != 1)) return(roles)
  if ("query" %in% open && numbers_answers(roles, rows)) roles$query <- roles$question
  if ("answer" %in% open) roles$answer <- differing_answers(roles, rows)
  roles
}

# If a column "sample" has long texts, these are the answers rather than the numbers of samples.
with_texts_of_samples <- function(roles, rows) {
  are_texts <- length(roles$sample) == 1 && !length(roles$answer) && is_prose(rows[[roles$sample]])
  if (are_texts) roles[c("answer", "sample")] <- list(roles$sample, character())
  roles
}

# If there are two columns of ids, and one has another value in every row, it identifies rows rather than questions.
without_row_ids <- function(roles, rows) {
  identifies_rows <- !vapply(roles$query, function(column) anyDuplicated(rows[[column]]) > 0, NA)
  question <- roles$query[!identifies_rows]
  place <- rows[c(question, unlist(roles[c("system", "sample", "assessor")]))]
  if (length(question) == 1 && length(roles$system) && !anyDuplicated(place)) roles$query <- question
  roles
}

# If most ids are those within documents, so that a system has answers to several texts with the same id, which other
# systems answer too, these texts identify the questions.
without_repeated_ids <- function(roles, rows) {
  if (any(lengths(roles[c("query", "question")]) != 1) || roles$query == roles$question) return(roles)
  asked <- unique(rows[c(roles$query, roles$question, roles$system, intersect(file_column, names(rows)))])
  asked <- asked[!is.na(asked[[2]]) & nzchar(asked[[2]]), , drop = FALSE]
  ids <- unique(asked[-2])
  repeated <- unique(asked[-2][duplicated(asked[-2]), , drop = FALSE])
  systems <- unique(asked[-(1:2)])
  if (2 * nrow(repeated) > nrow(ids) && (nrow(systems) < 2 || anyDuplicated(asked[[2]]))) roles$query <- roles$question
  roles
}

# If there are a column of ids, such as "qid", and one such as "query", the latter has the texts of the questions.
with_texts_of_queries <- function(roles, rows) {
  is_id <- grepl("id$", name_key(roles$query))
  text <- roles$query[!is_id]
  if (sum(is_id) != 1 || length(text) != 1 || are_numbers(rows[[text]])) return(roles)
  roles$query <- roles$query[is_id]
  if (!length(roles$question)) roles$question <- text
  roles
}

# Whether the ids are those of answers rather than of questions: no two systems have an id in common, but some have
# texts of questions in common.
numbers_answers <- function(roles, rows) {
  if (length(roles$question) != 1) return(FALSE)
  place <- unique(rows[c(roles$system, roles$query, roles$question)])
  !anyDuplicated(place[[2]]) && anyDuplicated(place[[3]]) && !anyDuplicated(place[c(1, 3)])
}

# The columns of answers that differ between systems, because a column that is the same for all has the right answers;
# if none differs, all columns of answers, or none if ratings or grades tell the systems apart, because such a column,
# as "Target" with a language, would make the answers of all systems one document.
differing_answers <- function(roles, rows) {
  differs <- function(column) nrow(unique(rows[c(roles$query, column)])) > length(unique(rows[[roles$query]]))
  possible <- if (length(roles$answer)) setdiff(possible_columns(names(rows), "answer"), unlist(roles))
  for (columns in list(roles$answer, possible)) if (length(found <- Filter(differs, columns))) return(found)
  place <- unique(rows[c(roles$system, roles$query)])
  is_answered_alike <- anyDuplicated(place[[2]]) && length(unique(place[[2]])) > 1 && !length(roles$gold)
  if (is_answered_alike && length(unlist(roles[c("gain", "grades", "score")]))) character() else roles$answer
}

# Corrects which columns are ratings and grades by what they hold.
with_opinions <- function(roles, rows, stated) {
  # An explanation by a language model may have the name of a rating, such as "judgment".
  if (is.null(stated$gain)) roles$gain <- Filter(function(column) !is_prose(rows[[column]]), roles$gain)
  # What assessors state in numbers, such as "response", is a rating.
  only_answer <- lengths(roles[c("assessor", "answer")]) == 1 & !length(unlist(roles[c("gain", "grades", "score")]))
  if (all(only_answer) && is.null(stated$answer) && are_numbers(rows[[roles$answer]])) {
    roles[c("gain", "answer")] <- list(roles$answer, character())
  }
  roles <- with_judges(roles, rows, stated)
  has_opinions <- length(unlist(roles[c("gain", "grades", "score", "assessor")])) > 0
  if (!has_opinions) roles <- with_opinions_by_name(roles, rows, c(unlist(roles), bare_names(unlist(stated))))
  # A column of graders tells that scores are grades.
  if (length(roles$grader) && !length(roles$grades)) roles[c("grades", "score")] <- list(roles$score, character())
  roles
}

# Where no column has a known name of an opinion, ratings are results of tests, such as "pass" and "timeout" in a column
# "status", and means of scores are scores. `used`: the columns that have another role.
with_opinions_by_name <- function(roles, rows, used) {
  open <- setdiff(names(rows), used)
  roles$gain <- Filter(function(column) are_results(rows[[column]]), open)
  means <- open[has_role(names_of_means(open), "score")]
  if (!length(roles$gain)) roles$score <- Filter(function(column) are_ratings(rows[[column]]), means)
  roles
}

are_results <- function(value) {
  words <- lower_ascii(value[!is.na(value) & nzchar(value)])
  is.character(value) && any(words %in% c("pass", "passed", "fail", "failed")) &&
    all(words %in% c(right_words, wrong_words))
}

# A column "judge" has grades or, beside ratings or grades, the names of the raters or graders. If nothing tells which
# of the two they are, the ratings count as scores, whose role the user must state.
with_judges <- function(roles, rows, stated) {
  judge <- setdiff(judge_columns(rows), unlist(stated))
  roles$grades <- setdiff(roles$grades, judge)
  if (length(judge) != 1 || !length(unlist(roles[c("gain", "grades", "score")]))) {
    roles$grades <- c(roles$grades, judge)
  } else if (length(roles$grades)) {
    roles$grader <- c(roles$grader, judge)
  } else if (!is.null(stated$gain)) {
    roles$assessor <- c(roles$assessor, judge)[1]
  } else if (!length(roles$score)) {
    roles[c("score", "gain")] <- list(roles$gain, character())
  }
  roles
}

# The columns that differ in every row, such as "run_id": where there are several questions, they name no systems.
row_ids <- function(rows, query) {
  if (nrow(unique(query)) > 1) names(Filter(function(column) !anyDuplicated(column), rows))
}

# Assigns columns whose names may mean something else to the roles that no column has. Of several files, each may be a
# system.
with_possible_roles <- function(roles, rows, one_file) {
  opinions <- unlist(roles[c("gain", "grades", "score")])
  for (role in c(if (one_file) "system", "query", "question", "answer")) {
    # Where the question is not known, a text beside ratings, or in a table without systems, may be the question.
    has_systems <- length(roles$system) || !one_file
    is_open <- role != "answer" || length(roles$question) || has_systems && !length(opinions)
    if (length(roles[[role]])) next
    possible <- setdiff(possible_columns(names(rows), role), unlist(roles))
    if (!is_open) possible <- possible[are_composed(possible, role)]
    roles[[role]] <- if (role == "system") setdiff(possible, row_ids(rows[possible], rows[roles$query])) else possible
  }
  roles
}

wide_roles <- function(stated, columns) {
  check_that(is.null(stated$system), "system", "must be left out where each system has a column of its own.")
  systems <- names(stated$answer) %||% names(stated$gain) %||% stated$answer %||% bare_names(stated$gain)
  # The command line has no lists: the columns of each grader follow one another.
  if (is.character(stated$grades) && length(stated$grades) %% length(systems) == 0) {
    first <- seq(1, length(stated$grades), length(systems))
    stated$grades <- lapply(stats::setNames(first, stated$grades[first]), function(i) {
      stated$grades[i - 1 + seq_along(systems)]
    })
  }
  sizes <- c(lengths(stated[c("answer", "gain")]), if (is.list(stated$grades)) lengths(stated$grades))
  check_that(all(sizes %in% c(0, length(systems))), "gain",
             "must have one column for each of the {length(systems)} systems, in their order.")
  check_that(is.null(stated$grades) || is.list(stated$grades) && has_distinct_names(stated$grades), "grades", "must be a
    list of columns in the order of the systems, named by graders, such as {.code list(gpt4 = c(...))}.")
  named <- function(role) columns[has_role(columns, role)]
  query <- stated$query %||% named("query")
  if (!length(query)) query <- named("question")
  refuse_candidates(if (is.null(stated$query)) query, "query")
  check_that(length(query), "query", "is missing: which column is the question? The columns are {.val {columns}}.",
             kind = "columns")
  question <- stated$question %||% named("question")
  by_system <- function(role_columns) if (length(role_columns)) stats::setNames(role_columns, systems)
  list(query = query, question = if (length(question) == 1) question, sample = stated$sample, gold = stated$gold,
       answer = by_system(stated$answer), gain = by_system(stated$gain), grades = lapply(stated$grades, by_system))
}

# The roles that users can name, in the order of the arguments of read_answers().
answer_roles <- c("system", "query", "answer", "gain", "grades", "assessor", "context", "question", "team", "sample",
                  "gold")

# A message with the arguments that produce the same result without recognising names, and with the unused columns.
report_roles <- function(roles, read, x_code) {
  used <- Filter(length, roles[setdiff(names(roles), "score")])
  unused <- setdiff(names(read$rows), c(bare_names(unlist(lapply(used, role_columns))), unlist(used), file_column))
  numbers <- repeated_numbers(read$rows[unused[!has_role(unused, roles_of_answers)]])
  is_open <- is.null(read$gold) && !length(used$gain)
  rated <- if (is_open && !length(c(used$assessor, used$gold))) columns_of_people(numbers, is.null(used$grades))
  upright <- doubtful_directions(read$rows, unlist(Filter(is.character, used[c("gain", "grades")])))
  criteria <- other_criteria(read$rows, used$gain, numbers)
  right <- if (is_open) unused[has_role(unused, "gold")]
  models <- models_among_raters(used$assessor, read$rows)
  of_file <- names(used)[vapply(used, identical, NA, file_column)]
  shown <- used[setdiff(intersect(answer_roles, names(used)), of_file)]
  call_text <- roles_call(shown, x_code)
  options <- paste0("--columns ", paste(unlist(Map(function(role, value) paste0(role, "=", role_columns(value)),
                                                   names(shown), shown)), collapse = ","))
  text <- hint(call_text, options)
  format <- if (nzchar(read$format)) paste0(" in the format of ", read$format)
  inform_judicious(c("Answers{format} read as {.code {text}}.",
                     i = if (length(unused)) "Not used: {.val {unused}}.",
                     i = if (length(models)) "If {.val {models}} {cli::qty(models)}{?is a language model/are language
                       models}, {?its/their} ratings are no ratings by people: give them a column of grades.",
                     i = if ("assessor" %in% of_file) "Each file has the ratings of one rater, named like the file.",
                     i = if ("grader" %in% of_file) "Each file has the grades of one grader, named like the file.",
                     i = if (length(rated)) "If {.val {rated[1]}} has ratings: {code_of_ratings(rated[1])}; if people
                       have a column each,
                       {role_code('assessor', if (length(rated) > 1) rated else c(rated, 'COLUMN'))}.",
                     i = if (length(criteria)) paste0("{.val {criteria}} may be {cli::qty(criteria)}{?a further
                       criterion/further criteria}.", hint(" A weighted mean is {.code gain = c(\"{used$gain}\" = 1,
                       \"{criteria[1]}\" = 1)}.")),
                     i = if (length(upright)) "Higher {.val {upright}} counts as better; if lower is better, write
                       {.val {paste0('-', upright[1])}}.",
                     i = if (length(right)) hint("If {.val {right[1]}} has the right answers: {.code gold =
                       \"{right[1]}\"}.", "If {.val {right[1]}} has the right answers: --gold {right[1]}.")),
                   "answers", code = call_text, unused = unused)
}

code_of_ratings <- function(column) role_code("gain", paste0(if (are_lower_better(column)) "-", column))

# The names of raters, if a column has them, that look like those of language models.
models_among_raters <- function(assessor, rows) {
  if (length(assessor) == 1) grep(model_names, unique(rows[[assessor]]), ignore.case = TRUE, value = TRUE)
}

roles_call <- function(shown, x_code) {
  code <- function(value) paste(deparse(if (is.list(value) && !length(value)) NULL else value, width.cutoff = 500L),
                                collapse = "")
  paste0("read_answers(", paste(c(x_code, paste(names(shown), "=", vapply(shown, code, ""))), collapse = ", "), ")")
}

# The columns without a minus sign in which lower numbers may be better.
doubtful_directions <- function(rows, columns) {
  Filter(function(column) are_lower_better(column) || lowest_is_best(rows, column), intersect(columns, names(rows)))
}

# The columns that may have ratings: those of numbers whose names begin alike, such as "Rating Ann" and "Rating Bob", or
# else, if `any`, the first.
columns_of_people <- function(numbers, any) {
  numbers <- numbers[!has_role(numbers, "gold")]
  first <- sub("[ _.:-].*", "", numbers)
  named <- first[has_role(first, c("gain", "assessor", "score"))][1]
  if (is.na(named)) numbers[any & seq_along(numbers) == 1] else numbers[first == named]
}

# Whether a file has answers rather than runs: JSON, or a table with columns for a question and an answer, rating or
# grade, but none for a document.
holds_answers <- function(path) {
  if (!is.character(path) || !isTRUE(file.exists(path[1]))) return(FALSE)
  if (dir.exists(path[1])) path <- list.files(path[1], full.names = TRUE, recursive = TRUE)
  if (!length(path)) return(FALSE)
  columns <- columns_of_file(path[1])
  if (is.null(columns) || has_errors(columns)) return(TRUE)
  known <- lapply(stats::setNames(nm = c("query", "question", "answer", "gain", "grades")), columns_of_role,
                  columns = columns)
  of_answers <- setdiff(unlist(known[c("answer", "gain", "grades")]), c("relevance", "label"))
  length(c(known$query, known$question)) && !any(header_words(columns) %in% field_names()$doc) &&
    length(c(of_answers, columns_of_systems(columns), columns[are_outputs(columns)])) > 0
}
