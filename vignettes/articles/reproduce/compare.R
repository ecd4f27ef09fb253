# Published numbers with their precision, and their comparison with the obtained ones.

# The column `precision` states how a number was printed: "exact" for counts and for statements without rounding,
# "below" for an upper bound ("less than 0.14%"), "rounded" for the rest. A rounded number is stored with the decimals
# to which it was rounded: if a paper drops a trailing zero that the other numbers of its table have, the zero is added.
published_numbers <- function(paper) {
  path <- file.path(published_folder, paste0(paper, ".csv.gz"))
  typed <- utils::read.csv(path, colClasses = "character")
  data.frame(typed[c("item", "row", "quantity")], published = as.numeric(typed$value),
             digits = printed_digits(typed$value), typed[c("precision", "source")], stringsAsFactors = FALSE)
}

# The extremes over simulations with several seeds (vignettes/articles/spread.R), and which other setting or change of
# the data explains the numbers of a row (vignettes/articles/power.R).
simulated_spread <- function(paper) {
  path <- file.path(published_folder, paste0(paper, "-spread.csv.gz"))
  utils::read.csv(path, stringsAsFactors = FALSE, colClasses = c(row = "character"))
}

# Number of decimals; negative if the last printed digit is of tens or more, as in 10.5e9.
printed_digits <- function(text) {
  mantissa <- sub("e.*", "", text)
  decimals <- ifelse(grepl(".", mantissa, fixed = TRUE), nchar(sub("^[^.]*[.]", "", mantissa)), 0L)
  exponent <- ifelse(grepl("e", text, fixed = TRUE), sub(".*e", "", text), "0")
  decimals - as.integer(exponent)
}

# With `spread`, the rows of simulated_spread(), a number that differs by no more than simulations differ from each
# other gets a status of its own.
compare_published <- function(published, obtained, unavailable, spread = NULL) {
  key <- function(data) text_key(data$row, data$quantity)
  at <- match(key(obtained), key(published))
  numbers <- data.frame(obtained[c("row", "quantity", "data")], published[at, c("published", "digits", "precision")],
                        obtained[c("obtained", "note", "computed")], source = published$source[at],
                        stringsAsFactors = FALSE)
  lacking <- published[!key(published) %in% key(obtained), ]
  if (nrow(lacking)) {
    numbers <- rbind(numbers, data.frame(lacking[c("row", "quantity")], data = "",
                                         lacking[c("published", "digits", "precision")], obtained = NA_real_,
                                         note = unavailable, computed = FALSE, source = lacking$source,
                                         stringsAsFactors = FALSE))
  }
  numbers$difference <- numbers$obtained - numbers$published
  at <- match(key(numbers), key(spread))
  simulated <- numbers$data == "simulated"
  numbers$lowest <- ifelse(simulated, as.numeric(spread$lowest %||% NA)[at], NA)
  numbers$highest <- ifelse(simulated, as.numeric(spread$highest %||% NA)[at], NA)
  numbers$status <- comparison_status(numbers)
  numbers[c("tested", "evidence")] <- reason_tested(numbers, spread[at, ])
  numbers$note[numbers$status == "agrees"] <- ""
  places <- unique(c(key(published), key(obtained)))
  numbers <- numbers[order(match(key(numbers), places), numbers$data, method = "radix"),
                     c("row", "quantity", "data", "published", "digits", "precision", "obtained", "difference",
                       "lowest", "highest", "status", "note", "tested", "evidence", "source")]
  rownames(numbers) <- NULL
  numbers
}

# Determines how the reason for a difference was tested, and with what result. `tried` has the rows of
# simulated_spread() for these numbers. A setting or a change of the data counts only if it explains all numbers of the
# row together.
reason_tested <- function(numbers, tried) {
  column <- function(name) tried[[name]] %||% rep(NA, nrow(numbers))
  simulated <- numbers$data == "simulated"
  public <- numbers$data == "public"
  explained <- ifelse(simulated & column("setting_explains") %in% TRUE, "one setting",
                      ifelse(public & column("change_explains") %in% TRUE, "one change", "not found"))
  tested <- ifelse(numbers$status == "differs", explained, "")
  tested[numbers$status == "within spread"] <- "20 collections"
  tested[numbers$status == "not obtained"] <- "not public"
  tested[numbers$computed & numbers$status %in% c("differs", "not obtained")] <- "computed"
  value <- as.numeric(ifelse(simulated, column("setting_value"), ifelse(public, column("change_value"), NA)))
  what <- paste0(ifelse(simulated, column("setting"), column("change")), ": ",
                 printed_number(value, numbers$digits + 1, "rounded"))
  evidence <- ifelse(tested %in% c("one setting", "one change"), what, "")
  unknown <- tested == "not found" & !is.na(value)
  evidence[unknown] <- paste("nearest,", what)[unknown]
  data.frame(tested, evidence, stringsAsFactors = FALSE)
}

# The tolerance of a rounded number is half a unit of its last printed digit. All numbers also have a tolerance for
# floating-point rounding.
comparison_status <- function(numbers) {
  published <- numbers$published
  tolerated <- tolerance_of(numbers)
  same <- ifelse(numbers$precision %in% "below", numbers$difference < 0, abs(numbers$difference) <= tolerated)
  within <- !is.na(numbers$lowest) & published >= numbers$lowest - tolerated & published <= numbers$highest + tolerated
  ifelse(is.na(published), "own",
         ifelse(is.na(numbers$obtained), "not obtained",
                ifelse(same, "agrees", ifelse(within, "within spread", "differs"))))
}

tolerance_of <- function(numbers) {
  ifelse(numbers$precision %in% "rounded", 0.5 * 10^-numbers$digits, 0) + 1e-9 * pmax(abs(numbers$published), 1e-3)
}
