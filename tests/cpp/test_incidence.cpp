#include <map>
#include <random>
#include <utility>

#include "catch.hpp"
#include "collection/incidence.hpp"

using namespace judicious;

TEST_CASE("query-document pairs are numbered by first appearance and keep their results in order") {
  const std::vector<std::int32_t> system{0, 0, 1, 1, 2}, query{0, 1, 1, 0, 0}, doc{5, 5, 5, 7, 5};
  const Pool pool = build_pool(system.data(), query.data(), doc.data(), 5, 3);
  CHECK(pool.query == std::vector<std::int32_t>{0, 1, 0});
  CHECK(pool.doc == std::vector<std::int32_t>{5, 5, 7});
  CHECK(pool.offset == std::vector<std::int32_t>{0, 2, 4, 5});
  CHECK(pool.result == std::vector<std::int32_t>{0, 4, 1, 2, 3});
  CHECK(pool.n_duplicates == 0);
  CHECK(pool.duplicate == -1);
}

TEST_CASE("results that repeat a document of a list are counted, and the first of them is found") {
  const std::vector<std::int32_t> system{0, 1, 1, 0, 1}, query{0, 0, 0, 0, 0}, doc{3, 3, 3, 3, 4};
  const Pool pool = build_pool(system.data(), query.data(), doc.data(), 5, 2);
  CHECK(pool.n_duplicates == 2);
  CHECK(pool.duplicate == 2);
  CHECK(pool.duplicate_of == 1);
}

TEST_CASE("the pairs of a pool equal those collected by std::map, for random results") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t n = 1 + random() % 400;
    std::vector<std::int32_t> system(n), query(n), doc(n);
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> number;
    std::vector<std::int32_t> expected(n);
    for (std::size_t r = 0; r < n; ++r) {
      system[r] = static_cast<std::int32_t>(random() % 5);
      query[r] = static_cast<std::int32_t>(random() % 7);
      doc[r] = static_cast<std::int32_t>(random() % 30);
      const auto key = std::make_pair(query[r], doc[r]);
      expected[r] = number.emplace(key, static_cast<std::int32_t>(number.size())).first->second;
    }
    const Pool pool = build_pool(system.data(), query.data(), doc.data(), n, 5);
    REQUIRE(pool.query.size() == number.size());
    CHECK(match_pairs(pool.query.data(), pool.doc.data(), pool.query.size(), query.data(), doc.data(), n) == expected);
  }
}

TEST_CASE("a pair that is repeated in the pool is matched to its first occurrence") {
  const std::vector<std::int32_t> query{0, 1, 0, 1}, doc{2, 2, 2, 3};
  CHECK(match_pairs(query.data(), doc.data(), 4, query.data(), doc.data(), 4) == std::vector<std::int32_t>{0, 1, 0, 3});
}

TEST_CASE("a pair outside the pool gets the index -1") {
  const std::vector<std::int32_t> query{0, 1}, doc{0, 1}, other_query{0, 1, -1}, other_doc{1, 1, 0};
  CHECK(match_pairs(query.data(), doc.data(), 2, other_query.data(), other_doc.data(), 3) ==
        std::vector<std::int32_t>{-1, 1, -1});
}
