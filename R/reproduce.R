#' Reproduce published tables and figures
#'
#' Computes the tables and figures of one of the papers that the package implements, and compares the obtained numbers
#' with the published ones. It uses the public data, if they are in the folder `data`, and simulated data of the same
#' shape.
#'
#' - `"mtc"`: Urbano and Schedl (2013), Tables 1 to 7, Figures 1 to 3 and the example of the appendix; and further
#'   studies on the same data:
#'   - `"leak"`: the judgment-based model without the document's own gain;
#'   - `"truncated"`: truncated regression instead of the output-based model;
#'   - `"scales"`: consistency of Broad and Fine judgments;
#'   - `"independence"`: z2 and coverage of the published method and of [joint_gains()];
#'   - `"ablation"`: joint gains with one component switched off at a time;
#'   - `"cost"`: the number of judgments to a mean confidence of 95% with the published method and with joint gains, and
#'     the accuracy of both rankings at that point.
#' - `"significance"`: Urbano et al. (2011), Table 1, Figures 1 to 4, the `"errors"` of section 6, and studies of
#'   questions that the paper leaves open: `"factors"` (effects of the cutoff and of the number of systems) and
#'   `"beyond"` (power with more queries than the collection has).
#' - `"preferences"`: Urbano et al. (2010), Tables 1 to 8.
#'
#' @details
#' The first paper uses four MIREX editions, of which only 2011 is public. All four are also simulated by
#' [simulate_collection()] in the shape of the originals. For each simulated edition, the models are fitted to the three
#' others, as in the paper. For the public edition, the models of Table 7 are used ([mirex_model()]), because models
#' without 2011 were not published. The teams of 2011 are not public either: they are inferred from the overlap of runs
#' and from the published number of teams. Tables 3 and 5 also have results for 2011 without teams, and with models that
#' are fitted to three simulated editions. Numbers that a simulation takes from the paper, such as the sizes of Table 1,
#' agree by construction.
#'
#' The second paper uses the edition of 2009, which is not public and therefore simulated. Items that do not need ranks
#' are also computed on the public edition of 2011. The third paper uses answers of a crowd, which are public, and
#' rankings by experts and results of systems, which are not. The crowd, the experts and the systems are also
#' simulated.
#'
#' `"ablation"` takes about ten minutes, `"cost"` three, `"independence"` one or two, and `"truncated"` and the first
#' paper's `"figure2"` and `"figure3"` together less than one. Each other item takes seconds. With `stored = "long"`,
#' all three papers take about a minute.
#'
#' @param paper Which paper: `"mtc"`, `"significance"` or `"preferences"`; see Details.
#' @param item Names of items, such as `"table2"` or `"figure1"`; NULL selects all items of the paper.
#' @param data The path of the folder with the public data, in folders `mirex-ams-2011` and `crowd-preferences-2010`; ""
#'   if there is none. The default is the environment variable `JUDICIOUS_DATA`.
#' @param seed A whole number: the seed of all simulations and random draws. The state of R's random number generator is
#'   restored afterwards.
#' @param replicates The number of random draws, for items that have any. It is the number of subsets of the queries of
#'   each size (`"significance"`; 500 with NULL, but at most 100 for `"factors"`), of sets of lists (`"preferences"`,
#'   Table 7; 1,000 with NULL), or of halves of the queries (6 with NULL for `"independence"`, 3 for `"ablation"`).
#' @param progress TRUE shows a progress bar. The default is the option `judicious.progress`, or TRUE in interactive R
#'   sessions.
#' @param stored TRUE returns the results that are stored with the package, without computing anything. They were
#'   computed with seed 1, the public data and the default replicates; the curves of figures have four significant
#'   digits. `data`, `seed` and `replicates` then have no effect. `"long"` returns the stored results of the items of
#'   the first paper that take longest (`"figure2"`, `"figure3"`, `"truncated"`, `"independence"`, `"ablation"` and
#'   `"cost"`), and computes the others. FALSE (default) computes all.
#' @return A `judicious_reproduction`. `print()` shows each table with published and obtained numbers side by side;
#'   `summary()` returns a list of those tables as data frames of text; `plot()` draws the figures; `as.data.frame()`
#'   returns one row per number: `item`, `row`, `quantity`, `data` (`"public"`, `"simulated"`, or `"printed"`: computed
#'   from other numbers of the paper), `published`, `digits` (decimals that were printed), `precision`, `obtained`,
#'   `difference`, `lowest` and `highest` (of simulated numbers: see below), `status`, `note` (the reason for a
#'   difference; empty if the numbers agree), `tested` (how the reason was tested), `evidence` (the results of
#'   simulations with other settings, or how much a change of the data changes the number) and `source` (the place of
#'   the number in the paper).
#' @section Precision and status: The `precision` of a published number determines whether an obtained number agrees
#'   with it. `"rounded"`: if it is within half a unit of the last printed digit. `"exact"`: only if it is equal, as for
#'   counts and for statements such as "the same ranking". `"below"`: if it is smaller, because the published number is
#'   an upper bound.
#'
#'   A simulation is another collection, so its numbers differ from the published ones even if the method is the same.
#'   `lowest` and `highest` show how much they can differ: they are the extremes over 20 simulations with different
#'   seeds (for the first paper, 20 simulations of all four editions). The `status` is one of:
#'   - `"agrees"`: the numbers agree within the precision;
#'   - `"within spread"`: they do not, but the published number is between `lowest` and `highest`;
#'   - `"differs"`: neither;
#'   - `"not obtained"`: there is no obtained number;
#'   - `"own"`: there is no published number.
#'
#'   `tested` states how the reason for a difference was tested:
#'   - `"20 collections"`: the published number is between `lowest` and `highest`;
#'   - `"other settings"`: it is not, but simulations with other settings give numbers on the other side of it than the
#'     default settings do, or on both sides (teams that differ more in quality, Broad levels as in 2011, related
#'     genres, assessors who hear more or less than systems do, one-tailed tests in a fixed direction, other crowds and
#'     experts);
#'   - `"other data"`: for the public edition, a change of the data or the models moves the number towards the published
#'     one by at least the difference (one edition of four, models of three simulated editions, half of the queries,
#'     other teams than the inferred ones, all Broad judgments instead of the public ones, another simulated collection,
#'     one-tailed tests in a fixed direction);
#'   - `"computed"`: the reason was confirmed by computations with the numbers of the paper or with the public answers;
#'   - `"not public"`: there are no data;
#'   - `"not found"`: none of the tested reasons explains the difference.
#' @references Urbano, J. and Schedl, M. (2013). Minimal test collections for low-cost evaluation of
#'   Audio Music Similarity and Retrieval systems. International Journal of Multimedia Information
#'   Retrieval 2, 59-70.
#'
#'   Urbano, J., Martin, D., Marrero, M. and Morato, J. (2011). Audio Music Similarity and Retrieval: evaluation
#'   power and stability. ISMIR, 597-602.
#'
#'   Urbano, J., Morato, J., Marrero, M. and Martin, D. (2010). Crowdsourcing preference judgments for evaluation of
#'   music similarity tasks. SIGIR Workshop on Crowdsourcing for Search Evaluation, 9-16.
#' @examples
#' reproduce("mtc", "example")
#' reproduce("preferences", "table1")
#' reproduce("mtc", "leak", stored = TRUE)
#' @order 1
#' @export
reproduce <- function(paper = c("mtc", "significance", "preferences"), item = NULL,
                      data = Sys.getenv("JUDICIOUS_DATA"), seed = 1, replicates = NULL,
                      progress = getOption("judicious.progress", interactive()), stored = FALSE) {
  paper <- check_choice(paper, c("mtc", "significance", "preferences"), "paper")
  items <- reproduction_items(paper)
  if (is.null(item)) item <- names(items)
  check_reproduction(item, items, stored)
  if (isTRUE(stored)) return(stored_reproduction(paper, unique(item)))
  check_string(data, "data")
  if (nzchar(data) && !dir.exists(data)) {
    abort_judicious("The folder {.path {data}} of {.arg data} does not exist.", "argument", argument = "data")
  }
  check_count(seed, "seed", min = 0)
  if (!is.null(replicates)) check_count(replicates, "replicates")
  check_flag(progress, "progress")
  world <- new.env(parent = emptyenv())
  world$data <- data
  world$seed <- seed
  world$replicates <- replicates
  world$kept <- list()
  kept <- if (identical(stored, "long")) intersect(item, long_items(paper))
  r <- computed_reproduction(world, paper, items[setdiff(item, kept)], progress)
  if (length(kept)) add_stored(r, stored_reproduction(paper, kept), unique(item)) else r
}

