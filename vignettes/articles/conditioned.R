# Whether what the paper publishes of an edition in Tables 1 and 2 says what its Tables 3 and 5 should have: from the
# stored worlds, which match Table 1, the share of the variance between simulated editions that the year, and the year
# with the numbers of Table 2, predict of an edition that is left out. Run as a script with JUDICIOUS_DATA, it also
# prints how the public edition begins and stops with and without inferred teams, and with models of other editions.
# Takes 10 seconds:
#
#   Rscript vignettes/articles/conditioned.R
years <- c("2007", "2009", "2010", "2011")

predicted_by_table_2 <- function(folder) {
  worlds <- utils::read.csv(gzfile(file.path(folder, "worlds-mtc.csv.gz")), check.names = FALSE)
  of_editions <- function(item, quantity) {
    unlist(worlds[match(paste(item, years, quantity, sep = " | "), worlds$key), -1], use.names = FALSE)
  }
  known <- outer(c("RMSE", "variance"), c("uniform", "output", "judge"), function(a, b) paste(b, a))
  known <- setdiff(outer(c("Broad", "Fine"), known, paste), paste(c("Broad", "Fine"), "uniform variance"))
  table_2 <- vapply(known, function(quantity) of_editions("table2", quantity), numeric(4 * (ncol(worlds) - 1)))
  year <- factor(rep(years, ncol(worlds) - 1))
  predict_one <- function(item, quantity) {
    value <- of_editions(item, quantity)
    if (grepl("judgments$", quantity)) value <- log(value + 1)
    left_out <- function(predictors) {
      fit <- stats::lm(value ~ ., data.frame(value = value, predictors))
      stats::residuals(fit) / (1 - stats::hatvalues(fit))
    }
    error <- list(year = left_out(data.frame(year)), both = left_out(data.frame(year, table_2)))
    share <- 1 - vapply(error, function(e) sum(e^2) / sum((value - mean(value))^2), 0)
    data.frame(table = sub("table", "Table ", item), quantity = quantity, t(round(share, 2)),
               error = stats::sd(error$both), check.names = FALSE)
  }
  do.call(rbind, Map(predict_one, rep(c("table3", "table5"), c(3, 3)),
                     c("Broad judgments", "Fine judgments", "Fine accuracy",
                       "Broad confidence", "Fine confidence", "Fine accuracy")))
}

if (sys.nframe() == 0 && nzchar(Sys.getenv("JUDICIOUS_DATA"))) local({
  suppressMessages(library(judicious))
  source("vignettes/articles/reproduce/load.R", local = TRUE)
  own <- function(name) get(name, load_reproduction("vignettes/articles/reproduce"))
  world <- function() list2env(list(data = Sys.getenv("JUDICIOUS_DATA"), seed = 1, kept = list()))
  of <- function(data) Filter(function(case) case$year == 2011, own("mtc_cases")(world(), data, "Fine"))[[1]]
  for (teams in c("inferred teams", "without teams")) for (models in c("of Table 7", "of other editions")) {
    case <- of("public")
    if (teams == "without teams") {
      case$x$systems$team <- case$x$systems$system
      case$features <- output_features(case$x)
    }
    if (models == "of other editions") case[c("output", "judge")] <- of("simulated")[c("output", "judge")]
    truth <- judgments_of(case$x)
    start <- own("no_judgment_ranking")(case)
    stop <- utils::tail(as.data.frame(own("stopped_session")(world(), case), truth = truth), 1)
    cat(sprintf("%s, models %s: starts at %.3f with accuracy %.3f, stops at %d judgments with accuracy %.3f\n", teams,
                models, ranking_confidence(start), ranking_accuracy(start, truth)[[1]], stop$judged, stop$accuracy))
  }
})
