test_that("measures print canonically and parse back", {
  names <- c("AG@5", "CG(gain=exp)@5", "DCG(discount=log_b,b=10)", "nDCG(rel=2)@10", "nDCG(ideal=maximum,max=3)@5",
             "ANDCG@5", "ADR@5",
             "P(rel=2)@10", "recall@100", "F(beta=2)@10", "AP(mean=geometric)", "RR@10", "Rprec(x=1.5)", "BEP", "Fmax",
             "iprec(recall=0.1)", "AUC", "bpref", "infAP", "RBP(p=0.95)", "RBP(gain=linear,max=query)",
             "RBPresidual(p=0.5)@20",
             "ERR(max=4)@20", "judged@10", "DCG(gain=1:3|2:9)@10", "utility(a=2,c=1)")
  for (name in names) expect_identical(measure(name)$name, name)
  expect_identical(as.character(as_measures(names)), names)
})

test_that("arguments make what names make", {
  same <- function(a, name) expect_identical(a$name, name)
  same(measure("AG@5"), "AG@5")
  same(measure("CG"), "CG")
  same(measure("DCG", 10, gain = c("1" = 3, "2" = 9)), "DCG(gain=1:3|2:9)@10")
  same(measure("nDCG", 5, discount = "log_b"), "nDCG(discount=log_b)@5")
  same(measure("ANDCG@5"), "ANDCG@5")
  same(measure("ADR@5"), "ADR@5")
  same(measure("P", 10, rel = 2), "P(rel=2)@10")
  same(measure("recall"), "recall")
  same(measure("F", beta = 2), "F(beta=2)")
  same(measure("AP", mean = "geometric"), "AP(mean=geometric)")
  same(measure("RR@10"), "RR@10")
  same(measure("success@1"), "success@1")
  same(measure("Rprec"), "Rprec")
  same(measure("BEP"), "BEP")
  same(measure("Fmax"), "Fmax")
  same(measure("iprec", recall = 0.1, rounding = "nearest"), "iprec(recall=0.1,rounding=nearest)")
  same(measure("AUC"), "AUC")
  same(measure("bpref"), "bpref")
  same(measure("infAP"), "infAP")
  same(measure("RBP", p = 0.95), "RBP(p=0.95)")
  same(measure("RBPresidual"), "RBPresidual")
  same(measure("ERR@20"), "ERR@20")
  same(measure("judged@10"), "judged@10")
})

test_that("registry and kernels have the same names, and no spelling means two measures", {
  expect_setequal(names(measure_registry), measure_kernels_cpp())
  pattern <- vapply(spellings, `[[`, "", "pattern")
  expect_identical(anyDuplicated(pattern), 0L)
  for (base in names(measure_registry)) expect_identical(measure(base)$name, base)
})

test_that("cutoff and parameters are added to a name", {
  expect_identical(measure("map", mean = "geometric")$label, "AP(mean=geometric)")
  expect_identical(measure("nDCG", k = 10, rel = 2), measure("nDCG(rel=2)@10"))
  expect_identical(measure("nDCG", k = 10, rel = NULL)$name, "nDCG@10")
  expect_snapshot(error = TRUE, {
    measure("AP@5", k = 10)
    measure("AP", 10, 2)
    measure("AP", relevant = 2)
    measure("nCDG@10")
  })
})

test_that("trec_eval's names mean our measures", {
  means <- c(map = "AP", gm_map = "AP(mean=geometric)", P_10 = "P@10", P.10 = "P@10", recall_100 = "recall@100",
             ndcg = "nDCG",
             ndcg_cut_10 = "nDCG@10", map_cut_5 = "AP@5", recip_rank = "RR", Rprec = "Rprec",
             Rprec_mult_1.20 = "Rprec(x=1.2)",
             bpref = "bpref", gm_bpref = "bpref(mean=geometric)", iprec_at_recall_0.10 = "iprec(recall=0.1)",
             "11pt_avg" = "iprec", "11pt_avg_.25,.5" = "iprec(recall=0.25|0.5)", infAP = "infAP", set_P = "P",
             set_recall = "recall",
             set_F = "F", set_F_4 = "F(beta=2)", set_map = "set_AP", set_relative_P = "relative_P",
             relative_P_5 = "relative_P@5",
             success_1 = "success@1", "utility_2,-1,0,0" = "utility(a=2)", "ndcg_1=3,2=9" = "nDCG(gain=1:3|2:9)",
             G = "G",
             rbp = "RBP(p=0.9,gain=linear,max=query)", unj_5 = "unjudged@5", num_rel = "num_rel", yaap = "yaap",
             binG = "binG",
             "map(rel=2)" = "AP(rel=2)", "P_10(rel=2)" = "P(rel=2)@10", "ndcg_cut_5(gain=exp)" = "nDCG(gain=exp)@5",
             ndcg_rel = "ndcg_rel", Rndcg = "Rndcg")
  for (name in names(means)) {
    expect_identical(measure(name)$name, means[[name]], info = name)
    expect_identical(measure(name)$label, name)
  }
})

test_that("measures print and combine", {
  expect_snapshot({
    measure("AG@5")
    measure("ndcg_cut_10")
    measure("RBPresidual")
    c(measure("AG@5"), measure("map"), "P@10")
    as_measures(c("AP", Strict = "P(rel=2)@10"))
    as.data.frame(as_measures(c("AP", "gm_map", "num_ret", "AG@5")))
  })
})

test_that("what is no measure is said to be none", {
  expect_snapshot(error = TRUE, {
    measure("foo@5")
  })
  expect_snapshot(error = TRUE, measure("P(beta=2)@5"))
  expect_snapshot(error = TRUE, measure("P(rel)@5"))
  expect_snapshot(error = TRUE, measure("AP@0"))
  expect_snapshot(error = TRUE, measure("bpref@5"))
  expect_snapshot(error = TRUE, measure("RBP(p=1)"))
  expect_snapshot(error = TRUE, measure("nDCG", ideal = "maximum"))
  expect_snapshot(error = TRUE, measure("DCG", gain = c(1, 2)))
  expect_snapshot(error = TRUE, measure("DCG", discount = function(r) 1 / r))
  expect_snapshot(error = TRUE, as_measures(c("AP", "AP")))
  expect_snapshot(error = TRUE, as_measures(5))
  expect_snapshot(error = TRUE, measure_custom("x", 5))
})

test_that("no exported name masks one of base R's or stats'", {
  exported <- getNamespaceExports("judicious")
  expect_identical(intersect(exported, c(getNamespaceExports("stats"), ls(baseenv()))), character())
})
