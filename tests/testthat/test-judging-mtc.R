# A slow implementation of Algorithm 1 of Urbano and Schedl (2013), which recomputes everything at every step.
naive_mtc <- function(case, output, judge = NULL, threshold = .95, every = 20, stop = "mean", weights = "all",
                      delta = 0, tie = NULL) {
  x <- case$x
  ids <- case$truth[c("query", "doc")]
  incidence <- dense_incidence(case)
  pairs <- utils::combn(colnames(incidence), 2)
  if (is.null(tie)) tie <- seq_len(nrow(ids))
  judged <- integer()
  step <- function() {
    m <- estimates$mean
    v <- estimates$variance
    m[judged] <- case$truth$gain[judged]
    v[judged] <- 0
    scale <- x$k * length(unique(ids$query))
    apart <- apply(pairs, 2, function(p) incidence[, p[1]] - incidence[, p[2]])
    e <- round(colSums(apart * m) / scale, 10)
    sd <- sqrt(colSums(apart^2 * v)) / scale
    beyond <- round(abs(e) - delta, 10)
    confidence <- ifelse(sd > 0, pnorm(beyond / sd), ifelse(beyond > 0, 1, ifelse(beyond < 0, 0, .5)))
    true <- round(colSums(apart * case$truth$gain) / scale, 10)
    list(confidence = confidence, tau = mean(sign(e) * sign(true)), apart = apart != 0,
         open = colSums((apart != 0) & !(seq_len(nrow(ids)) %in% judged)) > 0)
  }
  finished <- function(s) {
    settled <- stop != "never" && !any(s$open)
    settled || switch(stop, mean = mean(s$confidence) >= threshold,
                      all = !any(s$confidence < threshold & s$open), never = FALSE)
  }
  estimates <- as.data.frame(output)[c("mean", "variance")]
  s <- step()
  trace <- data.frame(judged = 0, confidence = mean(s$confidence), tau = s$tau)
  while (!finished(s) && length(judged) < nrow(ids)) {
    undecided <- s$confidence < threshold
    count <- switch(weights, all = rep(1, ncol(pairs)), undecided = undecided,
                    proportional = undecided * round(s$confidence * 2^30) / 2^30)
    w <- drop(s$apart %*% count)
    all <- rowSums(s$apart)
    best <- setdiff(order(-w, -all, match(seq_along(w), tie)), judged)[1]
    judged <- c(judged, best)
    if (length(judged) %% every == 0 && !is.null(judge)) {
      jf <- judgment_features(x, case$truth[judged, ])
      estimates <- as.data.frame(output)[c("mean", "variance")]
      new <- as.data.frame(gain_distribution(judge, cbind(output_features(x), jf[-(1:2)]), fallback = "NA"))
      usable <- !is.na(new$mean)
      estimates[usable, ] <- new[usable, c("mean", "variance")]
    }
    s <- step()
    trace <- rbind(trace, data.frame(judged = length(judged), confidence = mean(s$confidence), tau = s$tau))
  }
  list(trace = trace, order = ids[judged, ])
}

same_session <- function(s, naive, truth) {
  trace <- as.data.frame(s, truth = truth)
  expect_equal(trace$judged, naive$trace$judged)
  expect_equal(trace$confidence, naive$trace$confidence)
  expect_equal(as.data.frame(s)$confidence, trace$confidence)
  expect_equal(trace$tau, naive$trace$tau)
  expect_equal(judgments_of(s)$doc, naive$order$doc)
  expect_equal(judgments_of(s)$query, naive$order$query)
}

# The reason for which a session stopped: its goal is met, a budget is spent, or nothing is left to judge.
stopped_by <- function(s) {
  p <- progress(s)
  if (p$goal$reached) if (p$goal$met) "confidence" else "budget" else if (p$open == 0) "exhausted" else "other"
}

test_that("every step of mtc() agrees with Algorithm 1, with the published models and updates", {
  for (seed in 1:4) {
    case <- random_collection(seed, systems = 6, queries = 6, k = 4, docs = 14)
    output <- mirex_model("output", "fine")
    judge <- mirex_model("judge", "fine")
    g <- gain_distribution(output, output_features(case$x))
    s <- mtc(case$x, case$truth, output, judge, confidence = .97, update_every = 7)
    same_session(s, naive_mtc(case, g, judge, .97, 7), case$truth)
    s <- mtc(case$x, case$truth, output, judge, update_every = 5, stop = "never")
    same_session(s, naive_mtc(case, g, judge, .95, 5, stop = "never"), case$truth)
    expect_equal(nrow(judgments_of(s)), nrow(case$truth))
    expect_equal(stopped_by(s), "exhausted")
  }
})

