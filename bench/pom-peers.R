# Runs every example and test of the packages ordinal, MASS (polr), rms (lrm, orm) and VGAM (cumulative) that fits an
# ordinal model, with their fitting functions shadowed by functions that also fit pom() to the same call and compare.
#   Rscript bench/pom-peers.R [folder with source packages, whose tests/ are run as well] [package ...]
# The code comes from the installed packages and from the folder; the peer's fit is returned, so that the code runs as
# without the shadow. The table counts calls:
#   equal        log likelihoods within 1e-6 (1e-4 for clmm(), whose Laplace approximation is itself less exact), slopes
#                and standard errors within 1% of a standard error
#   better       a log likelihood above the peer's, or a fit where the peer has none
#   flat         equal likelihoods, but separated data: pom() warns, coefficients have no finite estimate
#   warned       a likelihood below the peer's, with a warning
#   worse        a likelihood below the peer's without a warning
#   differs      equal likelihoods, other slopes or standard errors
#   error        pom() raises an error; all of them are listed
#   both fail    an error of both
suppressMessages(library(judicious))
source("bench/common.R", local = TRUE)

peers <- c("ordinal", "MASS", "rms", "VGAM")
shadowed <- "\\b(clm|clmm|polr|lrm|orm|cumulative|propodds)\\b *\\("
progress <- new.env()
progress$calls <- list()
progress$topics <- list()

# For each peer: how its call is translated for pom(), and how to get log likelihood, slopes and standard errors from
# its fit.
adapters <- list()

# The arguments of a call that pom() has under the same name.
shared_arguments <- function(call, more = character()) {
  as.list(call)[names(call) %in% c("formula", "data", "weights", "subset", "na.action", "contrasts", more)]
}

# The standard errors of the coefficients `at`, in the order of coef(); NULL if the peer has no covariance.
errors_of <- function(fit, at, coefficients = coef(fit)) {
  covariance <- tryCatch(vcov(fit), error = function(cnd) NULL)
  if (is.null(covariance)) return(NULL)
  error <- coefficients * NA
  error[!is.na(coefficients)] <- sqrt(base::diag(covariance))[seq_len(sum(!is.na(coefficients)))]
  unname(error[at])
}

adapters$clm <- list(
  package = "ordinal",
  arguments = function(call, frame) {
    if (identical(eval(call$doFit, frame), FALSE)) return(NULL)
    c(shared_arguments(call, c("scale", "nominal", "link", "threshold")))
  },
  read = function(fit) {
    sign <- if (identical(fit$call$sign.location, "positive")) -1 else 1
    list(loglik = fit$logLik, slopes = sign * unname(fit$beta),
         error = errors_of(fit, length(fit$alpha) + seq_along(fit$beta)))
  }
)

adapters$clmm <- list(
  package = "ordinal",
  arguments = function(call, frame) {
    if (identical(eval(call$doFit, frame), FALSE)) return(NULL)
    c(shared_arguments(call, c("link", "threshold", "nAGQ")))
  },
  read = function(fit) {
    list(loglik = fit$logLik, slopes = unname(fit$beta), tolerance = 1e-4,
         error = errors_of(fit, length(fit$alpha) + seq_along(fit$beta), c(fit$alpha, fit$beta)))
  }
)

adapters$polr <- list(
  package = "MASS",
  arguments = function(call, frame) {
    method <- match.arg(eval(call$method, frame), c("logistic", "probit", "loglog", "cloglog", "cauchit"))
    c(shared_arguments(call), list(link = if (method == "logistic") "logit" else method))
  },
  read = function(fit) {
    # Without a Hessian, vcov() would fit the model again.
    error <- if (!is.null(fit$Hessian)) errors_of(fit, seq_along(fit$coefficients), c(fit$coefficients, fit$zeta))
    list(loglik = as.numeric(logLik(fit)), slopes = unname(fit$coefficients), error = error)
  }
)

