#' Fit a proportional-odds model
#'
#' Fits the proportional-odds model, and cumulative models with other links, to an ordered response \eqn{Y} with levels
#' \eqn{l_1 < ... < l_J}, such as grades, ratings or relevance levels, by maximum likelihood: \deqn{\log\frac{P(Y \ge
#' l_j)}{P(Y < l_j)} = \alpha_j + x'\beta, \quad j = 2, ..., J,}{log(P(Y >= l_j) / P(Y < l_j)) = alpha_j + x'beta, j =
#' 2, ..., J,} which is equation (9) of Urbano and Schedl (2013). Use it to predict gains from features, or for any
#' other ordinal regression. A positive slope moves the response up. [MASS::polr()] and [ordinal::clm()] have the same
#' slopes, and (flexible) thresholds of opposite sign.
#' @param formula A formula, `response ~ terms`. It may contain [offset()] terms, and random terms like `(1 | query)`:
#'   see [pom_mixed()]. The thresholds are the intercepts, so removing the intercept has no effect.
#'
#'   The response may be an ordered factor, a factor (the order of its levels counts), a logical, or numbers, of which
#'   each distinct one is a level. Levels without an observation of positive weight are dropped, with a message. A
#'   matrix such as `cbind(low, middle, high)` has the counts of the levels, lowest first.
#' @param data A data frame; or data that are not in memory, as in [pom_large]. Without it, variables are looked up in
#'   the environment of the formula. Character predictors become factors with levels in the order of code points.
#' @param weights Case weights, not negative; a weight of 3 counts a row three times. Rows of weight 0 do not influence
#'   the fit but have fitted values.
#' @param offset A known part of the linear predictor, which [predict()][predict.judicious_pom] includes.
#' @param subset An expression that selects the rows to use, as in [lm()].
#' @param na.action How to handle missing values: a function such as [na.omit()] or [na.exclude()].
#' @param control Settings by [pom_control()].
#' @param link The distribution F in \eqn{P(Y < l_j) = F(\theta_j - x'\beta)}, where \eqn{\theta_j = -\alpha_j}:
#'   - `"logit"`: proportional odds; the fastest;
#'   - `"probit"`: the normal distribution;
#'   - `"cloglog"`: F(x) = 1 - exp(-exp(x)), proportional hazards;
#'   - `"loglog"`: F(x) = exp(-exp(-x));
#'   - `"cauchit"`: the Cauchy distribution;
#'   - `"log-gamma"`: the distribution of \eqn{\log(\lambda^2 G) / \lambda}{log(lambda^2 G) / lambda}, where \eqn{G} is
#'     gamma distributed with shape \eqn{\lambda^{-2}}{1/lambda^2} (Genter and Farewell, 1985): cloglog at 1, probit at
#'     0 (and within 1e-5 of it), loglog at -1;
#'   - `"robit"`: Student's t distribution (Liu, 2004).
#' @param nominal A one-sided formula, or its text (`"x"`), with the variables whose effect differs between thresholds
#'   (partial proportional odds). Their coefficients are named `">=level:column"`; a column that is also in `formula` is
#'   aliased there.
#' @param scale A one-sided formula, or its text, with the variables \eqn{z} that change the spread: \eqn{F((\theta_j -
#'   x'\beta) e^{-z'\zeta})}{F((theta_j - x'beta) exp(-z'zeta))}. The coefficients \eqn{\zeta} are named
#'   `"scale:column"`; [offset()] terms are known parts of the logarithm of the spread.
#' @param threshold `"flexible"`: a free threshold per level above the lowest. `"equidistant"`: the same `spacing`
#'   between neighbours. `"symmetric"`: pairs at equal `distance` from a `central` point.
#' @param ... Settings of [pom_control()], which replace those in `control`, such as `method = "bias_reduced"`.
#' @return A `judicious_pom`: a list with, among others,
#' * `coefficients`: thresholds named `">=level"`, then slopes named by the columns of the model matrix, NA if aliased;
#' `alpha`, `beta`: the two parts;
#' * `levels`, `level_values` (numbers, or NULL if levels are not numeric);
#' * `aliased`: names of the aliased columns; `linear_predictor`: \eqn{x'\beta} plus the offset of every row used;
#' * `loglik`, `df` (the number of estimated coefficients; under a penalty the effective number), `n_obs` (the sum of
#'   the weights if they are whole numbers, and otherwise the number of rows of positive weight), `df_residual`;
#' * `convergence`: a list with `status`, `iterations`, `halvings`, `decrement`, `max_gradient`, `reciprocal_condition`
#'   and `digits` (estimated correct significant digits of each coefficient);
#' * `separation`: `"none"`, `"quasi-complete"` or `"complete"`, and `separated`, the names of the coefficients without
#' a finite estimate;
#' * `information`, `center`, `scale`: used by [vcov()];
#' * `call`, `formula`, `terms`, `xlevels`, `contrasts`, `model`, `weights`, `offset`, `na.action`, `control`.
#'
#' @section Aliased columns and separation:
#' A column that is a linear combination of the thresholds and the columns before it is aliased: its coefficient is NA,
#' and a message of class `judicious_message_aliased` names it.
#'
#' Data are *separated* if a direction of thresholds and slopes exists along which no observation becomes less likely
#' and some become more likely: some coefficients then have no finite maximum-likelihood estimate (Albert and Anderson,
#' 1984). A warning of class `judicious_warning_separation` names the coefficients. With a log-concave link (all but
#' cauchit and robit) and without scale effects, estimates are finite if the data are not separated. The remedies are
#' `method = "bias_reduced"` (Firth, 1993; Kosmidis, 2014) and `penalty`.
#' @section Errors and warnings: An error of class `judicious_error_<kind>` names the argument.
#'   `judicious_warning_convergence`: the fit has not converged. `judicious_warning_link_parameter`: the likelihood has
#'   no maximum in the range searched. Messages: columns that would have the same name, such as the level 1 of a factor
#'   `X2` and a number `X21`, are numbered (`X21.1`; `judicious_message_renamed`); the order of the levels of a plain
#'   factor, if they are sorted as text (`judicious_message_level_order`).
#' @references Urbano and Schedl (2013): see [mtc()].
#'
#'   McCullagh (1980). JRSS B 42, 109-142.
#'
#'   Firth (1993). Biometrika 80, 27-38.
#'
#'   Kosmidis (2014). JRSS B 76, 169-196.
#'
#'   Albert and Anderson (1984). Biometrika 71, 1-10.
#'
#'   Genter and Farewell (1985). Canadian Journal of Statistics 13, 37-44.
#'
#'   Liu (2004). Robit regression. In Gelman, A. and Meng, X.-L. (eds.), Applied Bayesian Modeling and Causal
#'   Inference, 227-238.
#' @seealso [predict.judicious_pom()], [summary.judicious_pom()], [pom_mixed()] for random effects, [mirex_model()].
#' @examples
#' cars <- transform(mtcars, gear = ordered(gear))
#' fit <- pom(gear ~ wt + qsec, data = cars)
#' summary(fit)
#' predict(fit, head(cars), type = "prob")
#' @export
pom <- function(formula, data, weights, offset, subset, na.action, control = pom_control(), link = "logit",
                nominal = NULL, scale = NULL, threshold = c("flexible", "equidistant", "symmetric"), ...) {
  user_call <- match.call()
  check_that(!missing(formula), "formula", c("is missing.", i = "Give a formula, such as {.code gear ~ wt}."))
  # Text must be paths of Parquet files. Any other text is probably a mistake, such as the name of a data frame in
  # quotes.
  check_that(missing(data) || !is.character(data) || is_data_source(data), "data",
             "must be a data frame, not {.obj_type_friendly {data}}.")
  if (!inherits(formula, "formula")) user_call$formula <- formula <- as_model_formula(formula, parent.frame())
  check_special_terms(formula)
  if (is_data_source(data)) return(pom_from_source(user_call, parent.frame(), data))
  control <- merge_control(control, ...)
  link <- check_link(link, control$link_parameter)
  threshold <- check_choice(threshold, c("flexible", "equidistant", "symmetric"), "threshold")
  nominal <- as_side_formula(nominal, parent.frame())
  scale <- as_side_formula(scale, parent.frame())
  call <- if (missing(data)) user_call else replace(user_call, "data", list(data))
  if (has_random_terms(formula))
    return(keep_call(pom_with_effects(call, parent.frame(), link, nominal, scale, threshold, control), user_call))
  check_method(control, link)
  if (is_beyond_fast_path(link, nominal, scale, threshold))
    return(keep_call(pom_general(call, parent.frame(), link, nominal, scale, threshold, control), user_call))
  start_progress("Fitting the model")
  design <- pom_design(call, parent.frame(), control$contrasts, sparse = control$method == "ml")
  fit <- fit_columns(design$x, design$response$codes, length(design$response$levels), weights = design$weights,
                     offset = design$offset, control = control, link = link)
  fit <- new_matrix_fit(fit, design$x, design$response, design$weights, design$offset, control)
  fit$columns <- NULL  # the model frame contains them
  fit <- c(unclass(fit), design[c("formula", "terms", "xlevels", "contrasts", "na.action", "source")])
  fit$model <- if (control$model) design$frame
  fit$call <- user_call
  fit <- without_nulls(structure(fit, class = "judicious_pom"))
  report_fit(fit)
  fit
}

