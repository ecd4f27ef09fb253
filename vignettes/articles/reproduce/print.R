# Prints a reproduction: published and obtained numbers side by side, with explanations of the differences below.

print.judicious_reproduction <- function(x, n = 60, ...) {
  cat(paper_titles[[x$paper]], "\n", sep = "")
  cat("Public data: ", if (length(x$data)) paste(x$data, collapse = ", ") else "none (set JUDICIOUS_DATA)", "\n",
      sep = "")
  shown <- summary(x)
  for (name in names(shown)) {
    cat("\n", item_label(name), ": ", x$titles[[name]], "\n", sep = "")
    lines <- shown[[name]]
    print(utils::head(lines, n), row.names = FALSE, right = TRUE)
    if (nrow(lines) > n) cat("and ", counted(nrow(lines) - n, "more line"), "\n", sep = "")
    notes <- attr(lines, "notes")
    if (length(notes)) cat(strwrap(paste0("[", seq_along(notes), "] ", notes), exdent = 4), sep = "\n")
  }
  invisible(x)
}

paper_titles <- c(
  mtc = "Urbano and Schedl (2013), minimal test collections",
  significance = "Urbano, Martin, Marrero and Morato (2011), power and stability",
  preferences = "Urbano, Morato, Marrero and Martin (2010), crowdsourced preferences"
)

# Formats "table2" as "Table 2".
item_label <- function(name) sub("(\\D)(\\d)", "\\1 \\2", paste0(upper_ascii(substr(name, 1, 1)), substring(name, 2)))

summary.judicious_reproduction <- function(object, ...) lapply(object$tables, side_by_side)

# One row per number of the paper, with a pair of columns (obtained, difference) per kind of data.
side_by_side <- function(table) {
  key <- text_key(table$row, table$quantity)
  first <- !duplicated(key)
  out <- table[first, c("row", "quantity")]
  rownames(out) <- NULL
  if (any(!is.na(table$published))) {
    out$published <- printed_number(table$published, table$digits, table$precision)[first]
  }
  kinds <- intersect(c("printed", "public", "simulated"), table$data)
  for (kind in kinds) {
    at <- match(key[first], ifelse(table$data == kind, key, NA))
    shown <- function(column, ...) printed_number(table[[column]][at], table$digits[at], table$precision[at], ...)
    out[[kind]] <- shown("obtained")
    known <- !is.na(table$published)
    if (any(known)) out[[paste0("diff.", kind)]] <- shown("difference", sign = TRUE)
  }
  if (any(!is.na(table$lowest))) {
    at <- match(key[first], ifelse(table$data == "simulated", key, NA))
    end <- function(column) printed_number(table[[column]][at], table$digits[at], table$precision[at])
    out$spread <- ifelse(is.na(table$lowest[at]), "", paste(end("lowest"), "to", end("highest")))
  }
  notes <- unique(table$note[nzchar(table$note)])
  if (length(notes)) {
    marks <- split(match(table$note, notes), factor(key, key[first]))
    out$note <- unname(vapply(marks, function(m) {
      m <- sort(unique(m))
      if (length(m)) paste0("[", m, "]", collapse = "") else ""
    }, ""))
  }
  attr(out, "notes") <- notes
  out
}

# Prints with the decimals of the published number. Without a published number, or if an exact number is published but
# the obtained one has more decimals, four significant digits are printed, so that rounding hides no difference.
printed_number <- function(value, digits, precision, sign = FALSE) {
  text <- rep("", length(value))
  known <- !is.na(value)
  hidden <- known & precision %in% "exact" & abs(value - round(value, pmax(digits, 0))) > 1e-9
  printed <- known & !is.na(digits) & !hidden
  if (any(printed)) {
    rounded <- round(value[printed], digits[printed])
    text[printed] <- sprintf(if (sign) "%+.*f" else "%.*f", as.integer(pmax(digits[printed], 0)), rounded + 0)
    text[printed][rounded == 0 & sign] <- "0"
  }
  other <- known & !printed
  if (any(other)) text[other] <- trimws(formatC(value[other], digits = 4, format = "fg", flag = if (sign) "+" else ""))
  text
}

as.data.frame.judicious_reproduction <- function(x, row.names = NULL, optional = FALSE, ...) {
  parts <- Map(function(name, table) data.frame(item = rep(name, nrow(table)), table, stringsAsFactors = FALSE),
               names(x$tables), x$tables)
  out <- do.call(rbind, unname(parts))
  rownames(out) <- row.names
  out
}
