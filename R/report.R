#' Write a report
#'
#' @description Writes one self-contained HTML file for readers who were not involved in the judging: the ranking, the
#'   confidence in every pair of systems, how the judgments were selected, whether the model's predictions held, a
#'   methods paragraph with citations, the tables as CSV and LaTeX, and the data as CSV with the R code that computes
#'   the results again.
#'
#' @param x The object to report: a [judging_session()]; a ranking by [rank_systems()]; a [test_collection()], which is
#'   ranked first; or a comparison by [compare_systems()].
#' @param file The HTML file to write. An existing file is replaced.
#' @param title The title; NULL makes one from the contents.
#' @param ... For a collection or a session, arguments of [rank_systems()] such as `past`, `grades` and `level`, but not
#'   `by`: strata have a report each.
#' @return `file`, invisibly.
#' @section Errors: `judicious_error_pandoc` without pandoc 2.0 or newer, which RStudio includes;
#'   `judicious_error_file` if `file` cannot be written.
#' @seealso [toLatex()] for the table alone, [export_judgments()] for the judgments.
#' @examplesIf requireNamespace("rmarkdown", quietly = TRUE) && rmarkdown::pandoc_available("2.0")
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' file <- tempfile(fileext = ".html")
#' report(rank_systems(x, judgments = judgments_of(x)[1:50, ]), file)
#' @export
report <- function(x, file = "report.html", title = NULL, ...) UseMethod("report")

