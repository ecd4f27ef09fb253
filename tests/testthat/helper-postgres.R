# A PostgreSQL server for the tests. Its cluster is in a temporary folder, and it listens on a socket in this folder,
# not on the network. If root runs the tests, an unprivileged user runs the server.

postgres_program <- function(name) {
  found <- c(Sys.which(name), Sys.glob(file.path("/usr/lib/postgresql/*/bin", name)),
             Sys.glob(file.path("/usr/local/pgsql/bin", name)))
  found <- found[nzchar(found) & file.access(found, 1) == 0]
  if (length(found)) found[[length(found)]] else ""
}

as_postgres_user <- function(command, ...) {
  arguments <- c(command, ...)
  user <- Sys.info()[["user"]]
  if (user == "root") {
    has_user <- length(suppressWarnings(system2("id", c("-u", "postgres"), stdout = TRUE, stderr = FALSE))) > 0
    server_user <- if (has_user) "postgres" else "nobody"
    arguments <- c("runuser", "-u", server_user, "--", arguments)
  }
  # Keeps the sanitizer that tools/sanitize preloads out of the server's programs.
  arguments <- c("env", "-u", "LD_PRELOAD", arguments)
  suppressWarnings(system2(arguments[1], shQuote(arguments[-1]), stdout = TRUE, stderr = TRUE))
}

# Starts a server and returns the arguments of DBI::dbConnect(). The server is stopped when `env`, the frame of the
# calling test, ends.
local_postgres <- function(env = parent.frame(), settings = character()) {
  for (package in c("DBI", "RPostgres")) {
    if (!requireNamespace(package, quietly = TRUE)) testthat::skip(paste("POSTGRESQL NOT TESTED: no package", package))
  }
  programs <- vapply(c("initdb", "pg_ctl"), postgres_program, "")
  if (!all(nzchar(programs))) {
    testthat::skip("POSTGRESQL NOT TESTED: no initdb and pg_ctl; tools/check installs Debian's package postgresql")
  }
  folder <- as_postgres_user("mktemp", "-d", "/tmp/judicious-pg-XXXXXX")
  data <- file.path(folder, "data")
  withr::defer({
    as_postgres_user(programs[["pg_ctl"]], "-D", data, "-m", "immediate", "-w", "stop")
    unlink(folder, recursive = TRUE)
  }, envir = env)
  said <- as_postgres_user(programs[["initdb"]], "-D", data, "-A", "trust", "-U", "judge", "-E", "UTF8", "--locale=C")
  # On a busy machine, authentication may take long.
  settings <- c("listen_addresses=''", "authentication_timeout=600", paste0("unix_socket_directories=", folder),
                settings)
  options <- paste("-c", settings, collapse = " ")
  started <- as_postgres_user(programs[["pg_ctl"]], "-D", data, "-w", "-t", "300", "-l", file.path(folder, "log"),
                              "-o", options, "start")
  arguments <- list(host = folder, dbname = "postgres", user = "judge")
  works <- tryCatch({
    connection <- do.call(DBI::dbConnect, c(list(RPostgres::Postgres()), arguments))
    DBI::dbDisconnect(connection)
    TRUE
  }, error = function(cnd) FALSE)
  if (!works) {
    testthat::skip(paste(c("POSTGRESQL NOT TESTED: the server does not start:", said, started), collapse = " "))
  }
  arguments
}
