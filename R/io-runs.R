#' Read runs, judgments and documents
#'
#' Read the file formats of retrieval evaluation, such as TREC runs and qrels, as data frames.
#'
#' Without a header, the layout follows from the number of columns:
#'
#' - runs: 3 (`system query doc`, or MS MARCO's `query doc rank`), 4 (`system query doc rank`), 6 (TREC:
#'   `query Q0 doc rank score system`);
#' - judgments: 3 (`query doc gain`), 4 (TREC qrels: `query iteration doc gain`; for measures that need them,
#'   [evaluate()] reads `query subtopic doc gain`) and, of samples, `query iteration doc stratum gain`;
#' - documents: 2 (`doc text`), 3 (`doc artist genre`) or 4 (`doc url title text`); topics, likewise, 2 (`query text`).
#'
#' Runs and judgments may also be JSON: an object of documents for each query, as in pytrec_eval, or records.
#'
#' Topics and documents may also be JSON, JSON Lines, or TREC's `<top>`, `<topic>` and `<DOC>`. Their texts are `text`,
#' `title`, `description`, `narrative`, `url` and `image`; `contents`, `content`, `body` or `passage`, or of topics
#' `question` or a second `query`, are called `text`.
#'
#' With a header, and in Parquet files and databases, columns are identified by their names or common synonyms (`qid`,
#' `docno`, `run`, `userId`, ...); further columns are kept. Runs with ranks or scores but without a system are named
#' after their files.
#'
#' @param path Paths of one or more files of the same layout, whose rows are combined: for runs, also a folder with its
#'   subfolders, or a pattern such as `"runs/*.txt"`. Systems of the same name in several files are named after their
#'   files, with a message. Or a table or query of a database: `list(connection, "table")` or
#'   `list(connection, "SELECT ...")`, with a connection by [DBI::dbConnect()]. Parquet files need the package
#'   nanoparquet.
#' @param header TRUE or FALSE, or NA to treat the first line as a header if two or more of its fields are
#'   known names.
#' @param encoding The encoding of the files, as in [iconv()]. NULL is UTF-8, or that of a byte order mark; a
#'   file without any valid UTF-8 beyond ASCII is read as latin1, with a message, and a partly valid one is an error.
#' @param columns Names of the columns in order, such as `c("query", "doc", "gain")`, for a file without a header in
#'   another layout. NULL uses the header or the layout.
#' @order 1
#' @return A data frame with one row per result, judgment or document. `read_runs()`: `system`, `query`, `doc` (text),
#'   `rank` and `score` (numbers) if the file has them. `read_judgments()`: `query`, `doc`, `gain` (number).
#'   `read_documents()`: `doc` and one column per property of the documents, with NA for an empty field.
#' @section Details of the formats: Fields are separated by tabs, commas, semicolons or white space; files may be
#'   pipes, or compressed by gzip, bzip2 or xz. A compressed file that fails its checksum, or that unpacks to more than
#'   5e8 bytes and 100 times its size (unless `options(judicious.max_unpacked = )` allows it), is an error.
#'
#'   In files separated by commas or semicolons, a field in double quotes may contain these and line ends. In others,
#'   quotes are removed from a column that is quoted as a whole, as by [write.table()], except in TREC files and under
#'   a header without quotes. In TREC files, a line that starts with `#` and is not a valid row is a comment, which a
#'   message counts, and the tag of a run extends to the end of the line; if tags differ only after their first word,
#'   that word names the system, with a message.
#' @section Errors: `judicious_error_file`: a missing, damaged or malformed file, or one of another kind.
#'   `judicious_error_encoding`: a binary file, or text that is not in `encoding`. `judicious_error_columns`: an
#'   unknown layout, two columns of the same meaning, or text in a column of numbers.
#' @examples
#' path <- tempfile()
#' writeLines(c("301 Q0 d7 1 9.5 bm25", "301 Q0 d3 2 8.1 bm25"), path)
#' read_runs(path)
#' @export
read_runs <- function(path, header = NA, encoding = NULL, columns = NULL) {
  runs_from_path(path, "path", header, encoding, columns)
}

