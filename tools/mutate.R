#!/usr/bin/env Rscript
# Breaks one place of R/ at a time (an operator, a condition, a sort key or a constant) and tells whether the tests
# notice. Reports by layer, and lists the mutants that no test catches, with the tests that ran.
#
#   tools/mutate --r [n=200] [seed=1] [files=] [seconds=20] [which=] [out=]
#   tools/mutate --r named [seconds=20] [which=] [out=]          the mutants of tools/mutants in R/
# `n` mutants are drawn, as many from each layer of tools/layers, or from `files` (comma-separated names in R/); of
# these, `which` (numbers as they were printed) are tried, such as the survivors for a longer time. With `out`, each
# result is appended to this file as it is known, and mutants that the file has already are not tried again.
# The package is loaded once; each mutant is a fork of this process that evaluates the sources again, with the change,
# and runs tests until one fails, for at most `seconds` of processor time: those that tools/dev runs for the file, then
# those that mention the function or its callers.
# Files of tests are copied, so that no snapshot is changed.

invisible(compiler::enableJIT(0))
suppressMessages({
  arguments <- commandArgs(TRUE)
  package <- arguments[1]
  root <- normalizePath(arguments[2])
  arguments <- arguments[-(1:2)]
  pkgload::load_all(package, compile = FALSE, helpers = FALSE, attach_testthat = FALSE, quiet = TRUE)
  for (name in c("testthat", "withr", "DBI", "RSQLite", "shiny", "bslib", "ggplot2", "cli", "vctrs")) {
    requireNamespace(name, quietly = TRUE)
  }
})
source(file.path(root, "bench/common.R"), local = (common <- new.env()))
source(file.path(root, "tools/mutation-results.R"))
named <- "named" %in% arguments
given <- common$given_arguments(setdiff(arguments, "named"),
                                list(n = 200, seed = 1, files = "", seconds = 20, which = 0, out = ""))

ns <- asNamespace("judicious")
layers <- new.env()
for (e in as.list(parse(file.path(root, "tools/layers")))[1:8]) {
  if (is.call(e) && identical(as.character(e[[1]]), "<-") && as.character(e[[2]]) %in% c("r_layers", "place_of")) {
    eval(e, layers)
  }
}

collate <- strsplit(trimws(read.dcf(file.path(root, "DESCRIPTION"), "Collate")), "[[:space:]]+")[[1]]
collate <- setdiff(gsub("'", "", collate), c("RcppExports.R", "srr-standards.R", "judicious-package.R"))
lines_of <- stats::setNames(lapply(file.path(root, "R", collate), readLines), collate)
code_of <- lapply(lines_of, function(lines) parse(text = lines, keep.source = FALSE))

# -- What can be changed: file, line, columns, the text there and the one instead

operators <- c("<" = "<=", "<=" = "<", ">" = ">=", ">=" = ">", "==" = "!=", "!=" = "==", "&&" = "||", "||" = "&&",
               "&" = "|", "|" = "&", "+" = "-", "-" = "+", "*" = "/", "/" = "*")
swapped <- c(any = "all", all = "any", min = "max", max = "min", pmin = "pmax", pmax = "pmin", which.min = "which.max",
             which.max = "which.min", rowSums = "rowMeans", colSums = "colMeans", floor = "ceiling",
             ceiling = "floor")

other_constant <- function(text) {
  if (text %in% c("TRUE", "FALSE")) return(if (text == "TRUE") "FALSE" else "TRUE")
  if (!grepl("^[0-9.]+L?$", text)) return(NULL)
  number <- as.numeric(sub("L$", "", text))
  paste0(if (number == 0) 1 else if (number == 1) 2 else number + 1, if (endsWith(text, "L")) "L")
}

# The parsed tokens of a file, and what can be asked of them.
tokens_of <- function(file) {
  data <- utils::getParseData(parse(text = lines_of[[file]], keep.source = TRUE), includeText = TRUE)
  kids <- split(data$id, data$parent)
  row <- function(id) data[match(id, data$id), ]
  list(data = data, row = row, children = function(id) kids[[as.character(id)]])
}