read_rms <- function(fit) {
  at <- if (is.null(fit$non.slopes)) 1 else fit$non.slopes
  at <- setdiff(seq_along(coef(fit)), seq_len(at))
  covariance <- vcov(fit, intercepts = "none")
  list(loglik = -utils::tail(fit$deviance, 1) / 2, slopes = unname(coef(fit)[at]),
       error = unname(sqrt(base::diag(as.matrix(covariance)))))
}

adapters$lrm <- list(
  package = "rms",
  arguments = function(call, frame) {
    if (!is.null(call$penalty) || !is.null(call$method) || !is.null(call$penalty.matrix)) return(NULL)
    shared_arguments(call)
  },
  read = read_rms
)

# In rms, the link is that of P(Y >= j), so the two extreme-value links change places.
adapters$orm <- list(
  package = "rms",
  arguments = function(call, frame) {
    family <- if (is.null(call$family)) "logistic" else as.character(call$family)
    c(shared_arguments(call), list(link = c(logistic = "logit", probit = "probit", loglog = "cloglog",
                                            cloglog = "loglog", cauchit = "cauchit")[[family]]))
  },
  read = read_rms
)

# Only models of the cumulative family are compared. Counts by level become weighted rows.
adapters$vglm <- list(
  package = "VGAM",
  arguments = function(call, frame) {
    family <- eval(call$family, frame)
    if (is.character(family)) family <- get(family, mode = "function")
    if (is.function(family)) family <- family()
    if (!"cumulative" %in% family@vfamily) return(NULL)
    about <- family@infos()
    link <- c(logitlink = "logit", probitlink = "probit", cauchitlink = "cauchit", clogloglink = "cloglog")
    c(vglm_rows(call, frame), list(link = link[[about$link]]), vglm_nominal(about$parallel, call))
  },
  read = function(fit) {
    common <- !grepl(":[0-9]+$|^\\(Intercept\\)", names(coef(fit)))
    sign <- if (isTRUE(fit@misc$reverse)) 1 else -1
    all <- all(common | grepl("^\\(Intercept\\)", names(coef(fit))))
    list(loglik = vglm_loglik(fit), slopes = if (all) sign * unname(coef(fit)[common]),
         error = if (all) unname(sqrt(base::diag(vcov(fit)))[common]))
  }
)

# The log likelihood of single observations, without the constant of the multinomial distribution.
vglm_loglik <- function(fit) {
  weights <- if (length(fit@prior.weights)) drop(fit@prior.weights) else rep(1, nrow(fit@y))
  counts <- fit@y * weights
  sum(ifelse(counts > 0, counts * log(VGAM::fitted(fit)), 0))
}

vglm_rows <- function(call, frame) {
  out <- shared_arguments(call)
  formula <- eval(call$formula, frame)
  response <- eval(formula[[2]], eval(call$data, frame), frame)
  if (!is.matrix(response)) return(out)
  data <- if (is.null(call$data)) stats::get_all_vars(formula[-2], frame) else eval(call$data, frame)
  levels <- rep(seq_len(ncol(response)), each = nrow(data))
  long <- data[rep(seq_len(nrow(data)), ncol(response)), , drop = FALSE]
  long$.level <- ordered(levels)
  long$.count <- as.vector(response)
  formula[[2]] <- quote(.level)
  list(formula = formula, data = long, weights = quote(.count))
}

vglm_nominal <- function(parallel, call) {
  if (isTRUE(parallel)) return(NULL)
  formula <- stats::as.formula(call$formula)
  if (identical(parallel, FALSE)) return(list(nominal = formula[-2]))
  stop("a formula for parallel")
}

compare_fits <- function(own, peer) {
  read <- peer$read
  below <- read$loglik - as.numeric(logLik(own$value))
  limit <- max(if (is.null(read$tolerance)) 1e-6 else read$tolerance, 1e-9 * abs(read$loglik))
  warned <- length(own$warnings) > 0
  if (!is.finite(below)) return(list(result = "better", below = below))
  result <- if (below > limit) {
    if (warned) "warned" else "worse"
  } else if (below < -limit) "better" else if (any(grepl("separated|flat", own$warnings))) "flat" else
    if (!same_slopes(own$value, read)) "differs" else "equal"
  list(result = result, below = below)
}

