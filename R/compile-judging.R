# Compiles the functions from the layer of beliefs to that of judging; compile-features.R has the reason.
if (nzchar(Sys.getenv("R_PACKAGE_NAME")) && Sys.getenv("R_COVR") != "true") {
  compile_functions(environment(), except = c(before_ordinal, not_compiled))
}
rm(before_ordinal, not_compiled)
