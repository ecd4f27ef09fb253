# Urbano and Schedl (2013): the editions with their models, and Tables 1, 2, 5, 6 and 7, Figure 1 and the example.

mtc_items <- function() {
  list(table1 = mtc_table_1, table2 = mtc_table_2, table3 = mtc_table_3, table4 = mtc_table_4, table5 = mtc_table_5,
       table6 = mtc_table_6, table7 = mtc_table_7, example = mtc_example, figure1 = mtc_figure_1,
       figure2 = mtc_figure_2, figure3 = mtc_figure_3)
}

mtc_editions <- c(2007, 2009, 2010, 2011)

note_simulated <- "Another collection: simulated in the shape of the edition, whose runs and judgments are not public."
note_table_7 <- paste("The models of Table 7, which were fitted to 2011 among the four editions, and teams inferred",
                      "from the overlap of runs; the published numbers are of models without 2011 and of true teams.")
note_part <- "Broad judgments of 5,219 of the 6,322 pairs of 2011 are public."
note_four <- "The public data are one of the four editions."

# One collection on one scale, with the models that the paper would use for it.
mtc_case <- function(x, year, data, output, judge) {
  list(x = x, year = year, scale = x$scale$name, data = data, output = output, judge = judge,
       features = output_features(x), note = if (data == "simulated") note_simulated else note_table_7)
}

mtc_cases <- function(world, data = c("public", "simulated"), scale = c("Broad", "Fine"), complete = TRUE) {
  cases <- if ("public" %in% data) remember(world, "public cases", function() public_cases(world))
  if ("simulated" %in% data) {
    for (one in scale) {
      cases <- c(cases, remember(world, paste("simulated", one), function() simulated_cases(world, one)))
    }
  }
  Filter(function(case) case$scale %in% scale && !(complete && anyNA(case$x$gain)), cases)
}

# Both scales use the same seeds, and thus have the same runs, and gains that come from the same latent similarities.
simulated_cases <- function(world, scale) {
  seeds <- with_seed(world$seed, sample.int(.Machine$integer.max, length(mtc_editions)))
  scale <- if (scale == "Broad") broad_scale() else fine_scale()
  x <- Map(function(year, seed) simulate_collection(edition = year, seed = seed, scale = scale), mtc_editions, seeds)
  lapply(seq_along(x), function(i) {
    mtc_case(x[[i]], mtc_editions[i], "simulated", mirex_model("output", past = x[-i]),
             mirex_model("judge", past = x[-i]))
  })
}

public_cases <- function(world) {
  path <- public_folder(world, "mirex-ams-2011")
  if (is.null(path)) return(list())
  file <- function(name) file.path(path, name)
  broad <- utils::read.delim(file("broad.tsv"), header = FALSE, colClasses = c("character", "character", "numeric",
                                                                              "character"))
  names(broad) <- c("query", "doc", "gain", "source")
  make <- function(scale, judgments) {
    # A few documents have no metadata; the tables report how many.
    x <- withCallingHandlers(
      test_collection(file("runs.txt"), documents = file("metadata.txt"), systems = file("teams.tsv"),
                      judgments = judgments, k = 5, scale = scale),
      judicious_warning = function(condition) rlang::cnd_muffle(condition)
    )
    mtc_case(x, 2011, "public", mirex_model("output", scale), mirex_model("judge", scale))
  }
  list(make(broad_scale(), broad), make(fine_scale(), file("judgments.txt")))
}

# Adds to each public edition the same edition with every system as a team of its own. The teams of the public edition
# are inferred from the overlap of runs, because the data do not contain them.
with_teamless <- function(cases) {
  teamless <- lapply(Filter(function(case) case$data == "public", cases), function(case) {
    case$x$systems$team <- case$x$systems$system
    case$features <- output_features(case$x)
    case$year <- "2011, without teams"
    case$note <- "Every system counts as a team of its own. Compare with the row of 2011."
    case
  })
  c(cases, teamless)
}

