# The command `judicious fit`.
# `o`: the values of the options, as cli_parse() returns them.

cli_fit <- function(o) {
  check_usage(!is.null(o$judgments) || cli_has_answers(o),
              "--judgments is missing: a model is fitted to judged pairs.")
  check_usage(!is.null(o$save), "--save is missing: the file to save the model in.")
  arguments <- list(past = cli_collection(o), random = o$random, measure = o$measure)
  if (!is.null(o$formula)) arguments$formula <- cli_formula(o$formula)
  if (!is.null(o$prior)) arguments$prior <- cli_model_file(o$prior, "prior")
  model <- do.call(gain_model, arguments)
  write_bytes(encode_data(model, "model"), o$save, "--save")
  gain_model_table(model)
}

gain_model_table <- function(model) {
  used <- model$variance > 0
  estimate <- c(model$coefficient, model$variance[used])
  data.frame(kind = rep(c("coefficient", "variance"), c(length(model$coefficient), sum(used))), term = names(estimate),
             estimate = unname(estimate), sd = unname(c(coefficient_sd(model), model$variance_sd[used])))
}

# A formula from text, which is its right-hand side, with or without ~.
cli_formula <- function(text) {
  tryCatch(stats::as.formula(paste("~", sub("^[^~]*~", "", text)), env = globalenv()),
           error = function(cnd) abort_usage("--formula is not a formula of features: \"{text}\"."))
}
