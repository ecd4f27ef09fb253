# Regenerates all articles and compares their numbers with the stored ones. From the package's folder, with the
# package installed:
#
#   Rscript vignettes/articles/build.R [--check|--update|--stale] [--short] [--only=article,article] [folder]
#
# The articles go into `folder` (a temporary one if none is named). `--check`, the default, compares a fresh run with
# what is stored and committed: numbers to printed digits, the status of every published number and how its reason was
# tested; it prints every difference and ends with an error if there is one. `--update` stores the results instead.
# `--only` renders only these articles, such as `--only=papers,reproduction-mtc`; `cold-job`, `studies`, `designs`,
# `one-answer`, `measured`, `power`, `rivals`, `statements` and `significance-tests` also stand for the stored transcript
# and the stored tables.
# `--short` takes the items of the first paper that compute longest (see reproduce/reproduce.R) from the stored results,
# and checks the others. `Rscript reproduce/load.R --check mtc ablation` checks single items.
# `--stale` lists the stored results and the scripts of figures in prose that are of another belief, script or data than
# today's, with the minutes that a run takes; stamps.R explains how this is known.
# Without JUDICIOUS_DATA the numbers of the public data are neither made nor compared.
suppressMessages(library(judicious))
arguments <- commandArgs(trailingOnly = TRUE)
flags <- grep("^--", arguments, value = TRUE)
unknown <- flags[!flags %in% c("--check", "--update", "--short", "--stale") & !grepl("^--only=.", flags)]
if (length(unknown)) stop("Unknown option ", unknown[1], call. = FALSE)
update <- "--update" %in% flags
# Which results of reproduce() are taken from the store.
options(judicious.reproduce = if ("--short" %in% flags) "long" else FALSE)
only <- unlist(strsplit(sub("^--only=", "", grep("^--only=", flags, value = TRUE)), ","))
folder <- c(setdiff(arguments, flags), file.path(tempdir(), "articles"))[1]
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
folder <- normalizePath(folder)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
setwd(dirname(normalizePath(script)))
source("stamps.R")
if ("--stale" %in% flags) {
  list_stale(file.path("..", ".."))
  quit()
}
source("reproduce/load.R")
scripts <- load_reproduction("reproduce")
source("transcript.R")
source("studies.R")
source("one-answer.R")
source("designs.R")
source("measured.R")
source("power.R")

wanted <- function(name) !length(only) || name %in% only

# Reports how many numbers are equal to the stored ones, and which are not. Without the public data, only the other
# numbers are compared.
same_numbers <- function(r) {
  name <- r$paper
  new <- scripts$printed_numbers(r)
  if (update) {
    scripts$store_reproduction(r)
    cat(sprintf("%s: %d numbers stored\n", name, nrow(new)))
    return(TRUE)
  }
  old <- utils::read.csv(scripts$numbers_path(name), colClasses = "character")
  if (!nzchar(Sys.getenv("JUDICIOUS_DATA"))) old <- old[!grepl("| public", old$key, fixed = TRUE), ]
  key <- union(old$key, new$key)
  before <- old$value[match(key, old$key)]
  now <- new$value[match(key, new$key)]
  same <- !is.na(before) & !is.na(now) & abs(as.numeric(before) - as.numeric(now)) <= 1e-9 * abs(as.numeric(before))
  cat(sprintf("%s: %d of %d numbers unchanged from the stored ones to printed digits\n", name, sum(same), length(key)))
  if (any(!same)) print(data.frame(key, stored = before, now)[!same, ], row.names = FALSE)
  all(same)
}

# Says which published numbers have another status, or another test of their reason, than in the stored results.
same_comparison <- function(r) {
  if (update) return(TRUE)
  columns <- c("item", "row", "quantity", "data", "status", "tested", "note")
  both <- lapply(list(stored = scripts$reproduce(r$paper, stored = TRUE), now = r), function(r) {
    data <- as.data.frame(r)[columns]
    if (nzchar(Sys.getenv("JUDICIOUS_DATA"))) data else data[data$data == "simulated" & data$status != "own", ]
  })
  lines <- lapply(both, function(data) do.call(paste, c(data, sep = " | ")))
  other <- c(sprintf("stored: %s", setdiff(lines$stored, lines$now)),
             sprintf("now: %s", setdiff(lines$now, lines$stored)))
  cat(sprintf("%s: %d comparisons, %s\n", r$paper, nrow(both$now), if (length(other)) "NOT as stored" else "unchanged"))
  if (length(other)) cat(paste0("  ", other), sep = "\n")
  !length(other)
}

# Elapsed time and processor time since `started`. The latter does not depend on the load of the machine.
time_since <- function(started) {
  used <- proc.time() - started
  sprintf("%.0f s, %.0f s of processor time", used[["elapsed"]], sum(used[1:2], used[4:5], na.rm = TRUE))
}

