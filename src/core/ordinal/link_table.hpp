// The links by name.
//
// To add a link, derive a class from Link, or from SymmetricLink if F(-x) = 1 -
// F(x), and add one entry to the table at the end of link_table.cpp. The R code
// asks for the names, and tests/cpp/test_link_table.cpp checks every entry of
// the table.
#pragma once
#include <string_view>
#include <vector>

#include "link.hpp"

namespace judicious::ordinal {

// The link with this name. A parameter is in parentheses, as in "robit(4)". Throws
// std::invalid_argument for an unknown name, or a value outside the parameter's range.
LinkPointer link_named(std::string_view name);

struct LinkName {
  std::string_view name,
      parameter;  // the parameter's name, empty if there is none
};

std::vector<LinkName> link_names();

}  // namespace judicious::ordinal
