// Designs that mostly contain zeros, such as those of factors with many levels, or of texts. Only nonzero entries take
// time, and the information has a sparse Cholesky factor: the block of a single factor is diagonal, and is eliminated
// first.
#pragma once
#include <optional>
#include <vector>

#include "data.hpp"
#include "separation.hpp"
#include "sparse_solver.hpp"

namespace judicious::ordinal {

// Points to the caller's data, as PomInput does.
struct SparseInput {
  Eigen::Map<const Eigen::SparseMatrix<double>> x;
  const std::int32_t* category;
  const double* weight;
  const double* offset;
  int n_categories;
};

// Columns that are divided by their standard deviations. Columns with few zeros are centred, too.
struct SparseData {
  SparseRows x;
  Eigen::VectorXd total;  // weight of each category
  Eigen::VectorXd center, scale;
  std::vector<Eigen::Index> column, aliased;
};

bool is_mostly_zero(const PomInput& input);

// Prepares the columns, without constant ones and those with the indices in `dropped`.
SparseData prepare_sparse(const SparseInput& input, const std::vector<Eigen::Index>& dropped);

// The slopes that the previous slopes and the m thresholds explain. These are the last slope of each null direction of
// the information, after the slopes found for other directions have been eliminated. Returns nothing if only a dense
// decomposition can decide.
std::optional<std::vector<Eigen::Index>> explained_slopes(const SparseMatrix& information, Eigen::Index m);

// If the data are separated, Newton's method continues with steps of about 1 along a separating direction, while
// everything else has converged. This function checks in all rows whether `direction`, the last step, separates the
// data.
SeparationReport certified_separation(const SparseInput& input, const SparseData& data,
                                      const Eigen::VectorXd& direction);

}  // namespace judicious::ordinal
