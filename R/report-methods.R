# A paragraph on the methods for use in a paper, and the references that it cites.

# The paragraph on methods.
ranking_methods <- function(ranking, session) {
  x <- ranking$collection
  judged <- judged_or_zero(ranking)
  pairs <- count_pairs(x)
  words <- function(text) in_words_of(nouns_of(x), text)
  text <- c(
    sprintf("%s %s by %s over %s.", count_systems(n_systems(x), length(unique(x$systems$team))),
            if (n_systems(x) == 1) "was evaluated" else "were compared",
            measure_label(x), words(count_queries(queries_in_means(x)))),
    sprintf("The pool contains the %s; %s of them (%s) %s judged, on the scale %s.", pool_text(x), format_count(judged),
            percent(judged / pairs, 1), if (judged == 1) "was" else "were", scale_text(x$scale)),
    if (!is.null(session)) session_methods(session, words),
    if (all_judged(ranking)) words("Every document of the pool was judged, so that no gain was estimated.") else
      if (identical(ranking$basis$kind, "joint")) joint_methods(ranking, judged, words) else words(independent_methods),
    paste("The confidence in the order of two systems is the probability that the true difference has the sign of the",
          "estimated one, and the confidence in the ranking is its mean over all pairs (Carterette et al., 2006;",
          "Urbano and Schedl, 2013)."),
    sprintf("Computations used judicious %s in R %s.", utils::packageVersion("judicious"), getRversion()))
  paste(text, collapse = " ")
}

pool_text <- function(x) {
  pairs <- in_words_of(nouns_of(x), counted(count_pairs(x), "query-document pair"))
  if (gives_ratings(x)) pairs else sprintf("%s in the top %d of any system", pairs, as.integer(x$k))
}

session_methods <- function(session, words = identity) {
  engine <- session$engine
  selected <- if (!is_all_earlier(engine)) {
    sprintf(words(paste("Documents to judge were selected by the %s, with the goal \"%s\"; a share of %s was",
                        "selected at random instead, to audit the model.")),
            engine$strategy$label, goal_text(engine$goal), percent(engine$audit))
  }
  paste(c(words(earlier_methods(engine)), selected), collapse = " ")
}

earlier_methods <- function(engine) {
  earlier <- count_earlier(engine)
  if (!earlier) return(NULL)
  sprintf("The session began with %s; how their documents were selected is not recorded.", counted(earlier, "judgment"))
}

joint_methods <- function(ranking, judged, words) {
  basis <- ranking$basis
  prior <- paste0(basis$prior, if (basis$graded) words(", with the grades of the documents as predictors"))
  paste(words(paste("The gains of documents that were not judged were estimated by a joint model: their mean is a",
                    "logistic function of output-based features, with random effects of query, system and team, and of",
                    "further groups of documents where these are known; coefficients and variances are")),
        if (judged) "estimated by empirical Bayes from the judgments, starting from" else "those of",
        paste0(prior, "."), "Means and covariance of the systems follow",
        "from the joint distribution of the gains, so the confidence accounts for the correlations of the gains.")
}

independent_methods <- paste(
  "The gains of documents that were not judged were estimated independently of each other, as Urbano and Schedl (2013)",
  "do; variances under this assumption have been found to be too small."
)

# References in text and BibTeX: this package, the method, and minimal test collections.
report_citations <- function() {
  entries <- utils::citation("judicious")
  chosen <- lapply(grep("^judicious|^Minimal test collections", unlist(entries$title)), function(i) entries[i])
  list(text = vapply(chosen, function(entry) paste(format(entry, style = "text"), collapse = " "), ""),
       bibtex = unlist(lapply(chosen, function(entry) c(unclass(utils::toBibtex(entry)), ""))))
}

# A call in R, or a command of a shell, as text. If a call contains a whole data set, it is shortened.
report_call <- function(call) {
  lines <- if (is.character(call)) call else deparse(call, width.cutoff = 100)
  if (length(lines) > 12) c(lines[1:12], "# ... shortened") else lines
}

# Marks formatted text as a number, so that html_table() aligns it to the right.
report_number <- function(text) structure(text, class = c("report_number", "AsIs"))

# The texts of values, with a dash for those that are not known.
known_number <- function(value, text) report_number(ifelse(is.na(value), "\u2013", text))

scale_text <- function(scale) {
  if (scale$any_value) return(sprintf("from %s to %s", format(min(scale$levels)), format(max(scale$levels))))
  paste(format(scale$levels, trim = TRUE), collapse = ", ")
}
