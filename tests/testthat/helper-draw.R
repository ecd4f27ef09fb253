# Evaluates a call that draws, with a temporary file as the graphics device. Returns the value of the call.
drawn <- function(call) {
  path <- tempfile(fileext = ".pdf")
  grDevices::pdf(path)
  on.exit({
    grDevices::dev.off()
    unlink(path)
  })
  force(call)
}
