// Tests the evaluation by blocks of rows, the bordered solver, Newton's method, aliasing, separation and bias reduction
// against slow, independent computations.
#include <Eigen/Dense>
#include <map>
#include <random>

#include "catch.hpp"
#include "logit_row.hpp"
#include "model_limits.hpp"
#include "ordinal/bias.hpp"
#include "ordinal/data.hpp"
#include "ordinal/fit.hpp"
#include "ordinal/likelihood.hpp"
#include "ordinal/logit.hpp"

using namespace judicious::ordinal;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

const LinkPointer logit = link_named("logit");

struct Sample {
  MatrixXd x;
  std::vector<std::int32_t> y;
  std::vector<double> weight, offset;
  int n_categories;
  PomInput input() const {
    return {Eigen::Map<const MatrixXd>(x.data(), x.rows(), x.cols()), y.data(),
            weight.empty() ? nullptr : weight.data(), offset.empty() ? nullptr : offset.data(), n_categories};
  }
};

Sample draw(std::mt19937_64& random, Index n, Index p, int n_categories, bool weights, bool offsets) {
  std::normal_distribution<double> normal;
  Sample s;
  s.n_categories = n_categories;
  s.x = MatrixXd::NullaryExpr(n, p, [&] { return normal(random); });
  for (Index i = 0; i < n; ++i) {
    s.y.push_back(i < n_categories ? static_cast<int>(i)
                                   : static_cast<int>(random() % static_cast<unsigned>(n_categories)));
    if (weights) s.weight.push_back(i < n_categories ? 1 : static_cast<double>(random() % 4) * 0.75);
    if (offsets) s.offset.push_back(normal(random));
  }
  return s;
}

// Value, gradient and minus the Hessian, summed row by row from logit_row() with dense matrices.
struct Slow {
  double value = 0;
  VectorXd gradient;
  MatrixXd information;
  Slow(const PomData& d, const VectorXd& at) {
    const Index m = d.n_thresholds(), p = d.n_slopes();
    gradient = VectorXd::Zero(m + p);
    information = MatrixXd::Zero(m + p, m + p);
    const double inf = std::numeric_limits<double>::infinity();
    for (Index j = 0; j <= m; ++j) {
      for (Index r = d.first[static_cast<std::size_t>(j)]; r < d.first[static_cast<std::size_t>(j) + 1]; ++r) {
        const auto i = static_cast<std::size_t>(r);
        const double w = d.weight.empty() ? 1 : d.weight[i];
        const double eta = d.x.row(r).dot(at.tail(p)) + (d.offset.empty() ? 0 : d.offset[i]);
        const LogitRow row = logit_row(j > 0 ? at[j - 1] - eta : -inf, j < m ? at[j] - eta : inf);
        VectorXd da = VectorXd::Zero(m + p), db = da;
        da.tail(p) = db.tail(p) = -d.x.row(r).transpose();
        if (j > 0) da[j - 1] = 1;
        if (j < m) db[j] = 1;
        value += w * row.log_prob;
        gradient += w * (row.score_a * da + row.score_b * db);
        information += w * (row.info_a * da * da.transpose() + row.info_b * db * db.transpose() +
                            row.info_gap * (da - db) * (da - db).transpose());
      }
    }
  }
};

}  // namespace

