# Files of other programs: those whose columns are recognised, and those that are neither runs nor judgments.

text_file <- function(..., ext = ".txt", env = parent.frame()) {
  withr::local_tempfile(lines = c(...), fileext = ext, .local_envir = env)
}

right_judgments <- data.frame(query = c("q1", "q1", "q2"), doc = c("a", "c", "b"), gain = c(2, 0, 1))
rows <- c("q1", "a", "2", "q1", "c", "0", "q2", "b", "1")

test_that("judgments written by other programs are recognised by headers and separators", {
  headers <- list(
    c("query-id", "corpus-id", "score"), c("qid", "docno", "label"), c("query", "docid", "rating"),
    c("query_id", "doc_id", "relevance"), c("Query ID", "Document ID", "Grade level"), c("topic", "docno", "rel"),
    c("Query Text", "Doc ID", "Rating"), c("qid", "pid", "label"), c("QID", "DOCNO", "LABEL"), c("queryid", "docid", "rel")
  )
  headers[[5]][3] <- "Judgment"
  for (header in headers) for (separator in c(",", ";", "\t")) {
    table <- matrix(rows, ncol = 3, byrow = TRUE)
    path <- text_file(paste(header, collapse = separator), apply(table, 1, paste, collapse = separator))
    expect_identical(read_judgments(path), right_judgments)
  }
  expect_identical(read_judgments(text_file("q1;a;2", "q1;c;0", "q2;b;1")), right_judgments)
  # Decimal commas, quotes and texts with semicolons, as spreadsheets write them.
  half <- transform(right_judgments, gain = c(1.5, 0, 0.5))
  expect_identical(read_judgments(text_file("q1;a;1,5", "q1;c;0", "q2;b;0,5")), half)
  expect_identical(read_judgments(text_file("query;doc;gain", "q1;a;1,5", "q1;c;0,0", "q2;b;,5")), half)
  quoted <- text_file("query;doc;gain", "\"star; wars\";\"a;b\";1", "q2;\"say \"\"c\"\"\";2")
  expect_identical(read_judgments(quoted), data.frame(query = c("star; wars", "q2"), doc = c("a;b", "say \"c\""),
                                                      gain = c(1, 2)))
  # Document identifiers with semicolons in TREC files.
  expect_identical(read_judgments(text_file("q1 0 a;b;c 1", "q1 0 d;e;f 0"))$doc, c("a;b;c", "d;e;f"))
  expect_identical(read_runs(text_file("q1 Q0 a;b;c 1 2.5 A"))$doc, "a;b;c")
  # A column of gains takes precedence over one of scores.
  both <- text_file("query,doc,score,gain", "q1,a,9,2", "q1,c,8,0", "q2,b,7,1")
  expect_identical(read_judgments(both)[c("query", "doc", "gain")], right_judgments)
  expect_error(read_judgments(text_file("system,query,doc,rank,score", "A,q1,a,1,9")), class = "judicious_error_columns")
})

test_that("evaluate() accepts judgments with other column names and separators", {
  run <- text_file("q1 Q0 a 1 3 r", "q1 Q0 b 2 2.5 r")
  ap <- function(...) suppressMessages(suppressWarnings(evaluate(run, text_file(...), "AP")$value[1]))
  expect_equal(ap("query-id\tcorpus-id\tscore", "q1\ta\t1", "q1\tc\t1"), 0.5)
  expect_equal(ap("qid,docno,label", "q1,a,1", "q1,c,1"), 0.5)
  expect_equal(ap("query,docid,rating", "q1,a,3", "q1,b,1", "q2,c,2"), 1)
  expect_equal(ap("query;doc;gain", "q1;a;1", "q1;c;0"), 1)
})

