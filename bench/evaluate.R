# Speed of evaluate() from run files, including reading them, for the 10 measures that papers report most.
#
#   Rscript bench/evaluate.R [runs] [queries] [depth] [large]
#
# The default is 50 runs x 100 queries x 1,000 results, and seven measures. Then, on Linux, the peak memory of runs of
# 1e6 results up to `large`, and of a hundred runs of a tenth of it. Where trec_eval is on the path it is timed
# on the same files in the same session, in alternation, and the ratios of processor time are printed; so is
# data.table's reader.
suppressMessages(library(judicious))
source("bench/common.R")

# Writes files of runs and judgments. A third of a run's documents are judged, the rest are not; some scores are tied.
write_runs <- function(folder, runs, queries, depth, pool_size = 300) {
  set.seed(1)
  corpus <- unique(sprintf("GX%03d-%02d-%08d", sample(0:271, 2e5, TRUE), sample(0:99, 2e5, TRUE), sample(1e7, 2e5)))
  ids <- 700 + seq_len(queries)
  pool <- lapply(ids, function(q) sample(corpus, pool_size))
  gain <- sample(-1:3, queries * pool_size, TRUE, c(.02, .7, .15, .08, .05))
  qrels <- file.path(folder, "qrels")
  writeLines(paste(rep(ids, each = pool_size), 0, unlist(pool), gain), qrels)
  paths <- vapply(seq_len(runs), function(r) {
    path <- file.path(folder, sprintf("run%03d", r))
    con <- file(path, "wb")
    on.exit(close(con))
    for (q in seq_along(ids)) {
      docs <- unique(c(sample(pool[[q]], min(100, depth)), sample(corpus, depth)))
      docs <- sample(docs[seq_len(min(length(docs), depth))])
      score <- sort(round(stats::rexp(length(docs)), 5), decreasing = TRUE)
      writeLines(paste0(ids[q], " Q0 ", docs, " ", seq_along(docs), " ", score, " run", r), con)
    }
    path
  }, "")
  list(paths = paths, qrels = qrels)
}

measures <- c("map", "P_10", "recall_100", "ndcg_cut_10", "recip_rank", "Rprec", "bpref")

# Includes the processor time of programs that R starts, which R counts as that of its children.
all_seconds <- function(code) sum(system.time(code)[c("user.self", "sys.self", "user.child", "sys.child")])

run_trec_eval <- function(files) {
  # trec_eval's options for measures with parameters have dots where its output has underscores.
  options <- paste("-m", sub("_(?=[0-9])", ".", measures, perl = TRUE))
  for (path in files$paths) system2("trec_eval", c("-q", options, files$qrels, path), stdout = FALSE)
}

evaluate_speed <- function(runs, queries, depth, times = 3) {
  folder <- tempfile("runs")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  files <- write_runs(folder, runs, queries, depth)
  tasks <- list(
    "evaluate(), 1 thread" = function() evaluate(files$paths, files$qrels, measures),
    "evaluate(), 2 threads" = function() evaluate(files$paths, files$qrels, measures, num_threads = 2),
    "read_runs()" = function() read_runs(files$paths),
    "evaluate(read_runs())" = function() evaluate(read_runs(files$paths), files$qrels, measures),
    "data.table::fread(), 1 thread" = if (has("data.table")) {
      function() for (path in files$paths) data.table::fread(path, header = FALSE, sep = " ", nThread = 1)
    },
    trec_eval = if (nzchar(Sys.which("trec_eval"))) function() run_trec_eval(files)
  )
  tasks <- Filter(Negate(is.null), tasks)
  time <- lapply(seq_len(times), function(i) {
    vapply(tasks, function(task) {
      wall <- system.time(cpu <- all_seconds(task()))[["elapsed"]]
      c(cpu, wall)
    }, c(cpu = 0, wall = 0))
  })
  best <- do.call(pmin, time)
  peer <- if ("trec_eval" %in% names(tasks)) best["cpu", "trec_eval"] else NA
  lines <- runs * queries * depth
  data.frame(task = names(tasks), lines, gigabytes = sum(file.size(files$paths)) / 1e9, cpu_seconds = best["cpu", ],
             wall_seconds = best["wall", ], nanoseconds_per_line = best["cpu", ] / lines * 1e9,
             times_trec_eval = peer / best["cpu", ], row.names = NULL)
}