# Adds to each public edition the same edition with models that were not fitted to it, as in the paper: those of the
# simulated edition of the same year, which are fitted to the other three simulated editions.
with_other_models <- function(cases) {
  others <- lapply(Filter(function(case) case$data == "public", cases), function(case) {
    twin <- Filter(function(one) one$data == "simulated" && one$year == case$year && one$scale == case$scale, cases)
    if (!length(twin)) return(NULL)
    case[c("output", "judge")] <- twin[[1]][c("output", "judge")]
    case$year <- "2011, models of other editions"
    case$note <- "Models fitted to the simulated editions of 2007, 2009 and 2010. Compare with the row of 2011."
    case
  })
  c(cases, Filter(Negate(is.null), others))
}

# One table of the rows that `numbers(case)` returns, with the scale first in their names.
case_rows <- function(cases, numbers, note = function(case) case$note) {
  do.call(rbind, lapply(cases, function(case) {
    values <- numbers(case)
    names(values) <- paste(case$scale, names(values))
    obtained_row(case$year, values, case$data, note(case))
  }))
}

mtc_table_1 <- function(world) {
  rows <- do.call(rbind, lapply(mtc_cases(world, scale = "Fine"), function(case) {
    x <- case$x
    obtained_row(case$year, c(
      teams = length(unique(x$systems$team)), systems = n_systems(x), queries = n_queries(x), results = n_results(x),
      judgments = n_pairs(x), overlap = 1 - n_pairs(x) / n_results(x)
    ), case$data, "Simulated with the edition's overlap, to within a percent.")
  }))
  item_result("summary of the editions", rows, "The edition of 2006 is not simulated; its data are not public.")
}

mtc_table_2 <- function(world) {
  rows <- case_rows(mtc_cases(world, complete = FALSE), function(case) {
    judged <- !is.na(case$x$gain)
    features <- cbind(case$features, judgment_features(case$x, self = TRUE)[c("aSYS", "aART")])
    errors <- function(gains) {
      rows <- judged & !is.na(gains$mean)
      c(RMSE = sqrt(mean((gains$mean - case$x$gain)[rows]^2)), variance = mean(gains$variance[rows]))
    }
    by <- function(model) errors(gain_distribution(model, features, fallback = "NA", scale = case$x$scale))
    parts <- list(uniform = errors(uniform_gains(case$x)), output = by(case$output), judge = by(case$judge))
    stats::setNames(unlist(parts), as.vector(outer(c("RMSE", "variance"), names(parts), function(a, b) paste(b, a))))
  }, note = function(case) if (anyNA(case$x$gain)) paste(note_part, note_table_7) else case$note)
  item_result("errors and variances of the estimated gains", rows, "The edition of 2006 is not public.")
}

no_judgment_ranking <- function(case) {
  rank_systems(case$x, gain_distribution(case$output, case$features, scale = case$x$scale))
}

median_row <- function(rows, quantities, label = "all") {
  simulated <- rows[rows$data == "simulated", ]
  values <- vapply(quantities, function(q) stats::median(simulated$obtained[simulated$quantity == q]), 0)
  names(values) <- sub("^(Broad|Fine) ", "\\1 median ", quantities)
  obtained_row(label, values, "simulated", note_simulated)
}

mtc_table_5 <- function(world) {
  rows <- case_rows(with_other_models(with_teamless(mtc_cases(world, complete = FALSE))), function(case) {
    ranking <- no_judgment_ranking(case)
    known <- if (anyNA(case$x$gain)) NULL else ranking_accuracy(ranking, judgments_of(case$x))
    c(confidence = ranking_confidence(ranking), known)
  })
  confidence <- rows$obtained[rows$data == "simulated" & grepl("confidence", rows$quantity)]
  both <- c(outer(c("Broad", "Fine"), c("accuracy", "tau"), paste))
  rows <- rbind(rows, median_row(rows, both),
                obtained_row("all", c("median confidence" = stats::median(confidence)), "simulated", note_simulated))
  item_result("the ranking when no judgments are made", rows)
}

