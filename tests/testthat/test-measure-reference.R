source(test_path("reference", "trec-reference.R"), local = TRUE)
source(test_path("reference", "measure-reference.R"), local = TRUE)

test_that("measures of ir_measures, cwl_eval and ranx agree with their definitions", {
  # bench/measures.R repeats this for 10,000 lists.
  set.seed(19)
  differences <- do.call(rbind, lapply(1:4, function(i) measure_differences(random_measure_case())))
  expect_gt(nrow(differences), 4 * 10 * 35)
  expect_identical(unique(differences$measure[!(differences$difference < 1e-12)]), character())
})

test_that("the values that cwl_eval prints for its example are reproduced", {
  # The values that ir_measures uses in its own tests, for queries T1 to T3, to four digits.
  gain <- c(1, 0, 1, 1, NA, NA, 1, 0, 1, 0, 1, 1, NA, NA, 1, 0, 1, 1, 1, 0, NA, NA, NA, 0, 0, 1, 1, 1, 0, 1)
  runs <- data.frame(system = "R1", query = rep(c("T1", "T2", "T3"), each = 10), doc = paste0("D", 1:10), score = 10:1)
  judgments <- cbind(runs[c("query", "doc")], gain)[!is.na(gain), ]
  published <- list(
    AP = c(.7087, .7438, .3068), "BPM(T=1.0,max_rel=1)@20" = c(1, 1, .1667),
    "BPM(T=2.0,max_rel=1)@10" = c(.6667, 1, .2857), "INSQ(T=1.0,max_rel=1)" = c(.5872, .6629, .0880),
    "INSQ(T=2.0,max_rel=1)" = c(.4513, .5068, .1292), "INST(T=1.0,max_rel=1)" = c(.7934, .9226, .0888),
    "INST(T=2.0,max_rel=1)" = c(.5994, .6924, .1397), "SDCG(dcg='log2',max_rel=1)@10" = c(.5645, .6531, .2848),
    "NERR8(max_rel=1)@10" = c(1, 1, .1667), "NERR9(max_rel=1)@10" = c(1, 1, .0680),
    "NERR10(p=0.8,max_rel=1)" = c(1, 1, .0888), "NERR11(T=2.0,max_rel=1)" = c(1, 1, .0691),
    "RBP(p=0.9,rel=1)" = c(.3501, .3996, .1988)
  )
  scores <- evaluate(runs, judgments, names(published))
  expect_identical(round(scores$value, 4), unlist(published, use.names = FALSE)[order(rep(1:3, length(published)))])
})

test_that("the values that gdeval prints for an example are reproduced", {
  # The values that ir_measures uses in its own tests, to five digits.
  runs <- data.frame(system = "run", query = rep(c("0", "1"), c(5, 4)),
                     doc = paste0("D", c(0, 2, 1, 3, 4, 1, 3, 4, 2)), score = c(.8, .7, .3, .4, .1, .8, .7, .3, .4))
  judgments <- data.frame(query = rep(c("0", "1"), c(5, 3)), doc = paste0("D", c(0:4, 0, 3, 5)),
                          gain = c(0, 1, 1, 2, 0, 1, 2, 2))
  scores <- evaluate(runs, judgments, c("nDCG(dcg='exp-log2')@20", "nDCG(dcg='exp-log2')@2", "ERR(max=4)@20",
                                        "ERR(max=4)@2"))
  expect_identical(round(scores$value, 5), c(.6201, .17377, .10175, .03125, .35099, .38685, .09375, .09375))
})
