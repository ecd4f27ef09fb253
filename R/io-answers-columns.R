# The known names of the columns of answers, and columns whose names consist of a system or a grader and a role.

# The table of known names of columns, as name_key() writes them, with their roles. It is read only once, because a
# command needs it several times.
answer_columns <- local({
  cached <- NULL
  function() {
    if (is.null(cached)) {
      cached <<- utils::read.csv(system.file("extdata", "answer-columns.csv", package = "judicious", mustWork = TRUE))
      cached$name <<- name_key(cached$name)
    }
    cached
  }
})

# Whether the names of columns are known for these roles. Marks such as "?" and text in parentheses at the end of a
# name, such as the arguments of a scorer or the ends of a scale, are ignored. If several columns differ only in this
# text, they can all be grades, but have no other role.
has_role <- function(columns, roles = answer_columns()$role) {
  known_columns <- answer_columns()
  is_known <- function(names, roles) name_key(names) %in% known_columns$name[known_columns$role %in% roles]
  stem <- sub(" *([([].*[])]|[#?:*]+)$", "", columns)
  is_single <- !stem %in% stem[duplicated(stem)]
  is_known(columns, roles) | is_single & is_known(stem, roles) | is_known(stem, intersect(roles, "grades"))
}

# The objects in which tools of annotation and evaluation export the columns that they imported.
import_objects <- c("input", "inputs", "output", "outputs", "fields", "metadata", "meta", "example", "answer",
                    "assignment", "attributes", "llm")

# The columns whose names are known for a role, including those from nested JSON, such as {"response": {"text": ...},
# "scores": {"gpt4": ...}, "judge": {"score": ...}}. A "relevance" in an object of scores may be a person's rating or
# the value of a metric: it has the role "score", for which the user must say which of the two it is. MLflow writes
# versions behind metrics, as in "relevance/v1/score".
columns_of_role <- function(columns, role) {
  objects <- "^(scores?|grades|metrics(_?data)?|stats)[.]"
  plain <- gsub(paste0(objects, "|[.](text|content|value|score)$|/v[0-9]+(/score)?$"), "", columns)
  is_either <- plain != columns & lower_ascii(plain) %in% c("relevance", "label", "judgment", "judgement") &
    grepl(paste0(objects, "|/v[0-9]"), lower_ascii(columns))
  fits <- if (identical(role, "score")) is_either | has_role(plain, role) else !is_either & has_role(plain, role)
  fits <- fits | are_named_graders(columns, role)
  # The names in such objects, or behind a prefix such as "Input." and "INPUT:", are used only if no other column has
  # the role.
  if (!any(fits)) {
    prefix <- paste0("^((", paste(import_objects, collapse = "|"), ")[.:])+")
    fits <- !is_either & !has_role(columns) &
      has_role(sub(prefix, "", plain, ignore.case = TRUE), role)
  }
  columns[fits]
}

# Whether columns such as "gpt4_score", "claude-3-opus_grade" and "grades.mine" have the grades of the grader that they
# name. The names in an object of judges may be those of people or of language models, so the user must say what these
# scores are.
are_named_graders <- function(columns, role) {
  of_judges <- "^(judges|judge_?(scores|grades|ratings))[.][^.]+([.]score)?$"
  if (identical(role, "score")) return(grepl(of_judges, columns))
  noun <- "(score|grade|rating|verdict|judge?ment|(llm_?)?judge)s?"
  stem <- sub(paste0("^", noun, "[ _.-]|[ _.-]", noun, "( *[(].*[)])?$"), "", columns, ignore.case = TRUE)
  is_text <- grepl("(reason(ing)?|rationale|explanation|comment|feedback|critique|justification)s?$", stem,
                   ignore.case = TRUE)
  is_grader <- has_role(stem, "grades") | grepl(model_names, stem, ignore.case = TRUE) & !is_text
  identical(role, "grades") & (grepl("^grades[.][^.]+$", columns) | stem != columns & is_grader)
}

# The beginnings of names of language models that often judge.
model_names <- "^(chat)?gpt|^claude|^gemini|^llama|^mi[sx]tral|^qwen|^deepseek|^prometheus|^llm"

# Columns that may have the role, such as "text": their names often mean something else. In a table with a column per
# system, names such as "llm_response" are those of systems.
possible_columns <- function(columns, role) {
  possible <- answer_columns()$role == paste("possible", role)
  columns[are_composed(columns, role) | name_key(columns) %in% answer_columns()$name[possible]]
}

