# Recomputes the tables and figures of the papers that the package implements, and compares the obtained numbers with
# the published ones. Uses the public data, if they are in the folder `data`, and simulated data of the same shape.
# The article "Published and obtained numbers" (papers.Rmd) describes the data, the status of a number and how reasons
# of differences are tested.
#
# - `paper`: "mtc" (Urbano and Schedl 2013), "significance" (Urbano et al. 2011) or "preferences" (Urbano et al. 2010).
# - `item`: names of items, such as "table2" or "figure1"; NULL selects all items of the paper. Items that are no tables
#   or figures of the paper are studies on the same data: "leak" (the judgment-based model without the document's own
#   gain), "truncated" (truncated regression instead of the output-based model), "scales" (consistency of Broad and Fine
#   judgments), "independence" (z2 and coverage of the published method and of joint_gains()), "ablation" (joint gains
#   with one component switched off at a time), "cost" (judgments to a mean confidence of 95% with both methods),
#   "errors" (section 6 of the second paper), "factors" (effects of the cutoff and of the number of systems) and
#   "beyond" (power with more queries than the collection has).
# - `data`: the folder with the public data, in folders mirex-ams-2011 and crowd-preferences-2010; "" if there is none.
# - `seed`: the seed of all simulations and random draws. The state of R's generator is restored afterwards.
# - `replicates`: the number of random draws, for items that have any: of subsets of the queries of each size
#   ("significance"; 500 with NULL, but at most 100 for "factors"), of sets of lists ("preferences", Table 7; 1,000 with
#   NULL), or of halves of the queries (6 with NULL for "independence", 3 for "ablation").
# - `stored`: TRUE returns the stored results, which were computed with seed 1, the public data and the default
#   replicates; curves of figures have four significant digits. "long" returns the stored results of "independence",
#   "cost" and "ablation", which take one to two minutes of processor time each, and computes the others, which take
#   seconds.
#
# Returns a `judicious_reproduction`. print() shows published and obtained numbers side by side, summary() returns these
# tables as data frames of text, plot() draws the figures, and as.data.frame() has one row per number.
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
  world <- new_world(data, seed, replicates)
  kept <- if (identical(stored, "long")) intersect(item, long_items(paper))
  r <- computed_reproduction(world, paper, items[setdiff(item, kept)], progress)
  if (length(kept)) add_stored(r, stored_reproduction(paper, kept), unique(item)) else r
}

# The data, the seed and the number of random draws of a reproduction, and what its items share.
new_world <- function(data = Sys.getenv("JUDICIOUS_DATA"), seed = 1, replicates = NULL) {
  list2env(list(data = data, seed = seed, replicates = replicates, kept = list()), parent = emptyenv())
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

# All items with NULL.
stored_reproduction <- function(paper, item) {
  r <- readRDS(file.path(published_folder, paste0(paper, ".rds")))
  if (is.null(item)) return(r)
  r$tables <- r$tables[item]
  r$titles <- r$titles[item]
  r$figures <- r$figures[intersect(item, names(r$figures))]
  r
}

# The items that compute longest. Items of other papers may have the same names.
long_items <- function(paper) {
  if (paper == "mtc") c("independence", "ablation", "cost")
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
