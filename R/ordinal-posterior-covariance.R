#' Compute the joint posterior covariance of linear predictors
#'
#' Computes the covariance of the linear predictors of any rows of a mixed model, given the data. Use it for the joint
#' uncertainty of several rows, such as that of a mean. It uses the sparse factor of the precision of the effects, so
#' only the result is a dense matrix. Rows of the same new group share the effect of this group, which has its prior
#' variance.
#'
#' @param object A `judicious_pom_mixed`, as returned by [pom()] with random terms.
#' @param newdata A data frame with the variables of the model; by default, the rows to which the model was fitted.
#' @param fixed TRUE includes the uncertainty of thresholds and slopes, and the uncertainty of the modes that follows
#'   from it. FALSE treats thresholds, slopes and standard deviations as known.
#' @param diagonal TRUE returns only the variances, as a vector.
#' @return A matrix with one row and one column per row of `newdata`, or a vector with one element per row. It is NA for
#'   rows with missing values.
#' @seealso [predict.judicious_pom_mixed()]
#' @examples
#' set.seed(1)
#' d <- data.frame(query = gl(20, 10), x = rnorm(200))
#' d$gain <- cut(d$x + rnorm(20)[d$query] + rlogis(200), c(-Inf, -1, 1, Inf), labels = 0:2)
#' fit <- pom(gain ~ x + (1 | query), d)
#' posterior_covariance(fit, data.frame(query = c("1", "1", "new", "new"), x = 0))
#' @export
posterior_covariance <- function(object, newdata = NULL, fixed = FALSE, diagonal = FALSE) {
  check_class(object, "judicious_pom_mixed", "object", "pom")
  check_flag(fixed, "fixed")
  check_flag(diagonal, "diagonal")
  rows <- effect_rows(object, newdata)
  is_missing <- rows$missing
  known <- mixed_covariance_cpp(object$effect_design, object$loadings, object$curvature, rows$design, diagonal)
  out <- if (diagonal) effect_variance(object, rows) else known + new_group_covariance(object, rows)
  if (fixed) {
    x <- if (is.null(newdata)) object$columns else new_general_rows(object, newdata, na.pass)$columns
    half <- fixed_sensitivity(object, rows, x)
    is_missing <- is_missing | is.na(rowSums(half))
    covariance <- object$covariance
    out <- out + if (diagonal) rowSums((half %*% covariance) * half) else half %*% covariance %*% t(half)
  }
  if (diagonal) {
    out[is_missing] <- NA
    return(out)
  }
  out[is_missing, ] <- NA
  out[, is_missing] <- NA
  out
}

new_group_covariance <- function(object, rows) {
  extra <- rows$extra
  if (!length(extra$row)) return(0)
  key <- match(extra$key, unique(extra$key))
  value <- extra$value * object$loadings[extra$term]
  tcrossprod(matrix(sum_by_code(value, (key - 1) * rows$n + extra$row, rows$n * max(key)), rows$n))
}
