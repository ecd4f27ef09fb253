# The registry of measures as a list in markdown, for the help of measure(): roxygen evaluates this file where the
# package's functions are seen.
describe_measures <- function() {
  one <- function(base, entry) {
    named <- names(entry$aliases) %||% rep("", length(entry$aliases))
    also <- ifelse(nzchar(named), named, unlist(lapply(entry$aliases, function(a) if (is.character(a)) a else "")))
    own <- entry$parameters[names(entry$parameters) != "judged_only"]
    defaults <- vapply(own, function(p) format_arg(p$default), "")
    parameters <- paste0("`", names(defaults), ifelse(nzchar(defaults), paste0(" = ", defaults), ""), "`")
    paste0("- `", base, if (isTRUE(entry$cutoff)) "@k", "`: ", entry$title, ", ", gsub("\\s+", " ", entry$definition),
           if (length(defaults)) paste0("; ", paste(parameters, collapse = ", ")),
           if (length(also)) paste0("; also ", paste0("`", also, "`", collapse = ", ")), ".")
  }
  paste(mapply(one, names(measure_registry), measure_registry), collapse = "\n")
}
describe_measures()
