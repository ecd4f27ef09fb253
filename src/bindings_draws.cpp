#include "belief/joint_scores.hpp"
#include "measure/expected_ap.hpp"
#include "r_joint.h"
#include "r_measure.h"

using namespace judicious;

namespace {

constexpr Named<Total> totals[] = {{"mean", Total::mean}, {"geometric", Total::geometric}, {"sum", Total::sum}};

}  // namespace

// Gains from 0 to 1 of the pairs of `queries`, query by query: pairs by draws. Without `levels`,
// draws are normal.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix joint_simulate_cpp(SEXP posterior, std::vector<double> levels, Rcpp::IntegerVector queries,
                                       int draws, double seed) {
  const PosteriorPointer p(posterior);
  const JointSampler sampler(*p, levels);
  const std::vector<std::int32_t> wanted = from_r_index(queries);
  std::vector<std::int32_t> pairs;
  for (const std::int32_t q : wanted) {
    const auto& own = p->prior().pairs_of(q);
    pairs.insert(pairs.end(), own.begin(), own.end());
  }
  Rcpp::NumericMatrix out(static_cast<int>(pairs.size()), draws);
  std::vector<double> gain(pairs.size());
  std::vector<std::int32_t> level;
  for (int draw = 0; draw < draws; ++draw) {
    RandomStream random(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(draw));
    NormalStream normal(random);
    if (levels.empty()) {
      sampler.draw_normal(wanted, normal, gain);
    } else {
      sampler.draw_levels(wanted, normal, level);
      for (std::size_t a = 0; a < pairs.size(); ++a) gain[a] = level[a] < 0 ? p->mean()[pairs[a]] : levels[level[a]];
    }
    std::copy(gain.begin(), gain.end(), out.begin() + index(draw) * out.nrow());
  }
  return out;
}

// `plan`: `levels` (of the scale, from 0 to 1), `level` and `known` (positions in the measure's
// tables, from 1; 0 outside), `rank` per result, `depth`, `total`, `between`, `approximate`,
// `seed`, `query_weight` (empty if the weights are equal), `outside` (per query, the positions of the
// levels of the judged documents that are not in the pool).
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
  const bool between = to.between, approximate = to.approximate;
  const int depth = to.depth;
  JointScores scores(sampler, std::move(to));
  const auto n_systems = static_cast<int>(p->prior().n_systems());
  Rcpp::NumericMatrix out(n_systems, draws), linear(n_systems, draws);
  Rcpp::NumericVector gain_at(approximate ? index(n_systems) * depth * draws : 0);
  auto next = gain_at.begin();
  for (int draw = 0; draw < draws; ++draw) {
    const ScoreDraw one = scores.draw(static_cast<std::uint64_t>(draw));
    std::copy(one.score.data(), one.score.data() + n_systems, &out(0, draw));
    std::copy(one.linear.data(), one.linear.data() + n_systems, &linear(0, draw));
    next = std::copy(one.gain_at.data(), one.gain_at.data() + one.gain_at.size(), next);
  }
  if (approximate) gain_at.attr("dim") = Rcpp::IntegerVector::create(n_systems, depth, draws);
  return Rcpp::List::create(Rcpp::_["score"] = out, Rcpp::_["linear"] = linear, Rcpp::_["gain_at"] = gain_at,
                            Rcpp::_["weights"] = approximate ? scores.linear_weights() : Eigen::VectorXd(),
                            Rcpp::_["between"] = between ? scores.between() : Eigen::MatrixXd());
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
