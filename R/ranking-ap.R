# Rankings by average precision with independent gains, by exact moments.

# `g`: the result of gains_on_pool(). A pair is relevant with the probability that its gain is at least `rel`.
rank_by_ap <- function(x, gains, g, delta, level, call = caller_env()) {
  m <- x$measure
  if (is_custom(list(m)) || m$base != "AP" || m$total != "mean") {
    abort_judicious(c(
      "With independent gains, the distribution of {.val {m$name}} is not known.",
      i = "It is known for AP, AG, CG, P, DCG, RBP, and nDCG with {.code ideal = \"maximum\"}.",
      i = "{.fn joint_gains} support any measure."
    ), "measure", argument = "measure", call = call)
  }
  scale <- x$scale
  relevant <- as.numeric(gains$prob[g$row, , drop = FALSE] %*% (scale$model_levels >= m$args$rel))
  relevant[g$judged] <- as.numeric(g$mean[g$judged] >= m$args$rel)
  cutoff <- if (is.na(m$cutoff)) x$k else m$cutoff
  ap <- expected_ap_cpp(x$results, result_position(x), n_systems(x), x$pool$query, n_queries(x),
                        pmin(pmax(relevant, 0), 1), as.integer(cutoff), query_multiplier(x))
  new_ranking(x, colMeans(ap$mean * query_multiplier(x)), ap$covariance / n_queries(x)^2, delta = delta, level = level,
              judged = count_pairs(x, g$judged))
}
