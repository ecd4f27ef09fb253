# The table of the article on systems that give one answer each: means over the collections of JUDICIOUS_DATA of this
# kind, by bench/trust-families.R.
run_one_answer <- function() {
  folder <- setwd(file.path("..", ".."))
  on.exit(setwd(folder))
  bench <- new.env()
  sys.source(file.path("bench", "trust-families.R"), bench)
  each <- bench$main(c("collections=wmt-2020-ende,wmt-2023-sxs-ende,crowd-rag-2025", "measures=AG",
                       "budgets=50,100,300", "seeds=6"))$each
  each$ratio <- each$mse / each$mse_means
  means <- stats::aggregate(each[c("right", "stated", "z2", "coverage", "ratio")], each["budget"], mean)
  data.frame(lapply(means, round, 3))
}
