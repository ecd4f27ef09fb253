#!/usr/bin/env Rscript
# Breaks one place of src/core at a time (an operator, a condition, a choice or a constant) and tells whether the Catch2
# tests notice. Reports by layer, which is a folder, and lists the mutants that no test catches.
#
#   bash tools/mutate --core [n=100] [seed=1] [files=] [out=]
# `n` mutants are drawn, as many from each layer, or from `files` (comma-separated, such as text/table.cpp). With `out`,
# each result is appended to this file as it is known, and mutants that the file has already are not tried again.
# A mutant costs one object and the linking of the tests that tools/dev runs for the file, then of those for the files
# that include it; a mutant of a header, the objects of its tests and of three sources. A draw that does not compile is
# replaced.

arguments <- commandArgs(TRUE)
build <- normalizePath(arguments[1])
root <- normalizePath(arguments[2])
source(file.path(root, "bench/common.R"), local = (common <- new.env()))
source(file.path(root, "tools/mutation-results.R"))
given <- common$given_arguments(arguments[-(1:2)], list(n = 100, seed = 1, files = "", out = ""))
core <- file.path(root, "src/core")
commands <- jsonlite::fromJSON(file.path(build, "compile_commands.json"))
all_files <- list.files(core, "[.][ch]pp$", recursive = TRUE)
text_of <- function(path) paste(readLines(path), collapse = "\n")
sources <- vapply(file.path(core, all_files), text_of, "", USE.NAMES = FALSE)
names(sources) <- all_files

# -- What can be changed: from where, to where, and what is written instead

operators <- c("<" = "<=", "<=" = "<", ">" = ">=", ">=" = ">", "==" = "!=", "!=" = "==", "&&" = "||", "||" = "&&",
               "+" = "-", "-" = "+", "*" = "/", "/" = "*", "+=" = "-=", "-=" = "+=", "*=" = "/=", "/=" = "*=")
swapped <- c("std::min" = "std::max", "std::max" = "std::min", "std::floor" = "std::ceil", "std::ceil" = "std::floor",
             "std::less" = "std::greater", "std::greater" = "std::less", "true" = "false", "false" = "true")

# The text with comments, strings, preprocessor lines and what is computed when compiling as spaces.
code_alone <- function(text) {
  blank <- paste0("(?s)//[^\n]*|/[*].*?[*]/|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)+'|(?m:^ *#[^\n]*)|",
                  "static_assert[^;]*;|constexpr[^;{]*")
  at <- gregexpr(blank, text, perl = TRUE)
  regmatches(text, at) <- list(gsub("[^\n]", " ", regmatches(text, at)[[1]]))
  text
}

matches_in <- function(pattern, code) {
  at <- gregexpr(pattern, code, perl = TRUE)[[1]]
  if (at[1] < 0) return(data.frame(first = integer(), last = integer()))
  data.frame(first = as.integer(at), last = as.integer(at) + attr(at, "match.length") - 1L)
}

any_of <- function(words) paste0("(", paste(gsub("([*+|])", "[\\1]", words[order(-nchar(words))]), collapse = "|"), ")")

other_constant <- function(number) {
  value <- as.numeric(number)
  changed <- format(if (value == 0) 1 else if (value == 1) 2 else value + 1, scientific = FALSE, digits = 15)
  if (grepl(".", number, fixed = TRUE) && !grepl(".", changed, fixed = TRUE)) paste0(changed, ".0") else changed
}

# The conditions of `if`, between their parentheses; none that declares a variable.
conditions_in <- function(code) {
  at <- matches_in("\\bif \\(", code)
  if (!nrow(at)) return(at)
  letters <- strsplit(code, "")[[1]]
  depth <- cumsum((letters == "(") - (letters == ")"))
  at$first <- at$last + 1L
  closing <- function(first) first - 2L + which(depth[seq(first, length(depth))] < depth[first - 1])[1]
  at$last <- vapply(at$first, closing, 0L)
  at[!grepl(";", substring(code, at$first, at$last), fixed = TRUE), ]
}

candidates_in <- function(file) {
  code <- code_alone(sources[[file]])
  found <- list(operator = matches_in(paste0("(?<= )", any_of(names(operators)), "(?= )"), code),
                choice = matches_in(paste0("\\b", any_of(names(swapped)), "\\b"), code),
                constant = matches_in("(?<![\\w.<])[0-9]+([.][0-9]+)?(?![\\w.'>])", code),
                condition = conditions_in(code))
  found <- do.call(rbind, Map(function(at, kind) cbind(at, kind = rep(kind, nrow(at))), found, names(found)))
  if (!nrow(found)) return()
  from <- substring(code, found$first, found$last)
  to <- ifelse(found$kind == "condition", paste0("!(", from, ")"), c(operators, swapped)[from])
  constant <- found$kind == "constant"
  to[constant] <- vapply(from[constant], other_constant, "")
  line <- lengths(regmatches(substring(code, 1, found$first), gregexpr("\n", substring(code, 1, found$first)))) + 1L
  data.frame(file = file, layer = dirname(file), line = line, found, from = from, to = unname(to))
}

# -- Tests

listed_for <- local({
  known <- list()
  function(file) {
    if (is.null(known[[file]])) {
      listed <- system2("bash", c(file.path(root, "tools/dev"), "--list", file.path("src/core", file)), stdout = TRUE)
      known[[file]] <<- as.list(sub("[.]cpp$", "", basename(listed)))
    }
    unlist(known[[file]])
  }
})
users_of <- function(file) {
  header <- sub("cpp$", "hpp", file)
  includes <- function(name) grepl(paste0("\"", name, "\""), sources, fixed = TRUE)
  beside <- dirname(names(sources)) == dirname(file)
  setdiff(names(sources)[includes(header) | (beside & includes(basename(header)))], c(file, header))
}

