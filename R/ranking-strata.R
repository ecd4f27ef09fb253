# Rankings within strata of the queries.

new_rankings <- function(rankings, by) {
  for (name in names(rankings)) rankings[[name]]$stratum <- paste(by, name)
  structure(rankings, class = "judicious_rankings", by = by)
}

#' @rdname rank_systems
#' @export
print.judicious_rankings <- function(x, n = 30, ...) {
  by <- attr(x, "by")
  cat("Rankings by ", by, ", ", counted(length(x), "stratum", "strata"), "\n", sep = "")
  for (name in names(x)) {
    cat("\n")
    print(x[[name]], n)
  }
  invisible(x)
}

#' @export
as.data.frame.judicious_rankings <- function(x, row.names = NULL, optional = FALSE, ...) {
  parts <- lapply(x, as.data.frame)
  stratum <- data.frame(rep(names(x), vapply(parts, nrow, 1L)), stringsAsFactors = FALSE)
  names(stratum) <- attr(x, "by")
  data.frame(stratum, do.call(rbind, unname(parts)), row.names = row.names, check.names = FALSE)
}
