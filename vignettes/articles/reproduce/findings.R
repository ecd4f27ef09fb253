# Our own findings on the data of Urbano and Schedl (2013): what the published confidence does not account for.

finding_items <- function() {
  list(leak = finding_leak, truncated = finding_truncated, scales = finding_scales, independence = finding_independence,
       ablation = finding_ablation, cost = finding_cost)
}

# The judgment model with and without the document's own gain among its features.
finding_leak <- function(world) {
  rows <- do.call(rbind, lapply(mtc_cases(world, scale = "Fine"), function(case) {
    x <- case$x
    errors <- function(self) {
      features <- cbind(case$features, judgment_features(x, self = self)[c("aSYS", "aART")])
      gains <- gain_distribution(case$judge, features, fallback = "NA")
      known <- !is.na(gains$mean)
      c(pairs = sum(known), RMSE = sqrt(mean((gains$mean - x$gain)[known]^2)), variance = mean(gains$variance[known]))
    }
    with_own <- errors(TRUE)
    without <- errors(FALSE)
    values <- c("RMSE with the own gain" = with_own[["RMSE"]], "variance with the own gain" = with_own[["variance"]],
                "pairs with another of the artist" = without[["pairs"]],
                "RMSE without the own gain" = without[["RMSE"]],
                "variance without the own gain" = without[["variance"]],
                "share of pairs without one" = (with_own[["pairs"]] - without[["pairs"]]) / n_pairs(x))
    obtained_row(case$year, values, case$data)
  }))
  item_result("a pair's own gain among the features of the judgment-based model (Fine)", rows)
}

# Compares the output model with truncated regression, the alternative that section 4.1 mentions: errors of the gains,
# and the ranking without judgments. Each simulated edition is predicted by models of the three others, each half of the
# public one by models of the other half.
finding_truncated <- function(world) {
  rows <- do.call(rbind, lapply(c("Broad", "Fine"), function(scale) {
    cases <- mtc_cases(world, data = "simulated", scale = scale)
    editions <- lapply(cases, `[[`, "x")
    do.call(rbind, lapply(seq_along(cases), function(i) {
      model_rows(editions[[i]], editions[-i], cases[[i]]$year, "simulated")
    }))
  }))
  for (case in mtc_cases(world, data = "public")) {
    half <- split(seq_len(n_queries(case$x)), rep(1:2, length.out = n_queries(case$x)))
    parts <- lapply(half, function(queries) restrict_to_queries(case$x, queries))
    rows <- rbind(rows, model_rows(parts[[1]], parts[2], "2011, odd queries", "public"),
                  model_rows(parts[[2]], parts[1], "2011, even queries", "public"))
  }
  item_result("the output-based model compared with truncated regression", rows)
}

model_rows <- function(x, past, label, data) {
  values <- lapply(c("ordinal", "truncated"), function(fit) {
    model <- fit_mirex_model("output", past, self = TRUE, fit = if (fit == "ordinal") pom else truncated_regression)
    gains <- gain_distribution(model, output_features(x), scale = x$scale)
    ranking <- rank_systems(x, gains)
    figures <- c(RMSE = sqrt(mean((gains$mean - x$gain)^2)), variance = mean(gains$variance),
                 confidence = ranking_confidence(ranking), accuracy = ranking_accuracy(ranking)[["accuracy"]])
    stats::setNames(figures, paste(x$scale$name, fit, names(figures)))
  })
  obtained_row(label, unlist(values), data)
}

