# The formulas of vignette("methods"), sections 4 and 6, in plain R with dense matrices, for test-methods.R. To be
# independent, they call no function of the package that computes the same.

small_collection <- function(documents = 60, teams = 4, ...) {
  simulate_collection(queries = 6, documents = documents, artists = 9, systems = 6, teams = teams, k = 5,
                      scale = broad_scale(), seed = 5, ...)
}

# Incidence of pairs and systems, and labels, from the collection's data frames alone.
dense_collection <- function(x) {
  results <- as.data.frame(x)
  pairs <- judgments_of(x)
  key <- paste(pairs$query, pairs$doc)
  row <- match(paste(results$query, results$doc), key)
  system <- match(results$system, x$systems$system)
  member <- matrix(0, nrow(pairs), nrow(x$systems))
  member[cbind(row, system)] <- 1
  rank <- replace(member, TRUE, NA)
  rank[cbind(row, system)] <- results$rank
  label <- function(table, id, by, column) table[[column]][match(id, table[[by]])]
  list(k = 5, query = pairs$query, member = member, rank = rank, gain = pairs$gain / 2,
       team = outer(x$systems$team, unique(x$systems$team), "==") * 1,
       genre = label(x$documents, pairs$doc, "doc", "genre"), artist = label(x$documents, pairs$doc, "doc", "artist"),
       genre_of_query = label(x$queries, pairs$query, "query", "genre"),
       weight = member / (5 * length(unique(pairs$query))))
}

# Removes from the values `v` of the pairs the differences between the means of the systems.
dense_within <- function(d, v) {
  part <- d$member / rowSums(d$member)
  least_squares <- svd(crossprod(d$member, part))
  kept <- least_squares$d > 1e-10
  inverse <- least_squares$v[, kept] %*% (t(least_squares$u[, kept]) / least_squares$d[kept])
  v - as.vector(part %*% (inverse %*% crossprod(d$member, v)))
}

dense_overlap <- function(d) sum(rowSums(d$member)^2) / sum(d$member)

dense_popularity <- function(d) log(rowSums(d$member %*% d$team > 0))

# The features of the mean that ?gain_prior describes.
dense_features <- function(d) {
  t <- dense_popularity(d)
  n <- rowSums(d$member)
  mean_over <- function(values, of) as.vector(of %*% values) / rowSums(of)
  of_system <- crossprod(d$member, t) / colSums(d$member)
  share_in_query <- function(label) {
    known <- !is.na(label)
    vapply(seq_along(label), function(i) mean(label[known & d$query == d$query[i]] == label[i]), 0)
  }
  lists <- vapply(seq_along(n), function(i) {
    of <- d$member[i, ] == 1
    sum(colSums(d$member[d$query == d$query[i], of, drop = FALSE] * t[d$query == d$query[i]]) /
          colSums(d$member[d$query == d$query[i], of, drop = FALSE]) - mean(t))
  }, 0)
  of_systems <- mean_over(of_system, d$member)
  features <- cbind(
    popularity = dense_within(d, t), share = dense_within(d, exp(t) / ncol(d$team)),
    agreement = of_systems * coef(lm(t ~ of_systems, weights = n))[[2]],
    list_agreement = lists / sqrt(n * dense_overlap(d)),
    rank = (rowMeans(d$rank, na.rm = TRUE) - 1) / (d$k - 1),
    first_ranks = dense_within(d, log(1 + rowSums(d$rank == 1, na.rm = TRUE))),
    same_genre = d$genre == d$genre_of_query, genre_share = log(share_in_query(d$genre)),
    artist_share = log(share_in_query(d$artist))
  )
  cbind(intercept = 1, scale(features, scale = FALSE))
}

# Section 6: the prior mean and covariance of the gains, linearised around coefficients `beta` with covariance `error`.
dense_prior <- function(d, x, model, beta, error, variance) {
  bernoulli_variance <- function(a, v, least) {
    m <- pmin(pmax(plogis(a / sqrt(1 + .346 * pmin(v, 9))), least), 1 - least)
    m * (1 - m)
  }
  eta <- as.vector(x %*% beta)
  slope <- plogis(eta) * (1 - plogis(eta))
  of_pairs <- bernoulli_variance(eta, rowSums((x %*% error) * x), .03)
  size <- sqrt(of_pairs / bernoulli_variance(beta[[1]], error[1, 1], .1))
  t <- dense_popularity(d) - mean(dense_popularity(d))
  same <- function(a) replace(outer(a, a, "=="), is.na(outer(a, a)), FALSE) * 1
  label <- function(a) same(match(a, unique(a[!is.na(a)])))
  share <- d$member / sqrt(rowSums(d$member))
  of_systems <- tcrossprod(share)
  of_teams <- tcrossprod(share %*% d$team)
  v <- variance
  effects <- label(d$query) * (v[["query"]] + v[["query:popularity"]] * tcrossprod(t) + v[["query:genre"]] *
    label(d$genre) + v[["query:artist"]] * label(d$artist) + v[["query:system"]] * of_systems + v[["query:team"]] *
    of_teams) + v[["system"]] * of_systems + v[["team"]] * of_teams + tcrossprod(t) *
    (v[["system:popularity"]] * of_systems + v[["team:popularity"]] * of_teams) + diag(v[["residual"]], length(t))
  gradient <- slope * x
  list(mean = plogis(eta) + as.vector(gradient %*% (model$coefficient[colnames(x)] - beta)),
       effects = effects * tcrossprod(size), gradient = gradient,
       covariance = effects * tcrossprod(size) + gradient %*% prior_of(model, x) %*% t(gradient))
}

