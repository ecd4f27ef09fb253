#include "likelihood.hpp"

#include <algorithm>

namespace judicious::ordinal {

double longest_ordered_step(const Eigen::VectorXd& parameters, const Eigen::VectorXd& step, Eigen::Index m) {
  double longest = infinity;
  for (Eigen::Index j = 1; j < m; ++j) {
    const double delta = parameters[j] - parameters[j - 1], change = step[j] - step[j - 1];
    if (change < 0) longest = std::min(longest, delta / -change);
  }
  return longest;
}

Eigen::VectorXd marginal_start(const Eigen::VectorXd& total, const Link& link, Eigen::Index n_slopes) {
  const Eigen::Index m = total.size() - 1;
  Eigen::VectorXd out = Eigen::VectorXd::Zero(m + n_slopes);
  const double all = total.sum();
  double below = 0, above = all;
  for (Eigen::Index j = 0; j < m; ++j) {
    below += total[j];
    above -= total[j];
    out[j] = below < above ? link.quantile(below / all) : link.upper_quantile(above / all);
  }
  return out;
}

}  // namespace judicious::ordinal
