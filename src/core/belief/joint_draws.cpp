#include "belief/joint_draws.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "belief/leave_one_out.hpp"
#include "execution/interrupt.hpp"
#include "stats/distributions.hpp"

namespace judicious {

namespace {

// The effects' share of the variance of a pair's normal variable is at most this.
constexpr double largest_share = 0.98;

std::int32_t nearest_level(const std::vector<double>& levels, double gain) {
  const auto above = std::lower_bound(levels.begin() + 1, levels.end() - 1, gain);
  return static_cast<std::int32_t>(above - levels.begin() - (gain - *(above - 1) < *above - gain ? 1 : 0));
}

LevelFamily learnt_family(const JointPosterior& posterior, std::vector<double> levels) {
  LevelFamily family(std::move(levels));
  const LeaveOneOut predicted = leave_one_out(posterior);
  std::vector<std::int32_t> level;
  for (const std::int32_t pair : predicted.pair)
    level.push_back(nearest_level(family.levels(), posterior.mean()[pair]));
  family.learn(predicted.mean, level);
  return family;
}

}  // namespace

JointSampler::JointSampler(const JointPosterior& posterior, std::vector<double> levels) : posterior_(posterior) {
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(posterior_.shared_covariance());
  shared_root_ = ldlt.matrixL();
  shared_root_ = ldlt.transpositionsP().transpose() * shared_root_;
  shared_root_ *= ldlt.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal();
  if (levels.empty()) return;
  family_.emplace(learnt_family(posterior, std::move(levels)));
  for (Index i = 0; i < posterior_.prior().n_pairs(); ++i) {
    check_interrupt_at(i, 1024);
    mapping_.push_back(posterior_.known(i) ? Mapping{} : mapping_of(i));
  }
}

JointSampler::Mapping JointSampler::mapping_of(Index pair) const {
  const double own = posterior_.prior().residual_variance(pair);
  const double effects = std::max(posterior_.variance()[pair] - own, 0.0);
  Mapping out;
  out.location = family_->location(posterior_.mean()[pair]);
  const double loading = family_->normal_loading(out.location);
  const double share = std::min(effects / (loading * loading), largest_share);
  out.effect = effects > 0 ? std::sqrt(share / effects) : 0;
  out.residual = std::sqrt(1 - share);
  return out;
}

Eigen::VectorXd JointSampler::draw_shared(NormalStream& normal) const {
  check_interrupt();  // once per draw
  Eigen::VectorXd z(shared_root_.cols());
  for (Index i = 0; i < z.size(); ++i) z[i] = normal();
  return shared_root_ * z;
}

void JointSampler::draw_effects(Index query, const Eigen::VectorXd& shared, const SharedDirections<1>& folded,
                                NormalStream& normal, Eigen::VectorXd& out) const {
  const JointPrior& prior = posterior_.prior();
  const JointPosterior::QueryState& state = posterior_.state(query);
  const auto& pairs = prior.pairs_of(query);
  prior.draw_query(query, normal, out);
  const Index n = state.l.cols();
  if (n > 0) {
    Eigen::MatrixXd root(n, n);
    Eigen::VectorXd missed(n);
    for (Index a = 0; a < n; ++a) {
      const Index place = state.place[a];
      const Index pair = pairs[place];
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
void JointSampler::draw_pairs(const std::vector<std::int32_t>& queries, NormalStream& normal, Pair&& each) const {
  const JointPrior& prior = posterior_.prior();
  const Eigen::VectorXd shared = draw_shared(normal);
  const SharedDirections<1> folded = prior.fold<1>(shared.transpose());
  Eigen::VectorXd effects;
  for (const std::int32_t query : queries) {
    const Index q = query;
    draw_effects(q, shared, folded, normal, effects);
    const auto& pairs = prior.pairs_of(q);
    for (Index a = 0; a < length(pairs); ++a) each(pairs[a], effects[a]);
  }
}

void JointSampler::draw_normal(const std::vector<std::int32_t>& queries, NormalStream& normal,
                               std::vector<double>& out) const {
  out.clear();
  draw_pairs(queries, normal, [&](Index pair, double effect) {
    const double residual = posterior_.prior().residual_variance(pair);
    const double own = posterior_.known(pair) ? 0 : std::sqrt(residual) * normal();
    out.push_back(posterior_.mean()[pair] + effect + own);
  });
}

void JointSampler::draw_levels(const std::vector<std::int32_t>& queries, NormalStream& normal,
                               std::vector<std::int32_t>& out) const {
  out.clear();
  draw_pairs(queries, normal, [&](Index pair, double effect) {
    if (posterior_.known(pair)) {
      out.push_back(-1);
      return;
    }
    const Mapping& map = mapping_[pair];
    const double z = map.effect * effect + map.residual * normal();
    out.push_back(family_->level_at(map.location, normal_survival(z)));
  });
}

}  // namespace judicious
