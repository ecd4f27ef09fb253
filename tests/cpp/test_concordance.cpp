#include <random>
#include <vector>

#include "catch.hpp"
#include "ordinal/concordance.hpp"

using namespace judicious::ordinal;

TEST_CASE("counts of concordant, discordant and tied pairs equal a loop over all pairs") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 30; ++trial) {
    const std::size_t n = 1 + random() % 60, n_ranks = 1 + random() % 20, n_categories = 1 + random() % 6;
    std::vector<std::int32_t> rank(n), category(n);
    std::vector<double> weight(n);
    for (std::size_t i = 0; i < n; ++i) {
      rank[i] = static_cast<std::int32_t>(random() % n_ranks);
      category[i] = static_cast<std::int32_t>(random() % n_categories);
      weight[i] = 1 + static_cast<double>(random() % 3);
    }
    double concordant = 0, discordant = 0, tied = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (category[i] >= category[j]) continue;
        const double pair = weight[i] * weight[j];
        if (rank[i] < rank[j]) concordant += pair;
        if (rank[i] > rank[j]) discordant += pair;
        if (rank[i] == rank[j]) tied += pair;
      }
    }
    const Concordance counts = concordance(rank.data(), category.data(), weight.data(), n, n_ranks, n_categories);
    CHECK(counts.concordant == Approx(concordant));
    CHECK(counts.discordant == Approx(discordant));
    CHECK(counts.tied == Approx(tied));
  }
}
