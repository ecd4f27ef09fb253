# Tests of the reasons why numbers of reproduce() differ from published ones. Adds to each line of
# vignettes/articles/reproduce/published/*-spread.csv.gz, which spread.R makes:
#
# - `setting_below`, `below`, `setting_above`, `above`: the two simulations that come nearest to the published number,
#   and their settings, among those with other settings and the extremes of the default ones;
# - `change`, `other_data`: for numbers of the public edition of 2011, the change of the data that moves the number
#   most towards the published one, and by how much: one of four simulated editions instead of all, models fitted to
#   three simulated editions, other teams, half of the queries, and the Broad judgments that are not public. For
#   the second paper: the largest difference between two simulated collections, and one-tailed tests in a fixed
#   direction.
#
# About 8 minutes of processor time, from the package's folder:
#
#   Rscript vignettes/articles/reasons.R [mtc|significance|preferences]
suppressMessages(library(judicious))
source("vignettes/articles/spread.R")
own <- function(name) get(name, scripts)

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
# 29 and 68; the default, and `wide`, cuts at 25 and 75, which leaves more documents in the middle. Related genres: five
# genres that have two names each, as baroque, classical and romantic music, or rock and metal, are near each other. A
# setting that is listed several times has several seeds.
collection_settings <- list(
  "the Broad levels of 2011" = list(), "teams that differ more" = list(quality = c(team = 2)),
  "teams that differ most" = list(quality = c(team = 4)),
  "assessors who hear more than systems" = list(unseen = c(query = 1.1, document = 1.4)),
  "assessors who hear what systems hear" = list(unseen = c(query = 1.2, document = 0.3)),
  "genres that matter more" = list(seen = c(same_genre = 3), unseen = c(query = 1.2, genre = 1.4)),
  "related genres" = list(genres = 5),
  "related genres that matter more" = list(genres = 5, seen = c(same_genre = 3), unseen = c(query = 1.2, genre = 1.4)),
  "related genres in the other editions" = list(genres = c(5, 5, 5, 10), seen = c(same_genre = 3),
                                                unseen = c(query = 1.2, genre = 1.4)),
  "systems that share errors in one edition" = list(shared_error = c(0, 0, 0, 5)),
  "systems that share errors in one edition" = list(shared_error = c(0, 5, 0, 0)),
  "systems that share errors in one edition" = list(shared_error = c(5, 0, 0, 0)),
  "the Broad levels of 2011 in that edition alone" = list(wide = c(TRUE, TRUE, TRUE, FALSE)),
  "larger differences that all hear" = list(quality = c(team = 2), unseen = c(query = 1.2, document = 0.3)),
  "systems that share errors in one edition" = list(shared_error = c(0, 0, 0, 5)),
  "teams that differ more" = list(quality = c(team = 2)),
  "systems that differ within teams" = list(quality = c(team = 1.2, system = 0.5)),
  "teams that differ much more" = list(quality = c(team = 3))
)
significance_settings <- list("teams that differ more" = list(quality = c(team = 2)),
                              "teams that differ most" = list(quality = c(team = 4)),
                              "one-tailed tests in a fixed direction" = list())

# The same collection on the Broad scale, and with each of five genres split into two by artist.
remade <- function(x, scale, wide = FALSE) {
  judgments <- judgments_of(x)
  documents <- x$documents
  queries <- x$queries
  if (scale$name == "Broad") judgments$gain <- findInterval(judgments$gain, if (wide) c(25, 75) else c(29, 68))
  if (length(unique(documents$genre)) == 5) {
    half <- function(number) letters[1 + number %/% 10 %% 2]
    documents$genre <- paste0(documents$genre, half(as.integer(sub("\\D+", "", documents$artist))))
    queries$genre <- paste0(queries$genre, half(seq_len(nrow(queries))))
  }
  test_collection(as.data.frame(x), documents, x$systems, queries[c("query", "genre")], judgments, k = x$k,
                  scale = scale)
}

