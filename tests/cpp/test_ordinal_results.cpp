// Tests the results of a fit: covariances, bias reduction, penalties, aliased columns and convergence.
#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <random>

#include "catch.hpp"
#include "every_link.hpp"
#include "model_limits.hpp"
#include "ordinal/cumulative_link.hpp"
#include "ordinal/fit.hpp"

using namespace judicious::ordinal;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

struct Rows {
  MatrixXd x;
  std::vector<std::int32_t> y;
  int n_categories;
  PomInput input() const {
    return {Eigen::Map<const MatrixXd>(x.data(), x.rows(), x.cols()), y.data(), nullptr, nullptr, n_categories};
  }
};

// Rows whose columns are far from 0 and of different spread, and whose categories depend on the columns.
Rows some_rows(unsigned seed, Index n, Index p, int n_categories) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Rows out;
  out.n_categories = n_categories;
  out.x.resize(n, p);
  for (Index i = 0; i < n; ++i) {
    double eta = 2.0 * normal(random);
    for (Index k = 0; k < p; ++k) {
      const double z = normal(random);
      out.x(i, k) = 5.0 * static_cast<double>(k + 1) + (0.5 + static_cast<double>(k)) * z;
      eta += 0.7 * z;
    }
    const int level = static_cast<int>(std::floor(eta / 1.5 + n_categories / 2.0));
    out.y.push_back(i < n_categories ? static_cast<int>(i) : std::min(std::max(level, 0), n_categories - 1));
  }
  return out;
}

// The log likelihood of all rows from its definition, at (theta, beta).
double slow_value(const Rows& rows, const VectorXd& at) {
  const Index m = rows.n_categories - 1;
  double sum = 0;
  for (Index i = 0; i < rows.x.rows(); ++i) {
    const double eta = rows.x.row(i).dot(at.tail(rows.x.cols()));
    const auto below = [&](Index j) { return j < 0 ? 0.0 : j == m ? 1.0 : 1 / (1 + std::exp(eta - at[j])); };
    const Index y = rows.y[static_cast<std::size_t>(i)];
    sum += std::log(below(y) - below(y - 1));
  }
  return sum;
}

// Minus the second differences of a function.
MatrixXd slow_information(const std::function<double(const VectorXd&)>& value, const VectorXd& at,
                          const VectorXd& width) {
  const Index q = at.size();
  MatrixXd out(q, q);
  for (Index i = 0; i < q; ++i) {
    for (Index j = 0; j < q; ++j) {
      double sum = 0;
      for (const double a : {-1.0, 1.0}) {
        for (const double b : {-1.0, 1.0}) {
          VectorXd x = at;
          x[i] += a * width[i];
          x[j] += b * width[j];
          sum += a * b * value(x);
        }
      }
      out(i, j) = -sum / (4 * width[i] * width[j]);
    }
  }
  return out;
}

VectorXd parameters(const PomResult& fit) {
  VectorXd out(fit.theta.size() + fit.beta.size());
  out << fit.theta, fit.beta;
  return out;
}

}  // namespace

TEST_CASE("the covariance of estimates is the inverse curvature of the likelihood in the user's units") {
  const Rows rows = some_rows(1, 400, 2, 4);
  const PomResult fit = fit_pom(rows.input(), {});
  const MatrixXd got = covariance(fit.information, fit.center, fit.scale);
  const VectorXd width = 0.02 * got.diagonal().cwiseSqrt();
  const MatrixXd want =
      slow_information([&](const VectorXd& at) { return slow_value(rows, at); }, parameters(fit), width).inverse();
  CHECK((got - want).norm() < 2e-3 * want.norm());
  CHECK((variances(fit.information, fit.center, fit.scale) - got.diagonal()).norm() < 1e-10 * got.diagonal().norm());
  CHECK((slope_covariance(fit.information, fit.scale) - got.bottomRightCorner(2, 2)).norm() <
        1e-10 * got.bottomRightCorner(2, 2).norm());
}

