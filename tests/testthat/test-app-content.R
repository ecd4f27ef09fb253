skip_if_not_installed("htmltools")

content <- function(documents = NULL, queries = NULL, render = NULL, ids = TRUE) {
  page_content(documents, queries, render, ids)
}

test_that("identifiers in an address template are percent-encoded", {
  shown <- content("https://example.org/{query}/{doc}.mp3")
  expect_identical(
    html(show_item(shown, "q/1?", "d\"'<b>&#%.{query}", "the document")),
    paste0("<audio controls preload=\"auto\" src=\"",
           "https://example.org/q%2F1%3F/d%22%27%3Cb%3E%26%23%25.%7Bquery%7D.mp3\" ",
           "aria-label=\"the document\"></audio>")
  )
  expect_identical(fill_template("{doc}", "q", "javascript:alert(1)"), "javascript%3Aalert%281%29")
  expect_identical(fill_template("a/{doc}", "q", "\u00e9"), "a/%C3%A9")
})

test_that("addresses of documents must be relative, http or https", {
  expect_true(all(is_safe_url(c("media/a.mp3", "/a", "//host/a", "http://a/b", "HTTPS://a/b", "?a=b:c", "#a:b"))))
  expect_false(any(is_safe_url(c("javascript:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
                                 "data:text/html,x",
                                 "vbscript:x", "file:///etc/passwd", "http://a/b c", "\\\\host", "blob:x"))))
  expect_snapshot(error = TRUE, content("javascript:alert('{doc}')"))
  expect_snapshot(error = TRUE, content(data.frame(doc = c("a", "b"), url = c("http://a", "data:text/html,x"))))
  expect_snapshot(error = TRUE, content("https://example.org/a.mp3"))
  expect_snapshot(error = TRUE, content(data.frame(doc = "a", what = "b")))
  expect_snapshot(error = TRUE, content(render = "no function"))
})

test_that("text from every source is escaped as HTML", {
  script <- "<script>alert(1)</script>"
  escaped <- "&lt;script&gt;alert(1)&lt;/script&gt;"
  table <- content(data.frame(doc = script, title = script, text = script, url = "a.png"))
  from_table <- html(show_item(table, "q", script, "it"))
  expect_no_match(from_table, "<script", fixed = TRUE)
  expect_match(from_table, paste0("<div class=\"text\">", escaped), fixed = TRUE)
  expect_match(from_table, paste0("alt=\"", escaped), fixed = TRUE)
  rendered <- content(render = function(query, doc) paste(doc, script))
  expect_identical(html(show_item(rendered, "q", script, "it")),
                   sprintf("<div class=\"text\">%s %s</div>", escaped, escaped))
  expect_identical(html(show_item(content(), "q", script, "it")), sprintf("<p class=\"only-id\">%s</p>", escaped))
})

test_that("the file extension in an address decides whether it is shown as audio, image, video or link", {
  kinds <- c(a.mp3 = "audio", "a.WAV?x=.png" = "audio", a.png = "image", a.webm = "video", a.html = "link", a = "link",
             "a.pdf#b.mp3" = "link")
  expect_identical(vapply(names(kinds), media_kind, ""), kinds)
  expect_match(html(show_url("http://a", "the document")), "rel=\"noopener noreferrer\"", fixed = TRUE)
})

test_that("a table of texts given by its path equals the table itself", {
  lines <- c("doc\tartist\ttitle\turl", "007\ta\tOne\thttp://a/7.mp3")
  path <- withr::local_tempfile(fileext = ".tsv", lines = lines)
  table <- data.frame(doc = "007", title = "One", url = "http://a/7.mp3")
  expect_identical(html(show_item(content(path), "q", "007", "it")), html(show_item(content(table), "q", "007", "it")))
  unsafe <- withr::local_tempfile(fileext = ".tsv", lines = c("doc\turl", "d\tjavascript:alert(1)"))
  expect_error(content(unsafe), class = "judicious_error_unsafe_url")
})

test_that("a table can hold different texts per query, and the page reports a document that the table lacks", {
  table <- content(data.frame(query = c("q1", "q2"), doc = "d", text = c("one", "two")))
  expect_match(html(show_item(table, "q2", "d", "it")), "two")
  expect_snapshot(shown <- html(show_item(table, "q3", "d", "it")))
  expect_match(shown, "This cannot be shown", fixed = TRUE)
  expect_warning(show_item(content(data.frame(doc = "d", text = NA)), "q", "d", "it"),
                 class = "judicious_warning_render")
})

test_that("render() takes precedence, and the page reports a document that it cannot render", {
  tag <- content("x/{doc}", render = function(query, doc) if (doc == "d1") htmltools::em(doc))
  expect_identical(html(show_item(tag, "q", "d1", "it")), "<em>d1</em>")
  expect_match(html(show_item(tag, "q", "d2", "it")), "x/d2", fixed = TRUE)
  broken <- content(render = function(query, doc) stop("no such file"))
  expect_snapshot(shown <- html(show_item(broken, "q", "d", "it")))
  expect_match(shown, "This cannot be shown", fixed = TRUE)
  expect_snapshot(shown <- html(show_item(content(render = function(query, doc) 1), "q", "d", "it")))
})

test_that("texts are rendered as Markdown or HTML if the table or `render` says so, without executing scripts", {
  documents <- data.frame(doc = c("a", "b", "c"), format = c("markdown", "html", NA), text = c(
    "**bold** <script>x()</script>\n\n| n | m |\n|---|---|\n| 1 | 2 |", "<b>bold</b> <img src=x onerror=y()>", "**plain**"))
  shown <- function(doc, render = NULL) {
    as.character(show_item(page_content(documents, NULL, render, TRUE), "q", doc, "the document"))
  }
  expect_match(shown("a"), "<strong>bold</strong>", fixed = TRUE)
  expect_match(shown("a"), "<div class=\"rendered\">", fixed = TRUE)
  expect_match(shown("a"), "<table>", fixed = TRUE)
  for (doc in c("a", "b")) expect_no_match(shown(doc), "<script|<img")
  expect_match(shown("b"), "<b>bold</b>", fixed = TRUE)
  expect_match(shown("c"), "<div class=\"text\">**plain**</div>", fixed = TRUE)
  expect_match(shown("c", "markdown"), "<strong>plain</strong>", fixed = TRUE)
  expect_error(shown("c", "latex"), class = "judicious_error_argument")
})

test_that("no heading is shown for an empty field of a topic", {
  topics <- data.frame(query = "q", title = "T", description = " ", narrative = "")
  html <- as.character(show_item(page_content(NULL, topics, NULL, TRUE), "q", NULL, "the query"))
  expect_no_match(html, "<h3>")
  expect_match(html, "T", fixed = TRUE)
})
