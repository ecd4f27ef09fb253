# Tests of the reasons why numbers of reproduce() differ from published ones. Adds to each line of
# inst/extdata/published/*-spread.csv, which spread.R makes:
#
# - `setting_below`, `below`, `setting_above`, `above`: the two simulations that come nearest to the published number,
#   and their settings, among those with other settings and the extremes of the default ones;
# - `change`, `other_data`: for numbers of the public edition of 2011, the change of the data that moves the number
#   most, and by how much: one of four simulated editions instead of all (28 editions), models fitted with 2011 and
#   without, other teams, and the Broad judgments that are not public. The second paper: two simulated collections, at
#   most.
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

# How simulations differ from the default. Broad gains are cut from Fine ones where the public judgments of 2011 are, at
# 29 and 68; the default cuts at 25 and 75, which leaves more documents in the middle. Related genres: five genres that
# have two names each, as baroque, classical and romantic music, or rock and metal, are near each other.
collection_settings <- list(
  "the Broad levels of 2011" = list(), "teams that differ more" = list(quality = c(team = 2)),
  "assessors who hear more than systems" = list(unseen = c(query = 1.1, document = 1.4)),
  "genres that matter more" = list(seen = c(same_genre = 3), unseen = c(query = 1.2, genre = 1.4)),
  "related genres" = list(genres = 5)
)
significance_settings <- list("teams that differ more" = list(quality = c(team = 2)),
                              "teams that differ most" = list(quality = c(team = 4)))

# The same collection on the Broad scale, and with each genre split into two by artist, if `split`.
remade <- function(x, scale, split = FALSE) {
  judgments <- judgments_of(x)
  documents <- x$documents
  queries <- x$queries
  if (scale$name == "Broad") judgments$gain <- findInterval(judgments$gain, c(29, 68))
  if (split) {
    half <- function(number) letters[1 + number %/% 10 %% 2]
    documents$genre <- paste0(documents$genre, half(as.integer(sub("\\D+", "", documents$artist))))
    queries$genre <- paste0(queries$genre, half(seq_len(nrow(queries))))
  }
  test_collection(as.data.frame(x), documents, x$systems, queries[c("query", "genre")], judgments, k = x$k,
                  scale = scale)
}

simulated <- function(year, seed, settings) {
  control <- own("edition_settings")(year)$control
  for (part in setdiff(names(settings), "genres")) control[[part]][names(settings[[part]])] <- settings[[part]]
  genres <- if (is.null(settings$genres)) 10 else settings$genres
  simulate_collection(edition = year, seed = seed, genres = genres, control = control)
}

years <- c(2007, 2009, 2010, 2011)

simulated_cases <- function(x) {
  models <- function(past) lapply(c("output", "judge"), function(type) mirex_model(type, collections = past))
  case <- function(x, year, m) own("mtc_case")(x, year, "simulated", m[[1]], m[[2]])
  list(without = Map(function(i) case(x[[i]], years[i], models(x[-i])), 1:4),
       with = list(case(x[[4]], 2011, models(x))))
}

mtc_setting <- function(i) names(collection_settings)[(i - 1) %% length(collection_settings) + 1]

mtc_numbers <- function(i) {
  settings <- collection_settings[[mtc_setting(i)]]
  editions <- Map(function(year, k) simulated(year, i * 10 + k, settings), years, 1:4)
  cases <- lapply(list(Broad = broad_scale(), Fine = fine_scale()), function(scale) {
    simulated_cases(lapply(editions, remade, scale, split = !is.null(settings$genres)))
  })
  world <- function(part, which, known = list()) {
    kept <- lapply(cases, function(one) one[[part]][which])
    new_world(1, c(list("public cases" = list()), stats::setNames(kept, paste("simulated", names(kept))), known))
  }
  whole <- world("without", 1:4)
  all <- obtained("mtc", paste0("table", 2:7), whole)
  sessions <- whole$kept[startsWith(names(whole$kept), "session")]
  alone <- lapply(1:4, function(edition) {
    largest_change(obtained("mtc", c("table4", "table6", "table7"), world("without", edition, sessions)), all)
  })
  inside <- largest_change(obtained("mtc", c("table2", "table3", "table5"), world("with", 1)), all)
  list(setting = mtc_setting(i), all = all,
       changes = c(stats::setNames(alone, rep("one edition of four", 4)), list("models fitted with 2011" = inside)))
}

