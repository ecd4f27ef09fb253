# Urbano, Martin, Marrero and Morato (2011): power and stability of the edition of 2009.

significance_items <- function() {
  list(table1 = significance_table_1,
       figure1 = function(world) power_figure(world, "FT"), figure2 = function(world) stability_figure(world, "FT"),
       figure3 = function(world) power_figure(world, "W1"), figure4 = function(world) stability_figure(world, "W1"),
       errors = significance_errors, factors = significance_factors, beyond = significance_beyond)
}

note_2009 <- "Another collection: simulated in the shape of 2009, whose runs and judgments are not public."
note_2011 <- "Another edition: 2011, with 18 systems; its runs have no ranks, so that only AG can be computed."

# The studied collections with their scores.
significance_cases <- function(world) {
  remember(world, "scores", function() {
    seed <- with_seed(world$seed, sample.int(.Machine$integer.max, 1))
    simulated <- lapply(list(broad_scale(), fine_scale()), function(scale) {
      x <- simulate_collection(edition = 2009, seed = seed, scale = scale)
      measures <- c(measure("AG@5"), measure("nDCG", 5, discount = "log_b"), measure("ANDCG", 5, discount = "log_b"),
                    measure("ADR@5"))
      list(data = "simulated", scale = scale$name, x = x, scores = evaluate(x, measure = measures), note = note_2009)
    })
    public <- Filter(function(case) case$scale == "Fine", public_cases(world))
    public <- lapply(public, function(case) {
      list(data = "public", scale = "Fine", x = case$x, scores = evaluate(case$x, measure = measure("AG@5")),
           note = note_2011)
    })
    c(public, simulated)
  })
}

both_tests <- function() {
  list(FT = significance_test("friedman_tukey"),
       W1 = significance_test("wilcoxon", "better", adjust = "none", alpha = 0.01))
}

# Power and stability of all measures and tests, in long form, with the paper's short names.
reliability_study <- function(world) {
  remember(world, "study", function() {
    trials <- world$replicates %||% 500
    lapply(significance_cases(world), function(case) {
      strata <- case$x$queries[c("query", "genre")]
      run <- function(analysis) {
        out <- analysis(case$scores, trials = trials, tests = world$tests %||% both_tests(), strata = strata,
                        seed = world$seed, progress = FALSE)
        data <- plain_frame(out)
        data$measure <- upper_ascii(sub("[(@].*", "", data$measure))
        data
      }
      c(case, list(power = run(power_analysis), stability = run(stability_analysis)))
    })
  })
}

study_value <- function(data, measure, test, size, column) {
  data[data$measure == measure & data$test == test & data$size == size, column]
}

significance_table_1 <- function(world) {
  rows <- do.call(rbind, lapply(reliability_study(world), function(case) {
    do.call(rbind, lapply(c("FT", "W1"), function(test) {
      power <- vapply(c(50, 100), function(size) study_value(case$power, "AG", test, size, "power"), 0)
      conflicts <- study_value(case$stability, "AG", test, 50, "conflicts")
      values <- c("power at 50" = power[1], "conflicts at 50" = conflicts, "stable at 50" = power[1] - conflicts,
                  "power at 100" = power[2], "stable at 100" = power[2] - conflicts)
      obtained_row(paste("AG", case$scale, test), values, case$data, paste(case$note, note_conflicts))
    }))
  }))
  item_result("power and stability with Friedman-Tukey (FT) and one-tailed Wilcoxon tests (W1)", rows)
}

note_conflicts <- paste(
  "Two disjoint subsets disagree about a pair of power p with probability 2p(1 - p) if they are independent; as few",
  "conflicts as published are possible only if nearly all pairs of systems are either always or never significant.",
  "Simulations in which teams differ more in quality reach the published numbers (article on power and stability)."
)

power_figure <- function(world, test) {
  study <- reliability_study(world)
  rows <- do.call(rbind, lapply(study, function(case) {
    do.call(rbind, lapply(unique(case$power$measure), function(measure) {
      p <- vapply(c(70, 100), function(size) study_value(case$power, measure, test, size, "power"), 0)
      n <- n_systems(case$x)
      missed <- if (measure == "AG") c("pairs that 70 queries miss" = (p[2] - p[1]) * n * (n - 1) / 2)
      obtained_row(paste(measure, case$scale), c("power at 100" = p[2], missed), case$data, case$note)
    }))
  }))
  if (test == "W1") rows <- rbind(rows, power_gains(study))
  item_result(sprintf("power with %s", test_name(test)), rows,
              figure = study_figure(study, "power", test, "power", "significant pairs (%)"))
}