# Compares Broad and Fine judgments of the same documents.
finding_scales <- function(world) {
  cases <- mtc_cases(world, complete = FALSE)
  found <- lapply(Filter(function(case) case$scale == "Broad", cases), function(broad) {
    fine <- Filter(function(case) case$scale == "Fine" && case$year == broad$year && case$data == broad$data, cases)
    list(case = broad, agreement = agreement(broad$x, fine[[1]]$x))
  })
  rows <- do.call(rbind, lapply(found, function(one) {
    a <- one$agreement
    obtained_row(one$case$year, c(documents = a$documents, correlation = a$pearson, "correlation of ranks" = a$spearman,
                                  "pairs in the same order" = a$consistent, "pairs of equal Fine gains" = a$equal,
                                  "pairs in the opposite order" = a$contradicted), one$case$data)
  }))
  curves <- do.call(rbind, lapply(found, function(one) {
    table <- one$agreement$table
    shown <- c(quartile_3 = "upper quartile", median = "median", quartile_1 = "lower quartile")
    do.call(rbind, lapply(names(shown), function(column) {
      data.frame(panel = paste(one$case$year, one$case$data, sep = ", "), line = shown[[column]], x = table$level,
                 y = table[[column]], stringsAsFactors = FALSE)
    }))
  }))
  figure <- reproduction_picture("Fine gains by Broad level", "quartiles of the judged documents", curves, x = "Broad",
                                 y = "Fine", points = TRUE)
  item_result("Broad and Fine judgments of the same documents", rows, figure = figure)
}

# Calibration of stated confidence: sessions on random halves of the queries of the edition of 2011.
finding_independence <- function(world) {
  studies <- lapply(Filter(function(case) case$year == 2011, mtc_cases(world, scale = "Fine")), function(case) {
    study <- mtc_study(case$x, methods = list(published = published_method(case$output, case$judge),
                                              joint = joint_method()),
                       budgets = c(0, 40, 120, 200, 400), replicates = world$replicates %||% 6, seed = world$seed)
    list(data = case$data, study = study)
  })
  figures <- c("confidence", "accuracy", "brier", "z2", "coverage")
  rows <- do.call(rbind, lapply(studies, function(one) {
    s <- summary(one$study)
    do.call(rbind, lapply(seq_len(nrow(s)), function(i) {
      values <- stats::setNames(unlist(s[i, figures]), paste(s$method[i], figures))
      obtained_row(counted(s$budget[i], "judgment"), values, one$data)
    }))
  }))
  curves <- do.call(rbind, lapply(studies, function(one) {
    s <- summary(one$study)
    shown <- c(confidence = "confidence", accuracy = "accuracy", z2 = "z2 (1 is right)",
               coverage = "coverage of differences (.95)")
    do.call(rbind, lapply(names(shown), function(figure) {
      data.frame(panel = shown[[figure]], line = paste0(s$method, ", ", one$data), x = s$budget, y = s[[figure]],
                 stringsAsFactors = FALSE)
    }))
  }))
  ideal <- data.frame(panel = c("z2 (1 is right)", "coverage of differences (.95)"), y = c(1, 0.95),
                      stringsAsFactors = FALSE)
  figure <- reproduction_picture("Independent gains against joint gains",
                                 "random halves of the queries of 2011; dashed: what is right", curves, x = "judgments",
                                 y = "", free = TRUE, points = TRUE, level = ideal)
  item_result("confidence from independent gains and from joint gains (2011, Fine)", rows, figure = figure)
}

# Judgments needed for a mean confidence of 95% with the published method and with joint gains, and the accuracy of each
# ranking at that point.
finding_cost <- function(world) {
  cases <- mtc_cases(world, scale = "Fine")
  simulated <- Filter(function(case) case$data == "simulated", cases)
  rows <- do.call(rbind, lapply(cases, function(case) {
    others <- Filter(function(other) other$year != case$year, simulated)
    # No other edition is public, and simulated editions are no suitable past of a public one: use the built-in prior.
    model <- if (case$data == "public") gain_prior() else gain_model(past = lapply(others, `[[`, "x"))
    joint <- judging_session(case$x, past = model, goal = goal_mean(0.95), seed = world$seed, judgments = FALSE)
    run_session(joint, progress = FALSE)
    published <- stopped_session(world, case)
    truth <- true_means(case$x, case$x$gain)
    worth <- function(ranking, method) {
      scored <- score_ranking(ranking, truth, method, 0)$results
      values <- c(judgments = ranking$judged, "share of judgments" = ranking$judged / n_pairs(case$x),
                  accuracy = scored$accuracy, z2 = scored$z2, coverage = scored$coverage)
      stats::setNames(values, paste(method, names(values)))
    }
    both <- c(worth(published$ranking, "published"), worth(rank_systems(joint), "joint"))
    obtained_row(case$year, both, case$data)
  }))
  item_result("judgments to a mean confidence of 95%, published and joint (Fine)", rows)
}
