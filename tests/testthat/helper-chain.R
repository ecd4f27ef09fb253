# A small random collection with teams, ranks, genres, artists and unknown metadata, and a gain for every pair. Leaves
# R's random number generator as it was.
random_collection <- function(seed, systems = 5, queries = 4, k = 3, docs = 9, scale = fine_scale()) {
  before <- get0(".Random.seed", envir = globalenv(), inherits = FALSE)
  on.exit(if (!is.null(before)) assign(".Random.seed", before, envir = globalenv()))
  set.seed(seed)
  runs <- expand.grid(rank = seq_len(k), query = paste0("q", seq_len(queries)), system = LETTERS[seq_len(systems)],
                      stringsAsFactors = FALSE)
  runs$doc <- as.vector(replicate(systems * queries, paste0("d", sample(docs, k, prob = 1 / seq_len(docs)))))
  documents <- data.frame(doc = paste0("d", seq_len(docs)), genre = sample(c("rock", "folk", NA), docs, TRUE),
                          artist = sample(c("x", "y", "z", NA), docs, TRUE), stringsAsFactors = FALSE)
  query_genres <- data.frame(query = paste0("q", seq_len(queries)),
                             genre = sample(c("rock", "folk", NA), queries, TRUE))
  teams <- data.frame(system = LETTERS[seq_len(systems)], team = paste0("T", (seq_len(systems) + 1) %/% 2))
  x <- test_collection(runs, documents, teams, query_genres, k = k, scale = scale)
  truth <- data.frame(query = x$queries$query[x$pool$query], doc = x$documents$doc[x$pool$doc])
  truth$gain <- sample(scale$levels, nrow(truth), TRUE)
  list(x = x, truth = truth, runs = runs, documents = documents, queries = query_genres, teams = teams)
}

# Incidence as a dense matrix, pairs by systems.
dense_incidence <- function(case) {
  ids <- unique(case$runs[c("query", "doc")])
  systems <- unique(case$runs$system)
  incidence <- matrix(0, nrow(ids), length(systems), dimnames = list(NULL, systems))
  for (i in seq_len(nrow(case$runs))) {
    pair <- which(ids$query == case$runs$query[i] & ids$doc == case$runs$doc[i])
    incidence[pair, case$runs$system[i]] <- 1
  }
  incidence
}

# A model of which only the predict method is defined. The probability of level 2 grows with the feature `f`.
predict.toy_model <- function(object, newdata, type, ...) {
  stopifnot(type == "prob")
  if (is.null(newdata[[object$feature]])) stop("there is no ", object$feature, call. = FALSE)
  p <- stats::plogis(newdata[[object$feature]])
  out <- cbind(1 - p, p / 3, 2 * p / 3)
  colnames(out) <- object$columns
  out
}
registerS3method("predict", "toy_model", predict.toy_model, envir = asNamespace("stats"))
toy_model <- function(columns = c("0", "1", "2"), feature = "f") {
  structure(list(columns = columns, feature = feature), class = "toy_model")
}

# A tab-separated file of a data frame, with a header.
table_file <- function(data, env = parent.frame()) {
  path <- tempfile(fileext = ".tsv")
  utils::write.table(data, path, sep = "\t", quote = FALSE, row.names = FALSE)
  do.call(on.exit, list(bquote(unlink(.(path))), add = TRUE), envir = env)
  path
}
