# Functions that the bench scripts share. They run from the package's folder, as in `Rscript bench/pom.R`, and print
# their results; their functions return data frames, which bench/report.Rmd shows.

# The arguments of a script, given as `name=value` or in the order of `defaults`, which they replace. A value has the
# type of its default; commas separate the elements of a vector.
given_arguments <- function(arguments, defaults) {
  names <- ifelse(grepl("=", arguments, fixed = TRUE), sub("=.*", "", arguments), names(defaults)[seq_along(arguments)])
  unknown <- arguments[!names %in% names(defaults)]
  if (length(unknown)) stop("Unknown argument ", unknown[1], "; there are ", toString(names(defaults)), ".")
  values <- strsplit(sub("^[^=]*=", "", arguments), ", *")
  defaults[names] <- Map(methods::as, values, vapply(defaults[names], class, ""))
  defaults
}

has <- function(package) requireNamespace(package, quietly = TRUE)

# Processor time, which does not depend on the load of the machine.
cpu_seconds <- function(code) sum(system.time(code)[c("user.self", "sys.self")])

# Processor seconds of one call: the best of three. A call that is much shorter than the clock's tick is timed in
# batches; one that takes a second is timed once.
time_call <- function(call) {
  first <- cpu_seconds(call())
  if (first > 1) return(first)
  batch <- max(1, ceiling(0.1 / max(first, 1e-3)))
  min(vapply(1:3, function(i) cpu_seconds(for (j in seq_len(batch)) call()), 0)) / batch
}

# The result of `make`, stored as a file in the folder `store`, so that an interrupted study continues where it ended.
# If the store is "", nothing is stored.
kept_result <- function(store, key, make) {
  if (!nzchar(store)) return(make())
  path <- file.path(store, paste0(gsub("[^A-Za-z0-9+]+", "-", paste(key, collapse = " ")), ".rds"))
  if (!file.exists(path)) {
    dir.create(store, FALSE, TRUE)
    # Written under another name first, because a study may be interrupted here.
    saveRDS(make(), paste0(path, ".part"))
    file.rename(paste0(path, ".part"), path)
  }
  readRDS(path)
}

# Opens a folder of results; raises an error if its results come from another build of the package or from other
# scripts.
open_store <- function(store, scripts) {
  dir.create(store, showWarnings = FALSE, recursive = TRUE)
  files <- file.path(c("R", "libs"), c("judicious.rdb", paste0("judicious", .Platform$dynlib.ext)))
  build <- unname(tools::md5sum(c(system.file(files, package = "judicious"), scripts)))
  path <- file.path(store, "build.txt")
  if (file.exists(path) && !identical(readLines(path), build)) {
    stop("The results in ", store, " are of another build of judicious, or of other scripts. ",
         "Name another folder as store.")
  }
  writeLines(build, path)
}

show <- function(title, table, digits = 3) {
  cat("\n", title, "\n", sep = "")
  print(table, digits = digits, row.names = FALSE)
}

# A row of a table of limits: the bounded quantity, its value and bounds, and whether it is within them.
limit_row <- function(what, value, least = -Inf, most = Inf) {
  data.frame(what, value = signif(value, 3), least, most,
             holds = if (all(value >= least & value <= most)) "" else "FAILS")
}

# Ends a script with status 1 if a limit is not met.
quit_on_failures <- function(limits) {
  failed <- sum(limits$holds == "FAILS")
  if (!failed) return(invisible())
  message(failed, " of ", nrow(limits), " limits are not met.")
  quit(status = 1)
}

# The judged MIREX 2011 edition, k = 5, or NULL if it is not in the folder JUDICIOUS_DATA.
mirex_2011 <- function() {
  root <- Sys.getenv("JUDICIOUS_DATA")
  path <- file.path(root, "mirex-ams-2011")
  if (!nzchar(root) || !dir.exists(path)) return(NULL)
  file <- function(name) file.path(path, name)
  suppressWarnings(judicious::test_collection(
    file("runs.txt"), documents = file("metadata.txt"), systems = file("teams.tsv"),
    judgments = file("judgments.txt"), k = 5
  ), classes = "judicious_warning_no_metadata")
}

# The 23 runs of CLEF eHealth 2015 whose top 10 is fully judged; `site` uses a document's web site as its artist.
clef <- function(site = TRUE, team = TRUE) {
  path <- file.path(Sys.getenv("JUDICIOUS_DATA"), "clef-ehealth-2015")
  runs <- read.delim(gzfile(file.path(path, "runs_top10.tsv.gz")))
  names(runs)[names(runs) == "topic"] <- "query"
  runs <- runs[runs$system %in% readLines(file.path(path, "fully_judged_runs.txt")), ]
  truth <- read.delim(gzfile(file.path(path, "qrels.tsv.gz")), col.names = c("query", "doc", "gain"))
  systems <- unique(runs[c("system", "team")])
  if (!team) systems$team <- systems$system
  documents <- if (site) data.frame(doc = unique(runs$doc), artist = sub("[.]?[0-9]+_.*$", "", unique(runs$doc)))
  suppressWarnings(judicious::test_collection(runs[c("system", "query", "doc", "rank")], documents, systems,
                                              judgments = truth, k = 10, scale = judicious::gain_scale(0:2)))
}

# The machine on which the numbers were measured.
machine <- function() {
  cpu <- if (file.exists("/proc/cpuinfo")) grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)
  version <- function(package) if (has(package)) paste(package, utils::packageVersion(package))
  peers <- unlist(lapply(c("MASS", "ordinal", "VGAM", "rms"), version))
  data.frame(
    what = c("processor", "cores", "system", "R", "BLAS", "LAPACK", "judicious", "peers", "trec_eval"),
    value = c(
      if (length(cpu)) sub("^[^:]*: *", "", cpu[1]) else Sys.info()[["machine"]], parallel::detectCores(),
      paste(Sys.info()[c("sysname", "release")], collapse = " "), R.version.string, extSoftVersion()[["BLAS"]],
      La_library(), as.character(utils::packageVersion("judicious")),
      if (length(peers)) paste(peers, collapse = ", ") else "none", if (nzchar(Sys.which("trec_eval"))) "yes" else "no"
    )
  )
}