# Pairs of systems by confidence, over all editions: how many there are, and how many are in the right order.
confidence_table <- function(cases, ranking_of) {
  name <- text_factor(paste(vapply(cases, `[[`, "", "data"), vapply(cases, `[[`, "", "scale")))
  do.call(rbind, lapply(split(cases, name), function(group) {
    each <- lapply(group, function(case) {
      ranking_accuracy(ranking_of(case), judgments_of(case$x), bins = c(.5, .6, .7, .8, .9, .95, .99))
    })
    pairs <- rowSums(vapply(each, `[[`, numeric(7), "pairs"))
    right <- rowSums(vapply(each, function(one) ifelse(one$pairs > 0, one$pairs * one$accuracy, 0), numeric(7)))
    label <- sprintf("%.2f to %.2f", each[[1]]$from, each[[1]]$to)
    data <- group[[1]]$data
    do.call(rbind, lapply(seq_along(pairs), function(i) {
      values <- c(pairs = pairs[i], share = pairs[i] / sum(pairs), accuracy = right[i] / pairs[i])
      names(values) <- paste(group[[1]]$scale, names(values))
      obtained_row(label[i], values, data, if (data == "public") paste(note_four, note_table_7) else note_simulated)
    }))
  }))
}

# The public edition is one of the four whose pairs the paper counts. It can be if no bin has more pairs than the paper,
# and neither more right nor more wrong ones.
explain_one_of_four <- function(rows, item) {
  published <- published_numbers("mtc")
  published <- published[published$item == item, ]
  public <- rows[rows$data == "public", ]
  scale <- sub(" .*", "", rows$quantity)
  at <- function(data, column, what) {
    data[[column]][match(text_key(rows$row, paste(scale, what)), text_key(data$row, data$quantity))]
  }
  right <- function(pairs, accuracy) ifelse(pairs > 0, round(pairs * accuracy), 0)
  own <- at(public, "obtained", "pairs")
  own_right <- right(own, at(public, "obtained", "accuracy"))
  all <- at(published, "published", "pairs")
  all_right <- right(all, at(published, "published", "accuracy"))
  possible <- (rows$data == "public" & own_right <= all_right & own - own_right <= all - all_right) %in% TRUE
  rows$note[possible] <- paste("The public data are one of the four editions. Among the pairs with this confidence,",
                               "they have no more right ones and no more wrong ones than the paper counts in all four.")
  rows$computed[possible] <- TRUE
  rows
}

# Accuracy against stated confidence; calibrated confidence is on the diagonal.
reliability_figure <- function(rows, title) {
  part <- rows[grepl("accuracy", rows$quantity) & !is.na(rows$obtained), ]
  middle <- vapply(strsplit(part$row, " to "), function(ends) mean(as.numeric(ends)), 0)
  curves <- data.frame(panel = sub(" .*", "", part$quantity), line = part$data, x = middle, y = part$obtained,
                       stringsAsFactors = FALSE)
  reproduction_picture(title, "of the pairs of systems with a confidence, the share whose order is right", curves,
                       x = "confidence", y = "accuracy", diagonal = TRUE, points = TRUE)
}

mtc_table_6 <- function(world) {
  rows <- explain_one_of_four(confidence_table(mtc_cases(world), no_judgment_ranking), "table6")
  item_result("accuracy against confidence when no judgments are made", rows,
              figure = reliability_figure(rows, "Confidence and accuracy without judgments"))
}

