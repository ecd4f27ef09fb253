# Functions of the layers that a session of judging calls again and again are byte-compiled when the package is
# installed. R compiles other functions on its own when they are called a second time, which makes their first calls in
# a session some 0.1 s slower; compiled as well, they would add 1 MB to the package. Each file compile-*.R compiles, or
# skips, the layers since the last such file.
compiling <- list2env(list(
  seen = character(),
  # Not when the sources are loaded in development, which would take a minute.
  wanted = nzchar(Sys.getenv("R_PACKAGE_NAME")) && Sys.getenv("R_COVR") != "true"
))

skip_layers <- function(env) compiling$seen <- ls(env)

compile_layers <- function(env) {
  for (name in setdiff(ls(env), compiling$seen)) {
    if (compiling$wanted && is.function(env[[name]])) assign(name, compiler::cmpfun(env[[name]]), env)
  }
  skip_layers(env)
}

compile_layers(environment())
