table_1 <- c("C", "D", "E", "A", "G", "B", "F")
latent <- c(A = 1, B = 1, C = 1, D = 2, E = 2, F = 3, G = 3)
segments_at <- function(session, i) {
  tree <- sorting_tree(session)
  tree$docs[tree$iteration == i | (tree$iteration < i & tree$state != "split")]
}
asked <- function(pairs) sort(paste0(pmin(pairs$doc_a, pairs$doc_b), pmax(pairs$doc_a, pairs$doc_b)))

test_that("a session with the documents of Table 1 (Urbano et al. 2010) asks for pairs and sorts as published", {
  s <- preference_session(list(q = table_1), order = "given", seed = 1)
  expect_equal(asked(next_pairs(s)), sort(c("CF", "DF", "EF", "AF", "FG", "BF")))
  expect_equal(segments_at(s, 1), list(table_1))
  s <- add_answers(s, sure_answers(next_pairs(s), latent))
  expect_equal(segments_at(s, 2), list(c("C", "D", "E", "A", "B"), c("F", "G")))
  expect_equal(asked(next_pairs(s)), sort(c("BC", "BD", "BE", "AB")))  # F and G are already compared
  s <- add_answers(s, sure_answers(next_pairs(s), latent))
  expect_equal(segments_at(s, 3), list(c("B", "C", "A"), c("D", "E"), c("F", "G")))
  expect_equal(asked(next_pairs(s)), c("AC", "DE"))
  s <- add_answers(s, sure_answers(next_pairs(s), latent))
  expect_equal(segments_at(s, 4), list(c("A", "B", "C"), c("E", "D"), c("F", "G")))
  expect_equal(nrow(next_pairs(s)), 0)
  expect_equal(group_sets(ordered_list(s), "q"), list(c("A", "B", "C"), c("D", "E"), c("F", "G")))
  expect_equal(nrow(as.data.frame(s)), 12) # of 21
})

test_that("consistent answers are sorted into their latent groups from every initial order", {
  for (seed in 1:30) {
    s <- run_sure(preference_session(list(q = table_1), seed = seed, answers = 2), latent, 2)
    expect_equal(group_sets(ordered_list(s), "q"), list(c("A", "B", "C"), c("D", "E"), c("F", "G")))
    expect_equal(nrow(transitivity_violations(s)), 0)
  }
})

test_that("all pairs within a group are compared, and no pair is compared twice", {
  s <- run_sure(preference_session(list(q = table_1), seed = 5), latent)
  pairs <- as.data.frame(s)
  expect_equal(anyDuplicated(asked(pairs)), 0)
  for (group in group_sets(ordered_list(s), "q")) {
    expect_true(all(combn(group, 2, paste, collapse = "") %in% asked(pairs)))
  }
})

test_that("sides and order of pairs are shuffled, and depend on the seed", {
  docs <- sprintf("d%03d", 1:200)
  s <- preference_session(list(q = docs), seed = 9)
  expect_equal(s, preference_session(list(q = docs), seed = 9))
  expect_false(identical(s$candidates$doc, preference_session(list(q = docs), seed = 10)$candidates$doc))
  pairs <- next_pairs(s)
  pivot <- names(which.max(table(c(pairs$doc_a, pairs$doc_b))))
  expect_gt(binom.test(sum(pairs$doc_a == pivot), nrow(pairs))$p.value, 1e-6)
  # The pairs of two queries are interleaved.
  two <- next_pairs(preference_session(list(a = docs[1:50], b = docs[1:50]), seed = 1))
  expect_gt(length(rle(two$query)$lengths), 20)
})

test_that("a session with a seed does not change R's random number generator", {
  keeps_generator(preference_session(list(q = table_1), seed = 1))
})

