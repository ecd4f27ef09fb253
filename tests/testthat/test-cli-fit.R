fit_words <- function(...) c("fit", demo_words(), "-j", demo_file("judgments.tsv"), ...)

model_file <- function(env = parent.frame()) {
  path <- tempfile(fileext = ".model")
  withr::defer(unlink(path), envir = env)
  path
}

test_that("judicious fit equals gain_model(), and the other commands accept its file", {
  x <- demo_collection("judgments.tsv")
  path <- model_file()
  got <- cli_data(fit_words("-f", "popularity + same_genre", "--random", "query,system", "--save", path))
  model <- gain_model(x, ~ popularity + same_genre, random = c("query", "system"))
  expect_equal(read_model(path), model)
  expect_equal(got$term[got$kind == "coefficient"], c("intercept", "popularity", "same_genre", "grades",
                                                      "system_grades"))
  expect_equal(got$estimate[got$kind == "coefficient"], unname(model$coefficient))
  expect_equal(got$sd[got$kind == "coefficient"], unname(sqrt(diag(model$coefficient_covariance))))
  expect_equal(got$term[got$kind == "variance"], c("residual", "query", "system"))
  expect_equal(got$estimate[got$kind == "variance"], unname(model$variance[model$variance > 0]))
  new <- demo_collection()
  wanted <- rank_systems(new, joint_gains(new, model))
  ranked <- cli_data("rank", demo_words(), "--model", path)
  expect_equal(ranked$estimate, sort(unname(wanted$mean), decreasing = TRUE))
  expect_equal(cli_data("next", demo_words(), "-m", path, "-n", "3", "--seed", "1"),
               select_documents(joint_gains(new, model), n = 3, seed = 1))
  skip_if_not_installed("RSQLite")
  store <- tempfile(fileext = ".sqlite")
  withr::defer(unlink(paste0(store, c("", "-wal", "-shm"))))
  cli_data("judge", demo_words(), "-m", path, "--store", store, "--progress")
  s <- open_session(store)
  of_new <- model_for(model, new)
  of_new$fallback <- prior_for_collection(of_new$fallback, new)
  expect_equal(s$engine$prepared$model, of_new)
  close_session(s)
})

test_that("judicious fit can extend an earlier model, for another measure", {
  x <- demo_collection("judgments.tsv")
  first <- model_file()
  second <- model_file()
  cli_data(fit_words("-f", "~ popularity", "--random", "query", "-s", first))
  cli_data(fit_words("-f", "~ popularity", "--random", "query", "--prior", first, "-M", "P(rel=50)@5", "-s", second))
  prior <- gain_model(x, ~ popularity, random = "query")
  # The prior was fitted for a measure that gives other values to the levels.
  expect_warning(model <- gain_model(x, ~ popularity, random = "query", prior = prior, measure = "P(rel=50)@5"),
                 class = "judicious_warning_unlike_past")
  expect_equal(read_model(second), model)
})

test_that("invalid options of judicious fit raise errors", {
  path <- model_file()
  expect_equal(cli("fit", demo_words(), "--save", path)$status, 2L)
  expect_equal(cli(fit_words())$status, 2L)
  expect_equal(cli(fit_words("--save", path, "-f", "popularity +"))$status, 2L)
  expect_equal(cli(fit_words("--save", path, "-f", "nothing"))$status, 1L)
  expect_equal(cli(fit_words("--save", path, "--prior", demo_file("some.tsv")))$status, 1L)
  expect_false(file.exists(path))
  # A file of another kind of model.
  write_bytes(encode_data(mirex_model("output", "fine"), "model"), path, "path")
  expect_match(cli("rank", demo_words(), "--model", path)$err, "was not written by judicious fit --save", all = FALSE)
  ran <- cli(fit_words("--save", file.path(tempfile("none"), "model.rds"), "-f", "popularity", "--random", "query"))
  expect_equal(ran$status, 1L)
  expect_match(ran$err, "--save: there is no folder", all = FALSE)
})