test_that("every variant of mtc() equals a direct computation", {
  for (seed in 5:6) {
    case <- random_collection(seed, systems = 6, queries = 6, k = 4, docs = 14)
    g <- uniform_gains(case$x)
    for (weights in c("all", "undecided", "proportional")) {
      for (stop in c("mean", "all")) {
        for (delta in c(0, 2)) {
          s <- mtc(case$x, case$truth, NULL, confidence = .9, weights = weights, stop = stop, delta = delta)
          same_session(s, naive_mtc(case, g, NULL, .9, stop = stop, weights = weights, delta = delta), case$truth)
        }
      }
    }
  }
})

test_that("the result of mtc() is the ranking after the last judgment", {
  case <- random_collection(7, systems = 6, queries = 6, k = 4, docs = 14)
  judge <- mirex_model("judge", "fine")
  s <- mtc(case$x, case$truth, mirex_model("output", "fine"), judge, budget = 23, update_every = 10, confidence = 1)
  expect_equal(stopped_by(s), "budget")
  made <- judgments_of(s)
  expect_equal(nrow(made), 23)
  trace <- as.data.frame(s, truth = case$truth)
  last <- trace[24, ]
  ranking <- rank_systems(s)
  expect_equal(ranking_confidence(ranking), last$confidence)
  expect_equal(ranking_accuracy(ranking, case$truth), c(accuracy = last$accuracy, tau = last$tau))
  expect_equal(ranking$judged, 23)
  expect_equal(sum(gain_distribution(s)$judged), 23)
  at <- match(paste(made$query, made$doc), paste(case$truth$query, case$truth$doc))
  expect_equal(made$gain, case$truth$gain[at])
  expect_equal(trace$judged, 0:23)
  expect_equal(trace$accuracy, (1 + trace$tau) / 2)
  # The session can be continued like any other.
  more <- next_documents(s)
  expect_equal(nrow(more), 1)
})

test_that("a judging function can judge single documents, skip documents and end the session", {
  case <- random_collection(8)
  truth <- setNames(case$truth$gain, paste(case$truth$query, case$truth$doc))
  asked <- character()
  look_up <- function(query, doc) {
    asked <<- c(asked, paste(query, doc))
    truth[[paste(query, doc)]]
  }
  by_table <- mtc(case$x, case$truth, NULL, confidence = .9)
  by_function <- mtc(case$x, look_up, NULL, confidence = .9)
  order <- judgments_of(by_table)
  columns <- setdiff(names(order), "time")
  expect_equal(judgments_of(by_function)[columns], order[columns])
  expect_equal(asked, paste(order$query, order$doc))
  expect_equal(as.data.frame(by_function), as.data.frame(by_table))

  first <- order$doc[1]
  passed <- mtc(case$x, function(query, doc) if (doc == first) NA else 3, NULL, stop = "never")
  expect_false(first %in% judgments_of(passed)$doc)
  expect_equal(stopped_by(passed), "exhausted")
  n <- 0
  ended <- mtc(case$x, function(query, doc) if ((n <<- n + 1) <= 2) 3, NULL)
  expect_equal(stopped_by(ended), "other")
  expect_equal(nrow(judgments_of(ended)), 2)
  expect_equal(nrow(as.data.frame(ended)), 3)
})

test_that("judgments are kept if the judging function fails or is interrupted", {
  case <- random_collection(9)
  failing <- function(result) {
    n <- 0
    function(query, doc) {
      n <<- n + 1
      if (n <= 3) 50 else result()
    }
  }
  interrupt <- function() rlang::interrupt()
  expect_snapshot({
    off <- mtc(case$x, failing(function() 120), NULL)
    text <- mtc(case$x, failing(function() "good"), NULL)
    broken <- mtc(case$x, failing(function() stop("no connection")), NULL)
    stopped <- mtc(case$x, failing(interrupt), NULL)
  })
  # Updating the model may fail as well.
  moody <- structure(list(calls = new.env()), class = "moody_model")
  predict_moody <- function(object, newdata, type, ...) {
    object$calls$n <- 1 + if (is.null(object$calls$n)) 0 else object$calls$n
    if (object$calls$n > 1) stop("out of memory")
    matrix(.1, nrow(newdata), 10, dimnames = list(NULL, seq(0, 99, 11)))
  }
  registerS3method("predict", "moody_model", predict_moody, envir = asNamespace("stats"))
  expect_snapshot(moved <- mtc(case$x, failing(function() 50), NULL, moody, update_every = 3))
  moody$calls$n <- 0
  expect_snapshot(error = TRUE, mtc(case$x, case$truth, NULL, moody, update_every = 3))
  for (s in list(off, text, broken, stopped, moved)) {
    expect_equal(nrow(judgments_of(s)), 3)
    expect_equal(as.data.frame(s)$judged, 0:3)
  }
})

