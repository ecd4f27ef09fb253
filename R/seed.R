# Runs `code` from a seed, whatever kind of generator the session has, and puts that back as it was;
# without a seed, from the generator as it is.
with_seed <- function(seed, code, call = caller_env()) {
  if (is.null(seed)) return(code)
  check_number(seed, "seed", min = -.Machine$integer.max, max = .Machine$integer.max, call = call)
  before <- get0(".Random.seed", envir = globalenv(), inherits = FALSE)
  kinds <- RNGkind()
  on.exit({
    # A session that has not drawn yet has a kind of generator, but no state.
    # R warns of the sampler "Rounding"; a session that has it has been warned.
    suppressWarnings(RNGkind(kinds[1], kinds[2], kinds[3]))
    if (is.null(before)) {
      rm(".Random.seed", envir = globalenv())
    } else {
      assign(".Random.seed", before, envir = globalenv())
    }
  })
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  code
}

# The seed of a set of streams: the user's, or one from R's generator, so that set.seed() governs.
stream_seed <- function(seed, call = caller_env()) {
  if (is.null(seed)) return(sample.int(.Machine$integer.max, 1))
  check_count(seed, "seed", min = 0, call = call)
  seed
}
