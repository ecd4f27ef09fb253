#include "belief/joint_draws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "belief/leave_one_out.hpp"
#include "execution/interrupt.hpp"
#include "stats/random.hpp"

namespace judicious {

namespace {

// Effects get at most this share of the variance of a pair's normal variable; the residual has the rest.
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

// For each of the `z`, counts how many of the `n` ascending cuts it exceeds. The binary searches for all of them run
// side by side and without branches, which the processor would often mispredict.
template <typename Draws>
void count_below(const double* cut, Index n, const Draws& z, std::int32_t* count) {
  for (int t = 0; t < draws_at_once; ++t) count[t] = 0;
  for (; n > 1; n -= n / 2) {
    const auto half = static_cast<std::int32_t>(n / 2);
    for (int t = 0; t < draws_at_once; ++t) count[t] += half * (cut[count[t] + half - 1] < z[t]);
  }
  for (int t = 0; t < draws_at_once; ++t) count[t] += cut[count[t]] < z[t];
}

// The stream of random numbers of a draw. `query` is 0 for the shared effects, and otherwise the query's index plus 1.
RandomStream stream_of(std::uint64_t seed, std::uint64_t draw, std::uint64_t query) {
  return {seed, draw << 32 | query};
}

template <std::size_t... I>
std::array<NormalStream, sizeof...(I)> normal_streams(std::vector<RandomStream>& random, std::index_sequence<I...>) {
  return {NormalStream(random[I])...};
}

}  // namespace

JointSampler::JointSampler(const JointPosterior& posterior, std::vector<double> levels) : posterior_(posterior) {
  posterior_.settle();
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(posterior_.shared_covariance());
  shared_root_ = ldlt.matrixL();
  shared_root_ *= ldlt.vectorD().cwiseMax(0).cwiseSqrt().asDiagonal();
  // The factorisation permutes the effects. Their order is restored, so that an effect always uses the same random
  // number.
  shared_root_ = ldlt.transpositionsP().transpose() * shared_root_ * ldlt.transpositionsP();
  if (!levels.empty()) family_.emplace(learnt_family(posterior, std::move(levels)));
}

JointSampler::SharedDraws JointSampler::draw_shared(std::uint64_t seed, std::uint64_t first) const {
  Eigen::MatrixXd z(shared_root_.cols(), draws_at_once);
  for (int t = 0; t < draws_at_once; ++t) {
    RandomStream random = stream_of(seed, first + t, 0);
    NormalStream normal(random);
    for (Index i = 0; i < z.rows(); ++i) z(i, t) = normal();
  }
  Eigen::MatrixXd effect = shared_root_ * z;
  const DrawnGains directions = effect.transpose();
  return {std::move(effect), posterior_.prior().fold<draws_at_once>(directions), seed, first};
}

JointSampler::Deviations JointSampler::draw_deviations(Index query, const SharedDraws& shared) const {
  check_interrupt();
  const JointPrior& prior = posterior_.prior();
  const JointPosterior::QueryState& state = posterior_.state(query);
  const auto& pairs = prior.pairs_of(query);
  std::vector<RandomStream> random;
  random.reserve(draws_at_once);
  for (int t = 0; t < draws_at_once; ++t) random.push_back(stream_of(shared.seed, shared.first + t, query + 1));
  auto normal = normal_streams(random, std::make_index_sequence<draws_at_once>());
  Deviations out;
  out.own.resize(draws_at_once, length(pairs));
  for (int t = 0; t < draws_at_once; ++t)
    for (Index a = 0; a < out.own.cols(); ++a) out.own(t, a) = normal[t]();
  const QueryEffects<draws_at_once> drawn = prior.draw_query<draws_at_once>(query, normal);
  out.effect = prior.effects<draws_at_once>(query, shared.folded, drawn);
  const Index n = state.l.cols();
  if (n == 0) return out;
  Eigen::MatrixXd root(n, n), missed(n, draws_at_once);
  for (Index a = 0; a < n; ++a) {
    const Index place = state.place[a];
    const Index pair = pairs[place];
    root.row(a) = state.l.row(place);
    missed.row(a) =
        prior.query_effect<draws_at_once>(pair, drawn) + std::sqrt(prior.residual_variance(pair)) * out.own.col(place);
  }
  root.triangularView<Eigen::Lower>().solveInPlace(missed);
  missed += state.w * shared.effect;
  out.effect.noalias() -= missed.transpose() * state.l.transpose();
  for (Index place : state.place) out.effect.col(place).setZero();
  return out;
}

DrawnGains JointSampler::draw_normal(Index query, const SharedDraws& shared) const {
  Deviations drawn = draw_deviations(query, shared);
  const auto& pairs = posterior_.prior().pairs_of(query);
  for (Index a = 0; a < length(pairs); ++a) {
    const Index i = pairs[a];
    drawn.effect.col(a).array() += posterior_.mean()[i];
    if (!posterior_.known(i))
      drawn.effect.col(a) += std::sqrt(posterior_.prior().residual_variance(i)) * drawn.own.col(a);
  }
  return std::move(drawn.effect);
}

JointSampler::LevelMap JointSampler::level_map(Index query) const {
  const auto& pairs = posterior_.prior().pairs_of(query);
  LevelMap out;
  out.effect = out.residual = Eigen::VectorXd::Zero(length(pairs));
  out.cut = Eigen::MatrixXd::Zero(length(family_->cuts()), length(pairs));
  for (Index a = 0; a < length(pairs); ++a) {
    const Index i = pairs[a];
    if (posterior_.known(i)) continue;
    const double effects = std::max(posterior_.variance()[i] - posterior_.prior().residual_variance(i), 0.0);
    const double loading = family_->normal_cuts(family_->location(posterior_.mean()[i]), out.cut.col(a).data());
    const double share = std::min(effects / (loading * loading), largest_share);
    out.effect[a] = effects > 0 ? std::sqrt(share / effects) : 0;
    out.residual[a] = std::sqrt(1 - share);
  }
  return out;
}

DrawnLevels JointSampler::draw_levels(Index query, const LevelMap& map, const SharedDraws& shared) const {
  const Deviations drawn = draw_deviations(query, shared);
  const auto& pairs = posterior_.prior().pairs_of(query);
  const Index cuts = map.cut.rows();
  // If there are at most this many cuts, comparing with each of them is faster than a binary search.
  constexpr Index few = 8;
  DrawnLevels out(draws_at_once, length(pairs));
  for (Index a = 0; a < length(pairs); ++a) {
    if (posterior_.known(pairs[a])) {
      out.col(a).setConstant(-1);
      continue;
    }
    const double* cut = map.cut.col(a).data();
    const Eigen::Array<double, draws_at_once, 1> z =
        map.effect[a] * drawn.effect.col(a) + map.residual[a] * drawn.own.col(a);
    if (cuts <= few) {
      std::int32_t* level = out.col(a).data();
      for (int t = 0; t < draws_at_once; ++t) level[t] = 0;
      for (Index j = 0; j < cuts; ++j)
        for (int t = 0; t < draws_at_once; ++t) level[t] += z[t] > cut[j];
    } else {
      count_below(cut, cuts, z, out.col(a).data());
    }
  }
  return out;
}

}  // namespace judicious