same_slopes <- function(fit, read) {
  beta <- unname(fit$beta)
  if (length(beta) != length(read$slopes)) return(!length(read$slopes))
  known <- !is.na(beta) & !is.na(read$slopes)
  if (!any(known)) return(TRUE)
  error <- sqrt(base::diag(vcov(fit)))[names(fit$beta)][known]
  close <- all(abs(beta[known] - read$slopes[known]) <= 0.01 * error)
  close && (is.null(read$error) || all(abs(error / read$error[known] - 1) <= 0.01, na.rm = TRUE))
}

try_quietly <- function(code) {
  warnings <- character()
  value <- tryCatch(withCallingHandlers(suppressMessages(code), warning = function(cnd) {
    warnings <<- c(warnings, conditionMessage(cnd))
    invokeRestart("muffleWarning")
  }), error = identity)
  list(value = if (!inherits(value, "error")) value, warnings = warnings,
       error = if (inherits(value, "error")) cli::ansi_strip(conditionMessage(value)))
}

record <- function(name, text, result, below = NA_real_, error = "") {
  progress$calls[[length(progress$calls) + 1]] <-
    data.frame(topic = progress$topic, call = name, result = result, below = below, error = gsub("\\s+", " ", error),
               text = text)
}

# The function that replaces the peer's fitting function.
shadow <- function(name) {
  adapter <- adapters[[name]]
  function(...) {
    frame <- parent.frame()
    call <- match.call(getExportedValue(adapter$package, name), sys.call(), envir = parent.frame(2))
    call[[1]] <- call("::", as.name(adapter$package), as.name(name))
    # The call may draw random weights, so both fits use the same random numbers.
    seed <- get0(".Random.seed", globalenv())
    peer <- tryCatch(eval(call, frame), error = identity)
    after <- get0(".Random.seed", globalenv())
    if (!is.null(seed)) assign(".Random.seed", seed, globalenv())
    text <- substr(gsub("\\s+", " ", paste(deparse(call), collapse = " ")), 1, 160)
    if (inherits(peer, c("error", name, "vglm"))) try_own(name, adapter, call, frame, peer, text)
    if (!is.null(after)) assign(".Random.seed", after, globalenv())
    if (inherits(peer, "error")) stop(peer)
    if (isS4(peer)) peer@call[[1]] <- as.name(name) else if (is.list(peer)) peer$call[[1]] <- as.name(name)
    peer
  }
}

try_own <- function(name, adapter, call, frame, peer, text) {
  arguments <- tryCatch(adapter$arguments(call, frame), error = function(cnd) {
    record(name, text, "not compared", error = conditionMessage(cnd))
    NULL
  })
  if (is.null(arguments)) return(invisible())
  own <- try_quietly(eval(as.call(c(quote(judicious::pom), arguments)), frame))
  failed <- inherits(peer, "error")
  if (!is.null(own$error)) return(record(name, text, if (failed) "both fail" else "error", error = own$error))
  if (failed) return(record(name, text, "better", error = conditionMessage(peer)))
  read <- tryCatch(adapter$read(peer), error = identity)
  if (inherits(read, "error")) return(record(name, text, "not compared", error = conditionMessage(read)))
  found <- compare_fits(own, list(read = read))
  record(name, text, found$result, found$below, error = paste(cli::ansi_strip(own$warnings), collapse = " "))
}

