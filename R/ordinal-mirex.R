#' Use the published models of music similarity gains
#'
#' Returns the models in Table 7 of Urbano and Schedl (2013): proportional-odds models fitted to the judgments of the
#' MIREX Audio Music Similarity editions of 2007, 2009, 2010 and 2011. With `past`, models with the formulas of the
#' paper are fitted to the given collections.
#'
#' The published judgment-based model was fitted to features that include the document's own gain,
#' `judgment_features(self = TRUE)`.
#'
#' @param type `"output"`: features from the systems' output and the metadata only (pTEAM, OV, pART, sGEN, pGEN and
#'   sGEN:pGEN). `"judge"`: also from judgments (pTEAM, OV, aSYS, aART). [output_features()] defines them.
#' @param scale `"broad"` (levels 0, 1, 2) or `"fine"` (levels 0, 11, ..., 99), or the scale itself, by
#'   [broad_scale()], [fine_scale()] or `fine_scale(10)`. With `past`, their scale is used.
#' @param past NULL for the published coefficients; or a judged [test_collection()] or a list of them, all with the same
#'   gain scale. OV is left out if it is the same in all.
#' @param self With `past`: TRUE includes a pair's own gain in the features of the judgment-based model, as in the
#'   paper.
#' @return Without `past`, a `judicious_pom` with coefficients only: `predict()` requires `newdata`. With `past`, a fit
#'   by [pom()]. [gain_distribution()] accepts both.
#' @references Urbano and Schedl (2013), Table 7, equations (9) and (10): see [mtc()].
#' @examples
#' example <- data.frame(pTEAM = 0.25, OV = 0.8053, pART = 0.0217, sGEN = 1, pGEN = 0.8478)
#' predict(mirex_model("output", "broad"), example, type = "prob")
#' @export
mirex_model <- function(type = c("output", "judge"), scale = c("broad", "fine"), past = NULL, self = TRUE) {
  user_call <- match.call()
  type <- check_choice(type, c("output", "judge"), "type")
  check_flag(self, "self")
  if (!is.null(past)) return(fit_mirex_model(type, past, self))
  if (!inherits(scale, "judicious_scale"))
    scale <- if (check_choice(scale, c("broad", "fine"), "scale") == "broad") broad_scale() else fine_scale()
  # Coefficients of Table 7 of Urbano and Schedl (2013). On the Fine scale from 0 to 10, mean gains are a tenth of those
  # from 0 to 100, so their coefficients are ten times as large.
  tenth <- scale$name == "Fine 0 to 10"
  name <- check_choice(if (tenth) "fine" else lower_ascii(scale$name), c("broad", "fine"), "scale")
  published <- mirex_table_7[[type]][[name]]
  of_gains <- tenth & names(published$beta) %in% c("aSYS", "aART")
  published$beta[of_gains] <- 10 * published$beta[of_gains]
  level_names <- scale$model_levels
  alpha <- stats::setNames(published$alpha, paste0(">=", level_names[-1]))
  model_formula <- reformulate(names(published$beta), "gain", env = baseenv())
  # States the types of the variables, which predict() requires of new data; otherwise, text or TRUE would be coded as
  # contrasts.
  model_terms <- terms(model_formula)
  variables <- rownames(attr(model_terms, "factors"))[-1]
  attr(model_terms, "dataClasses") <- stats::setNames(rep("numeric", length(variables)), variables)
  structure(list(
    alpha = alpha, beta = published$beta, coefficients = c(alpha, published$beta), aliased = character(),
    levels = as.character(level_names), level_values = level_names, formula = model_formula, terms = model_terms,
    xlevels = list(), contrasts = NULL, link = "logit", call = user_call), class = "judicious_pom")
}

mirex_formulas <- list(output = gain ~ pTEAM + OV + pART + sGEN + pGEN + sGEN:pGEN,
                       judge = gain ~ pTEAM + OV + aSYS + aART)

# `fit`: a function of a formula and data, which the scripts that reproduce the paper replace by truncated regression.
fit_mirex_model <- function(type, collections, self, fit = pom) {
  if (inherits(collections, "judicious_collection")) collections <- list(collections)
  collections <- lapply(collections, judged_collection, "past")
  scale <- collections[[1]]$scale
  same <- vapply(collections, function(x) identical(x$scale$model_levels, scale$model_levels), NA)
  check_that(all(same), "past", "All {.arg past} must have the same gain scale, not {format(scale)} and
    {format(collections[[which(!same)[1]]]$scale)}.")
  model_data <- do.call(rbind, lapply(collections, judged_features, self))
  check_that(nrow(model_data), "past", "No pair of {.arg past} is judged.", kind = "incomplete_judgments")
  model_formula <- mirex_formulas[[type]]
  if (length(unique(model_data$OV)) == 1) model_formula <- stats::update(model_formula, . ~ . - OV)
  fit(model_formula, model_data)
}

# Features and the model level of each judged pair.
judged_features <- function(x, self = TRUE) {
  model_data <- cbind(output_features(x), judgment_features(x, self = self)[c("aSYS", "aART")],
                gain = factor(modelled_gain(x), x$scale$model_levels, ordered = TRUE))
  model_data[!is.na(model_data$gain), ]
}

mirex_table_7 <- list(
  output = list(
    broad = list(
      beta = c(pTEAM = 2.3677, OV = 1.9749, pART = 3.2041, sGEN = 1.9030, pGEN = 5.4144, `sGEN:pGEN` = -2.9848),
      alpha = c(-3.2513, -5.3349)),
    fine = list(
      beta = c(pTEAM = 2.2223, OV = 2.0652, pART = 2.9179, sGEN = 2.0174, pGEN = 5.4605, `sGEN:pGEN` = -3.4288),
      alpha = c(-1.7043, -2.6087, -3.2373, -3.7705, -4.2464, -4.8460, -5.5678, -6.6135, -8.4655))),
  judge = list(
    broad = list(beta = c(pTEAM = 2.0900, OV = 0.2420, aSYS = 1.1490, aART = 7.1853), alpha = c(-5.5370, -12.2572)),
    fine = list(beta = c(pTEAM = 1.4405, OV = 0.1139, aSYS = 0.0115, aART = 0.2128),
                alpha = c(-2.1862, -4.6920, -6.9954, -9.2063, -11.2362, -13.5847, -15.8001, -18.2491, -21.2480)))
)