# Names that consist of what a system or a question is called and a word for its name, or of who wrote a text and what
# it is, as name_key() writes them.
composed_names <- gsub("\\s", "", c(
  system = "^(agent|ai|assistant|bot|chatbot|engine|llm|mt)(engine|id|model|name|system)$",
  query = "^(case|dialog(ue)?|example|item|problem|prompt|q|query|question|scenario|sentence|task|test|testcase)s?
    (id|idx|index|key|no|num|number|uid|uuid)$",
  question = "^(customer|input|original|source|test|user)
    (input|instruction|prompt|query|question|request|sentence|text)$",
  answer = "^(actual|agent|ai|assistant|bot|candidate|chatbot|generated|llm|model|predicted|rag|student|system)
    (answer|completion|generation|output|prediction|reply|response|summ|summary|translation)s?$"
))

are_composed <- function(columns, role) {
  role %in% names(composed_names) & grepl(composed_names[role], name_key(columns))
}

# Whether names say that a column has ratings by people, such as "reviewer_score".
are_named_ratings <- function(columns) {
  who <- "(assessor|clinician|coder|crowd|customer|doctor|editor|nurse|physician|reviewer|sme|teacher|turker|worker)"
  grepl(paste0("^", who, "s?(evaluation|grade|rating|score)s?$"), name_key(columns))
}

# The names of columns without words for a mean, as in "avg_human_score".
names_of_means <- function(columns) {
  words <- strsplit(lower_ascii(columns), "[ _.-]+")
  vapply(words, function(word) paste(setdiff(word, mean_words), collapse = "_"), "")
}

mean_words <- c("aggregate", "aggregated", "average", "avg", "final", "mean", "median")

# The columns such as "judge" that have names of graders or raters, rather than numbers, words for them or explanations.
judge_columns <- function(rows) {
  Filter(function(column) {
    value <- rows[[column]]
    words <- lower_ascii(trimws(value[!is.na(value) & nzchar(value)]))
    is.character(value) && length(words) && !is_prose(value) && !any(grepl("^[-+]?[.]?[0-9]", words)) &&
      !any(words %in% c(right_words, wrong_words))
  }, possible_columns(names(rows), "grader"))
}

# Whether most values are longer than any rating.
is_prose <- function(value) is.character(value) && isTRUE(stats::median(nchar(value, "bytes"), na.rm = TRUE) > 40)

# The names of columns without the minus sign, by which a user states that lower values are better.
bare_names <- function(names) {
  signed <- which(startsWith(as.character(names), "-"))
  replace(names, signed, substring(names[signed], 2))
}

role_columns <- function(stated) if (is.numeric(stated)) names(stated) else unlist(stated, use.names = FALSE)

# Columns such as "gpt_answer" and "gpt_rating", "GPT-4 answer" and "GPT-4 human score", or, if they have opinions,
# "answer_gpt" and "rating_gpt": the answers of each system and, if there are any, their ratings.
columns_of_systems <- function(columns) {
  parts <- do.call(rbind, Map(function(column, at) {
    data.frame(column, before = substring(column, 1, at - 1), after = substring(column, at + attr(at, "match.length")))
  }, columns, gregexpr("[ _.:]+", columns)))
  parts <- parts[nzchar(parts$before) & nzchar(parts$after) & !name_key(parts$column) %in% answer_columns()$name, ]
  found <- affixed_columns(parts, system = "before", role = "after")
  if (length(found)) return(found)
  found <- affixed_columns(parts, system = "after", role = "before")
  if (length(found$gain) || length(found$grades)) found
}

# The columns of answers, ratings and grades of each system, whose names consist of the system and the role. `parts`:
# the parts of names `before` and `after` each mark between words; those of the longest known role count.
affixed_columns <- function(parts, system, role) {
  has <- function(names, role) vapply(names, has_role, NA, role)
  found <- data.frame(column = parts$column, system = parts[[system]], role = parts[[role]])
  found <- found[has(found$role, c("answer", "gain", "grades", "score")), ]
  found <- found[!duplicated(found$column, fromLast = role == "before"), ]
  found$system <- sub("^[(\\[](.*)[])]$", "\\1", found$system)
  # Names of objects and of right answers, as in "reference_outputs.answer", are no systems.
  found <- found[!has(found$system, "gold") & !lower_ascii(found$system) %in% import_objects, ]
  columns_of <- function(role) with(found[has(found$role, role), ], stats::setNames(column, system))
  # "sample.output" and "item.answer" are no answers of two systems.
  is_repeated <- function(names) names %in% names[duplicated(names)]
  found <- found[is_repeated(name_key(found$role)) | !has(found$role, "answer"), ]
  answer <- columns_of("answer")
  if (length(answer) < 2) return(NULL)
  gain <- columns_of("gain")
  score <- columns_of("score")
  graded <- found[has(found$role, "grades") & found$system %in% names(answer), ]
  grades <- lapply(split(graded, graded$role), function(of_role) of_role$column[match(names(answer), of_role$system)])
  list(answer = answer, gain = if (any(names(gain) %in% names(answer))) gain[names(answer)], grades = grades,
       score = if (!length(gain) && all(names(answer) %in% names(score))) score[names(answer)])
}
