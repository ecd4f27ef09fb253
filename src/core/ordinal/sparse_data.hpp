// Designs that are mostly zeros, such as factors of many levels and texts. Only nonzero entries take time, and the
// information has a sparse Cholesky factor: the block of a single factor is diagonal, and is eliminated first.
#pragma once
#include <optional>
#include <vector>

#include "data.hpp"
#include "separation.hpp"
#include "sparse_solver.hpp"

namespace judicious::ordinal {

// Borrows its data, as PomInput does.
struct SparseInput {
  Eigen::Map<const Eigen::SparseMatrix<double>> x;
  const std::int32_t* category;
  const double* weight;
  const double* offset;
  int n_categories;
};

// Columns divided by their standard deviations. Columns with few zeros are centred, too.
struct SparseData {
  SparseRows x;
  Eigen::VectorXd total;  // weight of each category
  Eigen::VectorXd center, scale;
  std::vector<Eigen::Index> column, aliased;
};

bool is_mostly_zero(const PomInput& input);

// Leaves out constant columns and the columns with the indices in `dropped`.
SparseData prepare_sparse(const SparseInput& input, const std::vector<Eigen::Index>& dropped);

// The slopes that the previous slopes and the m thresholds explain: the last slope of each null direction of the
// information, after eliminating those of the others. Nothing if a dense decomposition has to decide.
std::optional<std::vector<Eigen::Index>> explained_slopes(const SparseMatrix& information, Eigen::Index m);

// If the data are separated, Newton's method continues along a separating direction with steps of about 1, while
// everything else has converged. This function checks the direction, its last step, in all rows.
SeparationReport certified_separation(const SparseInput& input, const SparseData& data,
                                      const Eigen::VectorXd& direction);

}  // namespace judicious::ordinal
