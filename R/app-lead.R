# The lead's page: the ranking, its confidence, whether the confidence can be trusted, and the work of the assessors.

lead_section <- function(title, ..., wide = FALSE) {
  htmltools::tags$section(class = paste("card-box", if (wide) "wide"), htmltools::tags$h2(title), ...)
}

# The screen of the lead's page. `systems`: the names of the systems, which determine the size of the plots and tables:
# each system needs a line in a plot, long names need the whole width for tables, and many systems need it for the plot
# of all pairs.
lead_screen <- function(spec, systems) {
  gains <- is.null(spec$preferences)
  output <- function(id) shiny::uiOutput(id, `aria-live` = "off")
  tall <- paste0(min(900, max(380, 14 * length(systems) + 90)), "px")
  has_long_names <- any(nchar(systems) > 30)
  has_many_systems <- length(systems) > 30
  state <- if (gains) {
    htmltools::tagList(
      lead_section("What is decided", output("lead_decided"), wide = has_long_names),
      lead_section("Ranking", wide = has_long_names,
                   tags$p(class = "help", "Estimated effectiveness, with intervals; after each name, its rank set."),
                   shiny::plotOutput("lead_ranking", height = tall),
                   tags$details(tags$summary("The same as a table"), shiny::uiOutput("lead_ranking_table"))),
      lead_section("Every pair of systems", wide = has_many_systems,
                   tags$p(class = "help", "The confidence that the system in the row is better than the one in the ",
                          "column."),
                   shiny::plotOutput("lead_pairs", height = tall)),
      lead_section(in_words_of(spec$nouns, "Confidence as documents are judged"), wide = has_many_systems,
                   tags$p(class = "help", "The mean over all pairs. A dashed line is a goal of mean confidence."),
                   shiny::plotOutput("lead_trace", height = "320px")),
      lead_section("Does the confidence hold?", output("lead_calibration"), wide = TRUE))
  } else {
    htmltools::tagList(lead_section("Iterations", output("lead_batches"), wide = TRUE),
                       lead_section("Lists so far", output("lead_lists"), wide = TRUE))
  }
  tags$div(class = "lead-view",
    tags$h1(tabindex = "-1", `data-focus` = NA, "Lead's view"),
    shiny::uiOutput("lead_tiles", container = tags$dl, class = "tiles", `aria-live` = "off"),
    state,
    lead_section("Run the judging", output("lead_run"), if (gains) output("lead_goal")),
    lead_section("Who judges what", output("lead_assign")),
    lead_section("Assessors", output("lead_assessors"), output("lead_people"), wide = TRUE),
    lead_section(if (gains) "Disagreements" else "Contested pairs", output("lead_disagreements"), wide = TRUE),
    lead_section("Comments and flags", output("lead_notes"), wide = TRUE),
    lead_section("Export", tags$p("The current state, as a file."), wide = TRUE,
                 tags$div(class = "downloads", lapply(lead_files(spec), function(file) {
                   shiny::downloadLink(file$id, file$label, class = "tool")
                 }))))
}

# The files that a lead can download. Leads open tables in a spreadsheet, where texts that assessors entered could act
# as formulas, so these are made harmless.
lead_files <- function(spec) {
  entry <- function(id, label, ext, write) list(id = id, label = label, ext = ext, write = write)
  table <- function(id, label, rows) entry(id, label, "csv", function(s, file) write_log(rows(s), file))
  if (!is.null(spec$preferences)) {
    return(list(table("file_answers", "Answers (CSV)", preference_answers),
                table("file_log", "The whole log (CSV)", answers)))
  }
  can_report <- requireNamespace("rmarkdown", quietly = TRUE) && rmarkdown::pandoc_available("2.0")
  c(list(entry("file_qrels", "Judgments (TREC qrels)", "qrels", function(s, file) export_judgments(s, file, "qrels")),
         table("file_csv", "Judgments (CSV)", judgments_of),
         table("file_log", "The whole log (CSV)", function(s) store_rows(s$engine$store, "event"))),
    if (can_report) list(entry("file_report", "Report (HTML)", "html", function(s, file) report(s, file))))
}

# Updates the page step by step: first figures that are known, then figures that have to be recomputed, the plots, and
# at last the expected number of further judgments, which takes longest.
update_lead_page <- function(page) {
  reactive <- page$reactive
  drawn <- -1
  phase <- "figures"
  report_news <- function() {
    page$mode$status$get()
    reactive$news <- reactive$news + 1
  }
  shiny::observe({
    if (is.null(reactive$who) || reactive$view != "lead" || !reactive$lead) return()
    if (reactive$screen_no != drawn) {
      drawn <<- reactive$screen_no
      phase <<- "figures"
      # The next phase starts when the browser has received the screen and requested its outputs.
      return(shiny::invalidateLater(100))
    }
    current <- phase
    phase <<- switch(current, figures = "pictures", pictures = "expected", expected = "figures")
    shiny::invalidateLater(if (current == "expected") 2 * page$spec$look_again else 1)
    shiny::isolate(show_errors(say = page$say, switch(current,
      figures = report_news(),
      pictures = reactive$pictures <- plotted_figures(page$mode$status$last()),
      expected = {
        update_expected(page$mode)
        outdate_status(page$mode)
        report_news()
      })))
  })
}

