# The measured numbers in the text of the vignettes: of the public edition of MIREX 2011, on the Fine scale. build.R
# compares them with vignettes/measured.csv, from which the vignettes take them.
run_measured <- function() {
  r <- scripts$reproduce("mtc", c("table2", "table5", "leak"))
  of <- function(item, quantity) {
    t <- r$tables[[item]]
    t$obtained[t$data == "public" & t$row == "2011" & t$quantity == quantity]
  }
  world <- list2env(list(data = Sys.getenv("JUDICIOUS_DATA"), kept = list()))
  case <- Filter(function(case) case$scale == "Fine", scripts$public_cases(world))[[1]]
  x <- case$x
  complete <- !is.na(gain_distribution(case$output, case$features, fallback = "NA")$mean)
  published <- scripts$no_judgment_ranking(case)
  truth <- rank_systems(x, judgments = judgments_of(x))$mean
  pairs <- utils::combn(length(truth), 2)
  contrast <- function(v) v[pairs[1, ]] - v[pairs[2, ]]
  variance <- diag(published$covariance)[pairs[1, ]] + diag(published$covariance)[pairs[2, ]] -
    2 * published$covariance[t(pairs)]
  # The variance of a gain at average features, by what it comes from.
  v <- joint_gains(x, gain_prior())$fit$variance
  share <- function(...) sum(v[c(...)]) / sum(v[!grepl("popularity", names(v))])
  values <- c(
    "pairs with metadata" = sum(complete), "pairs without metadata" = sum(!complete),
    "pairs alone of their artist" = of("leak", "share of pairs without one"),
    "RMSE with the own gain" = of("leak", "RMSE with the own gain"),
    "pairs with another of the artist" = of("leak", "pairs with another of the artist"),
    "RMSE without the own gain" = of("leak", "RMSE without the own gain"),
    "variance without the own gain" = of("leak", "variance without the own gain"),
    "output RMSE" = of("table2", "Fine output RMSE"), "output variance" = of("table2", "Fine output variance"),
    "uniform RMSE" = of("table2", "Fine uniform RMSE"), "confidence" = of("table5", "Fine confidence"),
    "accuracy" = of("table5", "Fine accuracy"), "tau" = of("table5", "Fine tau"),
    "z2" = mean(contrast(published$mean - truth)^2 / variance),
    "share query" = share("query"), "share genre" = share("query:genre"), "share artist" = share("query:artist"),
    "share system" = share("query:system", "query:team", "system", "team"), "share residual" = share("residual")
  )
  data.frame(name = names(values), value = signif(unname(values), 8))
}
