# The functions of all layers up to that of judging are byte-compiled when the package is installed, except those of
# ordinal models. R compiles a function on its own when it is called a second time, which makes the first models of a
# session 0.1 s slower. Compiled as well, ordinal models would add 0.3 MB to the package, and the layers that draw,
# report and serve pages another 0.5 MB.
compile_functions <- function(env, except = "compile_functions") {
  for (name in setdiff(ls(env), except)) {
    if (is.function(env[[name]])) assign(name, compiler::cmpfun(env[[name]]), env)
  }
}

# Not when the sources are loaded in development, which would take a minute.
if (nzchar(Sys.getenv("R_PACKAGE_NAME")) && Sys.getenv("R_COVR") != "true") compile_functions(environment())
before_ordinal <- ls()
