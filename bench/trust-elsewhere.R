# Does confidence hold on collections of other kinds, from which nothing of the package was learned? Makes collections
# with full judgments from data that packages of CRAN ship, and measures confidence on them as bench/trust-families.R
# does (and with simulated graders as bench/trust-graders.R), with the built-in prior.
#
#   Rscript bench/trust-elsewhere.R [collections=a,b] [measures=AG,P,nDCG,AP,RR] [budgets=0,20] [seeds=4]
#     [mode=random|session|graders] [draws=300] [out=file.csv]
#
# The data are of dslabs, janeaustenr, lmerTest, mlbench, prefmod, SensoMineR, stm and textir; collections whose package
# is missing are left out, with a message. Four families:
# - films: recommenders order the held-out films of a user (MovieLens); the gain is the user's rating.
# - tastes: products, kinds of music or perfumes are rated by every person of a panel; one answer each.
# - classes: objects are retrieved by similarity; the gain tells whether they are of the class of the query.
# - texts: passages, speakers or blog posts are retrieved by their words.
# Prints the tables of bench/trust-families.R, means by family, and its limits.
source("bench/trust-graders.R")
source("bench/trust-families.R")

data_of <- function(name, package) {
  found <- new.env()
  utils::data(list = name, package = package, envir = found)
  found
}

# The case of systems that give each query's candidates a score. `scores` has a matrix of queries by documents for each
# system, named "team: variant"; `gains` has NA for documents that are no candidates. Ties are broken at random.
case_of_scores <- function(scores, gains, k, scale, documents = NULL) {
  set.seed(1)
  runs <- do.call(rbind, lapply(names(scores), function(system) {
    score <- replace(scores[[system]], is.na(gains), NA)
    best <- apply(score, 1, function(own) order(-own, stats::runif(length(own)))[seq_len(k)])
    data.frame(system, query = rep(rownames(gains), each = k), doc = colnames(gains)[best], rank = seq_len(k))
  }))
  truth <- unique(runs[c("query", "doc")])
  truth$gain <- gains[cbind(truth$query, truth$doc)]
  systems <- data.frame(system = names(scores), team = sub(":.*", "", names(scores)))
  list(x = suppressWarnings(test_collection(runs, documents, systems, judgments = truth, k = k,
                                            scale = gain_scale(scale))),
       truth = truth)
}

# Films -----------------------------------------------------------------------------------------------------------

# Sixty users with many ratings, different ones for each `part`. Recommenders learn from all ratings of other users and
# half of the ratings of these. In part 3, films with at least four stars are relevant.
films <- function(part) {
  ratings <- data_of("movielens", "dslabs")$movielens
  ratings <- ratings[ratings$movieId %in% names(which(table(ratings$movieId) >= 5)), ]
  ratings$genre <- sub("\\|.*", "", ratings$genres)
  set.seed(1)
  users <- sample(names(which(table(ratings$userId) >= 100)))[60 * (part - 1) + 1:60]
  held_out <- ratings$userId %in% users & stats::runif(nrow(ratings)) < 0.5
  user <- factor(ratings$userId)
  film <- factor(ratings$movieId)
  table_of <- function(some) {
    table <- matrix(NA, nlevels(user), nlevels(film), dimnames = list(levels(user), levels(film)))
    table[cbind(user, film)[some, ]] <- ratings$rating[some]
    table
  }
  documents <- unique(data.frame(doc = as.character(film), genre = ratings$genre))
  documents <- documents[match(levels(film), documents$doc), ]
  scores <- recommenders(table_of(!held_out), users, documents$genre, ratings$title[match(levels(film), film)])
  gains <- table_of(held_out)[users, ]
  if (part == 3) case_of_scores(scores, (gains >= 4) + 0, 10, 0:1, documents)
  else case_of_scores(scores, gains, c(10, 5)[part], seq(0.5, 5, 0.5), documents)
}

