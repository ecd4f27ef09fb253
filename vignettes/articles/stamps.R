# Stamps of behaviour: which belief, which script and which data a stored result, or a figure in prose, comes from.
#
# results/behaviour.csv has what the package states on three small collections: estimates, standard deviations and
# chosen documents. Its identifier, a short hash of these numbers, changes if and only if they do: a renamed function
# leaves results as they are, and a changed belief makes them stale.
#
# results/stamps.csv has a row for each stored table and for each script of bench/ that a document names, because its
# figures stand there: what they depend on ("belief", "published", "ordinal", or "none"), the identifier of the
# behaviour, the hashes of the script and of its data, the date, and about how many minutes a run takes. `stale` says why
# a result is known to be of another behaviour than today's; the document says so, too.
#
# From the package's folder:
#   Rscript vignettes/articles/build.R --stale   lists what to run again
#   Rscript vignettes/articles/stamps.R --behaviour   stores today's behaviour, after a change of belief
#   Rscript vignettes/articles/stamps.R README.md bench/rivals.R   stamps a result that was made anew
stamps_folder <- function(root) file.path(root, "vignettes", "articles", "results")

# Collections of some queries: one with grades, one of music, and one of single answers that no two systems share.
stamp_collections <- function() {
  some <- function(x, n) {
    runs <- as.data.frame(x)
    runs <- runs[runs$query %in% x$queries$query[seq_len(n)], c("system", "query", "doc", "rank")]
    test_collection(runs, documents = x$documents, systems = x$systems, queries = x$queries, k = x$k, scale = x$scale,
                    judgments = judgments_of(x)[judgments_of(x)$query %in% runs$query, ])
  }
  answers <- expand.grid(system = sprintf("s%d", 1:6), query = sprintf("q%02d", 1:30), stringsAsFactors = FALSE)
  answers$doc <- paste0(answers$query, "-", answers$system)
  answers$rank <- 1
  gains <- data.frame(answers[c("query", "doc")], gain = (seq_len(nrow(answers)) * 7) %% 11 %/% 3)
  list(text = suppressWarnings(some(text_demo, 12)), music = suppressWarnings(some(ams_demo, 20)),
       answers = test_collection(answers, k = 1, scale = 0:3, judgments = gains))
}

# Numbers that any change of belief, selection or ordinal regression changes.
behaviour <- function() {
  quietly <- function(code) suppressMessages(suppressWarnings(code))
  numbers_of <- function(r) unname(c(r$mean, sqrt(pmax(diag(as.matrix(r$covariance)), 0))))
  of_collection <- function(name, x) {
    judged <- judgments_of(x)
    given <- judged[seq(1, nrow(judged), length.out = 30), ]
    grades <- if (name == "text") text_grades[text_grades$query %in% x$queries$query, ]
    session <- judging_session(x, grades = grades, judgments = FALSE, goal = goal_budget(25), seed = 1)
    run_session(session, judged, progress = FALSE)
    chosen <- match(do.call(paste, judgments_of(session)[c("query", "doc")]), do.call(paste, judged[c("query", "doc")]))
    numbers <- list(prior = numbers_of(rank_systems(x, judgments = FALSE)),
                    judged = numbers_of(rank_systems(x, judgments = given, grades = grades)),
                    session = numbers_of(rank_systems(session)))
    # Systems that share nothing are exchangeable: rounding decides which of equal documents a session selects, and how
    # draws are rotated.
    if (name == "answers") return(numbers[c("prior", "judged")])
    drawn <- rank_systems(x, judgments = given, measure = paste0("nDCG@", x$k), draws = 100, seed = 1)
    c(numbers, list(nDCG = numbers_of(drawn), chosen = chosen))
  }
  collections <- stamp_collections()
  belief <- quietly(Map(of_collection, names(collections), collections))
  music <- collections$music
  session <- quietly(mtc(music, judgments_of(music), mirex_model("output", "fine"), mirex_model("judge", "fine"),
                         confidence = 0.9))
  steps <- as.data.frame(session, truth = judgments_of(music))[c("judged", "confidence", "accuracy", "tau")]
  published <- c(quietly(numbers_of(rank_systems(music, "published", judgments = FALSE))), unlist(steps))
  fit <- quietly(pom(factor(round(ams_demo$gain / 25), ordered = TRUE) ~ pTEAM + sGEN + pGEN,
                     cbind(output_features(ams_demo))))
  parts <- list(belief = unlist(belief), published = unname(published),
                ordinal = unname(c(coef(fit), sqrt(diag(vcov(fit))))))
  data.frame(part = rep(names(parts), lengths(parts)), name = names(unlist(unname(lapply(parts, numbered)))),
             value = signif(unlist(parts, use.names = FALSE), 8))
}

numbered <- function(values) {
  if (is.null(names(values))) names(values) <- seq_along(values)
  values
}

# A short hash of text, by the means of R alone.
short_hash <- function(text) {
  file <- tempfile()
  on.exit(unlink(file))
  writeLines(text, file)
  substr(unname(tools::md5sum(file)), 1, 8)
}

behaviour_ids <- function(numbers) {
  vapply(split(numbers, numbers$part), function(part) short_hash(sprintf("%s %.5g", part$name, part$value)), "")
}

