# Does the worth of grades that grader_validation() states agree with their measured worth? For random samples of
# judgments of collections whose true ranking is known: the stated worth, and the number of random judgments without
# grades that put as many pairs of systems in the right order (means over seeds, interpolated between budgets).
#
#   JUDICIOUS_DATA=<folder> Rscript bench/grader-worth.R [collections=hanna,dialsumm] [seeds=5] [judgments=60]
suppressMessages(library(judicious))
given <- list(collections = "hanna,opinsumm,dialsumm,wmt-2023-sxs-ende,crowd-rag-2025,trec-dl-2019",
              seeds = "5", judgments = "60")
for (argument in strsplit(commandArgs(trailingOnly = TRUE), "=")) given[[argument[1]]] <- argument[2]
folder <- Sys.getenv("JUDICIOUS_DATA")
if (!nzchar(folder)) stop("JUDICIOUS_DATA must name the folder with the collections.", call. = FALSE)
seeds <- seq_len(as.integer(given$seeds))
n <- as.integer(given$judgments)

read <- function(name, file) {
  path <- file.path(folder, name, file)
  table <- utils::read.delim(if (file.exists(path)) path else paste0(path, ".gz"))
  table[intersect(names(table), c("query", "doc"))] <- lapply(table[intersect(names(table), c("query", "doc"))],
                                                              as.character)
  table
}

# The grades of a collection, by grader. On crowd-rag-2025 they consist of preferences: the grade of a document is the
# share of preferences for it.
read_graders <- function(name) {
  files <- sub("[.]gz$", "", list.files(file.path(folder, name), "^opinion-"))
  graders <- lapply(stats::setNames(files, sub("opinion-(.*)[.]tsv", "\\1", files)), read, name = name)
  if (!file.exists(file.path(folder, name, "votes-llm.tsv.gz"))) return(graders)
  votes <- subset(read(name, "votes-llm.tsv"), dimension == "quality_overall" & vote %in% c("a", "b", "n"))
  won <- c(a = 1, n = 0.5, b = 0)[votes$vote]
  sides <- data.frame(query = votes$query, doc = c(votes$doc_a, votes$doc_b), grade = c(won, 1 - won))
  c(graders, list(gpt4o = stats::aggregate(grade ~ query + doc, sides, mean)))
}

measure_collection <- function(name) {
  truth <- read(name, "judgments.tsv")
  runs <- read(name, "runs.tsv")
  x <- test_collection(runs, systems = read(name, "teams.tsv")[c("system", "team")], scale = 0:max(truth$gain),
                       k = max(table(runs$system, runs$query)))
  truth <- merge(truth, unique(runs[c("query", "doc")]))
  graders <- read_graders(name)
  right <- function(sample, grades = NULL) {
    suppressWarnings(ranking_accuracy(rank_systems(x, grades = grades, judgments = sample), truth)[["accuracy"]])
  }
  draw <- function(seed, n) {
    set.seed(seed)
    truth[sample(nrow(truth), n), ]
  }
  budgets <- unique(pmin(round(n * c(0.7, 1, 1.5, 2, 3, 4, 6)), nrow(truth)))
  without <- stats::isoreg(budgets, vapply(budgets, function(budget) {
    mean(vapply(seeds, function(seed) right(draw(seed, budget)), 0))
  }, 0))$yf
  do.call(rbind, lapply(names(graders), function(grader) {
    known <- graders[[grader]]
    each <- vapply(seeds, function(seed) {
      sample <- draw(seed, n)
      v <- suppressWarnings(grader_validation(x, stats::setNames(list(known), grader), sample, seed = seed))
      c(stated = as.data.frame(v)$worth, right = right(sample, known))
    }, c(stated = 0, right = 0))
    reached <- mean(each["right", ])
    measured <- stats::approx(without, budgets, reached, rule = 2, ties = mean)$y
    data.frame(collection = name, grader, judgments = n, stated = exp(mean(log(each["stated", ]))),
               measured = max(measured, n), right = reached, without = without[match(n, budgets)])
  }))
}

worth <- do.call(rbind, lapply(strsplit(given$collections, ",")[[1]], measure_collection))
worth$ratio <- worth$stated / worth$measured
print(worth, digits = 3, row.names = FALSE)
cat(sprintf("Stated worth is %.2f times the measured one (geometric mean); factor %.2f on average\n",
            exp(mean(log(worth$ratio))), exp(mean(abs(log(worth$ratio))))))