recommenders <- function(train, users, genre, title) {
  rated <- !is.na(train)
  shrunken <- function(sum, n, by) sum / (n + by)
  zero <- function(m) replace(m, is.na(m), 0)
  overall <- mean(train, na.rm = TRUE)
  film_bias <- function(by) shrunken(colSums(train - overall, na.rm = TRUE), colSums(rated), by)
  rest <- zero(sweep(train - overall, 2, film_bias(5)))
  rest <- zero((rest - shrunken(rowSums(rest), rowSums(rated), 5)) * ifelse(rated, 1, NA))
  alike <- function(m) {
    norm <- sqrt(rowSums(m^2)) + 1e-9
    tcrossprod(m / norm) - diag(nrow(m))
  }
  top <- function(similarity, n) {
    t(apply(similarity, 1, function(own) replace(own, own < max(0, sort(own, decreasing = TRUE)[n]), 0)))
  }
  by_user <- function(similarity, n) {
    weight <- top(similarity[users, ], n)
    weight %*% rest / (weight %*% rated + 1) + rep(film_bias(5), each = length(users))
  }
  by_film <- function(similarity, n) {
    weight <- top(similarity, n)
    tcrossprod(rest[users, ], weight) / (tcrossprod(rated[users, ], weight) + 1)
  }
  parts <- svd(rest, 40, 40)
  by_factors <- function(n, bias = 1) {
    at <- seq_len(n)
    parts$u[match(users, rownames(rest)), at] %*% (parts$d[at] * t(parts$v[, at])) +
      rep(bias * film_bias(5), each = length(users))
  }
  same_genre <- outer(genre, unique(genre), `==`)
  by_genre <- (rest[users, ] %*% same_genre / (rated[users, ] %*% same_genre + 3)) %*% t(same_genre)
  to_all <- function(value) matrix(value, length(users), ncol(train), byrow = TRUE)
  users_alike <- alike(rest)
  users_rate_alike <- alike(rated + 0)
  films_alike <- alike(t(rest))
  films_rated_alike <- alike(t(rated + 0))
  list(
    "users: 10" = by_user(users_alike, 10), "users: 40" = by_user(users_alike, 40),
    "users: 100" = by_user(users_alike, 100), "users: 30, seen" = by_user(users_rate_alike, 30),
    "films: 10" = by_film(films_alike, 10), "films: 30" = by_film(films_alike, 30),
    "films: 100" = by_film(films_alike, 100), "films: 30, seen" = by_film(films_rated_alike, 30),
    "factors: 2" = by_factors(2), "factors: 5" = by_factors(5), "factors: 10" = by_factors(10),
    "factors: 20" = by_factors(20), "factors: 40, alone" = by_factors(40, 0),
    "means: 0" = to_all(film_bias(0.01)), "means: 5" = to_all(film_bias(5)), "means: 25" = to_all(film_bias(25)),
    "counts: all" = to_all(colSums(rated)), "counts: best" = to_all(colSums(train >= 5, na.rm = TRUE)),
    "genres: alone" = by_genre, "genres: means" = by_genre + to_all(film_bias(5)),
    "others: title" = to_all(-rank(title)), "others: random" = to_all(stats::runif(ncol(train))),
    "others: worst" = to_all(-film_bias(5))
  )
}

# Tastes ----------------------------------------------------------------------------------------------------------

# `table` has person, product and rating.
case_of_panel <- function(table, scale) {
  names(table) <- c("query", "system", "gain")
  table <- table[!is.na(table$gain), ]
  # The answer of each product (system) to a person (query).
  runs <- data.frame(system = table$system, query = table$query, doc = paste(table$query, table$system), rank = 1)
  truth <- data.frame(runs[c("query", "doc")], gain = table$gain)
  list(x = suppressWarnings(test_collection(runs, judgments = truth, k = 1, scale = gain_scale(scale))), truth = truth)
}

long <- function(m) {
  m <- as.matrix(m)
  data.frame(person = paste0("p", col(m)), product = paste0("s", row(m)), rating = as.vector(m))
}

