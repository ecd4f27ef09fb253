# A small judged collection whose queries have weights and a language. `plain` has neither, `stratified` the language.
weighted_case <- function(weight = c(2, 1, 3, 1, 1)) {
  base <- simulate_collection(queries = 5, documents = 80, artists = 12, systems = 4, seed = 3, scale = broad_scale())
  runs <- as.data.frame(base)[c("system", "query", "doc", "rank")]
  runs <- runs[order(runs$system, runs$query, runs$rank), ]
  table <- data.frame(query = base$queries$query, language = c("de", "en", "de", "en", "de"))
  make <- function(queries) {
    test_collection(runs, documents = base$documents, systems = base$systems, queries = queries, k = base$k,
                    scale = broad_scale(), judgments = judgments_of(base))
  }
  list(plain = base, runs = runs, table = table, weight = weight, weighted = make(cbind(table, weight = weight)),
       stratified = make(table))
}

# A matrix of systems by pairs: the weight of each pair's gain in a system's weighted mean of AG@k.
weight_matrix <- function(x, weight) {
  a <- matrix(0, nrow(x$systems), length(x$pool$query))
  pair <- rep(seq_along(x$pool$query), diff(x$results$offset))
  share <- weight / sum(weight) / x$k
  a[cbind(x$results$system, pair)] <- share[x$pool$query[pair]]
  a
}
