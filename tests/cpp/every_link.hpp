// The names of all links. A link with a parameter occurs once for each of several values of the parameter.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "ordinal/link.hpp"

inline std::vector<std::string> every_link() {
  // The values to test, by the name of the parameter.
  static const std::map<std::string, std::vector<std::string>> values{{"lambda", {"-0.7", "0.1", "1.3"}},
                                                                      {"df", {"0.8", "4", "50"}}};
  std::vector<std::string> out;
  for (const auto& link : judicious::ordinal::link_names()) {
    if (link.parameter.empty()) {
      out.emplace_back(link.name);
    } else {
      // at() throws for a new parameter that has no values here.
      for (const std::string& value : values.at(std::string(link.parameter)))
        out.push_back(std::string(link.name) + "(" + value + ")");
    }
  }
  return out;
}
