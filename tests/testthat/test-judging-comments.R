test_that("each assessor's last comment and flag on a document is kept, and exported with the judgments", {
  for (store in list(NULL, session_file())) {
    s <- app_session(store = store)
    ask <- next_documents(s, 3, "ann")
    add_note(s, ask$query[1], ask$doc[1], "odd", TRUE, "ann")
    add_note(s, ask$query[1], ask$doc[1], "very odd", FALSE, "ann")
    add_note(s, ask$query[2], ask$doc[2], "", TRUE, "ann")
    add_note(s, ask$query[2], ask$doc[2], "mine", FALSE, "bob")
    add_note(s, ask$query[3], ask$doc[3], "gone", TRUE, "ann")
    add_note(s, ask$query[3], ask$doc[3], "", FALSE, "ann")
    expect_identical(notes_of(s)[c("doc", "assessor", "comment", "flag")],
                     data.frame(doc = ask$doc[c(1, 2, 2)], assessor = c("ann", "ann", "bob"),
                                comment = c("very odd", "", "mine"), flag = c(FALSE, TRUE, FALSE)))
    # An unchanged comment is not stored again.
    before <- nrow(store_rows(s$engine$store, "event"))
    add_note(s, ask$query[1], ask$doc[1], "very odd", FALSE, "ann")
    expect_identical(nrow(store_rows(s$engine$store, "event")), before)
    judge(s, ask$query, ask$doc, c(0, 1, 2), "ann")
    made <- judgments_of(s)
    expect_identical(made$comment, c("very odd", NA, NA))
    expect_identical(made$flag, c(FALSE, TRUE, FALSE))
    file <- tempfile()
    export_judgments(s, file, "csv")
    expect_identical(utils::read.csv(file, na.strings = "")[c("comment", "flag")], made[c("comment", "flag")])
    close_session(s)
  }
})

test_that("withdrawing or changing one judgment or skip leaves the others unchanged", {
  for (store in list(NULL, session_file())) {
    s <- app_session(store = store)
    ask <- next_documents(s, 3, "ann")
    judge(s, ask$query[1:2], ask$doc[1:2], c(0, 1), "ann")
    skip_document(s, ask$query[3], ask$doc[3], "unclear", "ann")
    change_judgment(s, ask$query[1], ask$doc[1], 2, "ann", 5)
    expect_identical(judgments_of(s)[c("doc", "gain", "seconds")],
                     data.frame(doc = ask$doc[2:1], gain = c(1, 2), seconds = c(NA, 5)))
    change_judgment(s, ask$query[3], ask$doc[3], 0, "ann")
    expect_identical(progress(s)$skipped, 0L)
    # The invalid grade raises an error, and the old judgment is kept.
    expect_error(change_judgment(s, ask$query[2], ask$doc[2], 7, "ann"))
    if (!is.null(store)) expect_setequal(judgments_of(s)$gain, c(0, 1, 2))
    undo_judgment(s, "ann", ask$query[1], ask$doc[1])
    expect_false(paste(ask$query[1], ask$doc[1]) %in% do.call(paste, judgments_of(s)[c("query", "doc")]))
    expect_error(undo_judgment(s, "bob", ask$query[2], ask$doc[2]), class = "judicious_error_nothing_to_undo")
    close_session(s)
  }
})
