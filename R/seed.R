# Runs `code` with a seed, independently of the session's kind of random number generator, and restores the state of the
# generator. Without a seed, `code` uses the generator in its current state.
with_seed <- function(seed, code, call = caller_env()) {
  if (is.null(seed)) return(code)
  check_number(seed, "seed", min = -.Machine$integer.max, max = .Machine$integer.max, call = call)
  before <- get0(".Random.seed", envir = globalenv(), inherits = FALSE)
  kinds <- RNGkind()
  on.exit({
    # A session that has not drawn yet has a kind of generator, but no state. R warns about the sampler "Rounding", but
    # a session that uses it has had this warning already.
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

# The seed of a set of streams: the user's, or a draw from R's random number generator, so that set.seed() applies.
stream_seed <- function(seed, call = caller_env()) {
  if (is.null(seed)) return(sample.int(.Machine$integer.max, 1))
  check_count(seed, "seed", min = 0, call = call)
  seed
}
