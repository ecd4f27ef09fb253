# The command `judicious fit`.
# `o`: the values of the options, as cli_parse() returns them.

cli_fit <- function(o) {
  check_usage(!is.null(o$judgments) || cli_has_answers(o),
              "--judgments is missing: a model is fitted to judged pairs.")
  check_usage(!is.null(o$save), "--save is missing: the file to save the model in.")
  if (o$kind == "joint") {
    cli_refuse(o, "self", "only available with --kind ordinal")
    model <- fit_joint_model(o)
    written <- gain_model_table(model)
  } else {
    cli_refuse(o, c("random", "prior", "measure"), "only available with --kind joint")
    model <- fit_ordinal_model(o)
    written <- tidy.judicious_pom(model)
  }
  write_bytes(encode_data(model, "model"), o$save, "--save")
  written
}

fit_joint_model <- function(o) {
  arguments <- list(past = cli_collection(o), random = o$random, measure = o$measure)
  if (!is.null(o$formula)) arguments$formula <- cli_formula(o$formula)
  if (!is.null(o$prior)) {
    arguments$prior <- cli_model_file(o$prior, "prior")
    check_class(arguments$prior, "judicious_gain_model", "prior", "gain_model")
  }
  do.call(gain_model, arguments)
}

gain_model_table <- function(model) {
  used <- model$variance > 0
  estimate <- c(model$coefficient, model$variance[used])
  data.frame(kind = rep(c("coefficient", "variance"), c(length(model$coefficient), sum(used))), term = names(estimate),
             estimate = unname(estimate), sd = unname(c(coefficient_sd(model), model$variance_sd[used])))
}

# Fits an ordinal model without the levels that no judgment has, because their thresholds cannot be estimated.
fit_ordinal_model <- function(o) {
  x <- cli_collection(o)
  features <- output_features(x)
  judged <- judgment_features(x, self = o$self)
  features[setdiff(names(judged), names(features))] <- judged[setdiff(names(judged), names(features))]
  model_formula <- cli_formula(o$formula %||% varying_features(features), response = "gain")
  unknown <- setdiff(all.vars(model_formula), c("gain", names(features)))
  if (length(unknown)) {
    features <- setdiff(names(features), c("query", "doc"))
    abort_usage("--formula: there is no feature {unknown[1]}; the features are {paste(features, collapse = ', ')}.")
  }
  if (any(all.vars(model_formula) %in% names(judged))) {
    inform_judicious("The model uses judgment-based features: use it as --judge-model.", "judge_model")
  } else {
    cli_refuse(o, "self", "only available with judgment-based features in --formula")
  }
  features$gain <- factor(modelled_gain(x), ordered = TRUE)
  pom(model_formula, features)
}

# The terms of the published output model whose features vary in the data. The feature OV never varies within a
# collection.
varying_features <- function(data) {
  varies <- function(names) all(vapply(data[names], function(v) length(unique(v[!is.na(v)])) > 1, NA))
  feature_sets <- list("pTEAM", "aRANK", "pART", c("sGEN", "pGEN"))
  paste(vapply(Filter(varies, feature_sets), paste, "", collapse = " * "), collapse = " + ")
}

# A formula from text, which is its right-hand side, with or without ~.
cli_formula <- function(text, response = "") {
  tryCatch(stats::as.formula(paste(response, "~", sub("^[^~]*~", "", text)), env = globalenv()),
           error = function(cnd) abort_usage("--formula is not a formula of features: \"{text}\"."))
}
