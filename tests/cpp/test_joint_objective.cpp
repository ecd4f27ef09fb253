#include <cmath>
#include <numeric>

#include "belief/joint_objective.hpp"
#include "catch.hpp"
#include "joint_case.hpp"

using namespace judicious;
using namespace joint_case;
using Eigen::Index;

namespace {

struct Observed {
  Case c;
  std::vector<double> gain, noise;
};

// Few and many observations relative to the number of shared effects (2 coefficients, and 2 effects for each of 5
// systems): the objective has a separate algorithm for each case.
Observed observe(int pairs, bool noisy) {
  const Case whole = random_case(9, 3, 8, 5, 2);
  std::vector<std::int32_t> some(static_cast<std::size_t>(pairs));
  for (int a = 0; a < pairs; ++a) some[static_cast<std::size_t>(a)] = (5 * a + 1) % 24;
  Observed out{restrict_to(whole, some), {}, {}};
  for (int a = 0; a < pairs; ++a) {
    out.gain.push_back(0.1 * (7 * a % 11));
    if (noisy) out.noise.push_back(0.02 * (a % 5));
  }
  return out;
}

JointEvaluation evaluate(const Observed& o, JointOrder order) {
  return JointObjective(o.c.pool, o.gain, o.noise).evaluate(o.c.par, order);
}

Eigen::MatrixXd dense(const Observed& o) {
  Eigen::MatrixXd out = dense_covariance(o.c);
  for (std::size_t i = 0; i < o.noise.size(); ++i) out(static_cast<Index>(i), static_cast<Index>(i)) += o.noise[i];
  return out;
}

Eigen::VectorXd deviations(const Observed& o) {
  Eigen::VectorXd out(static_cast<Index>(o.gain.size()));
  for (Index i = 0; i < out.size(); ++i) out[i] = from(o.gain, i) - from(o.c.par.mean, i);
  return out;
}

// Derivative of the dense covariance, which is linear in the variances.
Eigen::MatrixXd dense_derivative(const Observed& o, std::size_t term) {
  Observed more = o;
  more.c.par.variance[term] += 1;
  return dense(more) - dense(o);
}

std::vector<Observed> cases() {
  Observed no_teams = observe(24, false), no_shared = no_teams;
  no_teams.c.par.variance[term_team] = no_teams.c.par.variance[term_team_popularity] = 0;
  no_shared.c.par.variance[term_system] = no_shared.c.par.variance[term_system_popularity] = 0;
  no_shared.c.par.variance[term_team] = no_shared.c.par.variance[term_team_popularity] = 0;
  return {observe(7, false), observe(24, false), observe(7, true), observe(24, true), no_teams, no_shared};
}

bool near(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) { return (a - b).cwiseAbs().maxCoeff() < 1e-9; }

}  // namespace

TEST_CASE("the log likelihood is a normal density, and coefficients are conditioned on the observed gains") {
  for (const Observed& o : cases()) {
    const Eigen::MatrixXd k = dense(o);
    const Eigen::VectorXd d = deviations(o);
    const Eigen::LDLT<Eigen::MatrixXd> ldlt(k);
    Eigen::MatrixXd with_coefficients(k.rows(), 2);
    for (Index i = 0; i < k.rows(); ++i)
      with_coefficients.row(i) =
          from(o.c.par.slope, i) * o.c.pool.x.col(i).cwiseProduct(o.c.par.coefficient_variance).transpose();
    const JointEvaluation at = evaluate(o, JointOrder::value);
    CHECK(at.log_likelihood == Approx(-0.5 * (static_cast<double>(k.rows()) * std::log(2 * std::acos(-1.0)) +
                                              ldlt.vectorD().array().log().sum() + d.dot(ldlt.solve(d))))
                                   .epsilon(1e-10));
    CHECK(near(at.coefficient, with_coefficients.transpose() * ldlt.solve(d)));
    CHECK(near(at.coefficient_covariance, Eigen::MatrixXd(o.c.par.coefficient_variance.asDiagonal()) -
                                              with_coefficients.transpose() * ldlt.solve(with_coefficients)));
    CHECK(at.gradient == TermValues{});
  }
}