pom_from_source <- function(call, env, data) {
  user_call <- call
  control_names <- intersect(names(call), names(formals(pom_control)))
  control <- if (is.null(call$control)) pom_control() else eval(call$control, env)
  control <- do.call(merge_control, c(list(control), lapply(as.list(call)[control_names], eval, env)))
  rows_source <- open_source(data, control$batch_rows)
  own_formula <- eval(call$formula, env)
  # terms() replaces `.` by the names of the columns, which it reads from a data frame with one row of zeros.
  zeros <- as.data.frame(lapply(stats::setNames(nm = rows_source$columns), function(name) 0), optional = TRUE)
  if ("." %in% all.vars(own_formula)) own_formula <- formula(terms(own_formula, data = zeros))
  call$formula <- own_formula
  columns <- used_columns(call, env, rows_source$columns)
  batches <- rows_source$batches(columns)
  on.exit(batches(NA))
  start_progress("Fitting the model")
  groups <- group_source(rows_source, columns, batches, control$batch_rows)
  fit <- if (!is.null(groups)) fit_groups(call, env, groups) else fit_batches(call, env, batches, control)
  fit$call <- user_call
  fit
}

# Fits a model to the distinct rows of a data source, with their counts as weights. If no row is repeated, they are
# fitted like a data frame.
fit_groups <- function(call, env, groups) {
  rows <- groups$rows
  own_terms <- check_row_wise(call, env, rows)
  counted <- any(groups$count != 1)
  if (counted) {
    report_bases(own_terms, "the distinct rows, each counted once")
    rows$.count <- groups$count
    call$weights <- if (is.null(call$weights)) quote(.count) else call("*", call$weights, quote(.count))
  }
  call$data <- quote(.rows)
  call[[1L]] <- quote(pom)
  fit <- eval(call, list2env(list(pom = pom, .rows = rows), parent = env))
  if (counted) {
    fit$n_missing <- sum(groups$count[fit$na.action])
    fit$source <- "groups"
    fit$response_weight <- as.vector(rowsum(fit$weights, fit$y))
  }
  fit
}