# The figures on which the plots of the ranking depend: the plots are drawn again if these change.
plotted_figures <- function(figures) list(figures$judged, figures$confidence, figures$goal$label)

# A reactive value that is invalidated only if it changes, so that forms are not redrawn while the lead fills them in.
changed_value <- function(make) {
  value <- shiny::reactiveVal()
  shiny::observe(value(make()))
  shiny::reactive(shiny::req(value()))
}

# The outputs of the lead's page. They are computed, and files are written, only while a lead is logged in.
lead_outputs <- function(page, output) {
  s <- page$s
  spec <- page$spec
  reactive <- page$reactive
  leads <- function() shiny::req(isTRUE(reactive$lead) && reactive$view == "lead" && may_lead(page))
  status <- shiny::reactive({
    leads()
    # The tiles are drawn with figures from before this page was opened; other outputs wait for the first new figures.
    shiny::req(reactive$news > 0)
    shiny::req(page$mode$status$last())
  })
  lapply(lead_files(spec), function(file) {
    output[[file$id]] <- shiny::downloadHandler(
      function() paste0("judgments-", format(Sys.time(), "%Y%m%d-%H%M"), ".", file$ext),
      function(path) {
        leads()
        spec$log("download", page$address, assessor = reactive$who, file = file$id)
        tryCatch(file$write(s, path), judicious_error = function(cnd) {
          why <- cli::ansi_strip(rlang::cnd_message(cnd))
          page$say(why, urgent = TRUE)
          stop(shiny::safeError(why))
        })
      })
  })
  output$lead_tiles <- shiny::renderUI({
    leads()
    reactive$news
    stored_tiles(page)
  })
  lead_action_outputs(page, output, leads)
  update_lead_page(page)
  if (is.null(spec$preferences)) lead_gain_outputs(page, output, leads, status) else
    lead_preference_outputs(page, output, status)
}

# The outputs and events of the lead's actions; see `lead_actions`.
lead_action_outputs <- function(page, output, leads) {
  s <- page$s
  reactive <- page$reactive
  on_news <- function(make) changed_value(function() {
    leads()
    reactive$screen_no
    reactive$news
    make()
  })
  people <- on_news(function() assessors(s))
  control <- on_news(function() {
    check_session(s)
    list(s$engine$control, s$engine$goal$label, s$engine$edition)
  })
  drawn <- function(panel) shiny::renderUI({
    control()
    panel()
  })
  output$lead_run <- drawn(function() run_panel(s$engine))
  output$lead_goal <- drawn(function() goal_panel(s$engine))
  output$lead_people <- shiny::renderUI(people_panel(people()))
  output$lead_assign <- drawn(function() {
    queries <- if (is.null(page$spec$preferences)) s$engine$x$queries$query else
      unique(page$spec$preferences$candidates$query)
    assign_panel(queries, s$engine$control$assigned, people(), page$spec$nouns)
  })
}

lead_gain_outputs <- function(page, output, leads, status) {
  s <- page$s
  reactive <- page$reactive
  gain_scale <- s$engine$x$scale
  changed <- changed_value(function() plotted_figures(status()))
  current <- shiny::reactive({
    changed()
    rank_systems(s)
  })
  drawn <- shiny::reactive(with_short_names(current()))
  made <- changed_value(function() {
    status()
    list(judgments_of(s), notes_of(s))
  })
  # Plots are drawn after the figures, and redrawn only if a judgment changes the figures, not at every tick of the
  # clock. Until then, the previous plot stays.
  in_time <- function() {
    shiny::req(reactive$pictures, cancelOutput = TRUE)
    shiny::isolate(drawn())
  }
  picture <- function(id, plot, alt) output[[id]] <- shiny::renderPlot(plot(), res = 96, alt = shiny::reactive(alt()))
  output$lead_decided <- shiny::renderUI(decided_panel(current(), status()$goal))
  picture("lead_ranking", function() lead_plot(in_time()), function() ranking_in_words(current()))
  output$lead_ranking_table <- shiny::renderUI(ranking_table(current()))
  picture("lead_pairs", function() lead_plot(in_time(), type = "confidence"), function() pairs_in_words(current()))
  picture("lead_trace", function() {
    in_time()
    lead_plot(s)
  }, function() paste("Confidence in the ranking after each judgment; now", percent(status()$confidence, 1)))
  output$lead_calibration <- shiny::renderUI({
    changed()
    ranking <- current()
    is_quick <- has_few_pairs(ranking$collection) && judged_or_zero(ranking) <= max_reconsidered
    grades_text <- if (is_quick) without_grades_text(ranking, "Without the grades, the confidence would be %.3f")
    htmltools::tagList(calibration_panel(calibration(s), page$spec$nouns),
                       if (!is.null(grades_text)) htmltools::p(paste0(grades_text, ".")))
  })
  output$lead_assessors <-
    shiny::renderUI(assessors_panel(status(), made()[[1]], gain_scale, s$engine$control$assigned))
  output$lead_disagreements <- shiny::renderUI(disagreements_panel(made()[[1]], page$spec, gain_scale))
  output$lead_notes <- shiny::renderUI(notes_panel(made()[[2]], page$spec$nouns))
}

