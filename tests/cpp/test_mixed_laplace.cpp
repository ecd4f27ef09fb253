#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "catch.hpp"
#include "ordinal/mixed_fit.hpp"
#include "ordinal/mixed_precision.hpp"

using namespace judicious::ordinal;

namespace {

struct Problem {
  Eigen::MatrixXd x;
  std::vector<std::int32_t> category;
  std::vector<double> weight, offset;
  EffectDesign z;
  int n_categories = 4;
  LinkPointer link = link_named("logit");
  Eigen::MatrixXd structure = Eigen::MatrixXd::Identity(3, 3), ones, none;
  Eigen::VectorXd unscaled;

  CumulativeLinkModel model() const {
    const auto n = x.rows();
    return {*link,
            structure,
            ones,
            x,
            none,
            category.data(),
            Eigen::Map<const Eigen::VectorXd>(weight.data(), n),
            Eigen::Map<const Eigen::VectorXd>(offset.data(), n),
            unscaled};
  }
  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(z.n_rows(), z.n_effects());
    for (Eigen::Index i = 0; i < z.n_rows(); ++i) {
      for (auto e = static_cast<std::size_t>(z.offset[static_cast<std::size_t>(i)]);
           e < static_cast<std::size_t>(z.offset[static_cast<std::size_t>(i) + 1]); ++e) {
        out(i, z.column[e]) = z.value[e];
      }
    }
    return out;
  }
};

// A model with three terms: two crossed factors, and one with several members per row and unequal weights.
Problem random_problem(unsigned seed, int n = 150) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Problem out;
  out.x.resize(n, 2);
  out.ones.setOnes(n, 1);
  out.none.resize(n, 0);
  out.unscaled.setZero(n);
  constexpr int first = 12, second = 9, members = 7;
  out.z.n_terms = 3;
  for (int k = 0; k < first + second + members; ++k) {
    out.z.term.push_back(k < first ? 0 : k < first + second ? 1 : 2);
  }
  out.z.offset.push_back(0);
  Eigen::VectorXd effect(first + second + members);
  for (Eigen::Index k = 0; k < effect.size(); ++k) effect[k] = normal(random);
  for (int i = 0; i < n; ++i) {
    out.x.row(i) << normal(random), uniform(random) - 0.5;
    out.weight.push_back(i % 5 == 0 ? 0.5 + uniform(random) : 1);
    out.offset.push_back(0.3 * normal(random));
    const auto from = out.z.column.size();
    out.z.column.push_back(static_cast<std::int32_t>(random() % first));
    out.z.value.push_back(1);
    out.z.column.push_back(first + static_cast<std::int32_t>(random() % second));
    out.z.value.push_back(1);
    for (int k = 0; k < members; ++k) {
      if (k != i % members && random() % 3 != 0) continue;
      out.z.column.push_back(first + second + k);
      out.z.value.push_back(0.2 + uniform(random));
    }
    out.z.offset.push_back(static_cast<std::int32_t>(out.z.column.size()));
    double eta = 0.7 * out.x(i, 0) + out.offset.back();
    for (auto e = from; e < out.z.column.size(); ++e) eta += out.z.value[e] * effect[out.z.column[e]];
    const double u = uniform(random), y = eta + std::log(u / (1 - u));
    out.category.push_back(i < 4 ? i : (y > -1) + (y > 0.5) + (y > 1.5));
  }
  return out;
}

