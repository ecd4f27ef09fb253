# The block of R code above a line of README.md.
readme_block <- function(lines, before) {
  fences <- grep("^```", lines[seq_len(before)])
  lines[(fences[length(fences) - 1] + 1):(fences[length(fences)] - 1)]
}

# The lines that a block of code prints.
readme_output <- function(block) {
  withr::local_options(width = 100, judicious.progress = FALSE)
  envir <- new.env(parent = globalenv())
  sub(" +$", "", utils::capture.output(for (line in parse(text = block)) {
    shown <- withVisible(eval(line, envir))
    if (shown$visible) print(shown$value)
  }))
}
