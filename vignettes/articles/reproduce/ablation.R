# Ablation of joint gains: sessions on random halves of the queries of the edition of 2011, with one component switched
# off at a time.

finding_ablation <- function(world) {
  cases <- Filter(function(case) case$year == 2011, mtc_cases(world, scale = "Fine"))
  # Use the public edition if it is available.
  case <- cases[[which.max(vapply(cases, function(case) case$data == "public", NA))]]
  study <- mtc_study(case$x, methods = ablation_methods(case), budgets = c(40, 200),
                     replicates = world$replicates %||% 3, seed = world$seed)
  s <- summary(study)
  rows <- do.call(rbind, lapply(unique(s$method), function(method) {
    own <- s[s$method == method, ]
    values <- unlist(lapply(c("accuracy", "brier", "z2"), function(figure) {
      stats::setNames(own[[figure]], paste(figure, "at", own$budget))
    }))
    obtained_row(method, values, case$data)
  }))
  # How much a Brier score varies with the halves that are drawn, as the median over methods.
  errors <- tapply(s$brier_se, s$budget, stats::median)
  names(errors) <- paste("brier at", names(errors))
  rows <- rbind(rows, obtained_row("standard error", errors, case$data))
  item_result("joint gains with one component changed at a time (2011, Fine)", rows)
}

# As joint_method(...), but methods with the same `models`, an environment, learn one model from a past half together.
joint_sharing <- function(models, ..., update_every = Inf) {
  new_method("joint gains", function(past, now, budgets, seed, confidence, truth) {
    key <- paste(unlist(lapply(past, function(x) as.character(x$queries$query))), collapse = " ")
    if (is.null(models[[key]])) models[[key]] <- gain_model(past = past)
    joint_method(models[[key]], ..., update_every = update_every)$run(past, now, budgets, seed, confidence, truth)
  })
}

ablation_methods <- function(case) {
  effects <- joint_terms[-1]
  models <- new.env()
  without <- lapply(stats::setNames(effects, paste("without", effects)), function(effect) {
    joint_method(random = setdiff(effects, effect))
  })
  # Half of the queries must contain every level of the scale, otherwise a model fitted to them cannot predict it.
  unseen <- if (min(table(factor(modelled_gain(case$x), case$x$scale$model_levels))) >= 40) {
    judge <- function(past) mirex_model("judge", past = past, self = FALSE)
    list("independent gains, own gain left out" = published_method(case$output, judge))
  }
  c(
    list("effects chosen by the judgments (default)" = joint_sharing(models),
         "all effects" = joint_method(random = effects)),
    without,
    list(
      "independent gains, own gain seen (published)" = published_method(case$output, case$judge)
    ),
    unseen,
    list(
      "selection by weight (published)" = joint_sharing(models, strategy = strategy_weight()),
      "selection by variance" = joint_sharing(models, strategy = strategy_variance()),
      "selection at random" = joint_sharing(models, strategy = strategy_random()),
      "and estimated anew every 20 judgments" = joint_sharing(models, update_every = 20),
      "and a tenth judged at random (audit)" = joint_sharing(models, audit = 0.1)
    )
  )
}