# A run file of `queries` lists. Their lines differ only in the digits of the query, so that files of any size are made
# quickly.
write_large_run <- function(path, queries, depth = 1000) {
  rank <- seq_len(depth)
  docs <- sprintf("doc%07d", sample(1e7, depth))
  lines <- sprintf("q0000000 Q0 %s %d %.4f large\n", docs, rank, depth - rank / 7)
  bytes <- charToRaw(paste(lines, collapse = ""))
  digits <- outer(cumsum(c(0, nchar(lines)[-depth])) + 1, 1:7, "+")
  con <- file(path, "wb")
  on.exit(close(con))
  for (query in seq_len(queries)) {
    bytes[digits] <- rep(charToRaw(sprintf("%07d", query)), each = depth)
    writeBin(bytes, con)
  }
  docs
}

# Memory and time of evaluate() in a process of its own, on `runs` runs of `results` lines in lists of 1,000. Each query
# has three judgments. All runs are links to one file.
evaluate_memory <- function(results, runs = 1) {
  folder <- tempfile("large")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  at <- function(name) file.path(folder, name)
  queries <- results / 1000
  docs <- write_large_run(at("run"), queries)
  writeLines(paste(sprintf("q%07d", rep(seq_len(queries), each = 3)), 0, docs[c(2, 30, 400)], 1), at("judgments"))
  paths <- at(sprintf("run%05d", seq_len(runs)))
  file.link(rep(at("run"), runs), paths)
  dput(list(paths, at("judgments")), at("arguments"))
  writeLines(c(
    "suppressMessages(library(judicious))",
    "memory <- function() gsub('[^0-9]', '', grep('VmHWM', readLines('/proc/self/status'), value = TRUE))",
    "arguments <- dget(commandArgs(TRUE))",
    "read <- function() suppressMessages(evaluate(arguments[[1]], arguments[[2]], c('AP', 'nDCG@10'), per = 'mean'))",
    "cat(memory(), sum(system.time(read())[1:2]), memory())"
  ), at("script.R"))
  said <- system2(file.path(R.home("bin"), "Rscript"), c(at("script.R"), at("arguments")), stdout = TRUE)
  said <- as.numeric(strsplit(said, " ")[[1]])
  data.frame(results = results * runs, runs, queries, gigabytes = file.size(at("run")) * runs / 1e9,
             megabytes_before = said[1] / 1024, peak_megabytes = said[3] / 1024, cpu_seconds = said[2])
}

# AP of one run of 1e6 results, the lists of 1,000 queries, of which `judged` queries have judgments: evaluate(),
# trec_eval -c and data.table's reader in alternation. R's peak memory is that of a separate process.
judged_speed <- function(judged, times = 5) {
  folder <- tempfile("judged")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  at <- function(name) file.path(folder, name)
  set.seed(1)
  corpus <- sprintf("D%08d", sample(1e8, 2e5))
  query <- rep(seq_len(1000), each = 1000)
  docs <- unlist(lapply(seq_len(1000), function(q) sample(corpus, 1000)))
  writeLines(sprintf("%d Q0 %s %d %.4f run", query, docs, 1:1000, 20 - (1:1000) / 70), at("run"))
  n <- if (judged <= 1000) 100 else if (judged <= 1e5) 30 else 1
  pairs <- unlist(lapply(seq_len(judged), function(q) sample.int(length(corpus), n)))
  gain <- if (n > 1) sample(0:2, judged * n, TRUE, c(.6, .2, .2)) else 1
  writeLines(sprintf("%d 0 %s %d", rep(seq_len(judged), each = n), corpus[pairs], gain), at("judgments"))
  code <- sprintf("suppressWarnings(suppressMessages(evaluate('%s', '%s', 'map')))", at("run"), at("judgments"))
  peak <- "cat(gsub('[^0-9]', '', grep('VmHWM', readLines('/proc/self/status'), value = TRUE)))"
  tasks <- list(
    evaluate = function() eval(parse(text = code)),
    trec_eval = if (nzchar(Sys.which("trec_eval"))) function() {
      system2("trec_eval", c("-c", "-m", "map", at("judgments"), at("run")), stdout = FALSE)
    },
    fread = if (has("data.table")) function() data.table::fread(at("run"), header = FALSE, sep = " ", nThread = 1)
  )
  tasks <- Filter(Negate(is.null), tasks)
  seconds <- do.call(pmin, lapply(seq_len(times), function(i) vapply(tasks, function(task) all_seconds(task()), 0)))
  memory <- NA
  if (file.exists("/proc/self/status")) {
    words <- shQuote(c("-e", paste("library(judicious); x <-", code, ";", peak)))
    memory <- as.numeric(system2(file.path(R.home("bin"), "Rscript"), words, stdout = TRUE, stderr = FALSE)) / 1024
  }
  data.frame(judged_queries = judged, judgments = judged * n, t(seconds),
             times_trec_eval = if ("trec_eval" %in% names(seconds)) seconds["trec_eval"] / seconds["evaluate"] else NA,
             peak_megabytes = memory, row.names = NULL)
}

