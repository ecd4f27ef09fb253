# A value for each parameter of a link, for tests of every link. tests/cpp/every_link.hpp has those for tests of the
# core.
values_of_links <- c(lambda = 0.5, df = 9)

# The value for a link; NULL if it has no parameter.
value_of_link <- function(link) {
  parameter <- link_names_cpp()[[link]]
  if (nzchar(parameter)) values_of_links[[parameter]]
}
