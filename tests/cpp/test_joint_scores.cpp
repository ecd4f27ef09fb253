// Scores of drawn gains against the measures' definitions, computed from the same draws.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "belief/joint_scores.hpp"
#include "joint_case.hpp"

using namespace judicious;
using namespace joint_case;

namespace {

const std::vector<double> scale{0, 0.5, 1};

// A pool whose systems rank what they retrieved in the order of the pairs, with gaps between the
// ranks, and the ranks of its results.
struct Lists {
  Case c;
  std::vector<std::int32_t> rank;
};

Lists ranked_case(unsigned seed) {
  Lists out{random_case(seed, 4, 6, 3, 2), {}};
  for (double& m : out.c.par.mean) m = 0.2 + 0.6 * m;
  for (double& v : out.c.par.variance) v *= 0.1;
  // One system answers nothing to the last query.
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

// Levels of all pairs in draw `t`, by the sampler itself; of pairs that are known, `known`.
std::vector<std::int32_t> levels_of(const JointSampler& sampler, std::uint64_t seed, std::uint64_t t,
                                    const std::vector<std::int32_t>& known) {
  const JointPosterior& posterior = sampler.posterior();
  RandomStream random(seed, t);
  NormalStream normal(random);
  std::vector<std::int32_t> drawn, queries, out(known.size());
  for (std::int32_t q = 0; q < 4; ++q) queries.push_back(q);
  sampler.draw_levels(queries, normal, drawn);
  std::size_t a = 0;
  for (std::size_t q = 0; q < 4; ++q) {
    for (const std::int32_t i : posterior.prior().pairs_of(q)) {
      const auto at = static_cast<std::size_t>(i);
      out[at] = drawn[a] < 0 ? known[at] : drawn[a];
      ++a;
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

// Systems by queries.
template <typename Measure>
Eigen::MatrixXd scores_of(const Lists& lists, const std::vector<std::int32_t>& level, Measure measure) {
  Eigen::MatrixXd out(3, 4);
  for (std::int32_t s = 0; s < 3; ++s) {
    for (std::size_t q = 0; q < 4; ++q) out(s, static_cast<Index>(q)) = measure(list_of(lists, q, s, level));
  }
  return out;
}

}  // namespace

TEST_CASE("drawn scores are the measure of the drawn gains, averaged, summed or multiplied") {
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
  for (std::uint64_t t = 0; t < draws; ++t) {
    const auto level = levels_of(sampler, plan.seed, t, known);
    const Eigen::MatrixXd p = scores_of(lists, level, [](const auto& list) { return precision_at(list, 3); });
    const Eigen::VectorXd found = mean.draw(t).score, total = sum.draw(t).score, product = geometric.draw(t).score,
                          dcgs = gained.draw(t).score;
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
  CHECK((mean.between() - between).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("a draw does not depend on those before it") {
  const Lists lists = ranked_case(4);
  const JointPosterior posterior(JointPrior(lists.c.pool, lists.c.par));
  const JointSampler sampler(posterior, scale);
  const ScorePlan plan = plan_of(lists, spec_of("DCG", 5));
  JointScores one(sampler, plan), other(sampler, plan);
  const Eigen::VectorXd first = one.draw(0).score, second = one.draw(1).score;
  CHECK(other.draw(1).score == second);
  CHECK(other.draw(0).score == first);
  CHECK(first != second);
}

TEST_CASE("gains that are negative on the measure's scale are in the pool but not judged") {
  const Lists lists = ranked_case(5);
  const JointPosterior posterior(JointPrior(lists.c.pool, lists.c.par));
  const JointSampler sampler(posterior, scale);
  ScorePlan plan = plan_of(lists, spec_of("judged", 4));
  plan.level = {-1, 0, 1};
  JointScores scores(sampler, plan);
  const std::vector<std::int32_t> nothing(lists.c.pool.query.size(), -1);
  for (std::uint64_t t = 0; t < 5; ++t) {
    const auto level = levels_of(sampler, plan.seed, t, nothing);
    const Eigen::MatrixXd share = scores_of(lists, level, [](const auto& list) {
      const std::size_t n = std::min<std::size_t>(4, list.size());
      return n == 0 ? 0 : precision_at({list.begin(), list.begin() + static_cast<long>(n)}, n);
    });
    const Eigen::VectorXd found = scores.draw(t).score;
    for (Index s = 0; s < 3; ++s) CHECK(found[s] == Approx(share.row(s).mean()));
  }
}

TEST_CASE("the linear approximation is least squares on the gains by rank") {
  const Lists lists = ranked_case(6);
  const JointPosterior posterior(JointPrior(lists.c.pool, lists.c.par));
  const JointSampler sampler(posterior, scale);
  ScorePlan plan = plan_of(lists, spec_of("AP", no_cutoff));
  plan.approximate = true;
  plan.depth = 2;
  JointScores scores(sampler, plan);
  plan.measure = plan_of(lists, spec_of("DCG", 2)).measure;
  JointScores linear(sampler, plan);
  const std::vector<std::int32_t> nothing(lists.c.pool.query.size(), -1);
  std::vector<Eigen::Vector3d> row;
  std::vector<double> value;
  for (std::uint64_t t = 0; t < 30; ++t) {
    const auto level = levels_of(sampler, plan.seed, t, nothing);
    const ScoreDraw draw = scores.draw(t);
    linear.draw(t);
    Eigen::MatrixXd gain_at = Eigen::MatrixXd::Zero(3, 2);
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
        gain_at.row(s) += x.tail(2).transpose() / 4;
        row.push_back(x);
        value.push_back(relevant > 0 ? precision / relevant : 0);
      }
    }
    CHECK((draw.gain_at - gain_at).cwiseAbs().maxCoeff() < 1e-12);
  }
  const auto n = static_cast<Index>(row.size());
  Eigen::MatrixXd x(n, 3);
  for (Index i = 0; i < n; ++i) x.row(i) = row[static_cast<std::size_t>(i)].transpose();
  const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(value.data(), n);
  const Eigen::VectorXd expected = x.colPivHouseholderQr().solve(y);
  CHECK((scores.linear_weights() - expected).cwiseAbs().maxCoeff() < 1e-9);
  // DCG of two ranks is linear: gains twice those of the scale, discounted by 1 and log2(3).
  const Eigen::Vector3d exact(0, 2, 2 / std::log2(3.0));
  CHECK((linear.linear_weights() - exact).cwiseAbs().maxCoeff() < 1e-9);
}
