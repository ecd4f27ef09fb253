// Many short texts in one block of memory: a fraction of the memory and time of a string object for
// each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "execution/hash_index.hpp"

namespace judicious {

class Texts {
 public:
  std::size_t size() const { return end_.size() - 1; }
  std::string_view operator[](std::size_t i) const {
    return {bytes_.data() + end_[i], end_[i + 1] - end_[i]};
  }

  void reserve(std::size_t n_texts, std::size_t n_bytes) {
    end_.reserve(n_texts + 1);
    bytes_.reserve(n_bytes);
  }
  void push_back(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    end_.push_back(bytes_.size());
  }
  void append(const Texts& other) {
    const std::size_t before = bytes_.size();
    bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    for (std::size_t i = 0; i < other.size(); ++i) end_.push_back(before + other.end_[i + 1]);
  }

  std::size_t n_bytes() const { return bytes_.size(); }

 private:
  std::vector<char> bytes_;
  std::vector<std::size_t> end_ = {0};  // where each text ends, after the start of the first
};

// Assigns equal codes, from 0 in order of first appearance, to equal texts.
class Interner {
 public:
  // Appends a text that is new to `distinct`. The views must stay valid.
  std::int32_t code_of(std::string_view text, std::vector<std::string_view>& distinct) {
    // Runs repeat their query and system from row to row, so the last code is tried first.
    if (last_ >= 0 && same_text(distinct[static_cast<std::size_t>(last_)], text)) return last_;
    const auto next = static_cast<std::int32_t>(distinct.size());
    last_ = index_.insert(hash_bytes(text), next, [&](std::int32_t code) {
      return same_text(distinct[static_cast<std::size_t>(code)], text);
    });
    if (last_ == next) distinct.push_back(text);
    return last_;
  }

 private:
  HashIndex<HalfHash> index_;
  std::int32_t last_ = -1;
};

}  // namespace judicious