render <- function(article) {
  started <- proc.time()
  made <- new.env(parent = globalenv())
  # Without bare links, as they would read "nDCG@10" as an address of e-mail.
  looks <- list(css = normalizePath("article.css"), md_extensions = "-autolink_bare_uris")
  rmarkdown::render(article, output_dir = folder, intermediates_dir = tempfile(), knit_root_dir = getwd(), envir = made,
                    output_options = looks, quiet = TRUE)
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
same_table <- function(name, make, path = file.path("results", paste0(name, ".csv"))) {
  started <- proc.time()
  made <- make()
  if (update) utils::write.csv(made, path, row.names = FALSE)
  same <- isTRUE(all.equal(utils::read.csv(path), made, tolerance = 1e-6))
  cat(name, ": ", if (same) "unchanged" else "NOT as stored", ", ", time_since(started), "\n", sep = "")
  same
}

# Runs a script of bench/ that writes tables, from the package's folder. `fine`: the statuses that are no error.
run_bench <- function(script, ..., fine = 0) {
  status <- system2("Rscript", c(file.path("bench", script), shQuote(c(...))), stdout = FALSE)
  if (!status %in% fine) stop("bench/", script, " ended with status ", status, ".", call. = FALSE)
}

# The tables of rivals, and the sentence of README that counts settings. Results are kept beside the articles: with a
# folder named, the study continues where it was interrupted.
same_rivals <- function() {
  store <- file.path(folder, "rivals")
  made <- function(name) file.path(store, paste0(name, ".csv"))
  dir.create(store, showWarnings = FALSE)
  old <- setwd("../..")
  on.exit(setwd(old))
  run_bench("rivals.R", paste0("store=", store, "/all"), paste0("out=", made("rivals")),
            paste0("details=", made("rivals-details")))
  for (measure in c("nDCG@10", "P(rel=2)@10")) {
    name <- if (measure == "nDCG@10") "rivals-ndcg" else "rivals-precision"
    run_bench("rivals.R", paste0("store=", store, "/all"), "collections=trec-dl-2019,trec-dl-2020",
              "budgets=0,20,50,100", paste0("measure=", measure), paste0("out=", made(name)))
  }
  setwd(old)
  same <- vapply(c("rivals", "rivals-details", "rivals-ndcg", "rivals-precision"), function(name) {
    same_table(name, function() utils::read.csv(made(name)))
  }, NA)
  source("../../bench/rivals-table.R", local = TRUE)
  settings <- rival_settings(utils::read.csv(made("rivals-details")))
  said <- sprintf("In %d of %d cases", sum(!settings$better), nrow(settings))
  in_readme <- grepl(said, paste(readLines("../../README.md"), collapse = " "), fixed = TRUE)
  if (!in_readme) cat("README.md: no longer true, joint gains are the best or as good ", said, "\n", sep = "")
  all(same) && in_readme
}

# As for the rivals, a study that was interrupted continues with what is in the folder.
make_significance_tests <- function() {
  store <- file.path(folder, "significance-tests")
  table <- paste0(store, ".csv")
  old <- setwd("../..")
  on.exit(setwd(old))
  run_bench("significance-tests.R", "trials=80", paste0("store=", store), paste0("out=", table))
  utils::read.csv(table)
}

# The sessions of which the statements are stored; as for the rivals, those in the folder are not run again. Status 1
# tells that a share is low, as it may be where few sessions have been run.
make_statements <- function() {
  store <- file.path(folder, "statements")
  table <- paste0(store, ".csv")
  old <- setwd("../..")
  on.exit(setwd(old))
  run <- function(...) run_bench("statements.R", paste0("store=", store), ..., fine = 0:1)
  run("kinds=mean,top 1,top 3,top 5,all pairs", "seeds=1,2")
  run("kinds=early", paste0("seeds=", toString(1:8)))
  run("kinds=path,plan", "seeds=1")
  run("seeds=1", paste0("out=", table))
  utils::read.csv(table)
}

begun <- proc.time()
articles <- list.files(pattern = "[.]Rmd$")
titles <- sub("[.]Rmd$", "", articles)
unknown <- setdiff(only, c(titles, "studies", "designs", "measured", "power", "rivals", "statements"))
if (length(unknown)) stop("There is no article ", unknown[1], call. = FALSE)
fine <- logical()
if (wanted("cold-job")) fine["cold-job"] <- same_transcript("cold-job")
if (wanted("studies")) fine["studies"] <- same_table("studies", run_studies)
if (wanted("power")) fine["power"] <- same_table("power", run_power)
if (wanted("designs")) fine["designs"] <- same_table("designs", run_designs)
if (wanted("one-answer") && nzchar(Sys.getenv("JUDICIOUS_DATA"))) {
  fine["one-answer"] <- same_table("one-answer", run_one_answer)
}
if (wanted("measured") && nzchar(Sys.getenv("JUDICIOUS_DATA"))) {
  fine["measured"] <- same_table("measured", run_measured, "../measured.csv")
}
if (wanted("rivals") && nzchar(Sys.getenv("JUDICIOUS_DATA"))) fine["rivals"] <- same_rivals()
if (wanted("significance-tests") && nzchar(Sys.getenv("JUDICIOUS_DATA"))) {
  fine["significance-tests table"] <- same_table("significance-tests", make_significance_tests)
}
if (wanted("statements") && nzchar(Sys.getenv("JUDICIOUS_DATA"))) {
  fine["statements"] <- same_table("statements", make_statements)
}
for (article in articles[vapply(titles, wanted, NA)]) {
  made <- render(article)
  if (inherits(made$r, "judicious_reproduction")) {
    fine[article] <- same_numbers(made$r) & same_comparison(made$r)
  }
}
cat("Articles in ", folder, ", ", time_since(begun), "\n", sep = "")
if (!all(fine)) stop("Some numbers are not those stored.", call. = FALSE)