test_that("runs without a system column are named after their files", {
  folder <- withr::local_tempdir()
  at <- function(name, ...) {
    writeLines(c(...), file.path(folder, name))
    file.path(folder, name)
  }
  rank <- function(x) x[c("system", "query", "doc", "rank")]
  right <- data.frame(system = "bm25", query = c("q1", "q1", "q2"), doc = c("a", "b", "a"), rank = c(1, 2, 1))
  # Results of PyTerrier; the three columns of MS MARCO with ranks from 0 and from 1; and a file with a header only.
  pyterrier <- at("bm25.csv", "qid,docid,docno,rank,score,query", "q1,7,a,0,9.5,star wars", "q1,8,b,1,8,star wars",
                  "q2,7,a,0,3,alien")
  expect_message(read <- read_runs(pyterrier), class = "judicious_message_system_names")
  expect_identical(rank(read), transform(right, rank = c(0, 1, 0)))
  expect_identical(read$query_text, c("star wars", "star wars", "alien"))
  expect_identical(read$docid, c("7", "8", "7"))
  forms <- list(c("q1\ta\t1", "q1\tb\t2", "q2\ta\t1"), c("q1 a 1", "q1 b 2", "q2 a 1"), c("q1,a,1", "q1,b,2", "q2,a,1"),
                c("q2\ta\t1", "q1\tb\t2", "q1\ta\t1")[c(3, 2, 1)])
  for (lines in forms) {
    expect_message(expect_message(read <- read_runs(at("bm25.tsv", lines)), class = "judicious_message_layout"),
                   class = "judicious_message_system_names")
    expect_identical(read, right)
  }
  from_0 <- suppressMessages(read_runs(at("bm25.tsv", "1\t10\t0", "1\t11\t1", "2\t10\t0")))
  expect_identical(from_0$rank, c(0, 1, 0))
  headed <- at("bm25.tsv", "query\tdocid\trank", "q1\ta\t1", "q1\tb\t2", "q2\ta\t1")
  expect_identical(suppressMessages(read_runs(headed)), right)
  two <- suppressMessages(read_runs(c(headed, at("dense.tsv", "query\tdocid\trank", "q1\tb\t1", "q2\ta\t1"))))
  expect_identical(unique(two$system), c("bm25", "dense"))
  judgments <- data.frame(query = c("q1", "q2"), doc = c("b", "a"), gain = 1)
  expect_equal(suppressMessages(evaluate(forms_file <- at("x.tsv", forms[[1]]), judgments, "RR"))$value, c(0.5, 1))
  expect_equal(unique(suppressMessages(evaluate(forms_file, judgments, "RR"))$system), "x")
  # In a run with three columns whose documents are numbers, the columns are still system, query and document.
  plain <- text_file("A q1 1", "A q1 2", "A q2 1", "B q1 2", "B q2 1")
  expect_identical(read_runs(plain)$system, c("A", "A", "A", "B", "B"))
})

not_tables <- list(
  json_lines = c("{\"query\":\"1\",\"doc\":\"a\",\"gain\":1}", "{\"query\":\"2\",\"doc\":\"b\",\"gain\":0}"),
  json = c("[", " {\"query\": \"1\"},", "]"), json_array = "[[\"q1\",\"a\",1],[\"q1\",\"b\",0]]",
  json_lists = c("{", "  \"q1\": [\"a\"]", "}"), json_quoted = c("\"{\"\"query\"\":1}\",a,b", "c,d,e"),
  html = c("<!DOCTYPE html>", "<html><body>404 Not Found</body></html>"),
  xml = c("<?xml version=\"1.0\"?>", "<topics><topic number=\"1\"/></topics>"), topics = c("<top>", "<num> 301", "</top>")
)

