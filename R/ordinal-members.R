#' Define multi-membership terms for random effects
#'
#' Defines the groups of each row for a random term such as `(1 | multi_membership(systems))` in [pom()]. Use it if a
#' row can belong to several groups, its members, such as the systems that retrieved a document. Its effect is then the
#' mean or the sum of their effects.
#'
#' @param x The members of each row: a list with one vector of names or numbers per row; a matrix with one row per row
#'   of the data and one column per member, dense or sparse (package Matrix), of weights, finite and at least 0; or a
#'   [test_collection()], for the systems that retrieved each pair of its pool. A member that occurs twice in a row
#'   counts twice. A row whose only member is `NA` is a missing value; one without members raises
#'   `judicious_error_members`.
#' @param weights `"mean"`: the members' effects are averaged, so that rows with many members vary less; `"sum"`: they
#'   are added.
#' @return An integer vector with class `judicious_members`, one element per row, that can be subset like a factor.
#' @references Browne, W. J., Goldstein, H. and Rasbash, J. (2001). Multiple membership multiple classification (MMMC)
#'   models. Statistical Modelling 1, 103-124.
#' @examples
#' multi_membership(list(c("A", "B"), "A", c("B", "C", "D")))
#' @export
multi_membership <- function(x, weights = c("mean", "sum")) {
  if (inherits(x, "judicious_members")) return(x)
  weights <- check_choice(weights, c("mean", "sum"), "weights")
  sets <- if (inherits(x, "judicious_collection")) {
    list(row = result_pair(x), member = x$results$system, weight = rep(1, n_results(x)), names = x$systems$system,
         n = n_pairs(x))
  } else if (inherits(x, "Matrix") || (is.matrix(x) && (is.numeric(x) || is.logical(x)))) {
    matrix_sets(x)
  } else if (is.list(x) && !is.data.frame(x)) {
    list_sets(x)
  } else {
    abort_argument("x",
                   "must be a list with the members of each row, or an incidence matrix, not {.obj_type_friendly {x}}.")
  }
  check_sets(sets)
  new_members(sets, weights)
}

list_sets <- function(x) {
  odd <- which(!vapply(x, function(set) is.null(set) || is.character(set) || is.numeric(set) || is.factor(set) ||
                       identical(set, NA), NA))
  abort_unless(!length(odd), "Element {odd[1]} of {.arg x} must hold names or numbers, not
    {.obj_type_friendly {x[[odd[1]]]}}.", "members", rows = odd, call = caller_env())
  is_missing <- lengths(x) == 1 & vapply(x, function(set) is.na(set[1])[1] %in% TRUE, NA)
  text <- lapply(x, id_text)
  text[is_missing] <- list(character())
  flat <- unlist(text, use.names = FALSE)
  # Numbers in numerical order, names in that of the alphabet.
  distinct <- unique(unlist(lapply(x[!is_missing], as.vector), use.names = FALSE))
  member_names <- id_text(sort(distinct, method = "radix", na.last = NA))
  in_set <- rep.int(seq_along(x), lengths(text))
  list(row = in_set, member = match(flat, member_names), weight = rep(1, length(in_set)), names = member_names,
       n = length(x), missing = which(is_missing))
}

matrix_sets <- function(x) {
  if (inherits(x, "Matrix")) {
    need_package("Matrix", "A sparse incidence matrix", call = caller_env())
    triplets <- Matrix::mat2triplet(x)  # a pattern matrix has no values: its entries count as 1
    entry <- list(row = triplets$i, member = triplets$j, weight = as.double(triplets$x %||% rep(1, length(triplets$i))))
  } else {
    at <- which(is.na(x) | x != 0, arr.ind = TRUE)
    entry <- list(row = unname(at[, 1]), member = unname(at[, 2]), weight = as.double(x[at]))
  }
  bad <- which(!is.finite(entry$weight) | entry$weight < 0)
  abort_unless(!length(bad), "The entries of {.arg x} must be finite and not negative: row {entry$row[bad[1]]}, column
    {entry$member[bad[1]]} is {entry$weight[bad[1]]}.", "members", rows = entry$row[bad], call = caller_env())
  keep <- entry$weight > 0
  c(lapply(entry, `[`, keep), list(names = colnames(x) %||% as.character(seq_len(ncol(x))), n = nrow(x)))
}

check_sets <- function(sets, call = caller_env()) {
  row <- sets$row[which(is.na(sets$member))[1]]
  abort_unless(!anyNA(sets$member), "Row {row} of {.arg x} has a missing member among others.", "members", rows = row,
               call = call)
  empty <- setdiff(seq_len(sets$n), c(sets$row, sets$missing))
  abort_unless(!length(empty), c(
    "{format_count(length(empty))} {cli::qty(length(empty))}row{?s} {?has/have} no members: an effect of nobody has no
      variance.",
    x = "The first is row {empty[1]}.",
    i = "Leave {cli::qty(length(empty))}{?it/them} out, or give {?it/them} a member of {?its/their} own."
  ), "members", rows = empty, call = call)
}

new_members <- function(sets, weights) {
  # Adds up equal members of a row, in the order of rows and members.
  key <- (sets$row - 1) * length(sets$names) + sets$member
  key_order <- order(key)
  first <- !duplicated(key[key_order])
  weight <- as.vector(rowsum(sets$weight[key_order], cumsum(first)))
  if (!length(key_order)) weight <- numeric()
  in_set <- sets$row[key_order][first]
  if (weights == "mean") weight <- weight / rep.int(rowsum(weight, in_set, reorder = FALSE), rle(in_set)$lengths)
  codes <- seq_len(sets$n)
  codes[sets$missing] <- NA
  member <- sets$member[key_order][first]
  structure(codes, sets = list(offset = c(0L, cumsum(tabulate(in_set, sets$n))), member = member, weight = weight),
            members = sets$names, weights = weights, class = "judicious_members")
}

# Row, member and weight of each entry of the rows.
member_entries <- function(x) {
  sets <- attr(x, "sets")
  known <- which(!is.na(x))
  set <- unclass(x)[known]
  size <- sets$offset[set + 1L] - sets$offset[set]
  at <- sequence(size, from = sets$offset[set] + 1L)
  list(row = rep.int(known, size), member = sets$member[at], weight = sets$weight[at])
}

#' @export
`[.judicious_members` <- function(x, i, ...) {
  out <- unclass(x)[i]
  attributes(out) <- attributes(x)[c("sets", "members", "weights", "class")]
  out
}

#' @export
format.judicious_members <- function(x, ...) {
  entry <- member_entries(x)
  out <- rep(NA_character_, length(x))
  text <- tapply(attr(x, "members")[entry$member], entry$row, paste, collapse = " + ")
  out[as.integer(names(text))] <- text
  out
}

#' @export
print.judicious_members <- function(x, ...) {
  cat(counted(length(x), "row"), " with ", if (attr(x, "weights") == "mean") "averages" else "sums", " over ",
      counted(length(attr(x, "members")), "member"), "\n", sep = "")
  shown <- utils::head(format(x), 6)
  cat(paste0("  ", shown, "\n"), sep = "")
  if (length(x) > length(shown)) cat("  ...\n")
  invisible(x)
}