TEST_CASE("the blocked evaluation equals a sum over rows, with one thread and with three") {
  std::mt19937_64 random(2);
  struct Case {
    Index n, p;
    int categories;
    bool weights, offsets;
    double spread;
  };
  const std::vector<Case> cases = {{70, 4, 3, false, false, 1},   {64, 7, 2, true, false, 1},
                                   {129, 5, 40, false, true, 1},  {500, 1, 5, true, true, 1},
                                   {300, 0, 6, false, false, 1},  {200, 3, 150, true, true, 1},
                                   {9000, 2, 12, false, true, 1}, {400, 3, 4, true, true, 400}};
  for (const auto& c : cases) {
    const Sample s = draw(random, c.n, c.p, c.categories, c.weights, c.offsets);
    const PomData data = prepare_rows(s.input());
    VectorXd at = marginal_start(data.total, *logit, data.n_slopes());
    std::normal_distribution<double> normal;
    for (Index k = 0; k < data.n_slopes(); ++k) at[data.n_thresholds() + k] = c.spread * normal(random);
    const Slow slow(data, at);
    PomLikelihood one(data, *logit, 1), three(data, *logit, 3);
    INFO("n " << c.n << ", p " << c.p << ", categories " << c.categories);
    CHECK(one.evaluate(at) == Approx(slow.value).epsilon(1e-12));
    CHECK((one.gradient() - slow.gradient).norm() <= 1e-11 * (1 + slow.gradient.norm()));
    CHECK((one.information().dense() - slow.information).norm() <= 1e-12 * slow.information.norm());
    CHECK(three.evaluate(at) == one.evaluate(at));
    CHECK(three.gradient() == one.gradient());
    CHECK(three.information().dense() == one.information().dense());
  }
}

TEST_CASE("gradient and information are the derivatives of the log likelihood") {
  std::mt19937_64 random(3);
  const Sample s = draw(random, 300, 3, 6, true, true);
  const PomData data = prepare_rows(s.input());
  PomLikelihood f(data, *logit);
  VectorXd penalty = VectorXd::Constant(data.n_thresholds() + data.n_slopes(), 2.5);
  penalty.head(data.n_thresholds()).setZero();
  f.set_penalty(penalty);
  VectorXd at = marginal_start(data.total, *logit, data.n_slopes());
  at.tail(3) << 0.7, -0.4, 1.1;
  f.evaluate(at);
  const VectorXd gradient = f.gradient();
  const MatrixXd information = f.information().dense();
  const double h = 1e-5;
  for (Index k = 0; k < at.size(); ++k) {
    VectorXd up = at, down = at;
    up[k] += h;
    down[k] -= h;
    const double above = f.evaluate(up);
    const VectorXd gradient_above = f.gradient();
    CHECK((above - f.evaluate(down)) / (2 * h) == Approx(gradient[k]).epsilon(1e-6).margin(1e-6));
    const VectorXd difference = (gradient_above - f.gradient()) / (2 * h);
    CHECK((difference + information.col(k)).norm() < 1e-6 * information.norm());
  }
}

TEST_CASE("the inverse of a bordered matrix equals the dense inverse") {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(0.1, 2);
  for (const Index m : {1, 2, 9}) {
    for (const Index p : {0, 1, 4}) {
      BorderedMatrix a;
      a.resize(m, p);
      a.own = VectorXd::NullaryExpr(m, [&] { return uniform(random); });
      a.link = VectorXd::NullaryExpr(m - 1, [&] { return 1000 * uniform(random); });
      a.border = MatrixXd::NullaryExpr(m, p, [&] { return uniform(random) - 1; });
      a.slopes = MatrixXd::Identity(p, p) * (20 + static_cast<double>(m));
      BorderedSolver solver;
      REQUIRE(solver.factor(a));
      const MatrixXd inverse = a.dense().inverse();
      CHECK((solver.inverse() - inverse).norm() < 1e-10 * inverse.norm());
      CHECK((solver.threshold_variance() - inverse.diagonal().head(m)).norm() < 1e-10 * inverse.norm());
      CHECK((solver.slope_covariance() - inverse.bottomRightCorner(p, p)).norm() < 1e-10 * inverse.norm());
      VectorXd b = VectorXd::LinSpaced(m + p, -1, 2);
      const VectorXd want = inverse * b;
      solver.solve(b);
      CHECK((b - want).norm() < 1e-10 * want.norm());
    }
  }
}

