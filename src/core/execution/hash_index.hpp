// The core's hash table. It uses open addressing, and maps the hash of a key to the position at which the caller stores
// the key.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace judicious {

inline std::uint64_t mix_bits(std::uint64_t a) {
  a ^= a >> 32;
  a *= 0xd6e8feb86659fd93ULL;
  return a ^ (a >> 29);
}

// Converts up to eight bytes to a number that differs for different texts of the same length. Loads
// of a fixed size, which may overlap, are much faster than copies of variable size.
inline std::uint64_t short_word(const char* text, std::size_t size) {
  if (size >= 4) {
    std::uint32_t first = 0, last = 0;
    std::memcpy(&first, text, 4);
    std::memcpy(&last, text + size - 4, 4);
    return first | static_cast<std::uint64_t>(last) << 32;
  }
  if (size == 0) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])); };
  return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
}

inline std::uint64_t hash_bytes(std::string_view text) {
  std::uint64_t h = 0x9e3779b97f4a7c15ULL ^ text.size();
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t word = 0;
  for (; left > 8; at += 8, left -= 8) {
    std::memcpy(&word, at, 8);
    h = (h ^ word) * 0x9fb21c651e98df25ULL;
    h ^= h >> 32;
  }
  return mix_bits((h ^ short_word(at, left)) * 0x9fb21c651e98df25ULL);
}

// Whether two texts are equal. It is written out because identifiers in files are so short that a call of memcmp()
// would take longer.
inline bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const char *x = a.data(), *y = b.data();
  std::size_t left = a.size();
  for (; left > 8; x += 8, y += 8, left -= 8) {
    if (std::memcmp(x, y, 8) != 0) return false;
  }
  return short_word(x, left) == short_word(y, left);
}

inline std::uint64_t hash_pair(std::int32_t a, std::int32_t b) {
  return mix_bits(((static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32) | static_cast<std::uint32_t>(b)) *
                  0x9e3779b97f4a7c15ULL);
}

// Starts to load the cache line at `place`.
inline void prefetch_line([[maybe_unused]] const void* place) {
#if defined(__GNUC__)
  __builtin_prefetch(place);
#endif
}

// The data that a slot stores in addition to the position. HalfHash stores half of the hash, for keys that are slow to
// compare and for tables that grow. NoHash stores nothing, which halves the memory; the table must then be made large
// enough at the start.
struct HalfHash {
  static constexpr bool stored = true;
  std::uint32_t half = 0;
  bool fits(std::uint32_t other) const { return half == other; }
};
struct NoHash {
  static constexpr bool stored = false;
  bool fits(std::uint32_t) const { return true; }
};

template <typename Stored>
class HashIndex {
 public:
  static constexpr std::int32_t none = -1;
  // The number of keys by which a loop should call prefetch() in advance: loading a slot of a large table takes as long
  // as several searches.
  static constexpr std::size_t ahead = 16;

  explicit HashIndex(std::size_t expected = 0) { clear(expected); }

  // Empties the table and makes it large enough for `expected` keys.
  void clear(std::size_t expected) {
    std::size_t size = 8;
    while (size < 2 * expected) size *= 2;
    slots_.assign(size, Slot());
    count_ = 0;
  }

  // The position of the key, or `none`. same(position) returns whether the key there is equal.
  template <typename Same>
  std::int32_t find(std::uint64_t hash, Same&& same) const {
    return slots_[slot_of(half_of(hash), same)].position;
  }

  // Starts to load the slot at which a search for the hash begins.
  void prefetch(std::uint64_t hash) const { prefetch_line(&first_slot(hash)); }

  // The position in the slot at which a search begins, which is usually the result of the search; or `none`.
  std::int32_t peek(std::uint64_t hash) const { return first_slot(hash).position; }

  // The position of an equal key. If there is none, stores `position`, and returns it.
  template <typename Same>
  std::int32_t insert(std::uint64_t hash, std::int32_t position, Same&& same) {
    Slot& slot = slots_[slot_of(half_of(hash), same)];
    if (slot.position != none) return slot.position;
    fill(slot, half_of(hash), position);
    if (2 * ++count_ > slots_.size()) grow();
    return position;
  }

 private:
  struct Slot : Stored {
    std::int32_t position = none;
  };

  const Slot& first_slot(std::uint64_t hash) const { return slots_[half_of(hash) & (slots_.size() - 1)]; }

  static std::uint32_t half_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  template <typename Same>
  std::size_t slot_of(std::uint32_t half, Same&& same) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = half & mask;
    while (slots_[at].position != none && !(slots_[at].fits(half) && same(slots_[at].position))) {
      at = (at + 1) & mask;
    }
    return at;
  }

  static void fill(Slot& slot, std::uint32_t half, std::int32_t position) {
    if constexpr (Stored::stored) slot.half = half;
    slot.position = position;
  }

  void grow() {
    if constexpr (Stored::stored) {
      std::vector<Slot> before(2 * slots_.size());
      before.swap(slots_);
      for (const Slot& slot : before) {
        if (slot.position == none) continue;
        fill(slots_[slot_of(slot.half, [](std::int32_t) { return false; })], slot.half, slot.position);
      }
    } else if (count_ == slots_.size()) {
      throw std::logic_error("A hash table that keeps no hashes cannot grow.");
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

// Calls use(i, hash_of(i)) for i from 0 to n - 1. Slots of the table are loaded some keys in advance, so that the
// memory accesses of several searches overlap.
template <typename Stored, typename HashOf, typename Use>
void for_each_hash(const HashIndex<Stored>& index, std::size_t n, HashOf&& hash_of, Use&& use) {
  constexpr std::size_t ahead = HashIndex<Stored>::ahead;
  std::array<std::uint64_t, ahead> hashes{};  // ring buffer of the hashes whose slots are being loaded
  for (std::size_t i = 0; i < n + ahead; ++i) {
    const std::uint64_t due = hashes[i % ahead];
    if (i < n) {
      hashes[i % ahead] = hash_of(i);
      index.prefetch(hashes[i % ahead]);
    }
    if (i >= ahead) use(i - ahead, due);
  }
}

// A Bloom filter with one bit per hash: it recognises most absent keys before a hash table is searched. Its bits stay
// in the processor's cache, and branches on the result are well predicted, because it is nearly always the same.
class HashFilter {
 public:
  explicit HashFilter(std::size_t expected = 0) { clear(expected); }

  // Empties the set and makes it large enough for `expected` hashes.
  void clear(std::size_t expected) {
    std::size_t words = 1;
    while (4 * words < expected) words *= 2;  // 16 to 32 bits per hash
    words_.assign(words, 0);
  }

  // False if no hash like this one was inserted; true if probably this one was. The upper half of the hash is used, as
  // in the hash tables.
  bool may_have(std::uint64_t hash) const { return (words_[word_of(hash)] >> bit_of(hash) & 1) != 0; }

  // Inserts a hash, and returns the value that may_have() had before.
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
