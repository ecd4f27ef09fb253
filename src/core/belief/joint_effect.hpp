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
  // The design for pairs of the pool, in this order. Only levels that occur are kept, in ascending order of labels.
  JointEffect(const JointPool& pool, const std::vector<std::int32_t>& pairs, JointTerm term);

  Index n_levels() const { return length(label_); }
  // The label of a level. For effects that queries share, it is the index of the system or of the team.
  Index label(Index level) const { return label_[level]; }

  // Adds variance * U U' to the lower triangle.
  void add_covariance(double variance, Eigen::MatrixXd& covariance) const;
  // Returns tr(U' m U) for a symmetric m.
  double trace(const Eigen::MatrixXd& m) const;
  // Returns m U.
  Eigen::MatrixXd times(const Eigen::Ref<const Eigen::MatrixXd>& m) const;
  // Returns U U' v.
  Eigen::VectorXd project(const Eigen::VectorXd& v) const;
  // Adds U v to `out`. `by_label` has the values v, with labels as indices.
  void add_expanded(const Eigen::VectorXd& by_label, Eigen::Ref<Eigen::VectorXd> out) const;

 private:
  struct Entry {
    Index row;
    double value;
  };

  std::vector<Index> first_;  // index of each level's first entry, and the number of entries
  std::vector<Entry> entry_;  // sorted by level, then by row
  std::vector<std::int64_t> label_;
};

}  // namespace judicious