TEST_CASE("estimates depend neither on the number of threads nor on whether a subsample supplies starting values") {
  std::mt19937_64 random(5);
  const Sample s = draw(random, 40000, 2, 4, false, false);
  PomOptions options;
  const PomResult one = fit_pom(s.input(), options);
  options.num_threads = 4;
  const PomResult four = fit_pom(s.input(), options);
  CHECK(one.newton.status == Status::converged);
  CHECK(one.newton.max_gradient < 1e-6);
  CHECK(one.theta == four.theta);
  CHECK(one.beta == four.beta);
  PomData data = prepare_rows(s.input());
  PomLikelihood f(data, *logit);
  VectorXd at = marginal_start(data.total, *logit, data.n_slopes());
  maximise(f, at, options.newton);
  CHECK((at.tail(2).cwiseQuotient(data.scale) - one.beta).norm() < 1e-10);
}

TEST_CASE("estimates maximise the likelihood of the rows as they were given, before centring and scaling") {
  std::mt19937_64 random(15);
  for (const bool weights : {false, true}) {
    for (const Index n : {Index{300}, Index{30000}}) {
      Sample s = draw(random, n, 2, 4, weights, true);
      s.x.col(0) = 3 * s.x.col(0).array() + 50;
      for (double& o : s.offset) o = o / 2 + 4;
      const PomResult fit = fit_pom(s.input(), {});
      const auto value = [&](const VectorXd& theta, const VectorXd& beta) {
        double sum = 0;
        for (Index i = 0; i < n; ++i) {
          const auto at = static_cast<std::size_t>(i);
          const double eta = s.x.row(i).dot(beta) + s.offset[at];
          const auto below = [&](int j) { return j < 0 ? 0 : j == 3 ? 1 : 1 / (1 + std::exp(eta - theta[j])); };
          const double weight = weights ? s.weight[at] : 1;
          if (weight > 0) sum += weight * std::log(below(s.y[at]) - below(s.y[at] - 1));
        }
        return sum;
      };
      const double most = value(fit.theta, fit.beta);
      CHECK(fit.log_likelihood == Approx(most).epsilon(1e-12));
      for (Index k = 0; k < 5; ++k) {
        for (const double step : {-0.02, 0.02}) {
          VectorXd theta = fit.theta, beta = fit.beta;
          if (k < 3)
            theta[k] += step;
          else
            beta[k - 3] += step;
          CHECK(value(theta, beta) < most);
        }
      }
    }
  }
}

TEST_CASE("constant and linearly dependent columns are reported as aliased, and badly scaled ones are kept") {
  std::mt19937_64 random(6);
  Sample s = draw(random, 200, 3, 3, false, false);
  s.x.conservativeResize(200, 8);
  s.x.col(3).setConstant(0.1);
  s.x.col(4) = s.x.col(0) + 2 * s.x.col(1);
  s.x.col(5) = 1e-8 * s.x.col(2).array().square();
  s.x.col(6) = 1e6 + s.x.col(2).array().cube();
  s.x.col(7) = s.x.col(2).array() + 1e-5 * s.x.col(1).array().square();
  const PomResult fit = fit_pom(s.input(), PomOptions{});
  CHECK(fit.aliased == std::vector<Index>{3, 4});
  CHECK(fit.newton.status == Status::converged);
  PomData data = prepare_rows(s.input());
  drop_explained_columns(data, 1e-7);
  CHECK(data.aliased == std::vector<Index>{3, 4});
}

TEST_CASE("a column is aliased only if it depends linearly on others in all rows of positive weight") {
  std::mt19937_64 random(8);
  for (const bool everywhere : {false, true}) {
    Sample s = draw(random, 150, 4, 3, true, false), counted;
    for (double& w : s.weight) w = std::round(w);
    for (Index i = 0; i < 150; ++i) {
      const bool counts = s.weight[static_cast<std::size_t>(i)] > 0;
      if (counts && (everywhere || i % 2 == 0)) s.x(i, 3) = 3 * s.x(i, 0) - s.x(i, 1);
    }
    // `counted` has every row as many times as its weight.
    counted.n_categories = 3;
    std::vector<Index> rows;
    for (Index i = 0; i < 150; ++i) {
      for (double w = s.weight[static_cast<std::size_t>(i)]; w > 0; --w) {
        rows.push_back(i);
        counted.y.push_back(s.y[static_cast<std::size_t>(i)]);
      }
    }
    counted.x.resize(static_cast<Index>(rows.size()), 4);
    for (std::size_t r = 0; r < rows.size(); ++r) counted.x.row(static_cast<Index>(r)) = s.x.row(rows[r]);
    const PomResult fit = fit_pom(s.input(), {}), same = fit_pom(counted.input(), {});
    CHECK(fit.aliased == (everywhere ? std::vector<Index>{3} : std::vector<Index>{}));
    CHECK(same.aliased == fit.aliased);
    REQUIRE(fit.beta.size() == same.beta.size());
    CHECK((fit.beta - same.beta).norm() < 1e-8);
    CHECK(fit.log_likelihood == Approx(same.log_likelihood).epsilon(1e-12));
  }
}

