scripts <- reproduction_scripts()
reproduce <- scripts$reproduce

published <- function(paper) {
  utils::read.csv(file.path(scripts$published_folder, paste0(paper, ".csv.gz")), colClasses = "character")
}

# One reproduction of the first paper, for several tests: its MIREX editions are simulated once.
shared <- local({
  r <- NULL
  function() {
    skip_on_cran()
    if (is.null(r)) {
      r <<- reproduce("mtc", c(paste0("table", 1:7), "leak"), data = Sys.getenv("JUDICIOUS_DATA"))
    }
    r
  }
})

number <- function(r, item, row, quantity, data) {
  t <- r$tables[[item]]
  t$obtained[t$row == row & t$quantity == quantity & t$data == data]
}

# The sums that rows and columns of the papers' tables must satisfy.
test_that("transcribed numbers of the crowd study are consistent with each other", {
  p <- published("preferences")
  for (item in paste0("table", 3:6)) {
    cell <- function(row, column) as.numeric(p$value[p$item == item & p$row == row & p$quantity == column])
    rows <- paste("experts", c("less", "equal", "greater"))
    columns <- paste("workers", c("less", "equal", "greater"))
    for (row in rows) expect_equal(sum(sapply(columns, cell, row = row)), cell(row, "total"))
    for (column in columns) expect_equal(sum(sapply(rows, cell, column = column)), cell("total", column))
  }
  two <- p[p$item == "table2", ]
  value <- function(quantity, total) {
    as.numeric(two$value[two$quantity == quantity & (two$row == "total") == total])
  }
  for (quantity in c("pairs", "cost in dollars", "minutes to completion")) {
    expect_equal(sum(value(quantity, FALSE)), value(quantity, TRUE))
  }
  expect_equal(round(mean(value("agreement", FALSE)), 3), value("agreement", TRUE))
})

test_that("transcribed numbers of minimal test collections are consistent with each other", {
  m <- published("mtc")
  for (item in c("table4", "table6")) {
    for (scale in c("Broad", "Fine")) {
      pairs <- as.numeric(m$value[m$item == item & m$quantity == paste(scale, "pairs")])
      expect_equal(sum(pairs), 352)
      expect_equal(round(pairs / 352, 3), as.numeric(m$value[m$item == item & m$quantity == paste(scale, "share")]))
    }
  }
  for (item in c("table3", "table5")) {
    get <- function(quantity) as.numeric(m$value[m$item == item & m$row != "all" & m$quantity == quantity])
    for (scale in c("Broad", "Fine")) {
      expect_equal(2 * get(paste(scale, "accuracy")) - 1, get(paste(scale, "tau")), tolerance = 0.002)
    }
  }
  # Table 7 is transcribed twice: here and in the published models.
  seven <- m[m$item == "table7" & !m$row %in% c("R2", "RMSE", "variance"), ]
  for (type in c("output", "judge")) {
    for (scale in c("broad", "fine")) {
      model <- mirex_model(type, scale)
      known <- seven[seven$quantity == paste(if (scale == "broad") "Broad" else "Fine", type), ]
      names <- c(names(model$beta), paste("alpha", seq_along(model$alpha)))
      expect_equal(setNames(as.numeric(known$value), known$row)[names], setNames(c(model$beta, model$alpha), names))
    }
  }
})

test_that("transcribed numbers of the power and stability study are consistent with each other", {
  s <- published("significance")
  at <- function(row, quantity) as.numeric(s$value[s$item == "table1" & s$row == row & s$quantity == quantity])
  for (row in unique(s$row[s$item == "table1"])) {
    expect_equal(at(row, "power at 50") - at(row, "conflicts at 50"), at(row, "stable at 50"), tolerance = 1e-9)
    expect_equal(at(row, "power at 100") - at(row, "conflicts at 50"), at(row, "stable at 100"), tolerance = 0.003)
  }
})

