#include "belief/joint_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace judicious {

JointScores::JointScores(const JointSampler& sampler, ScorePlan plan)
    : sampler_(sampler), plan_(std::move(plan)), kernel_(plan_.measure), by_gain_(plan_.measure.gain.size()) {
  std::iota(by_gain_.begin(), by_gain_.end(), 0);
  std::stable_sort(by_gain_.begin(), by_gain_.end(),
                   [&](std::int32_t a, std::int32_t b) { return plan_.measure.gain[a] > plan_.measure.gain[b]; });
}

std::vector<JointScores::SystemList> JointScores::lists_of(Index query) const {
  const JointPrior& prior = sampler_.posterior().prior();
  const Incidence& incidence = prior.pool().incidence;
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> of_system(prior.n_systems());  // rank, place
  for (const std::int32_t pair : prior.pairs_of(query)) {
    const Index i = pair;
    for (std::int32_t r = incidence.offset[i]; r < incidence.offset[i + 1]; ++r)
      of_system[incidence.system[r]].emplace_back(plan_.rank[r], static_cast<std::int32_t>(prior.place(i)));
  }
  std::vector<SystemList> out;
  for (Index s = 0; s < length(of_system); ++s) {
    if (of_system[s].empty()) continue;
    std::sort(of_system[s].begin(), of_system[s].end());
    SystemList list{static_cast<std::int32_t>(s), {}};
    // Ranks without a document are skipped, because trec_eval counts retrieved documents.
    for (const auto& entry : of_system[s]) list.place.push_back(entry.second);
    out.push_back(std::move(list));
  }
  return out;
}

JointScores::Gains JointScores::gains_of(Index query, const DrawnLevels& drawn) const {
  const JointPosterior& posterior = sampler_.posterior();
  const auto& pairs = posterior.prior().pairs_of(query);
  Gains out{DrawnLevels(draws_at_once, drawn.cols()), DrawnGains(draws_at_once, drawn.cols())};
  for (Index a = 0; a < drawn.cols(); ++a) {
    if (posterior.known(pairs[a])) {
      out.level.col(a).setConstant(plan_.known_level[pairs[a]]);
      out.unit.col(a).setConstant(posterior.mean()[pairs[a]]);
      continue;
    }
    for (int t = 0; t < draws_at_once; ++t) {
      out.level(t, a) = plan_.level[drawn(t, a)];
      out.unit(t, a) = sampler_.levels()[drawn(t, a)];
    }
  }
  return out;
}

// Negative gains are not in the measure's tables: the document is in the pool but not judged.
QueryFacts JointScores::facts_of(Index query, const DrawnLevels& level, Index draw) {
  std::vector<std::int32_t> count(by_gain_.size(), 0);
  for (Index a = 0; a < level.cols(); ++a)
    if (level(draw, a) >= 0) ++count[level(draw, a)];
  if (!plan_.outside.empty())
    for (const std::int32_t l : plan_.outside[query])
      if (l >= 0) ++count[l];
  judged_.level.clear();
  for (const std::int32_t l : by_gain_) judged_.level.insert(judged_.level.end(), count[l], l);
  return kernel_.facts(judged_);
}

Eigen::MatrixXd JointScores::score(Index query, const std::vector<SystemList>& lists, const Gains& gains, Index n) {
  // A query for which the measure is not defined scores 0, as does one without results, unless the measure has a value
  // for an empty list.
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(sampler_.posterior().prior().n_systems(), n);
  for (Index t = 0; t < n; ++t) {
    const QueryFacts facts = facts_of(query, gains.level, t);
    if (kernel_.spec().unanswered == MeasureSpec::Unanswered::value) {
      const double value = kernel_.value({}, facts);
      if (!std::isnan(value)) out.col(t).setConstant(value);
    }
    for (const SystemList& own : lists) {
      list_.retrieved = static_cast<std::int32_t>(own.place.size());
      for (auto rank = static_cast<std::int32_t>(list_.item.size()); rank < list_.retrieved; ++rank)
        list_.item.push_back({rank + 1, 0, rank + 1, rank + 1});
      list_.item.resize(own.place.size());
      for (std::size_t r = 0; r < own.place.size(); ++r) list_.item[r].level = gains.level(t, own.place[r]);
      const double value = kernel_.value(list_, facts);
      if (!std::isnan(value)) out(own.system, t) = value;
    }
  }
  return out;
}

