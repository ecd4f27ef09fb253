# Results of reproduce() that are stored: published/<paper>.rds, which the articles show, and results/<paper>.csv, the
# numbers to printed digits, in which a difference can be read.

# Numbers to the digits that the paper prints, or to four significant ones.
printed_numbers <- function(r) {
  data <- as.data.frame(r)
  value <- ifelse(is.na(data$digits), signif(data$obtained, 4), round(data$obtained, pmax(data$digits, 0)))
  known <- !is.na(value)
  data.frame(key = paste(data$item, data$row, data$quantity, data$data, sep = " | ")[known],
             value = format(value[known], digits = 15, trim = TRUE, scientific = FALSE, drop0trailing = TRUE),
             stringsAsFactors = FALSE)
}

numbers_path <- function(paper) file.path(dirname(dirname(published_folder)), "results", paste0(paper, ".csv"))

# Curves are stored with four digits, which is enough for the figures.
store_reproduction <- function(r) {
  r$figures <- lapply(r$figures, function(figure) {
    figure$curves[c("x", "y")] <- signif(figure$curves[c("x", "y")], 4)
    figure
  })
  saveRDS(r, file.path(published_folder, paste0(r$paper, ".rds")), version = 3, compress = "xz")
  utils::write.csv(printed_numbers(r), numbers_path(r$paper), row.names = FALSE)
}

# Computes items one by one, says of each whether it is equal to the stored result and how long it took, and with
# `update` stores it instead of that result. Items of one call share what both need, such as sessions.
check_items <- function(paper, items, update = FALSE) {
  world <- new_world()
  vapply(items, function(item) {
    used <- system.time(r <- computed_reproduction(world, paper, reproduction_items(paper)[item], progress = FALSE))
    differences <- differences_from(stored_reproduction(paper, item), r, item)
    found <- if (length(differences)) "NOT as stored" else "equal to the stored ones"
    cat(sprintf("%s %s: %d numbers %s, %.0f s of processor time\n", paper, item, nrow(as.data.frame(r)), found,
                sum(used[c(1, 2, 4, 5)], na.rm = TRUE)))
    if (length(differences)) cat(paste0("  ", differences), sep = "\n")
    if (update && length(differences)) store_item(r)
    !length(differences)
  }, NA)
}

# In numbers, what is said of them, and curves, of which four digits are stored.
differences_from <- function(stored, now, item) {
  same <- c(all.equal(as.data.frame(stored), as.data.frame(now), tolerance = 1e-9),
            all.equal(stored$figures[[item]]$curves, now$figures[[item]]$curves, tolerance = 1e-3))
  same[same != "TRUE"]
}

# Replaces single items of the stored results.
store_item <- function(r) {
  stored <- stored_reproduction(r$paper, NULL)
  for (part in c("tables", "titles", "figures")) stored[[part]][names(r[[part]])] <- r[[part]]
  store_reproduction(stored)
}