# The largest advantage in significant pairs of one-tailed Wilcoxon tests over Friedman-Tukey, with all queries.
power_gains <- function(study) {
  gain <- vapply(study, function(case) {
    all <- case$power[case$power$size == 100, ]
    found <- function(test) all$power[all$test == test]
    max(found("W1") / found("FT")) - 1
  }, 0)
  kind <- vapply(study, `[[`, "", "data")
  do.call(rbind, lapply(unique(kind), function(data) {
    obtained_row("all", c("largest gain of power over Friedman-Tukey at 100" = max(gain[kind == data])), data,
                 if (data == "public") note_2011 else note_2009)
  }))
}

test_name <- function(test) c(FT = "Friedman-Tukey", W1 = "one-tailed Wilcoxon tests")[[test]]

stability_figure <- function(world, test) {
  study <- reliability_study(world)
  one <- function(case, measure, column) study_value(case$stability, measure, test, 50, column)
  rows <- do.call(rbind, lapply(study, function(case) {
    do.call(rbind, lapply(unique(case$stability$measure), function(measure) {
      conflicts <- one(case, measure, "conflicts")
      values <- c("conflicts at 50" = conflicts,
                  "lack of power among conflicts at 50" = one(case, measure, "lack_of_power") / conflicts)
      obtained_row(paste(measure, case$scale), values, case$data, paste(case$note, note_conflicts))
    }))
  }))
  # The text of the paper reports measures without a scale: use the mean over both scales.
  simulated <- Filter(function(case) case$data == "simulated", study)
  pooled <- function(measures, column) {
    mean(vapply(simulated, function(case) mean(vapply(measures, function(m) one(case, m, column), 0)), 0))
  }
  text <- do.call(rbind, lapply(c("AG", "NDCG", "ANDCG"), function(measure) {
    conflicts <- pooled(measure, "conflicts")
    values <- c("conflicts at 50" = conflicts,
                "lack of power among conflicts at 50" = pooled(measure, "lack_of_power") / conflicts)
    obtained_row(measure, values, "simulated", paste(note_2009, note_conflicts))
  }))
  both <- obtained_row("NDCG and ANDCG", c("conflicts at 50" = pooled(c("NDCG", "ANDCG"), "conflicts")), "simulated",
                       paste(note_2009, note_conflicts))
  swaps <- do.call(rbind, lapply(split(study, text_factor(vapply(study, `[[`, "", "data"))), swap_rows, test))
  item_result(sprintf("stability with %s", test_name(test)), rbind(rows, text, both, swaps),
              figure = study_figure(study, "stability", test, "conflicts", "conflicting pairs (%)"))
}

# Differences of opposite sign in two subsets, as a share of all comparisons of two systems, significant or not.
swap_rows <- function(cases, test) {
  counts <- vapply(cases, function(case) {
    s <- case$stability[case$stability$test == test, ]
    made <- s$trials * n_systems(case$x) * (n_systems(case$x) - 1) / 2
    c(sum(made), sum(made * s$swap_significant), sum(made * (s$swap_significant + s$sign_swap)))
  }, numeric(3))
  counts <- round(rowSums(counts))
  rows <- obtained_row("all", c("comparisons" = counts[1], "opposite and both significant" = counts[2],
                                "share of opposite signs" = counts[3] / counts[1]), cases[[1]]$data,
                       paste(cases[[1]]$note, note_swaps, if (test == "W1") note_direction))
  bound <- test == "W1" & rows$quantity == "share of opposite signs"
  rows$note[bound] <- note_bound
  rows$computed[bound] <- TRUE
  rows
}

note_direction <- paste("One-tailed tests are in the direction of the difference in the subset. In the direction over",
                        "all queries, no pair can be significant in two subsets with opposite signs.")
note_swaps <- "Counted over all measures and all sizes from 5 to 50 queries."
note_bound <- paste("The bound of section 8 contradicts section 7: of the conflicts by one-tailed tests, which are 6%",
                    "of the comparisons with NDCG, 3.3% have opposite signs. These are 0.20% of the comparisons.")