#' @export
report.default <- function(x, file = "report.html", title = NULL, ...) {
  abort_argument("x", "must be made by {.fn judging_session}, {.fn rank_systems}, {.fn test_collection} or
    {.fn compare_systems}, but is {.obj_type_friendly {x}}.")
}

#' @rdname report
#' @usage NULL
#' @export
report.judicious_collection <- function(x, file = "report.html", title = NULL, ...) {
  made_by <- call_of_generic("report", sys.call())
  session <- if (inherits(x, "judicious_session")) x
  write_report("ranking", ranking_report(as_ranking(rank_systems(x, ...)), session, made_by), file, title)
}

#' @rdname report
#' @usage NULL
#' @export
report.judicious_session <- report.judicious_collection

#' @rdname report
#' @usage NULL
#' @export
report.judicious_ranking <- function(x, file = "report.html", title = NULL, ...) {
  refuse_other_arguments("report()", ...)
  x <- as_ranking(x)
  check_that(!identical(x$basis$kind, "votes"), "x", c("A ranking by votes has no report.",
                               i = "Use its print, {.fn as.data.frame} and {.fn autoplot}."))
  made_by <- c(report_call(call_of_generic("report", sys.call())), "# of the ranking made by",
               report_call(x$call))
  write_report("ranking", ranking_report(x, NULL, made_by), file, title)
}

#' @rdname report
#' @usage NULL
#' @export
report.judicious_rankings <- report.judicious_ranking

#' @rdname report
#' @usage NULL
#' @export
report.judicious_comparison <- function(x, file = "report.html", title = NULL, ...) {
  refuse_other_arguments("report()", ...)
  write_report("comparison", comparison_report(x, call_of_generic("report", sys.call())), file, title)
}

# Checks the path of a report before its contents are computed, which may take long.
check_report_file <- function(file) {
  check_string(file, "file")
  format_of_name(file, c("html", htm = "html"))
  check_that(dir.exists(dirname(file)), "file", "{.arg file}: there is no folder {.file {dirname(file)}}.",
             kind = "file")
  for (package in c("rmarkdown", "ggplot2")) need_package(package, "A report")
  abort_unless(rmarkdown::pandoc_available("2.0"), c(
    "A report needs pandoc 2.0 or newer, which rmarkdown cannot find.",
    i = "Install it from {.url https://pandoc.org} or with your system's packages, or run R inside RStudio."
  ), "pandoc")
}

# Writes a report. The template is a file in inst/report that shows `contents` and computes nothing.
write_report <- function(template, contents, file, title) {
  check_report_file(file)
  # Set before `contents` is computed, which is when it is used first.
  before <- options(OutDec = ".", scipen = 0, digits = 7, width = 80)
  on.exit(options(before))
  locale <- use_utf8_locale()
  on.exit(Sys.setlocale("LC_CTYPE", locale), add = TRUE)
  start_progress("Writing the report")
  if (!is.null(title)) contents$title <- check_string(title, "title")
  folder <- tempfile("report-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE), add = TRUE)
  file.copy(list.files(system.file("report", package = "judicious", mustWork = TRUE), full.names = TRUE), folder)
  envir <- list2env(list(r = contents), parent = environment(write_report))
  output <- rmarkdown::render(file.path(folder, paste0(template, ".Rmd")), report_format(), envir = envir, quiet = TRUE)
  write_bytes(readBin(output, "raw", file.size(output)), file, "`file`")
}

# In other locales, such as C, knitr writes other letters than ASCII as codes. Returns the locale that was in use.
use_utf8_locale <- function() {
  before <- Sys.getlocale("LC_CTYPE")
  if (l10n_info()[["UTF-8"]]) return(before)
  for (name in c("C.UTF-8", "en_US.UTF-8")) {
    if (nzchar(suppressWarnings(Sys.setlocale("LC_CTYPE", name)))) break
  }
  before
}

# The format of reports, without theme and scripts, so that the file is small and prints well.
report_format <- function() {
  document <- rmarkdown::html_document(
    theme = NULL, toc = TRUE, toc_depth = 1, self_contained = TRUE, css = "report.css", mathjax = NULL,
    highlight = NULL, anchor_sections = FALSE, fig_caption = FALSE, dev = "png",
    md_extensions = "-tex_math_single_backslash-tex_math_dollars-autolink_bare_uris-citations",
    includes = rmarkdown::includes(before_body = "begin.html", after_body = "end.html"))
  defaults <- list(echo = FALSE, message = FALSE, warning = FALSE, results = "asis", dpi = 150, fig.width = 8.5)
  document$knitr$opts_chunk[names(defaults)] <- defaults
  document$knitr$knit_hooks$plot <- html_plot
  document
}

# A plot as HTML, which scrolls if it is wider than the page. Its alternative text is the sentence that states its
# finding.
html_plot <- function(path, options) {
  finding <- html_text(without_markdown(paste(options$fig.alt, collapse = " ")))
  html_lines(sprintf("%s<img src=\"%s\" alt=\"%s\"></div>", html_wide("Plot"), path, finding))
}

# The height in inches of a plot with a line for each of n systems.
report_height <- function(n) min(max(2.6, 1.4 + 0.21 * n), 24)

# The size in inches of the matrix of pairs: the side of the square, and the size of the plot with names and title.
report_matrix <- function(ranking) {
  systems <- names(ranking$mean)
  side <- min(max(3.6, 0.19 * length(systems)), 8.5)
  label <- report_label_size(length(systems), side) / 72 * 0.55 * max(nchar(systems))
  list(side = side, width = max(5.6, side + label + 0.8), height = side + 1.3)
}

# The font size in points for the names of n systems along an axis of this length in inches.
report_label_size <- function(n, inches) min(8, 0.85 * 72 * inches / n)

# Prints a plot, which is larger for more systems, so that labels keep their size.
report_plot <- function(ranking, type) {
  n <- length(ranking$mean)
  size <- report_label_size(n, if (type == "estimates") report_height(n) - 1.4 else report_matrix(ranking)$side)
  text <- ggplot2::element_text(size = size)
  angled <- ggplot2::element_text(size = size, angle = 90, hjust = 0, vjust = 0.5)
  # Teams are left out of the labels, because the table beside the plot shows them.
  ranking$collection$systems$team <- ranking$collection$systems$system
  print(ggplot2::autoplot(ranking, type = type) + ggplot2::theme(axis.text.y = text) +
          if (type == "confidence") ggplot2::theme(axis.text.x.top = angled))
}

# A link to download a table, whose content is in the link itself.
download_link <- function(data, name) {
  csv <- paste(csv_lines(data), collapse = "\n")
  sprintf("<a download=\"%s\" href=\"data:text/csv;charset=utf-8,%s\">%s</a>", name,
          utils::URLencode(enc2utf8(csv), reserved = TRUE, repeated = TRUE), name)
}

# A table as HTML: numbers are aligned right, text left. A wide table scrolls inside the page.
html_table <- function(data, class = "") {
  right <- vapply(data, function(column) is.numeric(column) || inherits(column, "report_number"), NA)
  cell <- function(tag, text, right, more = "") {
    sprintf("<%s%s%s>%s</%s>", tag, more, ifelse(right, " class=\"n\"", ""), text, tag)
  }
  header <- paste(cell("th", html_text(names(data)), right, " scope=\"col\""), collapse = "")
  rows <- do.call(paste0, unname(Map(function(column, r) cell("td", html_text(column), r), data, right)))
  opening <- c(if (nzchar(class)) sprintf("<table class=\"%s\">", class) else "<table>",
               paste0("<thead><tr>", header, "</tr></thead><tbody>"), paste0("<tr>", rows, "</tr>"), "</tbody></table>")
  html_lines(if (nzchar(class)) opening else c(html_wide("Table"), opening, "</div>"))
}

# Lines of HTML in a block that pandoc leaves unchanged.
html_lines <- function(lines) paste(c("", "```{=html}", lines, "```", ""), collapse = "\n")

# The opening tag around content that may be wider than the page. The element can be focused, so that it can be scrolled
# with the keyboard.
html_wide <- function(label) sprintf("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">", label)

# A text for copying, which is collapsed below a summary line.
html_copy <- function(summary, text, open = FALSE) {
  html_lines(sprintf("<details%s><summary>%s</summary><pre tabindex=\"0\">%s</pre></details>",
                     if (open) " open" else "", html_text(summary), paste(html_text(text), collapse = "\n")))
}