panels <- list(
  cocktails = function() case_of_panel(long(data_of("cocktail", "SensoMineR")$hedo.cocktail), 0:10),
  chocolates = function() case_of_panel(long(data_of("hedochoc", "SensoMineR")$hedochoc), 0:10),
  creams = function() {
    rated <- data_of("cream_id", "SensoMineR")$cream_id
    case_of_panel(transform(rated[c("juge", "produit", "liking")], liking = round(liking)), 0:10)
  },
  perfumes = function() {
    rated <- data_of("perfume_ideal", "SensoMineR")$perfume_ideal
    case_of_panel(rated[c("user", "product", "liking")], 1:9)
  },
  carrots = function() {
    rated <- data_of("carrots", "lmerTest")$carrots
    case_of_panel(rated[c("Consumer", "Product", "Preference")], 1:7)
  },
  # Ratings from 1 (like very much) to 5, by 200 persons.
  music = function() {
    liked <- 5 - as.matrix(data_of("music", "prefmod")$music[1:18])
    set.seed(1)
    case_of_panel(long(t(liked[sample(which(stats::complete.cases(liked)), 200), ])), 0:4)
  }
)

# Classes ---------------------------------------------------------------------------------------------------------

# Sixty of the objects are queries, from up to `n` objects that can be retrieved. `class` is a factor, or a data frame
# of nested factors, finest first; each factor that agrees adds one to the gain.
case_of_classes <- function(features, class, n = 1200, k = 10) {
  set.seed(1)
  class <- as.data.frame(class)
  some <- sort(sample.int(nrow(features), min(n, nrow(features))))
  features <- scale(as.matrix(features)[some, ])
  features <- features[, colSums(is.na(features)) == 0]
  class <- class[some, , drop = FALSE]
  queries <- sort(sample.int(length(some), 60))
  gains <- Reduce(`+`, lapply(class, function(level) outer(level[queries], level, `==`))) + 0
  gains[cbind(seq_along(queries), queries)] <- NA
  dimnames(gains) <- list(paste0("q", queries), paste0("d", seq_along(some)))
  case_of_scores(similarities(features, queries), gains, k, 0:ncol(class))
}

similarities <- function(z, queries) {
  distance <- function(z, power = 2) {
    -t(vapply(queries, function(q) {
      apart <- abs(sweep(z, 2, z[q, ]))
      if (is.finite(power)) rowSums(apart^power) else apply(apart, 1, max)
    }, numeric(nrow(z))))
  }
  cosine <- function(z) {
    z <- z / sqrt(rowSums(z^2))
    tcrossprod(z[queries, ], z)
  }
  noisy <- function(sd) z + stats::rnorm(length(z), 0, sd)
  projected <- function(n) z %*% matrix(stats::rnorm(ncol(z) * n), ncol(z))
  d <- ncol(z)
  first <- z[, seq_len(d %/% 2)]
  second <- z[, -seq_len(d %/% 2)]
  principal <- stats::prcomp(z)$x
  list(
    "whole: 2" = distance(z), "whole: 1" = distance(z, 1), "whole: most" = distance(z, Inf),
    "whole: cosine" = cosine(z),
    "first: 2" = distance(first), "first: 1" = distance(first, 1), "first: cosine" = cosine(first),
    "second: 2" = distance(second), "second: 1" = distance(second, 1), "second: cosine" = cosine(second),
    "principal: 2" = distance(principal[, 1:2]), "principal: 4" = distance(principal[, 1:4]),
    "principal: white" = distance(scale(principal[, seq_len(min(d, 20))])),
    "principal: last" = distance(principal[, -(1:2)]),
    "noise: .5" = distance(noisy(0.5)), "noise: 1" = distance(noisy(1)), "noise: 2" = distance(noisy(2)),
    "noise: 4" = distance(noisy(4)),
    "projected: 2" = distance(projected(2)), "projected: 5" = distance(projected(5)),
    "projected: 10" = distance(projected(10)),
    "coarse: sign" = distance(sign(z)), "coarse: ranks" = distance(apply(z, 2, rank)),
    "few: first" = distance(z[, 1:2]), "few: last" = distance(z[, d - 0:2])
  )
}

