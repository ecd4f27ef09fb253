# Simulations with other settings, and changes of the public data, which may explain why numbers of reproduce() differ
# from published ones. worlds.R runs them, and power.R says which of them explains the numbers of a row.
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

setting_cases <- function(settings, seed) {
  editions <- Map(function(year, k) simulated(year, seed * 10 + k, settings), years, 1:4)
  lapply(list(Broad = broad_scale(), Fine = fine_scale()), function(scale) {
    simulated_cases(Map(remade, editions, list(scale), rep_len(c(settings$wide, FALSE), 4)))
  })
}

setting_world <- function(settings, seed) {
  cases <- setting_cases(settings, seed)
  new_world(1, c(list("public cases" = list()), stats::setNames(cases, paste("simulated", names(cases)))))
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
    moved(function(x) own("restrict_to_queries")(x, half), c("table2", "table5", "table7"))
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