# What is written instead of a token; NULL if it is left as it is.
instead_of <- function(token, tokens) {
  siblings <- tokens$children(token$parent)
  is_symbol <- token$token %in% c("SYMBOL", "STR_CONST")
  if (token$text %in% names(operators) && length(siblings) == 3 && !is_symbol) return(operators[[token$text]])
  switch(token$token,
    "'!'" = "",
    NUM_CONST = other_constant(token$text),
    SYMBOL_FUNCTION_CALL = if (token$text %in% names(swapped)) swapped[[token$text]]
  )
}

change_at <- function(first, last, from, to, kind) {
  data.frame(line1 = first$line1, col1 = first$col1, line2 = last$line2, col2 = last$col2, from = from, to = to,
             kind = kind)
}

# The keys of a call of order(): without the last, or the other way round.
change_of_keys <- function(token, tokens) {
  call <- tokens$children(tokens$row(token$parent)$parent)
  keys <- call[tokens$row(call)$token == "expr"][-1]
  keys <- keys[tokens$row(call[match(keys, call) - 1])$token != "EQ_SUB"]
  if (length(keys) < 2) return(change_at(token, token, token$text, "(\\(...) rev(order(...)))", "sort key"))
  last <- tokens$row(keys[length(keys)])
  comma <- tokens$row(call[match(keys[length(keys)], call) - 1])
  change_at(comma, last, paste0(", ", last$text), "", "sort key")
}

change_of_token <- function(token, tokens) {
  if (token$token == "IF") {
    condition <- tokens$row(tokens$children(token$parent)[3])
    return(change_at(condition, condition, condition$text, sprintf("!(%s)", condition$text), "condition"))
  }
  if (token$token == "SYMBOL_FUNCTION_CALL" && token$text == "order") return(change_of_keys(token, tokens))
  to <- instead_of(token, tokens)
  if (!is.null(to)) change_at(token, token, token$text, to, if (token$token == "NUM_CONST") "constant" else "operator")
}

# The tokens of a file that may be changed, by their numbers.
candidates_in <- function(file) {
  data <- utils::getParseData(parse(text = lines_of[[file]], keep.source = TRUE), includeText = NA)
  changeable <- c(names(operators), names(swapped), "!", "if", "order")
  found <- data$id[data$terminal & (data$token == "NUM_CONST" | data$text %in% changeable)]
  if (length(found)) data.frame(file = file, id = found)
}

changed_lines <- function(place) {
  lines <- lines_of[[place$file]]
  before <- substr(lines[place$line1], 1, place$col1 - 1)
  after <- substring(lines[place$line2], place$col2 + 1)
  c(head(lines, place$line1 - 1), strsplit(paste0(before, place$to, after), "\n", fixed = TRUE)[[1]],
    tail(lines, -place$line2))
}

# The name that the top-level expression around a line assigns.
function_around <- function(place) {
  parsed <- parse(text = lines_of[[place$file]], keep.source = TRUE)
  references <- attr(parsed, "srcref")
  at <- Find(function(i) references[[i]][1] <= place$line1 && references[[i]][3] >= place$line1, seq_along(parsed))
  e <- if (length(at)) parsed[[at]]
  if (is.call(e) && length(e) == 3 && is.symbol(e[[2]])) as.character(e[[2]]) else ""
}

# The mutants in R/ that tools/mutants names.
named_places <- function() {
  lines <- readLines(file.path(root, "tools/mutants"))
  heads <- grep("^R/", lines)
  do.call(rbind, lapply(heads, function(at) {
    file <- sub("^R/(\\S+).*", "\\1", lines[at])
    from <- sub("^- ", "", lines[at + 1])
    line <- grep(from, lines_of[[file]], fixed = TRUE)
    if (length(line) != 1) stop(file, " has ", length(line), " lines with: ", from)
    col <- regexpr(from, lines_of[[file]][line], fixed = TRUE)
    data.frame(file = file, line1 = line, col1 = as.integer(col), line2 = line, col2 = col + nchar(from) - 1L,
               from = from, to = sub("^[+] ", "", lines[at + 2]), kind = "named")
  }))
}