TEST_CASE("covariances are NaN if the information matrix is 0") {
  BorderedMatrix nothing;
  nothing.resize(2, 1);
  nothing.set_zero();
  const VectorXd one = VectorXd::Ones(1);
  CHECK(covariance(nothing, one, one).array().isNaN().all());
  CHECK(variances(nothing, one, one).array().isNaN().all());
  CHECK(slope_covariance(nothing, one).array().isNaN().all());
}

TEST_CASE("bias reduction of saturated binary models adds 0.5 to every count") {
  // By Firth (1993), bias reduction is equivalent to Jeffreys' prior here. The cases are counts of y = 0 and 1 at x =
  // 0, and at x = 1; the last two are separated.
  PomOptions options;
  options.method = Method::bias_reduced;
  for (const std::vector<int>& count : {std::vector<int>{7, 3, 2, 9}, {5, 5, 8, 0}, {1, 0, 0, 1}}) {
    Rows rows;
    rows.n_categories = 2;
    std::vector<double> x;
    for (std::size_t cell = 0; cell < 4; ++cell) {
      for (int i = 0; i < count[cell]; ++i) {
        x.push_back(cell < 2 ? 0 : 1);
        rows.y.push_back(static_cast<int>(cell % 2));
      }
    }
    rows.x = Eigen::Map<const MatrixXd>(x.data(), static_cast<Index>(x.size()), 1);
    const PomResult fit = fit_pom(rows.input(), options);
    CHECK(fit.newton.status == Status::converged);
    const auto odds = [&](std::size_t cell) { return std::log((count[cell] + 0.5) / (count[cell + 1] + 0.5)); };
    CHECK(fit.theta[0] == Approx(odds(0)).margin(1e-8));
    CHECK(fit.theta[0] - fit.beta[0] == Approx(odds(2)).margin(1e-8));
  }
}

TEST_CASE("bias reduction also applies to models without slopes") {
  // In products of triangles with 48 rows or more, Eigen divides by the number of columns, which is 0 here.
  PomOptions options;
  options.method = Method::bias_reduced;
  Rows rows;
  rows.n_categories = 2;
  rows.x = MatrixXd(60, 0);
  for (int i = 0; i < 60; ++i) rows.y.push_back(i < 20 ? 0 : 1);
  CHECK(fit_pom(rows.input(), options).theta[0] == Approx(std::log(20.5 / 40.5)));
}

TEST_CASE("a penalised fit maximises the penalised likelihood") {
  const Rows rows = some_rows(2, 300, 3, 3);
  PomOptions options;
  options.penalty = 20;
  const PomResult fit = fit_pom(rows.input(), options);
  const auto objective = [&](const VectorXd& at) {
    double penalty = 0;
    for (Index k = 0; k < 3; ++k) {
      const double mean = rows.x.col(k).mean();
      const double variance = (rows.x.col(k).array() - mean).square().mean();
      penalty += options.penalty / 2 * at[2 + k] * at[2 + k] * variance;
    }
    return slow_value(rows, at) - penalty;
  };
  const VectorXd at = parameters(fit);
  CHECK(fit.log_likelihood == Approx(slow_value(rows, at)).epsilon(1e-12));
  for (Index k = 0; k < at.size(); ++k) {
    for (const double step : {-0.01, 0.01}) {
      VectorXd moved = at;
      moved[k] += step;
      CHECK(objective(moved) < objective(at));
    }
  }
  // The penalty reduces the degrees of freedom of the slopes by its share of their curvature.
  CHECK(fit.freedom < 5);
  CHECK(fit.freedom > 2);
  CHECK(fit.beta.cwiseAbs().sum() < fit_pom(rows.input(), {}).beta.cwiseAbs().sum());
}

TEST_CASE("aliased columns are removed from data too large to be copied") {
  Rows rows = some_rows(3, 70000, 6, 3);
  rows.x.col(3) = 2 * rows.x.col(1) - rows.x.col(0);
  const PomResult fit = fit_pom(rows.input(), {});
  CHECK(fit.aliased == std::vector<Index>{3});
  CHECK(fit.column == std::vector<Index>{0, 1, 2, 4, 5});
  Rows fewer = rows;
  fewer.x.resize(70000, 5);
  fewer.x << rows.x.leftCols(3), rows.x.rightCols(2);
  const PomResult same = fit_pom(fewer.input(), {});
  CHECK((fit.beta - same.beta).norm() < 1e-8);
  CHECK(fit.log_likelihood == Approx(same.log_likelihood).epsilon(1e-12));
}

