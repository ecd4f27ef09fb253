# The numbers of the two texts on evaluation that have no data: Mueller's notebook on evaluation measures (FMP, C7) and
# the lecture notes "IR Evaluation" of 2015. One line per part: its place in the text, the printed value, and the
# obtained value. lecture_examples() has values that the notes do not print: examples made here for their formulas.
ids <- function(number) sprintf("d%02d", number)

toy <- function(score, relevant) {
  list(runs = data.frame(system = "A", query = "q", doc = ids(seq_along(score)), score = score),
       judgments = data.frame(query = "q", doc = ids(relevant), gain = 1))
}

# Uses ranks if the runs have them. Argument names start with dots, because measures have parameters with short names.
value_of <- function(.example, .measure, ...) {
  evaluate(.example$runs, .example$judgments, measure = measure(name = .measure, ...), per = "query",
           ties = if (is.null(.example$runs$rank)) "trec_eval" else "rank")$value
}

part <- function(part, where, published, obtained, note = "") {
  digits <- scripts$printed_digits(published)
  same <- abs(obtained - as.numeric(published)) <= 0.5 * 10^-digits + 1e-12
  data.frame(part = part, where = where, published = published, obtained = format(round(obtained, pmax(digits, 4))),
             status = ifelse(same, "agrees", "differs"), note = note)
}

first_toy <- function() toy(c(8, 52, 22, 10, 12, 34, 11, 27, 72, 18), c(2, 7, 8, 9))

notebook_parts <- function() {
  first <- first_toy()
  second <- toy(c(0.7, 2.6, 3.6, 3.5, 3.2, 3.7, 1.5, 3.1), c(2, 3, 4, 8))
  at_ranks <- function(measure) vapply(1:10, function(k) value_of(first, measure, k), 0)
  tied <- toy(c(1, 1), 1)
  swapped <- first
  swapped$runs$score[c(7, 4)] <- first$runs$score[c(4, 7)]
  rbind(
    part(paste("P(r), r =", 1:10), "P@r",
         c("1.00", "1.00", "0.67", "0.75", "0.60", "0.50", "0.43", "0.50", "0.44", "0.40"), at_ranks("P")),
    part(paste("R(r), r =", 1:10), "recall@r",
         c("0.25", "0.50", "0.50", "0.75", "0.75", "0.75", "0.75", "1.00", "1.00", "1.00"), at_ranks("recall")),
    part(paste("F(r), r =", 1:10), "F@r",
         c("0.40", "0.67", "0.57", "0.75", "0.67", "0.60", "0.55", "0.67", "0.62", "0.57"), at_ranks("F")),
    part("break-even point", "BEP", "0.75", value_of(first, "BEP")),
    part("maximal F", "Fmax", "0.75", value_of(first, "Fmax")),
    part("average precision", "AP", "0.8125", value_of(first, "AP")),
    part("average precision, ranks 8 and 9 swapped", "AP", "0.7975", value_of(swapped, "AP"),
         "The notebook computes with 0.44 for 4/9; the exact value is 0.79861."),
    part("exercise 7.12: break-even point", "BEP", "0.50", value_of(second, "BEP")),
    part("exercise 7.12: maximal F", "Fmax", "0.80", value_of(second, "Fmax")),
    part("exercise 7.12: average precision", "AP", "0.60833", value_of(second, "AP")),
    part("equal scores: smaller identifier first (rank of document 1)", "evaluate(ties = \"identifier\")", "1",
         1 / evaluate(tied$runs, tied$judgments, "RR", ties = "identifier")$value)
  )
}

lecture_parts <- function() {
  plurals <- list(
    runs = data.frame(system = "s", query = rep(c("cat", "torus", "virus"), each = 3), rank = rep(1:3, 3),
                      doc = c("catten", "cati", "cats", "torii", "tori", "toruses", "viruses", "virii", "viri")),
    judgments = data.frame(query = c("cat", "torus", "virus"), doc = c("cats", "tori", "viruses"), gain = 1)
  )
  graded <- list(runs = data.frame(system = "s", query = "q", doc = ids(1:6), rank = 1:6),
                 judgments = data.frame(query = "q", doc = ids(1:6), gain = c(3, 2, 3, 0, 1, 2)))
  dcg <- vapply(1:6, function(k) value_of(graded, "DCG", k, discount = "log_b"), 0)
  rbind(
    part("MRR of three queries (equation 9)", "RR", "0.61", mean(value_of(plurals, "RR"))),
    part(paste0("DCG: rel/log2(i), i = ", 2:6), "DCG(discount = \"log_b\")", c("2", "1.892", "0", "0.431", "0.774"),
         diff(dcg), c("", "The notes truncate 1.89279.", "", "", ""))
  )
}

# Each value is computed by hand, and by the package.
lecture_examples <- function() {
  # Four of ten documents are relevant, and three of the four retrieved ones: TP 3, FP 1, FN 1, TN 5.
  set <- toy(10:1, c(1, 2, 3, 7))
  set$runs <- set$runs[1:4, ]
  tp <- 4 * value_of(set, "P", 4)
  fn <- tp / value_of(set, "recall", 4) - tp
  counts <- c(tp, 4 - tp, fn, 6 - fn)
  d <- c(3, -1, 4, 1.5, -5, 9, 2, 6, 5.5, -3.5)
  # Equations 14 to 17 by hand.
  ranks <- sign(d) * rank(abs(d))
  n <- length(d)
  z <- (sum(ranks) - 0.5) / sqrt(n * (n + 1) * (2 * n + 1) / 6)
  p_value <- function(method) {
    test <- significance_test("wilcoxon", "greater", method = method)
    sprintf("%.4f", compare_systems(cbind(d, 0), test)$pairs$p_value)
  }
  rbind(
    part("precision (equations 1, 3)", "P", "0.75", value_of(set, "P", 4)),
    part("recall (equations 2, 4)", "recall", "0.75", value_of(set, "recall", 4)),
    part("accuracy (equation 5)", "P and recall, by hand", "0.80", sum(counts[c(1, 4)]) / 10),
    part(paste(c("true positives", "false positives", "false negatives", "true negatives"), "(table 1)"),
         "P and recall, by hand", c("3", "1", "1", "5"), counts),
    part("F (equations 6, 7)", "F", "0.75", value_of(set, "F", 4)),
    part("probability that document 4 is the last read, L_M(4) (equation 8)", "differences of P@r", "0.15",
         value_of(first_toy(), "P", 4) - value_of(first_toy(), "P", 5),
         "Computed by hand from the notebook's first example: (3/4 - 3/5) / 1."),
    part("one-tailed p of ten differences by Wilcoxon's z (equations 14 to 17)",
         "significance_test(\"wilcoxon\", method = \"signed_sum\")",
         sprintf("%.4f", stats::pnorm(z, lower.tail = FALSE)), as.numeric(p_value("signed_sum")),
         paste0("Computed by hand. Equation 17 has a continuity correction of 0.5, although W changes in steps of 2. ",
                "With a correction of 1 (`normal`), p is ", p_value("normal"), "; by the exact test, it is ",
                p_value("exact"), "."))
  )
}