test_that("documents without a true gain are not judged, and no accuracy is then reported", {
  case <- random_collection(10)
  some <- case$truth[c(1:4, 9:12), ]
  expect_snapshot(s <- mtc(case$x, some, NULL, stop = "never"))
  expect_setequal(do.call(paste, judgments_of(s)[c("query", "doc")]), paste(some$query, some$doc))
  expect_error(as.data.frame(s, truth = some), class = "judicious_error_incomplete_judgments")
  expect_equal(stopped_by(s), "other")
  own <- test_collection(case$runs, k = 3, judgments = case$truth)
  expect_equal(judgments_of(mtc(own, NULL, NULL))$doc, judgments_of(mtc(own, case$truth, NULL))$doc)
})

test_that("systems with equal lists do not prevent a session from stopping", {
  runs <- data.frame(system = rep(c("A", "B", "C"), each = 2), query = "q",
                     doc = c("d1", "d2", "d2", "d1", "d2", "d3"))
  x <- test_collection(runs, k = 2)
  truth <- data.frame(query = "q", doc = c("d1", "d2", "d3"), gain = c(90, 10, 20))
  s <- mtc(x, truth, NULL, stop = "all")
  expect_equal(stopped_by(s), "confidence")
  expect_equal(judgments_of(s)$doc, c("d1", "d3"))
  # Equal systems do not count in the mean confidence either.
  s <- mtc(x, truth, NULL, stop = "mean", confidence = 1)
  expect_equal(stopped_by(s), "confidence")
  expect_equal(judgments_of(s)$doc, c("d1", "d3"))
  expect_equal(as.data.frame(s)$confidence[3], 1)
  expect_equal(ranking_confidence(rank_systems(s)), 1)
})

test_that("the models of mtc() can use custom features", {
  case <- random_collection(11, scale = broad_scale())
  f <- transform(output_features(case$x), f = sin(seq_along(pSYS)))
  s <- mtc(case$x, case$truth, toy_model(), features = f, budget = 0)
  mean_of <- function(s) gain_distribution(s)$mean
  expect_equal(mean_of(s), gain_distribution(toy_model(), f)$mean)
  shuffled <- mtc(case$x, case$truth, toy_model(), features = f[rev(seq_len(nrow(f))), ], budget = 0)
  expect_equal(mean_of(shuffled), mean_of(s))
  expect_equal(mean_of(mtc(case$x, case$truth, toy_model(), features = f["f"], budget = 0)), mean_of(s))
})

test_that("random tie-breaking depends on the seed and does not change the random number generator", {
  case <- random_collection(12)
  draw <- function(seed) {
    judgments_of(mtc(case$x, case$truth, NULL, stop = "never", tie_break = "random", seed = seed))$doc
  }
  first <- keeps_generator(draw(1))
  expect_identical(draw(1), first)
  expect_false(identical(draw(2), first))
  tie <- with_seed(1, sample.int(nrow(case$truth)))
  expect_equal(first, naive_mtc(case, uniform_gains(case$x), stop = "never", tie = tie)$order$doc)
})

test_that("a session prints its progress and its reason to stop", {
  case <- random_collection(13)
  expect_snapshot({
    mtc(case$x, case$truth, NULL)
    mtc(case$x, case$truth, NULL, budget = 2)
    mtc(case$x, case$truth, NULL, stop = "all")
    mtc(case$x, case$truth, NULL, stop = "never")
    mtc(case$x, function(query, doc) NULL, NULL)
  })
})

test_that("mtc() raises errors for invalid arguments before any document is judged", {
  case <- random_collection(14)
  x <- case$x
  truth <- case$truth
  output <- mirex_model("output", "fine")
  expect_snapshot(error = TRUE, {
    mtc(truth, truth, NULL)
    mtc(test_collection(data.frame(system = "A", query = "q", doc = "d"), k = 1), truth, NULL)
    mtc(x, NULL, NULL)
    mtc(x, 1, NULL)
    mtc(x, truth, NULL, confidence = 95)
    mtc(x, truth, NULL, update_every = 0)
    mtc(x, truth, NULL, delta = -1)
    mtc(x, truth, NULL, budget = 1.5)
    mtc(x, truth, NULL, stop = "some")
    mtc(x, truth, NULL, weights = "none")
    mtc(x, truth, NULL, tie_break = "first")
    mtc(x, truth, NULL, progress = NA)
    mtc(x, truth, mirex_model("output", "broad"))
    mtc(x, truth, output, mirex_model("judge", "broad"))
    mtc(x, truth, output, toy_model(feature = "nothing"), stop = "never")
    mtc(x, truth, output, features = output_features(x)[-1, ])
    mtc(x, truth, output, features = data.frame(pTEAM = 1))
    mtc(x, truth, output, features = output_features(x)[c("query", "doc", "pTEAM")])
    mtc(x, truth, NULL, pom(gain ~ age, data.frame(gain = factor(c(0, 11, 22, 0)), age = 1:4)))
  })
})

