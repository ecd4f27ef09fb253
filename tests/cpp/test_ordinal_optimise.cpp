// Newton, BFGS and the Hessian from gradients on functions whose maxima and derivatives are known.
#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "ordinal/newton.hpp"
#include "ordinal/quasi_newton.hpp"

using namespace judicious::ordinal;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

// b'x - x'Ax/2, with a maximum at A^-1 b.
struct Quadratic {
  MatrixXd a;
  VectorXd b;
  VectorXd at, slope;
  double evaluate(const VectorXd& x) {
    at = x;
    slope = b - a * x;
    return b.dot(x) - 0.5 * x.dot(a * x);
  }
  const VectorXd& gradient() const { return slope; }
  double longest_step(const VectorXd&, const VectorXd&) const { return inf; }
};

Quadratic some_quadratic() {
  Quadratic f;
  f.a = MatrixXd(3, 3);
  f.a << 4, 1, 0, 1, 3, -1, 0, -1, 2;
  f.b = VectorXd(3);
  f.b << 1, -2, 3;
  return f;
}

// 0 at the origin and -inf elsewhere, with a gradient that wrongly points to higher values.
struct Spike {
  VectorXd at, slope = VectorXd::Ones(2);
  double evaluate(const VectorXd& x) {
    at = x;
    return x.isZero(0) ? 0 : -inf;
  }
  const VectorXd& gradient() const { return slope; }
  bool newton_step(VectorXd& step) const {
    step = slope;
    return true;
  }
  double longest_step(const VectorXd&, const VectorXd&) const { return inf; }
};

// A parabola far below 0, whose value is only known to `error`; its gradient is exact up to
// `floor`.
struct RoundedValue {
  double error, floor;
  VectorXd slope = VectorXd::Zero(1);
  double evaluate(const VectorXd& x) {
    slope[0] = 1 - x[0];
    if (std::fabs(slope[0]) < floor) slope[0] = floor;
    const double value = -1e4 - slope[0] * slope[0] / 2;
    return std::round(value / error) * error;
  }
  const VectorXd& gradient() const { return slope; }
  // The step is a little too short, so that the search takes a few of them.
  bool newton_step(VectorXd& step) const {
    step = 0.99 * slope;
    return true;
  }
  double longest_step(const VectorXd&, const VectorXd&) const { return inf; }
};

// -(x^2 - 1)^2: maxima at -1 and 1, convex between.
struct TwoHills {
  VectorXd slope = VectorXd::Zero(1);
  double evaluate(const VectorXd& x) {
    const double square = x[0] * x[0] - 1;
    slope[0] = -4 * x[0] * square;
    return -square * square;
  }
  const VectorXd& gradient() const { return slope; }
  double longest_step(const VectorXd&, const VectorXd&) const { return inf; }
};

// log(x) - x, of positive numbers only; the maximum is at 1.
struct HalfLine {
  VectorXd slope = VectorXd::Zero(1);
  double evaluate(const VectorXd& x) {
    if (!(x[0] > 0)) return -inf;
    slope[0] = 1 / x[0] - 1;
    return std::log(x[0]) - x[0];
  }
  const VectorXd& gradient() const { return slope; }
  double longest_step(const VectorXd& x, const VectorXd& step) const { return step[0] < 0 ? -x[0] / step[0] : inf; }
};

}  // namespace

TEST_CASE("Newton's method converges when further steps are below the rounding error of the value") {
  VectorXd x = VectorXd::Zero(1);
  RoundedValue f{1e-8, 0};
  NewtonReport report = maximise(f, x, NewtonOptions());
  CHECK(report.status == Status::converged);
  CHECK(report.halvings == 0);
  CHECK(std::fabs(x[0] - 1) < 1e-7);
  CHECK(report.decrement <= NewtonOptions().tolerance);
  // A gradient with an error cannot reach the tolerance, but stops decreasing.
  f.floor = 1e-7;
  x[0] = 0;
  report = maximise(f, x, NewtonOptions());
  CHECK(report.status == Status::converged);
  CHECK(report.iterations < 10);
}

