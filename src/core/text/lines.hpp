// Lines and fields of a delimited text, which are views of its bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace judicious {

// White space within a line.
inline bool is_blank(char c) {
  return static_cast<unsigned char>(c) <= ' ' && (c == ' ' || c == '\t' || c == '\v' || c == '\f');
}

// A bit for each of 64 bytes, which must be readable: whether the byte is a blank, a line end or a control character.
inline std::uint64_t low_bytes(const char* at) {
  std::uint64_t bits = 0;
#if defined(__SSE2__)
  const __m128i blank = _mm_set1_epi8(' ');
  for (std::ptrdiff_t i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i));
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, blank), bytes);
    bits |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(low))) << (16 * i);
  }
#else
  for (int i = 0; i < 64; ++i) bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(at[i]) <= ' ') << i;
#endif
  return bits;
}

// The position of the lowest bit that is set; at least one must be.
inline std::size_t lowest_bit(std::uint64_t bits) {
#if defined(__GNUC__)
  return __builtin_ctzll(bits);
#else
  std::size_t at = 0;
  while ((bits >> at & 1) == 0) ++at;
  return at;
#endif
}

inline std::string_view trimmed(std::string_view field) {
  while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
  while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
  return field;
}

// Whether a line starts like a comment of trec_eval from version 10 on. Data lines whose first identifier starts with #
// do, too.
inline bool starts_comment(std::string_view line) {
  const std::string_view text = trimmed(line);
  return !text.empty() && text.front() == '#';
}

// Iterates over the lines of a text, which end in LF, CRLF or CR.
class Lines {
 public:
  explicit Lines(std::string_view bytes)
      : at_(bytes.data()), end_(at_ + bytes.size()), feed_(find('\n')), carriage_(find('\r')) {}

  // Continues with another text. The numbers of lines continue, too.
  void continue_with(std::string_view bytes) {
    const std::size_t before = number_;
    *this = Lines(bytes);
    number_ = before;
  }

  // Gets the next line; false at the end of the text.
  bool next(std::string_view& line) {
    if (at_ == end_) return false;
    if (feed_ < at_) feed_ = find('\n');
    if (carriage_ < at_) carriage_ = find('\r');
    const char* stop = feed_ < carriage_ ? feed_ : carriage_;
    line = std::string_view(at_, stop - at_);
    at_ = stop;
    if (at_ < end_) at_ += at_ == carriage_ && at_ + 1 == feed_ && feed_ < end_ ? 2 : 1;
    ++number_;
    return true;
  }

  // The text after the current line. continue_after() continues after a line that the caller has read from there.
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  void continue_after(const char* next) {
    at_ = next;
    ++number_;
  }

  // The number of the line that next() returned last, from 1.
  std::size_t number() const { return number_; }

 private:
  // The next position of the mark; the end if there is none.
  const char* find(char mark) const {
    if (at_ == end_) return end_;
    const void* found = std::memchr(at_, mark, end_ - at_);
    return found == nullptr ? end_ : static_cast<const char*>(found);
  }

  const char* at_;
  const char* end_;
  const char* feed_;
  const char* carriage_;
  std::size_t number_ = 0;
};

// Removes the first field from a line whose fields are separated by white space, and returns it; empty if the line has
// no more fields.
inline std::string_view take_field(std::string_view& line) {
  const char* at = line.data();
  const char* const end = at + line.size();
  while (at < end && is_blank(*at)) ++at;
  const char* const start = at;
  while (at < end && !is_blank(*at)) ++at;
  line = std::string_view(at, end - at);
  return std::string_view(start, at - start);
}

enum class Separator { whitespace, tab, comma, semicolon };

// How a line is split into fields. If the separator is a comma or a semicolon, a field in double quotes may contain
// separators and line ends; doubled quotes in it are not changed.
struct FieldFormat {
  Separator separator = Separator::whitespace;
  // The number of the field that consists of the rest of its line, including separators; 0 for none.
  std::size_t rest_field = 0;

  bool has_quotes() const { return separator == Separator::comma || separator == Separator::semicolon; }
  // The separator, if it is not white space.
  char mark() const { return separator == Separator::tab ? '\t' : separator == Separator::comma ? ',' : ';'; }
};

// Splits a line into fields, which are appended to `fields`. Returns the start of a quoted field that does not end in
// the line, or nullptr.
const char* split_line(std::string_view line, const FieldFormat& format, std::vector<std::string_view>& fields);

// Splits the line that starts at `at` into `n` fields, if it is a usual line: it has less than 64 bytes, a single
// separator after each field (or a blank or a tab if `any_blank`), and a line feed at the end. Returns the position
// after the line feed, or nullptr for other lines. 64 bytes must be readable.
inline const char* split_plain_line(const char* at, std::size_t n, bool any_blank, std::string_view* field) {
  std::uint64_t ends = low_bytes(at);
  std::size_t start = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (ends == 0) return nullptr;
    const std::size_t end = lowest_bit(ends);
    const char mark = at[end];
    const bool expected = i + 1 == n ? mark == '\n' : mark == '\t' || (any_blank && mark == ' ');
    if (end == start || !expected) return nullptr;
    field[i] = {at + start, end - start};
    ends &= ends - 1;
    start = end + 1;
  }
  return at + start;
}

// The length of a quoted field, including its quotes. npos if the closing quote is missing. 0 if text follows the
// closing quote, because the quotes then belong to the text.
std::size_t quoted_length(std::string_view text, char mark = ',');

// Whether bytes are text: UTF-8 without a zero byte.
bool is_text(std::string_view bytes);

}  // namespace judicious
