#include <limits>
#include <stdexcept>

#include "belief/dense.hpp"
#include "catch.hpp"

using namespace judicious;
using Eigen::MatrixXd;

namespace {

bool near(const MatrixXd& a, const MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() < 1e-12 * (1 + b.cwiseAbs().maxCoeff());
}

MatrixXd lower(const MatrixXd& a) { return a.triangularView<Eigen::Lower>(); }

}  // namespace

// The sizes are below, at and above those of tiles and blocks, and those up to which Eigen is used.
TEST_CASE("matrix products equal those of Eigen, for transposed arguments and blocks of a matrix too") {
  for (const Eigen::Index n : {1, 5, 48, 97, 131})
    for (const Eigen::Index m : {1, 12, 67, 1031})
      for (const Eigen::Index depth : {0, 3, 64, 259}) {
        const MatrixXd a = MatrixXd::Random(n, depth), b = MatrixXd::Random(depth, m),
                       c = MatrixXd::Random(n + 2, m + 1);
        MatrixXd expected = c;
        expected.block(1, 0, n, m) += -0.7 * a * b;
        MatrixXd out = c;
        dense::add_product(out.block(1, 0, n, m), -0.7, a, b);
        CHECK(near(out, expected));
        out = c;
        dense::add_product(out.block(1, 0, n, m), -0.7, a.transpose().eval(), b, dense::Transposed::left);
        CHECK(near(out, expected));
        out = c;
        dense::add_product(out.block(1, 0, n, m), -0.7, a, b.transpose().eval(), dense::Transposed::right);
        CHECK(near(out, expected));
      }
}

TEST_CASE("add_square() changes the lower triangle only") {
  for (const Eigen::Index n : {1, 7, 130, 301})
    for (const Eigen::Index depth : {2, 70, 300}) {
      const MatrixXd a = MatrixXd::Random(n, depth), c = MatrixXd::Random(n, n);
      MatrixXd expected = c;
      expected.triangularView<Eigen::Lower>() += 2.5 * a * a.transpose();
      MatrixXd out = c;
      dense::add_square(out, 2.5, a);
      CHECK(near(out, expected));
      out = c;
      dense::add_square(out, 2.5, a.transpose().eval(), dense::Transposed::left);
      CHECK(near(out, expected));
    }
}

TEST_CASE("Cholesky factors, determinants, inverses and solutions satisfy their defining equations") {
  for (const Eigen::Index n : {1, 24, 25, 50, 233}) {
    const MatrixXd root = MatrixXd::Random(n, n + 3);
    const MatrixXd a = root * root.transpose() + MatrixXd::Identity(n, n);
    MatrixXd l = a;
    dense::factorise(l, "It");
    const MatrixXd factor = lower(l);
    CHECK(near(factor * factor.transpose(), a));
    CHECK(dense::log_determinant(l) == Approx(a.ldlt().vectorD().array().log().sum()).margin(1e-10));
    CHECK((a * dense::inverse_of(l) - MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff() < 1e-10);
    const MatrixXd b = MatrixXd::Random(n, 30);
    MatrixXd x = b;
    dense::solve(l, x);
    CHECK(near(factor * x, b));
    x = b;
    dense::solve_transposed(l, x);
    CHECK(near(factor.transpose() * x, b));
    x = b.transpose();
    dense::solve_right(l, x);
    CHECK(near(x * factor.transpose(), b.transpose()));
    dense::invert_triangle(l);
    CHECK(near(lower(l) * factor, MatrixXd::Identity(n, n)));
  }
}

TEST_CASE("factorising a matrix that is not positive definite throws an error that names the matrix") {
  for (const Eigen::Index n : {2, 60}) {
    MatrixXd a = MatrixXd::Identity(n, n);
    a(n - 1, n - 1) = -1;
    CHECK_THROWS_AS(dense::factorise(a, "It"), std::domain_error);
    CHECK_THROWS_WITH(dense::factorise(a, "It"), StartsWith("It cannot be factorised"));
    a(n - 1, n - 1) = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(dense::factorise(a, "It"), std::domain_error);
  }
}
