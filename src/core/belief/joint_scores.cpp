#include "belief/joint_scores.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace judicious {

JointScores::JointScores(const JointSampler& sampler, ScorePlan plan)
    : sampler_(sampler), plan_(std::move(plan)), kernel_(plan_.measure) {
  const JointPrior& prior = sampler_.posterior().prior();
  const JointPool& pool = prior.pool();
  lists_.resize(pool.n_queries);
  queries_.resize(pool.n_queries);
  std::iota(queries_.begin(), queries_.end(), 0);
  for (Index q = 0; q < length(lists_); ++q) {
    std::vector<SystemList> of_system(prior.n_systems());
    for (const std::int32_t pair : prior.pairs_of(q)) {
      const Index i = pair;
      for (std::int32_t r = pool.incidence.offset[i]; r < pool.incidence.offset[i + 1]; ++r) {
        of_system[pool.incidence.system[r]].entry.push_back({static_cast<std::int32_t>(prior.place(i)), plan_.rank[r]});
      }
    }
    for (Index s = 0; s < length(of_system); ++s) {
      if (of_system[s].entry.empty()) continue;
      std::sort(of_system[s].entry.begin(), of_system[s].entry.end(),
                [](const ListEntry& a, const ListEntry& b) { return a.rank < b.rank; });
      // Ranks without a document are skipped, because trec_eval counts retrieved documents.
      std::int32_t rank = 0;
      for (ListEntry& entry : of_system[s].entry) entry.rank = ++rank;
      of_system[s].system = static_cast<std::int32_t>(s);
      lists_[q].push_back(std::move(of_system[s]));
    }
  }
  const Index s = prior.n_systems();
  if (plan_.between) between_ = Eigen::MatrixXd::Zero(s, s);
  const Index terms = plan_.depth + 1;
  cross_ = Eigen::MatrixXd::Zero(terms, terms);
  cross_score_ = Eigen::VectorXd::Zero(terms);
}

void JointScores::add_to_approximation(const SystemList& list, double value, double weight, Eigen::MatrixXd& gain_at) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(cross_score_.size());
  x[0] = 1;
  for (const ListEntry& entry : list.entry) {
    if (entry.rank > plan_.depth) break;
    x[entry.rank] = drawn_[entry.place];
  }
  gain_at.row(list.system) += weight * x.tail(plan_.depth).transpose();
  cross_.selfadjointView<Eigen::Lower>().rankUpdate(x, weight);
  cross_score_ += weight * value * x;
}

Eigen::VectorXd JointScores::linear_weights() const {
  const Eigen::MatrixXd cross = cross_.selfadjointView<Eigen::Lower>();
  return cross.completeOrthogonalDecomposition().solve(cross_score_);
}

Eigen::VectorXd JointScores::total_of(const Eigen::MatrixXd& score) const {
  if (plan_.query_weight.size() > 0) return weighted_total_of(score);
  switch (plan_.total) {
    case Total::sum:
      return score.rowwise().sum();
    case Total::geometric:
      return score.array().max(1e-5).log().rowwise().mean().exp();
    case Total::mean:
      break;
  }
  return score.rowwise().mean();
}

Eigen::VectorXd JointScores::weighted_total_of(const Eigen::MatrixXd& score) const {
  const Eigen::VectorXd& weight = plan_.query_weight;
  const auto n = static_cast<double>(weight.size());
  if (plan_.total == Total::geometric) {
    const Eigen::MatrixXd logs = score.array().max(1e-5).log();
    return (logs * weight / n).array().exp();
  }
  return score * weight / (plan_.total == Total::sum ? 1 : n);
}

void JointScores::score_query(Index query, const std::vector<std::int32_t>& level, Eigen::MatrixXd& score,
                              Eigen::MatrixXd& gain_at) {
  // Negative gains are not in the measure's tables: the document is in the pool but not judged.
  judged_.level.clear();
  if (!plan_.outside.empty()) judged_.level = plan_.outside[query];
  std::copy_if(level.begin(), level.end(), std::back_inserter(judged_.level), [](std::int32_t l) { return l >= 0; });
  const QueryFacts facts = kernel_.facts(judged_);
  for (const SystemList& own : lists_[query]) {
    list_.item.clear();
    for (const ListEntry& entry : own.entry)
      list_.item.push_back({entry.rank, level[entry.place], entry.rank, entry.rank});
    list_.retrieved = static_cast<std::int32_t>(own.entry.size());
    double value = kernel_.value(list_, facts);
    if (std::isnan(value)) value = 0;
    score(own.system, query) = value;
    if (plan_.approximate) add_to_approximation(own, value, weight_of(query), gain_at);
  }
}

ScoreDraw JointScores::draw(std::uint64_t draw) {
  const JointPosterior& posterior = sampler_.posterior();
  const Index n_systems = posterior.prior().n_systems();
  const Index n_queries = length(lists_);
  RandomStream random(plan_.seed, draw);
  NormalStream normal(random);
  std::vector<std::int32_t> drawn;
  sampler_.draw_levels(queries_, normal, drawn);
  // A query without results scores 0, as does one for which the measure is not defined.
  Eigen::MatrixXd score = Eigen::MatrixXd::Zero(n_systems, n_queries);
  ScoreDraw out;
  out.linear = Eigen::VectorXd::Zero(n_systems);
  if (plan_.approximate) out.gain_at = Eigen::MatrixXd::Zero(n_systems, plan_.depth);
  std::vector<std::int32_t> level;
  Index at = 0;
  for (Index q = 0; q < length(lists_); ++q) {
    const auto& pairs = posterior.prior().pairs_of(q);
    level.resize(pairs.size());
    drawn_.resize(pairs.size());
    for (Index a = 0; a < length(pairs); ++a, ++at) {
      const bool known = drawn[at] < 0;
      level[a] = known ? plan_.known_level[pairs[a]] : plan_.level[drawn[at]];
      drawn_[a] = known ? posterior.mean()[pairs[a]] : sampler_.levels()[drawn[at]];
      posterior.prior().each_result(
          pairs[a], [&](std::int32_t system, double weight) { out.linear[system] += weight * drawn_[a]; });
    }
    score_query(q, level, score, out.gain_at);
  }
  ++n_draws_;
  if (plan_.between) {
    const Eigen::MatrixXd centred = score.colwise() - score.rowwise().mean();
    between_.noalias() += centred * centred.transpose() / static_cast<double>(n_queries - 1);
  }
  if (plan_.approximate) out.gain_at /= static_cast<double>(n_queries);
  out.score = total_of(score);
  return out;
}

}  // namespace judicious