classes <- list(
  letters = function() {
    letters <- data_of("LetterRecognition", "mlbench")$LetterRecognition
    case_of_classes(letters[-1], letters[[1]])
  },
  vowels = function() {
    vowels <- data_of("Vowel", "mlbench")$Vowel
    case_of_classes(vowels[2:10], vowels$Class)
  },
  # Different kinds of grey soil are partly relevant to each other.
  satellite = function() {
    satellite <- data_of("Satellite", "mlbench")$Satellite
    class <- satellite$classes
    case_of_classes(satellite[1:36], data.frame(class, group = ifelse(grepl("grey", class), "grey",
                                                                      as.character(class))))
  },
  oils = function() {
    olive <- data_of("olive", "dslabs")$olive
    case_of_classes(olive[3:10], olive[c("area", "region")], k = 5)
  },
  soybeans = function() {
    soybean <- data_of("Soybean", "mlbench")$Soybean
    features <- vapply(soybean[-1], function(v) as.numeric(replace(v, is.na(v), names(which.max(table(v))))),
                       numeric(nrow(soybean)))
    case_of_classes(features[, apply(features, 2, stats::sd) > 0], soybean$Class)
  }
)

# Texts -----------------------------------------------------------------------------------------------------------

# `counts` has documents by terms; `gains` documents by documents. Sixty documents are queries.
case_of_texts <- function(counts, gains_of, scale, k = 10, stems = NULL) {
  set.seed(1)
  queries <- sort(sample.int(nrow(counts), 60))
  gains <- gains_of(queries)
  gains[cbind(seq_along(queries), queries)] <- NA
  dimnames(gains) <- list(paste0("q", queries), paste0("d", seq_len(nrow(counts))))
  case_of_scores(text_models(counts, queries, stems), gains, k, scale)
}

text_models <- function(counts, queries, stems) {
  used <- colSums(counts > 0)
  counts <- counts[, used > 2]
  common <- colSums(counts > 0) > quantile(colSums(counts > 0), 0.97)
  rare <- counts[, !common]
  half <- counts[, sample.int(ncol(counts), ncol(counts) %/% 4)]
  idf <- function(m) log(nrow(m) / colSums(m > 0))
  cosine <- function(m) {
    m <- m / (sqrt(rowSums(m^2)) + 1e-9)
    tcrossprod(m[queries, ], m)
  }
  weighted <- function(m) sweep(log1p(m), 2, idf(m), `*`)
  bm25 <- function(m, k1 = 1.2, b = 0.75) {
    length <- rowSums(m) / mean(rowSums(m))
    tcrossprod(sweep(m[queries, ] > 0, 2, idf(m), `*`), m * (k1 + 1) / (m + k1 * (1 - b + b * length)))
  }
  dirichlet <- function(m, mu) {
    background <- (colSums(m) + 0.5) / sum(m)
    tcrossprod(m[queries, ], log1p(sweep(m, 2, mu * background, `/`))) +
      outer(rowSums(m[queries, ]), log(mu / (rowSums(m) + mu)))
  }
  shared <- function(m) {
    both <- tcrossprod(m[queries, ] > 0, m > 0)
    both / (outer(rowSums(m[queries, ] > 0), rowSums(m > 0), `+`) - both + 1)
  }
  parts <- svd(weighted(counts), 100, 0)
  latent <- function(n) cosine(sweep(parts$u[, seq_len(n)], 2, parts$d[seq_len(n)], `*`))
  scores <- list(
    "cosine: counts" = cosine(counts), "cosine: idf" = cosine(weighted(counts)), "cosine: rare" = cosine(rare),
    "cosine: rare, idf" = cosine(weighted(rare)), "cosine: half" = cosine(weighted(half)),
    "bm25: usual" = bm25(counts), "bm25: b 0" = bm25(counts, b = 0), "bm25: b 1" = bm25(counts, b = 1),
    "bm25: rare" = bm25(rare), "bm25: half" = bm25(half),
    "language: 20" = dirichlet(counts, 20), "language: 200" = dirichlet(counts, 200),
    "language: 2000" = dirichlet(counts, 2000), "language: rare" = dirichlet(rare, 200),
    "shared: all" = shared(counts), "shared: rare" = shared(rare), "shared: half" = shared(half),
    "latent: 5" = latent(5), "latent: 20" = latent(20), "latent: 50" = latent(50), "latent: 100" = latent(100),
    "others: length" = -abs(outer(rowSums(counts)[queries], rowSums(counts), `-`))
  )
  if (is.null(stems)) return(scores)
  stemmed <- t(rowsum(t(counts), stems[used > 2]))
  c(scores, list("stems: idf" = cosine(weighted(stemmed)), "stems: bm25" = bm25(stemmed),
                 "stems: language" = dirichlet(stemmed, 200)))
}

