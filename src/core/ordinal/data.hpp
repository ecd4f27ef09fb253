// The observations of a proportional-odds model in the form of the engine: without those of weight
// zero, sorted by category, with centred and scaled columns and without aliased ones.
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

namespace judicious::ordinal {

// Borrowed: the caller's matrices. `weight` and `offset` may be null, which means all 1 and all 0.
struct PomInput {
  Eigen::Map<const Eigen::MatrixXd> x;
  const std::int32_t* category;  // 0 .. n_categories - 1
  const double* weight;
  const double* offset;
  int n_categories;
};

// The distinct rows of an input, with their total weights.
struct DistinctRows {
  Eigen::MatrixXd x;
  std::vector<std::int32_t> category;
  std::vector<double> weight, offset;  // no offset: empty
  int n_categories;

  PomInput input() const {
    return {Eigen::Map<const Eigen::MatrixXd>(x.data(), x.rows(), x.cols()), category.data(), weight.data(),
            offset.empty() ? nullptr : offset.data(), n_categories};
  }
};

// Nothing if there are so many of them, or so few rows, that counting would not pay.
std::optional<DistinctRows> distinct_rows(const PomInput& input);

struct PomData {
  Eigen::MatrixXd x;                  // rows by category; column k is (column[k] - center) / scale
  std::vector<double> weight;         // empty: all 1
  std::vector<double> offset;         // less offset_center; empty: all 0
  std::vector<Eigen::Index> first;    // rows first[j] .. first[j + 1] - 1 are in category j
  Eigen::VectorXd total;              // weight of each category
  Eigen::VectorXd center, scale;      // per kept column
  std::vector<Eigen::Index> column;   // the kept columns' numbers in the caller's matrix
  std::vector<Eigen::Index> aliased;  // the others
  double offset_center = 0;

  Eigen::Index n_rows() const { return x.rows(); }
  Eigen::Index n_slopes() const { return center.size(); }
  Eigen::Index n_thresholds() const { return total.size() - 1; }
};

// Weighted mean and standard deviation of a column of the input. False if the column is constant up to rounding.
bool center_and_scale(const double* x, Eigen::Index n, const double* weight, double total, double& center,
                      double& scale);

// Every category must have positive total weight. Constant columns are left out.
PomData prepare_rows(const PomInput& input);

// Rows of a larger data set, with all columns and the given centres and scales. Categories may be empty.
PomData prepare_batch(const PomInput& input, const Eigen::VectorXd& center, const Eigen::VectorXd& scale);

// Keeps the columns of data.x that the previous ones do not explain (residual norm above
// `tolerance` times the norm of the column) and moves the others to data.aliased.
void drop_explained_columns(PomData& data, double tolerance);

// Every `every`-th row of each category, starting with the first, for a first estimate.
PomData thinned(const PomData& data, Eigen::Index every);

}  // namespace judicious::ordinal
