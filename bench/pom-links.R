# Compares pom() with every installed engine, link by link and size by size. Each fit is a process of its own with
# limits of processor time and memory, and its result is appended to a file, so that a run can be stopped and resumed.
#   Rscript bench/pom-links.R [file=pom-links.csv] [seconds=20] [gigabytes=5] [sizes=all] [redo=no]
# `redo` is the name of an engine whose fits are run again, such as pom_fit. An engine that exceeds a limit with the
# logit is not run with the other links of that size. Times are processor time without that of making the data, except
# for 10,000,000 rows, of which a fit reads its data.
suppressMessages(library(judicious))
source("bench/common.R")

# Rows, columns, levels. "factor" has one factor of 1,000 levels; "groups" has 100 groups with random intercepts.
link_sizes <- list(
  `1e4 J10` = c(1e4, 6, 10), `1e4 J101` = c(1e4, 6, 101), `1e5 J10` = c(1e5, 6, 10), `1e4 p50` = c(1e4, 50, 10),
  factor = c(1e4, 1000, 5), `1e6` = c(1e6, 6, 3), groups = c(2000, 6, 10), `1e5 J1000` = c(1e5, 6, 1000),
  `1e4 p500` = c(1e4, 500, 10), parquet = c(1e7, 6, 5), database = c(1e7, 6, 5)
)
link_settings <- list(
  logit = list("logit"), probit = list("probit"), cloglog = list("cloglog"), loglog = list("loglog"),
  cauchit = list("cauchit"), robit = list("robit", 4), `log-gamma` = list("log-gamma", 0.5),
  `robit, estimated` = list("robit"), `log-gamma, estimated` = list("log-gamma")
)

draw_rows <- function(n, p, levels, size = "") {
  set.seed(n + p + levels)
  group <- NULL
  if (size == "factor") {
    group <- factor(c(seq_len(1000), sample(1000, n - 1000, TRUE)))
    latent <- rnorm(1000)[group] + rlogis(n)
    x <- Matrix::sparse.model.matrix(~group)[, -1]
  } else {
    x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
    latent <- drop(x %*% seq(-1, 1, length.out = p)) + rlogis(n)
    if (size == "groups") {
      group <- factor(sample(100, n, TRUE))
      latent <- latent + rnorm(100)[group]
    }
  }
  list(x = x, y = findInterval(latent, quantile(latent, seq_len(levels - 1) / levels)) + 1L, group = group)
}

# A Parquet file and a database of SQLite with the same rows, made once, in ten parts.
stored_rows <- function(size, folder = file.path(tempdir(), "..", "judicious-pom-links")) {
  dir.create(folder, FALSE)
  n <- link_sizes$parquet[1]
  parts <- file.path(folder, sprintf("part-%d.parquet", 1:10))
  base <- file.path(folder, "rows.sqlite")
  if (!all(file.exists(parts)) || !file.exists(base)) {
    unlink(base)
    connection <- DBI::dbConnect(RSQLite::SQLite(), base)
    on.exit(DBI::dbDisconnect(connection))
    for (k in seq_along(parts)) {
      d <- draw_rows(n / 10 + k, 6, 5)
      d <- data.frame(y = d$y, d$x)
      nanoparquet::write_parquet(d, parts[k])
      DBI::dbWriteTable(connection, "rows", d, append = TRUE)
    }
  }
  if (size == "parquet") parts else base
}

# The names by which the packages know a link; rms has that of P(Y >= j).
rms_family <- c(logit = "logistic", probit = "probit", cloglog = "loglog", loglog = "cloglog", cauchit = "cauchit")
vglm_links <- c(logit = "logitlink", probit = "probitlink", cloglog = "clogloglink", cauchit = "cauchitlink")
common_links <- names(rms_family)

