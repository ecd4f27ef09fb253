#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "belief/joint_draws.hpp"
#include "belief/joint_posterior.hpp"
#include "belief/joint_systems.hpp"
#include "catch.hpp"
#include "joint_case.hpp"
#include "stats/distributions.hpp"

using namespace judicious;
using namespace joint_case;
using Eigen::Index;

namespace {

Eigen::MatrixXd dense_weights(const Case& c) {
  const IncidenceView at = c.pool.incidence.view();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(static_cast<Index>(at.n_systems), static_cast<Index>(at.n_pairs));
  for (std::size_t i = 0; i < at.n_pairs; ++i) {
    for (auto r = static_cast<std::size_t>(at.offset[i]); r < static_cast<std::size_t>(at.offset[i + 1]); ++r) {
      out(at.system[r], static_cast<Index>(i)) = c.pool.weight[c.pool.weight.size() == 1 ? 0 : r];
    }
  }
  return out;
}

bool near(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return (a - b).cwiseAbs().maxCoeff() < 1e-9; }

}  // namespace

TEST_CASE("judging pairs one after another equals conditioning a dense normal distribution") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Case c = random_case(seed, 3, 7, 5, static_cast<int>(seed) + 1);
    Eigen::MatrixXd k = dense_covariance(c);
    const Eigen::MatrixXd a = dense_weights(c);
    Eigen::VectorXd m = Eigen::Map<const Eigen::VectorXd>(c.par.mean.data(), k.rows());
    JointPosterior posterior(JointPrior(c.pool, c.par));
    for (const std::size_t pair : {std::size_t{4}, std::size_t{7}, std::size_t{1}, std::size_t{20}, std::size_t{10}}) {
      CHECK(near(posterior.mean(), m));
      CHECK(near(posterior.variance(), k.diagonal()));
      CHECK(near(posterior.system_mean(), a * m));
      CHECK(near(posterior.system_covariance(), a * k * a.transpose()));
      CHECK(near(posterior.covariance_column(2), k.col(2)));
      const Eigen::MatrixXd directions = Eigen::MatrixXd::Random(3, 5);
      const Eigen::MatrixXd ak = directions * a * k;
      const Eigen::VectorXd reduction = posterior.variance_reduction(directions);
      for (Index i = 0; i < k.rows(); ++i) {
        const bool known = posterior.known(static_cast<std::size_t>(i));
        CHECK(reduction[i] == Approx(known ? 0 : ak.col(i).squaredNorm() / k(i, i)).margin(1e-9));
      }
      // The result must not depend on how many directions are processed together.
      for (const Index rows : {7, 9, 12}) {
        const Eigen::MatrixXd more = Eigen::MatrixXd::Random(rows, 5), by_pair = more * a * k;
        const Eigen::VectorXd taken = posterior.variance_reduction(more);
        for (Index i = 0; i < k.rows(); ++i) {
          const bool known = posterior.known(static_cast<std::size_t>(i));
          CHECK(taken[i] == Approx(known ? 0 : by_pair.col(i).squaredNorm() / k(i, i)).margin(1e-9));
        }
      }
      const std::vector<std::int32_t> some{20, 4, 9};
      const Eigen::VectorXd of_some = posterior.variance_reduction(directions, some);
      for (Index i = 0; i < 3; ++i) CHECK(of_some[i] == Approx(reduction[from(some, i)]).margin(1e-9));
      const double gain = 0.1 * static_cast<double>(pair % 10);
      const auto at = static_cast<Index>(pair);
      const Eigen::VectorXd column = k.col(at);
      m += column * (gain - m[at]) / column[at];
      k -= column * column.transpose() / column[at];
      posterior.judge(pair, gain);
    }
  }
}

