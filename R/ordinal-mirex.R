#' Use the published models of music similarity gains
#'
#' Returns the models in Table 7 of Urbano and Schedl (2013): proportional-odds models fitted to all judgments of the
#' MIREX Audio Music Similarity editions of 2007, 2009, 2010 and 2011. They predict like a model fitted by [pom()].
#'
#' The judgment model was fitted with a document's own gain inside `aSYS` and `aART`: its features are
#' `judgment_features(self = TRUE)`, and its published errors refer to these only.
#'
#' @param type `"output"`: the model with features from the systems' output and the metadata only (pTEAM, OV, pART,
#'   sGEN, pGEN and sGEN:pGEN). `"judge"`: the model that also uses judgments (pTEAM, OV, aSYS, aART).
#' @param scale `"broad"` (levels 0, 1, 2) or `"fine"` (levels 0, 11, ..., 99), or the scale itself, by
#'   [broad_scale()] or [fine_scale()].
#' @return A `judicious_pom` without data. `predict()` requires `newdata`; methods that need data or a likelihood
#'   (`summary()`, `vcov()`, `confint()`, `logLik()`, `residuals()`, ...) raise an error.
#' @references Urbano, J. and Schedl, M. (2013). Minimal test collections for
#'   low-cost evaluation of Audio Music Similarity and Retrieval systems.
#'   International Journal of Multimedia Information Retrieval 2, 59-70. Table 7, equations (9) and (10).
#' @examples
#' example <- data.frame(pTEAM = 0.25, OV = 0.8053, pART = 0.0217, sGEN = 1, pGEN = 0.8478)
#' predict(mirex_model("output", "broad"), example, type = "prob")
#' @export
mirex_model <- function(type = c("output", "judge"), scale = c("broad", "fine")) {
  call <- match.call()
  type <- check_choice(type, c("output", "judge"), "type")
  if (inherits(scale, "judicious_scale")) scale <- lower_ascii(scale$name)
  scale <- check_choice(scale, c("broad", "fine"), "scale")
  published <- mirex_table_7[[type]][[scale]]
  levels <- (if (scale == "broad") broad_scale() else fine_scale())$model_levels
  alpha <- published$alpha
  names(alpha) <- paste0(">=", levels[-1])
  formula <- reformulate(names(published$beta), "gain", env = baseenv())
  # The types against which predict() checks new data; text or TRUE would be coded as contrasts.
  terms <- terms(formula)
  variables <- rownames(attr(terms, "factors"))[-1]
  attr(terms, "dataClasses") <- stats::setNames(rep("numeric", length(variables)), variables)
  structure(list(
    alpha = alpha, beta = published$beta, coefficients = c(alpha, published$beta), aliased = character(),
    levels = as.character(levels), level_values = levels, formula = formula, terms = terms,
    xlevels = list(), contrasts = NULL, link = "logit", call = call
  ), class = "judicious_pom")
}

mirex_table_7 <- list(
  output = list(
    broad = list(
      beta = c(pTEAM = 2.3677, OV = 1.9749, pART = 3.2041, sGEN = 1.9030, pGEN = 5.4144, `sGEN:pGEN` = -2.9848),
      alpha = c(-3.2513, -5.3349)
    ),
    fine = list(
      beta = c(pTEAM = 2.2223, OV = 2.0652, pART = 2.9179, sGEN = 2.0174, pGEN = 5.4605, `sGEN:pGEN` = -3.4288),
      alpha = c(-1.7043, -2.6087, -3.2373, -3.7705, -4.2464, -4.8460, -5.5678, -6.6135, -8.4655)
    )
  ),
  judge = list(
    broad = list(
      beta = c(pTEAM = 2.0900, OV = 0.2420, aSYS = 1.1490, aART = 7.1853),
      alpha = c(-5.5370, -12.2572)
    ),
    fine = list(
      beta = c(pTEAM = 1.4405, OV = 0.1139, aSYS = 0.0115, aART = 0.2128),
      alpha = c(-2.1862, -4.6920, -6.9954, -9.2063, -11.2362, -13.5847, -15.8001, -18.2491, -21.2480)
    )
  )
)