# The files that paths stand for: a folder has all of its files, and `*` and `?` stand for any text and character.
files_of <- function(path, arg) {
  if (!is.character(path) || !length(path)) return(path)
  files <- unlist(lapply(path, function(one) {
    if (isTRUE(dir.exists(one))) return(sort(list.files(one, full.names = TRUE, recursive = TRUE), method = "radix"))
    if (isTRUE(grepl("[*?]", one)) && !file.exists(one)) Sys.glob(one) else one
  }))
  check_that(length(files), arg, "{.arg {arg}}: there is no file in {.file {path[1]}}.", kind = "file")
  files
}

runs_from_path <- function(path, arg, header = NA, encoding = NULL, columns = NULL) {
  start_progress("Reading runs")
  layouts <- list(
    "3" = c("system", "query", "doc"),
    "4" = c("system", "query", "doc", "rank"),
    "6" = c("query", "iteration", "doc", "rank", "score", "system")
  )
  kind <- file_kind("runs", layouts, numbers = c("rank", "score"), ignored = "iteration",
                    rest = trec_tags, number_field = function(n) if (n >= 6) 5L else 0L,
                    rest_field = function(fields) if (is_trec_line(fields)) 6L else 0L, join = name_by_files,
                    understand = understood_run, in_json = "score")
  runs <- read_columns(files_of(path, arg), header, encoding, columns, kind, arg)
  first <- intersect(c("system", "query", "doc", "rank", "score"), names(runs))
  runs[c(first, setdiff(names(runs), c(first, "iteration")))]
}

# A TREC run has six fields or more, and the fifth is a score. Further words belong to the tag.
is_trec_line <- function(fields) {
  length(fields) >= 6 && !looks_like_header(fields) && !is.na(suppressWarnings(as.numeric(fields[5])))
}

