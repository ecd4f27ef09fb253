// One pass over the rows: their log likelihood, and the sums for its gradient and information.
#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "bordered.hpp"
#include "data.hpp"
#include "link.hpp"
#include "tile.hpp"

namespace judicious::ordinal {

// Rows are divided into chunks whose bounds depend on the data only, and chunks are summed in
// order, so that results are equal for any number of threads.
class RowPass {
 public:
  RowPass(const PomData& data, const Link& link, int num_threads);
  ~RowPass();

  // Adds to `gradient` (thresholds, slopes) and `information`; returns the value.
  double add(const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient,
             BorderedMatrix& information);

 private:
  struct Chunk;
  void run(Chunk& chunk) const;

  const PomData& data_;
  const Link& link_;
  int num_threads_;
  std::vector<Chunk> chunks_;
  std::vector<double> beta_, lower_, upper_;
  std::vector<LogitCategory> logit_;
};

}  // namespace judicious::ordinal