test_that("published results that need no external data are reproduced", {
  r <- reproduce("mtc", c("example", "figure1"), data = "")
  # Only the variance differs in its last digit, because the paper computed it from rounded probabilities.
  example <- r$tables$example
  expect_equal(example$quantity[nzchar(example$note)], "variance")
  expect_equal(example$obtained[example$quantity == "variance"], 0.3233606, tolerance = 1e-6)
  agreed <- example[example$quantity != "variance", ]
  expect_equal(round(agreed$obtained, agreed$digits), agreed$published)
  known <- !is.na(r$tables$figure1$published)
  expect_equal(sum(known), 6)
  expect_identical(unique(r$tables$figure1$status[known]), "agrees")

  s <- reproduce("significance", "errors", data = "")$tables$errors
  expect_equal(s$obtained, c(1 - .95^105, 1 - .95^14, 1 - .99^105, 1 - .99^14))
  expect_equal(round(s$obtained, 3), s$published)

  sort <- reproduce("preferences", "table1", data = "")$tables$table1
  expect_equal(sort$obtained, sort$published)
})

test_that("the seed determines simulated results, and the random number generator is unchanged", {
  r <- shared()
  set.seed(4)
  before <- .Random.seed
  again <- as.data.frame(reproduce("mtc", "table1", data = ""))
  expect_identical(.Random.seed, before)
  first <- as.data.frame(r)
  first <- first[first$item == "table1" & first$data != "public", ]
  rownames(first) <- NULL
  expect_identical(again, first)
  expect_named(again, c("item", "row", "quantity", "data", "published", "digits", "precision", "obtained",
                        "difference", "lowest", "highest", "status", "note", "tested", "evidence", "source"))
  sizes <- first[first$quantity %in% c("teams", "systems", "queries", "results") & first$row != "2006", ]
  expect_equal(sizes$obtained, sizes$published)
})

test_that("simulated editions give every table of the first paper, with a reason for every difference", {
  r <- shared()
  data <- as.data.frame(r)
  typed <- published("mtc")
  for (item in paste0("table", 1:7)) {
    here <- data[data$item == item & !is.na(data$published), ]
    expect_setequal(paste(here$row, here$quantity), paste(typed$row, typed$quantity)[typed$item == item])
  }
  expect_true(all(nzchar(data$note[data$status %in% c("differs", "within spread", "not obtained")])))
  expect_true(all(!nzchar(data$note[data$status == "agrees"])))
  expect_false(anyDuplicated(data[c("item", "row", "quantity", "data")]) > 0)

  # Leave-one-edition-out, computed again by hand for 2007, Broad.
  seeds <- judicious:::with_seed(1, sample.int(.Machine$integer.max, 4))
  x <- Map(function(year, seed) simulate_collection(edition = year, seed = seed, scale = broad_scale()),
           c(2007, 2009, 2010, 2011), seeds)
  others <- do.call(rbind, lapply(x[-1], function(one) {
    cbind(output_features(one), gain = factor(one$gain, 0:2, ordered = TRUE))
  }))
  fit <- pom(gain ~ pTEAM + OV + pART + sGEN * pGEN, others)
  gains <- gain_distribution(fit, output_features(x[[1]]))
  expect_equal(number(r, "table2", "2007", "Broad output RMSE", "simulated"), sqrt(mean((gains$mean - x[[1]]$gain)^2)))
  expect_equal(number(r, "table2", "2007", "Broad output variance", "simulated"), mean(gains$variance))
  ranking <- rank_systems(x[[1]], gains)
  expect_equal(number(r, "table5", "2007", "Broad confidence", "simulated"), ranking_confidence(ranking))
  expect_equal(number(r, "table5", "2007", "Broad tau", "simulated"),
               ranking_accuracy(ranking, judgments_of(x[[1]]))[["tau"]])
  pairs <- r$tables$table6[r$tables$table6$quantity == "Fine pairs", ]
  expect_equal(sum(pairs$obtained[pairs$data == "simulated"]), 352)
  # If the judgment model uses the pair's own gain, its error seems to be half as large as it is.
  for (year in c("2007", "2009", "2010", "2011")) {
    expect_gt(number(r, "leak", year, "RMSE without the own gain", "simulated"),
              1.5 * number(r, "leak", year, "RMSE with the own gain", "simulated"))
  }
})