# Reads a run of 1e6 results as a data frame and uses its documents once, compared with data.table's reader, which
# creates all strings while it reads. `distinct`: the number of different documents.
frame_speed <- function(distinct, times = 3) {
  path <- tempfile("frame")
  on.exit(unlink(path))
  doc <- sprintf("D%08d", sample(1e8, distinct)[rep_len(sample(distinct), 1e6)])
  writeLines(sprintf("%d Q0 %s %d %.4f run", rep(1:1000, each = 1000), doc, 1:1000, 20 - (1:1000) / 70), path)
  readers <- list(read_runs = function() read_runs(path)$doc,
                  fread = if (has("data.table")) function() {
                    data.table::fread(path, header = FALSE, sep = " ", nThread = 1)$V3
                  })
  uses <- list(`==` = function(x) sum(x == "d"), nchar = function(x) sum(nchar(x)), unique = unique,
               `sort, radix` = function(x) order(x, method = "radix"), match = function(x) match(x, x[1:100]),
               `paste0()` = function(x) paste0(x, "x"), `half of it` = function(x) x[c(TRUE, FALSE)])
  one <- function(read, use) {
    gc()
    read_seconds <- all_seconds(x <- read())
    c(read_seconds, all_seconds(use(x)))
  }
  rows <- lapply(Filter(Negate(is.null), readers), function(read) {
    best <- function(use) do.call(pmin, replicate(times, one(read, use), simplify = FALSE))
    t(vapply(uses, best, c(read = 0, use = 0)))
  })
  data.frame(distinct, use = names(uses), do.call(cbind, rows), row.names = NULL)
}

# Processor time of the command on the bundled run, of R alone, and of R with the namespace of Rcpp, which compiled code
# with Rcpp needs. Measured on a busy machine, as the minimum of 20 alternating runs: R alone .143 s, the command .212.
# The difference consists of loading this package (.03) and of the work (.03). Most of the time of Rcpp's namespace
# (.08) is spent in methods::cacheMetaData() for its S4 classes; the command avoids S4 where it can, see exec/judicious.
# Starting R without its default packages saves nothing: Rcpp and stats need all of them, and loading them as namespaces
# is as slow.
command_speed <- function(times = 5) {
  demo <- function(name) system.file("extdata", "demo", name, package = "judicious", mustWork = TRUE)
  rscript <- file.path(R.home("bin"), "Rscript")
  command <- c(system.file("exec", "judicious", package = "judicious"), "evaluate", "--judgments", demo("qrels.txt"),
               demo("trec.run"))
  time <- function(words, program = rscript) {
    min(replicate(times, all_seconds(system2(program, words, stdout = FALSE, stderr = FALSE))))
  }
  peer <- nzchar(Sys.which("trec_eval"))
  peer_words <- c("-c", "-m", "official", demo("qrels.txt"), demo("trec.run"))
  data.frame(command = c("judicious evaluate", "R alone", "R and Rcpp", if (peer) "trec_eval"),
             cpu_seconds = c(time(command), time(c("-e", "NULL")), time(c("-e", shQuote("loadNamespace('Rcpp')"))),
                             if (peer) time(peer_words, "trec_eval")))
}

main <- function(arguments) {
  size <- given_arguments(arguments, list(runs = 50, queries = 100, depth = 1000, large = 1e7))
  show("Seven measures of run files", evaluate_speed(size$runs, size$queries, size$depth))
  if (!nzchar(Sys.which("trec_eval"))) cat("trec_eval is not installed, so there is nothing to compare with\n")
  show("AP of 1e6 results of 1,000 queries, by judged queries: seconds of processor time",
       do.call(rbind, lapply(c(1000, 10000, 500000), judged_speed)))
  show("Data frames of 1e6 results: seconds for reading, and for using the documents once",
       do.call(rbind, lapply(c(2e5, 1e6), frame_speed)))
  show("One small run", command_speed())
  if (file.exists("/proc/self/status")) {
    large <- c(lapply(10^(6:log10(size$large)), evaluate_memory), list(evaluate_memory(size$large / 10, 100)))
    show("Memory and time of AP and nDCG@10 of large files", do.call(rbind, large))
  }
}
if (sys.nframe() == 0) main(commandArgs(TRUE))
