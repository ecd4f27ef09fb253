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
  std::vector<Index> first_of_pair, first_of_group;  // index of the first entry of each, and the number of entries
  std::vector<Entry> of_pair, of_group;

  // `group`: the group of each system. `n`: the number of groups.
  void read(const JointPrior& prior, const std::vector<std::int32_t>& pairs, const std::vector<std::int32_t>& group,
            Index n);
  // Adds to out(r, b) `weight` times the number of pairs of systems of the same group, the first of which retrieved
  // pair `from` + r, and the second pair b.
  void add(Index from, double weight, Directions<batch_size>& out) const;
};

class QueryBlock {
 public:
  // Both arguments must outlive the block.
  QueryBlock(const JointPrior& prior, const std::vector<std::int32_t>& pairs);

  Eigen::MatrixXd matrix() const;
  // The next `batch_size` rows from row `from` on; rows after the last one are 0.
  Directions<batch_size> rows(Index from) const;

 private:
  const JointPrior& prior_;
  const std::vector<std::int32_t>& pairs_;
  PairGroups systems_, teams_;
};

}  // namespace judicious