// The Laplace approximation by its definition, with dense matrices and differences of probabilities.
double slow_laplace(const Problem& problem, const Eigen::VectorXd& psi) {
  const Eigen::Index m = problem.n_categories - 1, p = problem.x.cols();
  Eigen::MatrixXd zs = problem.dense();
  for (Eigen::Index k = 0; k < zs.cols(); ++k) {
    zs.col(k) *= psi[m + p + problem.z.term[static_cast<std::size_t>(k)]];
  }
  const auto cdf = [](double t) { return 1 / (1 + std::exp(-t)); };
  const Eigen::Index n = zs.rows();
  Eigen::VectorXd u = Eigen::VectorXd::Zero(zs.cols());
  for (int iteration = 0;; ++iteration) {
    double value = -0.5 * u.squaredNorm();
    Eigen::VectorXd score(n), curvature(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double eta = problem.offset[at] + problem.x.row(i).dot(psi.segment(m, p)) + zs.row(i).dot(u);
      const int y = problem.category[at];
      const double upper = y < m ? cdf(psi[y] - eta) : 1, lower = y > 0 ? cdf(psi[y - 1] - eta) : 0;
      const double du = upper * (1 - upper), dl = lower * (1 - lower);
      const double probability = upper - lower, first = -(du - dl) / probability;
      const double second = (du * (1 - 2 * upper) - dl * (1 - 2 * lower)) / probability;
      value += problem.weight[at] * std::log(probability);
      score[i] = problem.weight[at] * first;
      curvature[i] = problem.weight[at] * (first * first - second);
    }
    const Eigen::MatrixXd h =
        Eigen::MatrixXd::Identity(u.size(), u.size()) + zs.transpose() * curvature.asDiagonal() * zs;
    if (iteration == 40) return value - 0.5 * std::log(h.determinant());
    const Eigen::VectorXd gradient = zs.transpose() * score - u;
    u += h.ldlt().solve(gradient);
  }
}

Eigen::VectorXd example_psi() {
  Eigen::VectorXd psi(8);
  psi << -0.9, 0.4, 1.6, 0.5, -0.3, 0.8, 0.5, 0.9;
  return psi;
}

}  // namespace

TEST_CASE("the Laplace approximation of the likelihood equals its definition with dense matrices") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Problem problem = random_problem(seed);
    const Eigen::VectorXd psi = example_psi();
    CHECK(laplace_at(problem.model(), problem.z, psi).value == Approx(slow_laplace(problem, psi)).epsilon(1e-11));
  }
}

TEST_CASE("the gradient of the Laplace likelihood agrees with finite differences of the dense definition") {
  const Problem problem = random_problem(11);
  const Eigen::VectorXd psi = example_psi();
  const LaplaceValue at = laplace_at(problem.model(), problem.z, psi);
  for (Eigen::Index k = 0; k < psi.size(); ++k) {
    Eigen::VectorXd above = psi, below = psi;
    above[k] += 1e-4;
    below[k] -= 1e-4;
    const double slope = (slow_laplace(problem, above) - slow_laplace(problem, below)) / 2e-4;
    INFO("parameter " << k);
    CHECK(at.gradient[k] == Approx(slope).epsilon(1e-6).margin(1e-6));
  }
}

TEST_CASE("the Laplace likelihood is even in a standard deviation, and its gradient is 0 at 0") {
  const Problem problem = random_problem(3);
  Eigen::VectorXd psi = example_psi();
  const LaplaceValue at = laplace_at(problem.model(), problem.z, psi);
  psi[6] = -psi[6];
  const LaplaceValue mirrored = laplace_at(problem.model(), problem.z, psi);
  CHECK(mirrored.value == Approx(at.value).epsilon(1e-13));
  CHECK(mirrored.gradient[6] == Approx(-at.gradient[6]).epsilon(1e-9));
  CHECK(mirrored.gradient[0] == Approx(at.gradient[0]).epsilon(1e-9));
  psi[6] = 0;
  CHECK(laplace_at(problem.model(), problem.z, psi).gradient[6] == 0);
}

TEST_CASE("the log likelihood of thresholds that are not ascending is minus infinity") {
  const Problem problem = random_problem(3);
  Eigen::VectorXd psi = example_psi();
  std::swap(psi[0], psi[1]);
  CHECK(laplace_at(problem.model(), problem.z, psi).value == -std::numeric_limits<double>::infinity());
}