stored_behaviour <- function(root) utils::read.csv(file.path(stamps_folder(root), "behaviour.csv"))

# The largest relative difference of today's numbers from the stored ones, by part; Inf where they cannot be compared.
behaviour_change <- function(stored, now = behaviour()) {
  vapply(split(stored, stored$part), function(a) {
    b <- now[now$part == a$part[1], ]
    if (!identical(as.character(a$name), as.character(b$name))) return(Inf)
    max(abs(a$value - b$value) / pmax(abs(a$value), 1e-3))
  }, 0)
}

stored_stamps <- function(root) {
  utils::read.csv(file.path(stamps_folder(root), "stamps.csv"), colClasses = c(stale = "character"), na.strings = NULL)
}

# What must have a stamp: stored tables, and the scripts of bench/ that README, help pages and vignettes name.
stamped_figures <- function(root) {
  documents <- c("README.md", file.path("man", list.files(file.path(root, "man"), "[.]Rd$")),
                 file.path("vignettes", list.files(file.path(root, "vignettes"), "[.]Rmd$", recursive = TRUE)))
  named <- lapply(documents, function(document) {
    text <- readLines(file.path(root, document), warn = FALSE)
    unique(unlist(regmatches(text, gregexpr("bench/[a-z-]+[.]R\\b", text))))
  })
  tables <- setdiff(list.files(stamps_folder(root), "[.]csv"), c("behaviour.csv", "stamps.csv"))
  rbind(data.frame(result = rep(documents, lengths(named)), script = as.character(unlist(named))),
        data.frame(result = file.path("vignettes/articles/results", tables), script = "")[seq_along(tables), ])
}

script_hash <- function(root, script) {
  path <- file.path(root, script)
  if (nzchar(script) && file.exists(path)) short_hash(readLines(path)) else ""
}

# The names and sizes of the files of the data, which cannot be redistributed.
data_hash <- function(folder = Sys.getenv("JUDICIOUS_DATA")) {
  if (!nzchar(folder)) return("")
  files <- sort(list.files(folder, recursive = TRUE), method = "radix")
  files <- files[basename(files) != "README.md"]
  short_hash(paste(files, file.size(file.path(folder, files))))
}

# Why each result should be made anew; empty where it need not be. Data are compared if they are here.
stale_reasons <- function(root, stamps = stored_stamps(root)) {
  today <- behaviour_ids(stored_behaviour(root))
  own <- stamps$depends %in% names(today)
  script <- vapply(stamps$script, function(script) script_hash(root, script), "")
  reasons <- cbind(
    ifelse(own & stamps$behaviour != today[stamps$depends], paste("other", stamps$depends), NA),
    ifelse(nzchar(stamps$script_hash) & stamps$script_hash != script, "other script", NA),
    ifelse(nzchar(stamps$data_hash) & nzchar(data_hash()) & stamps$data_hash != data_hash(), "other data", NA)
  )
  apply(reasons, 1, function(row) toString(row[!is.na(row)]))
}

# The sentence that a document has of the scripts whose figures in it are of an earlier version.
stale_scripts_in <- function(root, document) {
  text <- gsub("\\s+", " ", paste(sub("^#'", "", readLines(file.path(root, document), warn = FALSE)), collapse = " "))
  said <- regmatches(text, regexpr("Figures of [^(]* are of an earlier version", text))
  as.character(unlist(regmatches(said, gregexpr("bench/[a-z-]+[.]R", said))))
}

list_stale <- function(root) {
  stamps <- stored_stamps(root)
  stamps$why <- stale_reasons(root, stamps)
  print(stamps[nzchar(stamps$why), c("result", "script", "date", "minutes", "why")], row.names = FALSE)
}

if (any(grepl("^--file=(.*/)?stamps[.]R$", commandArgs()))) local({
  suppressMessages(library(judicious))
  arguments <- commandArgs(trailingOnly = TRUE)
  results <- stamps_folder(".")
  if (identical(arguments, "--behaviour")) {
    now <- behaviour()
    utils::write.csv(now, file.path(results, "behaviour.csv"), row.names = FALSE)
    print(behaviour_ids(now))
    return(invisible())
  }
  stamps <- stored_stamps(".")
  at <- which(stamps$result == arguments[1] & (length(arguments) < 2 | stamps$script %in% arguments[2]))
  if (!length(at)) stop("results/stamps.csv has no row of ", toString(arguments), ": add it.", call. = FALSE)
  if (any(behaviour_change(stored_behaviour(".")) > 1e-6)) {
    stop("The behaviour has changed since it was stored: see the head of stamps.R.", call. = FALSE)
  }
  ids <- behaviour_ids(stored_behaviour("."))
  stamps$behaviour[at] <- ifelse(stamps$depends[at] %in% names(ids), ids[stamps$depends[at]], "")
  stamps$script_hash[at] <- vapply(stamps$script[at], function(script) script_hash(".", script), "")
  stamps$data_hash[at] <- data_hash()
  stamps$date[at] <- format(Sys.Date())
  stamps$stale[at] <- ""
  utils::write.csv(stamps, file.path(results, "stamps.csv"), row.names = FALSE)
})
