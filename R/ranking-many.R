# Rankings of many systems: methods that compute the requested rows of a new_system_covariance().

#' @export
dim.judicious_system_covariance <- function(x) rep(length(x$variance), 2)

#' @export
print.judicious_system_covariance <- function(x, ...) {
  print_line(x, "Covariance of ", counted(length(x$variance), "system"),
             ", computed by rows; as.matrix(x) computes all of it")
}

#' @export
as.matrix.judicious_system_covariance <- function(x, ...) {
  systems <- seq_along(x$variance)
  matrix(x$block(systems, systems), length(systems), dimnames = list(names(x$variance), names(x$variance)))
}

# Compares the systems `rows` with the systems `columns`, in the same way as compare_systems_cpp(). If both include two
# systems, only the pair in which the earlier one is in `rows` is compared.
compare_block <- function(ranking, rows, columns, delta = ranking$delta) {
  covariance <- ranking$covariance
  compare_rows_cpp(ranking$mean, covariance$variance, covariance$block(rows, columns), rows, columns, delta,
                   gain_resolution(ranking$collection))
}

#' @export
add_covariance.judicious_ranking_by_rows <- function(ranking, root) {
  before <- ranking$covariance
  ranking$covariance <- new_system_covariance(before$variance + colSums(root^2), function(rows, columns) {
    before$block(rows, columns) + crossprod(root[, rows, drop = FALSE], root[, columns, drop = FALSE])
  })
  ranking
}

#' @export
compare_pairs.judicious_ranking_by_rows <- function(ranking, delta = ranking$delta, among = NULL) {
  if (!is.null(among)) return(compare_block(ranking, among, among, delta))
  do.call(Map, c(c, map_comparisons(ranking, identity, delta)))
}

# Calls f() with the comparisons of all pairs, some rows at a time, and returns the results in a list.
map_comparisons <- function(ranking, f, delta = ranking$delta) {
  n <- length(ranking$mean)
  rows <- split(seq_len(n), (seq_len(n) - 1) %/% max(1, 2^24 %/% n))
  lapply(unname(rows), function(block) {
    refresh_progress()
    f(compare_block(ranking, block, block[1]:n, delta))
  })
}

#' @export
confidence_of_pairs.judicious_ranking_by_rows <- function(ranking) {
  computed_once(ranking$cache, "confidence", list(ranking$mean, ranking$covariance$variance, ranking$delta), {
    parts <- map_comparisons(ranking, function(compared) {
      ordered <- can_be_ordered(compared)
      list(sum = sum(compared$confidence[ordered]), n = sum(ordered), bins = confidence_counts(compared$confidence))
    })
    n <- sum(vapply(parts, `[[`, 0L, "n"))
    list(mean = if (n) sum(vapply(parts, `[[`, 0, "sum")) / n else mean_of_confidence(numeric()),
         bins = Reduce(`+`, lapply(parts, `[[`, "bins")))
  })
}

# With many systems, their lists are not compared, so every system is distinct.
#' @export
identical_systems.judicious_ranking_by_rows <- function(ranking) seq_along(ranking$mean)
