# Identifiers that a reader cannot tell apart, such as accents in NFC and NFD, but that are different text.

# Replaces Latin letters with an accent by "?", whether Unicode encodes them as one character (NFC) or as a letter and
# an accent (NFD).
without_accented <- function(id) gsub("[A-Za-z][\u0300-\u036f]+|[\u00c0-\u024f]", "?", id, perl = TRUE)

# Two identifiers that a reader cannot tell apart, but that are different text, and what they differ in; NULL if there
# are none. ASCII text is not searched.
look_alike <- function(ids) {
  ids <- unique(ids)
  special <- which(Encoding(ids) == "UTF-8")
  if (!length(special)) return(NULL)
  spaced <- gsub("[\u00a0\u2007\u202f]", " ", ids[special], perl = TRUE)
  visible <- replace(ids, special, gsub("[\u00ad\u200b-\u200f\u2060\ufeff]", "", spaced, perl = TRUE))
  second <- anyDuplicated(visible)
  if (second) return(list(ids = ids[c(match(visible[second], visible), second)], by = "invisible characters or spaces"))
  decomposed <- grepl("[\u0300-\u036f]", visible[special], perl = TRUE)
  if (!any(decomposed)) return(NULL)
  key <- without_accented(visible[special])
  counterpart <- match(key[decomposed], key[!decomposed])
  first <- which(!is.na(counterpart))[1]
  if (is.na(first)) return(NULL)
  list(ids = ids[special][c(which(!decomposed)[counterpart[first]], which(decomposed)[first])],
       by = "the encoding of accents in Unicode (NFC, NFD)")
}

# Warns of two identifiers that look alike. `start`: the start of the cli message, before the identifiers, such as
# "`answers` has".
warn_look_alike <- function(found, start) {
  if (is.null(found)) return(invisible())
  codes <- iconv(found$ids, "UTF-8", "ASCII", sub = "c99")
  warn_judicious(c(paste(start, "{.val {found$ids[1]}} and {.val {found$ids[2]}}, which look the same but are different
                     text: {codes[1]} and {codes[2]}."),
                   i = "They differ in {found$by}: write identifiers in the same way."), "look_alike", ids = found$ids)
}

# Warns if an identifier of one set looks like a different one of the other set. Look-alikes within a set are reported
# where the set is read, so there is no warning here if there are any.
warn_look_alike_between <- function(first, second, start) {
  if (is.null(look_alike(first)) && is.null(look_alike(second))) warn_look_alike(look_alike(c(first, second)), start)
}
