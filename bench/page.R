# How long people wait at the judging page in a browser: a headless Chromium presses the keys of several assessors in
# turn. The page itself measures the time from the key press to the next document with its picture, and from opening the
# lead's view to its numbers and plots.
#
#   Rscript bench/page.R [judgments] [pause] [systems] [queries] [measure] [assessors] [before] [beside=FALSE]
#
# where `pause` is the time in seconds between a document and its answer, during which the next documents are preloaded,
# `measure` is that of the session, such as "nDCG@10", `before` the number of judgments with which it begins, and
# `beside` states whether prefetch_documents() selects documents in a separate process, so that the page never
# estimates.
library(judicious)
source("bench/common.R")
source("tests/testthat/helper-browser.R")
source("tests/testthat/helper-app.R")
given <- given_arguments(commandArgs(TRUE), list(judgments = 100, pause = 1, systems = 60, queries = 50,
                                                 measure = "AG@10", assessors = 3, before = 300, beside = FALSE))
browser <- new_browser(env = globalenv())

# A collection of which some documents are judged, and a picture of random pixels for each document.
folder <- tempfile("media")
dir.create(folder)
x <- simulate_collection(queries = given$queries, documents = 3000, artists = 300, systems = given$systems, k = 10,
                         seed = 4)
picture <- file.path(folder, "picture.png")
png(picture, 600, 600)
par(mar = rep(0, 4))
image(matrix(stats::runif(600^2), 600))
invisible(dev.off())
invisible(file.symlink(picture, file.path(folder, paste0(x$documents$doc, ".png"))))
store <- tempfile(fileext = ".sqlite")
s <- judging_session(x, goal = goal_budget(given$before + given$judgments + 10 * given$assessors), store = store,
                     seed = 1, judgments = FALSE, measure = given$measure,
                     control = session_control(batch = if (given$beside) 20 else 1))
truth <- judgments_of(x)
run_session(s, function(query, doc) {
  if (nrow(judgments_of(s)) < given$before) truth$gain[truth$query == query & truth$doc == doc]
}, progress = FALSE)
tokens <- vapply(paste0("assessor", seq_len(given$assessors)), function(name) add_assessor(s, name), "")
close_session(s)

page <- function(...) {
  serve_app(c(sprintf("s <- open_session(%s)", deparse(store)), sprintf("media <- %s", deparse(folder)), ...),
            env = globalenv())
}

# Measures the time from a key press to the first frame that shows another document with its picture.
watch_answers <- "
  window.waits = [];
  document.addEventListener('keydown', e => { if (e.key === 'Enter') window.pressed = performance.now(); }, true);
  const look = () => {
    const task = (document.querySelector('[data-task]') || {dataset: {}}).dataset.task;
    const picture = document.querySelector('.document img');
    if (window.pressed && task !== window.taskBefore && picture && picture.complete) {
      window.waits.push(performance.now() - window.pressed);
      window.pressed = null;
    }
    if (!window.pressed) window.taskBefore = task;
    requestAnimationFrame(look);
  };
  look();"

tend_session <- function() {
  code <- sprintf("library(judicious); prefetch_documents(open_session(%s))", deparse(store))
  processx::process$new(file.path(R.home("bin"), "Rscript"), c("-e", code), cleanup_tree = TRUE)
}

answer_waits <- function() {
  if (given$beside) tender <- tend_session()
  served <- page("app <- judge_app(s, documents = 'media/{doc}.png', media = media)")
  tabs <- lapply(tokens, function(token) new_tab(browser, paste0(served$url, "#token=", token)))
  for (tab in tabs) {
    wait_for(tab, "document.querySelector('.document img')?.complete === true", 60)
    in_page(tab, watch_answers)
  }
  for (i in seq_len(given$judgments)) {
    Sys.sleep(given$pause / given$assessors)
    tab <- tabs[[(i - 1) %% given$assessors + 1]]
    send_command(tab, "Page.bringToFront")
    press(tab, "5", "0", "Enter")
    wait_for(tab, sprintf("window.waits.length === %d", (i - 1) %/% given$assessors + 1), 60)
  }
  waits <- unlist(lapply(tabs, function(tab) unlist(in_page(tab, "window.waits"))))
  lapply(tabs, close_tab)
  served$process$kill_tree()
  if (given$beside) tender$kill_tree()
  waits
}

# The times since the page was requested.
lead_waits <- function(times) {
  served <- page("app <- judge_app(s, view = 'lead', tokens = FALSE)")
  opened <- function(i) {
    tab <- new_tab(browser)
    send_command(tab, "Page.addScriptToEvaluateOnNewDocument", list(source = "
      window.times = {};
      const note = (name, seen) => { if (seen && !(name in window.times)) window.times[name] = performance.now(); };
      const look = () => {
        note('numbers', document.querySelectorAll('#lead_tiles .tile').length);
        const images = ['ranking', 'pairs', 'trace'].map(id => document.querySelector('#lead_' + id + ' img'));
        note('pictures', images.every(e => e && e.complete));
        note('fresh', (document.querySelector('#lead_assessors table')));
        requestAnimationFrame(look);
      };
      look();"))
    go_to(tab, served$url)
    wait_for(tab, "Object.keys(window.times).length === 3", 120)
    waits <- unlist(in_page(tab, "window.times"))[c("numbers", "pictures", "fresh")]
    # Pictures are stored when they are drawn.
    Sys.sleep(5)
    close_tab(tab)
    waits
  }
  waits <- t(vapply(seq_len(times), opened, numeric(3)))
  served$process$kill_tree()
  waits
}

show_waits <- function(what, waits) {
  q <- stats::quantile(waits, c(.5, .95, .99, 1))
  cat(sprintf("%-48s median %.0f ms, 95%% below %.0f ms, 99%% below %.0f ms, longest %.0f ms\n", what, q[1], q[2],
              q[3], q[4]))
}

load <- if (file.exists("/proc/loadavg")) strsplit(readLines("/proc/loadavg"), " ")[[1]][1] else "unknown"
cat(sprintf("%s, %d systems, %d queries, %d documents in the pool, %d judged before, %d assessors%s; load before: %s\n",
            given$measure, nrow(x$systems), nrow(x$queries), nrow(truth), given$before, given$assessors,
            if (given$beside) ", a process that estimates" else "", load))
show_waits("from a key to the next document and its picture", answer_waits())
waits <- lead_waits(6)
cat("The lead's view:\n")
cat(sprintf("  %-10s first %5.0f ms after the page started, then median %5.0f ms, longest %5.0f ms\n", colnames(waits),
            waits[1, ], apply(waits[-1, ], 2, stats::median), apply(waits[-1, ], 2, max)), sep = "")