texts <- list(
  # Passages of about 100 words from every third chapter; the gain is 2 within a chapter, and 1 within a book.
  austen = function() {
    books <- c("sensesensibility", "prideprejudice", "mansfieldpark", "emma", "northangerabbey", "persuasion")
    passages <- do.call(rbind, lapply(books, function(book) {
      lines <- data_of(book, "janeaustenr")[[book]]
      chapter <- cumsum(grepl("^chapter", lines, ignore.case = TRUE))
      passage <- ave(chapter, chapter, FUN = function(own) (seq_along(own) - 1) %/% 10)
      kept <- nzchar(lines) & chapter > 0 & chapter %% 3 == 0 & !grepl("^chapter", lines, ignore.case = TRUE)
      stats::aggregate(list(text = lines[kept]), list(passage = passage[kept], chapter = paste(book, chapter)[kept]),
                       paste, collapse = " ")
    }))
    words <- strsplit(tolower(gsub("[^A-Za-z']+", " ", passages$text)), " +")
    passages <- passages[lengths(words) > 60, ]
    words <- words[lengths(words) > 60]
    set.seed(1)
    some <- sort(sample.int(length(words), min(1500, length(words))))
    counts <- unclass(table(rep(seq_along(some), lengths(words[some])), unlist(words[some])))
    chapter <- passages$chapter[some]
    book <- sub(" .*", "", chapter)
    case_of_texts(counts, function(queries) outer(chapter[queries], chapter, `==`) + outer(book[queries], book, `==`),
                  0:2, stems = substr(colnames(counts), 1, 5))
  },
  # Members of Congress, by the phrases that they use; the gain is 2 for the same party and state, and 1 for one of
  # them.
  congress = function() {
    found <- data_of("congress109", "textir")
    who <- found$congress109Ideology
    counts <- as.matrix(found$congress109Counts)
    enough <- rowSums(counts) > 20
    same <- function(v, queries) outer(v[enough][queries], v[enough], `==`)
    case_of_texts(counts[enough, ], function(queries) same(who$party, queries) + same(who$state, queries), 0:2)
  },
  # Political blogs; the gain is 2 for the same day, and 1 for at most two days apart.
  blogs = function() {
    found <- data_of("poliblog5k", "stm")
    set.seed(1)
    some <- sample.int(length(found$poliblog5k.docs), 2000)
    counts <- t(vapply(found$poliblog5k.docs[some], function(doc) {
      replace(numeric(length(found$poliblog5k.voc)), doc[1, ], doc[2, ])
    }, numeric(length(found$poliblog5k.voc))))
    day <- found$poliblog5k.meta$day[some]
    case_of_texts(counts, function(queries) {
      apart <- abs(outer(day[queries], day, `-`))
      (apart == 0) + (apart <= 2)
    }, 0:2)
  }
)

