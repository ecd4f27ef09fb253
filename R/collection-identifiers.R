# Explains why runs and judgments have no common identifiers if they differ only in how they are written, such as 301
# and 0301: messages show one of each and the difference.

# Functions that remove a difference in writing between identifiers, named by the difference. Prefixes are tried last,
# because two sets of different identifiers may differ in their prefixes only.
id_differences <- list(
  "upper and lower case" = tolower,
  "leading zeros" = function(id) gsub("(^|[^0-9])0+(?=[0-9])", "\\1", id, perl = TRUE),
  "a decimal part of 0" = function(id) sub("[.]0+$", "", id),
  "white space or quotes" = function(id) gsub("[[:space:]\u00a0\ufeff\"']", "", id),
  "invisible characters" = without_invisible,
  "the encoding of accents in Unicode (NFC, NFD)" = without_accented,
  "the folder" = function(id) sub(".*[/\\\\]", "", id),
  "the file extension" = function(id) sub("[.][A-Za-z][A-Za-z0-9]{0,4}$", "", id),
  "case, zeros, white space, folders or extensions" = function(id) {
    for (equal in id_differences[1:8]) id <- equal(id)
    id
  },
  "a prefix" = function(id) sub("^[^0-9]+(?=[0-9])", "", id, perl = TRUE)
)

# The first identifiers of runs and of judgments that differ in only one of these ways, and the name of that way; NULL
# if there are none.
id_difference <- function(runs, judgments) {
  runs <- utils::head(setdiff(runs, judgments), 1e5)
  judgments <- utils::head(setdiff(judgments, runs), 1e5)
  for (name in names(id_differences)) {
    equal <- id_differences[[name]]
    same <- equal(judgments)
    # An identifier of which nothing is left matches no other one.
    match_index <- match(equal(runs), replace(same, !nzchar(same), NA))
    first <- which(!is.na(match_index))[1]
    if (!is.na(first)) return(list(name = name, runs = runs[first], judgments = judgments[match_index[first]]))
  }
}

# Lines of a message about identifiers that differ between runs and judgments. `kind`: "query" or "document".
unequal_ids_text <- function(runs, judgments, kind) {
  runs <- id_text(runs)
  judgments <- id_text(judgments)
  found <- id_difference(runs, judgments)
  # Long identifiers, such as addresses, often differ at their ends.
  shown <- function(id) gsub("([{}])", "\\1\\1", quoted(sub("^(.{30}).{4,}(.{27})$", "\\1...\\2", id)))
  if (!is.null(found)) {
    return(c(x = paste0("The runs have ", kind, " ", shown(found$runs), ", the judgments have ",
                        shown(found$judgments), "."),
             i = paste0("They differ in ", found$name, ": write identifiers in the same way in both.")))
  }
  if (!length(runs) || !length(judgments)) return(character())
  first <- shown(c(runs[1], judgments[1]))
  without_numbers <- gsub("[0-9]+", "0", first)
  if (without_numbers[1] == without_numbers[2])
    return(c(i = paste0("Both name ", kind, " ids alike, as ", first[1], " and ", first[2], ", but share none.")))
  c(x = paste0("The first ", kind, " of the runs is ", first[1], ", that of the judgments ", first[2], "."))
}

abort_no_common_query <- function(x, runs, judgments) {
  source_text <- if (is.character(x)) "{.file {x}}" else "the runs"
  abort_judicious(c(paste("No query of", source_text, "has judgments."), unequal_ids_text(runs, judgments, "query"),
                    i = "Lines of judgments are query, document and gain, or TREC qrels: query, 0, document and gain."),
                  "no_common_query")
}

# Warns that none of the results, or of those of some `systems`, is judged, often because the files name documents
# differently: measures are then 0, or estimated without any judgment. `runs`: the documents of these results.
warn_no_common_document <- function(runs, judgments, systems = character(), all = TRUE) {
  if (!all && !length(systems)) return(invisible())
  of <- if (all) "the runs" else "{cli::qty(systems)}system{?s} {name_some(systems)}"
  why <- if (!any(id_text(runs) %in% id_text(judgments))) unequal_ids_text(unique(runs), unique(judgments), "document")
  warn_judicious(c(paste("No result of", of, "is judged."), why), "no_common_document")
}

# Checks that judgments concern the queries and documents of a collection. Judgments of other queries only are an error
# if they `must` concern its queries, or if a known difference in writing explains why no id is the same.
check_common_ids <- function(x, judgments, must = FALSE) {
  if (!all(c("query", "doc") %in% names(judgments))) return(invisible())
  ids <- lapply(judgments[c("query", "doc")], function(column) unique(id_text(column)))
  if (anyNA(unlist(ids)) || !all(validUTF8(unlist(ids))) || !length(ids$query)) return(invisible())
  if (any(ids$query %in% x$queries$query)) {
    if (!any(ids$doc %in% x$documents$doc)) warn_no_common_document(x$documents$doc, ids$doc) else
      warn_look_alike_between(x$documents$doc, ids$doc, runs_and_judgments)
  } else if (must || !is.null(id_difference(x$queries$query, ids$query))) {
    abort_no_common_query(NULL, x$queries$query, ids$query)
  }
}

# The beginning of warnings about identifiers that look alike.
runs_and_judgments <- "Runs and judgments have the documents"
