#include <algorithm>
#include <cmath>
#include <random>

#include "catch.hpp"
#include "measure/expected_ap.hpp"

using namespace judicious;
using Eigen::Index;

namespace {

using Lists = std::vector<std::vector<std::int32_t>>;

// Average precision by its definition. Bit i of `relevant` tells whether document i is relevant.
double average_precision(const std::vector<std::int32_t>& list, unsigned relevant, int n) {
  int all = 0;
  for (int i = 0; i < n; ++i) all += (relevant >> i) & 1U;
  if (all == 0) return 0;
  double sum = 0;
  int found = 0;
  for (std::size_t r = 0; r < list.size(); ++r) {
    if (((relevant >> list[r]) & 1U) == 0) continue;
    ++found;
    sum += found / static_cast<double>(r + 1);
  }
  return sum / all;
}

// The moments of average precision as sums over all 2^n outcomes.
ApMoments enumerate(const std::vector<double>& p, const Lists& lists) {
  const auto n = static_cast<int>(p.size());
  const auto m = static_cast<Index>(lists.size());
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(m);
  Eigen::MatrixXd second = Eigen::MatrixXd::Zero(m, m);
  for (unsigned outcome = 0; outcome < (1U << n); ++outcome) {
    double weight = 1;
    for (int i = 0; i < n; ++i) {
      const double at = p[static_cast<std::size_t>(i)];
      weight *= ((outcome >> i) & 1U) ? at : 1 - at;
    }
    Eigen::VectorXd ap(m);
    for (Index s = 0; s < m; ++s) ap[s] = average_precision(lists[static_cast<std::size_t>(s)], outcome, n);
    mean += weight * ap;
    second += weight * ap * ap.transpose();
  }
  return {mean, second - mean * mean.transpose()};
}

}  // namespace

TEST_CASE("mean and covariance of average precision equal sums over all relevance outcomes") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int n = 1; n <= 12; ++n) {
    std::vector<double> p;
    for (int i = 0; i < n; ++i) p.push_back(i % 5 == 4 ? (i % 2) : unit(random));
    std::vector<std::int32_t> order;
    for (int i = 0; i < n; ++i) order.push_back(i);
    Lists lists{{}};
    for (int s = 0; s < 4; ++s) {
      std::shuffle(order.begin(), order.end(), random);
      // Two lists of all documents and two of half of them, each in random order.
      const int length = s < 2 ? n : std::max(1, n / 2);
      lists.emplace_back(order.begin(), order.begin() + length);
    }
    const ApMoments expected = enumerate(p, lists);
    const ApMoments got = ExpectedAp(p.size()).moments(p, lists);
    CHECK((got.mean - expected.mean).cwiseAbs().maxCoeff() < 1e-13);
    CHECK((got.covariance - expected.covariance).cwiseAbs().maxCoeff() < 1e-13);
    // More quadrature points than needed give the same result.
    const ApMoments more = ExpectedAp(3 * p.size() + 5).moments(p, lists);
    CHECK((more.covariance - expected.covariance).cwiseAbs().maxCoeff() < 1e-13);
  }
}

TEST_CASE("if the relevance of every document is certain, AP has its exact value and variance 0") {
  const Lists lists{{0, 1, 2, 3}, {3, 1}};
  const ApMoments got = ExpectedAp(5).moments({1, 0, 1, 0, 1}, lists);
  CHECK(got.mean[0] == Approx((1 + 2.0 / 3) / 3));
  CHECK(std::abs(got.mean[1]) < 1e-15);
  CHECK(got.covariance.cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("the moments of AP for a query of 600 documents agree with a simulation") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  const std::size_t n = 600;
  std::vector<double> p;
  for (std::size_t i = 0; i < n; ++i) p.push_back(0.6 * unit(random) * unit(random));
  Lists lists{{5, 9, 70, 2, 300}, {70, 5, 11, 12, 13}};
  const ApMoments got = ExpectedAp(n).moments(p, lists);
  const int draws = 20000;
  double sum = 0, squares = 0;
  for (int t = 0; t < draws; ++t) {
    std::vector<char> relevant;
    int all = 0;
    for (std::size_t i = 0; i < n; ++i) {
      relevant.push_back(unit(random) < p[i]);
      all += relevant.back();
    }
    double ap = 0;
    int found = 0;
    for (std::size_t r = 0; r < lists[0].size(); ++r) {
      if (relevant[static_cast<std::size_t>(lists[0][r])]) ap += ++found / static_cast<double>(r + 1);
    }
    ap /= all;
    sum += ap;
    squares += ap * ap;
  }
  const double mean = sum / draws, variance = squares / draws - mean * mean;
  CHECK(std::abs(got.mean[0] - mean) < 4 * std::sqrt(variance / draws));
  CHECK(got.covariance(0, 0) == Approx(variance).epsilon(0.05));
}

TEST_CASE("Gauss quadrature integrates polynomials exactly, also with a logarithmic weight") {
  for (const int n : {1, 2, 7, 40, 128}) {
    const Quadrature plain = legendre_quadrature(n), log = log_quadrature(n);
    for (int power = 0; power < 2 * n; ++power) {
      double a = 0, b = 0;
      for (Index k = 0; k < n; ++k) {
        a += plain.weight[k] * std::pow(plain.at[k], power);
        b += log.weight[k] * std::pow(log.at[k], power);
      }
      const double x = power + 1.0;
      CHECK(a == Approx(1 / x).epsilon(1e-11));
      CHECK(b == Approx(1 / (x * x)).epsilon(1e-11));
    }
  }
}