TEST_CASE("conditioning on judgments in a batch equals conditioning on them one after another") {
  struct Setting {
    unsigned seed;
    int judgments;
    bool noisy, teams, precise;
  };
  // There are 2 + 2 * (5 + 2) shared effects, or fewer if some have no variance. The settings have fewer judgments than
  // that, or more, in some queries or in all.
  for (const Setting& at :
       {Setting{41, 3, false, true, false}, Setting{42, 12, true, true, false}, Setting{43, 24, false, true, false},
        Setting{44, 40, true, false, false}, Setting{45, 40, false, true, true}}) {
    CAPTURE(at.seed);
    Case c = random_case(at.seed, 4, 12, 5, 2);
    if (!at.teams) c.par.variance[term_team] = c.par.variance[term_system_popularity] = 0;
    // Given the shared effects, the gain of this pair is almost certain.
    if (at.precise) c.par.residual_scale[4] = c.par.scale[4] = 5e-4;
    std::vector<std::int32_t> judged;
    std::vector<double> gain, noise;
    for (int a = 0; a < at.judgments; ++a) {
      judged.push_back((5 * a + 4) % 48);
      gain.push_back(0.1 * (7 * a % 11));
      noise.push_back(at.noisy ? 0.02 * (a % 3) : 0);
    }
    // The first pair gets a second judgment.
    if (at.noisy) {
      noise[0] = 0.1;
      judged.push_back(4);
      gain.push_back(0.9);
      noise.push_back(0.05);
    }
    JointPosterior together(JointPrior(c.pool, c.par), judged, gain, noise), one(JointPrior(c.pool, c.par));
    const JointPosterior threaded(JointPrior(c.pool, c.par), judged, gain, noise, 2);
    CHECK(threaded.mean() == together.mean());
    CHECK(threaded.system_covariance() == together.system_covariance());
    JointPosterior settled = one;
    for (JointPosterior* posterior : {&one, &settled}) posterior->keep_pair_covariance();
    for (std::size_t a = 0; a < judged.size(); ++a) {
      const auto [mean, variance] = one.moments_of(judged[a]);
      CHECK(mean == Approx(settled.mean()[judged[a]]).margin(1e-12));
      CHECK(variance == Approx(settled.variance()[judged[a]]).margin(1e-12));
      for (JointPosterior* posterior : {&one, &settled}) posterior->judge(judged[a], gain[a], noise[a]);
      settled.settle();
    }
    CHECK(one.mean() == settled.mean());
    CHECK(one.variance() == settled.variance());
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(5, 5);
    CHECK(one.variance_reduction(identity) == settled.variance_reduction(identity));
    // Further judgments follow one by one.
    for (const std::size_t later : {std::size_t{0}, std::size_t{20}, std::size_t{45}}) {
      CHECK(near(together.mean(), one.mean()));
      CHECK(near(together.variance(), one.variance()));
      CHECK(near(together.system_mean(), one.system_mean()));
      CHECK(near(together.system_covariance(), one.system_covariance()));
      CHECK(near(together.shared_covariance(), one.shared_covariance()));
      CHECK(near(together.system_shared(), one.system_shared()));
      CHECK(near(together.between_queries(), one.between_queries()));
      for (std::size_t q = 0; q < 4; ++q) {
        CHECK(near(together.state(q).l * together.state(q).w, one.state(q).l * one.state(q).w));
        CHECK(together.state(q).place == one.state(q).place);
      }
      for (std::size_t i = 0; i < 48; ++i) {
        CHECK(together.known(i) == one.known(i));
        CHECK(near(together.covariance_column(i), one.covariance_column(i)));
      }
      if (one.known(later)) continue;
      together.judge(later, 0.3);
      one.judge(later, 0.3);
    }
  }
}

TEST_CASE("different exact judgments of one pair throw an error about the covariance") {
  const Case c = random_case(46, 3, 6, 4, 2);
  const auto twice = [&](double noise) {
    return JointPosterior(JointPrior(c.pool, c.par), {3, 3}, {0.2, 0.7}, {noise, noise});
  };
  CHECK_NOTHROW(twice(0.1));
  CHECK_THROWS_WITH(twice(0), StartsWith("The covariance of 2 judged gains of a query cannot be factorised"));
}

