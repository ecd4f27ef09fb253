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

# The labels of a ggplot2 object's legends, and the colours with which their keys are filled.
legend_of <- function(chart) {
  drawing <- drawn(ggplot2::ggplotGrob(chart))
  collect <- function(grob, value) c(value(grob), unlist(lapply(c(grob$children, grob$grobs), collect, value)))
  of_legends <- function(value) {
    unlist(lapply(drawing$grobs[grepl("guide-box", drawing$layout$name)], collect, value), use.names = FALSE)
  }
  list(labels = of_legends(function(grob) grob$label), fills = of_legends(function(grob) grob$gp$fill))
}