TEST_CASE("the gradient of the log likelihood agrees with finite differences") {
  for (const Observed& o : cases()) {
    const JointEvaluation at = evaluate(o, JointOrder::gradient);
    for (std::size_t term = 0; term < n_joint_terms; ++term) {
      CAPTURE(term, o.gain.size());
      if (o.c.par.variance[term] == 0) {
        CHECK(at.gradient[term] == 0);
        continue;
      }
      Observed up = o, down = o;
      const double step = 1e-4 * o.c.par.variance[term];
      up.c.par.variance[term] += step;
      down.c.par.variance[term] -= step;
      const JointEvaluation above = evaluate(up, JointOrder::value);
      const JointEvaluation below = evaluate(down, JointOrder::value);
      CHECK(at.gradient[term] ==
            Approx((above.log_likelihood - below.log_likelihood) / (2 * step)).epsilon(1e-5).margin(1e-6));
    }
  }
}

TEST_CASE("the average information equals a quadratic form in the derivatives of the covariance") {
  for (const Observed& o : cases()) {
    const Eigen::LDLT<Eigen::MatrixXd> ldlt(dense(o));
    const Eigen::VectorXd a = ldlt.solve(deviations(o));
    const JointEvaluation at = evaluate(o, JointOrder::gradient);
    for (std::size_t t = 0; t < n_joint_terms; ++t) {
      for (std::size_t u = 0; u < n_joint_terms; ++u) {
        const bool used = o.c.par.variance[t] > 0 && o.c.par.variance[u] > 0;
        const double expected = used ? (dense_derivative(o, t) * a).dot(ldlt.solve(dense_derivative(o, u) * a)) / 2 : 0;
        CHECK(at.information(static_cast<Index>(t), static_cast<Index>(u)) ==
              Approx(expected).epsilon(1e-9).margin(1e-9));
      }
    }
  }
}

TEST_CASE("evaluating the likelihood with cached factors equals evaluating it anew") {
  for (const bool noisy : {false, true}) {
    Observed o = observe(24, noisy);
    JointObjective objective(o.c.pool, o.gain, o.noise);
    const auto same = [&] {
      const JointEvaluation kept = objective.evaluate(o.c.par, JointOrder::gradient);
      const JointEvaluation fresh = evaluate(o, JointOrder::gradient);
      return kept.log_likelihood == fresh.log_likelihood && kept.coefficient == fresh.coefficient &&
             kept.gradient == fresh.gradient && kept.information == fresh.information;
    };
    CHECK(same());
    for (double& m : o.c.par.mean) m += 0.1;
    for (double& s : o.c.par.slope) s *= 1.5;
    CHECK(same());
    for (std::size_t i = 0; i < o.c.par.scale.size(); ++i) {
      o.c.par.scale[i] *= 2;
      o.c.par.residual_scale[i] *= 2;
    }
    CHECK(same());
    o.c.par.residual_scale[3] *= 2;
    CHECK(same());
    o.c.par.variance[term_team] = 0;
    CHECK(same());
    o.c.par.variance[term_system] = 0;
    CHECK(same());
  }
}

// A query has more observations than the largest triangle that is inverted without recursion (see dense.cpp).
TEST_CASE("for a query with many observations, the gradient equals that from the dense covariance matrix") {
  const Case whole = random_case(4, 2, 70, 6, 3);
  Observed o{whole, {}, {}};
  for (std::size_t i = 0; i < whole.pool.query.size(); ++i) o.gain.push_back(0.05 * static_cast<double>(i * 7 % 20));
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(dense(o));
  const Eigen::VectorXd a = ldlt.solve(deviations(o));
  const JointEvaluation at = evaluate(o, JointOrder::gradient);
  for (std::size_t t = 0; t < n_joint_terms; ++t) {
    const Eigen::MatrixXd derivative = dense_derivative(o, t);
    CHECK(at.gradient[t] == Approx((a.dot(derivative * a) - ldlt.solve(derivative).trace()) / 2).epsilon(1e-8));
  }
}

TEST_CASE("without observations the coefficients keep their prior distribution") {
  const Case c = restrict_to(random_case(9, 3, 6, 4, 2), {});
  const JointEvaluation at = JointObjective(c.pool, {}).evaluate(c.par, JointOrder::gradient);
  CHECK(at.log_likelihood == 0);
  CHECK(at.coefficient == Eigen::VectorXd::Zero(2));
  CHECK(near(at.coefficient_covariance, c.par.coefficient_variance.asDiagonal()));
  CHECK(at.gradient == TermValues{});
}
