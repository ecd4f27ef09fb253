#include "belief/joint_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "execution/parallel.hpp"

namespace judicious {

JointScores::JointScores(const JointSampler& sampler, ScorePlan plan)
    : sampler_(sampler),
      plan_(std::move(plan)),
      kernel_(plan_.measure),
      levels_by_gain_(plan_.measure.gain.size()),
      facts_(draws_at_once) {
  std::iota(levels_by_gain_.begin(), levels_by_gain_.end(), 0);
  std::stable_sort(levels_by_gain_.begin(), levels_by_gain_.end(),
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
    // Ranks without a document are closed up, as in trec_eval, which counts only retrieved documents.
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

// Sets the facts about a query in a draw. Level -1 marks a document of the pool that is not judged, which the
// collection represents by a negative gain; such documents do not count.
void JointScores::set_facts(Index query, const DrawnLevels& level, Index draw, QueryFacts& facts) {
  std::vector<std::int32_t> count(levels_by_gain_.size(), 0);
  for (Index a = 0; a < level.cols(); ++a)
    if (level(draw, a) >= 0) ++count[level(draw, a)];
  if (!plan_.outside.empty())
    for (const std::int32_t l : plan_.outside[query])
      if (l >= 0) ++count[l];
  judged_.level.clear();
  for (const std::int32_t l : levels_by_gain_) judged_.level.insert(judged_.level.end(), count[l], l);
  kernel_.set_facts(judged_, facts);
}

Eigen::MatrixXd JointScores::score(Index query, const std::vector<SystemList>& lists, const Gains& gains, Index n) {
  // Scores start at 0. This remains the score of a query for which the measure is not defined, and of a list without
  // results, unless the measure has a value for an empty list.
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(sampler_.posterior().prior().n_systems(), n);
  for (Index t = 0; t < n; ++t) {
    set_facts(query, gains.level, t, facts_[t]);
    if (kernel_.spec().unanswered == MeasureSpec::Unanswered::value) {
      const double value = kernel_.value({}, facts_[t]);
      if (!std::isnan(value)) out.col(t).setConstant(value);
    }
  }
  DrawnList drawn{{}, facts_.data(), static_cast<int>(n)};
  double value[draws_at_once];
  for (const SystemList& own : lists) {
    drawn.level.clear();
    for (const std::int32_t place : own.place) drawn.level.push_back(gains.level.col(place).data());
    kernel_.values(drawn, value);
    for (Index t = 0; t < n; ++t)
      if (!std::isnan(value[t])) out(own.system, t) = value[t];
  }
  return out;
}

void JointScores::add_to_approximation(Index query, const std::vector<SystemList>& lists, const Gains& gains,
                                       const Eigen::MatrixXd& value, Index first, Sums& sums) const {
  DrawnGains& at = sums.gains_by_rank[first / draws_at_once];
  for (const SystemList& own : lists)
    for (Index r = 0; r < std::min<Index>(plan_.depth, length(own.place)); ++r)
      at.col(own.system * plan_.depth + r) += weight_of(query) * gains.unit.col(own.place[r]);
  // A million lists suffice to estimate a few weights, so later draws do not enter the least squares.
  constexpr double enough = 1e6;
  const JointPrior& prior = sampler_.posterior().prior();
  if (first == 0 || static_cast<double>(first * prior.n_systems() * prior.pool().n_queries) < enough)
    add_to_least_squares(query, lists, gains, value, sums);
}

void JointScores::add_to_least_squares(Index query, const std::vector<SystemList>& lists, const Gains& gains,
                                       const Eigen::MatrixXd& value, Sums& sums) const {
  const Index n = value.cols(), depth = plan_.depth;
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(depth + 1, length(lists) * n);
  x.row(0).setOnes();
  Eigen::VectorXd y(x.cols());
  for (Index l = 0; l < length(lists); ++l) {
    const SystemList& own = lists[l];
    for (Index r = 0; r < std::min(depth, length(own.place)); ++r)
      for (Index t = 0; t < n; ++t) x(r + 1, l * n + t) = gains.unit(t, own.place[r]);
    for (Index t = 0; t < n; ++t) y[l * n + t] = value(own.system, t);
  }
  sums.cross.selfadjointView<Eigen::Lower>().rankUpdate(x, weight_of(query));
  sums.cross_score.noalias() += weight_of(query) * (x * y);
}

void JointScores::approximate(Sums& sums) const {
  ScoreDraws& out = sums.draws;
  const Eigen::MatrixXd cross = sums.cross.selfadjointView<Eigen::Lower>();
  out.weights = cross.completeOrthogonalDecomposition().solve(sums.cross_score);
  const auto count = static_cast<double>(sampler_.posterior().prior().pool().n_queries);
  const Eigen::VectorXd slopes = out.weights.tail(plan_.depth) / count;
  out.approximation.resize(out.score.rows(), out.score.cols());
  for (Index first = 0; first < out.score.cols(); first += draws_at_once) {
    const DrawnGains& at = sums.gains_by_rank[first / draws_at_once];
    const Index n = std::min<Index>(draws_at_once, out.score.cols() - first);
    for (Index s = 0; s < out.score.rows(); ++s)
      out.approximation.row(s).segment(first, n) =
          (at.middleCols(s * plan_.depth, plan_.depth) * slopes).head(n).transpose();
  }
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
    sums.unweighted.middleCols(first, n) += value;
    sums.square.selfadjointView<Eigen::Lower>().rankUpdate(value);
  }
  auto target = sums.draws.score.middleCols(first, n).array();
  if (plan_.total == Total::geometric) {
    target += weight_of(query) * value.array().max(1e-5).log();
  } else {
    target += weight_of(query) * value.array();
  }
}

JointScores::Sums JointScores::sum_queries(Index from, Index to, Index n,
                                           const std::vector<JointSampler::SharedDraws>& shared) {
  const Index n_systems = sampler_.posterior().prior().n_systems();
  Sums sums;
  sums.draws.score = sums.draws.linear = Eigen::MatrixXd::Zero(n_systems, n);
  if (plan_.between) {
    sums.unweighted = Eigen::MatrixXd::Zero(n_systems, n);
    sums.square = Eigen::MatrixXd::Zero(n_systems, n_systems);
  }
  if (plan_.approximate) {
    sums.gains_by_rank.assign(shared.size(), DrawnGains::Zero(draws_at_once, n_systems * plan_.depth));
    sums.cross = Eigen::MatrixXd::Zero(plan_.depth + 1, plan_.depth + 1);
    sums.cross_score = Eigen::VectorXd::Zero(plan_.depth + 1);
  }
  // Draws are computed query by query, so that the query's lists and cuts stay in the cache.
  for (Index q = from; q < to; ++q) {
    // Queries of other strata have no weight. The draws of a query do not depend on those of others.
    if (weight_of(q) == 0 && !plan_.between) continue;
    const std::vector<SystemList> lists = lists_of(q);
    const JointSampler::LevelMap map = sampler_.level_map(q);
    for (Index first = 0; first < n; first += draws_at_once) {
      const DrawnLevels drawn = sampler_.draw_levels(q, map, shared[first / draws_at_once]);
      add(q, lists, gains_of(q, drawn), first, std::min<Index>(draws_at_once, n - first), sums);
    }
  }
  return sums;
}

void JointScores::Sums::operator+=(const Sums& other) {
  draws.score += other.draws.score;
  draws.linear += other.draws.linear;
  unweighted += other.unweighted;
  square += other.square;
  cross += other.cross;
  cross_score += other.cross_score;
  for (Index b = 0; b < length(gains_by_rank); ++b) gains_by_rank[b] += other.gains_by_rank[b];
}

ScoreDraws JointScores::draw(Index n, int num_threads) const {
  const Index n_queries = sampler_.posterior().prior().pool().n_queries;
  std::vector<JointSampler::SharedDraws> shared;
  for (Index first = 0; first < n; first += draws_at_once) shared.push_back(sampler_.draw_shared(plan_.seed, first));
  // The number of parts is fixed, so that sums do not depend on the number of threads.
  constexpr Index parts = 2;
  std::vector<Sums> part(parts);
  parallel_for(parts, num_threads, [&](Index i) {
    // Each part has a copy of this object, because it needs separate working memory.
    JointScores own(*this);
    part[i] = own.sum_queries(i * n_queries / parts, (i + 1) * n_queries / parts, n, shared);
  });
  Sums& sums = part[0];
  for (Index i = 1; i < parts; ++i) sums += part[i];
  ScoreDraws& out = sums.draws;
  const auto count = static_cast<double>(n_queries);
  if (plan_.total != Total::sum) out.score /= count;
  if (plan_.total == Total::geometric) out.score = out.score.array().exp();
  if (plan_.approximate) approximate(sums);
  if (plan_.between) {
    const Eigen::MatrixXd square = sums.square.selfadjointView<Eigen::Lower>();
    out.between =
        (square - sums.unweighted * sums.unweighted.transpose() / count) / ((count - 1) * static_cast<double>(n));
  }
  return std::move(sums.draws);
}

}  // namespace judicious
