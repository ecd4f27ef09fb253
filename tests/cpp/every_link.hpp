// The names of all links, those with a parameter with several values of it.
#pragma once
#include <string>
#include <vector>

#include "ordinal/link.hpp"

inline std::vector<std::string> every_link() {
  std::vector<std::string> out;
  for (const auto& link : judicious::ordinal::link_names()) {
    if (link.parameter.empty()) out.emplace_back(link.name);
    if (link.parameter == "lambda") {
      for (const char* lambda : {"-0.7", "0.1", "1.3"})
        out.push_back(std::string(link.name) + "(" + lambda + ")");
    }
    if (link.parameter == "df") {
      for (const char* df : {"0.8", "4", "50"})
        out.push_back(std::string(link.name) + "(" + df + ")");
    }
  }
  return out;
}
