#include <random>

#include "catch.hpp"
#include "every_link.hpp"
#include "ordinal/cumulative_link.hpp"
#include "ordinal/fit.hpp"

using namespace judicious::ordinal;

TEST_CASE("gradient, information and row gradients of a cumulative link model agree with finite differences") {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const Eigen::Index n = 40, m = 3;
  Eigen::MatrixXd nominal = Eigen::MatrixXd::Ones(n, 2), x(n, 2), z(n, 1);
  Eigen::VectorXd weight(n), offset(n), bent(n);
  std::vector<std::int32_t> category(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) {
    nominal(i, 1) = 0.3 * normal(random);
    x.row(i) << normal(random), normal(random);
    z(i, 0) = 0.5 * normal(random);
    weight[i] = 0.5 + static_cast<double>(random() % 3);
    offset[i] = 0.1 * normal(random);
    bent[i] = 0.2 * normal(random);
    category[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(random() % 4);
  }
  const Eigen::MatrixXd flexible = Eigen::MatrixXd::Identity(m, m);
  for (const std::string& name : every_link()) {
    const LinkPointer link = link_named(name);
    const CumulativeLinkModel model{*link, flexible, nominal, x, z, category.data(), weight, offset, bent};
    Likelihood<BorderedSolver> likelihood(pass_over_model<BorderedMatrix>(model), 0, model.n_parameters());
    Eigen::VectorXd at(model.n_parameters());
    at << -1, 0.1, 1.2, 0.2, 0.1, 0.3, 0.4, -0.3, 0.2;
    likelihood.evaluate(at);
    const Eigen::VectorXd gradient = likelihood.gradient();
    const Eigen::MatrixXd information = likelihood.information().slopes;
    CHECK((row_gradients(model, at).transpose() * weight - gradient).norm() < 1e-10);
    for (Eigen::Index k = 0; k < at.size(); ++k) {
      Eigen::VectorXd up = at, down = at;
      up[k] += 1e-5;
      down[k] -= 1e-5;
      const double value_up = likelihood.evaluate(up);
      const Eigen::VectorXd gradient_up = likelihood.gradient();
      const double value_down = likelihood.evaluate(down);
      const Eigen::VectorXd gradient_down = likelihood.gradient();
      CHECK(gradient[k] == Approx((value_up - value_down) / 2e-5).epsilon(1e-5).margin(1e-5));
      CHECK((information.col(k) + (gradient_up - gradient_down) / 2e-5).norm() <
            1e-5 * (1 + information.col(k).norm()));
    }
  }
}

TEST_CASE("thresholds that are not ascending have an infinite log likelihood and a level of probability 0") {
  const Eigen::MatrixXd structure = Eigen::MatrixXd::Identity(2, 2), nominal = Eigen::MatrixXd::Ones(1, 1), none(1, 0);
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1), zero = Eigen::VectorXd::Zero(1);
  const std::int32_t category = 1;
  const LinkPointer probit = link_named("probit");
  const CumulativeLinkModel model{*probit, structure, nominal, none, none, &category, one, zero, zero};
  Likelihood<BorderedSolver> likelihood(pass_over_model<BorderedMatrix>(model), 0, 2);
  CHECK(std::isinf(likelihood.evaluate(Eigen::Vector2d(1, 0))));
  const Eigen::MatrixXd crossed = (Eigen::MatrixXd(1, 2) << 1, 0).finished();
  CHECK(interval_probabilities(*probit, crossed)(0, 1) == 0);
}

