# trec_eval 9.0.8 and 10 against `judicious evaluate --layout trec_eval` and `trec_eval-10`: every line of figures, of
# random collections and of those in JUDICIOUS_DATA that can be written as runs.
#
#   Rscript bench/trec-eval.R FOLDER [collections]
#
# FOLDER, or TREC_EVAL_SOURCES, holds trec_eval-9.0.8.tar.gz and trec_eval-10.tar.gz; both are built in a temporary
# folder. The output is a count of lines per measure and version, and the first lines that differ.
suppressMessages(library(judicious))
source("bench/common.R")

versions <- c("9.0.8" = "trec_eval", "10" = "trec_eval-10")

# The reason why lines of trec_eval are not compared; "" for lines that are.
reason_left_out <- function(lines, missing) {
  empty <- any(grepl("nan", lines$theirs))
  parameters <- grepl("^(utility|relstring)_", sub("\t.*", "", lines$theirs))
  reason <- rep("", nrow(lines))
  if (!any(nzchar(lines$theirs))) reason[] <- "it stops at some queries whose judgments are all -1"
  reason[lines$version == "10" & lines$measure == "rbp"] <- "10: rbp reads a variable that was never set"
  reason[lines$version == "10" & missing & parameters] <-
    "10: utility and relstring with parameters count the placeholder of a query that is not answered as a document"
  reason[empty & lines$measure %in% c("iprec_at_recall", "11pt_avg")] <-
    "0 / 0 for interpolated precision of a list that -J leaves empty"
  reason
}

build_trec_eval <- function(sources, folder) {
  vapply(names(versions), function(version) {
    utils::untar(file.path(sources, sprintf("trec_eval-%s.tar.gz", version)), exdir = folder)
    path <- file.path(folder, paste0("trec_eval-", version))
    system2("make", c("-C", path), stdout = FALSE, stderr = FALSE)
    program <- file.path(path, "trec_eval")
    if (!file.exists(program)) stop("trec_eval ", version, " was not built in ", path)
    program
  }, "")
}

# Queries whose order as numbers differs from that as text, grades from -1 to above 9, scores that are equal in single
# precision only or in both, and queries that only the run or only the judgments have.
random_collection <- function(answered) {
  queries <- as.character(sample(1:120, sample(1:6, 1)))
  docs <- paste0(sample(c("d", "D", "x-"), 30, TRUE), sample(1e4, 30))
  judgments <- do.call(rbind, lapply(queries, function(query) {
    own <- sample(docs, sample(1:25, 1))
    data.frame(query = query, doc = own, gain = sample(c(-1, 0, 0, 0, 1, 1, 2, 3, 11), length(own), TRUE))
  }))
  asked <- c(if (answered) queries else sample(queries, sample(length(queries), 1)), if (stats::runif(1) < 0.3) "999")
  run <- do.call(rbind, lapply(asked, function(query) {
    own <- sample(docs, sample(1:30, 1))
    score <- sample(-5:20, length(own), TRUE) / 4 + sample(c(0, 1e-9, 1e-3), length(own), TRUE)
    data.frame(query = query, doc = own, score = score)
  }))
  list(run = run[sample(nrow(run)), ], judgments = judgments)
}

# Options of trec_eval, and the equivalent ones of the command judicious.
random_options <- function(version, collection) {
  missing <- length(setdiff(collection$judgments$query, collection$run$query)) > 0
  # Without -c, version 10 stops at a query that the run does not answer.
  complete <- if (version == "10" && missing) TRUE else stats::runif(1) < 0.5
  level <- sample(1:2, 1)
  depth <- sample(c(NA, 3, 12), 1)
  judged <- stats::runif(1) < 0.25
  names <- list(c("all_trec", "yaap"), "official", "set", c("P.5,3", "ndcg_cut.2", "ndcg.1=3,2=9", "set_F.2"),
                c("utility.2,-1,.5,0", "relstring.4", "11pt_avg.0.2,0.5", "Rprec_mult.1.5", "success.2,1"))
  names <- names[[sample(length(names), 1, prob = c(6, 2, 1, 1, 1))]]
  list(
    theirs = c("-q", if (complete) "-c", "-l", level, if (!is.na(depth)) c("-M", depth), if (judged) "-J",
               rbind("-m", names)),
    ours = c("--per", "both", "--missing", if (complete) "zero" else "skip", "--rel", level,
             if (!is.na(depth)) c("--depth", depth), if (judged) c("--unjudged", "condensed"),
             "--measure", paste(names, collapse = ","), "--quiet")
  )
}

write_collection <- function(collection, folder) {
  run <- collection$run
  lines <- paste(run$query, "Q0", run$doc, "0", sprintf("%.12g", run$score), "tag")
  writeLines(lines, file.path(folder, "run"))
  known <- collection$judgments
  writeLines(paste(known$query, "0", known$doc, sprintf("%d", as.integer(known$gain))), file.path(folder, "qrels"))
}

