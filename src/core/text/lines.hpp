// Lines and fields of a delimited text, as views into its bytes.
#pragma once
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

namespace judicious {

// White space within a line.
inline bool is_blank(char c) {
  return static_cast<unsigned char>(c) <= ' ' && (c == ' ' || c == '\t' || c == '\v' || c == '\f');
}

inline std::string_view trimmed(std::string_view field) {
  while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
  while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
  return field;
}

// Walks over the lines of a text, which end in LF, CRLF or CR.
class Lines {
 public:
  explicit Lines(std::string_view bytes)
      : at_(bytes.data()), end_(at_ + bytes.size()), feed_(find('\n')), carriage_(find('\r')) {}

  // False at the end of the text.
  bool next(std::string_view& line) {
    if (at_ == end_) return false;
    if (feed_ < at_) feed_ = find('\n');
    if (carriage_ < at_) carriage_ = find('\r');
    const char* stop = feed_ < carriage_ ? feed_ : carriage_;
    line = std::string_view(at_, static_cast<std::size_t>(stop - at_));
    at_ = stop;
    if (at_ < end_) at_ += at_ == carriage_ && at_ + 1 == feed_ && feed_ < end_ ? 2 : 1;
    ++number_;
    return true;
  }

  // The number of the line that next() gave last, from 1.
  std::size_t number() const { return number_; }

 private:
  // Where the mark comes next; the end where it does not.
  const char* find(char mark) const {
    if (at_ == end_) return end_;
    const void* found = std::memchr(at_, mark, static_cast<std::size_t>(end_ - at_));
    return found == nullptr ? end_ : static_cast<const char*>(found);
  }

  const char* at_;
  const char* end_;
  const char* feed_;
  const char* carriage_;
  std::size_t number_ = 0;
};

// Takes the first field between white space off the line; empty where there is none left.
inline std::string_view take_field(std::string_view& line) {
  const char* at = line.data();
  const char* const end = at + line.size();
  while (at < end && is_blank(*at)) ++at;
  const char* const start = at;
  while (at < end && !is_blank(*at)) ++at;
  line = std::string_view(at, static_cast<std::size_t>(end - at));
  return std::string_view(start, static_cast<std::size_t>(at - start));
}

enum class Separator { whitespace, tab, comma };

// Cuts a line into its fields. Between commas, a field in double quotes may contain commas; its
// doubled quotes are left as they are.
void split_line(std::string_view line, Separator separator, std::vector<std::string_view>& fields);

}  // namespace judicious
