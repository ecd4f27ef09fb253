// The design of one variance component for some observations: the sparse matrix U of a random
// effect, observations by levels. The component adds variance * U U' to their covariance.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "belief/joint_prior.hpp"
#include "belief/joint_terms.hpp"
#include "execution/index.hpp"

namespace judicious {

class JointEffect {
 public:
  // For pairs of the pool, in the given order. Only levels that occur are kept, by ascending label.
  JointEffect(const JointPool& pool, const std::vector<std::int32_t>& pairs, JointTerm term);

  Index n_levels() const { return length(label_); }
  // The label of a level: for effects that are not within queries, the system or the team.
  Index label(Index level) const { return label_[level]; }

  // Adds variance * U U' to the lower triangle.
  void add_covariance(double variance, Eigen::MatrixXd& covariance) const;
  // Returns tr(U' m U) for a symmetric m.
  double trace(const Eigen::MatrixXd& m) const;
  // Returns m U.
  Eigen::MatrixXd times(const Eigen::Ref<const Eigen::MatrixXd>& m) const;
  // Returns U U' v.
  Eigen::VectorXd project(const Eigen::VectorXd& v) const;
  // Adds U times the values, which are given by label, to `out`.
  void add_expanded(const Eigen::VectorXd& by_label, Eigen::Ref<Eigen::VectorXd> out) const;

 private:
  struct Entry {
    Index row;
    double value;
  };

  std::vector<Index> first_;  // of each level's entries, and the end
  std::vector<Entry> entry_;  // by level, then by row
  std::vector<std::int64_t> label_;
};

}  // namespace judicious
