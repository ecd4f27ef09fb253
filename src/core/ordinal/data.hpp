// The observations of a proportional-odds model in the form in which it is fitted: without those of weight zero, sorted
// by category, with centred and scaled columns, and without aliased columns.
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

namespace judicious::ordinal {

// Pointers to the caller's matrices. `weight` and `offset` may be null, if all weights are 1 and all offsets 0.
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
  std::vector<double> weight, offset;  // empty without an offset
  int n_categories;

  PomInput input() const {
    return {Eigen::Map<const Eigen::MatrixXd>(x.data(), x.rows(), x.cols()), category.data(), weight.data(),
            offset.empty() ? nullptr : offset.data(), n_categories};
  }
};

// Returns nothing if the number of distinct rows is so large, or that of rows so small, that grouping them would take
// longer than it saves.
std::optional<DistinctRows> distinct_rows(const PomInput& input);

struct PomData {
  Eigen::MatrixXd x;                  // rows by category; column k is (column[k] - center) / scale
  std::vector<double> weight;         // empty: all 1
  std::vector<double> offset;         // less offset_center; empty: all 0
  std::vector<Eigen::Index> first;    // rows first[j] .. first[j + 1] - 1 are in category j
  Eigen::VectorXd total;              // weight of each category
  Eigen::VectorXd center, scale;      // per kept column
  std::vector<Eigen::Index> column;   // the kept columns' numbers in the caller's matrix
  std::vector<Eigen::Index> aliased;  // the other columns
  double offset_center = 0;

  Eigen::Index n_rows() const { return x.rows(); }
  Eigen::Index n_slopes() const { return center.size(); }
  Eigen::Index n_thresholds() const { return total.size() - 1; }
};

// Weighted mean and standard deviation of a column of the input. False if the column is constant up to rounding.
bool center_and_scale(const double* x, Eigen::Index n, const double* weight, double total, double& center,
                      double& scale);

// Every category must have a positive total weight. Constant columns are left out.
PomData prepare_rows(const PomInput& input);

// Some rows of a larger data set, with all columns, centred and scaled by these numbers. Categories may be empty.
PomData prepare_batch(const PomInput& input, const Eigen::VectorXd& center, const Eigen::VectorXd& scale);

// Moves to data.aliased the columns of data.x that previous columns explain: those whose residual has a norm of at most
// `tolerance` times that of the column.
void drop_explained_columns(PomData& data, double tolerance);

// For a first estimate: every `every`-th row of each category, starting with the first.
PomData subsample(const PomData& data, Eigen::Index every);

}  // namespace judicious::ordinal