TEST_CASE("BFGS finds the maximum and the Hessian of a quadratic function") {
  Quadratic f = some_quadratic();
  VectorXd x = VectorXd::Zero(3);
  MatrixXd inverse = MatrixXd::Identity(3, 3);
  const QuasiNewtonReport report = maximise_quasi_newton(f, x, inverse, NewtonOptions{});
  const VectorXd best = f.a.ldlt().solve(f.b);
  CHECK(report.status == Status::converged);
  CHECK((x - best).norm() < 1e-7);
  CHECK(report.value == Approx(0.5 * f.b.dot(best)).epsilon(1e-12));
  CHECK(report.iterations > 1);
  const MatrixXd hessian = hessian_from_gradients(f, best, VectorXd::Constant(3, 1e-3));
  CHECK((hessian + f.a).norm() < 1e-9);
  CHECK(f.at == best);
}

TEST_CASE("a search that finds no higher value returns its starting point with the status stalled") {
  const VectorXd origin = VectorXd::Zero(2);
  Spike f;
  VectorXd x = origin;
  MatrixXd inverse = MatrixXd::Identity(2, 2);
  CHECK(maximise_quasi_newton(f, x, inverse, NewtonOptions{}).status == Status::stalled);
  CHECK(x == origin);
  CHECK(f.at == origin);
  CHECK(inverse == MatrixXd::Identity(2, 2));

  const NewtonReport newton = maximise(f, x, NewtonOptions{});
  CHECK(newton.status == Status::stalled);
  CHECK(newton.halvings == NewtonOptions{}.max_halvings + 1);
  CHECK(x == origin);
  CHECK(f.at == origin);
}

TEST_CASE("BFGS stops at the iteration limit") {
  Quadratic f = some_quadratic();
  NewtonOptions hasty;
  hasty.max_iterations = 1;
  VectorXd x = VectorXd::Zero(3);
  MatrixXd inverse = 0.1 * MatrixXd::Identity(3, 3);
  const QuasiNewtonReport report = maximise_quasi_newton(f, x, inverse, hasty);
  CHECK(report.status == Status::iteration_limit);
  CHECK(report.iterations == 1);
  CHECK(report.value > 0);
}

TEST_CASE("BFGS converges from a point where the function is not concave") {
  TwoHills f;
  VectorXd x = VectorXd::Constant(1, 0.1);
  MatrixXd inverse = MatrixXd::Constant(1, 1, 0.5);
  CHECK(maximise_quasi_newton(f, x, inverse, NewtonOptions{}).status == Status::converged);
  CHECK(x[0] == Approx(1).epsilon(1e-7));
  // The second derivative at 1 is -8; the secant of the last step is near it.
  CHECK(inverse(0, 0) == Approx(1.0 / 8).epsilon(1e-2));
}

TEST_CASE("BFGS stays inside the domain, and derivatives that need points outside it are NaN") {
  HalfLine f;
  VectorXd x = VectorXd::Constant(1, 5);
  // The full step would lead to -35.
  MatrixXd inverse = MatrixXd::Constant(1, 1, 50);
  CHECK(maximise_quasi_newton(f, x, inverse, NewtonOptions{}).status == Status::converged);
  CHECK(x[0] == Approx(1).epsilon(1e-7));
  // The gradient is 1 / x - 1; its values at 1.25 and 0.75 give the secant.
  const double secant = (1 / 1.25 - 1 / 0.75) / 0.5;
  CHECK(hessian_from_gradients(f, x, VectorXd::Constant(1, 0.25))(0, 0) == Approx(secant).epsilon(1e-6));
  CHECK(std::isnan(hessian_from_gradients(f, x, VectorXd::Constant(1, 1.5))(0, 0)));
}