TEST_CASE("a sparse model matrix gives the same value, gradient and information as a dense one") {
  std::mt19937 random(12);
  std::normal_distribution<double> normal;
  const Eigen::Index n = 60, m = 3;
  Eigen::MatrixXd nominal = Eigen::MatrixXd::Ones(n, 2), x = Eigen::MatrixXd::Zero(n, 4), z(n, 1), none(n, 0);
  std::vector<std::int32_t> category(static_cast<std::size_t>(n));
  for (Eigen::Index i = 0; i < n; ++i) {
    nominal(i, 1) = 0.3 * normal(random);
    x(i, i % 4) = normal(random);
    z(i, 0) = 0.5 * normal(random);
    category[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(random() % 4);
  }
  const Eigen::MatrixXd flexible = Eigen::MatrixXd::Identity(m, m);
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(n), zero = Eigen::VectorXd::Zero(n);
  const SparseRows sparse = x.sparseView();
  const LinkPointer link = link_named("cloglog");
  const CumulativeLinkModel dense{*link, flexible, nominal, x, z, category.data(), one, zero, zero};
  CumulativeLinkModel few{*link, flexible, nominal, none, z, category.data(), one, zero, zero, &sparse};
  Eigen::VectorXd at(dense.n_parameters()), gradient, same;
  at << -1, 0.1, 1.2, 0.2, 0.1, 0.3, 0.4, -0.3, 0.1, 0.5, 0.2;
  BorderedMatrix information;
  SparseInformation lower;
  const double value = pass_over_model<BorderedMatrix>(dense)(at, gradient, information);
  CHECK(pass_over_model<SparseInformation>(few)(at, same, lower) == Approx(value).epsilon(1e-13));
  CHECK((gradient - same).norm() < 1e-12 * gradient.norm());
  const Eigen::MatrixXd want = information.slopes.triangularView<Eigen::Lower>();
  CHECK((Eigen::MatrixXd(lower.lower) - want).norm() < 1e-12 * want.norm());
}

TEST_CASE("the evaluation by blocks of rows equals the evaluation by single rows, for every link") {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  const Eigen::Index n = 300;
  const int n_categories = 4;
  const Eigen::MatrixXd x = Eigen::MatrixXd::NullaryExpr(n, 3, [&] { return normal(random); });
  std::vector<std::int32_t> category;
  std::vector<double> weight, offset;
  for (Eigen::Index i = 0; i < n; ++i) {
    category.push_back(static_cast<std::int32_t>(i % n_categories));
    weight.push_back(0.5 * static_cast<double>(random() % 4));
    offset.push_back(normal(random));
  }
  const PomData data = prepare_rows(
      {Eigen::Map<const Eigen::MatrixXd>(x.data(), n, 3), category.data(), weight.data(), offset.data(), n_categories});
  const PlainParts parts = plain_parts(data);
  for (const std::string& name : every_link()) {
    INFO(name);
    const LinkPointer link = link_named(name);
    const CumulativeLinkModel model = parts.model(*link, data.x);
    Likelihood<BorderedSolver> general(pass_over_model<BorderedMatrix>(model), 0, model.n_parameters());
    PomLikelihood blocked(data, *link, 1);
    Eigen::VectorXd at = marginal_start(data.total, *link, data.n_slopes());
    at.tail(3) << 0.3, -0.5, 0.2;
    CHECK(blocked.evaluate(at) == Approx(general.evaluate(at)).epsilon(1e-12));
    CHECK((blocked.gradient() - general.gradient()).norm() < 1e-10 * (1 + general.gradient().norm()));
    const Eigen::MatrixXd information = general.information().slopes;
    CHECK((blocked.information().dense() - information).norm() < 1e-11 * information.norm());
  }
}

TEST_CASE("longest_step() returns the step at which two thresholds of some row become equal") {
  const LinkPointer link = link_named("probit");
  const Eigen::MatrixXd flexible = Eigen::MatrixXd::Identity(2, 2), none(3, 0);
  Eigen::MatrixXd nominal = Eigen::MatrixXd::Ones(3, 2);
  nominal.col(1) << -1, 0, 2;
  const std::vector<std::int32_t> category = {0, 1, 1};  // only the last two rows have two limits
  const Eigen::VectorXd weight = Eigen::VectorXd::Ones(3), zero = Eigen::VectorXd::Zero(3);
  const CumulativeLinkModel model{*link, flexible, nominal, none, none, category.data(), weight, zero, zero};
  Eigen::VectorXd at(4), step(4);
  at << -1, 1, 0, 0;           // The thresholds of every row are 2 apart.
  step << 0, -0.5, 0.25, 0.5;  // The distance shrinks by 0.5 - 0.25 n in a row with the covariate n.
  CHECK(longest_step(model, at, step) == Approx(4));
  CHECK(longest_step(model, at, -step) == judicious::infinity);
}
