# The command line: the commands, which inst/cli/commands.dcf declares with their options and examples, for parser, help
# and dispatch.

# `operands`: the name of the words without an option; `least`: their minimum number.
cli_declared_command <- function(record, options, run) {
  name <- strsplit(record$options, "[ \n]+")[[1]]
  own <- paste0(record$command, "/", name)
  declared <- options[ifelse(own %in% names(options), own, name)]
  list(title = record$title, about = gsub("\n", " ", record$about, fixed = TRUE),
       options = lapply(unname(declared), cli_declared_option), run = run,
       examples = strsplit(record$examples, "\n", fixed = TRUE)[[1]], operands = record$operands %||% "RUNS...",
       least = as.numeric(record$least %||% 1))
}

# A function for each command, so that only the command in use is made.
cli_makers <- function() {
  run <- list(features = cli_features, fit = cli_fit, estimate = cli_estimate, rank = cli_rank, plan = cli_plan,
              report = cli_report, evaluate = cli_evaluate, compare = cli_compare, "next" = cli_next,
              simulate = cli_simulate, judge = cli_judge)
  declared <- cli_records("options.dcf")
  lapply(cli_records("commands.dcf"), function(record) {
    function() cli_declared_command(record, declared, run[[record$command]])
  })
}

cli_commands <- function() lapply(cli_makers(), function(make) make())
