#include <map>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "execution/hash_index.hpp"

using namespace judicious;

TEST_CASE("a growing hash index of names finds the same entries as std::map") {
  std::mt19937 random(3);
  std::map<std::string, std::int32_t> expected;
  std::vector<std::string> names;
  HashIndex<HalfHash> index;
  for (int i = 0; i < 20000; ++i) {
    const std::string name = std::string(random() % 20, 'x') + std::to_string(random() % 5000);
    const auto next = static_cast<std::int32_t>(names.size());
    const auto same = [&](std::int32_t p) { return names[static_cast<std::size_t>(p)] == name; };
    const std::int32_t known = index.find(hash_bytes(name), same);
    const auto [entry, is_new] = expected.emplace(name, next);
    REQUIRE(known == (is_new ? HashIndex<HalfHash>::none : entry->second));
    REQUIRE(index.insert(hash_bytes(name), next, same) == entry->second);
    if (is_new) names.push_back(name);
  }
  index.clear(4);
  CHECK(index.find(hash_bytes(names[0]), [](std::int32_t) { return true; }) == -1);
}

TEST_CASE("different keys with equal hashes are distinguished, and inserting into a full table throws") {
  HashIndex<NoHash> index(4);
  for (std::int32_t key = 0; key < 7; ++key) {
    CHECK(index.insert(9, key, [&](std::int32_t p) { return p == key; }) == key);
  }
  for (std::int32_t key = 0; key < 7; ++key) {
    CHECK(index.find(9, [&](std::int32_t p) { return p == key; }) == key);
  }
  CHECK_THROWS_AS(index.insert(9, 7, [](std::int32_t) { return false; }), std::logic_error);
}

TEST_CASE("texts that differ in length, in the last byte or in the order of words have different hashes") {
  CHECK(hash_bytes("") != hash_bytes(std::string(1, '\0')));
  CHECK(hash_bytes("abcdefgh1") != hash_bytes("abcdefgh2"));
  CHECK(hash_bytes("12345678abcdefgh") != hash_bytes("abcdefgh12345678"));
  CHECK(hash_pair(1, 2) != hash_pair(2, 1));
}

TEST_CASE("texts of up to eight bytes are packed into different integers if one byte differs") {
  for (std::size_t size = 1; size <= 8; ++size) {
    const std::string text = std::string("abcdefgh").substr(0, size);
    for (std::size_t i = 0; i < size; ++i) {
      std::string other = text;
      other[i] = 'x';
      CHECK(short_word(text.data(), size) != short_word(other.data(), size));
    }
  }
  CHECK(short_word("", 0) == 0);
}

TEST_CASE("an empty Bloom filter contains no hash, also after clear()") {
  std::mt19937_64 random(5);
  HashFilter filter(1000);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 1000; ++i) CHECK_FALSE(filter.may_have(random()));
    for (int i = 0; i < 1000; ++i) filter.insert(random());
    filter.clear(1000);
  }
}