# The model with further coefficients, independent of the others.
add_coefficients <- function(model, mean, covariance) {
  n <- length(model$coefficient)
  model$coefficient <- c(model$coefficient, mean)
  whole <- matrix(0, n + length(mean), n + length(mean))
  dimnames(whole) <- list(names(model$coefficient), names(model$coefficient))
  whole[seq_len(n), seq_len(n)] <- model$coefficient_covariance
  whole[n + seq_along(mean), n + seq_along(mean)] <- covariance
  model$coefficient_covariance <- whole
  model
}

prior_of <- function(model, x) model$coefficient_covariance[colnames(x), colnames(x)]

# The posterior given judgments of some pairs; `noise` are the variances of the errors of the judgments.
dense_posterior <- function(prior, judged, gain, noise = 0) {
  on <- prior$covariance[, judged, drop = FALSE]
  total <- prior$covariance[judged, judged] + diag(noise, length(judged))
  list(mean = prior$mean + as.vector(on %*% solve(total, gain - prior$mean[judged])),
       covariance = prior$covariance - on %*% solve(total, t(on)))
}

log_likelihood <- function(prior, judged, gain) {
  root <- chol(prior$covariance[judged, judged])
  -sum(log(diag(root))) - sum(backsolve(root, gain - prior$mean[judged], transpose = TRUE)^2) / 2 -
    length(judged) / 2 * log(2 * pi)
}

# Section 4: systems, differences, confidence, on a scale from 0 to `range`.
dense_ranking <- function(posterior, weight, range = 2) {
  mean <- range * as.vector(crossprod(weight, posterior$mean))
  covariance <- range^2 * crossprod(weight, posterior$covariance %*% weight)
  pairs <- which(upper.tri(covariance), arr.ind = TRUE)
  a <- pairs[, 1]
  b <- pairs[, 2]
  difference <- mean[a] - mean[b]
  variance <- diag(covariance)[a] + diag(covariance)[b] - 2 * covariance[pairs]
  list(mean = mean, covariance = covariance, a = a, b = b, difference = difference, variance = variance,
       confidence = pnorm(abs(difference) / sqrt(variance)))
}

stated <- function(variance, sd, share = .375) variance * exp(share * sd^2)

# Compares joint gains, the ranking and the selection with dense ones.
expect_dense <- function(gains, posterior, d, judged) {
  open <- setdiff(seq_along(d$query), judged)
  found <- as.data.frame(gains)
  expect_equal(found$mean, 2 * posterior$mean, tolerance = 1e-8)
  expect_equal(found$variance, 4 * diag(posterior$covariance), tolerance = 1e-8)
  expect_equal(unname(vcov(gains, open)), 4 * posterior$covariance[open, open], tolerance = 1e-8)
  dense <- dense_ranking(posterior, d$weight)
  ranking <- rank_systems(gains$collection, gains)
  expect_equal(unname(ranking$mean), dense$mean, tolerance = 1e-8)
  expect_equal(unname(ranking$covariance), dense$covariance, tolerance = 1e-8)
  expect_equal(ranking_confidence(ranking), mean(dense$confidence), tolerance = 1e-8)
  # Section 6, selection: reductions of variance are in gains from 0 to 1.
  value <- vapply(open, function(i) {
    b <- crossprod(d$weight, posterior$covariance[, i])
    sum(dnorm(dense$difference / sqrt(dense$variance)) / sqrt(dense$variance) *
          (b[dense$a] - b[dense$b])^2 / posterior$covariance[i, i])
  }, 0)
  best <- open[order(-value)][1:5]
  chosen <- select_documents(gains, n = 1)
  expect_equal(chosen$score, max(value), tolerance = 1e-8)
  pairs <- judgments_of(gains$collection)
  expect_equal(c(chosen$query, chosen$doc), as.character(unlist(pairs[best[1], c("query", "doc")])))
}