# The lines of both programs, by measure and reason for leaving them out: how many, how many differ, and the first that
# differ.
compare_outputs <- function(collection, version, program, folder, options = random_options(version, collection)) {
  write_collection(collection, folder)
  path <- function(name) file.path(folder, name)
  system2(program, c(options$theirs, path("qrels"), path("run")), stdout = path("theirs"), stderr = FALSE)
  unlink(path("ours"))
  command <- c("evaluate", path("run"), "--judgments", path("qrels"), "--layout", versions[[version]], "--output",
               path("ours"), options$ours)
  said <- utils::capture.output(judicious:::cli_main(command), type = "message")
  theirs <- readLines(path("theirs"))
  ours <- if (file.exists(path("ours"))) readLines(path("ours")) else said
  n <- max(length(theirs), length(ours))
  theirs <- c(theirs, rep("", n - length(theirs)))
  ours <- c(ours, rep("", n - length(ours)))
  label <- trimws(sub("\t.*", "", ifelse(nzchar(theirs), theirs, ours)))
  lines <- data.frame(version = version, measure = sub("_[0-9.,=-]+$", "", label), theirs = theirs, ours = ours,
                      options = rep(paste(options$theirs, collapse = " "), n))
  lines$reason <- reason_left_out(lines, length(setdiff(collection$judgments$query, collection$run$query)) > 0)
  lines$unequal <- lines$theirs != lines$ours
  # Millions of lines are not kept.
  key <- paste(lines$measure, lines$reason, sep = "\r")
  first <- !duplicated(key)
  counts <- lines[first, c("version", "measure", "reason")]
  counts$lines <- tabulate(match(key, key[first]), sum(first))
  counts$unequal <- as.vector(rowsum(as.numeric(lines$unequal), key, reorder = FALSE))
  list(counts = counts, different = utils::head(lines[lines$unequal & !nzchar(lines$reason), ], 5))
}

# Runs of the data folder, one system each: those with ranks get descending scores.
data_collections <- function() {
  root <- Sys.getenv("JUDICIOUS_DATA")
  if (!nzchar(root)) return(list())
  read <- function(...) utils::read.delim(file.path(root, ...), colClasses = "character")
  by_system <- function(runs, judgments, query = "query") {
    judgments <- data.frame(query = judgments[[query]], doc = judgments$doc, gain = as.numeric(judgments[[3]]))
    judgments <- judgments[!duplicated(judgments[1:2]), ]
    lapply(split(runs, runs$system), function(run) {
      list(run = data.frame(query = run[[query]], doc = run$doc, score = 1000 - as.numeric(run$rank)),
           judgments = judgments)
    })
  }
  dl <- lapply(c("trec-dl-2019", "trec-dl-2020", "trec-dl-2022-silver"), function(name) {
    runs <- if (name == "trec-dl-2022-silver") "runs.tsv.gz" else "runs.tsv"
    by_system(read(name, runs), read(name, "judgments.tsv"))
  })
  clef <- by_system(read("clef-ehealth-2015", "runs_top10.tsv.gz"),
                    stats::setNames(read("clef-ehealth-2015", "qrels.tsv.gz"), c("topic", "doc", "grade")), "topic")
  mirex <- function(name, columns) {
    utils::read.table(file.path(root, "mirex-ams-2011", name), col.names = columns, colClasses = "character")
  }
  runs <- mirex("runs.txt", c("system", "query", "doc"))
  # The order of their results is unknown; any order serves for a comparison.
  runs$rank <- stats::ave(seq_len(nrow(runs)), runs$system, runs$query, FUN = seq_along)
  mirex <- by_system(runs, mirex("judgments.txt", c("query", "doc", "gain")))
  trec <- file.path(root, "trec-eval-sample")
  sample <- lapply(c("qrels.test", "qrels.rel_level"), function(name) {
    list(run = as.data.frame(read_runs(file.path(trec, "results.test")))[c("query", "doc", "score")],
         judgments = as.data.frame(read_judgments(file.path(trec, name))))
  })
  c(unlist(dl, recursive = FALSE), clef, mirex, sample)
}

main <- function(arguments) {
  given <- given_arguments(arguments, list(folder = Sys.getenv("TREC_EVAL_SOURCES"), collections = 1000))
  if (!nzchar(given$folder)) stop("Name the folder of the sources, or set TREC_EVAL_SOURCES.")
  folder <- tempfile("trec")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  programs <- build_trec_eval(given$folder, folder)
  set.seed(19)
  random <- lapply(seq_len(given$collections), function(i) random_collection(answered = i %% 2 == 0))
  collections <- c(random, data_collections())
  compared <- unlist(lapply(names(versions), function(version) {
    lapply(collections, compare_outputs, version, programs[[version]], folder)
  }), recursive = FALSE)
  counts <- do.call(rbind, lapply(compared, `[[`, "counts"))
  different <- do.call(rbind, lapply(compared, `[[`, "different"))
  total <- function(by, rows) stats::aggregate(counts[rows, c("lines", "unequal")], counts[rows, by, drop = FALSE], sum)
  cat(length(collections), "collections,", given$collections, "of them random\n")
  kept <- !nzchar(counts$reason)
  show("Lines by measure", total(c("version", "measure"), kept))
  cat(sum(counts$lines[kept] - counts$unequal[kept]), "of", sum(counts$lines[kept]), "lines are equal\n")
  if (!all(kept)) show("Lines left out", total("reason", !kept))
  if (nrow(different)) print(utils::head(different[c("version", "theirs", "ours", "options")], 20), row.names = FALSE)
}
if (sys.nframe() == 0) main(commandArgs(TRUE))
