# The random effects in which gains of different pairs are correlated. The C++ core matches them by name.
joint_terms <- c("residual", "query", "query:popularity", "query:genre", "query:artist", "query:system", "query:team",
                 "system", "team", "system:popularity", "team:popularity")

# The effects of systems and teams.
system_terms <- grep("system|team", joint_terms, value = TRUE)
team_terms <- grep("team", joint_terms, value = TRUE)

# The features of grades: "grades", differences within systems, of a grader with many different grades or of
# probabilities (for others, see grade_features()); "system_grades", differences between systems. `number_slope`: the
# prior of the slope of "grades".
grade_slopes <- c("grades", "system_grades")
number_slope <- list(mean = 0.7, sd = 0.5)

# The features that measure how much systems agree on a document.
agreement_features <- c("popularity", "share", "agreement", "list_agreement")

joint_features <- c(agreement_features, "rank", "first_ranks", "same_genre", "genre_share", "artist_share",
                    grade_slopes)

custom_features <- function(source) list(source = source, names = NULL)

check_features <- function(features) {
  is_valid <- is.null(features) || is.function(features) || is.data.frame(features) ||
    (is.character(features) && length(features) && !anyNA(features))
  check_that(is_valid, "features", "must be names of columns, a data frame or a function of the collection, not
    {.obj_type_friendly {features}}.")
}

#' Set a weakly informative prior of gains
#'
#' Describes the gains of a pool before anything is judged: how relevant a document is on average, how this depends on
#' the systems that retrieve it, and how much gains vary. It is the default of [rank_systems()] and
#' [judging_session()]: call it only to change it, if there is no past collection for [gain_model()]. [joint_gains()]
#' updates all of its values with the judgments.
#'
#' @details Gains are rescaled to 0 (the scale's lowest level) to 1 (its highest), so that one prior fits any scale.
#'   The default values were learned from fifteen collections of eight families (`data-raw/gain_prior.R`), except those
#'   for genres and artists, which were chosen by hand.
#'
#' @section Features of the mean: The mean gain m of a pair has logit(m) = a + sum(b x), with intercept a and slopes b.
#'   The features x, as far as a collection has them, are centred over the pool:
#'   - `popularity`: the log of the number of teams that retrieved the document; a system without a known team counts as
#'     a team;
#'   - `share`: the share of the teams that retrieved it;
#'   - `agreement`: how much the systems that retrieved the document agree with the others: the mean over these systems
#'     of the mean popularity of all documents that each retrieved, times the slope of the regression of popularity on
#'     this mean, over all results;
#'   - `list_agreement`: the same within the query: over the n lists of this query that contain the document, the sum of
#'     (mean popularity of the documents in the list - mean popularity in the pool), divided by sqrt(n n'), where n' is
#'     the mean of n over the results;
#'   - `rank`: the mean rank, from 0 at the top to 1 at the cutoff;
#'   - `first_ranks`: log(1 + the number of lists that have the document at rank 1);
#'   - `same_genre`: 1 if the document's genre is the query's;
#'   - `genre_share`, `artist_share`: logs of the shares of the query's documents in the pool that have the document's
#'     genre and its artist;
#'   - `grades`, `system_grades` and `favour:` with the name of a team: see [graders];
#'   - `selected`: 1 for pairs that a strategy selected, as in a session, and 0 for all others. Its slope has prior mean
#'     0 and standard deviation `r selected_sd`, and is not carried over to other collections.
#'
#'   `popularity`, `share` and `first_ranks` are centred within systems, so that the means of all systems are equal.
#'
#' @section Effects: A gain varies around its mean by the sum of normal effects: of the query; of its slope on
#'   `popularity`; of its genres and artists; of the systems and teams that retrieved the document, on this query and
#'   on all queries; of the slopes of these systems and teams on `popularity`; and a residual. If every team has one
#'   system, the variances of teams are added to those of systems. Section 6 of `vignette("methods")` has the formulas.
#'
#'   Where systems share hardly a document, as with single answers, the prior median of the variance of systems is up
#'   to `r no_overlap_factor` times as large, and some standard deviations are larger. Given slopes keep their standard
#'   deviations; given variances, and informative grades, turn the factor off.
#'
#'   The logs of the variances of systems and teams have prior correlation `r system_correlation`. A gain on two
#'   levels, or one that a measure such as P counts as relevant or not, has at least the variance m (1 - m). The
#'   residual and the effects on single queries have about `r least_chance` of it or more.
#'
#' @section Custom features: Features of pairs, documents, queries or systems can be added to the mean. `features` is
#'   one of:
#'   - names of columns of the collection's `documents`, `queries` or `systems` (the mean over those that retrieved the
#'     document); a named vector renames them;
#'   - a data frame with `query`, `doc` or both, and the features;
#'   - a function of the collection that returns a data frame with a row per pair, in pool order, in which columns
#'     `query` and `doc` are ignored.
#'
#'   Features are numeric or logical, NA is replaced by their mean, and each is standardised over the pool. Its slope
#'   has prior mean 0 and standard deviation 1, until [gain_model()] has learned it.
#'
#' @param mean,mean_sd The expected gain at average features, between 0 and 1, and the standard deviation of its logit.
#'   NULL uses the learned values.
#' @param slopes,slope_sd Named numbers: prior means and standard deviations of slopes, such as `c(popularity = 1)`,
#'   which replace the built-in ones.
#' @param variances Named positive numbers: prior medians of the variances of the effects, which replace the built-in
#'   ones. 0 leaves an effect out; the residual variance must be positive. Their names are
#'   `r paste0('"', joint_terms, '"', collapse = ", ")`.
#' @param variance_sd Named positive numbers, or one for all: standard deviations of the logs of the variances.
#' @param features Custom features, in addition to the built-in ones.
#' @return A `judicious_gain_model`, as [gain_model()] returns; `print()` shows its values.
#' @examples
#' gain_prior()
#' # Without effects of artists and genres, and expecting few relevant documents
#' gain_prior(mean = 0.1, variances = c("query:genre" = 0, "query:artist" = 0))
#' # With a column of the collection's documents
#' gain_prior(features = "length")
#' @export
gain_prior <- function(mean = NULL, mean_sd = NULL, slopes = numeric(), slope_sd = numeric(), variances = numeric(),
                       variance_sd = numeric(), features = NULL) {
  check_features(features)
  if (!is.null(mean)) check_number(mean, "mean", min = 0, max = 1, open = TRUE)
  if (!is.null(mean_sd)) check_number(mean_sd, "mean_sd", min = 0, max = Inf, open = TRUE)
  model <- built_in_prior
  model$built_in_slopes <- setdiff(model$built_in_slopes, c(names(slopes), names(slope_sd)))
  known_sd <- coefficient_sd(model)
  slope <- replace_named(model$coefficient[-1], slopes, "slopes")
  slope_sd <- replace_named(known_sd[-1], slope_sd, "slope_sd", positive = TRUE)
  variance <- replace_named(model$variance, variances, "variances", positive = TRUE, zero = TRUE)
  check_that(variance[["residual"]] != 0, "variances",
             "The variance {.val residual} of {.arg variances} must be positive.")
  # prior_for_collection() adapts variances and slopes to a collection, unless they were given.
  model$built_in <- !length(variances) && !length(variance_sd)
  if (length(variance_sd) == 1 && is.null(names(variance_sd))) {
    variance_sd <- stats::setNames(rep(variance_sd, length(joint_terms)), joint_terms)
  }
  model$variance_sd <- replace_named(model$variance_sd, variance_sd, "variance_sd", positive = TRUE)
  model$variance <- variance
  model$coefficient <- c(intercept = if (is.null(mean)) model$coefficient[[1]] else stats::qlogis(mean), slope)
  change <- c(mean_sd %||% known_sd[[1]], slope_sd) / known_sd
  model$coefficient_covariance <- model$coefficient_covariance * outer(change, change)
  if (!is.null(features)) model$features <- custom_features(features)
  model
}

# The prior with values as data-raw/gain_prior.R learns them. The slopes and variances for genres and artists are chosen
# by hand, because only one family of collections has genres and artists. So are the slopes of grades.
prior_of_values <- function(values) {
  coefficient <- c(values$coefficient, same_genre = .5, genre_share = .4, artist_share = .08,
                   grades = number_slope$mean, system_grades = 1.5)
  spread <- c(values$coefficient_sd, same_genre = .3, genre_share = .2, artist_share = .12, grades = number_slope$sd,
              system_grades = .2)
  correlation <- structure(diag(length(spread)), dimnames = list(names(spread), names(spread)))
  learned <- names(values$coefficient)
  correlation[learned, learned] <- values$coefficient_correlation
  variance <- c(values$variance, "query:genre" = .02, "query:artist" = .018)[joint_terms]
  variance_sd <- c(values$variance_sd, "query:genre" = .8, "query:artist" = .8)[joint_terms]
  model <- new_gain_model(coefficient, correlation * outer(spread, spread), variance, variance_sd)
  model$built_in <- TRUE
  model$built_in_slopes <- agreement_features
  model
}

replace_named <- function(values, with, arg, positive = FALSE, zero = FALSE) {
  is_valid <- is.numeric(with) && all(is.finite(with)) && (!length(with) || !is.null(names(with))) &&
    (!positive || all(with > 0 | (zero & with == 0)))
  kind <- if (zero) "named numbers of at least 0" else if (positive) "named positive numbers" else "named numbers"
  check_that(is_valid, arg, "must be {kind}.")
  unknown <- setdiff(names(with), names(values))
  check_that(!length(unknown), arg, c("has {cli::qty(length(unknown))}unknown name{?s} {.val {unknown}}.",
                                      i = "The names are {.val {names(values)}}."))
  values[names(with)] <- with
  values
}

# Model with normal priors of the coefficients and log-normal priors of the variances, for gains from 0 to 1.
new_gain_model <- function(coefficient, coefficient_covariance, variance, variance_sd, fitted = NULL,
                           features = NULL, past = NULL) {
  structure(list(coefficient = coefficient, coefficient_covariance = coefficient_covariance, variance = variance,
                 variance_sd = variance_sd, fitted = fitted, features = features, past = past, built_in = FALSE,
                 built_in_slopes = character()),
            class = "judicious_gain_model")
}

# The result of gain_prior() without arguments.
built_in_prior <- prior_of_values(learned_prior)

coefficient_sd <- function(model) sqrt(diag(model$coefficient_covariance))

#' @export
print.judicious_gain_model <- function(x, digits = 3, ...) {
  if (is.null(x$fitted)) {
    cat("Prior of the gains of a collection (gains from 0 to 1)\n")
  } else {
    cat("Model of gains, fitted on ", counted(x$fitted$judged, "judgment"), " of ",
        counted(x$fitted$collections, "collection"), " (gains from 0 to 1)\n", sep = "")
  }
  cat("Logit of the mean gain:\n")
  print(rbind(mean = signif(x$coefficient, digits), sd = signif(coefficient_sd(x), digits)))
  if (!is.null(x$features) && is.null(x$features$names)) {
    origin <- x$features$source
    columns <- if (is.character(origin)) paste0(": ", paste(origin, collapse = ", "))
    cat("and features of your own (mean 0, sd 1)", columns, "\n", sep = "")
  }
  cat("Variances of the effects (and the sd of their logs):\n")
  used <- x$variance > 0
  print(rbind(variance = signif(x$variance[used], digits), "log sd" = signif(x$variance_sd[used], digits)))
  invisible(x)
}