test_that("the public edition of MIREX 2011 has the published sizes, and the errors and confidence of measured.csv", {
  skip_without_data("mirex-ams-2011")
  r <- shared()
  one <- function(item, quantity) number(r, item, "2011", quantity, "public")
  sizes <- r$tables$table1[r$tables$table1$data == "public", ]
  expect_equal(round(sizes$obtained, sizes$digits), sizes$published)
  expect_equal(one("table2", "Fine output RMSE"), 24.61700, tolerance = 1e-6)
  expect_equal(one("table2", "Fine output variance"), 583.1831, tolerance = 1e-6)
  expect_equal(one("table2", "Fine uniform RMSE"), 29.58486, tolerance = 1e-6)
  expect_equal(one("table2", "Fine judge RMSE"), 9.34795, tolerance = 1e-6)
  expect_equal(one("table2", "Fine judge variance"), 74.2604, tolerance = 1e-6)
  expect_equal(one("table5", "Fine confidence"), 0.9292312, tolerance = 1e-6)
  expect_equal(one("table5", "Fine accuracy"), 0.9346405, tolerance = 1e-6)
  expect_equal(one("table5", "Fine tau"), 0.8692810, tolerance = 1e-6)
  expect_equal(one("leak", "pairs with another of the artist"), 3613)
  expect_equal(round(one("leak", "RMSE without the own gain"), 2), 17.60)
  expect_equal(round(one("leak", "share of pairs without one"), 2), 0.42)
})

test_that("the public crowd data give the published counts", {
  skip_without_data("crowd-preferences-2010")
  r <- reproduce("preferences", c("table2", "table3", "table4"))
  two <- r$tables$table2[r$tables$table2$data == "public", ]
  exact <- c("pairs", "workers", "previous workers", "share of previous workers", "median seconds", "cost in dollars")
  two <- two[two$quantity %in% exact, ]
  expect_equal(nrow(two), 8 * 6 - 2 + 5)
  expect_identical(unique(two$status), "agrees")
  for (column in c("less", "equal", "greater")) {
    for (item in c("table3", "table4")) {
      t <- r$tables[[item]]
      at <- t$row == "total" & t$quantity == paste("workers", column) & t$data == "public"
      expect_equal(t$obtained[at], t$published[at])
    }
  }
})

test_that("a simulated crowd gives the tables of the third paper", {
  r <- reproduce("preferences", data = "", replicates = 5)
  expect_named(r$tables, paste0("table", 1:8))
  data <- as.data.frame(r)
  expect_false(anyDuplicated(data[c("item", "row", "quantity", "data")]) > 0)
  expect_true(all(nzchar(data$note[data$status %in% c("differs", "within spread", "not obtained")])))
  expect_equal(number(r, "table7", "example L2", "ADR", "printed"), 14 / 15)
  expect_equal(number(r, "table7", "Any-1 against All-2", "ADR", "simulated"), 1)
  expect_equal(number(r, "table3", "agreement", "score", "printed"), (2 * 155 + 103) / (2 * 281))
  expect_equal(number(r, "table8", "MTurk against All-2", "tau of the systems", "printed"), 1)
  expect_true(all(nzchar(r$tables$table5$note[is.na(r$tables$table5$obtained)])))
})

test_that("reproduced power and stability equal those of power_analysis() and stability_analysis()", {
  r <- reproduce("significance", c("table1", "figure2", "factors", "beyond"), data = "", replicates = 4)
  x <- simulate_collection(edition = 2009, seed = judicious:::with_seed(1, sample.int(.Machine$integer.max, 1)))
  scores <- evaluate(x, measure = measure("AG@5"))
  strata <- x$queries[c("query", "genre")]
  power <- power_analysis(scores, sizes = c(50, 100), trials = 4, strata = strata, seed = 1, progress = FALSE)
  stability <- stability_analysis(scores, sizes = 50, trials = 4, strata = strata, seed = 1, progress = FALSE)
  expect_equal(number(r, "table1", "AG Fine FT", "power at 50", "simulated"), power$power[1])
  expect_equal(number(r, "table1", "AG Fine FT", "power at 100", "simulated"), power$power[2])
  expect_equal(number(r, "table1", "AG Fine FT", "conflicts at 50", "simulated"), stability$conflicts)
  expect_equal(number(r, "figure2", "AG Fine", "lack of power among conflicts at 50", "simulated"),
               stability$lack_of_power / stability$conflicts)
  expect_setequal(levels(r$figures$figure2$curves$line), c("AG", "NDCG", "ANDCG", "ADR"))
  expect_true(all(paste0("AG@", 1:5) %in% r$tables$factors$row))

  # The power with 200 queries, computed pair by pair with stats::power.t.test().
  wide <- tapply(scores$value, list(scores$query, scores$system), mean)
  each <- combn(ncol(wide), 2, function(pair) {
    d <- wide[, pair[1]] - wide[, pair[2]]
    power.t.test(200, abs(mean(d)), sd(d), 0.05 / 105, type = "paired", strict = TRUE)$power
  })
  expect_equal(number(r, "beyond", "200 queries", "Fine power", "simulated"), mean(each), tolerance = 1e-6)
  expect_lt(abs(number(r, "beyond", "100 queries", "Fine power from half the queries", "simulated") -
                  number(r, "beyond", "100 queries", "Fine power", "simulated")), 0.05)
})

