// The prior covariance of some pairs of one query, given the shared effects.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "belief/joint_prior.hpp"

namespace judicious {

// The groups (systems or teams) of each pair, and the pairs of each group, with multiplicities.
struct PairGroups {
  struct Entry {
    std::int32_t of;
    double times;
  };
  std::vector<Index> first_of_pair, first_of_group;  // and the ends of the last
  std::vector<Entry> of_pair, of_group;

  // `group`: the group of each system.
  void read(const JointPrior& prior, const std::vector<std::int32_t>& pairs, const std::vector<std::int32_t>& group,
            Index n);
  // Adds `weight` for every two systems of the same group of which one retrieved the first pair and the other the
  // second.
  void add(Index from, double weight, Directions<side_by_side>& out) const;
};

class QueryBlock {
 public:
  // Both arguments must outlive the block.
  QueryBlock(const JointPrior& prior, const std::vector<std::int32_t>& pairs);

  Eigen::MatrixXd matrix() const;
  // The next `side_by_side` rows from row `from` on; rows after the last one are 0.
  Directions<side_by_side> rows(Index from) const;

 private:
  const JointPrior& prior_;
  const std::vector<std::int32_t>& pairs_;
  PairGroups systems_, teams_;
};

}  // namespace judicious
