// Distributions over the levels of a scale, one for each mean: with levels l_0 = 0 < ... < l_J = 1,
//
// P(level >= l_j) = 1 / (1 + exp(-(eta - c_j))),  j = 1, ..., J,
//
// a proportional-odds family. The location eta of a distribution is determined by its mean. The cuts c_1 = 0 < c_2 <
// ... < c_J are the same for all distributions, and determine their shape.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

namespace judicious {

class LevelFamily {
 public:
  // Starts with the cuts that the prior expects.
  explicit LevelFamily(std::vector<double> levels);

  // Sets the cuts to their most probable values, given levels drawn from distributions of the family with known means.
  void learn(const Eigen::VectorXd& mean, const std::vector<std::int32_t>& level);

  const std::vector<double>& levels() const { return levels_; }
  const std::vector<double>& cuts() const { return cut_; }
  // Means that are closer than this to the ends of the scale are moved to this distance from them.
  static constexpr double margin = 1e-3;
  // The location of the distribution with this mean; `start` is a first guess.
  double location(double mean, double start = 0) const;
  // A level is a monotone function of a standard normal variable: if the variable exceeds cut[j], the level is at least
  // level j + 1. Writes the cuts, in ascending order, and returns the covariance of the level with the variable.
  double normal_cuts(double location, double* cut) const;

 private:
  double mean_at(double location, double& slope) const;
  void set_shape(const Eigen::VectorXd& shape);

  std::vector<double> levels_, cut_;
};

}  // namespace judicious
