# Weights, strata and additions on the command line.

strata_files <- function(env = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = env)
  x <- demo_collection()
  queries <- data.frame(query = x$queries$query, language = rep(c("de", "en"), length.out = nrow(x$queries)),
                        weight = seq_len(nrow(x$queries)))
  path <- file.path(folder, "queries.tsv")
  write.table(queries, path, sep = "\t", row.names = FALSE, quote = FALSE)
  list(folder = folder, queries = path, table = queries)
}

test_that("rankings by stratum equal those of rank_systems(by = )", {
  files <- strata_files()
  words <- c("rank", demo_words(), "-j", demo_file("some.tsv"), "--queries", files$queries, "--by", "language")
  x <- test_collection(demo_file("runs.tsv"), demo_file("documents.tsv"), demo_file("systems.tsv"), files$queries,
                       demo_file("some.tsv"))
  wanted <- rank_systems(x, by = "language")
  got <- cli_data(words)
  expect_equal(unique(got$language), c("de", "en"))
  en <- got[got$language == "en", ]
  expect_equal(en$estimate, unname(wanted$en$mean[en$system]))
  summary <- cli_data(words, "--table", "summary")
  expect_equal(summary$confidence, unname(vapply(wanted, ranking_confidence, 0)))
  expect_equal(summary$judged, unname(vapply(wanted, `[[`, 0, "judged")))
  aim <- cli("next", words[-1], "--confidence", "0.9", "-n", "1")
  expect_match(aim$err, "by language, mean confidence 0.9", all = FALSE)
})

test_that("runs can be added to a session that is stored in a file", {
  skip_if_not_installed("RSQLite")
  files <- strata_files()
  runs <- read_runs(demo_file("runs.tsv"))
  late <- runs$system == runs$system[1]
  paths <- file.path(files$folder, c("early.tsv", "late.tsv", "session.sqlite"))
  write.table(runs[!late, ], paths[1], sep = "\t", row.names = FALSE, quote = FALSE)
  write.table(runs[late, ], paths[2], sep = "\t", row.names = FALSE, quote = FALSE)
  teams <- read.delim(demo_file("systems.tsv"))
  early <- file.path(files$folder, "teams.tsv")
  write.table(teams[teams[[1]] != runs$system[1], ], early, sep = "\t", row.names = FALSE, quote = FALSE)
  made <- cli("judge", paths[1], "--documents", demo_file("documents.tsv"), "--systems", early, "--store", paths[3],
              "--goal", "all_pairs", "--equal", "3", "--progress")
  expect_equal(made$status, 0)
  added <- cli("judge", "--store", paths[3], "--add-runs", paths[2], "--documents", demo_file("documents.tsv"),
               "--systems", demo_file("systems.tsv"), "--progress")
  expect_equal(added$status, 0)
  s <- open_session(paths[3])
  expect_equal(n_systems(s$engine$x), length(unique(runs$system)))
  expect_match(s$engine$goal$label, "or equal within 3)", fixed = TRUE)
  close_session(s)
  again <- cli("judge", "--store", paths[3], "--add-runs", paths[2], "--progress")
  expect_match(again$err, "in the collection already", all = FALSE)
  refused <- cli("judge", "--store", paths[3], "--documents", demo_file("documents.tsv"), "--progress")
  expect_match(refused$err, "--documents is part of the session", all = FALSE)
})
