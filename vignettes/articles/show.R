# Functions with which the articles on reproduction show tables of reproduce().
source("reproduce/load.R")
scripts <- load_reproduction("reproduce")
reproduce <- scripts$reproduce

# A reproduction takes minutes, so articles show the stored one. build.R sets the option to have it computed.
reproduction <- function(paper) reproduce(paper, stored = getOption("judicious.reproduce", TRUE))

# Whether the comparison with a table's numbers could have failed (power.R): a sentence below the table.
show_power <- function(paper, item) {
  power <- utils::read.csv("results/power.csv")
  own <- power[power$paper == paper & power$item == item, ]
  if (!nrow(own)) return(invisible())
  percent <- function(share) sprintf("%.0f%%", 100 * share)
  cat("*Could this comparison fail?* All ", own$numbers, " numbers together: ",
      if (own$p > 0.05) "one of the simulated worlds could have given them" else
        "none of the simulated worlds gives them", sprintf(" (rank test over 20 worlds, p = %.3f). ", own$p), sep = "")
  if (!is.na(own$wrong)) {
    cat("With its rows exchanged, ", percent(own$wrong), " of the wrong numbers would be within the spread, and ",
        percent(own$exchanged), " of the wrong tables accepted as a whole",
        if (own$exchanged > 0.3) ": **this comparison can hardly fail**",
        if (own$p <= 0.05) sprintf("; %s are nearer to the worlds than the published one", percent(own$exchanged_closer)),
        ".", sep = "")
  }
  cat("\n\n")
}

# The notes to which the marks in a table refer.
show_notes <- function(table) {
  notes <- attr(table, "notes")
  if (length(notes)) cat("\n", paste0("[", seq_along(notes), "] ", notes, "\n\n"), sep = "")
}

show_lines <- function(lines, text) {
  print(knitr::kable(lines, align = ifelse(names(lines) %in% text, "l", "r"), row.names = FALSE))
  cat("\n")
}

# One line per number: published, obtained and their difference for each kind of data.
show_table <- function(r, item) {
  table <- summary(r)[[item]]
  shown <- table
  names(shown) <- sub("^diff[.].*", "difference", names(shown))
  show_lines(shown, c("row", "quantity", "note"))
  show_notes(table)
  show_power(r$paper, item)
}

# The kinds of data in a table of reproduce().
kinds_of <- function(table) intersect(c("printed", "public", "simulated"), names(table))

# One line per row and kind of data, one column per quantity.
spread_table <- function(part, cell, label) {
  columns <- unique(part$quantity)
  lines <- list()
  for (row in unique(part$row)) {
    own <- part[part$row == row, ][match(columns, part$quantity[part$row == row]), ]
    for (kind in kinds_of(part)) {
      obtained <- own[[kind]]
      obtained[is.na(obtained)] <- ""
      if (any(nzchar(obtained))) {
        lines[[length(lines) + 1]] <- c(row, kind, ifelse(is.na(own$quantity), "", cell(own$published, obtained)))
      }
    }
  }
  shown <- as.data.frame(do.call(rbind, lines))
  names(shown) <- c(label, "data", columns)
  shown
}

# Tables with a Broad and a Fine half: "published / obtained" in each cell. Summaries over editions, and what is not
# obtained, come after them line by line.
show_halves <- function(r, item) {
  table <- summary(r)[[item]]
  both <- function(published, obtained) paste(published, "/", ifelse(nzchar(obtained), obtained, "-"))
  nothing <- rowSums(as.matrix(table[kinds_of(table)]) != "") == 0
  in_main <- grepl("^(Broad|Fine) (?!median|significant|RMSE between)", table$quantity, perl = TRUE)
  main <- table[in_main & !nothing & nzchar(table$published), ]
  for (scale in c("Broad", "Fine")) {
    part <- main[startsWith(main$quantity, scale), ]
    part$quantity <- sub(paste0(scale, " "), "", part$quantity)
    show_lines(spread_table(part, both, scale), c(scale, "data"))
  }
  cat("Cells: published / obtained.\n\n")
  rest <- table[!in_main | nothing, ]
  if (nrow(rest)) {
    names(rest) <- sub("^diff[.].*", "difference", names(rest))
    show_lines(rest, c("row", "quantity", "note"))
  }
  show_notes(table)
  show_power(r$paper, item)
}

# Our own findings, which have no published numbers: one line per row, kind of data and method.
show_finding <- function(r, item, methods = NULL) {
  table <- summary(r)[[item]]
  if (!is.null(methods)) {
    pattern <- paste0("^(", paste(methods, collapse = "|"), ") ")
    table$row <- paste0(table$row, ", ", sub(paste0(pattern, ".*"), "\\1", table$quantity))
    table$quantity <- sub(pattern, "", table$quantity)
  }
  table$published <- ""
  show_lines(spread_table(table, function(published, obtained) obtained, ""), c("", "data"))
}