# The programs that tools/dev runs for a file, and then, unless all would be compiled anew, those for its users.
programs_of <- function(file) {
  if (grepl("hpp$", file)) return(listed_for(file))
  unique(as.character(c(listed_for(file), unlist(lapply(users_of(file), listed_for)))))
}

run <- function(command, seconds) {
  system(sprintf("cd %s && ulimit -t %d && (%s) >%s/log 2>&1", shQuote(build), ceiling(seconds), command,
                 shQuote(work))) == 0
}

# A test that fails anyway, or that needs much time, would seem to catch every mutant.
time_of <- local({
  known <- numeric()
  function(program) {
    if (is.na(known[program])) {
      made <- file.exists(file.path(build, program)) || run(sprintf("cmake --build . --target %s/fast", program), 600)
      used <- system.time(if (!made || !run(paste0("./", program), 600)) stop(program, " fails on the core as it is."))
      known[[program]] <<- sum(used[4:5])
    }
    known[[program]]
  }
})

work <- tempfile("mutants")
copied <- file.path(work, "core")
dir.create(work)
invisible(file.copy(core, work, recursive = TRUE))

# Compiles a source as its command says, but from the copy of the core that has the mutant; the object's name.
compile <- function(path) {
  command <- commands$command[match(path, commands$file)]
  object <- file.path(work, paste0(basename(path), ".o"))
  source <- sub(core, copied, path, fixed = TRUE)
  command <- sub(" -o \\S+ -c \\S+$", sprintf(" -w -g0 -o %s -c %s", object, source), command)
  command <- sub(" -I\\S+/src/core", paste0(" -I", copied), command)
  if (run(sub(" -Werror", "", command), 300)) object else NA_character_
}

# The objects of a mutant, or those of the tests and the sources that include the header.
objects_of <- function(mutant, programs) {
  changed <- file.path(copied, mutant$file)
  text <- sources[[mutant$file]]
  writeLines(paste0(substring(text, 1, mutant$first - 1), mutant$to, substring(text, mutant$last + 1)), changed)
  on.exit(writeLines(text, changed))
  if (grepl("[.]cpp$", mutant$file)) return(compile(file.path(core, mutant$file)))
  users <- grep("[.]cpp$", users_of(mutant$file), value = TRUE)
  vapply(c(file.path(root, "tests/cpp", paste0(programs, ".cpp")), file.path(core, head(users, 3))), compile, "")
}

# Links a program with these objects in front of the core's library.
link <- function(program, objects) {
  of_test <- basename(objects) == paste0(program, ".cpp.o")
  others <- objects[!of_test & !startsWith(basename(objects), "test_")]
  command <- readLines(file.path(build, "CMakeFiles", paste0(program, ".dir"), "link.txt"))
  if (any(of_test)) command <- sub("CMakeFiles/\\S+[.]cpp[.]o", objects[of_test], command)
  run(sub(" -o \\S+", paste(c("", others, "-o", file.path(work, program)), collapse = " "), command), 100)
}

# Which program notices a mutant: "" for none, NA if it does not compile.
caught_by <- function(mutant) {
  programs <- programs_of(mutant$file)
  objects <- objects_of(mutant, programs)
  on.exit(unlink(objects))
  if (anyNA(objects)) return(NA_character_)
  for (program in programs) {
    # Which also builds the program, if it is not there.
    seconds <- 5 + 3 * time_of(program)
    if (!link(program, objects)) return(NA_character_)
    passed <- run(file.path(work, program), seconds)
    unlink(file.path(work, program))
    if (!passed) return(program)
  }
  ""
}

# -- The draw

# Headers with a source of their own are declarations; the others are templates.
files <- if (nzchar(given$files[1])) given$files else {
  all_files[grepl("[.]cpp$", all_files) | !sub("hpp$", "cpp", all_files) %in% all_files]
}
candidates <- do.call(rbind, lapply(files, candidates_in))
set.seed(given$seed)
queue <- lapply(split(seq_len(nrow(candidates)), candidates$layer), function(at) at[sample.int(length(at))])
key_of <- function(d) paste(d$file, d$line, d$first, d$to)
earlier <- earlier_results(given$out)

fate <- function(mutant) {
  known <- match(key_of(mutant), key_of(earlier))
  if (!is.na(known)) return(earlier$by[known])
  by <- caught_by(mutant)
  keep_result(cbind(mutant, by = by), given$out)
  by
}

results <- NULL
round <- 0
while (NROW(results) < given$n && any(lengths(queue))) {
  layer <- names(queue)[round %% length(queue) + 1]
  round <- round + 1
  by <- NA
  while (is.na(by) && length(queue[[layer]])) {
    mutant <- candidates[queue[[layer]][1], ]
    queue[[layer]] <- queue[[layer]][-1]
    by <- fate(mutant)
  }
  if (is.na(by)) next
  results <- rbind(results, cbind(mutant, by = by))
  cat(sprintf("%d. %s:%s: %s -> %s: %s\n", nrow(results), mutant$file, mutant$line, one_line(mutant$from),
              one_line(mutant$to), outcome(by, programs_of(mutant$file))))
}
quit(status = as.integer(!report_mutants(results)))
