// The log likelihood for rows with few nonzero entries, as a function for
// maximise().
#pragma once
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "likelihood.hpp"

namespace judicious::ordinal {

using SparseMatrix = Eigen::SparseMatrix<double>;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using SparseFactor = Eigen::SimplicialLDLT<SparseMatrix>;

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

// Leaves out constant columns and the columns with the indices in `dropped`.
SparseData prepare_sparse(const SparseInput& input, const std::vector<Eigen::Index>& dropped);

class SparseLikelihood {
 public:
  SparseLikelihood(const SparseInput& input, const SparseData& data, const Link& link);

  void set_penalty(double penalty) { penalty_ = penalty; }
  double evaluate(const Eigen::VectorXd& parameters);
  const Eigen::VectorXd& gradient() const { return gradient_; }
  bool newton_step(Eigen::VectorXd& step);
  double longest_step(const Eigen::VectorXd& parameters, const Eigen::VectorXd& step) const {
    return longest_ordered_step(parameters, step, thresholds_.own.size());
  }
  // The lower triangle at the last evaluated point, thresholds first.
  SparseMatrix information() const;
  // The smallest share of a parameter's own information that remains after elimination of the
  // previous parameters.
  double smallest_share() const { return smallest_share_; }
  bool raised() const { return raised_; }

 private:
  const SparseInput& input_;
  const SparseData& data_;
  const Link& link_;
  SparseMatrix columns_;  // x'
  double penalty_ = 0, smallest_share_ = 1;
  Eigen::VectorXd gradient_, curvature_;
  BorderedMatrix thresholds_;  // without slopes
  Eigen::MatrixXd border_;     // thresholds x slopes
  SparseFactor factor_;
  bool raised_ = false;
};

}  // namespace judicious::ordinal