# The tags of a TREC file. trec_eval uses their first word only; here, the other words are ignored if the tags differ in
# nothing else, so that notes at the end of some lines do not create systems.
trec_tags <- function(columns, path) {
  tags <- columns$system$field
  if (length(tags) == 1) return(columns)
  first <- sub("[ \t].*", "", tags)
  if (length(unique(first)) == 1) {
    inform_judicious("{.file {path}}: the tags differ after their first word, {.val {first[1]}}, which names the
      system.", "system_names", path = path, systems = tags)
    columns$system <- list(code = rep(1L, length(columns$system$code)), field = first[1])
    return(columns)
  }
  rank_code <- columns$rank$code %||% match(columns$rank$number, unique(columns$rank$number))
  place <- columns$query$code + as.double(length(columns$query$field)) * rank_code
  if (!anyDuplicated(place)) {
    inform_judicious(c(
      "{.file {path}} has {length(tags)} tags: {name_some(tags)}. Each is a system of its own.",
      i = "No query has a rank twice, as in the file of a single run: if it is one, give its lines the same tag."
    ), "system_names", path = path, systems = tags)
  }
  columns
}

# Names of the systems of files with one run each: the tags; for files that share a tag, the names of the files.
system_names <- function(tags, paths) {
  repeated <- unique(tags[duplicated(tags)])
  if (!length(repeated)) return(tags)
  inform_judicious(c(
    "Several run files have the same system {.val {repeated[1]}}.",
    i = "Such systems are called by their files instead. A run in several parts must be one file."
  ), "system_names", systems = repeated)
  make.unique(ifelse(tags %in% repeated, with_folders(basename(paths), paths), tags))
}

# The columns of a run without a header. Tables that are probably not runs, such as questions and answers, raise an
# error; see not_a_run_because().
understood_run <- function(columns, path, arg) {
  ids <- lapply(columns[c("system", "query", "doc")], id_codes)
  has_score <- !is.null(columns$rank) && any(columns$rank != floor(columns$rank), na.rm = TRUE)
  # MS MARCO's files of three columns are query, document and rank; those of ColBERT have the score, too.
  if ((is.null(columns$rank) || has_score) && is_msmarco(ids)) {
    found <- list(query = columns$system, doc = columns$query, rank = as.numeric(columns$doc), score = columns$rank)
    return(unusual_columns(found, "third", "the ranks 1, 2, 3, ... in each value of the first one", path))
  }
  if (has_score) {
    names(columns)[names(columns) == "rank"] <- "score"
    return(unusual_columns(columns, "fourth", "decimal numbers", path))
  }
  if (is.null(columns$rank) && are_scored_items(ids)) {
    found <- list(query = columns$system, doc = columns$query, score = as.numeric(columns$doc))
    return(unusual_columns(found, "third", "the scores of a recommender", path))
  }
  refuse_no_run(columns, ids, path, arg)
  columns
}

# Columns in another order than in files of their width, which a message tells.
unusual_columns <- function(columns, place, content, path) {
  columns <- Filter(length, columns)
  inform_judicious(c(
    "{.file {path}}: the {place} column has {content}, so that the columns are {.val {names(columns)}}.",
    i = "If they are not, name them in a header."
  ), "layout", path = path)
  columns
}

# Whether three columns are the user, who occurs several times, the item and the score of a recommender. Lists of
# documents with decimal identifiers, as in arXiv, repeat the first two columns; tables of values have several columns
# of decimal numbers. Most systems answer the same queries, but few users have the same items.
are_scored_items <- function(ids) {
  are_scores <- are_decimals(ids$doc$id) || !anyNA(parse_numbers_cpp(as.character(ids$doc$id))) &&
    length(ids$system$code) < length(ids$system$id) * length(ids$query$id) / 2
  are_scores && !are_decimals(ids$query$id) && anyDuplicated(ids$system$code) > 0 &&
    !anyDuplicated(data.frame(ids$system$code, ids$query$code))
}

are_decimals <- function(id) {
  mean(grepl(".", id, fixed = TRUE)) > 0.5 && all(grepl("^-?[0-9]*[.]?[0-9]+(e[+-]?[0-9]+)?$", id, ignore.case = TRUE))
}

# Whether three columns are the query, the document, and its rank. Numbers that fall from row to row are scores.
is_msmarco <- function(ids) {
  if (!all(grepl("^[0-9]{1,9}$", ids$doc$id))) return(FALSE)
  rank <- as.numeric(ids$doc$id)[ids$doc$code]
  query <- ids$system$code
  size <- tabulate(query)
  sorted <- order(query, rank)
  from <- rank[sorted][cumsum(size) - size + 1]
  counts_up <- from[1] %in% 0:1 && all(rank[sorted] == sequence(size) - 1 + from[1])
  falls <- diff(rank)[diff(query) == 0] < 0
  max(size) > 1 && counts_up && !all(falls) && !anyDuplicated(data.frame(query, ids$query$code))
}

# `ids`: the codes of the identifiers, because the texts of many rows would take much memory.
refuse_no_run <- function(columns, ids, path, arg) {
  n <- length(columns$system)
  reason <- if (n >= 3) not_a_run_because(columns, ids, n) %||% if (is.null(columns$rank)) no_documents_because(ids, n)
  check_that(is.null(reason), arg, c(
    "{.arg {arg}}: {.file {path}} does not look like a run.",
    x = reason,
    i = "The columns of a run are {.val system}, {.val query}, {.val doc} and {.val rank} or {.val score}, which a
      header can name. A table with a row per question and answer, or with a column per model, is none.",
    i = hint("If it is a run, read it by {.fn read_runs} with {.code header = FALSE} and {.arg columns}.",
             "If it is a run, give it a header with these names.")
  ), kind = "file", path = path)
}

# Why a table is probably not a run, as a cli message in which refuse_no_run() inserts values; NULL if it looks like a
# run.
not_a_run_because <- function(columns, ids, n) {
  has_score <- !is.null(columns$score)
  if (!has_score && are_times(columns$rank)) return("Its fourth column, for ranks, has times, such as
    {.val {format(columns$rank[1])}}, as in ratings by users.")
  if (all(tabulate(ids$system$code) == 1)) return("Each of its {format_count(n)} rows would be a system of its own, such
    as {.val {ids$system$id[1:2]}}.")
  if (has_score && are_values(ids, n)) return("Each of its rows would be a list of its own, and its systems would be
    {.val {utils::head(ids$system$id, 3)}}.")
  if (!has_score && are_trec_judgments(ids, columns$rank)) "Its second column is always {.val {ids$query$id}}, and ranks
    repeat, as in TREC's judgments."
}

no_documents_because <- function(ids, n) {
  if (are_texts(ids)) return("Its third column, for documents, has texts, such as
    {.val {substr(ids$doc$id[1], 1, 40)}}.")
  # None of the values in the first row occurs again.
  if (n > 3 && is_first_row_apart(ids)) "Its first line seems to be a header: {.val {ids$system$id[1]}},
    {.val {ids$query$id[1]}} and {.val {ids$doc$id[1]}} occur nowhere else."
}

# Seconds since 1970. Ranks and gains are smaller.
are_times <- function(x) is.numeric(x) && isTRUE(all(x >= 1e8))

is_first_row_apart <- function(ids) all(vapply(ids, function(one) sum(one$code == one$code[1]) == 1, NA))

are_trec_judgments <- function(ids, rank) {
  !is.null(rank) && all(ids$query$id %in% c("0", "Q0")) && anyDuplicated(data.frame(ids$system$code, rank)) > 0
}

are_values <- function(ids, n) {
  length(ids$query$id) == n && length(ids$system$id) > 1 && !anyNA(parse_numbers_cpp(as.character(ids$system$id)))
}

are_texts <- function(ids) {
  several_words <- mean(grepl("[^ ]+ +[^ ]+ +[^ ]", ids$doc$id)) > 0.5
  several_words && !anyDuplicated(data.frame(ids$system$code, ids$query$code))
}

# Names the systems of several files: a file without a column of systems is one system, with the name of the file, and
# files of one system each that have the same name get different names.
name_by_files <- function(tables, paths) {
  unnamed <- is.character(paths) &
    vapply(tables, function(table) is.null(table[["system"]]) && any(c("rank", "score") %in% names(table)), NA)
  if (any(unnamed)) {
    Map(refuse_several_systems, tables[unnamed], paths[unnamed])
    named <- make.unique(file_titles(paths[unnamed]))
    inform_judicious("{sum(unnamed)} file{?s} without a column {.val system} {cli::qty(sum(unnamed))}{?is/are} called
      by {?its name/their names}: {name_some(named)}.", "system_names", systems = named)
    tables[unnamed] <- Map(function(table, name) list2DF(c(list(system = rep(name, nrow(table))), table)),
                           tables[unnamed], named)
  }
  ids <- lapply(tables, function(table) if (!is.null(table[["system"]])) id_codes(table$system)$id)
  with_one <- which(lengths(ids) == 1)
  tags <- as.character(unlist(ids[with_one]))
  own_names <- system_names(tags, paths[with_one])
  for (i in which(own_names != tags)) {
    tables[[with_one[i]]]$system <- rep(own_names[i], nrow(tables[[with_one[i]]]))
  }
  tables
}

# Raises an error if a file without a column of systems has documents of a query several times, and another column, such
# as "name", tells the repeated results apart. Results of each query that are in order are one list, as of passages.
refuse_several_systems <- function(table, path) {
  if (!all(c("query", "doc") %in% names(table))) return(invisible())
  place <- split(table[["rank"]] %||% -table[["score"]], table$query)
  is_one_list <- !any(vapply(place, is.unsorted, NA, na.rm = TRUE, strictly = "rank" %in% names(table)))
  if (is_one_list || !anyDuplicated(combination_code(table$query, table$doc))) return(invisible())
  others <- setdiff(names(table), c("query", "doc", "rank", "score"))
  few <- Filter(function(name) length(unique(table[[name]])) %in% seq(2, nrow(table) / 2), others)
  telling <- Find(function(name) !anyDuplicated(combination_code(table$query, table$doc, table[[name]])), few)
  abort_unless(is.null(telling), c(
    "{.file {path}} has no column {.val system}, and results of a query with the same document.",
    i = "Column {.val {telling}} tells them apart: if it names the systems, call it {.val system} in the header; if not,
      keep one result of each document."
  ), "columns", path = path, columns = telling)
}

#' @rdname read_runs
#' @export
read_judgments <- function(path, header = NA, encoding = NULL, columns = NULL) {
  judgments_from_path(path, "path", header, encoding, columns)
}

# `keep`: columns that measures need. The second of four columns is read as a subtopic, and the fourth of five as the
# stratum of a sample, only if `keep` names them, because other files have other columns there.
judgments_from_path <- function(path, arg, header = NA, encoding = NULL, columns = NULL, keep = NULL) {
  kind <- judgments_kind("judgments", numbers = c("gain", "probability"))
  if ("subtopic" %in% keep) kind$layouts[["4"]][2] <- "subtopic"
  if ("stratum" %in% keep) kind$layouts[["5"]] <- c("query", "iteration", "doc", "stratum", "gain")
  judgments <- read_columns(path, header, encoding, columns, kind, arg)
  first <- c("query", "doc", "gain")
  # Columns that export_judgments() writes.
  typed <- intersect(c("seconds", "audit", "overlap", "mean", "sd", "flag", "final"), names(judgments))
  judgments[typed] <- utils::type.convert(judgments[typed], as.is = TRUE)
  judgments[c(first, setdiff(names(judgments), c(first, "iteration")))]
}

# Tables with the width of qrels whose columns are others: the ratings of MovieLens are user, item, rating and time; the
# judgments of SMART, in which CISI and other early collections are published, are query, document, 0 or 1, and a score.
understood_judgments <- function(columns, path, arg) {
  is_smart <- all(columns$doc %in% 0:1) && anyDuplicated(columns$query) > 0 &&
    anyDuplicated(list2DF(columns[c("query", "doc")])) > 0
  reason <- if (are_times(columns$gain)) "Its last column, for gains, has times, such as
    {.val {format(columns$gain[1])}}." else if (is_smart) "Its next to last column, for documents, has only
    {.val {unique(columns$doc)}}, although queries have several documents."
  check_that(is.null(reason), arg, c(
    "{.arg {arg}}: {.file {path}} does not look like judgments.",
    x = reason,
    i = if (is_smart) hint("If the columns are query, document, gain and score, read it by
      {.code read_judgments(columns = c(\"query\", \"doc\", \"gain\", \"score\"))}.",
      "If the columns are query, document, gain and score, give the file a header, such as
      {.code query doc gain score}."),
    i = if (is_smart && all(columns$doc == 0)) "If it lists only relevant documents, set their gains to 1.",
    i = if (!is_smart) hint("If these are ratings by users, read it by {.code read_judgments(columns = c(\"query\",
      \"doc\", \"gain\", \"time\"))}.", "If these are ratings by users, give the file a header, such as {.code query
      doc gain time}.")
  ), kind = "file", path = path)
  columns
}

judgments_kind <- function(what, numbers) {
  layouts <- list("3" = c("query", "doc", "gain"), "4" = c("query", "iteration", "doc", "gain"))
  file_kind(what, layouts, numbers = numbers, ignored = "iteration",
            number_field = function(n) if (n %in% 3:5) n else 0L, understand = understood_judgments,
            in_json = "gain")
}

# Reads grades from a file of the same layout as judgments, but as text: without_failed() converts them to numbers, and
# allows empty grades and words.
grades_from_path <- function(path, arg) {
  grades <- read_columns(path, NA, NULL, NULL, judgments_kind("grades", character()), arg)
  grades[intersect(c("query", "doc", "gain", "grader", "repeat"), names(grades))]
}
