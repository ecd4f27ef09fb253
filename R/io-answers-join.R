# Joins the files of answers, ratings and grades to one table, in which columns of the same role have one name, and
# every rating has the system and the question of its answer.

#' Read answers from one or several files, a database or a data frame
#'
#' @return A list of `rows`, a data frame of numbers and text; `roles`, the roles of columns that a tool's format
#'   states; `format`, its name, or "" for a table; `part`, the number of the file of each row, or NULL; and
#'   `decimal_comma`, whether no file separates columns by commas, so that commas can be decimal marks.
#' @noRd
answer_rows <- function(x, stated, arg) {
  named <- bare_names(unlist(lapply(stated, role_columns)))
  if (is.data.frame(x)) {
    twice <- names(x)[anyDuplicated(names(x))]
    check_that(!length(twice), arg, "has more than one column {.val {twice}}.", kind = "columns", columns = twice)
    frame <- plain_values(plain_frame(x), arg, exact = TRUE)
    has_lists <- any(vapply(frame, is.list, NA)) && nrow(frame) > 0
    read <- if (has_lists) understood_answers(NULL, records_in_rows(frame)) else
      understood_answers(list2DF(lapply(frame, flat_column)), NULL, named)
    for (name in names(Filter(is.character, read$rows))) check_utf8(read$rows[[name]], name, arg)
    return(read)
  }
  if (is_database_table(x)) return(understood_answers(database_rows(database_table(x, arg)), NULL, named))
  check_paths(x, arg)
  paths <- files_of(x, arg)
  files <- copy_pipes(paths)
  copies <- setdiff(files, paths)
  on.exit(unlink(dirname(copies), recursive = TRUE))
  parts <- lapply(files, read_answer_file, arg, named)
  # Skips the file of means that the harness writes beside the samples, and the list of logs of Inspect and vitals.
  is_summary <- vapply(parts, function(part) part$format %in% c("means", "listing"), NA)
  kept <- !is_summary | all(is_summary)
  joined_parts(parts[kept], paths[kept], stated, arg)
}

# The rows of a data frame with lists or data frames in its columns, as jsonlite::fromJSON() returns it, as records of
# JSON.
records_in_rows <- function(frame) {
  columns <- lapply(frame, function(values) {
    if (is.data.frame(values)) return(records_in_rows(values))
    if (is.matrix(values)) values <- split(values, row(values))
    if (!is.list(values)) return(as.list(if (is.object(values)) id_text(values) else values))
    # Vectors become arrays, if any of them has several elements.
    several <- any(lengths(values) > 1)
    lapply(unname(values), function(one) {
      if (is.data.frame(one)) records_in_rows(one) else if (several && !is.list(one)) as.list(one) else one
    })
  })
  lapply(seq_len(nrow(frame)), function(i) lapply(columns, `[[`, i))
}

# `stated`: the columns that the user names, by role.
joined_parts <- function(parts, paths, stated, arg) {
  refuse_files_without_rows(parts, paths, arg)
  questions <- question_table(parts)
  if (length(questions)) {
    parts <- lapply(parts[-questions], with_questions, parts[[questions]])
    paths <- paths[-questions]
  }
  format <- vapply(parts, `[[`, "", "format")
  of_files <- file_names(parts, paths, format)
  parts <- parts_with_systems(parts, of_files, format)
  if (length(parts) > 1) parts <- parts_of_same_names(parts, stated)
  roles <- roles_of_parts(parts)
  tables <- lapply(parts, `[[`, "rows")
  has_tasks <- format == "Inspect" | !is.na(of_files$task)
  if (any(has_tasks)) {
    # Questions are numbered within a task, so the task is part of their identifier.
    several <- length(unique(unlist(lapply(tables[has_tasks], `[[`, "task")))) > 1
    if (several) roles$query <- c("task", unique(unlist(lapply(parts, part_columns, "query")))) else
      tables[has_tasks] <- lapply(tables[has_tasks], function(table) table[names(table) != "task"])
  }
  tables <- completed_tables(tables, utils::modifyList(roles, Filter(is.character, stated)), paths, arg)
  parts <- Map(function(part, table) replace(part, "rows", list(table)), parts, tables)
  parts <- with_raters_of_files(parts, of_files$system, "gain", "assessor", stated)
  parts <- with_raters_of_files(parts, of_files$system, "grades", "grader", stated)
  if (length(parts) > 1) parts <- parts_of_same_names(parts, stated)
  roles[c("assessor", "grader")] <- roles_of_parts(parts)[c("assessor", "grader")]
  list(rows = stacked_tables(lapply(parts, `[[`, "rows")), roles = roles,
       format = paste(setdiff(format, ""), collapse = " and "), part = rep(seq_along(tables), vapply(tables, nrow, 0L)),
       decimal_comma = all(vapply(parts, function(part) isTRUE(part$decimal_comma), NA)))
}