# How the numbers of the public edition change with other teams: none, or ten by other ways of clustering systems by
# the overlap of their results; and with the Broad judgments that are not public, drawn by their Fine gain as those of
# the same author's second study, which completed the first.
public_changes <- function() {
  data <- Sys.getenv("JUDICIOUS_DATA")
  cases <- own("public_cases")(new_world(1, data = data))
  numbers <- function(cases, tables = c("table2", "table3", "table5", "table7")) {
    obtained("mtc", tables, new_world(1, list("public cases" = cases, "simulated Broad" = list(),
                                              "simulated Fine" = list())))
  }
  before <- numbers(cases)
  x <- cases[[2]]$x
  found <- table(paste(as.data.frame(x)$query, as.data.frame(x)$doc), as.data.frame(x)$system)
  apart <- stats::as.dist(1 - crossprod(found) / sum(found[, 1]))
  partitions <- lapply(c("single", "complete", "average", "ward.D2"), function(method) {
    stats::cutree(stats::hclust(apart, method), 10)[x$systems$system]
  })
  teams <- lapply(c(list(seq_len(nrow(x$systems))), partitions), function(team) {
    largest_change(before, numbers(lapply(cases, function(case) {
      case$x$systems$team <- paste0("t", team)
      case$features <- output_features(case$x)
      case
    })))
  })
  source <- utils::read.delim(file.path(data, "mirex-ams-2011", "broad.tsv"), header = FALSE)
  pool <- output_features(x)[c("query", "doc")]
  second <- source$V4[match(paste(pool$query, pool$doc), paste(source$V1, source$V2))] %in% "ecir2015-decoded"
  bin <- findInterval(x$gain, seq(0, 95, 5))
  drawn <- own("with_seed")(1, lapply(1:20, function(i) {
    gain <- cases[[1]]$x$gain
    for (at in which(is.na(gain))) gain[at] <- sample(rep(gain[second & bin == bin[at]], 2), 1)
    complete <- cases[1]
    complete[[1]]$x$gain <- gain
    largest_change(before, numbers(complete, "table2"))
  }))
  c(stats::setNames(teams, rep("other teams", 5)), stats::setNames(drawn, rep("all Broad judgments", 20)))
}

significance_setting <- function(i) names(significance_settings)[(i - 1) %% 2 + 1]

