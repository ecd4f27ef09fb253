# Tests an SQLite session whose file is deleted, moved, replaced or filled up while people judge: is every fault
# reported before the next judgment is acknowledged, and is any acknowledged judgment lost?
#
#   Rscript bench/session-faults.R [faults]
library(judicious)
source("bench/common.R")
faults <- given_arguments(commandArgs(TRUE), list(faults = 100))$faults

x <- simulate_collection(queries = 8, documents = 150, artists = 20, systems = 4, seed = 5)
files <- function(file) paste0(file, c("", "-wal", "-shm"))
move <- function(from, to) invisible(file.rename(files(from)[file.exists(files(from))],
                                                 files(to)[file.exists(files(from))]))

# Each function damages `file` and returns the path at which the acknowledged judgments must be found afterwards, or
# NULL if the fault itself destroyed them.
kinds <- list(
  moved = function(file, s) {
    move(file, paste0(file, ".moved"))
    paste0(file, ".moved")
  },
  "moved without its log" = function(file, s) {
    file.rename(file, paste0(file, ".moved"))
    file.rename(paste0(file, "-wal"), paste0(file, ".moved-wal"))
    paste0(file, ".moved")
  },
  deleted = function(file, s) {
    unlink(files(file))
    NULL
  },
  "log deleted" = function(file, s) {
    unlink(paste0(file, "-wal"))
    NULL
  },
  replaced = function(file, s) {
    backup_session(s, paste0(file, ".copy"))
    move(file, paste0(file, ".moved"))
    file.rename(paste0(file, ".copy"), file)
    paste0(file, ".moved")
  },
  # A copy of the file without its log, made while the session is open: a valid session in an earlier state.
  "copied while open" = function(file, s) {
    file.copy(file, paste0(file, ".alone"))
    copied <- open_session(paste0(file, ".alone"))
    stopifnot(all(judgments_of(copied)$doc %in% judgments_of(s)$doc))
    close_session(copied)
    file
  },
  "full disk" = function(file, s) {
    pages <- DBI::dbGetQuery(s$engine$store$state$connection, "PRAGMA page_count")[[1]]
    DBI::dbGetQuery(s$engine$store$state$connection, paste("PRAGMA max_page_count =", pages))
    file
  },
  "read-only" = function(file, s) {
    DBI::dbExecute(s$engine$store$state$connection, "PRAGMA query_only = 1")
    file
  }
)

harmless <- "copied while open"

judge_some <- function(s, n) {
  done <- NULL
  for (i in seq_len(n)) {
    ask <- next_documents(s, 1, "ann")
    judge(s, ask$query, ask$doc, 50, "ann")
    done <- c(done, paste(ask$query, ask$doc))
  }
  done
}

set.seed(1)
result <- lapply(seq_len(faults), function(i) {
  kind <- names(kinds)[(i - 1) %% length(kinds) + 1]
  file <- tempfile(fileext = ".sqlite")
  s <- judging_session(x, store = file, batch = 5, update_every = Inf, seed = i, judgments = FALSE)
  acknowledged <- judge_some(s, sample(1:6, 1))
  place <- kinds[[kind]](file, s)
  after <- NULL
  # With a full disk, some judgments may still fit into existing pages: they are acknowledged, and kept.
  said <- tryCatch({
    for (j in 1:40) after <- c(after, judge_some(s, 1))
    "nothing"
  }, judicious_error = function(cnd) sub("judicious_error_", "", class(cnd)[1]))
  suppressWarnings(close_session(s))
  kept <- if (is.null(place)) NULL else {
    again <- open_session(place)
    on.exit(close_session(again))
    judgments_of(again)
  }
  lost <- if (is.null(place)) 0 else sum(!c(acknowledged, after) %in% paste(kept$query, kept$doc))
  data.frame(kind, said, lost, late = if (kind %in% c("full disk", harmless)) 0 else length(after))
})
result <- do.call(rbind, result)
print(aggregate(list(faults = result$lost), result[c("kind", "said")], length), row.names = FALSE)
cat(sprintf("%d faults: %d not said, %d judgments acknowledged after a fault, %d acknowledged ones lost\n",
            nrow(result), sum(result$said == "nothing" & result$kind != harmless), sum(result$late), sum(result$lost)))