makers <- c(
  list("films-1" = function() films(1), "films-2" = function() films(2), "films-3" = function() films(3)),
  panels, classes, texts
)
made_of <- c(rep(c(films = "films", tastes = "tastes", classes = "classes", texts = "texts"),
                 c(3, length(panels), length(classes), length(texts))))
families_elsewhere <- stats::setNames(names(made_of), names(makers))

# The cases whose packages are installed.
cases_elsewhere <- function(names = names(makers)) {
  cases <- sapply(names, function(name) {
    tryCatch(c(makers[[name]](), list(name = name, family = families_elsewhere[[name]], graders = list())),
             packageNotFoundError = function(e) message(name, " is left out: ", conditionMessage(e)))
  }, simplify = FALSE)
  Filter(Negate(is.null), cases)
}

# The data have no graders, so they are simulated from the gains.
run_graders <- function(case, budgets, seed, mode = "random") {
  tried <- simulated_graders(case, seed)
  do.call(rbind, Map(function(name, grades) {
    data.frame(collection = case$name, grader = name, run_grader(case, grades, budgets, seed, mode))
  }, names(tried), tried))
}

# Means by collection, by family and of all. Squared errors are in the units of each scale.
means_of <- function(results, by) {
  results$family <- families_elsewhere[results$collection]
  numbers <- setdiff(names(Filter(is.numeric, results)), c("seed", "budget"))
  means <- function(table, numbers, by) {
    stats::aggregate(table[numbers], table[c(by, "budget")], mean, na.rm = TRUE, na.action = stats::na.pass)
  }
  each <- means(results, numbers, c(by, "family", "collection"))
  numbers <- setdiff(numbers, c("mse", "mse_means"))
  list(each = each, family = means(each, numbers, c(by, "family")), all = means(each, numbers, by))
}

main_elsewhere <- function(arguments) {
  given <- given_arguments(arguments, list(
    collections = names(makers), measures = c("AG", "P", "nDCG", "AP", "RR"),
    budgets = c(0, 5, 10, 20, 50, 100, 200, 300, 400), seeds = 4L, mode = "random", guide = "", draws = 300L, out = ""
  ))
  cases <- cases_elsewhere(given$collections)
  if (!length(cases)) stop("None of the packages that have the data is installed.")
  results <- do.call(rbind, lapply(cases, function(case) {
    message(format(Sys.time(), "%H:%M:%S"), " ", case$name)
    budgets <- given$budgets[given$budgets <= length(case$x$gain) / 2]
    if (given$mode == "graders") {
      return(do.call(rbind, lapply(seq_len(given$seeds), run_graders, case = case, budgets = budgets)))
    }
    # For ratings, no level makes a document relevant.
    unsuited <- c(if (case$x$k < 5) c("nDCG", "AP", "RR"), if (length(case$x$scale$levels) > 3) c("P", "AP", "RR"))
    measures <- setdiff(given$measures, unsuited)
    runs <- expand.grid(seed = seq_len(given$seeds), measure = measures, stringsAsFactors = FALSE)
    do.call(rbind, Map(function(measure, seed) {
      run_measure(case, gain_prior(), measure, given$mode, seed, budgets, given$draws, given$guide)
    }, runs$measure, runs$seed))
  }))
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  found <- means_of(results, if (given$mode == "graders") "grader" else "measure")
  show("By collection", found$each)
  show("Means by family", found$family)
  show("Means over collections", found$all)
  if (given$mode == "graders") {
    beyond <- beyond_limits(results)
    if (!is.null(beyond)) show("Beyond the limits, as means over collections and seeds", beyond)
    return(invisible(results))
  }
  show("Limits", limits(found$each, names(Filter(function(case) case$x$k == 1, cases))))
  invisible(results)
}

if (sys.nframe() == 0) main_elsewhere(commandArgs(TRUE))
