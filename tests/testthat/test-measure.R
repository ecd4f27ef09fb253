test_that("parsing the canonical name of a measure gives a measure with that name", {
  names <- c("AG@5", "CG(gain=exp)@5", "DCG(discount=log_b,b=10)", "nDCG(rel=2)@10", "nDCG(ideal=maximum,max=3)@5",
             "ANDCG@5", "ADR@5",
             "P(rel=2)@10", "recall@100", "F(beta=2)@10", "AP(mean=geometric)", "RR@10", "Rprec(x=1.5)", "BEP", "Fmax",
             "iprec(recall=0.1)", "AUC", "bpref", "infAP", "RBP(p=0.95)", "RBP(gain=linear,max=query)",
             "RBPresidual(p=0.5)@20",
             "ERR(max=4)@20", "judged@10", "DCG(gain=1:3|2:9)@10", "utility(a=2,c=1)")
  for (name in names) expect_identical(measure(name)$name, name)
  expect_identical(as.character(measure(names)), names)
})

test_that("measure() with arguments equals the name with parameters", {
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

test_that("the registry and the C++ kernels have the same measures, and no spelling pattern occurs twice", {
  expect_setequal(names(measure_registry), measure_kernels_cpp())
  pattern <- vapply(spellings, `[[`, "", "pattern")
  expect_identical(anyDuplicated(pattern), 0L)
  for (base in names(measure_registry)) expect_identical(measure(base)$name, base)
})

test_that("measure() adds the given cutoff and parameters to a name", {
  expect_identical(measure("map", mean = "geometric")$label, "AP(mean=geometric)")
  expect_identical(measure("nDCG", k = 10, rel = 2), measure("nDCG(rel=2)@10"))
  expect_identical(measure("nDCG", k = 10, rel = NULL)$name, "nDCG@10")
  expect_error(measure("nDCG", k = c(5, 10)), "`k` must be one whole number", class = "judicious_error_argument")
  expect_snapshot(error = TRUE, {
    measure("AP@5", k = 10)
    measure("AP", 10, 2)
    measure("AP", relevant = 2)
    measure("nCDG@10")
  })
})

test_that("names of trec_eval are recognised", {
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

test_that("names of measures in ir_measures and ranx are recognised", {
  means <- c(
    "P(rel=2)@5" = "P(rel=2)@5", Precision = "P", MRR = "RR", MAP = "AP", NDCG = "nDCG", RPrec = "Rprec",
    BPref = "bpref", "R@10" = "recall@10", "Recall@10" = "recall@10", "Success@1" = "success@1",
    "Judged@10" = "judged@10", "nDCG(dcg='exp-log2')@10" = "nDCG(gain=exp)@10", "nDCG(dcg='log2')@10" = "nDCG@10",
    "nDCG(gains={0: 0, 1: 1, 2: 5})@10" = "nDCG(gain=0:0|1:1|2:5)@10",
    "AP(judged_only=True)@9" = "AP(judged_only=TRUE)@9", "BPM(T=2,min_rel=1,max_rel=3)@5" = "BPM(T=2,min=1,max=3)@5",
    "INST(max_rel=2)" = "INST(max=2)", "INSQ(T=2.0,max_rel=2)" = "INSQ(T=2,max=2)",
    "SDCG(dcg='log2',max_rel=2)@5" = "SDCG(max=2)@5", "NERR8(max_rel=2)@5" = "NERR8(max=2)@5",
    "Compat(p=0.8,normalize=False)" = "Compat(p=0.8,normalize=FALSE)", "Accuracy@5" = "pair_accuracy@5",
    "IPrec@0.1" = "iprec(recall=0.1)", "IPrec(rel=2)@1.0" = "iprec(recall=1,rel=2)", "P(cutoff=5)" = "P@5",
    SetP = "P", "SetP(relative=True)" = "relative_P", "SetP(relative=False,rel=2)" = "P(rel=2)",
    SetRelP = "relative_P", SetR = "recall", "SetF(beta=4)" = "F(beta=2)", SetAP = "set_AP", NumRet = "num_ret",
    "NumRet(rel=2)" = "num_ret(rel=2)", NumRelRet = "num_rel_ret", NumRel = "num_rel", NumQ = "num_q",
    "hits@5" = "hits@5", "hit_rate@5" = "success@5", "HitRate@5" = "success@5", "Hit@5" = "success@5",
    "HR@5" = "success@5", "average_precision@5" = "AP@5", "precision@5-l2" = "P(rel=2)@5", "f1@5" = "F@5",
    r_precision = "Rprec", "mrr@10" = "RR@10", "map-l2" = "AP(rel=2)", "dcg_burges@5" = "DCG(gain=exp)@5",
    "ndcg_burges" = "nDCG(gain=exp)", rbp.95 = "RBP(p=0.95)"
  )
  for (name in names(means)) {
    expect_identical(measure(name)$name, means[[name]], info = name)
    expect_identical(measure(name)$label, name)
    expect_identical(measure(means[[name]])$name, means[[name]])
  }
})

test_that("set names and lists of parameters expand to several measures", {
  labels <- function(x) as.data.frame(c(measure(x)))$measure
  expect_identical(labels(c("P.5,10", "AP")), c("P_5", "P_10", "AP"))
  expect_identical(labels("iprec_at_recall_.1,.25"), c("iprec_at_recall_.1", "iprec_at_recall_.25"))
  expect_identical(labels("success.1"), "success.1")
  expect_identical(labels("map_cut"), paste0("map_cut_", c(5, 10, 15, 20, 30, 100, 200, 500, 1000)))
  expect_identical(labels("set"), c("num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall",
                                    "set_relative_P", "set_map", "set_F"))
  expect_length(measure("official"), 29)
  expect_length(measure("all_trec"), 98)
  expect_snapshot(error = TRUE, {
    measure("P.5,10", k = 3)
    measure(c(mine = "official"))
    measure("offical")
    measure("ndgc_cut_5")
    measure("runid")
    measure("BPM(min_rel=3,max_rel=2)")
    measure("nDCG(dcg='exp')")
    measure("P(judged_only=1)")
  })
})

test_that("the Greek letter alpha and the cutoff \"all\" are recognised in names of measures", {
  expect_identical(measure("\u03b1_nDCG@10")$name, "alpha_nDCG@10")
  expect_identical(measure("nDCG@all")$name, "nDCG")
})

test_that("measures print, and c() combines them", {
  expect_snapshot({
    measure("AG@5")
    measure("ndcg_cut_10")
    measure("RBPresidual")
    c(measure("AG@5"), measure("map"), "P@10")
    measure(c("AP", Strict = "P(rel=2)@10"))
    as.data.frame(measure(c("AP", "gm_map", "num_ret", "AG@5")))
  })
})

test_that("unknown measures and invalid parameters of measures raise errors", {
  expect_snapshot(error = TRUE, {
    measure("foo@5")
  })
  expect_snapshot(error = TRUE, measure("P(beta=2)@5"))
  expect_snapshot(error = TRUE, measure("P(rel)@5"))
  expect_error(measure("P(cutoff=3)@5"), "keep one", class = "judicious_error_measure")
  expect_error(measure("nDCG(rel=2)@10, AP"), "c(\"nDCG(rel=2)@10\", \"AP\")", fixed = TRUE)
  expect_snapshot(error = TRUE, measure("AP@0"))
  expect_snapshot(error = TRUE, measure("bpref@5"))
  expect_snapshot(error = TRUE, measure("RBP(p=1)"))
  expect_snapshot(error = TRUE, measure("nDCG", ideal = "maximum"))
  expect_snapshot(error = TRUE, measure("DCG", gain = c(1, 2)))
  expect_snapshot(error = TRUE, measure("DCG", discount = function(r) 1 / r))
  expect_snapshot(error = TRUE, measure(c("AP", "AP")))
  expect_snapshot(error = TRUE, measure(5))
  expect_snapshot(error = TRUE, measure_custom("x", 5))
})

test_that("no exported function masks one of base R or stats", {
  exported <- getNamespaceExports("judicious")
  expect_identical(intersect(exported, c(getNamespaceExports("stats"), ls(baseenv()))), character())
})

test_that("a custom measure receives the query together with the collection's columns of queries", {
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = c("q2", "q1"), doc = c("d1", "d2", "d3", "d2"),
                     rank = 1)
  truth <- data.frame(query = c("q1", "q2", "q2"), doc = c("d2", "d1", "d3"), gain = c(2, 1, 2))
  # Columns may have names of arguments of lapply() and Map().
  queries <- data.frame(query = c("q1", "q2"), persistence = c(.5, .8), f = c("a", "b"), X = 1:2)
  x <- test_collection(runs, queries = queries, judgments = truth, k = 1, scale = 0:2)
  weighted <- measure_custom("pRBP", function(x) (1 - x$query$persistence) * x$gain[1], k = 1, range = c(0, 2))
  values <- evaluate(x, measure = weighted, per = "query")
  expect_equal(values$value[match(c("A q1", "A q2", "B q1", "B q2"), paste(values$system, values$query))],
               c(.5 * 2, .2 * 1, .5 * 2, .2 * 2))
  id <- measure_custom("id", function(x) as.numeric(sub("q", "", x$query$query)), k = 1)
  values <- evaluate(runs, truth, measure = id, per = "query")
  expect_equal(values$value, as.numeric(sub("q", "", values$query)))
  ranking <- rank_systems(x, joint_gains(x, gain_prior(), judgments = truth), measure = weighted, draws = 10, seed = 1)
  expect_equal(ranking$mean, c(A = .6, B = .7))
})

test_that("a parameter of a measure can refer to a column of the collection's queries", {
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = c("q2", "q1"), doc = c("d1", "d2", "d3", "d2"),
                     rank = 1)
  truth <- data.frame(query = c("q1", "q2", "q2"), doc = c("d2", "d1", "d3"), gain = c(2, 1, 2))
  queries <- data.frame(query = c("q1", "q2"), persistence = c(.5, .8), name = c("a", "b"), large = c(.5, 2))
  x <- test_collection(runs, queries = queries, judgments = truth, k = 1, scale = 0:2)
  values <- evaluate(x, measure = c("RBP(p=persistence,gain=linear)@1", "RBPresidual(p=persistence)"), per = "query")
  expect_equal(values$value[values$query == "q1"], rep(.5, 4))
  expect_equal(values$value[values$query == "q2"], c(.2 / 2, .8, .2, .8))
  # Without the judgment of q2, its document could have the highest gain, which would add its weight, 1 - .8.
  some <- evaluate(x, truth[1:2, ], measure = "RBP(p=persistence)", per = "query", unjudged = "bounds")
  expect_equal(some$upper - some$lower, ifelse(some$system == "B" & some$query == "q2", .2, 0))
  expect_error(evaluate(x, measure = "RBP(p=name)"), "numeric column \"name\"", class = "judicious_error_columns")
  expect_error(evaluate(x, measure = "RBP(p=other)"), "numeric column \"other\"", class = "judicious_error_columns")
  expect_error(evaluate(x, measure = "RBP(p=large)"), "`large` must be", class = "judicious_error_argument")
  expect_error(evaluate(runs, truth, measure = "RBP(p=persistence)"), class = "judicious_error_columns")
  joint <- joint_gains(x, gain_prior(), judgments = truth)
  # With all gains known, a ranking needs no draws, and its means are the values.
  ranking <- rank_systems(x, joint, measure = "RBP(p=persistence)@1")
  of_systems <- evaluate(x, measure = "RBP(p=persistence)@1", per = "mean")
  expect_equal(as.data.frame(ranking)$estimate[match(of_systems$system, as.data.frame(ranking)$system)],
               of_systems$value, tolerance = 1e-12)
  joint <- joint_gains(x, gain_prior(), judgments = truth[1, ])
  expect_snapshot(error = TRUE, rank_systems(x, joint, measure = "RBP(p=persistence)@1"))
})

test_that("invalid bytes and very long text as the name of a measure raise errors within seconds", {
  expect_snapshot(error = TRUE, {
    measure("\xff\xfe")
    evaluate(test_collection(data.frame(system = "A", query = "q", doc = "d", rank = 1)), measure = "\xff")
    measure(strrep("a", 1e5))
    measure("P", k = 5, rel = NULL, x = 1)
  })
  arguments <- paste0("P(", strrep("a=1,", 2400), "b=2)")
  expect_lt(system.time(try(measure(arguments), silent = TRUE))[["user.self"]], 5)
})
