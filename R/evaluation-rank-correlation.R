#' Compute the correlation between two rankings
#'
#' Computes Kendall's tau; the AP correlation, in which swaps near the top weigh more; or rank-biased overlap, for
#' rankings of different lengths and items. Use it to compare an estimated ranking of systems with the true one.
#'
#' @section Tau and tau_AP: With `ties = "a"`, systems tied in `estimate` are in an unknown order, and the coefficient
#'   is the mean over all their orders. For `"tau_ap"`, the true ranking must then have no ties; `"tau"` counts a pair
#'   that is tied in either ranking as neither concordant nor discordant. With `ties = "b"`, the two rankings have equal
#'   roles, and ties carry no information: tau_b, and the symmetric tau_AP,b, the mean over both directions; `NaN` if
#'   all systems of a ranking are tied. These are tau_a, tau_b, tau_AP,a and tau_AP,b of Urbano and Marrero (2017).
#'
#' @section Rank-biased overlap: The weighted mean of the agreement of two rankings at depths 1, 2, ..., with weights (1
#'   - p) p^(depth - 1) (Webber et al. 2010; with ties, Corsi and Urbano 2024). `ext` assumes that the agreement
#'   continues in unseen ranks, `min` that the rankings have no further item in common, and `max` that they have as many
#'   as possible; `res` is `max - min`.
#'
#' With `ties = "w"`, tied items share the highest rank. With `ties = "a"`, agreement is the mean over all orders of
#' both rankings. With `ties = "b"`, it is divided such that that of a ranking with itself is 1 (section 8 of
#' `vignette("methods")`).
#' @param truth,estimate Effectiveness of the same systems, higher is better: numeric vectors (matched by name if both
#'   have names, otherwise by position), data frames with a column `system` and one of `mean`, `estimate` or `value`,
#'   or the result of [compare_systems()] or [rank_systems()]. For `"rbo"`, vectors with names; or items, best first,
#'   as a character vector or a list with one vector per group of ties.
#' @param method `"tau"` (Kendall's tau), `"tau_ap"` (the AP correlation) or `"rbo"` (rank-biased overlap).
#' @param ties How to treat ties: `"a"` or `"b"`; for `"rbo"` also `"w"`.
#' @param p Persistence of `"rbo"`, between 0 and 1.
#' @return A number from -1 to 1. For `"rbo"`, a named vector with `ext`, `min`, `max` and `res`.
#' @references Yilmaz et al. (2008). A new rank correlation coefficient for information retrieval. SIGIR, 587-594.
#'
#'   Urbano and Marrero (2017). The treatment of ties in AP correlation. ICTIR, 321-324.
#'
#'   Webber et al. (2010). A similarity measure for indefinite rankings. ACM TOIS 28(4).
#'
#'   Corsi and Urbano (2024). The treatment of ties in rank-biased overlap. SIGIR.
#' @examples
#' truth <- c(A = .9, B = .8, C = .7, D = .2)
#' estimate <- c(A = .8, B = .9, C = .5, D = .5)
#' rank_correlation(truth, estimate)
#' rank_correlation(truth, estimate, ties = "b")
#' rank_correlation(truth, estimate, "tau_ap")
#' rank_correlation(c("A", "B", "C", "D"), c("B", "A", "C", "E", "D"), "rbo")
#' @export
rank_correlation <- function(truth, estimate, method = c("tau", "tau_ap", "rbo"), ties = "a", p = 0.9) {
  method <- check_choice(method, c("tau", "tau_ap", "rbo"), "method")
  ties <- check_choice(ties, c("a", "b", if (method == "rbo") "w"), "ties")
  if (method == "rbo") {
    check_number(p, "p", 0, 1, open = TRUE)
    return(rbo_scores(tied_ranking(truth, "truth"), tied_ranking(estimate, "estimate"), p, ties))
  }
  x <- paired_rankings(truth, estimate)
  if (method == "tau") {
    orders <- lapply(x, function(score) sign(pair_differences(matrix(rank(score), 1))))
    shared <- sum(orders$truth * orders$estimate)
    return(shared / if (ties == "a") length(orders$truth) else prod(sqrt(vapply(orders, function(o) sum(o != 0), 0))))
  }
  if (ties == "b") return((tau_ap_untied(x$truth, x$estimate) + tau_ap_untied(x$estimate, x$truth)) / 2)
  check_that(!anyDuplicated(x$truth), "truth", c("has ties, which {.code ties = \"a\"} does not allow.",
                                                 i = "With {.code ties = \"b\"} both rankings may have them."))
  tau_ap_expected(x$truth, x$estimate)
}

