# Simulates worlds, of each all numbers of the papers' tables: 20 with the default settings of the simulation, and one
# for each of the other settings that reasons.R tries. power.R compares the published numbers with them, all numbers of a
# table together. With JUDICIOUS_DATA, also stores how changes of the public edition move its numbers. About eight minutes of
# processor time, from the package's folder:
#
#   Rscript vignettes/articles/worlds.R
suppressMessages(library(judicious))
source("vignettes/articles/reasons.R")

tables <- list(mtc = paste0("table", 2:7), significance = c("table1", paste0("figure", 1:4)),
               preferences = c("table2", "table3", "table7", "table8"))

# Broad gains are cut from Fine ones at 25 and 75, as by default.
default_world <- function(paper, seed) {
  if (paper == "mtc") {
    return(obtained(paper, tables$mtc, setting_world(list(wide = rep(TRUE, 4)), 100 + seed)))
  }
  replicates <- c(significance = 30, preferences = 100)[paper]
  made <- obtained(paper, tables[[paper]], new_world(100 + seed, replicates = replicates))
  if (paper == "significance") in_500_trials(made, replicates) else made
}

# Everything that reasons.R changes, once for each entry of its lists.
other_world <- function(paper, i) {
  switch(paper,
    mtc = list(setting = names(collection_settings)[i],
               all = obtained("mtc", tables$mtc, setting_world(collection_settings[[i]], i))),
    significance = significance_numbers(i), preferences = preference_numbers(i))
}

in_columns <- function(worlds) {
  keys <- unique(unlist(lapply(worlds, function(world) key(world[world$data == "simulated", ]))))
  values <- vapply(worlds, function(world) {
    simulated <- world[world$data == "simulated", ]
    signif(simulated$obtained[match(keys, key(simulated))], 5)
  }, numeric(length(keys)))
  data.frame(key = keys, values, check.names = FALSE)
}

# By key, the numbers of the public edition and what each change adds to them.
public_shifts <- function() {
  before <- public_before()
  past <- lapply(setting_cases(collection_settings[[1]], 1), function(one) lapply(one[1:3], `[[`, "x"))
  changes <- c(public_changes(), list("models of three simulated editions" = other_models(past)))
  shifts <- vapply(changes, function(change) signif(as.vector(change[key(before)]), 5), numeric(nrow(before)))
  numbers <- data.frame(key = key(before), obtained = signif(before$obtained, 6), shifts, check.names = FALSE)
  names(numbers)[-(1:2)] <- paste0(names(changes), " #", seq_along(changes))
  numbers[!duplicated(numbers$key), ]
}

store <- function(numbers, name) {
  utils::write.csv(numbers, gzfile(sprintf("vignettes/articles/results/%s.csv.gz", name)), row.names = FALSE)
  cat(name, ncol(numbers) - 1, "columns,", sum(proc.time()[1:2]), "s of processor time\n")
}

if (sys.nframe() == 0) {
  if (nzchar(public_world$data) && !length(commandArgs(TRUE))) store(public_shifts(), "public-shifts")
  others <- c(mtc = length(collection_settings), significance = length(significance_settings),
              preferences = nrow(crowd_settings) + 1)
  for (paper in c("mtc", "preferences", "significance")) {
    worlds <- lapply(1:20, function(seed) default_world(paper, seed))
    other <- lapply(seq_len(others[[paper]]), function(i) other_world(paper, i))
    names(worlds) <- rep("default", length(worlds))
    all <- c(worlds, stats::setNames(lapply(other, `[[`, "all"), vapply(other, `[[`, "", "setting")))
    numbers <- in_columns(all)
    names(numbers)[-1] <- paste0(names(all), " #", seq_along(all))
    store(numbers, paste0("worlds-", paper))
  }
}
