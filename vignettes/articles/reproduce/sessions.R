# Urbano and Schedl (2013), results of judging: Tables 3 and 4, Figures 2 and 3.

# Judges until the mean confidence is 95%, with the published strategy.
stopped_session <- function(world, case) {
  remember(world, paste("session", case$data, case$scale, case$year), function() {
    mtc(case$x, NULL, case$output, case$judge, confidence = 0.95, progress = FALSE)
  })
}

# The number of pairs of systems that a ranking has in the wrong order, among the pairs that differ significantly with
# all judgments (Friedman's test and Tukey's HSD).
wrong_among_significant <- function(case, ranking) {
  scores <- evaluate(case$x, measure = measure("AG", case$x$k))
  pairs <- compare_systems(scores, significance_test("friedman_tukey"), ranking = ranking)$pairs
  sum(pairs$significant & !pairs$same_order)
}

mtc_table_3 <- function(world) {
  cases <- mtc_cases(world)
  rows <- case_rows(with_other_models(with_teamless(cases)), function(case) {
    last <- utils::tail(as.data.frame(stopped_session(world, case), truth = judgments_of(case$x)), 1)
    c(judgments = last$judged, "share of judgments" = last$judged / n_pairs(case$x), accuracy = last$accuracy,
      tau = last$tau)
  }, note = function(case) {
    paste(case$note, if (case$data == "public") "The initial confidence differs, too: see Table 5.")
  })
  wrong <- do.call(rbind, lapply(cases, function(case) {
    data.frame(data = case$data, scale = case$scale,
               wrong = wrong_among_significant(case, rank_systems(stopped_session(world, case))), stringsAsFactors = FALSE)
  }))
  wrong <- stats::aggregate(wrong ~ data + scale, wrong, sum)
  rows_wrong <- do.call(rbind, lapply(seq_len(nrow(wrong)), function(i) {
    obtained_row("all", stats::setNames(wrong$wrong[i], paste(wrong$scale[i], "significant pairs in the wrong order")),
                 wrong$data[i], if (wrong$data[i] == "public") paste(note_four, note_table_7) else note_simulated)
  }))
  both <- c(outer(c("Broad", "Fine"), c("share of judgments", "accuracy", "tau"), paste))
  item_result("judgments to a mean confidence of 95%", rbind(rows, rows_wrong, median_row(rows, both)))
}

mtc_table_4 <- function(world) {
  rows <- confidence_table(mtc_cases(world), function(case) rank_systems(stopped_session(world, case)))
  rows <- explain_one_of_four(rows, "table4")
  item_result("accuracy against confidence when judging stops at 95%", rows,
              figure = reliability_figure(rows, "Confidence and accuracy at the published stop"))
}

# Sessions that judge the whole pool, with the models and with the uniform distribution.
full_traces <- function(world) {
  remember(world, "traces", function() {
    do.call(rbind, lapply(mtc_cases(world), function(case) {
      run <- function(output, judge, gains) {
        session <- mtc(case$x, NULL, output, judge, stop = "never", progress = FALSE)
        trace <- as.data.frame(session, truth = judgments_of(case$x))
        data.frame(trace[c("judged", "confidence", "accuracy")], share = trace$judged / n_pairs(case$x), gains = gains,
                   year = case$year, scale = case$scale, data = case$data, stringsAsFactors = FALSE)
      }
      rbind(run(NULL, NULL, "uniform"), run(case$output, case$judge, "models"))
    }))
  })
}

trace_groups <- function(traces) split(traces, text_factor(paste(traces$scale, traces$gains, traces$year, traces$data)))

first_reached <- function(trace) which(trace$confidence >= 0.95)[1]

mtc_figure_2 <- function(world) {
  traces <- full_traces(world)
  reached <- do.call(rbind, lapply(trace_groups(traces), function(trace) {
    data.frame(trace[1, c("scale", "gains", "year", "data")], share = trace$share[first_reached(trace)],
               stringsAsFactors = FALSE)
  }))
  uniform <- reached[reached$gains == "uniform", ]
  each <- do.call(rbind, lapply(seq_len(nrow(uniform)), function(i) {
    obtained_row(uniform$year[i], stats::setNames(uniform$share[i], paste(uniform$scale[i], "share, uniform")),
                 uniform$data[i])
  }))
  all <- do.call(rbind, lapply(split(uniform, text_factor(uniform$data)), function(part) {
    obtained_row("all", c("share of judgments with the uniform distribution" = stats::median(part$share)),
                 part$data[1], paste("The median over editions and scales; the paper says about 60%.",
                                     if (part$data[1] == "public") note_four else note_simulated))
  }))
  item_result("confidence in the ranking as judgments are made", rbind(all, each),
              figure = trace_figure(traces, "confidence", "Confidence in the ranking"))
}

mtc_figure_3 <- function(world) {
  traces <- full_traces(world)
  rows <- do.call(rbind, lapply(trace_groups(traces), function(trace) {
    at <- first_reached(trace)
    obtained_row(trace$year[1], stats::setNames(trace$accuracy[at], paste(trace$scale[1], trace$gains[1],
                                                                          "accuracy at 95%")), trace$data[1])
  }))
  item_result("accuracy of the ranking as judgments are made", rows,
              figure = trace_figure(traces, "accuracy", "Accuracy of the ranking"))
}

# About 50 points per curve, with one line per edition and one panel per scale and kind of gains.
trace_figure <- function(traces, figure, title) {
  groups <- trace_groups(traces)
  thin <- function(trace) trace[unique(round(seq(1, nrow(trace), length.out = 50))), ]
  label <- function(part) {
    list(panel = paste0(part$scale, ", gains: ", part$gains),
         line = ifelse(part$data == "public", paste(part$year, "public"), as.character(part$year)))
  }
  curves <- do.call(rbind, lapply(groups, function(trace) {
    part <- thin(trace)
    data.frame(label(part), x = 100 * part$share, y = part[[figure]], stringsAsFactors = FALSE)
  }))
  marks <- do.call(rbind, lapply(groups, function(trace) {
    part <- trace[first_reached(trace), ]
    data.frame(label(part), x = 100 * part$share, stringsAsFactors = FALSE)
  }))
  reproduction_picture(title, "dashed: a mean confidence of 95% is reached for the first time", curves,
                       x = "judgments (% of the pool)", y = figure, marks = marks)
}