drawn_places <- function() {
  files <- if (nzchar(given$files[1])) given$files else collate
  candidates <- do.call(rbind, lapply(files, candidates_in))
  group <- if (nzchar(given$files[1])) rep(1L, nrow(candidates)) else layers$place_of(candidates$file)
  set.seed(given$seed)
  each <- ceiling(given$n / length(unique(group)))
  known <- new.env()
  change_of <- function(at) {
    file <- candidates$file[at]
    if (is.null(known[[file]])) known[[file]] <- tokens_of(file)
    change <- change_of_token(known[[file]]$row(candidates$id[at]), known[[file]])
    if (!is.null(change)) cbind(file = file, change)
  }
  some <- function(at) {
    found <- list()
    for (one in at[sample.int(length(at))]) {
      change <- change_of(one)
      if (!is.null(change)) found <- c(found, list(change))
      if (length(found) == each) break
    }
    do.call(rbind, found)
  }
  places <- do.call(rbind, lapply(split(seq_along(group), group), some))
  places[sample(nrow(places), min(given$n, nrow(places))), ]
}

# -- Tests

# Not in R's folder of temporary files, which a fork that crashes deletes.
work <- tempfile("mutants", dirname(tempdir()))
dir.create(file.path(work, "tests"), recursive = TRUE)
for (name in setdiff(list.files(root, all.files = TRUE, no.. = TRUE), c("tests", ".git"))) {
  file.symlink(file.path(root, name), file.path(work, name))
}
invisible(file.copy(file.path(root, "tests/testthat"), file.path(work, "tests"), recursive = TRUE))
Sys.setenv(JUDICIOUS_SOURCE = work, NOT_CRAN = "true")

test_text <- vapply(list.files(file.path(work, "tests/testthat"), "^test-.*[.]R$"), function(name) {
  paste(readLines(file.path(work, "tests/testthat", name)), collapse = "\n")
}, "")
# These run the installed package in another process, which is not changed, or start a server: they are left out.
elsewhere <- paste0("local_postgres\\(|new_browser\\(|serve_app\\(|start_process\\(|in_processes\\(|rscript\\(|",
                    "process[$]new\\(|system2\\((script|command)\\b")
for (name in names(test_text)[grepl(elsewhere, test_text)]) {
  parsed <- parse(text = test_text[[name]], keep.source = TRUE)
  parts <- vapply(attr(parsed, "srcref"), function(part) paste(as.character(part), collapse = "\n"), "")
  test_text[[name]] <- paste(parts[!(grepl("^test_that", parts) & grepl(elsewhere, parts))], collapse = "\n\n")
  writeLines(test_text[[name]], file.path(work, "tests/testthat", name))
}

tests_of <- function(place, within) {
  listed <- system2("bash", c(file.path(root, "tools/dev"), "--list", file.path("R", place$file)), stdout = TRUE)
  mentions <- if (nzchar(within)) grepl(paste0("\\b", gsub(".", "[.]", within, fixed = TRUE), "\\b"), test_text)
  generic <- sub("[.]judicious_.*", "", within)
  if (generic != within) mentions <- mentions | grepl(paste0("\\b", generic, "\\("), test_text)
  listed <- basename(listed)
  others <- if (length(mentions)) setdiff(names(test_text)[mentions], listed)
  # Of many, those that mention it most come first.
  if (length(listed) > 1 && nzchar(within)) {
    count <- lengths(regmatches(test_text[listed], gregexpr(within, test_text[listed], fixed = TRUE)))
    listed <- listed[order(-count)]
  }
  same_layer <- grep(paste0("^test-", sub("[-.].*", "", place$file), "[-.]"), names(test_text), value = TRUE)
  callers <- tests_of_callers(within)
  # Without a file of tests of its own, tests of the layer are nearer than any that mention a name of the file.
  own <- intersect(paste0("test-", place$file), listed)
  near <- c(intersect(c(others, callers), same_layer), same_layer)
  unique(if (length(own)) c(own, others, near, callers) else c(intersect(listed, same_layer), near, listed, callers))
}