test_that("a stored session continues identically, also if answers are added in parts", {
  s <- preference_session(list(q = table_1), seed = 2)
  batch <- sure_answers(next_pairs(s), latent)
  whole <- run_sure(add_answers(s, batch), latent)
  file <- tempfile(fileext = ".rds")
  on.exit(unlink(file))
  part <- add_answers(s, batch[1:17, ])
  expect_equal(sum(next_pairs(part)$needed), 60 - 17)
  saveRDS(part, file)
  part <- run_sure(add_answers(readRDS(file), batch[-(1:17), ]), latent)
  expect_identical(part, whole)
})

test_that("missing answers are asked again, counted as equal, or dropped, as requested", {
  answers <- data.frame(query = "q", doc_a = "x", doc_b = "y", worker = 1:10,
                        answer = c(rep("a", 2), rep("equal", 7), NA))
  state <- function(missing) {
    s <- preference_session(list(q = c("x", "y")), seed = 1, missing = missing)
    as.data.frame(add_answers(s, answers))[c("n_missing", "needed", "decision")]
  }
  one <- function(needed, decision) data.frame(n_missing = 1, needed = needed, decision = decision)
  expect_equal(state("ask"), one(1, NA_character_), ignore_attr = TRUE)
  less <- if (preference_session(list(q = c("x", "y")), seed = 1)$pairs$doc_a == "x") "less" else "greater"
  expect_equal(state("equal"), one(0, less), ignore_attr = TRUE)
  expect_equal(state("drop"), one(0, less), ignore_attr = TRUE)
  s <- preference_session(list(q = c("x", "y")), seed = 1, missing = "drop")
  none <- as.data.frame(add_answers(s, transform(answers, answer = NA_character_)))
  expect_equal(none$decision, "equal")
})

test_that("answers of blocked workers are asked again, and the lists change accordingly", {
  s <- run_sure(preference_session(list(q = table_1), seed = 2), latent)
  b <- block_workers(s, 3)
  expect_equal(unique(next_pairs(b)$needed), 1)
  expect_equal(max(next_pairs(b)$iteration), 1)
  while (nrow(pairs <- next_pairs(b)) > 0) {
    fresh <- sure_answers(pairs, latent, 1)
    fresh$worker <- "fresh"
    b <- add_answers(b, fresh)
  }
  expect_equal(group_sets(ordered_list(b), "q"), group_sets(ordered_list(s), "q"))
  n <- nrow(as.data.frame(s))
  expect_equal(summary(b)$blocked_answers, n)
  expect_equal(summary(b)$answers, 10 * n)
})

test_that("blocking the majority of workers reverses the list", {
  ask <- function(worker, answer) data.frame(query = "q", doc_a = "x", doc_b = "y", worker = worker, answer = answer)
  s <- preference_session(list(q = c("x", "y")), seed = 1, answers = 3)
  s <- add_answers(s, rbind(ask(1:5, "b"), ask(6:8, "a")))
  expect_equal(group_sets(ordered_list(s), "q"), list("y", "x"))
  expect_equal(group_sets(ordered_list(block_workers(s, 1:5)), "q"), list("x", "y"))
})

test_that("violations of transitivity are the answers that contradict every weak order", {
  weak_orders <- unique(lapply(seq_len(27), function(i) {
    place <- c((i - 1) %/% 9, ((i - 1) %/% 3) %% 3, (i - 1) %% 3)
    sign(c(place[1] - place[2], place[2] - place[3], place[1] - place[3]))
  }))
  for (i in seq_len(27)) {
    s <- c((i - 1) %/% 9, ((i - 1) %/% 3) %% 3, (i - 1) %% 3) - 1
    sign <- matrix(NA_real_, 3, 3)
    sign[cbind(c(1, 2, 1), c(2, 3, 3))] <- s
    sign[lower.tri(sign)] <- -t(sign)[lower.tri(sign)]
    fits <- any(vapply(weak_orders, identical, NA, s))
    expect_equal(is.null(judicious:::find_violations(c("x", "y", "z"), sign)), fits)
  }
})

