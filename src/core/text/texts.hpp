// Many short texts in one block of memory, and numbers of equal texts.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "execution/hash_index.hpp"

namespace judicious {

// A fraction of the memory and time of a string object for each text.
class Texts {
 public:
  std::size_t size() const { return end_.size() - 1; }
  std::string_view operator[](std::size_t i) const { return {bytes_.data() + end_[i], end_[i + 1] - end_[i]}; }

  void push_back(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    end_.push_back(bytes_.size());
  }

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