# A setting without names has one value for all editions, or one for each.
simulated <- function(year, seed, settings) {
  control <- own("edition_settings")(year)$control
  named <- !vapply(settings, function(setting) is.null(names(setting)), NA)
  for (part in names(settings)[named]) control[[part]][names(settings[[part]])] <- settings[[part]]
  here <- lapply(settings[!named], function(setting) rep_len(setting, 4)[match(year, years)])
  if (!is.null(here$shared_error)) control$shared_error <- here$shared_error
  simulate_collection(edition = year, seed = seed, genres = c(here$genres, 10)[1], control = control)
}

years <- c(2007, 2009, 2010, 2011)

simulated_cases <- function(x) {
  models <- function(past) lapply(c("output", "judge"), function(type) mirex_model(type, past = past))
  case <- function(x, year, m) own("mtc_case")(x, year, "simulated", m[[1]], m[[2]])
  Map(function(i) case(x[[i]], years[i], models(x[-i])), 1:4)
}

mtc_numbers <- function(i) {
  settings <- collection_settings[[i]]
  editions <- Map(function(year, k) simulated(year, i * 10 + k, settings), years, 1:4)
  cases <- lapply(list(Broad = broad_scale(), Fine = fine_scale()), function(scale) {
    simulated_cases(Map(remade, editions, list(scale), rep_len(c(settings$wide, FALSE), 4)))
  })
  world <- function(which, known = list()) {
    kept <- lapply(cases, `[`, which)
    new_world(1, c(list("public cases" = list()), stats::setNames(kept, paste("simulated", names(kept))), known))
  }
  whole <- world(1:4)
  all <- obtained("mtc", paste0("table", 2:7), whole)
  sessions <- whole$kept[startsWith(names(whole$kept), "session")]
  alone <- lapply(1:4, function(edition) {
    shift_between(obtained("mtc", c("table4", "table6", "table7"), world(edition, sessions)), all)
  })
  past <- lapply(cases, function(one) lapply(one[1:3], `[[`, "x"))
  list(setting = names(collection_settings)[i], all = all,
       changes = c(stats::setNames(alone, rep("one edition of four", 4)),
                   list("models of three simulated editions" = other_models(past))))
}

# The public edition on both scales, and its numbers.
public_world <- new_world(1, data = Sys.getenv("JUDICIOUS_DATA"))
public_editions <- function() own("mtc_cases")(public_world, "public", complete = FALSE)
public_numbers <- function(cases, tables = paste0("table", 2:7)) {
  kept <- list("public cases" = cases, "simulated Broad" = list(), "simulated Fine" = list())
  obtained("mtc", tables, new_world(1, kept))
}
public_before <- function() own("remember")(public_world, "before", function() public_numbers(public_editions()))

# How the numbers of the public edition change with other teams: none, or ten by other ways of clustering systems by
# the overlap of their results; with half of the queries, whose numbers differ from those of all as much as those of all
# differ from those of infinitely many; and with the Broad judgments that are not public. Each of these is drawn from
# the Broad judgments with a similar Fine gain in the same author's second study, which completed the first.
public_changes <- function() {
  cases <- public_editions()
  x <- cases[[2]]$x
  moved <- function(change, tables) {
    shift_between(public_before(), public_numbers(lapply(cases, function(case) {
      case$x <- change(case$x)
      case$features <- output_features(case$x)
      case
    }), tables))
  }
  found <- table(paste(as.data.frame(x)$query, as.data.frame(x)$doc), as.data.frame(x)$system)
  apart <- stats::as.dist(1 - crossprod(found) / sum(found[, 1]))
  partitions <- lapply(c("single", "complete", "average", "ward.D2"), function(method) {
    stats::cutree(stats::hclust(apart, method), 10)[x$systems$system]
  })
  teams <- lapply(c(list(seq_len(nrow(x$systems))), partitions), function(team) {
    moved(function(x) {
      x$systems$team <- paste0("t", team)
      x
    }, c("table2", "table3", "table5", "table7"))
  })
  halves <- own("with_seed")(1, replicate(50, sort(sample(nrow(x$queries), 50)), simplify = FALSE))
  queries <- lapply(halves, function(half) {
    moved(function(x) own("take_queries")(x, half), c("table2", "table5", "table7"))
  })
  source <- utils::read.delim(file.path(public_world$data, "mirex-ams-2011", "broad.tsv"), header = FALSE)
  pool <- output_features(x)[c("query", "doc")]
  second <- source$V4[match(paste(pool$query, pool$doc), paste(source$V1, source$V2))] %in% "ecir2015-decoded"
  bin <- findInterval(x$gain, seq(0, 95, 5))
  judged <- own("with_seed")(1, lapply(1:20, function(i) {
    gain <- cases[[1]]$x$gain
    for (at in which(is.na(gain))) gain[at] <- sample(rep(gain[second & bin == bin[at]], 2), 1)
    complete <- cases[1]
    complete[[1]]$x$gain <- gain
    shift_between(public_before(), public_numbers(complete, c("table2", "table7")))
  }))
  c(stats::setNames(teams, rep("other teams", length(teams))),
    stats::setNames(queries, rep("half of the queries", length(queries))),
    stats::setNames(judged, rep("all Broad judgments", length(judged))))
}