test_that("violations in answers to all pairs are classified by type", {
  ask <- function(a, b, answer) data.frame(query = "q", doc_a = a, doc_b = b, worker = 1:4, answer = answer)
  kind <- function(ab, bc, ac) {
    transitivity_violations(rbind(ask("a", "b", ab), ask("b", "c", bc), ask("a", "c", ac)))$kind
  }
  expect_equal(kind("a", "a", "b"), "cycle")
  expect_equal(kind("equal", "equal", "a"), "equals that differ")
  expect_equal(kind("a", "a", "equal"), "equals apart")
  expect_equal(kind("a", "a", "a"), character())
})

test_that("an unfinished list names its open groups, and finished sessions print", {
  s <- preference_session(list(q = table_1), order = "given", seed = 1)
  expect_equal(unique(ordered_list(s)$closed), FALSE)
  half <- add_answers(s, sure_answers(next_pairs(s), latent))
  list <- ordered_list(half)
  expect_equal(list$closed[match(c("F", "G", "B"), list$doc)], c(TRUE, TRUE, FALSE))
  expect_snapshot({
    s
    half
    run_sure(half, latent)
    block_workers(run_sure(half, latent), "4")
    ordered_list(run_sure(half, latent))
  })
})

test_that("errors name invalid candidates, answers and workers", {
  s <- preference_session(list(q = c("x", "y", "z")), order = "given", seed = 1)
  answer <- data.frame(query = "q", doc_a = "x", doc_b = "z", worker = 1, answer = "a")
  expect_snapshot(error = TRUE, {
    preference_session(list(c("x", "y")))
    preference_session(data.frame(query = "q", doc = c("x", "x")))
    preference_session(list(q = c("x", "y")), answers = 1)
    preference_session(list(q = c("x", "y")), level = 0.7)
    add_answers(s, transform(answer, doc_b = "y"))
    add_answers(add_answers(s, answer), answer)
    add_answers(list(), answer)
  })
})

test_that("a query with one document needs no answers", {
  s <- preference_session(list(q = "x", r = c("x", "y")), seed = 1)
  expect_equal(next_pairs(s)$query, "r")
  only <- preference_session(list(q = "x"), seed = 1)
  expect_equal(nrow(next_pairs(only)), 0)
  expect_equal(ordered_list(only)$doc, "x")
})

test_that("the symmetry of preferences between queries and documents is checked", {
  # Documents have positions on a line, and nearer ones are more similar, so that most preferences are symmetric.
  place <- c(a = 0, b = 1, c = 3, d = 7)
  triples <- subset(expand.grid(query = names(place), doc_a = names(place), doc_b = names(place),
                                stringsAsFactors = FALSE), query != doc_a & query != doc_b & doc_a < doc_b)
  distance <- function(x, y) abs(place[x] - place[y])
  closer <- sign(distance(triples$query, triples$doc_a) - distance(triples$query, triples$doc_b))
  answers <- data.frame(triples[rep(seq_len(nrow(triples)), each = 10), ], worker = 1:10,
                        answer = rep(c("a", "equal", "b")[closer + 2], each = 10))
  found <- transitivity_violations(answers, property = "symmetry")
  by_hand <- do.call(rbind, lapply(which(closer != 0), function(i) {
    near <- if (closer[i] < 0) triples$doc_a[i] else triples$doc_b[i]
    far <- setdiff(c(triples$doc_a[i], triples$doc_b[i]), near)
    data.frame(query = triples$query[i], doc_1 = near, doc_2 = far,
               kind = c("fine", "equal", "opposite")[2 + sign(distance(near, triples$query[i]) - distance(near, far))])
  }))
  expect_identical(attr(found, "checked"), nrow(by_hand))
  expect_equal(found, by_hand[by_hand$kind != "fine", ], ignore_attr = TRUE)
  expect_gt(nrow(found), 0)
  # If no query is also a document, symmetry cannot be checked.
  none <- transitivity_violations(transform(answers, query = paste0("query ", query)), property = "symmetry")
  expect_identical(c(nrow(none), attr(none, "checked")), c(0L, 0L))
})
