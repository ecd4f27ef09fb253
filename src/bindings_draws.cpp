#include "belief/joint_scores.hpp"
#include "measure/expected_ap.hpp"
#include "r_joint.h"
#include "r_measure.h"

using namespace judicious;

namespace {

constexpr Named<Total> totals[] = {{"mean", Total::mean}, {"geometric", Total::geometric}, {"sum", Total::sum}};

}  // namespace

// Draws the gains of the pairs of `queries`, query by query, in units in which the scale goes from 0 to 1: a matrix of
// pairs by draws. If `levels` is empty, the draws are normal; otherwise, they are levels.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix joint_simulate_cpp(SEXP posterior, std::vector<double> levels, Rcpp::IntegerVector queries,
                                       int draws, double seed) {
  const PosteriorPointer p(posterior);
  const JointSampler sampler(*p, levels);
  const std::vector<std::int32_t> wanted = from_r_index(queries);
  std::vector<Index> start{0};
  for (const std::int32_t q : wanted) start.push_back(start.back() + length(p->prior().pairs_of(q)));
  Rcpp::NumericMatrix out(static_cast<int>(start.back()), draws);
  Eigen::Map<Eigen::MatrixXd> gain(out.begin(), start.back(), draws);
  std::vector<JointSampler::SharedDraws> shared;
  for (int first = 0; first < draws; first += draws_at_once)
    shared.push_back(sampler.draw_shared(static_cast<std::uint64_t>(seed), first));
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    const std::int32_t q = wanted[at];
    const auto& pairs = p->prior().pairs_of(q);
    const auto map = levels.empty() ? JointSampler::LevelMap() : sampler.level_map(q);
    for (int first = 0; first < draws; first += draws_at_once) {
      const JointSampler::SharedDraws& effects = shared[first / draws_at_once];
      DrawnGains drawn(draws_at_once, length(pairs));
      if (levels.empty()) {
        drawn = sampler.draw_normal(q, effects);
      } else {
        const DrawnLevels level = sampler.draw_levels(q, map, effects);
        for (Index a = 0; a < level.cols(); ++a)
          for (int t = 0; t < draws_at_once; ++t)
            drawn(t, a) = level(t, a) < 0 ? p->mean()[pairs[a]] : levels[level(t, a)];
      }
      const int n = std::min(draws_at_once, draws - first);
      gain.block(start[at], first, drawn.cols(), n) = drawn.topRows(n).transpose();
    }
  }
  return out;
}

// Draws scores of systems. `plan` has `levels` (of the scale, from 0 to 1) and the elements of ScorePlan: `level`,
// `known` and `outside` are positions in the measure's tables from 1; `known` is 0 for a gain that is not in them.
// [[Rcpp::export(rng = false)]]
Rcpp::List joint_scores_cpp(SEXP posterior, Rcpp::List measure, Rcpp::List plan, int draws) {
  const PosteriorPointer p(posterior);
  const JointSampler sampler(*p, Rcpp::as<std::vector<double>>(plan["levels"]));
  ScorePlan to;
  to.measure = from_r_measure(measure);
  to.rank = Rcpp::as<std::vector<std::int32_t>>(plan["rank"]);
  to.level = from_r_index(plan["level"]);
  to.known_level = from_r_index(plan["known"]);
  const Rcpp::List outside = plan["outside"];
  for (R_xlen_t q = 0; q < outside.size(); ++q) to.outside.push_back(from_r_index(outside[q]));
  to.total = from_r_name(plan["total"], totals, "total over queries");
  to.between = Rcpp::as<bool>(plan["between"]);
  to.approximate = Rcpp::as<bool>(plan["approximate"]);
  to.depth = Rcpp::as<int>(plan["depth"]);
  to.query_weight = Rcpp::as<Eigen::VectorXd>(plan["query_weight"]);
  to.seed = static_cast<std::uint64_t>(Rcpp::as<double>(plan["seed"]));
  const ScoreDraws out = JointScores(sampler, std::move(to)).draw(draws, max_threads);
  return Rcpp::List::create(Rcpp::_["score"] = out.score, Rcpp::_["linear"] = out.linear,
                            Rcpp::_["approximation"] = out.approximation, Rcpp::_["weights"] = out.weights,
                            Rcpp::_["between"] = out.between);
}

// Average precision under independent relevance: `mean` and `variance`, queries by systems, and
// `covariance` of the systems, summed over queries with the squares of their weights. Documents
// below rank `cutoff` do not count. `outside`: the number of relevant documents of each query that
// are not in the pool.
// [[Rcpp::export(rng = false)]]
Rcpp::List expected_ap_cpp(Rcpp::List results, Rcpp::IntegerVector rank, int n_systems, Rcpp::IntegerVector query,
                           int n_queries, Rcpp::NumericVector probability, int cutoff, Rcpp::NumericVector query_weight,
                           Rcpp::IntegerVector outside) {
  const Incidence incidence = from_r_incidence(results, n_systems);
  struct Query {
    std::vector<double> probability;
    std::vector<std::vector<std::int32_t>> lists;
  };
  std::vector<Query> queries(n_queries);
  for (Query& one : queries) one.lists.resize(n_systems);
  std::size_t largest = 1, deepest = 0;
  for (R_xlen_t i = 0; i < query.size(); ++i) {
    Query& own = queries[query[i] - 1];
    const auto document = static_cast<std::int32_t>(own.probability.size());
    own.probability.push_back(probability[i]);
    largest = std::max(largest, own.probability.size());
    for (std::int32_t r = incidence.offset[i]; r < incidence.offset[i + 1]; ++r) {
      if (rank[r] > cutoff) continue;
      auto& list = own.lists[incidence.system[r]];
      const Index place = rank[r] - 1;
      if (length(list) <= place) list.resize(place + 1, -1);
      list[place] = document;
    }
  }
  for (const int more : outside) deepest = std::max(deepest, static_cast<std::size_t>(more));
  const ExpectedAp ap(largest + deepest);
  Eigen::MatrixXd mean(n_queries, n_systems), variance(n_queries, n_systems);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(n_systems, n_systems);
  for (int q = 0; q < n_queries; ++q) {
    const Query& own = queries[q];
    const ApMoments moments = ap.moments(own.probability, own.lists, outside[q]);
    mean.row(q) = moments.mean.transpose();
    variance.row(q) = moments.covariance.diagonal().transpose();
    covariance += query_weight[q] * query_weight[q] * moments.covariance;
  }
  return Rcpp::List::create(Rcpp::_["mean"] = mean, Rcpp::_["variance"] = variance, Rcpp::_["covariance"] = covariance);
}