# The links that an engine has, and its fit.
link_engines <- list(
  pom_fit = list(names(link_settings), function(d, link, setting) {
    pom_fit(d$x, d$y, link = setting[[1]], link_parameter = if (length(setting) > 1) setting[[2]])
  }),
  clm.fit = list(common_links, function(d, link, setting) {
    ordinal::clm.fit(y = ordered(d$y), X = cbind(1, as.matrix(d$x)), link = setting[[1]])
  }),
  polr = list(common_links, function(d, link, setting) {
    MASS::polr(ordered(d$y) ~ as.matrix(d$x), method = if (link == "logit") "logistic" else link)
  }),
  orm.fit = list(common_links, function(d, link, setting) {
    rms::orm.fit(as.matrix(d$x), d$y, family = rms_family[[link]])
  }),
  lrm.fit = list("logit", function(d, link, setting) rms::lrm.fit(as.matrix(d$x), d$y)),
  vglm = list(names(vglm_links), function(d, link, setting) {
    family <- do.call(VGAM::cumulative, list(link = vglm_links[[link]], parallel = TRUE))
    VGAM::vglm(ordered(d$y) ~ as.matrix(d$x), family)
  })
)
mixed_engines <- list(
  pom_mixed = list(names(link_settings)[1:7], function(d, link, setting) {
    data <- data.frame(y = d$y, d$x, group = d$group)
    pom(y ~ x1 + x2 + x3 + x4 + x5 + x6 + (1 | group), data, link = setting[[1]],
        link_parameter = if (length(setting) > 1) setting[[2]])
  }),
  clmm = list(common_links, function(d, link, setting) {
    turned <- c(cloglog = "loglog", loglog = "cloglog")
    named <- if (link %in% names(turned)) turned[[link]] else link
    data <- data.frame(y = ordered(d$y), d$x, group = d$group)
    ordinal::clmm(y ~ x1 + x2 + x3 + x4 + x5 + x6 + (1 | group), data, link = named)
  })
)
stored_engines <- list(
  pom = list(names(link_settings)[1:7], function(d, link, setting) {
    data <- d$stored
    if (d$size == "database") {
      connection <- DBI::dbConnect(RSQLite::SQLite(), data)
      on.exit(DBI::dbDisconnect(connection))
      data <- list(connection, "rows")
    }
    pom(y ~ x1 + x2 + x3 + x4 + x5 + x6, data, link = setting[[1]],
        link_parameter = if (length(setting) > 1) setting[[2]])
  }),
  clm = list(common_links, function(d, link, setting) ordinal::clm(ordered(y) ~ ., data = in_memory(d), link = link)),
  orm = list(common_links, function(d, link, setting) {
    rms::orm(y ~ ., in_memory(d), family = rms_family[[link]])
  })
)

in_memory <- function(d) {
  if (d$size == "parquet") return(do.call(rbind, lapply(d$stored, nanoparquet::read_parquet)))
  connection <- DBI::dbConnect(RSQLite::SQLite(), d$stored)
  on.exit(DBI::dbDisconnect(connection))
  DBI::dbReadTable(connection, "rows")
}

engines_of <- function(size) {
  if (size == "groups") mixed_engines else if (size %in% c("parquet", "database")) stored_engines else link_engines
}

# vglm() loads no method of logLik() for other packages; fitters of matrices return bare lists.
loglik_of <- function(fit) {
  if (isS4(fit)) return(fit@criterion$loglikelihood)
  if (is.numeric(fit$logLik)) return(as.numeric(fit$logLik))
  if (is.numeric(fit$loglik)) return(fit$loglik)
  if (!is.null(fit$deviance)) return(-tail(fit$deviance, 1) / 2)
  NA_real_
}

# The result that the process of one fit writes: milliseconds, log likelihood, and peak memory in megabytes.
fit_alone <- function(size, engine, link, result) {
  shape <- link_sizes[[size]]
  is_stored <- size %in% c("parquet", "database")
  d <- if (!is_stored) draw_rows(shape[1], shape[2], shape[3], size) else list(size = size, stored = stored_rows(size))
  fit_one <- engines_of(size)[[engine]][[2]]
  fit <- NULL
  seconds <- time_call(function() {
    fit <<- suppressMessages(suppressWarnings(fit_one(d, link, link_settings[[link]])))
  })
  status <- readLines("/proc/self/status")
  peak <- as.numeric(gsub("\\D", "", grep("VmHWM", status, value = TRUE))) / 1024
  writeLines(format(c(1e3 * seconds, loglik_of(fit), peak), digits = 15, trim = TRUE), result)
}