# Runs the code of one topic in the global environment, where rms looks for its settings. Expressions that fail are
# counted, and the following ones still run, for at most a minute of processor time.
run_topic <- function(topic, lines) {
  progress$topic <- topic
  code <- tryCatch(parse(text = lines, keep.source = FALSE), error = function(cnd) expression())
  before_names <- ls(globalenv(), all.names = TRUE)
  on.exit(rm(list = setdiff(ls(globalenv(), all.names = TRUE), c(before_names, ".Random.seed")), envir = globalenv()))
  failed <- character()
  latest <- proc.time()[[1]] + 60
  for (expression in code) {
    if (proc.time()[[1]] > latest) break
    setTimeLimit(cpu = 30, transient = TRUE)
    tryCatch(suppressWarnings(suppressMessages(utils::capture.output(print(eval(expression, globalenv()))))),
             error = function(cnd) failed <<- c(failed, conditionMessage(cnd)))
  }
  setTimeLimit()
  progress$topics[[length(progress$topics) + 1]] <-
    data.frame(topic = topic, expressions = length(code), failed = length(failed),
               why = paste(unique(substr(failed, 1, 60)), collapse = "; "))
}

example_code <- function(package) {
  pages <- tools::Rd_db(package)
  code <- lapply(pages, function(page) {
    file <- tempfile()
    tools::Rd2ex(page, file)
    if (file.exists(file)) readLines(file, warn = FALSE)
  })
  Filter(function(lines) any(grepl(shadowed, lines)), code)
}

test_code <- function(package, folder) {
  found <- character()
  for (archive in list.files(folder, paste0("^", package, "_.*[.]tar[.]gz$"), full.names = TRUE)) {
    place <- tempfile()
    utils::untar(archive, exdir = place)
    found <- list.files(file.path(place, package, "tests"), "[.][RrSs]$", full.names = TRUE, recursive = TRUE)
  }
  installed <- system.file("tests", package = package)
  if (nzchar(installed)) found <- c(found, list.files(installed, "[.][RrSs]$", full.names = TRUE, recursive = TRUE))
  code <- lapply(stats::setNames(found, file.path("tests", basename(found))), readLines, warn = FALSE)
  Filter(function(lines) any(grepl(shadowed, lines)), code)
}

run_package <- function(package, folder, result) {
  suppressMessages(library(package, character.only = TRUE))
  if (has("testthat")) suppressMessages(library(testthat))
  setwd(tempdir())  # the code may write files
  attach(sapply(names(adapters), shadow), name = "shadows", warn.conflicts = FALSE)
  grDevices::pdf(NULL)
  code <- c(example_code(package), test_code(package, folder))
  for (topic in names(code)) run_topic(paste0(package, ": ", topic), code[[topic]])
  saveRDS(list(calls = do.call(rbind, progress$calls), topics = do.call(rbind, progress$topics)), result)
}

main <- function(arguments) {
  folder <- c(normalizePath(arguments[dir.exists(arguments)]), "")[1]
  packages <- intersect(arguments, peers)
  packages <- Filter(has, if (length(packages)) packages else peers)
  # Each package has a separate process, because packages mask each other's functions.
  results <- lapply(packages, function(package) {
    file <- tempfile(fileext = ".rds")
    # This script's names must not be visible to the code of the packages.
    run <- sprintf("own <- new.env(); sys.source('bench/pom-peers.R', own); own$run_package('%s', '%s', '%s')", package,
                   folder, file)
    system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(run)), stdout = FALSE)
    if (file.exists(file)) readRDS(file)
  })
  calls <- do.call(rbind, lapply(results, `[[`, "calls"))
  topics <- do.call(rbind, lapply(results, `[[`, "topics"))
  cat("not installed:", setdiff(peers, packages), "\n")
  print(table(calls$call, calls$result))
  bad <- unique(calls[!calls$result %in% c("equal", "better"), ])
  cat(sprintf("%s | %s%s\n    %s\n    %s\n", bad$topic, bad$result,
              ifelse(is.na(bad$below), "", paste(",", signif(bad$below, 3), "below")), bad$text,
              substr(bad$error, 1, 200)), sep = "")
  failed <- topics[topics$failed > 0, ]
  cat("\nTopics with expressions that do not run here:", nrow(failed), "of", nrow(topics), "\n")
  cat(sprintf("%s: %d of %d (%s)\n", failed$topic, failed$failed, failed$expressions, failed$why), sep = "")
}

if (sys.nframe() == 0) main(commandArgs(TRUE))
