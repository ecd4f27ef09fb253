#include "belief/joint_draws.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "execution/interrupt.hpp"
#include "stats/distributions.hpp"
#include "stats/quadrature.hpp"

namespace judicious {

using Eigen::Index;

namespace {

// Means are kept at least `margin` from the ends of the scale, and variances below `largest_share`
// of the largest variance that the mean allows.
constexpr double margin = 1e-3;
constexpr double largest_share = 0.98;
// The correlation of effects at which the gains have the right covariance.
constexpr double likeness = 0.25;

}  // namespace

// With correlation sin(t), P(both below h) - Phi(h)^2 = (1 / 2 pi) int_0^t exp(-h^2 / (1 + sin u))
// du, which is a convex function of t: Newton's method descends to the root from the right end.
double latent_correlation(double quantile, double covariance) {
  if (covariance <= 0) return 0;
  const auto density = [&](double t) {
    return std::exp(-quantile * quantile / (1 + std::sin(t))) / (2 * pi);
  };
  double t = pi / 2;
  for (int i = 0; i < 100; ++i) {
    const double step = (integral_to(t, density) - covariance) / density(t);
    t = std::clamp(t - step, 1e-12, pi / 2);
    if (std::abs(step) < 1e-10) break;
  }
  return std::min(std::sin(t), 1 - 1e-6);
}

JointSampler::JointSampler(const JointPosterior& posterior, std::vector<double> levels)
    : posterior_(posterior), levels_(std::move(levels)) {
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(posterior_.shared_covariance());
  shared_root_ = ldlt.matrixL();
  shared_root_ = ldlt.transpositionsP().transpose() * shared_root_;
  shared_root_ *= ldlt.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal();
  if (levels_.empty()) return;
  for (std::size_t i = 0; i < posterior_.prior().n_pairs(); ++i) {
    check_interrupt_at(i, 1024);
    mapping_.push_back(posterior_.known(i) ? Mapping{} : mapping_of(i));
  }
}

JointSampler::Mapping JointSampler::mapping_of(std::size_t pair) const {
  const auto at = static_cast<Index>(pair);
  const double mean = std::clamp(posterior_.mean()[at], margin, 1 - margin);
  const double bound = mean * (1 - mean);
  const double own = posterior_.prior().residual_variance(pair);
  const double effects = std::max(posterior_.variance()[at] - own, 0.0);
  double rounding = 0;
  for (std::size_t l = 1; l < levels_.size(); ++l)
    rounding += std::pow(levels_[l] - levels_[l - 1], 3) / 6;
  const double of_effects = std::min(effects, largest_share * bound);
  const double total = std::clamp(posterior_.variance()[at] - 4 * rounding * bound, of_effects,
                                  largest_share * bound);
  const double quantile = normal_quantile(mean);
  double by_effects =
      std::min(latent_correlation(quantile, likeness * of_effects) / likeness, largest_share);
  // With two levels, the rounding has all the variance that is not of the effects.
  double by_all = by_effects;
  if (levels_.size() > 2) {
    by_all = latent_correlation(quantile, total);
    by_effects = std::min(by_effects, by_all);
  }
  const double stretch = 1 / (1 - by_all);
  return {quantile * std::sqrt(stretch),
          effects > 0 ? std::sqrt(by_effects * stretch / effects) : 0,
          std::sqrt((by_all - by_effects) * stretch)};
}

Eigen::VectorXd JointSampler::draw_shared(NormalStream& normal) const {
  check_interrupt();  // once per draw
  Eigen::VectorXd z(shared_root_.cols());
  for (Index i = 0; i < z.size(); ++i) z[i] = normal();
  return shared_root_ * z;
}

void JointSampler::draw_effects(std::size_t query, const Eigen::VectorXd& shared,
                                const SharedDirections<1>& folded, NormalStream& normal,
                                Eigen::VectorXd& out) const {
  const JointPrior& prior = posterior_.prior();
  const JointPosterior::QueryState& state = posterior_.state(query);
  const auto& pairs = prior.pairs_of(query);
  prior.draw_query(query, normal, out);
  const Index n = state.l.cols();
  if (n > 0) {
    Eigen::MatrixXd root(n, n);
    Eigen::VectorXd missed(n);
    for (Index a = 0; a < n; ++a) {
      const Index place = state.place[static_cast<std::size_t>(a)];
      const auto pair = static_cast<std::size_t>(pairs[static_cast<std::size_t>(place)]);
      root.row(a) = state.l.row(place);
      missed[a] = out[place] + std::sqrt(prior.residual_variance(pair)) * normal();
    }
    root.triangularView<Eigen::Lower>().solveInPlace(missed);
    out.noalias() -= state.l * (missed + state.w * shared);
  }
  out += prior.shared_product<1>(query, folded).transpose();
  for (Index place : state.place) out[place] = 0;
}

template <typename Pair>
void JointSampler::draw_pairs(const std::vector<std::int32_t>& queries, NormalStream& normal,
                              Pair&& each) const {
  const JointPrior& prior = posterior_.prior();
  const Eigen::VectorXd shared = draw_shared(normal);
  const SharedDirections<1> folded = prior.fold<1>(shared.transpose());
  Eigen::VectorXd effects;
  for (const std::int32_t query : queries) {
    const auto q = static_cast<std::size_t>(query);
    draw_effects(q, shared, folded, normal, effects);
    const auto& pairs = prior.pairs_of(q);
    for (std::size_t a = 0; a < pairs.size(); ++a)
      each(static_cast<std::size_t>(pairs[a]), effects[static_cast<Index>(a)]);
  }
}

void JointSampler::draw_normal(const std::vector<std::int32_t>& queries, NormalStream& normal,
                               std::vector<double>& out) const {
  out.clear();
  draw_pairs(queries, normal, [&](std::size_t pair, double effect) {
    const double residual = posterior_.prior().residual_variance(pair);
    const double own = posterior_.known(pair) ? 0 : std::sqrt(residual) * normal();
    out.push_back(posterior_.mean()[static_cast<Index>(pair)] + effect + own);
  });
}

void JointSampler::draw_levels(const std::vector<std::int32_t>& queries, NormalStream& normal,
                               std::vector<std::int32_t>& out) const {
  out.clear();
  draw_pairs(queries, normal, [&](std::size_t pair, double effect) {
    if (posterior_.known(pair)) {
      out.push_back(-1);
      return;
    }
    const Mapping& map = mapping_[pair];
    double x = map.at + map.effect * effect;
    if (map.residual > 0) x += map.residual * normal();
    const double value = normal_cdf(x);
    const auto above =
        std::upper_bound(levels_.begin() + 1, levels_.end() - 1, value) - levels_.begin();
    const auto upper = static_cast<std::size_t>(above);
    const double low = levels_[upper - 1];
    const bool up = normal.uniform() * (levels_[upper] - low) < value - low;
    out.push_back(static_cast<std::int32_t>(up ? upper : upper - 1));
  });
}

}  // namespace judicious
