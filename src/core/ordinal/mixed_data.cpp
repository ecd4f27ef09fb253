#include "mixed_data.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <limits>
#include <stdexcept>

namespace judicious::ordinal {

void check_design(const EffectDesign& z) {
  if (z.offset.empty() || z.offset.front() != 0 || static_cast<std::size_t>(z.offset.back()) != z.column.size() ||
      z.value.size() != z.column.size() || !(z.loading.empty() || z.loading.size() == z.column.size()) ||
      !(z.diagonal.empty() || z.diagonal.size() == static_cast<std::size_t>(z.n_terms))) {
    throw std::invalid_argument("offsets, columns and values of the effects do not match");
  }
  // Eigen's sparse matrices number their entries by int, so their number is limited.
  std::size_t entries = z.term.size();
  constexpr auto max_entries = static_cast<std::size_t>(std::numeric_limits<int>::max());
  std::vector<std::size_t> last_row(z.term.size(), 0);
  for (std::size_t i = 0; i + 1 < z.offset.size(); ++i) {
    if (z.offset[i + 1] < z.offset[i]) throw std::invalid_argument("offsets must not decrease");
    const auto row_effects = static_cast<std::size_t>(z.offset[i + 1] - z.offset[i]);
    if (row_effects > 0) entries += row_effects * (row_effects - 1);
    if (entries > max_entries) {
      throw std::length_error("the rows have more than 2^31 - 1 pairs of effects: group them less");
    }
    for (auto e = z.offset[i]; e < z.offset[i + 1]; ++e) {
      if (z.column[e] < 0 || static_cast<std::size_t>(z.column[e]) >= z.term.size()) {
        throw std::invalid_argument("an effect's number is out of range");
      }
      if (z.parameter(e) < 0 || z.parameter(e) >= z.n_terms) {
        throw std::invalid_argument("a loading's number is out of range");
      }
      auto& last = last_row[z.column[e]];
      if (last == i + 1 && z.loading.empty()) throw std::invalid_argument("a row has an effect twice");
      last = i + 1;
    }
  }
  for (const auto t : z.term) {
    if (t < 0 || t >= z.n_terms) throw std::invalid_argument("a term's number is out of range");
  }
}

std::vector<std::int32_t> sparse_numbering(const EffectDesign& z) {
  std::vector<Eigen::Triplet<double, int>> entries;
  for (int k = 0; k < z.n_effects(); ++k) entries.emplace_back(k, k, 1.0);
  z.for_each_pair([&](Eigen::Index, std::int32_t a, std::int32_t b) {
    entries.emplace_back(z.column[a], z.column[b], 1.0);
    entries.emplace_back(z.column[b], z.column[a], 1.0);
  });
  Eigen::SparseMatrix<double> pattern(z.n_effects(), z.n_effects());
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  // `order` lists the old numbers of the effects in their new order.
  std::vector<std::int32_t> number(z.term.size());
  for (int place = 0; place < order.size(); ++place) number[order.indices()[place]] = place;
  return number;
}

EffectDesign renumbered(const EffectDesign& z, const std::vector<std::int32_t>& number) {
  EffectDesign out = z;
  for (auto& k : out.column) k = number[k];
  for (std::size_t k = 0; k < z.term.size(); ++k) out.term[number[k]] = z.term[k];
  return out;
}

}  // namespace judicious::ordinal