test_that("reproduced figures show sessions to their end, with a mark where the paper's rule stops them", {
  # Uses small collections instead of the editions.
  x <- lapply(1:2, function(seed) {
    simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = seed)
  })
  output <- mirex_model("output", "fine")
  judge <- mirex_model("judge", "fine")
  world <- new.env()
  world$kept <- list("public cases" = list(), "simulated Broad" = list(),
                     "simulated Fine" = Map(function(x, year) scripts$mtc_case(x, year, "simulated", output, judge),
                                            x, c(2007, 2011)))
  two <- scripts$mtc_figure_2(world)
  three <- scripts$mtc_figure_3(world)
  stopped <- sapply(x, function(x) nrow(judgments_of(mtc(x, NULL, output, judge, progress = FALSE))))
  size <- sapply(x, function(x) length(x$gain))
  marks <- two$figure$marks
  expect_equal(marks$x[marks$panel == "Fine, gains: models"], 100 * stopped / size)
  expect_setequal(levels(two$figure$curves$panel), c("Fine, gains: models", "Fine, gains: uniform"))
  uniform <- lapply(x, function(x) as.data.frame(mtc(x, NULL, NULL, progress = FALSE), truth = judgments_of(x)))
  last <- function(trace) trace[nrow(trace), ]
  accuracy <- three$obtained[three$obtained$quantity == "Fine uniform accuracy at 95%", ]
  expect_equal(accuracy$obtained, sapply(uniform, function(trace) last(trace)$accuracy))
  each <- two$obtained[two$obtained$quantity == "Fine share, uniform", ]
  expect_equal(each$obtained, sapply(uniform, function(trace) last(trace)$judged) / size)
  curves <- three$figure$curves
  expect_true(all(curves$y[curves$x == 100] == 1))
  skip_if_not_installed("ggplot2")
  r <- structure(list(figures = list(figure2 = two$figure)), class = "judicious_reproduction")
  expect_identical(drawn(plot(r)), r)
})

test_that("print() of a reproduction shows published and reproduced numbers side by side", {
  expect_snapshot({
    print(reproduce("mtc", c("example", "figure1"), data = ""))
    print(reproduce("preferences", "table1", data = ""), n = 3)
  })
  printed <- scripts$printed_number
  rounded <- "rounded"
  expect_equal(printed(c(1.2345, NA, 0.5, -0.0004), c(2, 1, NA, 3), rounded), c("1.23", "", "0.5", "0.000"))
  expect_equal(printed(c(0.0004, 0.1), c(3, 1), rounded, sign = TRUE), c("0", "+0.1"))
  expect_equal(printed(10510100501, -8, rounded), "10500000000")
  # A value for an exact number is printed in full, because rounding would hide that it is not an integer.
  expect_equal(printed(c(3, 2.6e-5), 0, "exact"), c("3", "0.000026"))
})

test_that("the figures of the first paper are drawn, with bars as densities", {
  r <- reproduce("mtc", c("example", "figure1"), data = "")
  bars <- r$figures$figure1$bars
  # Bars are densities: those of each panel have a total area of one.
  expect_equal(as.vector(tapply(bars$y * bars$width, bars$panel, sum)), c(1, 1), tolerance = 1e-5)
  skip_if_not_installed("ggplot2")
  expect_identical(drawn(plot(r)), r)
  all <- shared()
  expect_identical(drawn(plot(all)), all)
})

test_that("invalid arguments of a reproduction raise errors", {
  expect_snapshot(error = TRUE, {
    reproduce("mtc", "table9")
    reproduce("tables")
    reproduce("mtc", "example", data = "no/such/folder")
    reproduce("mtc", "example", data = NA)
    reproduce("mtc", "example", data = "", seed = -1)
    reproduce("mtc", "example", data = "", replicates = 0)
    reproduce("mtc", "example", stored = "short")
    plot(reproduce("mtc", "example", data = ""))
    plot(reproduce("mtc", c("example", "figure1"), data = ""), "example")
  })
})