# How the numbers of the public edition change with models that were not fitted to it, as in the paper, but to three
# simulated editions. `past` has these editions for each scale.
other_models <- function(past) {
  cases <- lapply(public_editions(), function(case) {
    case$output <- mirex_model("output", past = past[[case$scale]])
    case$judge <- mirex_model("judge", past = past[[case$scale]])
    case
  })
  shift_between(public_before(), public_numbers(cases, c("table2", "table3", "table5")))
}

significance_setting <- function(i) names(significance_settings)[(i - 1) %% length(significance_settings) + 1]

# Tests in which the better system is not the one with the higher mean in the subset at hand, but with all queries:
# systems in the order of their mean AG, and tests of whether the first of two is better. No pair can be significant in
# two subsets with opposite signs then.
fixed_direction <- list(FT = significance_test("friedman_tukey"),
                        W1 = significance_test("wilcoxon", "greater", adjust = "none", alpha = 0.01))

best_first <- function(scores) {
  gain <- scores[scores$measure == "AG@5", ]
  order <- rank(-tapply(gain$value, as.character(gain$system), mean), ties.method = "first")
  scores$system <- sprintf("%02d", order[as.character(scores$system)])
  scores[order(scores$system), ]
}

significance_numbers <- function(i) {
  setting <- significance_setting(i)
  seed <- (i - 1) %/% length(significance_settings) + 1
  fixed <- setting == "one-tailed tests in a fixed direction"
  cases <- lapply(list(broad_scale(), fine_scale()), function(scale) {
    x <- remade(simulated(2009, seed, significance_settings[[setting]]), scale)
    measures <- c(measure("AG@5"), measure("nDCG", 5, discount = "log_b"), measure("ANDCG", 5, discount = "log_b"),
                  measure("ADR@5"))
    scores <- evaluate(x, measure = measures)
    list(data = "simulated", scale = scale$name, x = x, scores = if (fixed) best_first(scores) else scores, note = "")
  })
  world <- new_world(seed, list(scores = cases), replicates = 30)
  if (fixed) world$tests <- fixed_direction
  all <- obtained("significance", c("table1", paste0("figure", 1:4)), world)
  list(setting = setting, all = in_500_trials(all, world$replicates))
}

# The same tests on the public edition, in as many trials as in the paper.
fixed_on_public <- function() {
  world <- new_world(1, data = public_world$data)
  scores <- function(case) list(data = "public", scale = "Fine", x = case$x, note = "",
                                scores = best_first(evaluate(case$x, measure = measure("AG@5"))))
  world$kept$scores <- lapply(public_editions()[2], scores)
  before <- obtained("significance", "figure4", world)
  world$kept$study <- NULL
  world$tests <- fixed_direction
  abs(shift_between(before, obtained("significance", "figure4", world)))
}