TEST_CASE("separated and touching levels are reported, and overlapping ones are not") {
  Sample s;
  s.n_categories = 3;
  s.x.resize(9, 2);
  s.x << 1, 5, 2, 1, 3, 3, 4, 2, 5, 8, 6, 1, 7, 4, 8, 6, 9, 2;
  s.y = {0, 0, 0, 1, 1, 1, 2, 2, 2};
  SeparationReport report = find_separation(prepare_rows(s.input()));
  CHECK(report.kind == Separation::complete);
  CHECK(report.slopes.size() == 2);
  // Rows on both sides of a threshold have equal columns: the levels touch but do not overlap.
  s.x(3, 0) = 3;
  s.x(3, 1) = 3;
  report = find_separation(prepare_rows(s.input()));
  CHECK(report.kind != Separation::none);
  // Random levels overlap. Levels that are cut from a linear predictor are separated.
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    Sample t = draw(random, 60, 2, 3, false, false);
    CHECK(find_separation(prepare_rows(t.input())).kind == Separation::none);
    for (Index i = 0; i < 60; ++i) {
      const double d = 2 * t.x(i, 0) - t.x(i, 1);
      t.y[static_cast<std::size_t>(i)] = d < -1 ? 0 : d < 1 ? 1 : 2;
    }
    CHECK(find_separation(prepare_rows(t.input())).kind == Separation::complete);
  }
}

TEST_CASE("quasi-complete separation names exactly the slopes that diverge") {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 10; ++trial) {
    Sample s = draw(random, 120, 3, 3, false, false);
    for (Index i = 0; i < 120; ++i) {
      s.x(i, 1) = i % 5 == 0 ? 1 : 0;
      if (i % 5 == 0) s.y[static_cast<std::size_t>(i)] = 2;
    }
    const PomData data = prepare_rows(s.input());
    const SeparationReport report = find_separation(data);
    CHECK(report.kind == Separation::quasi_complete);
    CHECK(report.slopes == std::vector<Index>{1});
    CHECK(report.thresholds.empty());
  }
}

TEST_CASE("the expected information is the mean of the observed information over all outcomes") {
  std::mt19937_64 random(9);
  Sample s = draw(random, 8, 2, 3, false, false);
  const PomData data = prepare_rows(s.input());
  VectorXd at = marginal_start(data.total, *logit, data.n_slopes());
  at.tail(2) << 0.5, -0.8;
  const VectorXd eta = data.x * at.tail(2);
  const MatrixXd prob = probabilities(*logit, at.head(2), eta);
  MatrixXd want = MatrixXd::Zero(4, 4);
  for (Index r = 0; r < 8; ++r) {
    for (Index j = 0; j < 3; ++j) {
      PomData single = data;
      single.x = data.x.row(r);
      single.first = {0, j > 0 ? 0 : 1, j > 1 ? 0 : 1, 1};
      want += prob(r, j) * Slow(single, at).information;
    }
  }
  const PlainParts parts = plain_parts(data);
  const CumulativeLinkModel model = parts.model(*logit, data.x);
  AdjustedScore score(model);
  REQUIRE(score.set_information(at));
  CHECK((score.information().dense() - want).norm() < 1e-12 * want.norm());
}

