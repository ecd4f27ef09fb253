#include "belief/level_family.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "execution/index.hpp"
#include "ordinal/logit.hpp"
#include "stats/distributions.hpp"

namespace judicious {

using ordinal::logistic;

namespace {

// The distances between cuts determine the shape of a family. Their logarithms are a polynomial of the position on the
// scale, whose coefficients have a normal prior.
constexpr int largest_degree = 2;
constexpr double log_distance = 0.4, log_distance_sd = 0.5;
// If there are many levels, the sum of the distances is limited to this number.
constexpr double largest_span = 4.5;

// The number of coefficients of the polynomial: there are `n_levels` - 2 distances.
Index shape_size(Index n_levels) { return std::min<Index>(largest_degree + 1, n_levels - 2); }

}  // namespace

LevelFamily::LevelFamily(std::vector<double> levels) : levels_(std::move(levels)) {
  set_shape(Eigen::VectorXd::Zero(std::max<Index>(shape_size(levels_.size()), 0)));
}

void LevelFamily::set_shape(const Eigen::VectorXd& shape) {
  const Index distances = levels_.size() - 2;
  cut_.assign(1, 0);
  const double expected =
      distances == 0 ? 0 : std::min(log_distance, std::log(largest_span / static_cast<double>(distances)));
  for (Index j = 0; j < distances; ++j) {
    const double position = distances == 1 ? 0 : 2 * static_cast<double>(j) / static_cast<double>(distances - 1) - 1;
    double value = expected, power = 1;
    for (Index a = 0; a < shape.size(); ++a) {
      value += shape[a] * power;
      power *= position;
    }
    cut_.push_back(cut_.back() + std::exp(value));
  }
}

double LevelFamily::mean_at(double location, double& slope) const {
  double mean = 0;
  slope = 0;
  for (Index j = 0; j < length(cut_); ++j) {
    const double step = levels_[j + 1] - levels_[j];
    const double p = logistic(location - cut_[j]);
    mean += step * p;
    slope += step * p * (1 - p);
  }
  return mean;
}

// Newton's method for the location, applied to the logit of the mean, which is nearly linear in the location. The
// bounds of the solution are narrowed in each step.
double LevelFamily::location(double mean, double start) const {
  mean = std::clamp(mean, margin, 1 - margin);
  const double target = std::log(mean / (1 - mean));
  double low = target, high = target + cut_.back();
  double at = std::clamp(start == 0 ? target + cut_.back() / 2 : start, low, high);
  for (int i = 0; i < 60; ++i) {
    double slope;
    const double value = mean_at(at, slope);
    const double miss = std::log(value / (1 - value)) - target;
    (miss > 0 ? high : low) = at;
    if (std::abs(miss) < 1e-10) break;
    double next = at - miss * value * (1 - value) / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    at = next;
  }
  return at;
}

double LevelFamily::normal_cuts(double location, double* cut) const {
  double loading = 0;
  for (Index j = 0; j < length(cut_); ++j) {
    cut[j] = -normal_quantile(logistic(location - cut_[j]));
    loading += (levels_[j + 1] - levels_[j]) * std::exp(normal_log_density(cut[j]));
  }
  return loading;
}

// Newton's method with derivatives by finite differences. Analytic derivatives would be long, because locations depend
// on the means, and the shape has only few coefficients.
void LevelFamily::learn(const Eigen::VectorXd& mean, const std::vector<std::int32_t>& level) {
  const Index d = shape_size(levels_.size());
  if (d < 1 || mean.size() == 0) return;
  Eigen::VectorXd location = Eigen::VectorXd::Zero(mean.size());
  const auto objective = [&](const Eigen::VectorXd& shape) {
    set_shape(shape);
    double sum = -0.5 * shape.squaredNorm() / (log_distance_sd * log_distance_sd);
    for (Index i = 0; i < mean.size(); ++i) {
      const double eta = location[i] = this->location(mean[i], location[i]);
      const Index j = level[i];
      const double at_least = j == 0 ? 1 : logistic(eta - cut_[j - 1]);
      const double above = j == length(cut_) ? 0 : logistic(eta - cut_[j]);
      sum += std::log(std::max(at_least - above, 1e-300));
    }
    return sum;
  };
  constexpr double h = 1e-3;
  Eigen::VectorXd shape = Eigen::VectorXd::Zero(d);
  double best = objective(shape);
  for (int round = 0; round < 30; ++round) {
    Eigen::VectorXd up(d), down(d), gradient(d);
    Eigen::MatrixXd hessian(d, d);
    for (Index a = 0; a < d; ++a) {
      const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(d, a);
      up[a] = objective(shape + step);
      down[a] = objective(shape - step);
    }
    gradient = (up - down) / (2 * h);
    for (Index a = 0; a < d; ++a) {
      hessian(a, a) = (up[a] - 2 * best + down[a]) / (h * h);
      for (Index b = 0; b < a; ++b) {
        const Eigen::VectorXd step = h * (Eigen::VectorXd::Unit(d, a) + Eigen::VectorXd::Unit(d, b));
        hessian(a, b) = hessian(b, a) = (objective(shape + step) - up[a] - up[b] + best) / (h * h);
      }
    }
    const Eigen::LDLT<Eigen::MatrixXd> ldlt(-hessian);
    Eigen::VectorXd step = ldlt.isPositive() ? Eigen::VectorXd(ldlt.solve(gradient)) : gradient;
    step *= std::min(1.0, 1 / std::max(step.norm(), 1e-300));
    double gained = objective(shape + step) - best;
    for (int halving = 0; gained <= 0 && halving < 30; ++halving) {
      step /= 2;
      gained = objective(shape + step) - best;
    }
    if (gained <= 0) break;
    shape += step;
    best += gained;
    if (gained < 1e-6) break;
  }
  set_shape(shape);
}

}  // namespace judicious
