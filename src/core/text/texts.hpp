// Many short texts in one block of memory: a fraction of the memory and time of a string object for each.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "execution/hash_index.hpp"

namespace judicious {

class Texts {
 public:
  std::size_t size() const { return end_.size() - 1; }
  std::string_view operator[](std::size_t i) const { return {bytes_.data() + end_[i], end_[i + 1] - end_[i]}; }

  void reserve(std::size_t n_texts, std::size_t n_bytes) {
    end_.reserve(n_texts + 1);
    bytes_.reserve(n_bytes);
  }
  void push_back(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    end_.push_back(bytes_.size());
  }

  std::size_t n_bytes() const { return bytes_.size() + end_.size() * sizeof(std::size_t); }

 private:
  std::vector<char> bytes_;
  std::vector<std::size_t> end_ = {0};  // where each text ends, after the start of the first
};

// Blocks of texts, one after another. Several sequences may share a block, so that joining sequences copies no text.
class JoinedTexts {
 public:
  JoinedTexts() = default;
  explicit JoinedTexts(Texts&& texts) { push_back(std::make_shared<Texts>(std::move(texts))); }

  std::size_t size() const { return start_.back(); }

  std::string_view operator[](std::size_t i) const {
    const auto after = std::upper_bound(start_.begin() + 1, start_.end() - 1, i);
    const auto block = static_cast<std::size_t>(after - start_.begin()) - 1;
    return (*block_[block])[i - start_[block]];
  }

  // The memory of all blocks, also of shared ones.
  std::size_t n_bytes() const {
    std::size_t sum = 0;
    for (const auto& block : block_) sum += block->n_bytes();
    return sum;
  }

  void append(const JoinedTexts& other) {
    for (const auto& block : other.block_) push_back(block);
  }

 private:
  void push_back(std::shared_ptr<const Texts> block) {
    start_.push_back(start_.back() + block->size());
    block_.push_back(std::move(block));
  }

  std::vector<std::shared_ptr<const Texts>> block_;
  std::vector<std::size_t> start_ = {0};  // the first text of each block, and the number of texts
};

// A code for each text, from 0 in order of first appearance, such that equal texts have equal codes.
class CodedTexts {
 public:
  explicit CodedTexts(const JoinedTexts& texts);

  const std::vector<std::int32_t>& code() const { return code_; }

  // Views into this object.
  std::vector<std::string_view> distinct() const;

 private:
  struct Entry {
    std::int32_t size, code;
  };
  Entry entry(std::int32_t place) const;
  std::string_view text(std::int32_t place) const;
  void store(std::string_view text);

  std::vector<std::int32_t> code_;
  // Of each distinct text, its entry and its bytes. A search needs both, so they lie side by side.
  std::vector<std::uint64_t> words_;
  std::int32_t n_distinct_ = 0;
};

// Assigns equal codes, from 0 in order of first appearance, to equal texts.
class Interner {
 public:
  // Appends a text that is new to `distinct`. The views must stay valid.
  std::int32_t code_of(std::string_view text, std::vector<std::string_view>& distinct) {
    // Runs repeat their query and system from row to row, so the last code is tried first.
    if (last_ >= 0 && same_text(distinct[last_], text)) return last_;
    const auto next = static_cast<std::int32_t>(distinct.size());
    last_ = index_.insert(hash_bytes(text), next, [&](std::int32_t code) { return same_text(distinct[code], text); });
    if (last_ == next) distinct.push_back(text);
    return last_;
  }

  // Loads what code_of() needs for the text.
  void prefetch(std::string_view text) const { index_.prefetch(hash_bytes(text)); }

 private:
  HashIndex<HalfHash> index_;
  std::int32_t last_ = -1;
};

}  // namespace judicious