TEST_CASE("the covariance of random effects for single rows equals the dense inverse") {
  const Problem problem = random_problem(5);
  Eigen::VectorXd sd(3), curvature(problem.z.n_rows());
  sd << 0.7, 0, 1.3;
  std::mt19937 random(2);
  for (Eigen::Index i = 0; i < curvature.size(); ++i) curvature[i] = static_cast<double>(random() % 1000) / 1000;
  Eigen::MatrixXd zs = problem.dense();
  for (Eigen::Index k = 0; k < zs.cols(); ++k) zs.col(k) *= sd[problem.z.term[static_cast<std::size_t>(k)]];
  const Eigen::MatrixXd h =
      Eigen::MatrixXd::Identity(zs.cols(), zs.cols()) + zs.transpose() * curvature.asDiagonal() * zs;
  const Eigen::MatrixXd dense = zs * h.inverse() * zs.transpose();
  const EffectPosterior posterior(problem.z, sd, curvature);
  CHECK((posterior.covariance(problem.z) - dense).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((posterior.variances(problem.z) - dense.diagonal()).cwiseAbs().maxCoeff() < 1e-12);
  // More rows than are computed at a time: the same ones three times.
  EffectDesign thrice = problem.z;
  for (int round = 1; round < 3; ++round) {
    thrice.column.insert(thrice.column.end(), problem.z.column.begin(), problem.z.column.end());
    thrice.value.insert(thrice.value.end(), problem.z.value.begin(), problem.z.value.end());
    const std::int32_t before = thrice.offset.back();
    for (std::size_t i = 1; i < problem.z.offset.size(); ++i) thrice.offset.push_back(before + problem.z.offset[i]);
  }
  CHECK(thrice.n_rows() > 64);
  CHECK((posterior.covariance(thrice) - dense.replicate(3, 3)).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((posterior.variances(thrice) - dense.diagonal().replicate(3, 1)).cwiseAbs().maxCoeff() < 1e-12);
  // Leverages and variances need only those entries of the inverse that Takahashi's equations give.
  EffectPrecision precision(problem.z);
  REQUIRE(precision.factor(sd, curvature));
  CHECK(precision.log_determinant() == Approx(std::log(h.determinant())).epsilon(1e-12));
  precision.invert();
  CHECK((precision.variances() - h.inverse().diagonal()).cwiseAbs().maxCoeff() < 1e-13);
  Eigen::VectorXd leverage, by_term;
  precision.leverages(sd, curvature, leverage, by_term);
  CHECK((leverage - dense.diagonal()).cwiseAbs().maxCoeff() < 1e-12);
  for (int t = 0; t < 3; ++t) {
    double expected = 0;
    const Eigen::MatrixXd z = problem.dense(), inner = h.inverse() * zs.transpose();
    for (Eigen::Index i = 0; i < z.rows(); ++i) {
      for (Eigen::Index k = 0; k < z.cols(); ++k) {
        if (problem.z.term[static_cast<std::size_t>(k)] == t) expected += curvature[i] * z(i, k) * inner(k, i);
      }
    }
    CHECK(by_term[t] == Approx(expected).epsilon(1e-12).margin(1e-14));
  }
}

static Eigen::VectorXd mixed_start() { return (Eigen::VectorXd(5) << -1, 0, 1, 0, 0).finished(); }

static MixedOptions tight_options() {
  MixedOptions options;
  options.outer.tolerance = 1e-12;
  return options;
}

TEST_CASE("a mixed fit maximises the dense definition of the Laplace likelihood") {
  const Problem problem = random_problem(21, 400);
  MixedOptions options = tight_options();
  const MixedResult fit = fit_mixed(problem.model(), problem.z, mixed_start(), options);
  CHECK(fit.status == Status::converged);
  CHECK(fit.gradient.cwiseAbs().maxCoeff() < 1e-5);
  CHECK(fit.log_likelihood == Approx(slow_laplace(problem, fit.psi)).epsilon(1e-11));
  for (Eigen::Index k = 0; k < fit.psi.size(); ++k) {
    for (const double by : {-0.02, 0.02}) {
      Eigen::VectorXd moved = fit.psi;
      moved[k] += by;
      CHECK(slow_laplace(problem, moved) < fit.log_likelihood);
    }
  }
  // The Hessian agrees with differences of the dense value.
  const auto value = [&](double a, double b) {
    Eigen::VectorXd psi = fit.psi;
    psi[3] += a;
    psi[5] += b;
    return slow_laplace(problem, psi);
  };
  constexpr double h = 1e-3;
  const double mixed = (value(h, h) - value(h, -h) - value(-h, h) + value(-h, -h)) / (4 * h * h);
  CHECK(fit.hessian(3, 5) == Approx(mixed).epsilon(1e-3).margin(1e-3));
  // A standard deviation that is given is not estimated, so the Hessian has no row for it.
  options.fixed_sd = {0.5, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  const MixedResult known = fit_mixed(problem.model(), problem.z, mixed_start(), options);
  CHECK(known.psi[5] == 0.5);
  CHECK(known.log_likelihood <= fit.log_likelihood + 1e-9);
  CHECK(known.hessian.rows() == 7);
}

TEST_CASE("the variance of a term that explains nothing is estimated as 0") {
  Problem problem = random_problem(8, 300);
  // Every group of the second term has the same number of rows of each category.
  for (std::size_t i = 0; i < problem.category.size(); ++i) {
    problem.category[i] = static_cast<std::int32_t>(i % 4);
    problem.weight[i] = 1;
    problem.offset[i] = 0;
    problem.z.column[static_cast<std::size_t>(problem.z.offset[i]) + 1] = 12 + static_cast<std::int32_t>(i / 4 % 9);
  }
  const MixedResult fit = fit_mixed(problem.model(), problem.z, mixed_start(), tight_options());
  CHECK(fit.status == Status::converged);
  CHECK(fit.at_boundary[1]);
  CHECK(fit.psi[6] == 0);
  CHECK_FALSE(fit.estimated[6]);
}

TEST_CASE("without slopes and random effects, the threshold of two levels is the log odds of the first") {
  Problem problem = random_problem(8, 60);
  for (std::size_t i = 0; i < problem.category.size(); ++i) problem.category[i] %= 2;
  problem.x.resize(60, 0);
  problem.structure.setIdentity(1, 1);
  problem.weight.assign(60, 1.0);
  problem.offset.assign(60, 0.0);
  MixedOptions options;
  options.outer.tolerance = 1e-12;
  options.fixed_sd = {0, 0, 0};
  const MixedResult fit = fit_mixed(problem.model(), problem.z, Eigen::VectorXd::Zero(1), options);
  double first = 0;
  for (const std::int32_t c : problem.category) first += c == 0;
  CHECK(fit.psi[0] == Approx(std::log(first / (60 - first))).margin(1e-6));
}

TEST_CASE("an inconsistent design of random effects throws std::invalid_argument") {
  EffectDesign z;
  z.offset = {0, 2};
  z.column = {0, 0};
  z.value = {1, 1};
  z.term = {0};
  z.n_terms = 1;
  CHECK_THROWS_AS(check_design(z), std::invalid_argument);
  z.column = {0, 1};
  CHECK_THROWS_AS(check_design(z), std::invalid_argument);
}

TEST_CASE("the predicted number of nonzero entries of the Cholesky factor is exact") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const int n = 5 + static_cast<int>(random() % 30);
    Eigen::MatrixXd a = n * Eigen::MatrixXd::Identity(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) {
        if (random() % 8 == 0) a(i, j) = a(j, i) = 0.5 + 0.4 * std::cos(i + 2.0 * j);
      }
    }
    // An entry of the dense factor is 0 only if elimination does not fill it, as terms do not cancel exactly.
    const Eigen::MatrixXd l = a.llt().matrixL();
    const auto expected = (l.array() != 0).count();
    const Eigen::SparseMatrix<double> upper = a.triangularView<Eigen::Upper>().toDenseMatrix().sparseView();
    CHECK(factor_entries(upper) == expected);
  }
}

TEST_CASE("a design with more than 2^31 pairs of random effects throws an error that states this limit") {
  EffectDesign z;
  const std::int32_t n = 50000;
  z.offset = {0, n};
  z.n_terms = 1;
  for (std::int32_t k = 0; k < n; ++k) {
    z.column.push_back(k);
    z.value.push_back(1);
    z.term.push_back(0);
  }
  CHECK_THROWS_WITH(check_design(z), contains("2^31"));
}
