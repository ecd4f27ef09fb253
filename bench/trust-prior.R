# Learns the built-in prior from some collections: bench/trust.R uses for each collection a prior learned from the
# others. As a script, it prints the results for all collections of JUDICIOUS_DATA, the source of the numbers in
# gain_prior().

fits <- new.env()

# Slopes and variances of one collection, from at most 2,000 of its judgments, with a prior that is wide for parameters
# in which collections differ.
fit_case <- function(case) {
  if (!is.null(fits[[case$name]])) return(fits[[case$name]])
  x <- some_judged(case$x, 2000)
  slope_sd <- c(popularity = 1, share = 3, agreement = 2, list_agreement = 2, rank = 1)
  wide <- gain_prior(slope_sd = slope_sd, variance_sd = 1.5)
  effects <- setdiff(names(wide$variance), "residual")
  fits[[case$name]] <- gain_model(past = x, random = effects, prior = wide, new_collection = 0)
  fits[[case$name]]
}

some_judged <- function(x, most) {
  set.seed(1)
  judged <- which(!is.na(x$gain))
  x$gain[-sample(judged, min(most, length(judged)))] <- NA
  x
}

# There are few collections: for each slope, uses the mean and a standard deviation that allows for one more collection;
# for each variance, the geometric mean.
learn_prior <- function(cases) {
  models <- lapply(cases, fit_case)
  known <- Map(function(case, model) intersect(names(model$coefficient), varying_features(case$x)), cases, models)
  slope <- function(name) {
    unlist(Map(function(model, names) if (name %in% names) model$coefficient[[name]], models, known))
  }
  learned <- c("popularity", "share", "agreement", "list_agreement", "rank")
  slopes <- lapply(stats::setNames(learned, learned), slope)
  slopes <- slopes[lengths(slopes) > 1]
  spread <- vapply(slopes, function(v) sqrt(stats::var(v) * (1 + 1 / length(v)) + 0.04), 1)
  centre <- vapply(slopes, mean, 1)
  # The share is nearly a function of the popularity, so its additional effect is less certain than it seems.
  spread[["share"]] <- max(1, spread[["share"]])
  # A collection whose lists do not differ in this way (CLEF eHealth) needs a slope near 0.
  centre[["list_agreement"]] <- 0.7 * centre[["list_agreement"]]
  spread[["list_agreement"]] <- max(0.5, spread[["list_agreement"]])
  effects <- setdiff(names(gain_prior()$variance), c("query:genre", "query:artist"))
  variances <- vapply(effects, function(name) {
    exp(mean(log(vapply(models, function(model) model$variance[[name]], 1))))
  }, 1)
  gain_prior(slopes = centre, slope_sd = spread, variances = variances)
}

# A collection without ranks contains no information about their slope.
varying_features <- function(x) setdiff(names(gain_prior()$coefficient), if (length(unique(x$results$rank)) < 2) "rank")

left_out_prior <- local({
  learnt <- new.env()
  function(others) {
    key <- paste(vapply(others, `[[`, "", "name"), collapse = " ")
    if (is.null(learnt[[key]])) learnt[[key]] <- learn_prior(others)
    learnt[[key]]
  }
})

if (!interactive() && any(grepl("trust-prior[.]R$", commandArgs()))) {
  suppressMessages(library(judicious))
  source("bench/common.R")
  source("bench/trust-data.R")
  cases <- read_cases()
  print(learn_prior(cases))
  for (part in c("coefficient", "variance")) {
    show(paste("By collection:", part), data.frame(collection = collection_names, t(vapply(cases, function(case) {
      fit_case(case)[[part]]
    }, gain_prior()[[part]])), check.names = FALSE))
  }
}
