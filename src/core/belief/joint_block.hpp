// The prior covariance of some pairs of one query, given the shared effects.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "belief/joint_prior.hpp"

namespace judicious {

// The systems, or teams, of each pair, and the pairs of each, with multiplicities.
struct PairGroups {
  struct Entry {
    std::int32_t of;
    double times;
  };
  std::vector<Index> first_of_pair, first_of_group;  // and the ends
  std::vector<Entry> of_pair, of_group;

  // `group`: the group of each system.
  void read(const JointPrior& prior, const std::vector<std::int32_t>& pairs, const std::vector<std::int32_t>& group,
            Index n);
  // Adds `weight` for every two systems of the same group, one of which retrieved the first pair
  // and one the second.
  void add(Index from, double weight, Directions<side_by_side>& out) const;
};

class QueryBlock {
 public:
  // Both must outlive the block.
  QueryBlock(const JointPrior& prior, const std::vector<std::int32_t>& pairs);

  Eigen::MatrixXd matrix() const;
  // `side_by_side` rows, starting at `from`; rows after the last one are 0.
  Directions<side_by_side> rows(Index from) const;

 private:
  const JointPrior& prior_;
  const std::vector<std::int32_t>& pairs_;
  PairGroups systems_, teams_;
};

}  // namespace judicious
