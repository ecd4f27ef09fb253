# The model of the answers to comparisons, of documents or systems: its likelihood, and Newton's method for maximising
# it.

# The log likelihood of each row (`value`) of Davidson's model (1970), given the difference in strength `u` and the tie
# parameter `t` (-Inf without ties); its derivatives with respect to both (`u`, `t`); and the negative second
# derivatives (`uu`, `ut`, `tt`). `count`: a matrix of the numbers of answers that prefer the first item, that call both
# equal, and that prefer the second.
comparison_likelihood <- function(u, t, count) {
  n <- rowSums(count)
  more <- count[, 1] - count[, 3]
  # Terms are divided by the largest one, to avoid overflow.
  peak <- pmax(abs(u) / 2, t)
  p <- exp(cbind(u / 2, t, -u / 2) - peak)
  total <- rowSums(p)
  p <- p / total
  lead <- p[, 1] - p[, 3]
  tie <- p[, 2]
  equal <- if (t > -Inf) count[, 2] * t else 0
  list(value = more * u / 2 + equal - n * (peak + log(total)), u = (more - n * lead) / 2, t = count[, 2] - n * tie,
       uu = n * (1 - tie - lead^2) / 4, ut = -n * lead * tie / 2, tt = n * tie * (1 - tie))
}

warn_of_ties <- function(fact) {
  warn_judicious("{fact}: strengths are not told apart, and their standard errors mean nothing.", "only_ties")
}

# Warns if items, such as systems, fall into groups between which there are no answers, neither directly nor through
# other items. `pairs`: a data frame with the items of each answer in `doc_a` and `doc_b`.
warn_of_separate_groups <- function(pairs, items, item, answer, query = NULL) {
  unlinked <- matrix(1, length(items), length(items))
  at <- cbind(match(pairs$doc_a, items), match(pairs$doc_b, items))
  unlinked[rbind(at, at[, 2:1])] <- 0
  group <- stats::cutree(stats::hclust(stats::as.dist(unlinked), "single"), h = 0.5)
  other <- items[group != group[1]]
  if (length(other)) warn_judicious(c(
    paste0("No chain of {answer}s compares {.val {items[1]}} with {.val {other[1]}}",
           if (!is.null(query)) " for query {.val {query}}", "."),
    x = "The {length(items)} {item}s are in {max(group)} groups that no {answer} joins.",
    i = "The order of {item}s of different groups is that of their {.arg prior}: rank each group by itself, or collect
      {answer}s between groups."
  ), "separate_groups", groups = split(items, group))
}

# The design of comparisons of `n` items, and the counts of answers. Each row has 1 for the first item and -1 for the
# second. The prior is represented by additional answers, which compare each item with an additional item of average
# strength. The strength of the last item is 0.
comparison_design <- function(first, second, count, n, prior) {
  if (prior > 0) {
    tie <- sum(count[, 2]) / sum(count)
    first <- c(first, seq_len(n))
    second <- c(second, rep(n + 1L, n))
    count <- rbind(count, matrix(prior * c((1 - tie) / 2, tie, (1 - tie) / 2), n, 3, byrow = TRUE))
  }
  x <- matrix(0, length(first), n + (prior > 0))
  x[cbind(seq_along(first), first)] <- 1
  x[cbind(seq_along(second), second)] <- -1
  list(x = x[, -ncol(x), drop = FALSE], count = count)
}

# Maximises the likelihood. The result has the parameters `par`: those of the columns of `x`, which are also in `slope`,
# and the tie parameter, if there are ties. `rows` has the log likelihood of each row, with its derivatives.
maximise_comparisons <- function(x, count) {
  tied <- sum(count[, 2]) > 0
  fit <- newton_method(c(numeric(ncol(x)), if (tied) 0.5), function(par) {
    tie <- if (tied) par[ncol(x) + 1] else -Inf
    slope <- par[seq_len(ncol(x))]
    rows <- comparison_likelihood(drop(x %*% slope), tie, count)
    c(list(slope = slope, tie = tie, rows = rows, value = sum(rows$value)), likelihood_slopes(x, rows, tied))
  })
  c(fit, list(inverse = tryCatch(solve(fit$information), error = function(cnd) fit$information * NaN)))
}

