# Sorts the documents of one query (Urbano et al. 2010, section 3.2). A segment is a set of documents whose last one is
# the pivot. The tree of segments is computed again from the decisions known so far, so that the state of a session
# depends on its answers alone.

# docs: the documents in their initial order. sign[i, j]: -1 if i precedes j, 0 if they are equal, 1 if i follows j, NA
# if undecided. Returns the segments, depth first (the order of the list), and the pairs asked so far, each with the
# iteration in which it was asked.
grow_tree <- function(docs, sign) {
  n <- length(docs)
  reached <- diag(n) > 0
  nodes <- list()
  comparisons <- list()
  visit <- function(segment, iteration, parent) {
    id <- length(nodes) + 1L
    closed <- all(reached[segment, segment])
    pivot <- if (closed) NA_integer_ else segment[length(segment)]
    nodes[[id]] <<- list(node = id, parent = parent, iteration = iteration, docs = docs[segment], pivot = docs[pivot],
                         state = if (closed) "closed" else "open")
    if (closed) return()
    others <- segment[-length(segment)]
    new <- others[!reached[others, pivot]]
    reached[others, pivot] <<- reached[pivot, others] <<- TRUE
    comparisons[[length(comparisons) + 1]] <<- data.frame(doc_a = docs[new], doc_b = docs[pivot], pivot = docs[pivot],
                                                          iteration = iteration, node = id)
    side <- sign[others, pivot]
    if (anyNA(side)) return()
    nodes[[id]]$state <<- "split"
    # In the segment of documents that equal the pivot, the pivot comes first. The next pivot, the last document, is
    # then another one.
    parts <- list(others[side < 0], c(pivot, others[side == 0]), others[side > 0])
    for (part in parts[lengths(parts) > 0]) visit(part, iteration + 1L, id)
  }
  visit(seq_len(n), 1L, NA_integer_)
  list(nodes = nodes, comparisons = do.call(rbind, comparisons))
}

# The segments into which a session has sorted the documents, depth first, which is the order of the list: `query`,
# `node`, `parent` (NA for the root), `iteration` (in which the segment was formed), `state` ("closed", "split" or
# "open"), `pivot` (NA for closed segments), `size`, and `docs`, a list with the documents in their order.
sorting_tree <- function(session) {
  nodes <- lapply(session$trees, `[[`, "nodes")
  query <- rep(names(nodes), lengths(nodes))
  nodes <- unlist(nodes, recursive = FALSE, use.names = FALSE)
  field <- function(name, type) vapply(nodes, `[[`, type, name)
  docs <- lapply(nodes, `[[`, "docs")
  tree <- data.frame(query = query, node = field("node", 1L), parent = field("parent", 1L),
                     iteration = field("iteration", 1L), state = field("state", ""), pivot = field("pivot", ""),
                     size = lengths(docs))
  tree$docs <- docs
  tree
}

# Triples of documents whose three decisions contradict each other: no order with ties agrees with all of them.
find_violations <- function(docs, sign) {
  found <- list()
  n <- length(docs)
  for (i in seq_len(max(n - 2, 0))) for (j in seq(i + 1, length.out = max(n - 1 - i, 0))) {
    ij <- sign[i, j]
    if (is.na(ij)) next
    k <- which(!is.na(sign[i, ]) & !is.na(sign[j, ]) & seq_len(n) > j)
    jk <- sign[j, k]
    ik <- sign[i, k]
    equal <- (ij == 0) + (jk == 0) + (ik == 0)
    mismatched <- ik == 0 & ij == jk | jk == 0 & ij == -ik | ij == 0 & jk == -ik
    kind <- ifelse(equal == 2, "equals that differ", ifelse(equal == 0 & ij == jk & ik == -ij, "cycle",
                                                            ifelse(equal == 1 & mismatched, "equals apart", NA)))
    bad <- which(!is.na(kind))
    if (length(bad)) found <- c(found, list(
      data.frame(doc_1 = docs[i], doc_2 = docs[j], doc_3 = docs[k[bad]], kind = kind[bad])))
  }
  do.call(rbind, found)
}
