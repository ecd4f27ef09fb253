#include "text/texts.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "execution/interrupt.hpp"

namespace judicious {
namespace {

std::size_t n_words(std::size_t n_bytes) { return (n_bytes + 7) / 8; }

}  // namespace

// Each search depends on two loads from memory: of a slot of the index, and of the text that it
// refers to. They are started some searches ahead, the second when the first has arrived, so that
// several searches wait for memory at the same time.
CodedTexts::CodedTexts(const JoinedTexts& texts) {
  HashIndex<HalfHash> index;
  const std::size_t n = texts.size();
  code_.reserve(n);
  constexpr std::size_t ahead = HashIndex<HalfHash>::ahead;
  // Of the next texts, by their numbers modulo its size.
  std::array<std::uint64_t, 2 * ahead> hashes{};
  for (std::size_t i = 0; i < n + ahead; ++i) {
    check_interrupt_at(i, std::size_t{1} << 18);
    if (i < n) {
      hashes[i % hashes.size()] = hash_bytes(texts[i]);
      index.prefetch(hashes[i % hashes.size()]);
    }
    if (i < ahead) continue;
    const std::size_t soon = std::min(i - ahead / 2, n - 1);
    const std::int32_t likely = index.peek(hashes[soon % hashes.size()]);
    if (likely >= 0) prefetch_line(&words_[likely]);
    const std::string_view own = texts[i - ahead];
    const auto next = static_cast<std::int32_t>(words_.size());
    const std::int32_t place = index.insert(hashes[(i - ahead) % hashes.size()], next,
                                            [&](std::int32_t other) { return same_text(text(other), own); });
    if (place == next) store(own);
    code_.push_back(entry(place).code);
  }
}

std::vector<std::string_view> CodedTexts::distinct() const {
  std::vector<std::string_view> out;
  out.reserve(n_distinct_);
  for (std::size_t at = 0; at < words_.size(); at += 1 + n_words(out.back().size()))
    out.push_back(text(static_cast<std::int32_t>(at)));
  return out;
}

CodedTexts::Entry CodedTexts::entry(std::int32_t place) const {
  Entry out;
  std::memcpy(&out, &words_[place], sizeof out);
  return out;
}

std::string_view CodedTexts::text(std::int32_t place) const {
  const char* const bytes = reinterpret_cast<const char*>(words_.data() + place + 1);
  return {bytes, static_cast<std::size_t>(entry(place).size)};
}

void CodedTexts::store(std::string_view text) {
  const std::size_t at = words_.size();
  const std::size_t size = at + 1 + n_words(text.size());
  if (size > std::numeric_limits<std::int32_t>::max())
    throw std::length_error("The distinct identifiers have more than 16 GB.");
  words_.resize(size);
  const Entry entry{static_cast<std::int32_t>(text.size()), n_distinct_++};
  std::memcpy(&words_[at], &entry, sizeof entry);
  std::memcpy(words_.data() + at + 1, text.data(), text.size());
}

}  // namespace judicious