not_runs <- list(
  answers = c("question_id,model,answer", "1,gpt,yes", "1,claude,no", "2,gpt,no", "2,claude,no", "3,gpt,yes"),
  answers_spelt = c("item,llm,response", "i1,a,The answer is 4", "i1,b,It is five, I think", "i2,a,x y z", "i2,b,u v w"),
  answers_alone = c("1,gpt,the answer is yes", "1,claude,it is a no", "2,gpt,it is a no", "2,claude,this is a no"),
  answers_of_two = c("question_id,model,answer", "1,gpt,yes", "2,gpt,no", "3,gpt,yes"),
  matrix = c("item,gpt,claude", "i1,1,0", "i2,0,0", "i3,1,1"), matrix_alone = c("i1,1,0", "i2,0,0", "i3,1,1"),
  matrix_of_three = c("item,gpt,claude,llama", "i1,1,0,1", "i2,0,0,1", "i3,1,1,0"),
  matrix_of_five = c("item,a,b,c,d,e", "i1,1,0,1,1,0", "i2,0,0,1,0,1", "i3,1,1,0,1,0"),
  five_alone = c("i1,1,0,1,1,0", "i2,0,0,1,0,1", "i3,1,1,0,1,0"),
  shares = c("i1 0.5 0.7", "i2 0.1 0.9", "i3 0.4 0.4"), preferences = c("prompt,model_a,model_b,winner", "p,x,y,a", "p,y,z,b")
)

test_that("files that are not tables of runs or judgments raise errors in readers and commands", {
  for (name in c(names(not_tables), names(not_runs))) {
    path <- text_file(c(not_tables, not_runs)[[name]], ext = ".csv")
    # For some files, the error is about columns: their first line has no number, or their records have no system.
    of_columns <- c("matrix_of_three", "matrix_of_five", "preferences", "json_lines", "json_lists")
    class <- if (name %in% of_columns) "judicious_error_columns" else "judicious_error_file"
    expect_error(read_runs(!!path), class = class, info = name)
    expect_error(test_collection(path), class = class)
    expect_error(evaluate(path, right_judgments, "AP"), class = class)
    # Commands accept these files, as answers: see test-cli-answers.R.
    if (name %in% c("answers", "answers_of_two")) next
    for (command in c("rank", "plan", "report", "next")) expect_equal(cli(command, path)$status, 1)
  }
  # Leaves out files that can be read as judgments, such as a matrix of two models without a header.
  for (name in setdiff(c(names(not_tables), names(not_runs)), c("matrix_alone", "shares", "five_alone", "json_lines"))) {
    path <- text_file(c(not_tables, not_runs)[[name]])
    expect_error(read_judgments(path), class = "judicious_error")
  }
  # Judgments and documents may be in JSON Lines.
  for (name in setdiff(names(not_tables), "json_lines")) {
    expect_error(read_documents(text_file(not_tables[[name]])), class = "judicious_error")
  }
})

test_that("errors about unrecognised files say what they look like and which columns are needed", {
  expect_snapshot(error = TRUE, {
    read_runs(bytes_file("{\"query\":\"1\",\"doc\":\"a\"}\n"))
    read_judgments(bytes_file("{\"query\":\"1\",\"doc\":\"a\",\"gain\":1}\n"), columns = c("query", "doc"))
    read_judgments(bytes_file("[{\"query\":null,\"doc\":\"a\",\"gain\":1},{\"query\":2,\"doc\":\"a\",\"gain\":1}]"))
    read_judgments(bytes_file("query,doc,note\n1,a,x\n"))
    read_judgments(bytes_file("[[\"q1\",\"a\",1]]\n"))
    read_documents(bytes_file("<html>\n"))
    read_runs(bytes_file("question_id,model,answer\n1,gpt,yes\n1,claude,no\n2,gpt,no\n"))
    read_runs(bytes_file("1,gpt,the answer is yes\n1,claude,it is a no\n2,gpt,it is a no\n"))
    read_runs(bytes_file("i1,1,0\ni2,0,0\ni3,1,1\n"))
    read_runs(bytes_file("i1,1,0,1,1,0\ni2,0,0,1,0,1\ni3,1,1,0,1,0\n"))
    read_runs(bytes_file("item,gpt,claude,llama\ni1,1,0,1\ni2,0,0,1\n"))
    read_judgments(bytes_file("question_id,model,answer\n1,gpt,yes\n"))
    x <- read_runs(bytes_file("q1\ta\t1\nq1\tb\t2\nq2\ta\t1\n"))
  }, transform = function(lines) gsub("file[0-9a-f]{6,}", "<name>", hide_paths(lines)))
})

