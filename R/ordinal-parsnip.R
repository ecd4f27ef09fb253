# Registers pom() as the engine "judicious" of parsnip's ordinal_reg(), its model class with marginaleffects, and its
# predictions with ggeffects. Entries are added to these packages' registries when the packages are loaded; none of them
# is required.

register_elsewhere <- function() {
  when_loaded("parsnip", register_engine)
  when_loaded("marginaleffects", function() {
    options(marginaleffects_model_classes = union(getOption("marginaleffects_model_classes"), "judicious_pom"))
  })
  when_loaded("ggeffects", function() {
    ggeffects <- asNamespace("ggeffects")
    # Earlier versions of ggeffects have no generic.
    if (!is.function(ggeffects$get_predictions)) return(invisible())
    registerS3method("get_predictions", "judicious_pom", get_predictions.judicious_pom, envir = ggeffects)
  })
}

when_loaded <- function(package, register) {
  if (isNamespaceLoaded(package)) register()
  setHook(packageEvent(package, "onLoad"), function(...) register())
}

# Earlier versions of parsnip do not have ordinal_reg(). After a reload, the engine is registered already, and
# registering it twice would be an error.
register_engine <- function() {
  parsnip <- asNamespace("parsnip")
  if (!exists("ordinal_reg", parsnip)) return(invisible())
  if ("judicious" %in% parsnip$show_engines("ordinal_reg")$engine) return(invisible())
  in_register <- function(setter, ...) parsnip[[setter]](model = "ordinal_reg", eng = "judicious", ...)
  in_register("set_model_engine", mode = "classification")
  in_register("set_dependency", pkg = "judicious", mode = "classification")
  in_register("set_encoding", mode = "classification",
              options = list(predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
                             allow_sparse_x = FALSE))
  in_register("set_model_arg", parsnip = "ordinal_link", original = "link",
              func = list(pkg = "dials", fun = "ordinal_link"), has_submodel = FALSE)
  in_register("set_model_arg", parsnip = "penalty", original = "penalty",
              func = list(pkg = "dials", fun = "penalty"), has_submodel = FALSE)
  in_register("set_fit", mode = "classification",
              value = list(interface = "formula", protect = c("formula", "data", "weights"),
                           func = c(pkg = "judicious", fun = "pom"), defaults = list()))
  for (type in c("class", "prob", "linear_pred")) {
    in_register("set_pred", mode = "classification", type = type,
                value = list(pre = NULL, post = if (type == "prob") all_level_columns, func = c(fun = "predict"),
                             args = list(object = quote(object$fit), newdata = quote(new_data),
                                         type = if (type == "linear_pred") "link" else type)))
  }
}

# Levels without an observation are not in the model, but parsnip expects a column for each of them.
all_level_columns <- function(probabilities, object) {
  out <- matrix(0, nrow(probabilities), length(object$lvl), dimnames = list(NULL, object$lvl))
  out[, colnames(probabilities)] <- probabilities
  as.data.frame(out)
}
