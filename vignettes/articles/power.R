# Whether the comparisons with published numbers can fail. From the worlds that worlds.R has simulated, computes
#
# - run_power(): a joint test of each table and the share of wrong numbers that it and the spread accept
#   (results/power.csv, which build.R compares);
# - store_reasons(): which setting, or which change of the public data, explains the differing numbers of a row together
#   (the columns of reproduce/published/*-spread.csv.gz that reproduce() reads). Run as a script, it stores both:
#
#   Rscript vignettes/articles/power.R
if (!exists("scripts")) {
  suppressMessages(library(judicious))
  source("vignettes/articles/reproduce/load.R")
  scripts <- load_reproduction("vignettes/articles/reproduce")
}

number_key <- function(numbers) paste(numbers$item, numbers$row, numbers$quantity, sep = " | ")

read_columns <- function(name, folder) {
  utils::read.csv(gzfile(file.path(folder, paste0(name, ".csv.gz"))), check.names = FALSE, stringsAsFactors = FALSE)
}

# The published numbers of a paper that simulations have, and the worlds: numbers by worlds, named by settings.
read_worlds <- function(paper, folder) {
  worlds <- read_columns(paste0("worlds-", paper), folder)
  published <- scripts$published_numbers(paper)
  published <- published[number_key(published) %in% worlds$key, ]
  values <- as.matrix(worlds[match(number_key(published), worlds$key), -1])
  colnames(values) <- sub(" #[0-9]+$", "", colnames(values))
  list(published = published, default = values[, colnames(values) == "default"],
       others = values[, colnames(values) != "default", drop = FALSE])
}

# Correlations of the rows. Half of each is kept: there are fewer worlds than numbers.
shrunk_correlation <- function(worlds) {
  correlation <- stats::cor(t(worlds)) / 2
  diag(correlation) <- 1
  correlation
}

# The squared distance of each column from the mean of the other columns, in units of their variance.
distance_from_others <- function(values) {
  vapply(seq_len(ncol(values)), function(i) {
    others <- values[, -i]
    scale <- apply(others, 1, stats::sd)
    z <- (values[, i] - rowMeans(others)) / scale
    sum(z * solve(shrunk_correlation(others), z)) / length(z)
  }, 0)
}

# The share of the worlds, with the published numbers counted as one, that are at least as far from the others as the
# published numbers are: 1/21 at least, with 20 worlds.
rank_test <- function(published, default) {
  distance <- distance_from_others(cbind(published, default))
  mean(distance >= distance[1])
}

# How well each column follows the differences between rows that the other columns have: the linear discriminant
# between their mean and the same mean without differences between rows, in all numbers of the table that its rows have
# in common. With `logs`, numbers of judgments, which differ by orders of magnitude, count by their logarithms; without
# `correlated`, all numbers count as independent.
row_discriminant <- function(values, numbers, logs = TRUE, correlated = TRUE) {
  counts <- logs & grepl("judgments", numbers$quantity)
  values[counts, ] <- log(values[counts, , drop = FALSE] + max(values[counts, ], 0) / 1000)
  less_mean <- function(v) v - stats::ave(v, numbers$quantity)
  vapply(seq_len(ncol(values)), function(i) {
    others <- values[, -i]
    scale <- apply(others, 1, stats::sd)
    correlation <- if (correlated) shrunk_correlation(others) else diag(nrow(others))
    sum(solve(correlation * outer(scale, scale), less_mean(rowMeans(others))) * less_mean(values[, i]))
  }, 0)
}

# The share of the worlds, with the published numbers counted as one, that follow the rows as little as these do.
rows_test <- function(published, default, numbers, ...) {
  value <- row_discriminant(cbind(published, default), numbers, ...)
  mean(value <= value[1])
}

# The p-value of the nearest single world, among those with other settings, by how far two default worlds are from each
# other.
nearest_world <- function(published, default, others) {
  scale <- apply(default, 1, stats::sd)
  root <- backsolve(chol(shrunk_correlation(default)), diag(nrow(default)), transpose = TRUE)
  units <- function(values) root %*% (values / scale)
  between <- as.vector(stats::dist(t(units(default))))
  away <- sqrt(colSums((units(cbind(others, default)) - as.vector(units(published)))^2))
  best <- which.min(away)
  list(setting = names(away)[best], p = mean(between >= away[best]))
}