# The mean of the coefficient over all orders of systems that are tied in `estimate`. If p - 1 systems are above a group
# of t tied systems, each system of the group is at each of the ranks p, ..., p + t - 1 with equal probability. Other
# systems of the group that are above it are concordant with probability 1/2.
tau_ap_expected <- function(truth, estimate) {
  n <- length(truth)
  above <- outer(estimate, estimate, "<")
  concordant <- rowSums(above & outer(truth, truth, "<"))
  p <- rowSums(above) + 1
  tied <- rowSums(outer(estimate, estimate, "=="))
  share <- mapply(function(concordant, p, tied) {
    ahead <- seq_len(tied) - 1
    mean(ifelse(p + ahead > 1, (concordant + ahead / 2) / pmax(p + ahead - 1, 1), 0))
  }, concordant, p, tied)
  2 * sum(share) / (n - 1) - 1
}

# One of the two terms of tau_AP,b: for each system that has others above its group of ties, the share of these that are
# truly better.
tau_ap_untied <- function(truth, estimate) {
  above <- outer(estimate, estimate, "<")
  share <- rowSums(above & outer(truth, truth, "<")) / rowSums(above)
  2 * mean(share[rowSums(above) > 0]) - 1
}

paired_rankings <- function(truth, estimate) {
  truth <- system_scores(truth, "truth")
  estimate <- system_scores(estimate, "estimate")
  if (!is.null(names(truth)) && !is.null(names(estimate))) {
    only <- c(setdiff(names(truth), names(estimate)), setdiff(names(estimate), names(truth)))
    check_that(!length(only), "estimate", "{.arg truth} and {.arg estimate} must rank the same systems;
      {name_some(only)} {cli::qty(length(only))}{?is/are} in one of them only.")
    estimate <- estimate[names(truth)]
  }
  check_that(length(truth) == length(estimate) && length(truth) >= 2, "estimate", "{.arg truth} and {.arg estimate} must
    score the same two or more systems, not {length(truth)} and {length(estimate)}.")
  list(truth = unname(truth), estimate = unname(estimate))
}

system_scores <- function(x, arg) {
  if (inherits(x, "judicious_comparison")) x <- x$systems
  if (inherits(x, "judicious_ranking")) x <- x$mean
  if (is.data.frame(x)) {
    column <- intersect(c("mean", "estimate", "value"), names(x))[1]
    x <- check_columns(x, c("system", if (is.na(column)) "value"), arg)
    x <- stats::setNames(x[[column]], check_ids(x$system, "system", arg))
  }
  x <- plain_values(x, arg)
  check_that(is.numeric(x) && !anyNA(x), arg, c(
    "must hold a score for every system, not {.obj_type_friendly {x}}.",
    x = if (is.numeric(x)) "Score {which(is.na(x))[1]} is missing."))
  check_that(all(nzchar(names(x), keepNA = TRUE) %in% TRUE), arg, "has a score without a name among named ones.")
  repeated <- names(x)[duplicated(names(x))]
  check_that(!length(repeated), arg, "scores {name_some(repeated)} more than once.")
  x[] <- equal_but_for_rounding(t(x))
  x
}

# A ranking with ties: items, and the first and the last rank that each may have.
tied_ranking <- function(x, arg) {
  if (is.data.frame(x) || inherits(x, c("judicious_comparison", "judicious_ranking")) || is.numeric(x)) {
    score <- system_scores(x, arg)
    check_that(!is.null(names(score)), arg, "must be named: scores say which item they belong to.")
    x <- unname(split(names(score), -score))
  }
  groups <- lapply(x, id_text)
  item <- unlist(groups)
  check_that(length(item) && !anyNA(item) && !anyDuplicated(item), arg, c(
    "must be a ranking of one or more different items.",
    x = if (anyDuplicated(item)) "{.val {item[anyDuplicated(item)]}} occurs twice."))
  size <- lengths(groups)
  list(item = item, top = rep(cumsum(size) - size + 1, size), bottom = rep(cumsum(size), size))
}