// Given the shared effects, the gain of the pair that is judged first is almost certain, so that the update of the
// query's block divides by a number near 0.
TEST_CASE("covariances of systems keep their precision when pairs with almost no residual variance are judged") {
  Case c = random_case(13, 3, 7, 5, 2);
  c.par.residual_scale[4] = c.par.scale[4] = 1e-5;
  c.pool.popularity[4] = 20;
  const Eigen::MatrixXd a = dense_weights(c);
  using Precise = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  Precise k = dense_covariance(c).cast<long double>();
  JointPosterior posterior(JointPrior(c.pool, c.par));
  const double most = posterior.system_covariance().diagonal().maxCoeff();
  std::vector<Index> order(static_cast<std::size_t>(k.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[0], order[4]);
  for (const Index at : order) {
    posterior.judge(static_cast<std::size_t>(at), 0.5);
    const Precise column = k.col(at);
    k -= column * column.transpose() / column(at);
    const Eigen::MatrixXd systems = a * k.cast<double>() * a.transpose();
    CHECK((posterior.system_covariance() - systems).cwiseAbs().maxCoeff() < 1e-9 * most);
    CHECK((posterior.variance() - k.diagonal().cast<double>()).cwiseAbs().maxCoeff() < 1e-9 * most);
  }
}

TEST_CASE("means and covariances of systems equal those of weighted sums of gains") {
  for (const int per_query : {6, 30}) {
    for (const bool equal : {false, true}) {
      Case c = random_case(21, 3, per_query, 19, 4);
      if (equal) c.pool.weight = {0.3};
      const Eigen::MatrixXd k = dense_covariance(c), a = dense_weights(c);
      const JointPrior prior(c.pool, c.par);
      const SystemMoments moments = system_moments(prior, 2);
      CHECK(near(moments.mean, a * Eigen::Map<const Eigen::VectorXd>(c.par.mean.data(), k.rows())));
      CHECK(near(moments.covariance, a * k * a.transpose()));
      Eigen::MatrixXd design(k.rows(), prior.n_shared());
      for (Index i = 0; i < k.rows(); ++i) design.row(i) = prior.shared_row(static_cast<std::size_t>(i));
      CHECK(near(moments.shared, a * design * prior.shared_variance().asDiagonal()));
    }
  }
}

TEST_CASE("assume_judged() reduces variances as judge() does and leaves the means unchanged") {
  const Case c = random_case(12, 3, 6, 4, 2);
  JointPosterior judged(JointPrior(c.pool, c.par)), imagined(JointPrior(c.pool, c.par));
  const Eigen::VectorXd mean = imagined.mean(), system_mean = imagined.system_mean();
  for (const std::size_t pair : {std::size_t{2}, std::size_t{9}}) {
    judged.judge(pair, 0.3);
    imagined.assume_judged(pair);
  }
  CHECK(near(imagined.variance(), judged.variance()));
  CHECK(near(imagined.system_covariance(), judged.system_covariance()));
  CHECK(imagined.mean() == mean);
  CHECK(imagined.system_mean() == system_mean);
}

TEST_CASE("judgments with errors are noisy observations, and a pair can have several") {
  const Case c = random_case(31, 3, 6, 5, 2);
  Eigen::MatrixXd k = dense_covariance(c);
  const Eigen::MatrixXd a = dense_weights(c);
  Eigen::VectorXd m = Eigen::Map<const Eigen::VectorXd>(c.par.mean.data(), k.rows());
  const Eigen::MatrixXd directions = Eigen::MatrixXd::Identity(5, 5).topRows(2);
  for (const bool kept : {false, true}) {
    Eigen::MatrixXd covariance = k;
    Eigen::VectorXd mean = m;
    JointPosterior posterior(JointPrior(c.pool, c.par));
    if (kept) posterior.keep_pair_covariance();
    const std::vector<std::pair<std::size_t, double>> steps{{3, 0.1}, {8, 0}, {3, 0.02}, {4, 0.3}};
    for (const auto& [pair, noise] : steps) {
      const auto at = static_cast<Index>(pair);
      const Eigen::VectorXd column = covariance.col(at);
      const double total = column[at] + noise;
      CHECK(posterior.variance_reduction(directions, noise)[at] ==
            Approx((directions * a * column).squaredNorm() / total).margin(1e-9));
      mean += column * (0.7 - mean[at]) / total;
      covariance -= column * column.transpose() / total;
      posterior.judge(pair, 0.7, noise);
      CHECK(near(posterior.mean(), mean));
      CHECK(near(posterior.variance(), covariance.diagonal()));
      CHECK(near(posterior.system_covariance(), a * covariance * a.transpose()));
      CHECK(near(posterior.covariance_column(4), covariance.col(4)));
      CHECK(posterior.known(pair) == (noise == 0));
    }
    CHECK(posterior.variance_reduction(directions, 0.1)[8] == 0);
  }
}

TEST_CASE("a joint posterior does not depend on the number of threads, and its copies are independent") {
  // 21 systems are more than one batch, and not a multiple of its size.
  const Case c = random_case(3, 5, 40, 21, 4);
  JointPosterior one(JointPrior(c.pool, c.par), 1), two(JointPrior(c.pool, c.par), 2);
  const Eigen::MatrixXd k = dense_covariance(c), a = dense_weights(c);
  CHECK(near(one.system_covariance(), a * k * a.transpose()));
  CHECK(near(one.variance(), k.diagonal()));
  one.judge(11, 0.5);
  two.judge(11, 0.5);
  JointPosterior copy = two;
  copy.assume_judged(12);
  CHECK(copy.variance()[12] == 0);
  CHECK(copy.mean() == two.mean());
  const Eigen::MatrixXd directions = Eigen::MatrixXd::Random(9, 21);
  CHECK(one.mean() == two.mean());
  CHECK(one.variance() == two.variance());
  CHECK(one.system_covariance() == two.system_covariance());
  CHECK(one.variance_reduction(directions) == two.variance_reduction(directions));
}

TEST_CASE("the expected scatter of systems' scores between queries equals that of the dense posterior") {
  const Case c = random_case(8, 4, 6, 3, 2);
  const Eigen::MatrixXd a = dense_weights(c);
  Eigen::MatrixXd k = dense_covariance(c);
  Eigen::VectorXd m = Eigen::Map<const Eigen::VectorXd>(c.par.mean.data(), k.rows());
  JointPosterior posterior(JointPrior(c.pool, c.par));
  for (const std::size_t pair : {std::size_t{5}, std::size_t{9}}) {
    const auto at = static_cast<Index>(pair);
    const Eigen::VectorXd column = k.col(at);
    m += column * (0.7 - m[at]) / column[at];
    k -= column * column.transpose() / column[at];
    posterior.judge(pair, 0.7);
  }
  // The score of a query is its weighted sum of gains, times the number of queries.
  const double n = 4;
  Eigen::MatrixXd second = Eigen::MatrixXd::Zero(3, 3);
  const Eigen::VectorXd mean = a * m;
  for (int q = 0; q < 4; ++q) {
    Eigen::MatrixXd own = a;
    for (Index i = 0; i < k.rows(); ++i)
      if (from(c.pool.query, i) != q) own.col(i).setZero();
    const Eigen::MatrixXd centred = n * own - a;
    second += centred * (k + m * m.transpose()) * centred.transpose() / (n - 1);
  }
  CHECK(near(posterior.between_queries(), second));
}

TEST_CASE("normal draws have the posterior's means and covariances") {
  const Case c = random_case(5, 3, 7, 5, 2);
  JointPosterior posterior(JointPrior(c.pool, c.par));
  for (const std::size_t pair : {std::size_t{4}, std::size_t{7}, std::size_t{1}, std::size_t{13}})
    posterior.judge(pair, 0.1 * static_cast<double>(pair));
  const JointSampler sampler(posterior, {});
  const int draws = 20000;
  const auto n = static_cast<Index>(c.pool.query.size());
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(n);
  for (int first = 0; first < draws; first += draws_at_once) {
    const auto shared = sampler.draw_shared(3, static_cast<std::uint64_t>(first));
    Eigen::MatrixXd deviation(n, draws_at_once);
    for (std::size_t q = 0; q < 3; ++q) {
      const DrawnGains gain = sampler.draw_normal(q, shared);
      Index a = 0;
      for (const std::int32_t i : posterior.prior().pairs_of(q))
        deviation.row(i) = gain.col(a++).transpose().array() - posterior.mean()[i];
    }
    mean += deviation.rowwise().sum() / draws;
    sum += deviation * deviation.transpose() / draws;
  }
  for (Index i = 0; i < n; ++i) {
    const Eigen::VectorXd column = posterior.covariance_column(static_cast<std::size_t>(i));
    CHECK(std::abs(mean[i]) <= 4.5 * std::sqrt(posterior.variance()[i] / draws));
    for (Index j = 0; j <= i; ++j) {
      const double spread = posterior.variance()[i] * posterior.variance()[j] + column[j] * column[j];
      CHECK(std::abs(sum(i, j) - column[j]) <= 4.5 * std::sqrt(spread / draws));
    }
  }
}

namespace {

// P(X < h, Y < k) - P(X < h) P(Y < k) of standard normal variables with correlation rho, by the midpoint rule over X.
double both_below(double h, double k, double rho) {
  double out = 0;
  const double step = 2e-3;
  for (double x = -9; x < h; x += step) {
    const double width = std::min(step, h - x), at = x + width / 2;
    out += width * std::exp(-at * at / 2) / std::sqrt(2 * std::acos(-1.0)) *
           (normal_cdf((k - rho * at) / std::sqrt(1 - rho * rho)) - normal_cdf(k));
  }
  return out;
}

// The variance of the levels in the family's distribution with this mean.
double variance_on_scale(const LevelFamily& family, double mean) {
  const std::vector<double>& levels = family.levels();
  const double location = family.location(mean);
  double first = 0, second = 0;
  for (std::size_t j = 0; j < family.cuts().size(); ++j) {
    const double p = 1 / (1 + std::exp(family.cuts()[j] - location));
    first += (levels[j + 1] - levels[j]) * p;
    second += (levels[j + 1] * levels[j + 1] - levels[j] * levels[j]) * p;
  }
  return second - first * first;
}

}  // namespace

TEST_CASE("gain levels are drawn with the posterior means of gains and the distributions of the level family") {
  Case c = random_case(6, 4, 6, 5, 2);
  for (double& m : c.par.mean) m = 0.15 + 0.7 * m;
  for (double& v : c.par.variance) v *= 0.08;
  c.par.coefficient_variance *= 0.02;
  JointPosterior posterior(JointPrior(c.pool, c.par));
  posterior.judge(3, 0.5);
  const int draws = 20000;
  std::vector<double> fine;
  for (int l = 0; l <= 20; ++l) fine.push_back(l / 20.0);
  const std::vector<std::vector<double>> scales{{0, 1}, {0, 0.3, 1}, fine};
  for (const auto& levels : scales) {
    const JointSampler sampler(posterior, levels);
    const auto n = static_cast<Index>(c.pool.query.size());
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(n);
    for (int first = 0; first < draws; first += draws_at_once) {
      const auto shared = sampler.draw_shared(11, static_cast<std::uint64_t>(first));
      Eigen::MatrixXd gain(n, draws_at_once);
      for (std::size_t q = 0; q < 4; ++q) {
        const DrawnLevels level = sampler.draw_levels(q, sampler.level_map(q), shared);
        Index a = 0;
        for (const std::int32_t i : posterior.prior().pairs_of(q)) {
          for (int t = 0; t < draws_at_once; ++t) {
            const std::int32_t at = level(t, a);
            CHECK((at < 0) == posterior.known(static_cast<std::size_t>(i)));
            gain(i, t) = at < 0 ? 0.5 : levels[static_cast<std::size_t>(at)];
          }
          ++a;
        }
      }
      mean += gain.rowwise().sum() / draws;
      sum += gain * gain.transpose() / draws;
    }
    for (Index i = 0; i < n; ++i) {
      if (posterior.known(static_cast<std::size_t>(i))) continue;
      const double m = posterior.mean()[i];
      const double variance = sum(i, i) - mean[i] * mean[i];
      CHECK(std::abs(mean[i] - m) < 4.5 * std::sqrt(variance / draws));
      const LevelFamily& family = sampler.family();
      CHECK(variance == Approx(variance_on_scale(family, m)).epsilon(0.06));
      if (levels.size() == 2) CHECK(variance == Approx(m * (1 - m)).epsilon(0.05));
    }
  }
}

namespace {

// `n` pairs with the same mean, one per query. The largest possible variance of a gain with this mean is mean * (1 -
// mean); the pair's effects have a fifth of it, and its residual two fifths. The effects of any two pairs have the
// correlation `likeness`.
Case alike(double mean, double likeness, int n) {
  Case c = random_case(8, n, 1, 3, 2);
  const double bound = mean * (1 - mean);
  c.pool.x = Eigen::MatrixXd::Zero(n + 1, n);
  c.pool.x.row(0).setConstant(std::sqrt(likeness));
  c.pool.x.bottomRows(n).diagonal().setConstant(std::sqrt(1 - likeness));
  c.par.mean.assign(static_cast<std::size_t>(n), mean);
  c.par.slope.assign(static_cast<std::size_t>(n), 1);
  c.par.scale.assign(static_cast<std::size_t>(n), 1);
  c.par.residual_scale.assign(static_cast<std::size_t>(n), 1);
  c.par.coefficient_variance = Eigen::VectorXd::Constant(n + 1, 0.2 * bound);
  c.par.variance.fill(0);
  c.par.variance[term_residual] = 0.4 * bound;
  return c;
}

struct Estimate {
  double value, error;
};

// The covariance of two drawn levels divided by that of the normal gains, and its standard error.
Estimate kept_covariance(double mean, double likeness, const std::vector<double>& levels) {
  constexpr int n = 40, draws = 12000;
  const Case c = alike(mean, likeness, n);
  const JointPosterior posterior(JointPrior(c.pool, c.par));
  const double normal_covariance = posterior.covariance_column(0)[1];
  CHECK(normal_covariance == Approx(likeness * 0.2 * mean * (1 - mean)));
  const JointSampler sampler(posterior, levels);
  std::vector<JointSampler::LevelMap> map;
  for (std::size_t q = 0; q < n; ++q) map.push_back(sampler.level_map(q));
  double total = 0, squares = 0;
  for (int first = 0; first < draws; first += draws_at_once) {
    const auto shared = sampler.draw_shared(5, static_cast<std::uint64_t>(first));
    Eigen::Array<double, draws_at_once, 1> sum = Eigen::Array<double, draws_at_once, 1>::Zero(), own = sum;
    for (std::size_t q = 0; q < n; ++q) {
      const DrawnLevels level = sampler.draw_levels(q, map[q], shared);
      for (int t = 0; t < draws_at_once; ++t) {
        const double d = levels[static_cast<std::size_t>(level(t, 0))] - mean;
        sum[t] += d;
        own[t] += d * d;
      }
    }
    const Eigen::Array<double, draws_at_once, 1> product = (sum * sum - own) / (n * (n - 1)) / normal_covariance;
    total += product.sum() / draws;
    squares += product.square().sum() / draws;
  }
  return {total, std::sqrt((squares - total * total) / draws)};
}

}  // namespace

// The covariance of two levels whose normal variables have this correlation, as a sum over pairs of cuts.
double covariance_on_scale(const LevelFamily& family, double mean, double correlation) {
  const std::vector<double>& levels = family.levels();
  const double location = family.location(mean);
  double out = 0;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    for (std::size_t j = 0; j + 1 < levels.size(); ++j) {
      const auto below = [&](std::size_t at) {
        return normal_quantile(1 / (1 + std::exp(location - family.cuts()[at])));
      };
      out += (levels[i + 1] - levels[i]) * (levels[j + 1] - levels[j]) * both_below(below(i), below(j), correlation);
    }
  }
  return out;
}

TEST_CASE("drawn levels preserve small covariances of gains, and change large ones by the predicted factor") {
  std::vector<double> five;
  for (int l = 0; l <= 4; ++l) five.push_back(l / 4.0);
  for (const auto& levels : {std::vector<double>{0, 1}, std::vector<double>{0, 0.3, 1}, five}) {
    const LevelFamily family(levels);
    for (const double mean : {0.05, 0.3, 0.5, 0.9}) {
      const double effects = 0.2 * mean * (1 - mean);
      std::vector<double> cut(levels.size() - 1);
      const double loading = family.normal_cuts(family.location(mean), cut.data());
      const double share = std::min(effects / (loading * loading), 0.98);
      for (const double likeness : {0.25, 0.9}) {
        CAPTURE(levels.size(), mean, likeness);
        const double expected = covariance_on_scale(family, mean, likeness * share) / (likeness * effects);
        const Estimate kept = kept_covariance(mean, likeness, levels);
        CHECK(kept.error < 0.12);
        CHECK(std::abs(kept.value - expected) < 4.5 * kept.error);
      }
      if (share < 0.98) CHECK(covariance_on_scale(family, mean, 0.01 * share) == Approx(0.01 * effects).epsilon(0.02));
    }
  }
}
