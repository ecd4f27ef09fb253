// Many short texts in one block of memory, and codes of equal texts.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "execution/hash_index.hpp"

namespace judicious {

// Texts that take a fraction of the memory and time of string objects.
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
  std::vector<std::size_t> end_ = {0};  // the end of each text, after a 0 for the start of the first
};

// Assigns equal codes, from 0 in order of first appearance, to equal texts.
class Interner {
 public:
  // The code of a text. A new text is appended to `distinct`. The bytes of the texts must stay valid.
  std::int32_t code_of(std::string_view text, std::vector<std::string_view>& distinct) {
    // In runs, the query and the system are usually the same as in the previous row, so the last code is tried first.
    if (last_ >= 0 && same_text(distinct[last_], text)) return last_;
    const auto next = static_cast<std::int32_t>(distinct.size());
    last_ = index_.insert(hash_bytes(text), next, [&](std::int32_t code) { return same_text(distinct[code], text); });
    if (last_ == next) distinct.push_back(text);
    return last_;
  }

  // Starts to load the data that code_of() requires for the text.
  void prefetch(std::string_view text) const { index_.prefetch(hash_bytes(text)); }

 private:
  HashIndex<HalfHash> index_;
  std::int32_t last_ = -1;
};

}  // namespace judicious