# Which functions use a function, and those that the package exports.
used_by <- local({
  functions <- Filter(is.function, mget(ls(ns, all.names = TRUE), ns))
  uses <- lapply(functions, function(f) unique(all.names(body(f))))
  split(rep(names(uses), lengths(uses)), unlist(uses))
})
exported <- ls("package:judicious")

# The files that mention an exported function, or a generic, by which `within` is called; nearer callers come first.
tests_of_callers <- function(within, depth = 6) {
  seen <- now <- within
  found <- character()
  for (i in seq_len(depth)) {
    now <- setdiff(unlist(used_by[now], use.names = FALSE), seen)
    if (!length(now)) break
    seen <- c(seen, now)
    words <- unique(c(intersect(now, exported), sub("[.]judicious_.*", "", grep("[.]judicious_", now, value = TRUE))))
    if (!length(words)) next
    called <- paste0("\\b(", paste(gsub(".", "[.]", words, fixed = TRUE), collapse = "|"), ")\\(")
    count <- vapply(gregexpr(called, test_text), function(at) sum(at > 0), 0)
    found <- c(found, names(test_text)[order(-count)][seq_len(min(4, sum(count > 0)))])
  }
  unique(found)
}

passes <- function(test) {
  file <- file.path(work, "tests/testthat", test)
  null <- file(nullfile(), "w")
  sink(null)
  sink(null, type = "message")
  on.exit({
    sink(type = "message")
    sink()
    close(null)
  })
  results <- try(testthat::test_file(file, package = "judicious", load_package = "none", stop_on_failure = TRUE,
                                     reporter = testthat::StopReporter$new()), silent = TRUE)
  !inherits(results, "try-error")
}

namespace_file <- parseNamespaceFile("judicious", dirname(package), mustExist = FALSE)

replace_binding <- function(name, value, env) {
  if (bindingIsLocked(name, env)) unlockBinding(name, env)
  assign(name, value, env)
}

# Evaluates all sources, of `file` with these lines, as when the package is loaded.
load_changed <- function(file = NULL, lines = NULL) {
  if (!is.null(file)) code_of[[file]] <- parse(text = lines, keep.source = FALSE)
  # The namespace is locked against the temporary variables of some files.
  fresh <- new.env(parent = ns)
  for (code in code_of) for (e in as.list(code)) eval(e, fresh)
  for (name in intersect(ls(fresh, all.names = TRUE), ls(ns, all.names = TRUE))) {
    value <- get(name, fresh)
    if (is.function(value) && identical(environment(value), fresh)) environment(value) <- ns
    replace_binding(name, value, ns)
  }
  register_methods()
  attached <- as.environment("package:judicious")
  for (name in intersect(ls(attached), ls(ns))) replace_binding(name, get(name, ns), attached)
}

register_methods <- function() {
  methods <- namespace_file$S3methods
  here <- methods[is.na(methods[, 3]) & !grepl("::", methods[, 1]), , drop = FALSE]
  for (i in seq_len(nrow(here))) {
    name <- paste(here[i, 1], here[i, 2], sep = ".")
    if (exists(name, ns, inherits = FALSE)) registerS3method(here[i, 1], here[i, 2], get(name, ns), envir = ns)
  }
}

# The processor seconds of another process, and whether it waits for something.
state_of_process <- function(pid) {
  stat <- try(readLines(sprintf("/proc/%d/stat", pid), warn = FALSE), silent = TRUE)
  if (inherits(stat, "try-error")) return(list(used = 0, waits = FALSE))
  fields <- strsplit(sub(".*[)] ", "", stat), " ")[[1]]
  list(used = sum(as.numeric(fields[12:13])) / 100, waits = fields[1] == "S")
}

