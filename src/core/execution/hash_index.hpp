// The core's hash table: open addressing from the hash of a key to the position of the key in
// storage of the caller.
#pragma once
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

inline std::uint64_t hash_bytes(std::string_view text) {
  std::uint64_t h = 0x9e3779b97f4a7c15ULL ^ text.size();
  std::size_t at = 0;
  std::uint64_t word = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::memcpy(&word, text.data() + at, 8);
    h = mix_bits(h ^ word) * 0x9fb21c651e98df25ULL;
  }
  word = 0;
  if (at < text.size()) std::memcpy(&word, text.data() + at, text.size() - at);
  return mix_bits(mix_bits(h ^ word) * 0x9fb21c651e98df25ULL);
}

inline std::uint64_t hash_pair(std::int32_t a, std::int32_t b) {
  return mix_bits(((static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32) |
                   static_cast<std::uint32_t>(b)) *
                  0x9e3779b97f4a7c15ULL);
}

// What a slot stores in addition to the position: half of the hash, for keys that are slow to
// compare and for tables that grow, or nothing, which halves the memory.
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

  // The position of an equal key; without one, stores and returns `position`.
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

  static std::uint32_t half_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> 32);
  }

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
        fill(slots_[slot_of(slot.half, [](std::int32_t) { return false; })], slot.half,
             slot.position);
      }
    } else if (count_ == slots_.size()) {
      throw std::logic_error("A hash table that keeps no hashes cannot grow.");
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace judicious
