// The covariance of some pairs of one query, before anything is judged and given the shared
// effects.
#pragma once
#include <Eigen/Dense>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "belief/joint_prior.hpp"

namespace judicious {

class QueryBlock {
 public:
  // Both must outlive the block.
  QueryBlock(const JointPrior& prior, const std::vector<std::int32_t>& pairs);

  Eigen::MatrixXd matrix() const;
  // Rows from one on, as many as go side by side: those past the end are 0.
  Directions<side_by_side> rows(Eigen::Index from) const;
  // tr(g D) for D the derivative of the matrix by each variance; 0 for those of shared effects.
  TermValues traces(const Eigen::MatrixXd& g) const;

 private:
  // Which systems, or teams, the pairs have, and which pairs they have, how often.
  struct Groups {
    struct Entry {
      std::int32_t of;
      double times;
    };
    std::vector<std::size_t> first_of_pair, first_of_group;  // and the ends
    std::vector<Entry> of_pair, of_group;

    // `group`: of each system.
    void read(const JointPrior& prior, const std::vector<std::int32_t>& pairs,
              const std::vector<std::int32_t>& group, std::size_t n);
    // `weight` for every system of the one pair and of the other that are of the same group.
    void add(Eigen::Index from, double weight, Directions<side_by_side>& out) const;
    // The sum of g's elements, times `size` of both pairs, over what `add` would count for them.
    double trace(const Eigen::MatrixXd& g, const Eigen::VectorXd& size) const;
  };

  const JointPrior& prior_;
  const std::vector<std::int32_t>& pairs_;
  Groups systems_, teams_;
};

}  // namespace judicious
