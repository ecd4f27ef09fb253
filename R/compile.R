# The functions of this file's layer and of those before it are byte-compiled when the package is installed. Those of
# later layers draw, report and serve pages: most run a few times in a session, and R compiles the others on its own.
# Compiled as well, they would add half a megabyte to the package.
compile_functions <- function(env) {
  for (name in ls(env)) {
    if (is.function(env[[name]])) assign(name, compiler::cmpfun(env[[name]]), env)
  }
}

# Not when the sources are loaded in development, which would take a minute.
if (nzchar(Sys.getenv("R_PACKAGE_NAME")) && Sys.getenv("R_COVR") != "true") compile_functions(environment())
