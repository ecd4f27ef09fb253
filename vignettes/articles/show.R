# How the articles on reproduction show a table of reproduce().

# The notes that a table's marks refer to.
show_notes <- function(table) {
  notes <- attr(table, "notes")
  if (length(notes)) cat("\n", paste0("[", seq_along(notes), "] ", notes, "\n\n"), sep = "")
}

# One line per number: published, obtained and their difference for each kind of data.
show_table <- function(r, item) {
  table <- summary(r)[[item]]
  shown <- table
  names(shown) <- sub("^diff[.].*", "difference", names(shown))
  text <- names(shown) %in% c("row", "quantity", "note")
  print(knitr::kable(shown, align = ifelse(text, "l", "r")))
  show_notes(table)
}

# Tables with a Broad and a Fine half: a line per row and kind of data, "published / obtained" in each cell.
show_halves <- function(r, item) {
  table <- summary(r)[[item]]
  kinds <- intersect(c("printed", "public", "simulated"), names(table))
  for (scale in c("Broad", "Fine")) {
    part <- table[startsWith(table$quantity, scale) & nzchar(table$published), ]
    part$quantity <- sub(paste0(scale, " "), "", part$quantity)
    columns <- unique(part$quantity)
    lines <- list()
    for (row in unique(part$row)) {
      for (kind in kinds) {
        at <- match(columns, part$quantity[part$row == row])
        own <- part[part$row == row, ][at, ]
        if (!any(nzchar(own[[kind]]), na.rm = TRUE)) next
        obtained <- ifelse(nzchar(own[[kind]]), own[[kind]], "-")
        cells <- ifelse(is.na(own[[kind]]), "", paste(own$published, "/", obtained))
        lines[[length(lines) + 1]] <- c(row, kind, cells)
      }
    }
    shown <- do.call(rbind, lines)
    colnames(shown) <- c(scale, "data", columns)
    print(knitr::kable(shown, align = c("l", "l", rep("r", length(columns)))))
    cat("\n")
  }
  cat("Cells: published / obtained.\n")
  show_notes(table)
}
