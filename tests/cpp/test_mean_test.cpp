#include <cmath>
#include <random>

#include "catch.hpp"
#include "ranking/estimates.hpp"
#include "stats/mean_test.hpp"

using namespace judicious;

TEST_CASE("paired statistics and residual mean squares agree with their definitions") {
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  const std::size_t n = 9, m = 4;
  std::vector<double> x(n * m);
  for (double& v : x) v = 100 + normal(random);
  const std::vector<std::int32_t> some{7, 2, 3, 8, 0};
  const PairedStatistics p = paired_statistics({x.data(), n, m}, {some.data(), 5, 1});
  for (std::size_t j = 0; j < m; ++j) {
    double mean = 0, variance = 0;
    for (const std::int32_t q : some) mean += x[j * n + static_cast<std::size_t>(q)] / 5;
    for (const std::int32_t q : some) variance += std::pow(x[j * n + static_cast<std::size_t>(q)] - mean, 2) / 4;
    CHECK(p.mean[j] == Approx(mean));
    CHECK(p.sd[j] == Approx(std::sqrt(variance)));
    CHECK(p.positive[j] == 5);
    CHECK(p.negative[j] == 0);
  }
  // The residuals' sum of squares is the total less that of systems and queries.
  double grand = 0, total = 0, between = 0;
  std::vector<double> system(m, 0.0), query(5, 0.0);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < 5; ++i) {
      const double v = x[j * n + static_cast<std::size_t>(some[i])];
      grand += v / 20;
      system[j] += v / 5;
      query[i] += v / 4;
    }
  }
  for (std::size_t j = 0; j < m; ++j) {
    between += 5 * std::pow(system[j] - grand, 2);
    for (std::size_t i = 0; i < 5; ++i) total += std::pow(x[j * n + static_cast<std::size_t>(some[i])] - grand, 2);
  }
  for (const double q : query) between += 4 * std::pow(q - grand, 2);
  CHECK(residual_mean_square({x.data(), n, m}, {some.data(), 5, 1})[0] == Approx((total - between) / 12));
}

TEST_CASE("draw_scores() adds the gains of retrieved documents, and a judged gain never varies") {
  // Systems 0 and 1 retrieved pair 0 (query 0), system 1 retrieved pair 1 (query 1), and system 0 retrieved pair 2
  // (query 1), which is judged.
  const std::vector<std::int32_t> offset{0, 2, 3, 4}, system{0, 1, 1, 0}, query{0, 1, 1};
  const std::vector<double> probability{0.25, 0.5, 1, 0.75, 0.5, 0}, level{0, 1}, shift{0, 0, 0.4}, scale{1, 2, 0};
  const std::vector<double> weight{0.5, 0.5, 0.5, 0.5};
  const std::size_t count = 4000;
  const auto draws =
      draw_scores({offset.data(), system.data(), 3, 2}, query.data(), 2,
                  {probability.data(), level.data(), shift.data(), scale.data(), 2}, {0, count, 8, weight.data()});
  double first = 0, second = 0;
  for (std::size_t t = 0; t < count; ++t) {
    const double* s = draws.data() + 4 * t;
    CHECK(s[0] == s[2]);             // the shared document has one gain
    CHECK(s[1] == Approx(0.4 / 2));  // a judged one never varies
    first += s[0];
    second += s[3];
  }
  CHECK(first / static_cast<double>(count) == Approx(0.75 / 2).margin(0.015));
  CHECK(second / static_cast<double>(count) == Approx(0.5).margin(0.04));
}

TEST_CASE("t and sign tests have the statistics and p-values computed by R") {
  // The second column of differences is all 0. The expected values of the first are those of R's t.test() and
  // binom.test().
  const std::vector<double> d{1.2, -0.3, 0.8, 2.1, 0.4, -0.1, 0, 0, 0, 0, 0, 0};
  const std::vector<std::int32_t> all{0, 1, 2, 3, 4, 5};
  const PairedStatistics p = paired_statistics({d.data(), 6, 2}, {all.data(), 6, 1});
  const PairedTests t = t_tests(p, 6), sign = sign_tests(p);
  CHECK(t.statistic[0] == Approx(1.88358979365572976).epsilon(1e-12));
  CHECK(t.two_sided[0] == Approx(0.11832992774747363).epsilon(1e-12));
  CHECK(t.greater[0] == Approx(t.two_sided[0] / 2).epsilon(1e-14));
  CHECK(t.less[0] == Approx(1 - t.two_sided[0] / 2).epsilon(1e-14));
  CHECK(sign.greater[0] == Approx(22.0 / 64).epsilon(1e-14));
  CHECK(sign.less[0] == Approx(57.0 / 64).epsilon(1e-14));
  CHECK(sign.two_sided[0] == Approx(44.0 / 64).epsilon(1e-14));
  for (const PairedTests* none : {&t, &sign}) {
    CHECK(none->greater[1] == 1);
    CHECK(none->less[1] == 1);
    CHECK(none->two_sided[1] == 1);
  }
}
