# Tests of the reasons why numbers of reproduce() differ from published ones. Adds to each line of
# inst/extdata/published/*-spread.csv, which spread.R makes:
#
# - `settings_lowest`, `settings_highest`: the extremes over simulations with other settings than the default ones, so
#   that a published number beyond all default simulations is told from one that no setting tried reaches;
# - `other_data`: for numbers of the public edition of 2011, how far the reason given for their difference moves the
#   number where it can be tried. Tables 4, 6 and 7: 2011 alone against all four editions, in the simulations. Tables 2,
#   3 and 5: models fitted to all four editions against models without 2011, in the simulations, and the public edition
#   without teams against that with inferred ones. The second paper: two simulated collections, at most.
#
# About 5 minutes of processor time, from the package's folder:
#
#   Rscript vignettes/articles/reasons.R [mtc|significance|preferences]
suppressMessages(library(judicious))
own <- function(name) getFromNamespace(name, "judicious")

new_world <- function(seed, kept = list(), replicates = NULL, data = "") {
  list2env(list(data = data, seed = seed, replicates = replicates, kept = kept))
}

obtained <- function(paper, items, world) {
  made <- own("reproduction_items")(paper)
  do.call(rbind, lapply(items, function(item) {
    rows <- made[[item]](world)$obtained
    cbind(item = item, rows[c("row", "quantity", "data", "obtained")])
  }))
}

# Teams that differ more in quality; assessors who hear more than systems do, of documents or of genres.
collection_settings <- list(
  list(quality = c(team = 2)), list(unseen = c(query = 1.1, document = 1.4)),
  list(seen = c(same_genre = 3), unseen = c(query = 1.2, genre = 1.4))
)
significance_settings <- list(list(quality = c(team = 1.2)), list(quality = c(team = 2)))

simulated <- function(year, scale, seed, settings) {
  control <- own("edition_settings")(year)$control
  for (part in names(settings)) control[[part]][names(settings[[part]])] <- settings[[part]]
  simulate_collection(edition = year, seed = seed, scale = scale, control = control)
}

years <- c(2007, 2009, 2010, 2011)

simulated_cases <- function(scale, seed, settings) {
  x <- Map(function(year, i) simulated(year, scale, seed * 10 + i, settings), years, 1:4)
  models <- function(past) lapply(c("output", "judge"), function(type) mirex_model(type, collections = past))
  case <- function(x, year, m) own("mtc_case")(x, year, "simulated", m[[1]], m[[2]])
  list(without = Map(function(i) case(x[[i]], years[i], models(x[-i])), 1:4),
       with = list(case(x[[4]], 2011, models(x))))
}

mtc_numbers <- function(i) {
  cases <- lapply(list(Broad = broad_scale(), Fine = fine_scale()), simulated_cases, i, collection_settings[[i]])
  world <- function(part, which) {
    kept <- lapply(cases, function(one) one[[part]][which])
    new_world(1, c(list("public cases" = list()), stats::setNames(kept, paste("simulated", names(kept)))))
  }
  tables <- c("table2", "table3", "table4", "table5", "table6", "table7")
  all <- obtained("mtc", tables, world("without", 1:4))
  alone <- obtained("mtc", c("table4", "table6", "table7"), world("without", 4))
  inside <- obtained("mtc", c("table2", "table3", "table5"), world("with", 1))
  list(all = all, other = rbind(alone, inside))
}

# The public edition without teams, less the same with them.
teamless_numbers <- function() {
  data <- Sys.getenv("JUDICIOUS_DATA")
  cases <- own("public_cases")(new_world(1, data = data))
  without <- own("with_teamless")(cases)[length(cases) + seq_along(cases)]
  without <- lapply(without, function(case) replace(case, "year", 2011))
  numbers <- lapply(list(cases, without), function(cases) {
    obtained("mtc", "table2", new_world(1, list("public cases" = cases, "simulated Broad" = list(),
                                                "simulated Fine" = list())))
  })
  stored <- as.data.frame(reproduce("mtc", c("table3", "table5"), stored = TRUE))
  both <- function(row) stored[stored$data == "public" & stored$row == row, c("item", "row", "quantity", "obtained")]
  list(rbind(numbers[[1]][names(both("2011"))], both("2011")),
       rbind(numbers[[2]][names(both("2011"))], transform(both("2011, without teams"), row = "2011")))
}

