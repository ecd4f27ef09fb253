// The observations of a proportional-odds model as the engine wants them: without those of weight
// zero, sorted by category, columns centred, scaled and freed of those the others explain.
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace judicious::ordinal {

// Borrowed: the caller's matrices. `weight` and `offset` may be null: all 1, all 0.
struct PomInput {
  Eigen::Map<const Eigen::MatrixXd> x;
  const std::int32_t* category;  // 0 .. n_categories - 1
  const double* weight;
  const double* offset;
  int n_categories;
};

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
  Eigen::Index n_slopes() const { return x.cols(); }
  Eigen::Index n_thresholds() const { return total.size() - 1; }
};

// Every category must have positive total weight. Constant columns are left out.
PomData prepare_rows(const PomInput& input);

// The same without columns that those before them explain, up to `rank_tolerance` of their norm.
PomData prepare(const PomInput& input, double rank_tolerance);

// Every `every`-th row of each category, the first included: a quick look at large data.
PomData thinned(const PomData& data, Eigen::Index every);

}  // namespace judicious::ordinal
