# Studies that take too long for an article: many simulated sessions on the embedded collections, of which
# results/studies.csv keeps the means. build.R runs them.

# The language model of the article on graders: it is lenient, grades all documents of a query too high or too low, and
# favours documents that the three systems of team T10 retrieve.
language_model <- function(x, kin = "T10", seed = 7) {
  set.seed(seed)
  pool <- output_features(x)[c("query", "doc")]
  runs <- as.data.frame(x)
  of_kin <- runs$system %in% x$systems$system[x$systems$team == kin]
  liked <- paste(pool$query, pool$doc) %in% paste(runs$query, runs$doc)[of_kin]
  by_query <- rnorm(nrow(x$queries), 0, 8)[match(pool$query, x$queries$query)]
  heard <- judgments_of(x)$gain + 15 + by_query + 25 * liked + rnorm(nrow(pool), 0, 22)
  data.frame(pool, grade = findInterval(heard, c(25, 50, 75)))
}

# One judgment in ten is of a random document, so that the replicates differ.
selected <- function(...) joint_method(gain_prior(), audit = 0.1, ...)
at_random <- function(...) joint_method(gain_prior(), strategy = strategy_random(), ...)

run_study <- function(collection, methods, budgets, replicates = 6) {
  study <- mtc_study(get(collection), methods = methods, budgets = budgets, replicates = replicates, split = "whole",
                     seed = 1)
  means <- as.data.frame(summary(study))
  data.frame(collection = collection, replicates = replicates,
             means[c("method", "budget", "confidence", "accuracy", "accuracy_se", "z2", "coverage")])
}

shuffled_grades <- function() {
  set.seed(1)
  transform(text_grades, grade = sample(grade))
}

run_studies <- function() {
  rbind(
    run_study("text_demo", list(
      "joint gains" = selected(), "joint gains, random documents" = at_random(),
      "joint gains and grades" = selected(grades = text_grades),
      "joint gains and shuffled grades" = selected(grades = shuffled_grades()),
      "published" = published_method(NULL)
    ), c(0, 20, 50, 100, 200, 400)),
    run_study("ams_demo", list(
      "joint gains" = selected(), "joint gains, random documents" = at_random(),
      "joint gains and grades" = selected(grades = language_model),
      "joint gains and grades, random documents" = at_random(grades = language_model),
      "published" = published_method(mirex_model("output", "fine"), mirex_model("judge", "fine"))
    ), c(0, 50, 100, 150, 300))
  )
}

studies_path <- file.path("results", "studies.csv")

# The stored means on one collection, for an article.
stored_study <- function(collection, methods = NULL) {
  means <- utils::read.csv(studies_path)
  means[means$collection == collection & (is.null(methods) | means$method %in% methods), ]
}

show_study <- function(means) {
  shown <- means[c("method", "budget", "confidence", "accuracy", "z2", "coverage")]
  names(shown)[2] <- "judgments"
  knitr::kable(shown, digits = c(0, 0, 3, 3, 2, 3), row.names = FALSE)
}
