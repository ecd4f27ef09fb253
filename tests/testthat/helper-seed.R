# Runs the code, and checks that it leaves R's random number generator as it was.
keeps_generator <- function(code) {
  set.seed(3)
  before <- .Random.seed
  force(code)
  testthat::expect_identical(.Random.seed, before)
  code
}