TEST_CASE("a fit reports that it reached the iteration limit or found separation") {
  PomOptions hasty;
  hasty.newton.max_iterations = 1;
  CHECK(fit_pom(some_rows(4, 300, 2, 4).input(), hasty).newton.status == Status::iteration_limit);
  Rows separated = some_rows(5, 60, 1, 2);
  for (Index i = 0; i < 60; ++i)
    separated.y[static_cast<std::size_t>(i)] = separated.x(i, 0) > separated.x.col(0).mean();
  CHECK(fit_pom(separated.input(), {}).separation.kind == Separation::complete);
  CHECK(fit_pom(some_rows(6, 300, 2, 4).input(), {}).separation.kind == Separation::none);
}

TEST_CASE("separated levels make their threshold diverge unless they touch at x = 0") {
  // Levels 0 and 1 touch at x = origin - 1, levels 1 and 2 at x = origin.
  for (const double origin : {0.0, 1.0, 5.0}) {
    Rows rows;
    rows.n_categories = 3;
    rows.y = {0, 0, 1, 1, 2, 2};
    rows.x.resize(6, 1);
    rows.x << -2, -1, -1, 0, 0, 1;
    rows.x.array() += origin;
    const SeparationReport report = fit_pom(rows.input(), {}).separation;
    CHECK(report.kind == Separation::quasi_complete);
    CHECK(report.slopes == std::vector<Index>{0});
    std::vector<Index> running;
    if (origin != 1) running.push_back(0);
    if (origin != 0) running.push_back(1);
    CHECK(report.thresholds == running);
  }
}

TEST_CASE("cumulative link fits with every link maximise the likelihood") {
  const Rows rows = some_rows(7, 250, 2, 4);
  const MatrixXd structure = MatrixXd::Identity(3, 3), ones = MatrixXd::Ones(250, 1), none(250, 0),
                 centred = rows.x.rowwise() - rows.x.colwise().mean();
  const VectorXd weight = VectorXd::Ones(250), zero = VectorXd::Zero(250);
  PomOptions options;
  for (const std::string& name : every_link()) {
    const LinkPointer link = link_named(name);
    const CumulativeLinkModel model{*link, structure, ones, centred, none, rows.y.data(), weight, zero, zero};
    VectorXd start(5);
    start << -1, 0, 1, 0, 0;
    const PomResult fit = fit_cumulative_link(model, start, options);
    CHECK(fit.newton.status == Status::converged);
    CHECK(row_gradients(model, fit.beta).colwise().sum().norm() < 1e-6);
    CHECK(fit.information.dense().llt().info() == Eigen::Success);
    const MatrixXd prob = interval_probabilities(*link, limits(model, fit.beta));
    CHECK((prob.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-12);
    double value = 0;
    for (Index i = 0; i < 250; ++i) value += std::log(prob(i, rows.y[static_cast<std::size_t>(i)]));
    CHECK(fit.newton.value == Approx(value).epsilon(1e-10));
    if (name != "logit") continue;
    const PomResult pom = fit_pom(rows.input(), {});
    CHECK((fit.beta.tail(2) - pom.beta).norm() < 1e-7);
  }
  // From distant starting values, steps are halved, and the cauchit's information has to be made positive definite.
  const LinkPointer cauchit = link_named("cauchit");
  const CumulativeLinkModel model{*cauchit, structure, ones, centred, none, rows.y.data(), weight, zero, zero};
  VectorXd far(5);
  far << -30, 5, 60, 8, -8;
  const PomResult fit = fit_cumulative_link(model, far, options);
  CHECK(fit.newton.status == Status::converged);
  CHECK(fit.newton.halvings > 0);
  CHECK(row_gradients(model, fit.beta).colwise().sum().norm() < 1e-5);
}