likelihood_slopes <- function(x, rows, tied) {
  cross <- if (tied) crossprod(x, rows$ut)
  list(gradient = c(crossprod(x, rows$u), if (tied) sum(rows$t)),
       information = rbind(cbind(crossprod(x, rows$uu * x), cross), if (tied) c(cross, sum(rows$tt))))
}

# Newton's method with step halving. `objective(par)` returns a list of the `value` to maximise, its `gradient`, and the
# `information`. The result is this list at the maximum, and `par`.
newton_method <- function(par, objective) {
  current <- objective(par)
  for (i in 1:100) {
    step <- tryCatch(solve(current$information, current$gradient), error = function(cnd) NULL)
    if (is.null(step)) break
    # The step with which the method has converged is still made, because it squares the remaining error.
    done <- abs(sum(step * current$gradient)) < 1e-9
    size <- 1
    repeat {
      following <- objective(par + size * step)
      if (isTRUE(following$value >= current$value - 1e-10 * abs(current$value)) || size < 1e-8) break
      size <- size / 2
    }
    current <- following
    par <- par + size * step
    if (done) break
  }
  if (is.null(step) || !done)
    warn_judicious("The Bradley-Terry model has not converged: the answers hardly bound the strengths. Use a larger
      {.arg prior}.", "convergence")
  c(current, list(par = par))
}

# Strengths and their covariance relative to the mean of the items, because only differences can be estimated. `slope`
# and `covariance` may include further parameters after those of the items.
centred_strengths <- function(items, slope, covariance) {
  n <- length(items)
  with_slope <- seq_len(min(n, length(slope)))
  strength <- replace(numeric(n), with_slope, slope[with_slope])
  padded <- matrix(0, n, n)
  padded[with_slope, with_slope] <- covariance[with_slope, with_slope]
  centre <- diag(n) - 1 / n
  dimnames(centre) <- list(items, items)
  list(strength = without_rounding_errors(drop(centre %*% strength)), covariance = centre %*% padded %*% centre)
}

# Raises an error if the likelihood has no maximum. `design`: the answers by comparison_design(); `names`: those of its
# columns. An answer bounds the parameters if it becomes less likely where they cross the bound: the difference of two
# systems is at least the tie parameter where one wins, and at most that where they are level. The likelihood then has
# no maximum where that of an ordinal model has none, and where no answer bounds a parameter.
check_finite_strengths <- function(design, names, query = NULL) {
  seen <- colSums(design$count) > 0
  if (!any(seen[-2])) return(invisible())
  bounds <- function(answer, sign, tie) {
    cbind(sign * design$x, if (seen[2]) tie)[design$count[, answer] > 0, , drop = FALSE]
  }
  rows <- rbind(bounds(1, 1, -1), bounds(3, -1, -1), bounds(2, 1, 1), bounds(2, -1, 1))
  rows <- rows / sqrt(rowSums(rows^2))
  blocks <- function(f) f(rows)
  unmoved <- separating_direction(blocks, rows) %||% unmoved_rows(blocks, numeric(ncol(rows)))
  free <- setdiff(found_separation(unmoved, diag(ncol(rows)), c(names, if (seen[2]) NA))$coefficients, NA)
  abort_unless(!length(free), c(
    paste("There is no finite estimate of {.val {free}}", if (!is.null(query)) "for query {.val {query}}",
          "that fits best: the answers do not bound {cli::qty(free)}{?it/them}."),
    i = "Use {.arg prior} above 0, which bounds strengths; leave out covariates that tell every answer, or that depend
      on others."), "unbounded", query = query)
}