# The tiles with the figures that are known without computing; NULL for preferences whose figures have not been computed
# yet.
stored_tiles <- function(page) {
  figures <- page$mode$status$last()
  if (is.null(page$spec$preferences)) gains_tiles(figures) else
    if (!is.null(figures)) preference_tiles(summary(figures$session))
}

# The plot has no title, because the heading of its section describes it and fits on the screen of a phone, too.
lead_plot <- function(x, ...) {
  need_package("ggplot2", "A plot", call = NULL)
  ggplot2::autoplot(x, ...) + ggplot2::labs(title = NULL, subtitle = NULL, caption = NULL)
}

# Shortens long names to their beginning and end, to leave room for the plot. Tables have the full names.
with_short_names <- function(ranking, max_length = 20) {
  name <- make.unique(shortened_names(names(ranking$mean), max_length))
  names(ranking$mean) <- ranking$collection$systems$system <- ranking$collection$systems$team <- name
  ranking
}

# Shortens names; names that would become equal keep the part in which they differ.
shortened_names <- function(name, max_length) {
  short <- without_middle(name, max_length)
  repeated <- short %in% short[duplicated(short)]
  short[repeated] <- stats::ave(name[repeated], short[repeated], FUN = function(same) {
    paste0(substr(same, 1, 5), "...", without_middle(differing_part(same), max_length - 8))
  })
  short
}

without_middle <- function(name, max_length) {
  kept <- (max_length - 3) %/% 2
  begin <- paste0(substr(name, 1, max_length - 3 - kept), "...")
  ifelse(nchar(name) > max_length, paste0(begin, substring(name, nchar(name) - kept + 1)), name)
}

# Removes from texts their common beginning and their common end.
differing_part <- function(text) {
  common <- function(holds) sum(vapply(seq_len(nchar(text[1])), function(n) all(holds(n)), NA))
  text <- substring(text, 1 + common(function(n) startsWith(text, substr(text[1], 1, n))))
  last <- nchar(text)
  substr(text, 1, last - common(function(n) endsWith(text, substring(text[1], last[1] - n + 1))))
}

lead_preference_outputs <- function(page, output, status) {
  spec <- page$spec
  session <- shiny::reactive(status()$session)
  output$lead_batches <- shiny::renderUI({
    if (!nrow(session()$answers)) return(htmltools::p("There are no answers yet."))
    figure_table(batch_summary(session()), "Answers by iteration of the sort",
                 c(iteration = "Iteration", pairs = "Pairs", answers = "Answers", missing = "Skipped",
                   workers = "Assessors", median_seconds = "Median seconds", agreement = "Agreement"))
  })
  output$lead_lists <- shiny::renderUI({
    tree <- sorting_tree(session())
    tree$docs <- vapply(tree$docs, paste, "", collapse = ", ")
    figure_table(tree[tree$state != "split", ], "Groups of documents, most similar first",
                 c(query = "Query", state = "State", size = "Documents", docs = "Which"))
  })
  output$lead_disagreements <- shiny::renderUI(contested_panel(session(), spec))
  output$lead_notes <- shiny::renderUI({
    answers <- status()$answers
    notes_panel(data.frame(query = answers$query, doc = paste(answers$doc_a, answers$doc_b, sep = " / "),
                           assessor = answers$worker, comment = answers$comment, flag = answers$flag,
                           time = answers$time)[!is.na(answers$comment) | answers$flag, ])
  })
  output$lead_assessors <- shiny::renderUI({
    if (!nrow(session()$answers)) return(htmltools::p("There are no answers yet."))
    quality <- worker_quality(session())
    quality$robot[quality$robot == ""] <- "no"
    figure_table(quality, "Assessors' speed and agreement",
                 c(worker = "Assessor", answers = "Answers", missing = "Skipped", share_equal = "Share of equal",
                   median_seconds = "Median seconds", agreement = "Agreement", others = "The others'",
                   robot = "Robot?"))
  })
}