void JointScores::add_to_approximation(Index query, const std::vector<SystemList>& lists, const Gains& gains,
                                       const Eigen::MatrixXd& value, Index first, Sums& sums) const {
  const double weight = weight_of(query);
  const Index n = value.cols(), depth = plan_.depth, n_systems = value.rows();
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(depth + 1, length(lists) * n);
  x.row(0).setOnes();
  Eigen::VectorXd y(x.cols());
  for (Index l = 0; l < length(lists); ++l) {
    const SystemList& own = lists[l];
    const Index end = std::min(depth, length(own.place));
    for (Index r = 0; r < end; ++r)
      for (Index t = 0; t < n; ++t) x(r + 1, l * n + t) = gains.unit(t, own.place[r]);
    for (Index t = 0; t < n; ++t) {
      y[l * n + t] = value(own.system, t);
      double* at = sums.draws.gain_at.data() + (first + t) * n_systems * depth + own.system;
      for (Index r = 0; r < end; ++r) at[r * n_systems] += weight * x(r + 1, l * n + t);
    }
  }
  sums.cross.selfadjointView<Eigen::Lower>().rankUpdate(x, weight);
  sums.cross_score.noalias() += weight * (x * y);
}

void JointScores::add(Index query, const std::vector<SystemList>& lists, const Gains& gains, Index first, Index n,
                      Sums& sums) {
  const JointPrior& prior = sampler_.posterior().prior();
  const auto& pairs = prior.pairs_of(query);
  DrawnGains linear = DrawnGains::Zero(draws_at_once, prior.n_systems());
  for (Index a = 0; a < length(pairs); ++a)
    prior.each_result(pairs[a], [&](std::int32_t s, double w) { linear.col(s) += w * gains.unit.col(a); });
  sums.draws.linear.middleCols(first, n) += linear.topRows(n).transpose();
  const Eigen::MatrixXd value = score(query, lists, gains, n);
  if (plan_.approximate) add_to_approximation(query, lists, gains, value, first, sums);
  if (plan_.between) {
    sums.plain.middleCols(first, n) += value;
    sums.square.selfadjointView<Eigen::Lower>().rankUpdate(value);
  }
  auto target = sums.draws.score.middleCols(first, n).array();
  if (plan_.total == Total::geometric) {
    target += weight_of(query) * value.array().max(1e-5).log();
  } else {
    target += weight_of(query) * value.array();
  }
}

ScoreDraws JointScores::draw(Index n) {
  const JointPrior& prior = sampler_.posterior().prior();
  const Index n_systems = prior.n_systems(), n_queries = prior.pool().n_queries;
  Sums sums;
  ScoreDraws& out = sums.draws;
  out.score = out.linear = Eigen::MatrixXd::Zero(n_systems, n);
  if (plan_.between) {
    sums.plain = Eigen::MatrixXd::Zero(n_systems, n);
    sums.square = Eigen::MatrixXd::Zero(n_systems, n_systems);
  }
  if (plan_.approximate) {
    out.gain_at.assign(n_systems * plan_.depth * n, 0);
    sums.cross = Eigen::MatrixXd::Zero(plan_.depth + 1, plan_.depth + 1);
    sums.cross_score = Eigen::VectorXd::Zero(plan_.depth + 1);
  }
  // Query by query, whose lists and cuts are then near for all draws.
  std::vector<JointSampler::SharedDraws> shared;
  for (Index first = 0; first < n; first += draws_at_once) shared.push_back(sampler_.draw_shared(plan_.seed, first));
  for (Index q = 0; q < n_queries; ++q) {
    const std::vector<SystemList> lists = lists_of(q);
    const JointSampler::LevelMap map = sampler_.level_map(q);
    for (Index first = 0; first < n; first += draws_at_once) {
      const DrawnLevels drawn = sampler_.draw_levels(q, map, shared[first / draws_at_once]);
      add(q, lists, gains_of(q, drawn), first, std::min<Index>(draws_at_once, n - first), sums);
    }
  }
  const auto count = static_cast<double>(n_queries);
  if (plan_.total != Total::sum) out.score /= count;
  if (plan_.total == Total::geometric) out.score = out.score.array().exp();
  if (plan_.approximate) {
    for (double& gain : out.gain_at) gain /= count;
    const Eigen::MatrixXd cross = sums.cross.selfadjointView<Eigen::Lower>();
    out.weights = cross.completeOrthogonalDecomposition().solve(sums.cross_score);
  }
  if (plan_.between) {
    const Eigen::MatrixXd square = sums.square.selfadjointView<Eigen::Lower>();
    out.between = (square - sums.plain * sums.plain.transpose() / count) / ((count - 1) * static_cast<double>(n));
  }
  return std::move(sums.draws);
}

}  // namespace judicious
