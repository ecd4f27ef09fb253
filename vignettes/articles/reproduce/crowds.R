# The crowds of the third paper: the public one of 2010, and a simulated one with simulated experts.

# The published answers, with the batch of each answer and the musical background that the worker stated.
public_crowd <- function(world) {
  remember(world, "public crowd", function() {
    path <- public_folder(world, "crowd-preferences-2010")
    if (is.null(path)) return(NULL)
    raw <- utils::read.csv(file.path(path, "judgments.csv"), encoding = "latin1", stringsAsFactors = FALSE)
    april <- function(text) as.POSIXct(paste0("2010-04-", substr(text, 9, 19)), "GMT", "%Y-%m-%d %H:%M:%S")
    created <- april(raw$CreationTime)
    times <- sort(unique(created))
    qrel <- utils::read.table(file.path(path, "MTurk.qrel"), stringsAsFactors = FALSE)
    names(qrel) <- c("source", "query", "doc", "group")
    answers <- data.frame(
      query = raw$Input.query, doc_a = raw$Input.docA, doc_b = raw$Input.docB, worker = as.character(raw$WorkerId),
      answer = unname(c(a = "a", b = "b", s = "equal")[raw$Answer.radio]), seconds = raw$WorkTimeInSeconds,
      # Batches were submitted hours apart, so a gap of more than ten minutes starts a new batch.
      iteration = cumsum(c(TRUE, diff(as.numeric(times)) > 600))[match(created, times)],
      time = april(raw$SubmitTime),
      background = stated_background(raw), feedback = wrote_something(raw), stringsAsFactors = FALSE
    )
    list(answers = answers, list = ordered_list(qrel))
  })
}

# "none" if the worker stated in any words to have no background, "some" for any other text, and "unknown" without text.
# This classification reproduces the totals of Tables 4 and 5 exactly.
stated_background <- function(raw) {
  worker <- as.character(raw$WorkerId)
  none <- worker[grepl("^ *no([.]|$| background)", lower_ascii(raw$Answer.bground))]
  ifelse(worker %in% none, "none", ifelse(worker %in% worker[wrote_something(raw)], "some", "unknown"))
}

# Whether the worker wrote text in the field about the background or in that for comments.
wrote_something <- function(raw) nzchar(trimws(raw$Answer.bground)) | nzchar(trimws(raw$Answer.comment))

# Missing answers count as equal, as they do in the published lists.
filled <- function(answers, as = "equal") {
  answers$answer[is.na(answers$answer)] <- as
  answers
}

# Eleven lists of 4 to 23 candidates, 119 in total; a crowd of 79 workers who consider half of the pairs equal, as that
# of 2010 did; and 35 experts who rank the candidates. `expert` is the scale of the experts' errors.
simulated_crowd <- function(world, workers = 79, threshold = 1.6, expert = 1, skill = 1,
                            size = c(4, 5, 6, 7, 8, 9, 11, 13, 15, 18, 23)) {
  remember(world, "simulated crowd", function() {
    with_seed(world$seed, {
      similarity <- lapply(stats::setNames(size, numbered("q", length(size))), function(n) {
        stats::setNames(stats::rnorm(n, 0, 1.3), numbered("d", n))
      })
      crowd <- simulate_crowd(similarity, workers = workers, skill = skill, threshold = threshold)
      session <- run_session(preference_session(lapply(similarity, names)), crowd)
      rankings <- do.call(rbind, lapply(names(similarity), function(query) {
        latent <- similarity[[query]]
        do.call(rbind, lapply(seq_len(35), function(assessor) {
          heard <- latent + stats::rlogis(length(latent), scale = expert)
          data.frame(query = query, doc = names(latent), assessor = assessor, rank = rank(-heard),
                     stringsAsFactors = FALSE)
        }))
      }))
      list(similarity = similarity, session = session, rankings = rankings,
           lists = list("All-2" = ordered_list(rankings, "all", 2),
                        "Any-1" = ordered_list(rankings, "any", 1), MTurk = ordered_list(session)))
    })
  })
}

# A session that asks for the pairs of 2010 and receives the published answers.
sorted_as_published <- function(crowd) {
  order <- recover_order(crowd$answers, candidates = crowd$list, missing = "equal")
  s <- preference_session(order, order = "given", missing = "equal", seed = 1)
  for (i in sort(unique(crowd$answers$iteration))) s <- add_answers(s, crowd$answers[crowd$answers$iteration == i, ])
  ordered_list(s)
}