test_that("runs of unusual size or layout are read", {
  expect_identical(read_runs(text_file("A q1 d1"))$system, "A")
  expect_identical(read_runs(text_file("A q1 d1", "B q1 d2"))$system, c("A", "B"))
  expect_identical(read_runs(text_file("A q1 d1", "A q1 d2", "B q1 d2", "B q2 d1"))$system, c("A", "A", "B", "B"))
  expect_identical(read_runs(text_file("1 1 1", "1 2 1", "2 1 1", "2 2 1"))$system, c("1", "1", "2", "2"))
  expect_identical(read_runs(text_file("[a] q1 d1", "[a] q1 d2"))$system, c("[a]", "[a]"))
  expect_identical(read_runs(text_file("A\tq1\tRed House\tx"), columns = c("system", "query", "doc", "n"))$doc, "Red House")
  songs <- c("A,q1,Hey Joe by Hendrix", "A,q1,Red House by Hendrix", "B,q1,Hey Joe by Hendrix", "B,q2,Little Wing by X")
  expect_identical(nrow(read_runs(text_file(songs))), 4L)
  expect_identical(read_runs(text_file("1 Q0 5 1 2.5 7", "2 Q0 6 1 2 7"))$system, c("7", "7"))
})

test_that("judgments given in place of runs are recognised by their second column", {
  expect_error(read_runs(text_file("q1 0 a 1", "q1 0 b 0", "q1 0 c 1", "q2 0 a 0")), "as in TREC's judgments",
               class = "judicious_error_file")
  expect_identical(read_runs(text_file("A 0 a 1", "A 0 b 2", "B 0 a 2", "B 0 c 1"))$query, rep("0", 4))
})

test_that("runs of recommenders and of ColBERT are read: users, items and scores, with or without ranks", {
  folder <- withr::local_tempdir()
  read <- function(name, ...) {
    writeLines(c(...), file.path(folder, name))
    suppressMessages(read_runs(file.path(folder, name)))
  }
  want <- data.frame(system = "als", query = c("1", "1", "2"), doc = c("10", "11", "10"), score = c(4.5, 3.25, 2))
  expect_identical(read("als.tsv", "1\t10\t4.5", "1\t11\t3.25", "2\t10\t2"), want)
  expect_identical(read("als.csv", "uid,iid,est", "1,10,4.5", "1,11,3.25", "2,10,2"), want)
  expect_identical(read("als.inter", "user_id:token\titem_id:token\tscore:float", "1\t10\t4.5", "1\t11\t3.25", "2\t10\t2"),
                   want)
  expect_identical(read("als", "1\t10\t1\t4.5", "1\t11\t2\t3.25", "2\t10\t1\t2"),
                   transform(want, rank = c(1, 2, 1))[c("system", "query", "doc", "rank", "score")])
  # A fourth column of decimal numbers is a score; decimal identifiers of lists are documents.
  expect_identical(read("both", "a 1 10 4.5", "a 1 11 3.25", "b 2 10 2")$system, c("a", "a", "b"))
  papers <- read("papers", "a q1 2101.00001", "a q1 2101.00002", "a q2 2101.00001")
  expect_identical(papers$doc, c("2101.00001", "2101.00002", "2101.00001"))
})

test_that("run files of the same name are called by their folders", {
  folder <- withr::local_tempdir()
  for (team in c("uva", "ucl")) {
    dir.create(file.path(folder, team))
    writeLines(c("q1 Q0 d1 1 2 x", "q1 Q0 d2 2 1 x"), file.path(folder, team, "run.txt"))
  }
  expect_identical(unique(suppressMessages(read_runs(folder))$system), c("ucl", "uva"))
})