# The columns of the roles that the formats of the files state.
roles_of_parts <- function(parts) {
  stated <- unique(unlist(lapply(parts, function(part) names(part$roles))))
  lapply(stats::setNames(nm = stated), function(role) unique(unlist(lapply(parts, part_columns, role))))
}

part_columns <- function(part, role) part$roles[[role]] %||% columns_of_role(names(part$rows), role)

# The number of the only table of questions, if the other tables have ids in it.
question_table <- function(parts) {
  found <- which(vapply(parts, is_question_table, NA))
  if (length(found) != 1 || length(parts) < 2) return(integer())
  ids <- function(part) unlist(lapply(part$rows[part_columns(part, "query")], id_text))
  if (any(unlist(lapply(parts[-found], ids)) %in% ids(parts[[found]]))) found else integer()
}

# Whether a table has questions by their ids, perhaps with right answers, but neither systems nor anything about
# answers.
is_question_table <- function(part) {
  has <- function(role) length(part_columns(part, role)) > 0
  query <- part_columns(part, "query")
  about_answers <- c("system", "answer", "gain", "grades", "score", "assessor", "grader", "sample")
  !nzchar(part$format) && length(query) == 1 && !anyDuplicated(part$rows[[query]]) &&
    !any(vapply(about_answers, has, NA)) && length(question_columns(part)) == 1
}

# The column of the question, which may be called "text".
question_columns <- function(part) {
  question <- part_columns(part, "question")
  if (length(question)) question else possible_columns(names(part$rows), "answer")
}

# Adds the texts and right answers of questions to the rows of their answers.
with_questions <- function(part, questions) {
  query <- part_columns(part, "query")
  if (length(query) != 1) return(part)
  row <- match(id_text(part$rows[[query]]), id_text(questions$rows[[part_columns(questions, "query")]]))
  if (!length(part_columns(part, "question"))) part$rows$question <- questions$rows[[question_columns(questions)]][row]
  gold <- setdiff(part_columns(questions, "gold"), names(part$rows))
  part$rows[gold] <- questions$rows[row, gold, drop = FALSE]
  part
}

refuse_files_without_rows <- function(parts, paths, arg) {
  empty <- Find(function(i) !nrow(parts[[i]]$rows), seq_along(parts))
  check_that(is.null(empty), arg, c(
    "{.arg {arg}}: {.file {paths[empty]}} has no rows.",
    i = switch(parts[[empty]]$format, means = "It has the means of lm-evaluation-harness; its option
      {.code --log_samples} also writes the answers, to files samples_*.jsonl. Give these, or their folder.",
      listing = "It lists logs of Inspect. Give these, or their folder.",
      Inspect = "It is a log of Inspect without samples, as of an evaluation that failed.")
  ), kind = "columns", path = paths[empty])
}

# If a file has no column for the system, its answers are of one system, named like the file, even if other files have
# such a column. `of_files`: the `system` and the `task` of each file.
parts_with_systems <- function(parts, of_files, format) {
  named <- lapply(parts, part_columns, "system")
  # doccano writes a file for each assessor.
  by_assessor <- length(unlist(named)) && length(parts) > 1 && all(format == "doccano")
  if (by_assessor) return(Map(with_rater_of_file, parts, of_files$system, "assessor"))
  Map(function(part, file_name, task, systems) {
    if (!is.na(task)) part$rows$task <- rep(task, nrow(part$rows))
    # In a file of ratings, a column of answers only identifies the rated answers, so the file is not of one system.
    is_system <- !length(systems) && length(part_columns(part, "answer")) && !length(part_columns(part, "assessor"))
    column <- if (!length(unlist(named))) file_column else if (is_system) unlist(named)[1]
    if (!is.null(column)) part$rows <- cbind(stats::setNames(data.frame(file_name), column), part$rows)
    part
  }, parts, of_files$system, of_files$task, named)
}