# The row of one fit in the table.
run_alone <- function(size, engine, link, seconds, gigabytes) {
  result <- tempfile()
  call <- sprintf("options(warn = -1); source('bench/pom-links.R'); fit_alone('%s', '%s', '%s', '%s')", size, engine,
                  link, result)
  # The limit includes some seconds for making the data.
  limits <- sprintf("ulimit -t %d; ulimit -v %d; ", seconds + 20, round(gigabytes * 1e6))
  said <- suppressWarnings(system2("sh", c("-c", shQuote(paste0(
    limits, "exec ", shQuote(file.path(R.home("bin"), "Rscript")), " -e ", shQuote(call)
  ))), stdout = TRUE, stderr = TRUE))
  found <- if (file.exists(result)) as.numeric(readLines(result)) else rep(NA_real_, 3)
  error <- c(grep("^Error|cannot allocate", said, value = TRUE), "")[1]
  note <- if (!is.na(found[1])) "" else if (nzchar(error)) substr(gsub("[\",]", "", error), 1, 60) else
    sprintf("more than %d s", seconds)
  data.frame(size = size, link = link, engine = engine, milliseconds = signif(found[1], 4), loglik = round(found[2], 4),
             peak_megabytes = round(found[3]), note = note)
}

run_table <- function(file, seconds, gigabytes, sizes, redo) {
  # A column of empty notes would be read as NA.
  done <- if (file.exists(file)) utils::read.csv(file, colClasses = c(note = "character"))
  done <- done[done$engine != redo, ]
  pairs <- do.call(rbind, lapply(sizes, function(size) expand.grid(engine = names(engines_of(size)), size = size)))
  for (k in seq_len(nrow(pairs))) {
    size <- as.character(pairs$size[k])
    engine <- as.character(pairs$engine[k])
    for (link in engines_of(size)[[engine]][[1]]) {
      if (!is_missing(done, size, engine, link)) next
      done <- rbind(done, run_alone(size, engine, link, seconds, gigabytes))
      utils::write.csv(done, file, row.names = FALSE)
    }
  }
  done
}

# Whether an engine still has to fit a link: not if it exceeded a limit with the logit.
is_missing <- function(done, size, engine, link) {
  own <- done[done$size == size & done$engine == engine, ]
  !link %in% own$link && !any(nzchar(own$note[own$link == "logit"]))
}

# For every size and link: the time of pom(), its ratio to that of pom() with the logit, and the ratios of other
# packages' times to it.
summarise_links <- function(table) {
  ours <- table[table$engine %in% c("pom_fit", "pom_mixed", "pom"), ]
  peers <- table[!table$engine %in% ours$engine, ]
  rows <- lapply(seq_len(nrow(ours)), function(i) {
    own <- ours[i, ]
    logit <- ours$milliseconds[ours$size == own$size & ours$link == "logit"]
    other <- peers[peers$size == own$size & peers$link == own$link & !is.na(peers$milliseconds), ]
    ratio <- sort(stats::setNames(other$milliseconds / own$milliseconds, other$engine))
    data.frame(size = own$size, link = own$link, milliseconds = own$milliseconds,
               to_logit = round(own$milliseconds / logit, 2), fastest_peer = c(names(ratio), "")[1],
               peer_ratio = round(c(ratio, NA)[[1]], 1),
               others = paste(names(ratio)[-1], signif(ratio[-1], 3), collapse = ", "),
               below_best = signif(max(c(other$loglik, own$loglik), na.rm = TRUE) - own$loglik, 2))
  })
  do.call(rbind, rows)
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(file = "pom-links.csv", seconds = 20, gigabytes = 5, sizes = "all",
                                                   redo = "no"))
  if (identical(given$sizes, "all")) given$sizes <- names(link_sizes)
  show("Every link and size", summarise_links(do.call(run_table, given)))
}
