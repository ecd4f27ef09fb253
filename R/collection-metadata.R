# Matches metadata of systems, queries and documents to the identifiers of the runs.

# One row per id, in the order of `ids`. Ids without a row in `metadata` get NA in its columns.
align_metadata <- function(ids, metadata, id, arg) {
  metadata <- as.data.frame(check_id_columns(metadata, id, arg))  # drops the classes of tibbles and data tables
  nested <- names(metadata)[vapply(metadata, is.data.frame, NA)]
  check_that(!length(nested), arg, "has a table in the column {.val {nested[1]}}, which must be a vector.",
             kind = "columns", columns = nested)
  for (column in names(Filter(is.character, metadata))) check_utf8(id_text(metadata[[column]]), column, arg)
  refuse_repeated(metadata, id, arg, c(
    "has {format_count(length(repeated))} repeated {columns} identifier{cli::qty(length(repeated))}{?s}.",
    x = "The first is {.val {first[[columns]]}}, in row {i}."), "duplicate_id")
  aligned <- metadata[match(ids, metadata[[id]]), , drop = FALSE]
  aligned[[id]] <- ids
  without_row_names(aligned)[c(id, setdiff(names(aligned), id))]
}

system_table <- function(ids, systems) {
  if (is.null(systems)) return(data.frame(system = ids, team = ids))
  systems <- check_columns(systems, c("system", "team"), "systems")
  unknown <- setdiff(ids, id_text(systems$system))
  check_that(!length(unknown), "systems", "lacks {length(unknown)} system{?s} of the runs: {name_some(unknown)}.",
             kind = "unknown_system", systems = unknown)
  without_runs <- setdiff(id_text(systems$system), ids)
  if (length(without_runs)) {
    warn_judicious("{length(without_runs)} system{?s} of {.arg systems} {?has/have} no results and {?is/are} left out:
      {name_some(without_runs)}.", "idle_system", systems = without_runs)
  }
  aligned <- align_metadata(ids, systems, "system", "systems")
  aligned$team <- check_ids(aligned$team, "team", "systems")
  aligned
}

# The team of each system according to a column `team` of the runs; NULL if there is none.
teams_in_runs <- function(runs) {
  if (is.null(runs[["team"]])) return(NULL)
  systems <- unique(data.frame(system = runs$system, team = id_text(runs$team)))
  repeated <- systems$system[duplicated(systems$system)]
  check_that(!length(repeated), "runs", "names more than one team for system{cli::qty(length(repeated))}{?s}
    {name_some(repeated)}.", kind = "contradictory_team", systems = repeated)
  systems
}

query_table <- function(ids, queries, documents) {
  if (!is.null(queries)) {
    aligned <- align_metadata(ids, queries, "query", "queries")
    warn_without_metadata(ids, id_text(queries$query), "query", "queries")
    return(check_query_weights(aligned))
  }
  are_documents <- !is.null(documents) && any(ids %in% id_text(documents$doc))
  if (!are_documents) return(data.frame(query = ids))
  documents$query <- documents$doc
  # The column `weight` of documents is left out, because it is not the weight of a query.
  align_metadata(ids, documents[setdiff(names(documents), c("doc", "weight"))], "query", "documents")
}

document_table <- function(ids, documents) {
  if (is.null(documents)) return(data.frame(doc = ids))
  aligned <- align_metadata(ids, documents, "doc", "documents")
  warn_without_metadata(ids, id_text(documents$doc), "document", "documents")
  aligned
}

warn_without_metadata <- function(ids, described, noun, arg) {
  undescribed <- setdiff(ids, described)
  if (length(undescribed)) warn_judicious(c(
    "{counted(length(undescribed), noun)} of the runs {cli::qty(length(undescribed))}{?is/are} not in {.arg {arg}}:
      {name_some(undescribed)}.", i = "Features that need metadata are NA there."
  ), "no_metadata", ids = undescribed)
}