# The numbers of a table with those of its rows exchanged: rows that have the same quantities, such as years.
exchanged <- function(numbers, order) {
  rows <- unique(numbers$row)
  from <- rows[order][match(numbers$row, rows)]
  numbers$published[match(paste(from, numbers$quantity), paste(numbers$row, numbers$quantity))]
}

# All other orders of up to four rows, or 100 random ones.
other_orders <- function(n) {
  if (n > 4) return(unique(lapply(1:100, function(i) sample(n))))
  orders <- as.matrix(expand.grid(rep(list(seq_len(n)), n)))
  orders <- orders[apply(orders, 1, function(order) !anyDuplicated(order)), , drop = FALSE]
  Filter(function(order) any(order != seq_len(n)), split(orders, row(orders)))
}

table_power <- function(item, worlds) {
  # Numbers that vary, also if any one world is left out.
  varies <- apply(worlds$default, 1, function(values) length(unique(values)) > 2)
  used <- worlds$published$item == item & stats::complete.cases(worlds$default, worlds$others) & varies %in% TRUE
  numbers <- worlds$published[used, ]
  if (nrow(numbers) < 3) return(NULL)
  default <- worlds$default[used, ]
  lowest <- apply(default, 1, min) - scripts$tolerance_of(numbers)
  highest <- apply(default, 1, max) + scripts$tolerance_of(numbers)
  accepted <- function(values) values >= lowest & values <= highest
  nearest <- nearest_world(numbers$published, default, worlds$others[used, , drop = FALSE])
  result <- data.frame(item = item, numbers = nrow(numbers), right = mean(accepted(numbers$published)), wrong = NA,
                       p = rank_test(numbers$published, default), nearest = nearest$setting, p_nearest = nearest$p,
                       exchanged = NA, exchanged_closer = NA, p_rows = NA, exchanged_rows = NA,
                       exchanged_rows_most = NA, stringsAsFactors = FALSE)
  # Rows with all the quantities of the table.
  quantities <- table(numbers$row)
  numbers$exchange <- numbers$row %in% names(quantities)[quantities == max(quantities)]
  rows <- unique(numbers$row[numbers$exchange])
  if (length(rows) < 2) return(result)
  orders <- other_orders(length(rows))
  wrong <- lapply(orders, function(order) {
    replace(numbers$published, numbers$exchange, exchanged(numbers[numbers$exchange, ], order))
  })
  differ <- lapply(wrong, function(values) !is.na(values) & values != numbers$published)
  wrong <- lapply(wrong, function(values) ifelse(is.na(values), numbers$published, values))
  orders_that_differ <- vapply(differ, any, NA)
  if (!any(orders_that_differ)) return(result)
  result$wrong <- mean(unlist(Map(function(values, differ) accepted(values)[differ], wrong, differ)))
  p <- vapply(wrong[orders_that_differ], rank_test, 0, default = default)
  right <- distance_from_others(cbind(numbers$published, default))[1]
  closer <- vapply(wrong[orders_that_differ], function(values) {
    distance_from_others(cbind(values, default))[1] <= right
  }, NA)
  result$exchanged <- mean(p > 0.05)
  result$exchanged_closer <- mean(closer)
  common <- numbers$exchange
  of_rows <- function(values, ...) rows_test(values[common], default[common, ], numbers[common, ], ...)
  accepted_rows <- function(...) mean(vapply(wrong[orders_that_differ], of_rows, 0, ...) > 0.05)
  result$p_rows <- of_rows(numbers$published)
  result$exchanged_rows <- accepted_rows()
  # The variants that were tried beside the one that is used.
  result$exchanged_rows_most <- max(accepted_rows(logs = FALSE), accepted_rows(correlated = FALSE),
                                    accepted_rows(logs = FALSE, correlated = FALSE))
  result
}

run_power <- function(folder = "results") {
  set.seed(1)
  do.call(rbind, lapply(c("mtc", "significance", "preferences"), function(paper) {
    worlds <- read_worlds(paper, folder)
    power <- do.call(rbind, lapply(unique(worlds$published$item), table_power, worlds = worlds))
    shares <- setdiff(names(power), c("item", "numbers", "nearest"))
    power[shares] <- round(power[shares], 3)
    data.frame(paper = paper, power, stringsAsFactors = FALSE)
  }))
}

