// A set of hashes that finds most absent keys with one bit, before a hash table is searched: its
// bits stay in the processor's cache, and the answer is nearly always the same.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace judicious {

class HashFilter {
 public:
  explicit HashFilter(std::size_t expected = 0) { clear(expected); }

  // Empties the set and makes it large enough for `expected` hashes.
  void clear(std::size_t expected) {
    std::size_t words = 1;
    while (4 * words < expected) words *= 2;  // 16 to 32 bits per hash
    words_.assign(words, 0);
  }

  // Whether a hash like this one was inserted: certainly not, or probably. Uses the upper half of
  // the hash, as the hash tables do.
  bool may_have(std::uint64_t hash) const { return (words_[word_of(hash)] >> bit_of(hash) & 1) != 0; }

  // Returns what may_have() would have returned before.
  bool insert(std::uint64_t hash) {
    std::uint64_t& word = words_[word_of(hash)];
    const bool had = (word >> bit_of(hash) & 1) != 0;
    word |= std::uint64_t{1} << bit_of(hash);
    return had;
  }

 private:
  std::size_t word_of(std::uint64_t hash) const { return (hash >> 38) & (words_.size() - 1); }
  static unsigned bit_of(std::uint64_t hash) { return static_cast<unsigned>(hash >> 32) & 63; }

  std::vector<std::uint64_t> words_;
};

}  // namespace judicious