# The value of `code` in a fork; NULL if it takes more processor time than `seconds`, or waits for two minutes in all.
in_fork <- function(code, seconds) {
  dir.create(tempdir(), showWarnings = FALSE)
  job <- parallel::mcparallel(code, silent = TRUE)
  waited <- 0
  repeat {
    value <- parallel::mccollect(job, wait = FALSE, timeout = 1)
    state <- state_of_process(job$pid)
    waited <- waited + state$waits
    if (!is.null(value) || state$used > seconds || waited > 120) break
  }
  if (is.null(value)) tools::pskill(job$pid, tools::SIGKILL)
  suppressWarnings(parallel::mccollect(job, wait = is.null(value)))
  if (inherits(value[[1]], "try-error")) stop(value[[1]])
  value[[1]]
}

# The first of these tests that fails, or "", and those that ran: as many as the time allows.
first_failure <- function(tests) {
  start <- sum(proc.time()[1:2])
  for (i in seq_along(tests)) {
    if (!passes(tests[i])) return(list(by = tests[i], ran = tests[seq_len(i)]))
    if (sum(proc.time()[1:2]) - start > given$seconds) break
  }
  list(by = "", ran = tests[seq_len(i)])
}

# Whether a test passes on the code as it is. Later runs on the same sources know it from a file.
known_file <- file.path(dirname(package), "mutate-passed.rds")
sources <- rlang::hash(lines_of)
known <- if (file.exists(known_file)) readRDS(known_file)
passed <- if (identical(known$sources, sources)) known$passed else logical()
passes_unchanged <- function(test) {
  key <- paste(test, rlang::hash(test_text[[test]]))
  if (!key %in% names(passed)) {
    passed[[key]] <<- isTRUE(in_fork({
      load_changed()
      passes(test)
    }, 200))
    saveRDS(list(sources = sources, passed = passed), known_file)
  }
  passed[[key]]
}

# A mutant that does not load, or that takes much longer than the tests, is noticed, too.
fate <- function(place) {
  within <- function_around(place)
  tests <- tests_of(place, within)
  repeat {
    if (!length(tests)) return(list(within = within, by = "", ran = "no test"))
    found <- in_fork({
      loaded <- try(load_changed(place$file, changed_lines(place)), silent = TRUE)
      if (inherits(loaded, "try-error")) list(by = "loading") else first_failure(tests)
    }, 60 + 3 * given$seconds)
    if (is.null(found)) found <- list(by = "its time")
    if (!found$by %in% tests || passes_unchanged(found$by)) break
    tests <- setdiff(tests, found$by)
  }
  c(list(within = within), found)
}

places <- if (named) named_places() else drawn_places()
numbers <- if (given$which[1] > 0) given$which else seq_len(nrow(places))
started <- Sys.time()

# The results of earlier runs: the outcome depends on the place and on the change, not on the number.
key_of <- function(d) paste(d$file, d$line1, d$col1, d$to)
earlier <- earlier_results(given$out)
try_mutant <- function(i) {
  place <- places[i, ]
  place$layer <- names(layers$r_layers)[layers$place_of(place$file)]
  known <- match(key_of(place), key_of(earlier))
  if (!is.na(known)) return(cbind(place, earlier[known, c("within", "by", "ran")]))
  found <- fate(place)
  found$ran <- toString(found$ran)
  place <- cbind(place, found[c("within", "by", "ran")])
  keep_result(place, given$out)
  place
}
results <- do.call(rbind, lapply(numbers, function(i) {
  mutant <- try_mutant(i)
  cat(sprintf("%d. %s:%s %s: %s -> %s: %s\n", i, mutant$file, mutant$line1, mutant$within, one_line(mutant$from),
              one_line(mutant$to), outcome(mutant$by, mutant$ran)))
  mutant
}))
all_caught <- report_mutants(results, sprintf(", %.0f s", as.numeric(Sys.time() - started, units = "secs")))
unlink(work, recursive = TRUE)
quit(status = as.integer(!all_caught))
