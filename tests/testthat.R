library(testthat)
library(judicious)

test_check("judicious")
