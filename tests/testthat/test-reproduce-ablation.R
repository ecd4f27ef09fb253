scripts <- reproduction_scripts()

x <- simulate_collection(queries = 16, documents = 250, artists = 30, systems = 5, scale = broad_scale(), seed = 3)

test_that("a judgment model without a pair's own gain changes results only after judgments", {
  models <- mirex_model("output", "broad")
  judge <- function(past) mirex_model("judge", past = past, self = FALSE)
  study <- mtc_study(x, methods = list(unseen = published_method(models, judge), none = published_method(models)),
                     budgets = c(0, 40), replicates = 1, seed = 2)
  accuracy <- function(method, column) study$results[[column]][study$results$method == method]
  # Before the first judgment, only the output model is used, so both methods are equal; afterwards they differ.
  expect_identical(accuracy("unseen", "confidence")[1], accuracy("none", "confidence")[1])
  expect_true(accuracy("unseen", "confidence")[2] != accuracy("none", "confidence")[2])
})

test_that("the ablation leaves out one effect at a time, and skips models that need all levels if one is rare", {
  case <- list(x = x, output = mirex_model("output", "broad"), judge = mirex_model("judge", "broad"))
  names <- names(scripts$ablation_methods(case))
  expect_true(all(paste("without", joint_terms[-1]) %in% names))
  expect_false(anyDuplicated(names) > 0)
  unseen <- "independent gains, own gain left out"
  expect_identical(unseen %in% names, min(table(factor(x$gain, 0:2))) >= 40)
  case$x$gain[case$x$gain == 2] <- 1
  expect_false(unseen %in% names(scripts$ablation_methods(case)))
})

test_that("methods that share a learned model have the same results as when run alone", {
  models <- new.env()
  settings <- list(list(), list(strategy = strategy_variance()), list(update_every = 20))
  made <- function(method_of) lapply(settings, function(given) do.call(method_of, given))
  study <- function(methods) {
    names(methods) <- c("default", "variance", "updated")
    mtc_study(x, methods = methods, budgets = c(0, 40), replicates = 2, seed = 2, progress = FALSE)$results
  }
  alone <- study(made(joint_method))
  expect_identical(study(made(function(...) scripts$joint_sharing(models, ...))), alone)
  # Each of the two halves has a separate model.
  expect_length(models, 2)
  expect_gt(length(unique(alone$z2[alone$budget == 40])), 4)
})
