// Tests the likelihood of one row against its definition, by differences of probabilities in 600-digit arithmetic.
#include <boost/multiprecision/cpp_dec_float.hpp>
#include <random>

#include "catch.hpp"
#include "logit_row.hpp"
#include "ordinal/logit.hpp"

using namespace judicious::ordinal;
using Big = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<600>>;

namespace {

// The definitions in 600-digit arithmetic, in which differences of probabilities are precise.
Big big_logistic(const Big& x) { return 1 / (1 + exp(-x)); }

struct BigRow {
  Big log_prob, score_eta, score_a, score_b, info_eta;
  BigRow(const Big& a, const Big& b, bool first, bool last) {
    const Big Fa = first ? Big(0) : big_logistic(a), Fb = last ? Big(1) : big_logistic(b);
    const Big fa = Fa * (1 - Fa), fb = Fb * (1 - Fb), P = Fb - Fa;
    const Big ga = fa * (1 - 2 * Fa), gb = fb * (1 - 2 * Fb);
    log_prob = log(P);
    score_eta = -(fb - fa) / P;
    score_a = -fa / P;
    score_b = fb / P;
    info_eta = score_eta * score_eta - (gb - ga) / P;
  }
};

double relative_error(double got, const Big& want) {
  if (want == 0) return std::fabs(got);
  return std::fabs(static_cast<double>((Big(got) - want) / want));
}

void check_row(double a, double b) {
  const bool first = std::isinf(a), last = std::isinf(b);
  const LogitRow row = logit_row(a, b);
  const BigRow big(first ? Big(0) : Big(a), last ? Big(0) : Big(b), first, last);
  INFO("a = " << a << ", b = " << b);
  CHECK(relative_error(row.log_prob, big.log_prob) < 1e-14);
  CHECK(relative_error(row.score_eta, big.score_eta) < 1e-14);
  CHECK(relative_error(row.score_a, big.score_a) < 1e-14);
  CHECK(relative_error(row.score_b, big.score_b) < 1e-14);
  CHECK(relative_error(row.info_a + row.info_b, big.info_eta) < 1e-14);
}

}  // namespace

TEST_CASE("a row's log likelihood, score and information have 14 correct digits for thresholds within 600 of 0") {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> at(-600, 600), log_gap(-20, 6);
  for (int trial = 0; trial < 60; ++trial) {
    // The reference has the same doubles a and b as the model, so the rounding of b does not matter.
    const double a = at(random), b = a + std::exp(log_gap(random));
    if (b < 600 && b > a) check_row(a, b);
  }
  for (double a : {-599.0, -37.5, -1.0, -1e-8, 0.0, 1e-300, 2.5, 36.8, 599.0}) {
    check_row(a, std::numeric_limits<double>::infinity());
    check_row(-std::numeric_limits<double>::infinity(), a);
    check_row(a, a + 0.75);
  }
}

TEST_CASE("the score keeps its digits in intervals that are nearly symmetric about 0") {
  for (double half : {0.25, 3.0, 50.0, 300.0}) {
    for (double shift : {1e-3, -1e-9, 1e-12}) check_row(-half + shift, half + shift);
  }
}

TEST_CASE("a row's information is minus the derivative of its score") {
  const double h = 1e-5;
  for (double a : {-3.0, 0.2, 7.0}) {
    for (double gap : {0.05, 1.0, 12.0}) {
      const LogitRow at = logit_row(a, a + gap), up = logit_row(a + h, a + gap), down = logit_row(a - h, a + gap);
      CHECK((up.score_a - down.score_a) / (2 * h) == Approx(-at.info_a - at.info_gap).epsilon(1e-6));
      CHECK((up.score_b - down.score_b) / (2 * h) == Approx(at.info_gap).epsilon(1e-6));
      CHECK((up.log_prob - down.log_prob) / (2 * h) == Approx(at.score_a).epsilon(1e-6));
    }
  }
}
