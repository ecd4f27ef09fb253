# The loop of mtc(): select, judge, estimate again, record, until there is a reason to stop.

# A judge takes how many pairs it may judge and returns NULL, or the reason why there are no more.
judge_by_table <- function(state, gain) {
  function(n) {
    before <- mtc_state_cpp(state)$judged
    mtc_run_cpp(state, gain, n)
    if (mtc_state_cpp(state)$judged == before) "exhausted"
  }
}

# A function is asked for one pair at a time.
judge_by_function <- function(x, state, judge) {
  ids <- pool_ids(x)
  function(n) {
    repeat {
      pair <- mtc_next_cpp(state)
      if (pair == 0) return("exhausted")
      gain <- tryCatch(judge(ids$query[pair], ids$doc[pair]), error = identity)
      if (is.null(gain)) return("judge")
      if (!(is.atomic(gain) && length(gain) == 1 && is.na(gain))) break
      mtc_skip_cpp(state, pair)
    }
    fault <- fault_of_gain(gain, x$scale)
    if (is.null(fault)) {
      mtc_judge_cpp(state, pair, gain)
      return(NULL)
    }
    warn_judicious(c(
      paste0(
        "The judging function failed for query {.val {ids$query[pair]}}, document ",
        "{.val {ids$doc[pair]}}; the session ends there."
      ),
      x = "{fault}",
      i = "What was judged before is returned."
    ), "judge", query = ids$query[pair], doc = ids$doc[pair])
    "judge"
  }
}

fault_of_gain <- function(gain, scale) {
  if (inherits(gain, "error")) return(conditionMessage(gain))
  if (!is.numeric(gain) || length(gain) != 1) return("It must return one number, NA or NULL.")
  if (in_scale(scale, gain)) return(NULL)
  paste0("It returned ", format(gain), ", which is not on the scale ", format(scale), ".")
}

#' @param keep TRUE returns what was judged even after an error: a person judged it.
#' @return A list: the `reason` to stop, and the `gains` of the last update.
#' @noRd
run_mtc <- function(x, state, estimator, judge, options, progress, keep) {
  tell <- mtc_progress(progress, options)
  gains <- estimator$base
  mtc_set_gains_cpp(state, gains$mean, gains$variance)
  mtc_record_cpp(state)
  is_recorded <- function(now) now$recorded == now$judged
  # New estimates where it is time for them, then the record.
  settle <- function() {
    now <- mtc_state_cpp(state)
    if (is_recorded(now)) return(invisible())
    if (now$judged %% options$update_every == 0) {
      gains <<- estimator$update(judged_so_far(x, state))
      mtc_set_gains_cpp(state, gains$mean, gains$variance)
    }
    mtc_record_cpp(state)
  }
  reason <- tryCatch({
    reason <- NULL
    while (is.null(reason)) {
      now <- mtc_state_cpp(state)
      tell(now)
      reason <- reason_to_stop(now, options)
      if (is.null(reason)) {
        to_update <- options$update_every - now$judged %% options$update_every
        reason <- judge(min(to_update, options$budget - now$judged, 100))
        settle()
      }
    }
    reason
  }, interrupt = function(cnd) {
    inform_judicious(c("Interrupted.", i = "What was judged so far is returned."), "interrupt")
    "interrupt"
  }, error = function(cnd) {
    if (!keep) stop(cnd)
    warn_judicious(c(
      "Estimating the gains again failed; the session ends there.",
      x = "{conditionMessage(cnd)}",
      i = "What was judged is returned, with the estimates of before."
    ), "estimation")
    "error"
  })
  # An interrupt or an error may have come between a judgment and its record.
  if (!is_recorded(mtc_state_cpp(state))) mtc_record_cpp(state)
  list(reason = reason, gains = gains)
}

judged_so_far <- function(x, state) {
  history <- mtc_history_cpp(state)
  gain <- rep(NA_real_, n_pairs(x))
  gain[history$pair] <- history$gain
  gain
}

reason_to_stop <- function(now, options) {
  if (now$enough) return("confidence")
  if (now$judged >= options$budget) return("budget")
  if (now$settled && options$stop != "never") return("settled")
  NULL
}

# A function that shows the state; it lives as long as the frame it was made for.
mtc_progress <- function(progress, options, frame = parent.frame()) {
  if (!progress) return(function(now) NULL)
  bar <- cli::cli_progress_bar(
    format = paste0(
      "{cli::pb_spin} {cli::pb_current} judged, confidence {cli::pb_extra$confidence} of ",
      "{cli::pb_extra$asked} [{cli::pb_elapsed}]"
    ),
    total = NA, clear = TRUE, extra = list(confidence = "?", asked = format(options$confidence)), .envir = frame
  )
  function(now) {
    extra <- list(confidence = sprintf("%.3f", now$confidence), asked = format(options$confidence))
    cli::cli_progress_update(set = now$judged, extra = extra, id = bar, .envir = frame)
  }
}