mtc_table_7 <- function(world) {
  fit_numbers <- function(fit, data, scale) {
    gains <- gain_distribution(fit, data, scale = scale)
    alpha <- stats::setNames(fit$alpha, paste("alpha", seq_along(fit$alpha)))
    kept <- fit$beta[!names(fit$beta) %in% fit$aliased]
    # The "adjusted R2" of the paper is not the share of the variance that the model explains: with an RMSE of 0.275, a
    # share of 0.916 requires Broad gains with a variance of 0.90, but by Table 2 it is 0.66 at most. Nagelkerke's
    # coefficient, which adjusts that of Cox and Snell to a maximum of 1, has the published values.
    c(kept, alpha, R2 = fit_statistics(fit)$nagelkerke, RMSE = sqrt(mean((gains$mean - data$value)^2)),
      variance = mean(gains$variance))
  }
  rows <- lapply(c("public", "simulated"), function(data) {
    lapply(c("Broad", "Fine"), function(scale) {
      cases <- mtc_cases(world, data, scale, complete = FALSE)
      if (!length(cases)) return(NULL)
      all <- do.call(rbind, lapply(cases, function(case) {
        transform(judged_features(case$x), value = case$x$gain[!is.na(case$x$gain)])
      }))
      complete <- all[stats::complete.cases(all[c("pGEN", "sGEN", "pART", "aSYS", "aART")]), ]
      do.call(rbind, Map(function(type, formula) {
        # OV has one value per collection, so its effect cannot be estimated from a single collection.
        if (length(cases) == 1) formula <- stats::update(formula, . ~ . - OV)
        values <- fit_numbers(pom(formula, complete), complete, cases[[1]]$x$scale)
        note <- if (data == "simulated") note_simulated else paste(
          note_four, "In a single edition, OV is constant: its effect is part of the intercepts.",
          if (scale == "Broad") note_part
        )
        out <- obtained_row("", values, data, note)
        transform(out, row = out$quantity, quantity = paste(scale, type))
      }, names(mirex_formulas), mirex_formulas))
    })
  })
  item_result("coefficients of the models fitted to all editions", do.call(rbind, unlist(rows, recursive = FALSE)))
}

mtc_example <- function(world) {
  example <- data.frame(pTEAM = 0.25, OV = 0.8053, pART = 0.0217, sGEN = 1, pGEN = 0.8478)
  model <- mirex_model("output", "broad")
  p <- drop(predict(model, example, type = "prob"))
  above <- c(sum(p[2:3]), p[[3]])
  gains <- gain_distribution(model, example)
  values <- c("log-odds of 2" = stats::qlogis(above[2]), "log-odds of 1 or 2" = stats::qlogis(above[1]),
              "P(G >= 2)" = above[2], "P(G >= 1)" = above[1], "P(G = 2)" = p[[3]], "P(G = 1)" = p[[2]],
              "P(G = 0)" = p[[1]], expectation = gains$mean, variance = gains$variance)
  note <- "The paper computes it from probabilities of four digits; exactly it is 0.32336."
  item_result("the document of the appendix", obtained_row("example", values, "printed", note))
}

mtc_figure_1 <- function(world) {
  distribution <- lapply(list(broad_scale(), fine_scale()), function(scale) {
    runs <- data.frame(system = "A", query = "q", doc = paste0("d", 1:5), stringsAsFactors = FALSE)
    x <- test_collection(runs, k = 5, scale = scale)
    gains <- uniform_gains(x)
    list(scale = scale, gains = gains, exact = effectiveness_distribution(x, gains, "A", "q"))
  })
  rows <- do.call(rbind, lapply(distribution, function(d) {
    data <- beside_normal(d$exact)
    values <- c("mean of a gain" = d$gains$mean[1], "variance of a gain" = d$gains$variance[1],
                "assignments of 5 gains" = length(d$scale$levels)^5,
                "largest error of the normal distribution" = max(abs(cumsum(data$probability) - cumsum(data$normal))))
    names(values) <- paste(d$scale$name, names(values))
    obtained_row("uniform", values, "printed")
  }))
  pictures <- lapply(distribution, function(d) distribution_picture(d$exact, most_bars = 100))
  part <- function(what) {
    do.call(rbind, Map(function(d, p) {
      data.frame(panel = paste(d$scale$name, "scale"), line = "normal", x = p[[what]]$value, y = p[[what]]$density,
                 width = p$width, stringsAsFactors = FALSE)
    }, distribution, pictures))
  }
  figure <- reproduction_picture("AG@5 when every gain is equally likely", "bars: exact; line: normal distribution",
                                 part("curve"), x = "AG@5", y = "density", bars = part("bars"), free = TRUE)
  item_result("distribution of AG@5 under uniform gains", rows, figure = figure)
}