# The `system` of each file, if its answers are of one, and the `task` or NA: from the names of the files, or else, if
# each file names another system once for all its answers, from their content. Names such as
# "mmlu:subject=law,model=gpt", as of HELM, state both.
file_names <- function(parts, paths, format) {
  system <- file_systems(paths, format)
  setting <- "[,:]?(model|system)=([^,/]+)"
  if (all(format == "" & grepl(setting, system))) {
    return(list(system = sub(paste0(".*?", setting, ".*"), "\\2", system), task = sub(setting, "", system)))
  }
  stated <- vapply(parts, function(part) part$system %||% NA_character_, "")
  if (!anyNA(stated) && !anyDuplicated(stated)) system <- stated
  list(system = system, task = ifelse(format == "lm-evaluation-harness", harness_task(paths), NA))
}

with_rater_of_file <- function(part, file_name, rater) {
  part$rows[[file_column]] <- rep(file_name, nrow(part$rows))
  part$roles[[rater]] <- file_column
  part
}

# If several files rate the same answers in columns of the same name, not all of them equally, and do not name the
# raters, each file has the ratings of one rater, named like the file; but files of one system each, such as those of
# answers, have the ratings of one. The same holds for grades and graders.
with_raters_of_files <- function(parts, file_names, opinion, rater, stated) {
  if (length(parts) < 2) return(parts)
  rated <- lapply(parts, rated_answers, opinion, rater, stated)
  ratings <- do.call(rbind, rated)
  differ <- function(column) anyDuplicated(unique(ratings[!is.na(ratings[[column]]), c("key", column)])$key) > 0
  is_twice <- any(vapply(rated, function(one) anyDuplicated(one$key), 0L))
  if (is.null(ratings) || is_twice || differ("answer") || !differ("value")) return(parts)
  systems <- lapply(rated, function(one) unique(one$system))
  of_one <- lengths(systems) == 1 & !systems %in% systems[duplicated(systems)]
  if (sum(of_one) > 1) file_names[of_one] <- NA
  is_rated <- lengths(systems) > 0
  parts[is_rated] <- Map(with_rater_of_file, parts[is_rated], file_names[is_rated], rater)
  parts
}

# The ratings in a file that does not name the raters: a `key` of the system, the question and the column, the `system`,
# the text of the `answer` or NA, and the `value`. NULL in other files.
rated_answers <- function(part, opinion, rater, stated) {
  columns_of <- function(role) {
    named <- bare_names(role_columns(stated[[role]]))
    if (length(named)) intersect(named, names(part$rows)) else part_columns(part, role)
  }
  place <- lapply(c("system", "query"), columns_of)
  if (!length(place[[2]])) place[[2]] <- columns_of("question")
  numbered <- c(columns_of(rater), columns_of("sample"), judge_columns(part$rows))
  if (any(lengths(place) != 1) || length(numbered)) return(NULL)
  answer <- columns_of("answer")
  do.call(rbind, lapply(columns_of(opinion), function(column) {
    rows <- part$rows[!is.na(part$rows[[column]]) & part$rows[[column]] != "", , drop = FALSE]
    data.frame(key = text_key(row_keys(rows, unlist(place)), rep(column, nrow(rows))),
               system = id_text(rows[[place[[1]]]]),
               answer = if (length(answer) == 1) id_text(rows[[answer]]) else rep(NA_character_, nrow(rows)),
               value = id_text(rows[[column]]))
  }))
}

# Renames columns such that those of a role have one name: the user's, or that in the first file.
parts_of_same_names <- function(parts, stated) {
  # `gold` may name a file instead of a column.
  columns <- unlist(lapply(parts, function(part) names(part$rows)))
  stated <- lapply(Filter(is.character, stated), intersect, columns)
  for (role in c("system", "query", "question", "answer", "assessor", "context", "team", "grader", "sample", "gold")) {
    found <- lapply(parts, part_columns, role)
    # Tables without known names may use those of a tool's format in another file.
    found <- Map(function(part, columns) if (length(columns)) columns else intersect(names(part$rows), unlist(found)),
               parts, found)
    name <- c(stated[[role]], unlist(found[lengths(found) == 1]))[1]
    if (is.null(name) || length(stated[[role]]) > 1) next
    beside <- unlist(lapply(parts, function(part) if (name %in% names(part$rows)) names(part$rows)))
    parts <- Map(function(part, column) {
      if (length(column) != 1 || column %in% beside) return(part)
      names(part$rows)[names(part$rows) == column] <- name
      part$roles <- lapply(part$roles, function(columns) replace(columns, columns == column, name))
      part
    }, parts, found)
  }
  parts
}

