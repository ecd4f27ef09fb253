# The guides for users of other packages and programs, and the Quarto example: knitr runs all of their code, and a chunk
# that fails stops it.

knit_guide <- function(path, ...) {
  path <- normalizePath(path)
  withr::local_dir(withr::local_tempdir())
  withr::local_envvar(PATH = Sys.getenv("PATH"))  # a guide extends it
  envir <- list2env(list(...), parent = globalenv())
  suppressMessages(knitr::knit(path, "guide.md", envir = envir, quiet = TRUE))
  list(text = readLines("guide.md"), envir = envir)
}

guide <- function(name) {
  path <- project_file(file.path("vignettes/articles", paste0("coming-from-", name, ".Rmd")))
  skip_if_not(file.exists(path), "vignettes/articles is not beside the tests")
  path
}

skip_on_cran()
skip_on_covr()
skip_if_not_installed("knitr")

test_that("the article for users of trec_eval shows equal values from the shell and from R", {
  skip_on_os("windows")
  path <- guide("trec-eval")
  skip_if_not(file.exists(system.file("exec", "judicious", package = "judicious")), "the package is not installed")
  withr::local_path(R.home("bin"))
  skip_if(!nzchar(Sys.which("head")), "no shell")
  knitted <- knit_guide(path)
  line <- grep("^#> (map|ndcg_cut_10) ", knitted$text, value = TRUE)
  expect_length(line, 2)
  scores <- summary(knitted$envir$scores)
  expect_equal(as.numeric(sub(".*\\s", "", line)), round(c(scores$AP, scores[["nDCG@10"]]), 4))
  expect_length(grep("^#> (system|rank)", knitted$text), 2)
})

test_that("the article for users of polr() shows equal coefficients, and thresholds of opposite sign", {
  for (package in c("MASS", "ordinal", "rms", "VGAM")) skip_if_not_installed(package)
  envir <- knit_guide(guide("polr"))$envir
  expect_equal(unname(envir$clm$alpha), -unname(coef(pom(rating ~ temp, envir$wine, nominal = ~contact,
                                                        scale = ~temp))[1:8]), tolerance = 1e-4)
  expect_equal(unname(envir$polr$coefficients),
               unname(pom(Sat ~ Infl + Type + Cont, envir$housing, weights = Freq)$beta), tolerance = 1e-3)
})

test_that("the article on LLM judges shows the accuracy of ranking_accuracy() and a mean equal to PPI", {
  envir <- knit_guide(guide("llm-judges"))$envir
  estimates <- as.data.frame(envir$ranking)
  expect_equal(envir$right(setNames(estimates$estimate, estimates$system)),
               ranking_accuracy(envir$ranking, envir$truth)[["accuracy"]])
  one <- envir$runs[envir$runs$system == "g1-neural", ]
  known <- !is.na(one$label)
  expect_equal(envir$ppi[["g1-neural"]], mean(one$grade) + mean((one$label - one$grade)[known]))
  expect_identical(envir$after$judged, nrow(envir$labels))
})

test_that("the example document for Quarto renders with knitr", {
  skip_if_not_installed("ggplot2")
  path <- system.file("examples", "ranking.qmd", package = "judicious", mustWork = TRUE)
  knitted <- knit_guide(path, params = list(folder = ""))
  expect_true(any(grepl("^\\|.*S01", knitted$text)))
  expect_true(any(grepl("^[1-9][0-9]* of [1-9][0-9]* documents are judged", knitted$text)))
})
