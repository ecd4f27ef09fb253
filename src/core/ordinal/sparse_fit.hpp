// Fits of designs that are mostly zeros, such as factors of many levels and texts. Only entries
// that are not zero take time, and the information has a sparse Cholesky factor: one factor's block
// of it is diagonal, and is eliminated first.
#pragma once
#include <optional>

#include "fit.hpp"

namespace judicious::ordinal {

// Borrowed, as in PomInput.
struct SparseInput {
  Eigen::Map<const Eigen::SparseMatrix<double>> x;
  const std::int32_t* category;
  const double* weight;
  const double* offset;
  int n_categories;
};

bool is_mostly_zero(const PomInput& input);

// Nothing where a dense decomposition has to decide which columns others explain, nor for bias
// reduction.
std::optional<PomResult> fit_sparse(const SparseInput& input, const PomOptions& options);

// The same of a matrix that has its zeros.
std::optional<PomResult> fit_sparse(const PomInput& input, const PomOptions& options);

// The covariance of (theta, beta) on the user's scale, and its diagonal, from the lower triangle of
// the information.
Eigen::MatrixXd covariance(const Eigen::SparseMatrix<double>& information,
                           const Eigen::VectorXd& center, const Eigen::VectorXd& scale);
Eigen::VectorXd variances(const Eigen::SparseMatrix<double>& information,
                          const Eigen::VectorXd& center, const Eigen::VectorXd& scale);

}  // namespace judicious::ordinal
