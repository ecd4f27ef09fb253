# Declares the commands and options of the command line, for parser, help and dispatch. inst/cli/commands.dcf has the
# commands with their options and examples; inst/cli/options.dcf has the options. An option that has another meaning in
# a command is declared as COMMAND/NAME.

# The records of a file in inst/cli, in the format of Debian control files: for each record, a list of its fields; the
# first field names the record.
cli_records <- function(file) {
  rows <- read.dcf(system.file("cli", file, package = "judicious", mustWork = TRUE))
  records <- lapply(seq_len(nrow(rows)), function(i) as.list(rows[i, !is.na(rows[i, ])]))
  stats::setNames(records, rows[, 1])
}

# An option, from the fields of its declaration in inst/cli/options.dcf. `key`: its name in R. `type`: "flag" (no
# value), "text", "file" (a file to read), "path" (a file to write), "number", "count". `many`: the option can be
# repeated, and accepts values separated by commas. `value`: the name of the value in the help.
cli_option <- function(fields) {
  name <- sub(".*/", "", fields$option)
  type <- fields$type %||% "text"
  number <- function(text) if (!is.null(text)) as.numeric(text)
  choices <- if (!is.null(fields$choices)) {
    switch(fields$choices, STRATEGIES = built_in_kinds("strategy"), TESTS = names(significance_registry),
           strsplit(fields$choices, " ", fixed = TRUE)[[1]])
  }
  value <- fields$value %||% switch(type, flag = NULL, file = , path = "FILE", number = "X", count = "N",
                                    if (is.null(choices)) "TEXT" else paste(choices, collapse = "|"))
  list(name = name, key = gsub("-", "_", name, fixed = TRUE), help = gsub("\n", " ", fields$help, fixed = TRUE),
       type = type, default = switch(type, flag = FALSE, number = , count = number(fields$default), fields$default),
       choices = choices, many = !is.null(fields$many), min = number(fields$min) %||% -Inf,
       max = number(fields$max) %||% Inf, short = fields$short, value = value)
}

# A command that is declared in inst/cli/commands.dcf. `operands`: the name of the words that are not options; `least`:
# their minimum number.
cli_declared_command <- function(record, options, run) {
  name <- strsplit(record$options, "[ \n]+")[[1]]
  specific_name <- paste0(record$command, "/", name)
  declared <- options[ifelse(specific_name %in% names(options), specific_name, name)]
  list(title = record$title, about = gsub("\n", " ", record$about, fixed = TRUE),
       options = lapply(unname(declared), cli_option), run = run,
       examples = strsplit(record$examples, "\n", fixed = TRUE)[[1]], operands = record$operands %||% "RUNS...",
       least = as.numeric(record$least %||% 1))
}

# Functions that construct the commands, because only the command in use has to be constructed.
cli_makers <- function() {
  run <- list(features = cli_features, fit = cli_fit, estimate = cli_estimate, rank = cli_rank, plan = cli_plan,
              report = cli_report, evaluate = cli_evaluate, compare = cli_compare, "next" = cli_next,
              simulate = cli_simulate, judge = cli_judge, grade = cli_grade, graders = cli_graders)
  declared <- cli_records("options.dcf")
  lapply(cli_records("commands.dcf"), function(record) {
    function() cli_declared_command(record, declared, run[[record$command]])
  })
}

cli_commands <- function() lapply(cli_makers(), function(make) make())