TEST_CASE("the adjusted score removes the first-order bias, computed by enumerating all outcomes") {
  // The adjustment of the score is 0.5 tr(F^-1 (P_t + Q_t)) with P_t = E[U U' U_t] and Q_t = -E[I U_t], summed over
  // rows (Kosmidis and Firth 2009).
  std::mt19937_64 random(10);
  Sample s = draw(random, 30, 2, 4, true, false);
  const PomData data = prepare_rows(s.input());
  VectorXd at = marginal_start(data.total, *logit, data.n_slopes());
  at.tail(2) << 0.6, -0.9;
  const Index q = at.size();
  const PlainParts parts = plain_parts(data);
  const CumulativeLinkModel model = parts.model(*logit, data.x);
  AdjustedScore f(model);
  REQUIRE(f.set_information(at));
  const MatrixXd inverse = f.information().dense().inverse();
  const MatrixXd prob = probabilities(*logit, at.head(3), data.x * at.tail(2));
  VectorXd want = Slow(data, at).gradient;
  for (Index r = 0; r < data.n_rows(); ++r) {
    for (Index j = 0; j < 4; ++j) {
      PomData single = data;
      single.x = data.x.row(r);
      single.weight.clear();
      single.first = {0, j > 0 ? 0 : 1, j > 1 ? 0 : 1, j > 2 ? 0 : 1, 1};
      const Slow row(single, at);
      const MatrixXd inner = row.gradient * row.gradient.transpose() - row.information;
      const double factor = data.weight[static_cast<std::size_t>(r)] * prob(r, j) * (inverse * inner).trace() / 2;
      for (Index t = 0; t < q; ++t) want[t] += factor * row.gradient[t];
    }
  }
  REQUIRE(f.evaluate(at));
  CHECK((f.score() - want).norm() < 1e-10 * (1 + want.norm()));
}

TEST_CASE("duplicated rows are merged and fitted with their counts as weights") {
  std::mt19937 random(7);
  Sample sample;
  const Index n = 40000;
  sample.x.resize(n, 3);
  sample.n_categories = 3;
  std::map<std::vector<double>, double> counts;
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < 3; ++k) sample.x(i, k) = static_cast<double>(random() % (k + 2));
    sample.y.push_back(static_cast<std::int32_t>((random() % 2) + (sample.x(i, 2) > 1 ? 1 : 0)));
    sample.weight.push_back(static_cast<double>(random() % 3));
    sample.offset.push_back(random() % 2 == 0 ? 0.5 : 0.0);
    if (sample.weight.back() > 0)
      counts[{sample.x(i, 0), sample.x(i, 1), sample.x(i, 2), sample.offset.back(),
              static_cast<double>(sample.y.back())}] += sample.weight.back();
  }
  const std::optional<DistinctRows> found = distinct_rows(sample.input());
  REQUIRE(found.has_value());
  REQUIRE(found->category.size() == counts.size());
  for (std::size_t r = 0; r < found->category.size(); ++r) {
    const auto at = static_cast<Index>(r);
    CHECK(counts.at({found->x(at, 0), found->x(at, 1), found->x(at, 2), found->offset[r],
                     static_cast<double>(found->category[r])}) == found->weight[r]);
  }
  // The fit is the maximum of the likelihood of all rows.
  const PomResult fit = fit_pom(sample.input(), PomOptions());
  const PomData rows = prepare_rows(sample.input());
  PomLikelihood each(rows, *logit);
  VectorXd at(fit.theta.size() + fit.beta.size());
  at << fit.theta.array() - rows.offset_center - rows.center.dot(fit.beta), fit.beta.cwiseProduct(rows.scale);
  CHECK(each.evaluate(at) == Approx(fit.log_likelihood).epsilon(1e-12));
  CHECK(each.gradient().cwiseAbs().maxCoeff() < 1e-6);
  for (Index i = 0; i < n; ++i) sample.x(i, 0) = static_cast<double>(i);
  CHECK(!distinct_rows(sample.input()).has_value());
}
