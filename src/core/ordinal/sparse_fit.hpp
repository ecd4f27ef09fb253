// Fits designs that are mostly zeros, such as factors of many levels and texts. Only nonzero
// entries take time, and the information has a sparse Cholesky factor: the block of a single factor
// is diagonal, and is eliminated first.
#pragma once
#include <optional>

#include "result.hpp"
#include "sparse_likelihood.hpp"

namespace judicious::ordinal {

bool is_mostly_zero(const PomInput& input);

// Returns nothing for bias reduction, and if a dense decomposition has to decide which columns are
// explained by others.
std::optional<PomResult> fit_sparse(const SparseInput& input, const PomOptions& options);

// The same for a dense matrix with many zeros.
std::optional<PomResult> fit_sparse(const PomInput& input, const PomOptions& options);

// The covariance of (theta, beta) on the user's scale, and its diagonal, computed from the lower
// triangle of the information.
Eigen::MatrixXd covariance(const Eigen::SparseMatrix<double>& information,
                           const Eigen::VectorXd& center, const Eigen::VectorXd& scale);
Eigen::VectorXd variances(const Eigen::SparseMatrix<double>& information,
                          const Eigen::VectorXd& center, const Eigen::VectorXd& scale);

}  // namespace judicious::ordinal
