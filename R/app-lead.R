# The lead's view: the ranking, its confidence, whether the confidence can be trusted, and the work of the assessors.

lead_section <- function(title, ..., wide = FALSE) {
  htmltools::tags$section(class = paste("card-box", if (wide) "wide"), htmltools::tags$h2(title), ...)
}

lead_screen <- function(spec) {
  tags <- htmltools::tags
  plot <- function(id, height = "380px") shiny::plotOutput(id, height = height)
  sections <- if (is.null(spec$preferences)) {
    htmltools::tagList(
      lead_section("Ranking", tags$p(class = "help", "Estimated mean effectiveness over the queries, with intervals."),
                   plot("lead_ranking"),
                   tags$details(tags$summary("The same as a table"), shiny::uiOutput("lead_ranking_table"))),
      lead_section("Every pair of systems",
                   tags$p(class = "help", "The confidence that the system in the row is better than the one in the ",
                          "column."),
                   plot("lead_pairs")),
      lead_section("Confidence as documents are judged",
                   tags$p(class = "help", "The mean over all pairs of systems; the dashed line is the goal."),
                   plot("lead_trace", "320px")),
      lead_section("Does the confidence hold?", shiny::uiOutput("lead_calibration")))
  } else {
    htmltools::tagList(lead_section("Iterations", shiny::uiOutput("lead_batches"), wide = TRUE),
                       lead_section("Lists so far", shiny::uiOutput("lead_lists"), wide = TRUE))
  }
  tags$div(class = "lead-view",
    tags$h1(tabindex = "-1", `data-focus` = NA, "Lead's view"),
    shiny::uiOutput("lead_tiles", container = tags$dl, class = "tiles"),
    sections,
    lead_section("Assessors", shiny::uiOutput("lead_assessors"), wide = TRUE),
    lead_section("Export", tags$p("What stands now, as a file."), wide = TRUE,
                 tags$div(class = "downloads", lapply(lead_files(spec), function(file) {
                   shiny::downloadLink(file$id, file$label, class = "tool")
                 }))))
}

lead_files <- function(spec) {
  if (!is.null(spec$preferences)) return(list(list(id = "file_answers", label = "Answers (CSV)", ext = "csv")))
  list(list(id = "file_qrels", label = "Judgments (TREC qrels)", ext = "qrels"),
       list(id = "file_csv", label = "Judgments (CSV)", ext = "csv"),
       list(id = "file_log", label = "The whole log (CSV)", ext = "csv"))
}

write_lead_file <- function(s, id, file) {
  switch(id,
    file_qrels = export_judgments(s, file, "qrels"),
    file_csv = export_judgments(s, file, "csv"),
    file_log = export_judgments(s, file, "csv", all = TRUE),
    file_answers = {
      given <- preference_answers(s)
      given$time <- utc_text(given$time)
      write_csv(given, file, "`file`")
    }
  )
}

# Outputs are computed, and files written, only while a lead is logged in.
lead_outputs <- function(desk, output) {
  s <- desk$s
  spec <- desk$spec
  state <- desk$state
  leads <- function() shiny::req(isTRUE(state$lead) && state$view == "lead" && may_lead(desk))
  status <- shiny::reactive({
    leads()
    shiny::invalidateLater(2 * spec$look_again)
    desk$mode$status$get()
  })
  for (file in lead_files(spec)) local({
    file <- file
    output[[file$id]] <- shiny::downloadHandler(
      function() paste0("judgments-", format(Sys.time(), "%Y%m%d-%H%M"), ".", file$ext),
      function(path) {
        leads()
        spec$log("download", desk$address, assessor = state$who, file = file$id)
        write_lead_file(s, file$id, path)
      })
  })
  if (is.null(spec$preferences)) lead_gains(s, output, status) else lead_preferences(spec, output, status)
}

lead_gains <- function(s, output, status) {
  # The ranking is drawn again when there is a new judgment, not at every tick of the clock.
  judged <- shiny::reactive(status()$judged)
  current <- shiny::reactive({
    judged()
    rank_systems(s)
  })
  output$lead_tiles <- shiny::renderUI(gains_tiles(status()))
  output$lead_ranking <- shiny::renderPlot(lead_plot(current()), res = 96,
                                           alt = shiny::reactive(ranking_in_words(current())))
  output$lead_ranking_table <- shiny::renderUI(ranking_table(current()))
  output$lead_pairs <- shiny::renderPlot(lead_plot(current(), type = "confidence"), res = 96,
                                         alt = shiny::reactive(pairs_in_words(current())))
  output$lead_trace <- shiny::renderPlot({
    judged()
    lead_plot(s)
  }, res = 96, alt = shiny::reactive(paste("Confidence in the ranking after each judgment; now",
                                           percent(status()$confidence, 1))))
  output$lead_calibration <- shiny::renderUI({
    judged()
    calibration_panel(calibration(s))
  })
  output$lead_assessors <- shiny::renderUI(assessors_panel(status(), judgments_of(s), s$env$x$scale))
}

# The heading of the section describes the plot, and fits a phone, so the plot needs no title.
lead_plot <- function(x, ...) {
  if (!use_ggplot2("auto")) return(plot(x, ...))
  ggplot2::autoplot(x, ...) + ggplot2::labs(title = NULL, subtitle = NULL)
}

lead_preferences <- function(spec, output, status) {
  session <- shiny::reactive(status()$session)
  output$lead_tiles <- shiny::renderUI(preference_tiles(summary(session())))
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