significance_numbers <- function(i) {
  seed <- (i + 1) %/% 2
  cases <- lapply(list(broad_scale(), fine_scale()), function(scale) {
    x <- remade(simulated(2009, seed, significance_settings[[significance_setting(i)]]), scale)
    measures <- c(measure("AG@5"), measure("nDCG", 5, discount = "log_b"), measure("ANDCG", 5, discount = "log_b"),
                  measure("ADR@5"))
    list(data = "simulated", scale = scale$name, x = x, scores = evaluate(x, measures = measures), note = "")
  })
  world <- new_world(seed, list(scores = cases), replicates = 30)
  list(setting = significance_setting(i), all = obtained("significance", c("table1", paste0("figure", 1:4)), world))
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

# Smaller and larger crowds that call more or fewer pairs equal; noisier experts; and workers who hear less, with lists
# of the public sizes.
crowd_settings <- expand.grid(workers = c(18, 40), threshold = c(0.8, 3), expert = c(1, 2.5))
less_heard <- list(threshold = 1.2, skill = 0.5, size = c(16, 23, 8, 6, 10, 12, 6, 4, 9, 11, 13))

preference_numbers <- function(i) {
  world <- new_world(i, replicates = 100)
  others <- i <= nrow(crowd_settings)
  settings <- if (others) as.list(crowd_settings[i, ]) else less_heard
  do.call(own("simulated_crowd"), c(list(world), settings))
  list(setting = if (others) "other crowds and experts" else "workers who hear less",
       all = obtained("preferences", c("table2", "table3", "table7", "table8"), world))
}

key <- function(numbers) paste(numbers$item, numbers$row, numbers$quantity, sep = " | ")

# The difference between the two of each number, by key.
largest_change <- function(one, other) {
  at <- match(key(one), key(other))
  change <- abs(one$obtained - other$obtained[at])
  tapply(change[is.finite(change)], key(one)[is.finite(change)], max)
}

# For each number: the simulations that come nearest to the published value from below and from above, among those with
# other settings and the extremes of the default ones.
nearest_settings <- function(all, published, spread) {
  tolerated <- stats::setNames(own("tolerance_of")(published), key(published))
  value <- stats::setNames(published$published, key(published))
  end <- function(column) {
    data.frame(spread[c("item", "row", "quantity")], obtained = spread[[column]], setting = "default")
  }
  all <- rbind(all[c("item", "row", "quantity", "obtained", "setting")], end("lowest"), end("highest"))
  all <- all[is.finite(all$obtained), ]
  do.call(rbind, lapply(split(all, key(all)), function(own) {
    this <- key(own)[1]
    one_side <- function(sign) {
      side <- own[sign * (own$obtained - value[[this]]) <= tolerated[[this]], ]
      side[which.min(abs(side$obtained - value[[this]]))[1], ]
    }
    below <- one_side(1)
    above <- one_side(-1)
    data.frame(key = this, setting_below = below$setting, below = signif(below$obtained, 4),
               setting_above = above$setting, above = signif(above$obtained, 4), stringsAsFactors = FALSE)
  }))
}

# For each number: the change that moves it most.
largest_of <- function(changes, keys) {
  moved <- vapply(changes, function(change) as.vector(change[keys]), numeric(length(keys)))
  best <- apply(moved, 1, function(row) if (all(is.na(row))) NA else which.max(row))
  data.frame(change = names(changes)[best], other_data = signif(moved[cbind(seq_along(keys), best)], 4))
}

add_reasons <- function(paper, runs) {
  path <- file.path("inst/extdata/published", paste0(paper, "-spread.csv"))
  spread <- utils::read.csv(path, colClasses = c(row = "character"))[1:6]
  published <- own("published_numbers")(paper)
  all <- do.call(rbind, lapply(runs, function(run) cbind(run$all, setting = run$setting)))
  if (paper == "significance") all <- rbind(all, cbind(quality_numbers(), setting = "teams that differ more or less"))
  all <- all[all$data == "simulated" & is.finite(all$obtained) & key(all) %in% key(published), ]
  lacking <- all[!duplicated(key(all)) & !key(all) %in% key(spread), c("item", "row", "quantity")]
  if (nrow(lacking)) spread <- rbind(spread, cbind(lacking, seeds = 0, lowest = NA, highest = NA))
  best <- nearest_settings(all, published, spread)
  spread <- cbind(spread, best[match(key(spread), best$key), -1])
  spread$change <- spread$other_data <- NA
  if (paper == "mtc") {
    changes <- c(public_changes(), do.call(c, lapply(runs, `[[`, "changes")))
    spread[c("change", "other_data")] <- largest_of(changes, key(spread))
  }
  if (paper == "significance") {
    spread$change <- "another collection"
    values <- c(all$obtained, spread$lowest, spread$highest)
    spread$other_data <- signif(as.vector(tapply(values, c(key(all), key(spread), key(spread)), function(value) {
      diff(range(value, na.rm = TRUE))
    })[key(spread)]), 4)
  }
  utils::write.csv(spread, path, row.names = FALSE, quote = FALSE)
}

if (sys.nframe() == 0) {
  wanted <- commandArgs(trailingOnly = TRUE)
  numbers <- list(preferences = list(preference_numbers, nrow(crowd_settings) + 3),
                  significance = list(significance_numbers, 6),
                  mtc = list(mtc_numbers, 7))
  for (paper in if (length(wanted)) wanted else names(numbers)) {
    add_reasons(paper, lapply(seq_len(numbers[[paper]][[2]]), numbers[[paper]][[1]]))
  }
}