# For each number: the setting whose world has most numbers of its row within half of the spread of the default worlds,
# the number there, and whether it has all of them.
row_settings <- function(worlds) {
  half <- (apply(worlds$default, 1, max) - apply(worlds$default, 1, min)) / 2 + scripts$tolerance_of(worlds$published)
  reached <- abs(worlds$others - worlds$published$published) <= half
  reached[is.na(reached)] <- FALSE
  row <- paste(worlds$published$item, worlds$published$row)
  best <- vapply(split(seq_along(row), row), function(at) which.max(colMeans(reached[at, , drop = FALSE])), 1L)[row]
  data.frame(setting = colnames(worlds$others)[best], setting_value = worlds$others[cbind(seq_along(row), best)],
             setting_explains = stats::ave(reached[cbind(seq_along(row), best)], row, FUN = all) == 1)
}

# For each number of the public edition: the change that at least halves most differences of its row, what the number is
# with it, and whether it does so for all of them. A change that is larger than the difference does not halve it.
row_changes <- function(published, folder) {
  shifts <- read_columns("public-shifts", folder)
  at <- match(number_key(published), shifts$key)
  before <- shifts$obtained[at]
  after <- before + as.matrix(shifts[at, -(1:2)])
  colnames(after) <- sub(" #[0-9]+$", "", colnames(after))
  tolerated <- scripts$tolerance_of(published)
  differs <- !is.na(before) & abs(before - published$published) > tolerated
  halved <- abs(after - published$published) <= pmax(tolerated, abs(before - published$published) / 2)
  halved[is.na(halved)] <- FALSE
  row <- paste(published$item, published$row)
  best <- vapply(split(seq_along(row), row), function(at) {
    which.max(colMeans(halved[at[differs[at]], , drop = FALSE]))[1]
  }, 1L)[row]
  of <- cbind(seq_along(row), best)
  data.frame(change = colnames(after)[best], change_value = after[of],
             change_explains = stats::ave(halved[of] | !differs, row, FUN = all) == 1)
}

store_reasons <- function(paper, folder = "vignettes/articles/results") {
  path <- file.path(scripts$published_folder, paste0(paper, "-spread.csv.gz"))
  spread <- scripts$simulated_spread(paper)[1:6]
  published <- scripts$published_numbers(paper)
  worlds <- read_worlds(paper, folder)
  reasons <- data.frame(published[c("item", "row", "quantity")])
  settings <- row_settings(worlds)
  reasons <- cbind(reasons, settings[match(number_key(published), number_key(worlds$published)), ])
  if (paper == "mtc") reasons <- cbind(reasons, row_changes(published, folder))
  at <- match(number_key(reasons), number_key(spread))
  spread <- cbind(reasons[1:3], spread[at, 4:6], reasons[-(1:3)])
  spread$setting_value <- signif(spread$setting_value, 5)
  if (paper == "mtc") spread$change_value <- signif(spread$change_value, 5)
  spread <- spread[rowSums(!is.na(spread[-(1:3)])) > 0, ]
  utils::write.csv(spread, gzfile(path), row.names = FALSE, quote = FALSE)
  restore_reasons(paper)
}

# States the reasons of the stored results again; their numbers do not change.
restore_reasons <- function(paper) {
  stored <- scripts$reproduce(paper, stored = TRUE)
  spread <- scripts$simulated_spread(paper)
  stored$tables <- Map(function(item, table) {
    here <- spread[spread$item == item, ]
    table$computed <- table$tested == "computed"
    tried <- here[match(paste(table$row, table$quantity), paste(here$row, here$quantity)), ]
    table[c("tested", "evidence")] <- scripts$reason_tested(table, tried)
    table$computed <- NULL
    table
  }, names(stored$tables), stored$tables)
  saveRDS(stored, file.path(scripts$published_folder, paste0(paper, ".rds")), version = 3, compress = "xz")
}

if (sys.nframe() == 0) {
  utils::write.csv(run_power("vignettes/articles/results"), "vignettes/articles/results/power.csv", row.names = FALSE)
  for (paper in c("mtc", "significance", "preferences")) store_reasons(paper)
}
