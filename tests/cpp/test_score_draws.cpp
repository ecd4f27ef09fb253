
#include "catch.hpp"
#include "ranking/estimates.hpp"

using namespace judicious;

TEST_CASE("drawn scores follow level probabilities and weights, with one gain per document in a draw", "[ranking]") {
  // The first document, for query 0, is returned by both systems; the second, for query 1, is judged.
  const Incidence results{{0, 2, 3}, {0, 1, 1}, 2};
  const std::vector<std::int32_t> query = {0, 1};
  const std::vector<double> probability = {0.2, 1, 0.3, 0, 0.1, 0, 0.4, 0};
  const std::vector<double> level = {0, 1, 3, 4}, shift = {1, 5}, scale = {10, 0}, weight = {2, 3, 4};
  const GainTable gains{probability.data(), level.data(), shift.data(), scale.data(), 4};
  const Index count = 20000;
  const auto draw = [&](Index first, Index n) {
    return draw_scores(results.view(), query.data(), 2, gains, {first, n, 7, weight.data()});
  };
  const std::vector<double> scores = draw(0, count);
  REQUIRE(length(scores) == 4 * count);
  std::vector<double> seen(4);
  for (Index t = 0; t < count; ++t) {
    const double* score = scores.data() + 4 * t;
    const double gain = score[0] / 2;
    CHECK(score[1] == 0);
    CHECK(score[2] == 3 * gain);
    CHECK(score[3] == 20);
    for (std::size_t j = 0; j < 4; ++j) seen[j] += gain == 1 + 10 * level[j];
  }
  for (std::size_t j = 0; j < 4; ++j) CHECK(seen[j] / count == Approx(probability[2 * j]).margin(0.015));
  const std::vector<double> later = draw(100, 50);
  CHECK(std::equal(later.begin(), later.end(), scores.begin() + 400));
}
