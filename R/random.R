# Runs code under its own seed and puts the generator back as it was; with no seed it
# simply runs on R's generator.
with_seed <- function(seed, code) {
  if (is.null(seed)) return(code)
  state <- globalenv()$.Random.seed
  on.exit(if (is.null(state)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", state, envir = globalenv()))
  set.seed(seed)
  code
}

check_seed <- function(seed, call = caller_env()) {
  if (!is.null(seed)) check_count(seed, "seed", min = -.Machine$integer.max, call = call)
  invisible(seed)
}
