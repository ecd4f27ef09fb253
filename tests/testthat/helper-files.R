# A file with exactly these bytes, which is deleted when the test ends.
bytes_file <- function(bytes, ext = ".txt", env = parent.frame()) {
  path <- tempfile(fileext = ext)
  if (is.character(bytes)) bytes <- charToRaw(paste(bytes, collapse = ""))
  if (ext == ".gz") {
    con <- gzfile(path, "wb")
    writeBin(bytes, con)
    close(con)
  } else {
    writeBin(bytes, path)
  }
  do.call(on.exit, list(bquote(unlink(.(path))), add = TRUE), envir = env)
  path
}

# Replaces paths in lines of output, because they differ between runs.
hide_paths <- function(lines) {
  lines <- gsub("['\u2018\u2019]?[^ '\u2018\u2019]*/file[0-9a-f]+(\\.[a-z]+)?['\u2018\u2019]?", "<path>", lines)
  lines <- gsub("'[^ ']*/Rtmp[^ ']*'", "<path>", lines)
  gsub("['\u2018\u2019]?/?[^ '\u2018\u2019]*no-such-file['\u2018\u2019]?", "<path>", lines)
}

# The path of a file of the project. R CMD check runs the tests in another folder, so tools/check and tools/dev set
# JUDICIOUS_SOURCE.
project_file <- function(name) {
  file.path(Sys.getenv("JUDICIOUS_SOURCE", testthat::test_path("..", "..")), name)
}

# The scripts that reproduce the papers, which are no part of the package.
reproduction_scripts <- function() {
  folder <- project_file("vignettes/articles/reproduce")
  testthat::skip_if_not(dir.exists(folder), "vignettes/articles is not beside the tests")
  load_reproduction_of(folder)
}

load_reproduction_of <- function(folder) {
  source(file.path(folder, "load.R"), local = TRUE)
  load_reproduction(folder)
}