test_that("levels of NTCIR are gains, and other labels raise an error that tells how to replace them", {
  expect_identical(read_judgments(bytes_file("1 d1 L2\n1 d2 L0\n"))$gain, c(2, 0))
  expect_snapshot(error = TRUE, transform = hide_paths, {
    read_judgments(bytes_file("query_id\tproduct_id\tlabel\n0\t1\tExact\n0\t2\tPartial\n"))
    read_judgments(bytes_file("2 qid:10 1:0.5 2:0 #docid = d7 inc = 1\n0 qid:10 1:0.5 2:1 #docid = d8 inc = 1\n"))
    read_judgments(bytes_file("10 d1 0 1 0.25\n10 d2 1 1 0.5\n"))
  })
})

test_that("a table of topics with a header is not read as documents", {
  path <- bytes_file("query_id\tquery\tquery_class\n0\tsalon chair\tChairs\n")
  expect_error(read_documents(path), "no column \"doc\"", class = "judicious_error_columns")
})

test_that("judgments and runs may be arrays of records within records", {
  skip_if_not_installed("jsonlite")
  path <- bytes_file('{"name": "x", "judgmentRatings": [{"query": "a b", "ratings": [{"docId": "d1", "rating": "2.0"},
    {"docId": "d2", "rating": "0.5"}]}, {"query": "c", "ratings": [{"docId": "d1", "rating": "1"}]}]}')
  expect_identical(read_judgments(path)[1:3],
                   data.frame(query = c("a b", "a b", "c"), doc = c("d1", "d2", "d1"), gain = c(2, 0.5, 1)))
  run <- bytes_file('{"run_name": "r", "turns": [{"query_id": "1_1", "responses": [{"rank": 1, "passages": [
    {"docid": "d1", "score": 2}, {"docid": "d2", "score": 1}]}]}]}')
  expect_identical(read_runs(run)[c("system", "query", "doc", "score")],
                   data.frame(system = "r", query = "1_1", doc = c("d1", "d2"), score = c(2, 1)))
})

test_that("whole scores of recommenders are scores, also where they count down to 1", {
  read <- function(score) {
    lines <- paste(rep(1:4, each = 3), c(11:13, 14:16, 17:19, 11, 14, 17), score, sep = "\t")
    suppressMessages(read_runs(bytes_file(paste0(paste(lines, collapse = "\n"), "\n"))))
  }
  for (score in list(rep(c(30, 7, 5), 4), rep(3:1, 4))) {
    run <- read(score)
    expect_identical(run$score, as.numeric(score))
    expect_identical(run$query, as.character(rep(1:4, each = 3)))
  }
  expect_identical(read(rep(1:3, 4))$rank, as.numeric(rep(1:3, 4)))
  # Systems with one document for each query.
  top <- read_runs(bytes_file("1 7 30\n1 8 31\n2 7 30\n2 8 32\n"))
  expect_identical(top$system, c("1", "1", "2", "2"))
})

test_that("documents whose rating is null, as in results of Elasticsearch, are not judged", {
  hit <- function(id, rating) list(hit = list("_id" = id, "_score" = 1), rating = rating)
  hits <- list(hit("a", 1), hit("b", NULL), hit("c", 0))
  path <- answer_file(jsonlite::toJSON(list(details = list(q1 = list(hits = hits), q2 = list(hits = hits[1:2]))),
                                       auto_unbox = TRUE, null = "null"), ".json")
  expect_message(found <- read_judgments(path), "2 documents", class = "judicious_message_null_gains")
  expect_identical(found[c("query", "doc")], data.frame(query = c("q1", "q1", "q2"), doc = c("a", "c", "a")))
  expect_equal(found$gain, c(1, 0, 1))
})

test_that("an empty gain and a missing one are errors that say what to do", {
  empty <- answer_file(c("query,docid,rating", "q,a,1", "q,b,"), ".csv")
  expect_error(read_judgments(empty), "Leave the rows of documents that nobody judged out", fixed = TRUE)
  runs <- data.frame(system = "s", query = "q", doc = c("a", "b"), score = 2:1)
  judged <- data.frame(query = "q", doc = c("a", "b"), gain = c(1, NA))
  expect_error(evaluate(runs, judged, "P@1"), "Leave the rows of documents that nobody judged out", fixed = TRUE)
})
