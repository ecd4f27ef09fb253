// Scores of drawn gains against the measures' definitions, computed from the same draws.
#include <algorithm>
#include <cmath>

#include "belief/joint_scores.hpp"
#include "catch.hpp"
#include "joint_case.hpp"

using namespace judicious;
using namespace joint_case;

namespace {

const std::vector<double> scale{0, 0.5, 1};

// A pool whose systems rank their documents in the order of the pairs, with gaps between the ranks. `rank` has the rank
// of each result.
struct Lists {
  Case c;
  std::vector<std::int32_t> rank;
};

Lists ranked_case(unsigned seed) {
  Lists out{random_case(seed, 4, 6, 3, 2), {}};
  for (double& m : out.c.par.mean) m = 0.2 + 0.6 * m;
  for (double& v : out.c.par.variance) v *= 0.1;
  // For the last query, system 0 keeps only documents that no other system retrieved.
  JointPool& pool = out.c.pool;
  Incidence kept;
  kept.n_systems = 3;
  kept.offset.push_back(0);
  std::vector<double> weight;
  std::vector<std::vector<std::int32_t>> next(4, std::vector<std::int32_t>(3, 0));
  const IncidenceView all = pool.incidence.view();
  for (std::size_t i = 0; i < all.n_pairs; ++i) {
    const auto q = static_cast<std::size_t>(pool.query[i]);
    for (const std::int32_t* s = all.begin(i); s != all.end(i); ++s) {
      if (q == 3 && *s == 0 && all.count(i) > 1) continue;
      kept.system.push_back(*s);
      weight.push_back(1);
      out.rank.push_back(next[q][static_cast<std::size_t>(*s)] += 2);
    }
    kept.offset.push_back(static_cast<std::int32_t>(kept.system.size()));
  }
  pool.incidence = kept;
  pool.weight = weight;
  return out;
}

ScorePlan plan_of(const Lists& lists, const MeasureSpec& measure) {
  ScorePlan plan;
  plan.measure = measure;
  plan.measure.gain = {0, 1, 2};
  plan.measure.relevant = {0, 1, 1};
  plan.rank = lists.rank;
  plan.level = {0, 1, 2};
  plan.known_level.assign(lists.c.pool.query.size(), -1);
  plan.seed = 17;
  return plan;
}

MeasureSpec spec_of(const char* name, int cutoff) {
  MeasureSpec spec;
  spec.name = name;
  spec.cutoff = cutoff;
  return spec;
}

// The levels of all pairs in draw `t` of the sampler. Pairs whose gain is known have the level in `known`.
std::vector<std::int32_t> levels_of(const JointSampler& sampler, std::uint64_t seed, std::uint64_t t,
                                    const std::vector<std::int32_t>& known) {
  std::vector<std::int32_t> out(known.size());
  const auto shared = sampler.draw_shared(seed, t / draws_at_once * draws_at_once);
  for (std::size_t q = 0; q < 4; ++q) {
    const DrawnLevels drawn = sampler.draw_levels(q, sampler.level_map(q), shared);
    Index a = 0;
    for (const std::int32_t i : sampler.posterior().prior().pairs_of(q)) {
      const std::int32_t level = drawn(static_cast<Index>(t % draws_at_once), a++);
      const auto at = static_cast<std::size_t>(i);
      out[at] = level < 0 ? known[at] : level;
    }
  }
  return out;
}

// Levels of a system's documents for a query in the order of their ranks.
std::vector<std::int32_t> list_of(const Lists& lists, std::size_t query, std::int32_t system,
                                  const std::vector<std::int32_t>& level) {
  std::vector<std::pair<std::int32_t, std::int32_t>> found;
  const IncidenceView at = lists.c.pool.incidence.view();
  for (std::size_t i = 0; i < at.n_pairs; ++i) {
    if (static_cast<std::size_t>(lists.c.pool.query[i]) != query) continue;
    for (auto r = static_cast<std::size_t>(at.offset[i]); r < static_cast<std::size_t>(at.offset[i + 1]); ++r) {
      if (at.system[r] == system) found.emplace_back(lists.rank[r], level[i]);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::int32_t> out;
  for (const auto& one : found) out.push_back(one.second);
  return out;
}

double precision_at(const std::vector<std::int32_t>& list, std::size_t k) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(k, list.size()); ++i) sum += list[i] > 0;
  return sum / static_cast<double>(k);
}

double dcg(const std::vector<std::int32_t>& list) {
  double sum = 0;
  for (std::size_t i = 0; i < list.size(); ++i) sum += list[i] / std::log2(static_cast<double>(i) + 2);
  return sum;
}

// The measure's values for all lists, systems by queries.
template <typename Measure>
Eigen::MatrixXd scores_of(const Lists& lists, const std::vector<std::int32_t>& level, Measure measure) {
  Eigen::MatrixXd out(3, 4);
  for (std::int32_t s = 0; s < 3; ++s) {
    for (std::size_t q = 0; q < 4; ++q) out(s, static_cast<Index>(q)) = measure(list_of(lists, q, s, level));
  }
  return out;
}

}  // namespace

