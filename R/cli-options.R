# The command line: how options are declared. inst/cli/options.dcf has those of all commands; an option that has another
# meaning in one command is declared there as COMMAND/NAME.

# `type`: "flag" (no value), "text", "file" (is read), "path" (is written), "number", "count". `many`: can be repeated,
# and accepts values separated by commas. `value`: the name of the value in the help.
cli_option <- function(name, help, type = "text", default = NULL, choices = NULL, many = FALSE, min = -Inf,
                       max = Inf, short = NULL, value = NULL) {
  value <- value %||% switch(type, flag = NULL, file = , path = "FILE", number = "X", count = "N",
                             if (is.null(choices)) "TEXT" else paste(choices, collapse = "|"))
  if (type == "flag") default <- FALSE
  list(name = name, help = help, type = type, default = default, choices = choices, many = many, min = min,
       max = max, short = short, value = value)
}

# The records of a file of inst/cli, in the format of Debian control files: a list of the fields of each, named by the
# first field.
cli_records <- function(file) {
  rows <- read.dcf(system.file("cli", file, package = "judicious", mustWork = TRUE))
  records <- lapply(seq_len(nrow(rows)), function(i) as.list(rows[i, !is.na(rows[i, ])]))
  stats::setNames(records, rows[, 1])
}

# An option as inst/cli/options.dcf declares it: its fields are the arguments of cli_option().
cli_declared_option <- function(record) {
  record$name <- sub(".*/", "", record$option)
  record$help <- gsub("\n", " ", record$help, fixed = TRUE)
  numbers <- intersect(c("min", "max", if (isTRUE(record$type %in% c("number", "count"))) "default"), names(record))
  record[numbers] <- lapply(record[numbers], as.numeric)
  if (!is.null(record$choices)) {
    record$choices <- switch(record$choices, STRATEGIES = own_kinds("strategy"), TESTS = names(significance_registry),
                             strsplit(record$choices, " ", fixed = TRUE)[[1]])
  }
  record$many <- !is.null(record$many)
  do.call(cli_option, record[names(record) != "option"])
}