# What spread.R found of AG, with ten seeds for each setting.
quality_numbers <- function() {
  q <- utils::read.csv("vignettes/articles/results/quality.csv")
  numbers <- list("power at 50" = q$power_50, "conflicts at 50" = q$conflicts_50, "power at 100" = q$power_100,
                  "stable at 50" = q$power_50 - q$conflicts_50, "stable at 100" = q$power_100 - q$conflicts_50)
  do.call(rbind, lapply(names(numbers), function(quantity) {
    data.frame(item = "table1", row = paste("AG", q$scale, q$test), quantity = quantity, data = "simulated",
               obtained = numbers[[quantity]], setting = "teams that differ more or less")
  }))
}

# The text of the second paper gives shares of conflicts by measure without a scale. reproduce() has the mean of both;
# these are the shares on one of them.
on_one_scale <- function(all) {
  one <- all[grepl("^(AG|NDCG|ANDCG) (Broad|Fine)$", all$row) & grepl("^lack of power", all$quantity), ]
  transform(one, row = sub(" .*", "", row), setting = paste(setting, "on the", sub(".* ", "", row), "scale"))
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

# By key, what has to be added to each of the first numbers to get the second ones.
shift_between <- function(from, to) {
  shift <- to$obtained[match(key(from), key(to))] - from$obtained
  known <- is.finite(shift) & !duplicated(key(from))
  stats::setNames(shift[known], key(from)[known])
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

# For each number: the change that moves it most in its direction, 1 or -1.
largest_of <- function(changes, keys, direction = 1) {
  moved <- direction * vapply(changes, function(change) as.vector(change[keys]), numeric(length(keys)))
  best <- apply(moved, 1, function(row) if (all(is.na(row))) NA else which.max(row))
  data.frame(change = names(changes)[best], other_data = signif(pmax(moved[cbind(seq_along(keys), best)], 0), 4))
}

add_reasons <- function(paper, runs) {
  path <- file.path("vignettes/articles/reproduce/published", paste0(paper, "-spread.csv.gz"))
  spread <- utils::read.csv(path, colClasses = c(row = "character"))[1:6]
  published <- own("published_numbers")(paper)
  all <- do.call(rbind, lapply(runs, function(run) cbind(run$all, setting = run$setting)))
  if (paper == "significance") all <- rbind(all, quality_numbers(), on_one_scale(all))
  all <- all[all$data == "simulated" & is.finite(all$obtained) & key(all) %in% key(published), ]
  lacking <- all[!duplicated(key(all)) & !key(all) %in% key(spread), c("item", "row", "quantity")]
  if (nrow(lacking)) spread <- rbind(spread, cbind(lacking, seeds = 0, lowest = NA, highest = NA))
  best <- nearest_settings(all, published, spread)
  spread <- cbind(spread, best[match(key(spread), best$key), -1])
  spread$change <- spread$other_data <- NA
  if (paper == "mtc") {
    changes <- c(public_changes(), do.call(c, lapply(runs, `[[`, "changes")))
    at <- match(key(spread), key(published))
    direction <- sign(published$published[at] - public_before()$obtained[match(key(spread), key(public_before()))])
    spread[c("change", "other_data")] <- largest_of(changes, key(spread), direction)
  }
  if (paper == "significance") {
    values <- c(all$obtained, spread$lowest, spread$highest)
    range <- tapply(values, c(key(all), key(spread), key(spread)), function(value) diff(range(value, na.rm = TRUE)))
    changes <- list("another collection" = range, "one-tailed tests in a fixed direction" = fixed_on_public())
    spread[c("change", "other_data")] <- largest_of(changes, key(spread))
  }
  utils::write.csv(spread, gzfile(path), row.names = FALSE, quote = FALSE)
}

if (sys.nframe() == 0) {
  wanted <- commandArgs(trailingOnly = TRUE)
  numbers <- list(preferences = list(preference_numbers, nrow(crowd_settings) + 3),
                  significance = list(significance_numbers, 7 * length(significance_settings)),
                  mtc = list(mtc_numbers, length(collection_settings)))
  for (paper in if (length(wanted)) wanted else names(numbers)) {
    add_reasons(paper, lapply(seq_len(numbers[[paper]][[2]]), numbers[[paper]][[1]]))
  }
}