TEST_CASE("drawn scores are the measure's values for the drawn gains, as mean, sum or product over queries") {
  const Lists lists = ranked_case(3);
  JointPosterior posterior(JointPrior(lists.c.pool, lists.c.par));
  std::vector<std::int32_t> known(lists.c.pool.query.size(), -1);
  for (const std::size_t pair : {std::size_t{2}, std::size_t{5}, std::size_t{8}}) {
    known[pair] = 2;
    posterior.judge(pair, 1);
  }
  const JointSampler sampler(posterior, scale);
  ScorePlan plan = plan_of(lists, spec_of("P", 3));
  plan.known_level = known;
  plan.between = true;
  JointScores mean(sampler, plan);
  plan.total = Total::sum;
  JointScores sum(sampler, plan);
  plan.total = Total::geometric;
  JointScores geometric(sampler, plan);
  plan.total = Total::mean;
  plan.measure = plan_of(lists, spec_of("DCG", no_cutoff)).measure;
  JointScores gained(sampler, plan);
  Eigen::MatrixXd between = Eigen::MatrixXd::Zero(3, 3);
  const int draws = 12;
  const ScoreDraws means = mean.draw(draws), sums = sum.draw(draws), products = geometric.draw(draws),
                   gains = gained.draw(draws);
  for (std::uint64_t t = 0; t < draws; ++t) {
    const auto level = levels_of(sampler, plan.seed, t, known);
    const Eigen::MatrixXd p = scores_of(lists, level, [](const auto& list) { return precision_at(list, 3); });
    const auto at = static_cast<Index>(t);
    const Eigen::VectorXd found = means.score.col(at), total = sums.score.col(at), product = products.score.col(at),
                          dcgs = gains.score.col(at);
    const Eigen::MatrixXd d = scores_of(lists, level, dcg);
    for (Index s = 0; s < 3; ++s) {
      CHECK(found[s] == Approx(p.row(s).mean()));
      CHECK(total[s] == Approx(p.row(s).sum()));
      double logs = 0;
      for (Index q = 0; q < 4; ++q) logs += std::log(std::max(p(s, q), 1e-5));
      CHECK(product[s] == Approx(std::exp(logs / 4)));
      CHECK(dcgs[s] == Approx(d.row(s).mean()));
      for (Index u = 0; u < 3; ++u) {
        double covariance = 0;
        for (Index q = 0; q < 4; ++q) covariance += (p(s, q) - p.row(s).mean()) * (p(u, q) - p.row(u).mean()) / 3;
        between(s, u) += covariance / draws;
      }
    }
  }
  CHECK((means.between - between).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("the first draws do not depend on the number of draws") {
  const Lists lists = ranked_case(4);
  const JointPosterior posterior(JointPrior(lists.c.pool, lists.c.par));
  const JointSampler sampler(posterior, scale);
  const ScorePlan plan = plan_of(lists, spec_of("DCG", 5));
  const Eigen::MatrixXd few = JointScores(sampler, plan).draw(3).score,
                        many = JointScores(sampler, plan).draw(20).score;
  CHECK(many.leftCols(3) == few);
  CHECK(few.col(0) != few.col(1));
}

TEST_CASE("drawn gains that the measure maps to negative values count as unjudged") {
  const Lists lists = ranked_case(5);
  const JointPosterior posterior(JointPrior(lists.c.pool, lists.c.par));
  const JointSampler sampler(posterior, scale);
  ScorePlan plan = plan_of(lists, spec_of("judged", 4));
  plan.level = {-1, 0, 1};
  const ScoreDraws scores = JointScores(sampler, plan).draw(5);
  const std::vector<std::int32_t> nothing(lists.c.pool.query.size(), -1);
  for (std::uint64_t t = 0; t < 5; ++t) {
    const auto level = levels_of(sampler, plan.seed, t, nothing);
    const Eigen::MatrixXd share = scores_of(lists, level, [](const auto& list) {
      const std::size_t n = std::min<std::size_t>(4, list.size());
      return n == 0 ? 0 : precision_at({list.begin(), list.begin() + static_cast<long>(n)}, n);
    });
    const Eigen::VectorXd found = scores.score.col(static_cast<Index>(t));
    for (Index s = 0; s < 3; ++s) CHECK(found[s] == Approx(share.row(s).mean()));
  }
}

TEST_CASE("the linear approximation of a measure is the least-squares fit on the gains by rank") {
  const Lists lists = ranked_case(6);
  const JointPosterior posterior(JointPrior(lists.c.pool, lists.c.par));
  const JointSampler sampler(posterior, scale);
  ScorePlan plan = plan_of(lists, spec_of("AP", no_cutoff));
  plan.approximate = true;
  plan.depth = 2;
  const ScoreDraws scores = JointScores(sampler, plan).draw(30);
  plan.measure = plan_of(lists, spec_of("DCG", 2)).measure;
  const ScoreDraws linear = JointScores(sampler, plan).draw(30);
  const std::vector<std::int32_t> nothing(lists.c.pool.query.size(), -1);
  std::vector<Eigen::Vector3d> row;
  std::vector<Eigen::MatrixXd> gain_at(30, Eigen::MatrixXd::Zero(3, 2));
  std::vector<double> value;
  for (std::uint64_t t = 0; t < 30; ++t) {
    const auto level = levels_of(sampler, plan.seed, t, nothing);
    for (std::size_t q = 0; q < 4; ++q) {
      double relevant = 0;
      for (std::size_t i = 0; i < level.size(); ++i)
        relevant += static_cast<std::size_t>(lists.c.pool.query[i]) == q && level[i] > 0;
      for (std::int32_t s = 0; s < 3; ++s) {
        const auto list = list_of(lists, q, s, level);
        if (list.empty()) continue;
        double found = 0, precision = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
          if (list[i] == 0) continue;
          ++found;
          precision += found / static_cast<double>(i + 1);
        }
        Eigen::Vector3d x(1, 0, 0);
        for (std::size_t i = 0; i < std::min<std::size_t>(2, list.size()); ++i)
          x[static_cast<Index>(i) + 1] = list[i] / 2.0;
        gain_at[t].row(s) += x.tail(2).transpose() / 4;
        row.push_back(x);
        value.push_back(relevant > 0 ? precision / relevant : 0);
      }
    }
  }
  const auto n = static_cast<Index>(row.size());
  Eigen::MatrixXd x(n, 3);
  for (Index i = 0; i < n; ++i) x.row(i) = row[static_cast<std::size_t>(i)].transpose();
  const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(value.data(), n);
  const Eigen::VectorXd expected = x.colPivHouseholderQr().solve(y);
  CHECK((scores.weights - expected).cwiseAbs().maxCoeff() < 1e-9);
  for (std::size_t t = 0; t < 30; ++t) {
    const Eigen::VectorXd found = scores.approximation.col(static_cast<Index>(t));
    CHECK((found - gain_at[t] * expected.tail(2)).cwiseAbs().maxCoeff() < 1e-9);
  }
  // DCG of two ranks is linear in the gains, which are twice the levels of `scale`, divided by 1 and log2(3).
  const Eigen::Vector3d exact(0, 2, 2 / std::log2(3.0));
  CHECK((linear.weights - exact).cwiseAbs().maxCoeff() < 1e-9);
}
