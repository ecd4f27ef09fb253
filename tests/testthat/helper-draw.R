# Draws into a file that nobody keeps and returns what the call gives.
drawn <- function(call) {
  path <- tempfile(fileext = ".pdf")
  grDevices::pdf(path)
  on.exit({
    grDevices::dev.off()
    unlink(path)
  })
  force(call)
}