check_reproduction <- function(item, items, stored, call = caller_env()) {
  if (!is.character(item) || !length(item) || !all(item %in% names(items))) {
    abort_judicious("{.arg item} must be any of {.val {names(items)}}, not {.val {setdiff(item, names(items))}}.",
                    "argument", argument = "item", call = call)
  }
  if (!identical(stored, "long") && !isTRUE(stored) && !isFALSE(stored)) {
    abort_judicious("{.arg stored} must be TRUE, FALSE or {.val long}, not {.obj_type_friendly {stored}}.", "argument",
                    argument = "stored", call = call)
  }
}

computed_reproduction <- function(world, paper, items, progress) {
  published <- published_numbers(paper)
  spread <- simulated_spread(paper)
  step <- start_progress("Reproducing", length(items), progress)
  done <- lapply(items, function(make) {
    made <- make(world)
    step()
    made
  })
  tables <- Map(function(name, part) {
    compare_published(published[published$item == name, ], part$obtained, part$unavailable,
                      spread[spread$item == name, ])
  }, names(done), done)
  figures <- Filter(Negate(is.null), lapply(done, `[[`, "figure"))
  structure(list(paper = paper, tables = tables, figures = figures, titles = vapply(done, `[[`, "", "title"),
                 data = public_data(world), seed = world$seed), class = "judicious_reproduction")
}

