# Creates the picture of the judging page in README.md with a headless Chromium: man/figures/judging.png, in few
# colours.
library(judicious)
source("tests/testthat/helper-browser.R")
source("tests/testthat/helper-app.R")

picture <- function(path) {
  served <- serve_app(c(
    "x <- simulate_collection(queries = 12, documents = 300, artists = 60, systems = 6, scale = broad_scale(),",
    "                         seed = 4)",
    "s <- judging_session(x, goal = goal_mean(0.95), overlap = 0.2, seed = 1, judgments = FALSE)",
    "truth <- judgments_of(x)",
    "set.seed(3)",
    "for (i in 1:60) {",
    "  who <- c('ann', 'ben')[i %% 2 + 1]",
    "  ask <- next_documents(s, 1, who)",
    "  gain <- truth$gain[truth$query == ask$query & truth$doc == ask$doc]",
    "  if (runif(1) < 0.15) gain <- sample(0:2, 1)",
    "  judge(s, ask$query, ask$doc, gain, who, 12)",
    "}",
    "queries <- data.frame(query = x$queries$query, title = 'Waltz in D minor', text = paste('A slow waltz for',",
    "  'strings: the violins have the tune, a cello answers. No voices, no drums.'))",
    "documents <- data.frame(doc = x$documents$doc, title = 'Evening on the lake', text = paste('Piano and strings,',",
    "  'in three, rather slow. The tune is in the piano at first and moves to the violins in the middle; it ends as',",
    "  'it began.\\n\\nRecorded in concert, with some applause at the end.'))",
    "token <- add_assessor(s, 'ann')",
    sprintf("writeLines(token, %s)", deparse(token_file <- tempfile())),
    "app <- judge_app(s, documents, queries, guidelines = 'Judge how similar it sounds.', title = 'Music similarity')"
  ))
  browser <- new_browser()
  tab <- new_tab(browser, paste0(served$url, "#token=", readLines(token_file)), size = c(1280, 670))
  wait_for(tab, "document.querySelector('[data-task]') !== null && document.querySelector('.status') !== null")
  # The expected number of judgments appears after the screen.
  wait_for(tab, "document.querySelector('.status').textContent.includes('about')")
  screenshot(tab, path)
  close_tab(tab)
}

picture("man/figures/judging.png")
# Sixty-four colours are sufficient for a page of text.
system2("convert", c("man/figures/judging.png", "-strip", "+dither", "-colors", "64", "PNG8:man/figures/judging.png"))
message(file.size("man/figures/judging.png"), " bytes")