significance_numbers <- function(i) {
  cases <- lapply(list(broad_scale(), fine_scale()), function(scale) {
    x <- simulated(2009, scale, i, significance_settings[[(i - 1) %% 2 + 1]])
    measures <- c(measure("AG@5"), measure("nDCG", 5, discount = "log_b"), measure("ANDCG", 5, discount = "log_b"),
                  measure("ADR@5"))
    list(data = "simulated", scale = scale$name, x = x, scores = evaluate(x, measures = measures), note = "")
  })
  world <- new_world(i, list(scores = cases), replicates = 30)
  list(all = obtained("significance", c("table1", paste0("figure", 1:4)), world))
}

# What spread.R found of AG on the Fine scale, with ten seeds for each of four settings.
quality_numbers <- function() {
  q <- utils::read.csv("vignettes/articles/results/quality.csv")
  numbers <- list("power at 50" = q$power_50, "conflicts at 50" = q$conflicts_50, "power at 100" = q$power_100,
                  "stable at 50" = q$power_50 - q$conflicts_50, "stable at 100" = q$power_100 - q$conflicts_50)
  do.call(rbind, lapply(names(numbers), function(quantity) {
    data.frame(item = "table1", row = paste("AG Fine", q$test), quantity = quantity, data = "simulated",
               obtained = numbers[[quantity]])
  }))
}

# Smaller and larger crowds that call more or fewer pairs equal; noisier experts.
crowd_settings <- expand.grid(workers = c(18, 40), threshold = c(0.8, 3), expert = c(1, 2.5))

preference_numbers <- function(i) {
  world <- new_world(i, replicates = 100)
  s <- crowd_settings[i, ]
  world$kept[["simulated crowd"]] <- own("simulated_crowd")(world, s$workers, s$threshold, s$expert)
  list(all = obtained("preferences", c("table2", "table3", "table7", "table8"), world))
}

key <- function(numbers) paste(numbers$item, numbers$row, numbers$quantity, sep = " | ")

# The largest difference between the two of each number, by key.
largest_change <- function(one, other) {
  at <- match(key(one), key(other))
  change <- abs(one$obtained - other$obtained[at])
  tapply(change[is.finite(change)], key(one)[is.finite(change)], max)
}

add_reasons <- function(paper, runs) {
  path <- file.path("inst/extdata/published", paste0(paper, "-spread.csv"))
  spread <- utils::read.csv(path, colClasses = c(row = "character"))[1:6]
  published <- own("published_numbers")(paper)
  all <- do.call(rbind, lapply(runs, `[[`, "all"))
  if (paper == "significance") all <- rbind(all, quality_numbers())
  all <- all[all$data == "simulated" & is.finite(all$obtained) & key(all) %in% key(published), ]
  lacking <- all[!duplicated(key(all)) & !key(all) %in% key(spread), c("item", "row", "quantity")]
  if (nrow(lacking)) spread <- rbind(spread, cbind(lacking, seeds = 0, lowest = NA, highest = NA))
  extreme <- function(f) signif(as.vector(tapply(all$obtained, key(all), f)[key(spread)]), 4)
  spread$settings_lowest <- extreme(min)
  spread$settings_highest <- extreme(max)
  spread$other_data <- NA_real_
  if (paper == "mtc") {
    teams <- do.call(largest_change, teamless_numbers())
    by_run <- lapply(runs, function(run) largest_change(run$other, run$all)[key(spread)])
    models <- suppressWarnings(do.call(pmax, c(lapply(by_run, as.vector), na.rm = TRUE)))
    moved <- rowSums(cbind(models, as.vector(teams[key(spread)])), na.rm = TRUE)
    spread$other_data <- signif(ifelse(is.na(models) & is.na(as.vector(teams[key(spread)])), NA, moved), 4)
  }
  if (paper == "significance") {
    spread$other_data <- signif(pmax(spread$highest, spread$settings_highest, na.rm = TRUE) -
                                  pmin(spread$lowest, spread$settings_lowest, na.rm = TRUE), 4)
  }
  utils::write.csv(spread, path, row.names = FALSE, quote = FALSE)
}

if (sys.nframe() == 0) {
  wanted <- commandArgs(trailingOnly = TRUE)
  numbers <- list(preferences = list(preference_numbers, seq_len(nrow(crowd_settings))),
                  significance = list(significance_numbers, seq_len(4 * length(significance_settings))),
                  mtc = list(mtc_numbers, seq_along(collection_settings)))
  for (paper in if (length(wanted)) wanted else names(numbers)) {
    add_reasons(paper, lapply(numbers[[paper]][[2]], numbers[[paper]][[1]]))
  }
}
