// Random effects, which add sum_t sigma_t sum_k z_tk u_tk, u standard normal, to the linear predictors of a
// cumulative-link model. The effects of all terms have consecutive numbers; those with term[k] == t belong to term t.
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace judicious::ordinal {

// The sparse design of the effects, by rows. Row i has the entries offset[i] to offset[i + 1] - 1: for each term, those
// of the group to which the row belongs. Entry e multiplies the effect of its column by value[e] and by the parameter
// loading[e]. This is the column's standard deviation or, if effects of a group are correlated, an element of the
// Cholesky factor of their covariance. No row has two entries with the same column and loading.
struct EffectDesign {
  std::vector<std::int32_t> offset, column;
  std::vector<double> value;
  std::vector<std::int32_t> term;     // for each column: the parameter that is its standard deviation or diagonal
  std::vector<std::int32_t> loading;  // for each entry: its parameter; empty if it is always that of the column
  // for each parameter: the parameter that is the diagonal element of its column; empty if it always is itself
  std::vector<std::int32_t> diagonal;
  int n_terms = 0;  // number of parameters

  Eigen::Index n_rows() const { return static_cast<Eigen::Index>(offset.size()) - 1; }
  Eigen::Index n_effects() const { return static_cast<Eigen::Index>(term.size()); }
  // The first function calls use(i, e) for the entries e of each row i; the second one calls use(i, a, b) for pairs of
  // entries of a row, b <= a.
  template <typename Use>
  void for_each_entry(const Use& use) const {
    for (Eigen::Index i = 0; i < n_rows(); ++i)
      for (std::int32_t e = offset[i]; e < offset[i + 1]; ++e) use(i, e);
  }
  template <typename Use>
  void for_each_pair(const Use& use) const {
    for_each_entry([&](Eigen::Index i, std::int32_t a) {
      for (std::int32_t b = offset[i]; b <= a; ++b) use(i, a, b);
    });
  }
  std::int32_t parameter(std::size_t e) const { return loading.empty() ? term[column[e]] : loading[e]; }
  std::int32_t diagonal_of(Eigen::Index t) const {
    return diagonal.empty() ? static_cast<std::int32_t>(t) : diagonal[t];
  }
};

// Throws std::invalid_argument if the parts are inconsistent.
void check_design(const EffectDesign& z);

// Numbers the effects such that the Cholesky factor of their precision is sparse (approximate minimum degree).
// number[k] is the new number of effect k.
std::vector<std::int32_t> sparse_numbering(const EffectDesign& z);
EffectDesign renumbered(const EffectDesign& z, const std::vector<std::int32_t>& number);

}  // namespace judicious::ordinal
