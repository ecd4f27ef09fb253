#' Measures of effectiveness
#'
#' A measure is declared, not computed: an object with a name, a cutoff, parameters, a direction and a range.
#' `measure()` makes one from its printed name, [measure_ag()] and its relatives from arguments; [evaluate()]
#' computes any number of them together.
#'
#' # Names
#' A name is `base(argument=value,...)@cutoff`, where arguments at their default are left out: `"AG@5"`,
#' `"nDCG(rel=2)@10"`, `"RBP(p=0.95)"`, `"DCG(gain=exp)@10"`. Capitals do not matter. These are the bases:
#'
#' `r judicious:::describe_measure_types()`
#'
#' The names of trec_eval are understood as well: `"map"`, `"gm_map"`, `"P_10"`, `"recall_100"`, `"ndcg"`,
#' `"ndcg_cut_10"`, `"map_cut_10"`, `"Rprec"`, `"Rprec_mult_1.20"`, `"bpref"`, `"gm_bpref"`, `"recip_rank"`,
#' `"iprec_at_recall_0.10"`, `"11pt_avg"`, `"infAP"`, `"set_P"`, `"set_recall"`, `"set_F"`, `"set_map"`,
#' `"set_relative_P"`, `"relative_P_10"`, `"success_1"`, `"utility"`, `"G"`, `"binG"`, `"ndcg_rel"`, `"Rndcg"`,
#' `"yaap"`, `"unj_10"`, `"num_ret"`, `"num_rel"`, `"num_rel_ret"`, `"num_nonrel_judged_ret"`. A measure asked for
#' by such a name prints canonically and keeps the name in the tables. Arguments may follow it: `"P_10(rel=2)"` is
#' trec_eval's `P_10` with `-l 2`.
#'
#' @param name A measure's name.
#' @param x Names, measures, or a list of both. Names of its elements become the labels of the measures.
#' @param ... Measures.
#' @return `measure()`: a `judicious_measure`, a list with `name` (canonical), `label` (the name that tables show),
#'   `base`, `cutoff` (NA: none), `args`, `direction` (`"higher"`, `"lower"` or `"none"`), `range`, `needs_ranks`
#'   and `total` (how queries are put together: `"mean"`, `"geometric"`, `"sum"`). `as_measures()`: a
#'   `judicious_measures`, a list of these.
#' @section Errors: A name that is none, an argument that the measure does not have or a value outside its range
#'   (`judicious_error_measure`, `judicious_error_argument`).
#' @examples
#' measure("AG@5")
#' measure("ndcg_cut_10")
#' c(measure("AP"), measure("nDCG(rel=2)@10"))
#' as_measures(c("AG@5", MAP = "AP"))
#' @export
measure <- function(name) {
  check_string(name, "name")
  parse_measure(name)
}

#' @rdname measure
#' @export
as_measures <- function(x) measures_of(x, "x")

measures_of <- function(x, arg, call = caller_env()) {
  if (inherits(x, "judicious_measures")) return(x)
  if (inherits(x, "judicious_measure")) x <- list(x)
  if (!(is.character(x) || is.list(x)) || !length(x)) {
    abort_judicious(c(
      "{.arg {arg}} must be measures or their names, not {.obj_type_friendly {x}}.",
      i = "For instance {.code c(\"AG@5\", \"AP\")}."
    ), "measure", argument = arg, call = call)
  }
  labels <- names(x) %||% rep("", length(x))
  out <- lapply(unname(as.list(x)), one_measure_of, arg, call)
  for (i in which(nzchar(labels))) out[[i]]$label <- labels[i]
  new_measures(out, arg, call)
}

one_measure_of <- function(one, arg, call) {
  if (inherits(one, "judicious_measure")) return(one)
  if (is.character(one) && length(one) == 1 && !is.na(one)) return(parse_measure(one, call))
  abort_judicious("{.arg {arg}} must be measures or their names, but has {.obj_type_friendly {one}}.", "measure",
                  argument = arg, call = call)
}

new_measures <- function(measures, arg = "measures", call = caller_env()) {
  label <- vapply(measures, `[[`, "", "label")
  again <- which(duplicated(label))
  if (length(again)) {
    abort_judicious(c(
      "{.arg {arg}} has two measures that are called {.val {label[again[1]]}}.",
      i = "Leave one out, or give them names: {.code c(first = \"{label[again[1]]}\", ...)}."
    ), "measure", argument = arg, call = call)
  }
  structure(measures, class = "judicious_measures")
}

# The unchecked constructor; `args` are complete and valid.
new_measure <- function(base, args, cutoff, type = measure_types[[base]], fun = NULL) {
  name <- paste0(base, format_args(args, type$args), if (!is.na(cutoff)) paste0("@", format_number(cutoff)))
  structure(list(
    name = name, label = name, base = base, kind = type$kind, title = type$title, args = args,
    cutoff = as.integer(cutoff), direction = type$direction, range = type$range,
    needs_ranks = type$ranks, total = if (identical(args$mean, "geometric")) "geometric" else type$total, fun = fun
  ), class = "judicious_measure")
}

format_arg <- function(value) {
  if (is.function(value)) return("function")
  if (is.character(value)) return(value)
  numbers <- vapply(value, format_number, "")
  paste(if (is.null(names(value))) numbers else paste0(names(value), ":", numbers), collapse = "|")
}

format_args <- function(args, defaults) {
  shown <- Filter(function(name) !is.null(args[[name]]) && !identical(args[[name]], defaults[[name]]), names(defaults))
  if (!length(shown)) return("")
  paste0("(", paste0(shown, "=", vapply(args[shown], format_arg, ""), collapse = ","), ")")
}

#' @export
format.judicious_measure <- function(x, ...) {
  if (x$label == x$name) x$name else paste0(x$name, " as ", x$label)
}

#' @export
print.judicious_measure <- function(x, ...) {
  better <- c(higher = ", higher is better", lower = ", lower is better", none = "")[[x$direction]]
  cat("<measure> ", format(x), ": ", x$title, ", ", x$range[1], " to ", x$range[2], better, "\n", sep = "")
  invisible(x)
}

#' @export
format.judicious_measures <- function(x, ...) vapply(x, format, "")

#' @export
print.judicious_measures <- function(x, ...) {
  cat("<", length(x), if (length(x) == 1) " measure> " else " measures> ", paste(format(x), collapse = ", "), "\n",
      sep = "")
  invisible(x)
}

#' @export
`[.judicious_measures` <- function(x, i) structure(unclass(x)[i], class = "judicious_measures")

#' @rdname measure
#' @export
c.judicious_measure <- function(...) {
  parts <- lapply(list(...), function(one) unclass(measures_of(one, "...")))
  new_measures(do.call(c, parts), "...")
}

#' @export
c.judicious_measures <- c.judicious_measure

#' @export
as.character.judicious_measures <- function(x, ...) vapply(x, `[[`, "", "name")

#' @export
as.character.judicious_measure <- function(x, ...) x$name

#' @export
as.data.frame.judicious_measures <- function(x, ...) {
  field <- function(name, what) vapply(x, function(m) as.vector(m[[name]], what), vector(what, 1))
  data.frame(measure = field("label", "character"), name = field("name", "character"),
             cutoff = field("cutoff", "integer"), direction = field("direction", "character"),
             lowest = vapply(x, function(m) m$range[1], 0), highest = vapply(x, function(m) m$range[2], 0),
             total = field("total", "character"), stringsAsFactors = FALSE)
}