# Adds systems and questions to tables of ratings that lack them, from the rated answers in the other tables.
completed_tables <- function(tables, roles, paths, arg) {
  columns <- unique(unlist(lapply(tables, names)))
  columns_of <- function(role) roles[[role]] %||% columns_of_role(columns, role)
  query <- columns_of("query")
  needed <- intersect(c(columns_of("system"), if (length(query)) query else columns_of("question")), columns)
  is_whole <- vapply(tables, function(table) all(needed %in% names(table)), NA)
  has_answer <- vapply(tables, function(table) any(columns_of("answer") %in% names(table)), NA)
  sources <- is_whole & (has_answer | !any(has_answer & is_whole))
  if (all(sources) || !any(sources)) return(tables)
  rated <- stacked_tables(tables[sources])
  opinions <- unlist(lapply(c("gain", "grades", "score", "assessor", "grader"), columns_of))
  tables[!sources] <- Map(function(table, path) {
    lacking <- setdiff(needed, names(table))
    key <- if (!length(lacking)) needed else answer_key(table, rated, needed, c(query, columns_of("answer")), opinions,
                                                          c(columns_of("question"), columns_of("answer")))
    check_that(length(key), arg, c(
      "{.arg {arg}}: {.file {path}} has no column {.val {lacking[1]}}, and no other column that tells which answers its
        rows are of.",
      i = "Give its rows the system and the question, or an id that the answers have, too, in a column of the same
        name."
    ), kind = "columns")
    # If several systems gave the same answer, each assessor rates it as many times: the ratings are assigned in order.
    own_keys <- repeated_keys(table, key, intersect(columns_of("assessor"), names(table)))
    source_row <- match(own_keys, repeated_keys(rated, key))
    source_row <- ifelse(is.na(source_row), match(row_keys(table, key), row_keys(rated, key)), source_row)
    unmatched <- which(is.na(source_row))
    report <- if (length(lacking)) abort_judicious else inform_judicious
    if (length(unmatched)) {
      report(c(
        "{.arg {arg}}: {format_count(length(unmatched))} of {counted(nrow(table), 'row')} of {.file {path}}
          {cli::qty(length(unmatched))}{?belongs/belong} to no answer in the other files.",
        x = "The first has {.field {key}} {.val {unlist(table[unmatched[1], key])}}."
      ), "unknown_pair", rows = unmatched)
    }
    table[lacking] <- rated[source_row, lacking]
    table
  }, tables[!sources], paths[!sources])
  tables
}

# The columns that join the rows of a table to the answers in `rated`: a single shared column that suffices, such as an
# id, or else all shared ones; columns of `opinions`, such as gains and assessors, never join. Identical answers
# (`text`) to a question are one document. A column of row numbers is not an id: it would join rows whose texts
# (`shown`) mostly differ.
answer_key <- function(table, rated, needed, text, opinions, shown) {
  shared <- setdiff(intersect(names(table), names(rated)), opinions)
  same <- intersect(if (any(setdiff(text, needed) %in% shared)) text else needed, names(rated))
  shown <- intersect(shown, shared)
  agrees <- function(columns) {
    source_row <- match(row_keys(table, columns), row_keys(rated, columns))
    plain <- function(rows) gsub("[[:space:]]+", " ", row_keys(rows, shown))
    !length(shown) || all(is.na(source_row)) || mean(plain(table) == plain(rated[source_row, ]), na.rm = TRUE) > 0.5
  }
  Find(function(columns) {
    !anyDuplicated(row_keys(unique(rated[unique(c(columns, same))]), columns)) && agrees(columns)
  }, c(as.list(shared), if (length(shared)) list(shared)))
}

repeated_keys <- function(rows, columns, within = NULL) {
  key <- row_keys(rows, columns)
  text_key(key, stats::ave(seq_along(key), row_keys(rows, c(columns, within)), FUN = seq_along))
}

# The name of the column that is added to files without a column for the system.
file_column <- "(file)"

# The systems of files, from the files' names. The harness stores the results of a model in a folder with its name, one
# file per task.
file_systems <- function(paths, format) {
  of_harness <- format == "lm-evaluation-harness"
  name <- gsub("__", "/", basename(dirname(normalizePath(paths))))
  name[!of_harness] <- file_titles(paths[!of_harness])
  key <- ifelse(of_harness, paste(name, harness_task(paths)), name)
  occurrence <- stats::ave(seq_along(name), key, FUN = seq_along) - 1
  ifelse(occurrence > 0, paste0(name, ".", occurrence), name)
}

harness_task <- function(path) sub("^samples_(.+?)(_[0-9]{4}-[0-9]{2}-[0-9]{2}T.*)?[.]jsonl?.*$", "\\1", basename(path))
