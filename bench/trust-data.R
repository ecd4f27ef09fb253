# Collections for bench/trust.R: a folder per collection with runs.tsv (system, query, doc, rank), judgments.tsv (query,
# doc, gain), teams.tsv (system, team) and, if there are graders, opinion-<name>.tsv (query, doc, grade); any of them
# may end in .gz. MIREX 2011 and CLEF eHealth 2015 have other formats, which bench/common.R reads.

# The family of each collection: collections with the same topics, people or method. Priors are learned from other
# families.
collection_families <- c(
  "mirex-ams-2011" = "mirex", "clef-ehealth-2015" = "clef", "trec-dl-2019" = "dl", "trec-dl-2020" = "dl",
  "trec-dl-2022-silver" = "dl", "trec-covid-1" = "covid", "trec-covid-2" = "covid", "trec-covid-3" = "covid",
  "cqa-2016-a" = "cqa", "cqa-2016-b" = "cqa", "cqa-2016-c" = "cqa", "jester" = "jester", "wmt-2020-ende" = "wmt",
  "wmt-2023-sxs-ende" = "wmt", "crowd-rag-2025" = "rag"
)
collection_names <- names(collection_families)

# Cutoffs other than 10, and scales other than that of the judgments (the README of the data explains them).
more_collections <- list(
  "trec-covid-1" = list(k = 7, scale = 0:2), "trec-covid-2" = list(k = 7, scale = 0:2),
  "trec-covid-3" = list(k = 7, scale = 0:2), "cqa-2016-a" = list(k = 5, scale = 0:1),
  "cqa-2016-b" = list(k = 5, scale = 0:1), "cqa-2016-c" = list(k = 10, scale = 0:1),
  "jester" = list(k = 10, scale = 0:20), "wmt-2020-ende" = list(k = 1, scale = 0:25),
  "wmt-2023-sxs-ende" = list(k = 1, scale = 0:25), "crowd-rag-2025" = list(k = 1, scale = 0:5)
)

read_table <- function(path) utils::read.delim(path, colClasses = "character", check.names = FALSE)

table_in <- function(folder, name) {
  path <- Sys.glob(file.path(folder, paste0(name, ".tsv*")))
  if (length(path) != 1) stop(folder, " must have one file ", name, ".tsv or ", name, ".tsv.gz.")
  read_table(path)
}

# The contribution of a pair without a human judgment is unknown. Runs are read without such pairs, so that these affect
# neither the truth, nor any method's estimate, nor the popularity of documents.
read_folder <- function(folder, k = 10, scale = NULL) {
  runs <- table_in(folder, "runs")
  truth <- table_in(folder, "judgments")
  truth$gain <- as.numeric(truth$gain)
  if (!is.null(scale)) truth$gain <- round(truth$gain)
  runs$rank <- as.integer(runs$rank)
  runs <- runs[runs$rank <= k, ]
  key <- function(d) paste(d$query, d$doc, sep = "\r")
  judged <- key(runs) %in% key(truth)
  pool <- unique(key(runs))
  holes <- sum(!pool %in% key(truth))
  if (holes) message(basename(folder), ": ", holes, " of ", length(pool), " pairs are not judged and left out")
  runs <- runs[judged, ]
  truth <- truth[key(truth) %in% key(runs), ]
  teams <- table_in(folder, "teams")
  teams <- teams[teams$system %in% runs$system, ]
  x <- suppressWarnings(test_collection(runs, systems = teams, judgments = truth, k = k,
                                        scale = gain_scale(if (is.null(scale)) sort(unique(c(0,
                                                                                             truth$gain))) else scale)))
  list(x = x, truth = truth, graders = read_graders(folder, judgments_of(x)))
}

# By grader, a data frame of query, doc and grade.
read_graders <- function(folder, pool) {
  files <- list.files(folder, "^opinion-.*[.]tsv([.]gz)?$", full.names = TRUE)
  names(files) <- sub("^opinion-(.*)[.]tsv([.]gz)?$", "\\1", basename(files))
  lapply(files, function(file) {
    grades <- read_table(file)
    grades <- grades[paste(grades$query, grades$doc) %in% paste(pool$query, pool$doc), ]
    data.frame(grades[c("query", "doc")], grade = as.numeric(grades$grade))
  })
}

read_case <- function(name, root = Sys.getenv("JUDICIOUS_DATA")) {
  if (!nzchar(root) || !dir.exists(root)) {
    stop("Set JUDICIOUS_DATA to the folder that has the collections (", paste(collection_names, collapse = ", "), ").")
  }
  folder <- if (dir.exists(name)) name else file.path(root, name)
  if (!dir.exists(folder)) stop("There is no collection ", folder, ".")
  case <- switch(basename(folder), "mirex-ams-2011" = list(x = mirex_2011()), "clef-ehealth-2015" = list(x = clef()),
                 do.call(read_folder, c(list(folder), more_collections[[basename(folder)]])))
  if (is.null(case$truth)) case$truth <- judgments_of(case$x)
  name <- basename(folder)
  family <- if (name %in% collection_names) collection_families[[name]] else name
  c(case, list(name = name, family = family))
}

# All collections, by name.
read_cases <- function() sapply(collection_names, read_case, simplify = FALSE)

# The cases of other families than that of a case.
other_families <- function(cases, case) Filter(function(other) other$family != case$family, cases)