study_figure <- function(study, analysis, test, column, label) {
  curves <- do.call(rbind, lapply(study, function(case) {
    part <- case[[analysis]][case[[analysis]]$test == test, ]
    data.frame(panel = paste0(case$scale, if (case$data == "public") " (2011, public)" else " (2009, simulated)"),
               line = part$measure, x = part$size, y = 100 * part[[column]], stringsAsFactors = FALSE)
  }))
  reproduction_picture(paste(if (analysis == "power") "Power" else "Stability", "with", test_name(test)),
                       "random subsets of the queries, balanced over genres", curves, x = "queries", y = label,
                       points = TRUE)
}

# Questions that section 8 of the paper leaves to further research: the effects of depth and of the number of systems,
# and the difference between systems of several teams and systems of one team.
significance_factors <- function(world) {
  rows <- lapply(significance_cases(world), function(case) {
    systems <- split(case$x$systems$system, case$x$systems$team)
    firsts <- vapply(systems, `[[`, "", 1)
    largest <- systems[[which.max(lengths(systems))]]
    parts <- list(list(row = function(s) paste(s$systems, "systems"), systems = c(5, 10, n_systems(case$x))),
                  list(row = function(s) s$systems, systems = list("one system of each team" = firsts,
                                                                   "the systems of one team" = largest)))
    by_systems <- lapply(parts, function(part) factor_rows(world, case, case$scores, part$row, systems = part$systems))
    if (is.null(case$x$results$rank)) return(do.call(rbind, by_systems))
    depth <- paste0("AG@", 1:5)
    deeper <- evaluate(case$x, measure = depth)
    do.call(rbind, c(by_systems, list(factor_rows(world, case, deeper, function(s) s$measure, measure = depth))))
  })
  item_result("effects of depth and of the systems compared on power and conflicts of AG with 50 queries",
              do.call(rbind, rows))
}

factor_rows <- function(world, case, scores, row, measure = "AG@5", ...) {
  study <- function(analysis) {
    plain_frame(analysis(scores, sizes = 50, trials = min(world$replicates %||% 100, 100), tests = both_tests(),
                         measure = measure, strata = case$x$queries[c("query", "genre")], seed = world$seed,
                         progress = FALSE, ...))
  }
  power <- study(power_analysis)
  conflicts <- study(stability_analysis)$conflicts
  do.call(rbind, lapply(seq_len(nrow(power)), function(i) {
    values <- c(power = power$power[i], conflicts = conflicts[i])
    names(values) <- paste(case$scale, power$test[i], names(values))
    obtained_row(row(power[i, ]), values, case$data)
  }))
}

# Power with more queries than there are, by the noncentral t distribution: section 4 asks how much more queries would
# pay off. "From half the queries" checks the extrapolation: it predicts from 50 queries, the mean of 20 draws, what 100
# have.
significance_beyond <- function(world) {
  test <- significance_test("t", adjust = "bonferroni")
  study <- function(scores, sizes, ...) {
    power_analysis(scores, sizes = sizes, tests = test, measure = "AG@5", seed = world$seed, progress = FALSE, ...)
  }
  rows <- lapply(significance_cases(world), function(case) {
    more <- study(case$scores, c(100, 200, 400, 800), target = 0.8)
    needed <- attr(more, "needed")$queries
    halves <- with_seed(world$seed, replicate(20, sample(case$x$queries$query, 50), simplify = FALSE))
    from_half <- vapply(halves, function(half) {
      study(case$scores[case$scores$query %in% half, ], 100)$power
    }, 0)
    values <- list(power = stats::setNames(more$power, paste(more$size, "queries")),
                   "power from half the queries" = c("100 queries" = mean(from_half)),
                   "share of pairs with a power of 80%" = vapply(
                     stats::setNames(more$size, paste(more$size, "queries")), function(n) mean(needed <= n), 0
                   ))
    do.call(rbind, Map(function(quantity, value) {
      do.call(rbind, Map(function(row, one) {
        obtained_row(row, stats::setNames(one, paste(case$scale, quantity)), case$data)
      }, names(value), value))
    }, names(values), values))
  })
  item_result("power of AG with more queries than are available (paired t-tests, Bonferroni)", do.call(rbind, rows))
}

# Probability of at least one error among independent comparisons of systems that do not differ.
significance_errors <- function(world) {
  chance <- function(n, alpha) 1 - (1 - alpha)^n
  values <- c("105 comparisons at 0.05" = chance(105, 0.05), "14 comparisons at 0.05" = chance(14, 0.05),
              "105 comparisons at 0.01" = chance(105, 0.01), "14 comparisons at 0.01" = chance(14, 0.01))
  item_result("errors of type I over the whole experiment", obtained_row("chance of an error", values, "printed"))
}
