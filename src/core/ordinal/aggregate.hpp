// Counts equal rows instead of repeating them: designs of factors have few distinct rows.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "data.hpp"

namespace judicious::ordinal {

struct DistinctRows {
  Eigen::MatrixXd x;
  std::vector<std::int32_t> category;
  std::vector<double> weight, offset;  // offset is empty if there is none
  int n_categories = 0;

  PomInput input() const;
};

// The distinct rows (columns, category, offset) with their summed weights, in order of first
// appearance; nothing if that would not be faster: few rows, or more than a quarter of them
// distinct.
std::optional<DistinctRows> distinct_rows(const PomInput& input);

}  // namespace judicious::ordinal
