// Identifiers of a reader as a vector of strings whose elements are created when they are needed
// (R's alternative representations). For R it is a character vector like any other.
#pragma once
#include <Rcpp.h>

#include <string_view>
#include <vector>

#include "text/texts.hpp"

namespace judicious {

// One text per element, in UTF-8 and without zero bytes.
SEXP identifiers_of_texts(JoinedTexts&& texts);

// Views of the elements of a character vector, which are not created.
std::vector<std::string_view> views_of(SEXP x);

}  // namespace judicious
