# Runs `code` from a seed and puts the generator back as it was; without a seed, from the
# generator as it is.
with_seed <- function(seed, code, call = caller_env()) {
  if (is.null(seed)) return(code)
  check_number(seed, "seed", min = -.Machine$integer.max, max = .Machine$integer.max, call = call)
  before <- get0(".Random.seed", envir = globalenv(), inherits = FALSE)
  on.exit(if (is.null(before)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", before, envir = globalenv()))
  set.seed(seed)
  code
}
