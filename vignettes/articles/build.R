# Regenerates all articles and compares their numbers with the stored ones. From the package's folder, with the
# package installed:
#
#   Rscript vignettes/articles/build.R [--update] [folder]
#
# The articles go into `folder` (a temporary one if none is named). `--update` stores the numbers instead of comparing
# them. Without JUDICIOUS_DATA the numbers of the public data are neither made nor compared.
suppressMessages(library(judicious))
options(judicious.reproduce = TRUE)
arguments <- commandArgs(trailingOnly = TRUE)
update <- "--update" %in% arguments
folder <- c(setdiff(arguments, "--update"), file.path(tempdir(), "articles"))[1]
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
folder <- normalizePath(folder)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
setwd(dirname(normalizePath(script)))
source("transcript.R")
source("studies.R")

# Rounds numbers to the digits that the paper prints, or to four significant digits.
printed <- function(numbers) {
  data <- as.data.frame(numbers)
  value <- ifelse(is.na(data$digits), signif(data$obtained, 4), round(data$obtained, pmax(data$digits, 0)))
  known <- !is.na(value)
  data.frame(key = paste(data$item, data$row, data$quantity, data$data, sep = " | ")[known],
             value = format(value[known], digits = 15, trim = TRUE, scientific = FALSE, drop0trailing = TRUE),
             stringsAsFactors = FALSE)
}

# Reports how many numbers are equal to the stored ones, and which are not. Without the public data, only the other
# numbers are compared.
compare <- function(name, new) {
  path <- file.path("results", paste0(name, ".csv"))
  if (update) {
    utils::write.csv(new, path, row.names = FALSE)
    cat(sprintf("%s: %d numbers stored\n", name, nrow(new)))
    return(TRUE)
  }
  old <- utils::read.csv(path, colClasses = "character")
  if (!nzchar(Sys.getenv("JUDICIOUS_DATA"))) old <- old[!grepl("| public", old$key, fixed = TRUE), ]
  key <- union(old$key, new$key)
  before <- old$value[match(key, old$key)]
  now <- new$value[match(key, new$key)]
  same <- !is.na(before) & !is.na(now) & abs(as.numeric(before) - as.numeric(now)) <= 1e-9 * abs(as.numeric(before))
  cat(sprintf("%s: %d of %d numbers unchanged from the stored ones to printed digits\n", name, sum(same), length(key)))
  if (any(!same)) print(data.frame(key, stored = before, now)[!same, ], row.names = FALSE)
  all(same)
}

# The input of reproduce(stored = TRUE). Curves are stored with four digits, which is enough for figures.
store <- function(r) {
  r$figures <- lapply(r$figures, function(figure) {
    figure$curves[c("x", "y")] <- signif(figure$curves[c("x", "y")], 4)
    figure
  })
  path <- file.path("../../inst/extdata/published", paste0(r$paper, ".rds"))
  saveRDS(r, path, version = 3, compress = "xz")
}

# Elapsed time and processor time since `started`. The latter does not depend on the load of the machine.
time_since <- function(started) {
  used <- proc.time() - started
  sprintf("%.0f s, %.0f s of processor time", used[["elapsed"]], sum(used[1:2], used[4:5], na.rm = TRUE))
}

render <- function(article) {
  started <- proc.time()
  made <- new.env(parent = globalenv())
  rmarkdown::render(article, output_dir = folder, intermediates_dir = tempfile(), knit_root_dir = getwd(), envir = made,
                    quiet = TRUE)
  cat(article, ": ", time_since(started), "\n", sep = "")
  made
}

# Scripts on data that cannot be redistributed; articles show their stored transcripts.
same_transcript <- function(name) {
  if (!nzchar(Sys.getenv("JUDICIOUS_DATA"))) {
    cat(name, ": not run, as JUDICIOUS_DATA is not set\n", sep = "")
    return(TRUE)
  }
  started <- proc.time()
  made <- make_transcript(paste0(name, ".R"))
  if (update) store_transcript(name, made)
  same <- identical(stored_transcript(name), made)
  cat(name, ".R: ", if (same) "unchanged" else "NOT as stored", ", ", time_since(started), "\n", sep = "")
  same
}

# Recomputes a table that articles show.
same_table <- function(name, make) {
  started <- proc.time()
  path <- file.path("results", paste0(name, ".csv"))
  made <- make()
  if (update) utils::write.csv(made, path, row.names = FALSE)
  same <- isTRUE(all.equal(utils::read.csv(path), made, tolerance = 1e-6))
  cat(name, ": ", if (same) "unchanged" else "NOT as stored", ", ", time_since(started), "\n", sep = "")
  same
}

begun <- proc.time()
fine <- c("cold-job" = same_transcript("cold-job"), studies = same_table("studies", run_studies))
for (article in list.files(pattern = "[.]Rmd$")) {
  made <- render(article)
  if (inherits(made$r, "judicious_reproduction")) {
    if (update) store(made$r)
    fine[article] <- compare(made$r$paper, printed(made$r))
  }
}
cat("Articles in ", folder, ", ", time_since(begun), "\n", sep = "")
if (!all(fine)) stop("Some numbers are not those stored.", call. = FALSE)