stored_reproduction <- function(paper, item) {
  r <- readRDS(system.file("extdata", "published", paste0(paper, ".rds"), package = "judicious", mustWork = TRUE))
  r$tables <- r$tables[item]
  r$titles <- r$titles[item]
  r$figures <- r$figures[intersect(item, names(r$figures))]
  r
}

# The items that compute longest. Items of other papers may have the same names.
long_items <- function(paper) {
  if (paper == "mtc") c("figure2", "figure3", "truncated", "independence", "ablation", "cost")
}

add_stored <- function(r, stored, order) {
  for (part in c("tables", "titles", "figures")) {
    both <- c(r[[part]], stored[[part]])
    r[[part]] <- both[intersect(order, names(both))]
  }
  r
}

reproduction_items <- function(paper) {
  switch(paper, mtc = c(mtc_items(), finding_items()), significance = significance_items(),
         preferences = preference_items())
}

# Computes once what several items need.
remember <- function(world, key, make) {
  if (is.null(world$kept[[key]])) world$kept[[key]] <- make()
  world$kept[[key]]
}

# The folder of a public data set, or NULL if it does not exist.
public_folder <- function(world, name) {
  path <- file.path(world$data, name)
  if (nzchar(world$data) && dir.exists(path)) path
}

public_data <- function(world) {
  sets <- c("mirex-ams-2011", "crowd-preferences-2010")
  sets[!vapply(sets, function(name) is.null(public_folder(world, name)), NA)]
}

# Result of one item: the obtained numbers, the reasons for missing ones, and optionally the curves of a figure.
item_result <- function(title, obtained, unavailable = NULL, figure = NULL) {
  list(title = title, obtained = obtained, unavailable = unavailable, figure = figure)
}

# The numbers of one row of a table, with names. `computed`: was the reason in the note found by computations with the
# data themselves?
obtained_row <- function(row, values, data, note = "", computed = data == "printed") {
  data.frame(row = rep(as.character(row), length(values)), quantity = names(values), data = rep(data, length(values)),
             obtained = unname(as.numeric(values)), note = rep(note, length(values)),
             computed = rep(computed, length(values)), stringsAsFactors = FALSE)
}