test_that("mtc() on MIREX 2011 reaches 95% confidence, and continues to the last document", {
  real <- mirex_2011()
  output <- mirex_model("output", "fine")
  judge <- mirex_model("judge", "fine")
  s <- mtc(real$x, real$truth, output, judge)
  trace <- as.data.frame(s)
  expect_equal(trace$confidence[1], 0.9292312, tolerance = 1e-7)
  expect_equal(stopped_by(s), "confidence")
  expect_true(trace$confidence[nrow(trace)] >= .95)
  expect_true(all(trace$confidence[-nrow(trace)] < .95))
  expect_equal(ranking_confidence(rank_systems(s)), trace$confidence[nrow(trace)])
  full <- mtc(real$x, real$truth, NULL, stop = "never")
  last <- utils::tail(as.data.frame(full, truth = real$truth), 1)
  expect_equal(unlist(last[c("judged", "confidence", "accuracy", "tau")], use.names = FALSE), c(6322, 1, 1, 1))
})

test_that("the published method agrees with its equations for AG, P, DCG and RBP, and AP raises an error", {
  x <- simulate_collection(queries = 6, documents = 80, artists = 15, systems = 4, scale = broad_scale(), seed = 8)
  gain <- x$gain
  rank_weight <- list("DCG@5" = 1 / log2(1 + 1:5), "RBP(p=0.7, gain=linear)@5" = 0.3 * 0.7^(0:4) / 2,
                      "AG@5" = rep(1 / 5, 5), "P(rel=2)@5" = rep(1 / 5, 5))
  for (name in names(rank_weight)) {
    worth <- if (startsWith(name, "P")) function(g) (g >= 2) + 0 else identity
    # The weight of each pair (row) in the score of each system (column).
    runs <- as.data.frame(x)
    w <- matrix(0, n_pairs(x), 4)
    w[cbind(match(paste(runs$query, runs$doc), do.call(paste, pool_ids(x))), match(runs$system, x$systems$system))] <-
      rank_weight[[name]][runs$rank] / 6
    eight <- rowSums(apply(combn(4, 2), 2, function(p) (w[, p[1]] - w[, p[2]])^2))
    run <- mtc(x, NULL, NULL, measure = name, stop = "never", budget = 12, tie_break = "pool", progress = FALSE)
    at <- match(do.call(paste, judgments_of(run)[c("query", "doc")]), do.call(paste, pool_ids(x)))
    expect_equal(sort(eight, decreasing = TRUE)[1:12], eight[at], tolerance = 1e-3)
    # Equations (4) to (7), computed after the last judgment.
    level <- worth(x$scale$levels)
    open <- !seq_along(gain) %in% at
    mean <- ifelse(open, mean(level), worth(gain))
    variance <- ifelse(open, mean((level - mean(level))^2), 0)
    d <- w[, 1] - w[, 2]
    ab <- system_differences(rank_systems(run))
    ab <- ab[pmax(ab$system_a, ab$system_b) == x$systems$system[2], ]
    expect_equal(abs(ab$difference), abs(sum(d * mean)))
    expect_equal(ab$confidence, pnorm(abs(sum(d * mean)) / sqrt(sum(d^2 * variance))))
    # Selection weights for given weights of comparisons are compared with explicit loops.
    counts <- matrix(c(0, 3, 1, 2, 3, 0, 5, 1, 1, 5, 0, 4, 2, 1, 4, 0), 4)
    y <- with_measure(x, name)
    unit <- w / max(w)
    core <- pair_weights_cpp(y$results, counts, c(1, 0, 2, 0), relative_weight(y))
    loops <- rowSums(apply(combn(4, 2), 2, function(p) counts[p[1], p[2]] * (unit[, p[1]] - unit[, p[2]])^2)) +
      drop(unit^2 %*% c(1, 0, 2, 0))
    expect_equal(core, loops, tolerance = 1e-3)
  }
  expect_error(mtc(x, NULL, NULL, measure = "AP@5", progress = FALSE), class = "judicious_error_measure")
})
