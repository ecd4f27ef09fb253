// One pass over the rows: log likelihood of the rows' own factors F(b) F(-a) with the sums its
// gradient and information need. What belongs to the category, (1 - e^-delta), is not in it.
#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "bordered.hpp"
#include "data.hpp"

namespace judicious::ordinal {

// Rows are cut into chunks whose bounds depend on the data alone; chunks are summed in their order,
// so that results are equal for any number of threads.
class RowPass {
 public:
  RowPass(const PomData& data, int num_threads);
  ~RowPass();

  // Adds to `gradient` (thresholds, slopes) and `information`; returns the value. With `second`
  // false, the information is left alone.
  double add(const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient,
             BorderedMatrix& information, bool second = true);

 private:
  struct Chunk;
  void run(Chunk& chunk, bool second) const;

  const PomData& data_;
  int num_threads_;
  std::vector<Chunk> chunks_;
  std::vector<double> beta_, theta_, middle_, lower_, upper_;
};

}  // namespace judicious::ordinal
