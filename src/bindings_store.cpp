#include <Rcpp.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

// The identity of a file: its device and inode, which differ for another file of the same name, its number of hard
// links, and its size. Empty and 0 if there is no file. On Windows there are no inodes, so the number is 0; they are
// not needed there, because an open file cannot be moved or removed.
// [[Rcpp::export(rng = false)]]
std::vector<std::string> file_identity_cpp(std::string path) {
  struct stat found{};
  if (stat(path.c_str(), &found) != 0) return {"", "0", "0"};
  return {std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino), std::to_string(found.st_nlink),
          std::to_string(found.st_size)};
}

namespace {

using StoreBytes = std::vector<unsigned char>;

std::uint32_t big_endian(const unsigned char* at) {
  return static_cast<std::uint32_t>(at[0]) << 24U | static_cast<std::uint32_t>(at[1]) << 16U |
         static_cast<std::uint32_t>(at[2]) << 8U | at[3];
}

std::uint32_t little_endian(const unsigned char* at) {
  const std::array<unsigned char, 4> turned{at[3], at[2], at[1], at[0]};
  return big_endian(turned.data());
}

// The running checksum of a write-ahead log of SQLite.
struct Checksum {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  bool is_big_endian = false;

  void add(const unsigned char* at, std::size_t size) {
    for (std::size_t i = 0; i + 8 <= size; i += 8) {
      first += (is_big_endian ? big_endian(at + i) : little_endian(at + i)) + second;
      second += (is_big_endian ? big_endian(at + i + 4) : little_endian(at + i + 4)) + first;
    }
  }
  bool matches(const unsigned char* stored) const {
    return first == big_endian(stored) && second == big_endian(stored + 4);
  }
};

constexpr std::size_t wal_header_size = 32;
constexpr std::size_t frame_header_size = 24;

bool read_at(std::ifstream& in, std::uint64_t position, unsigned char* to, std::size_t size) {
  in.clear();
  in.seekg(static_cast<std::streamoff>(position));
  in.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(size));
  return static_cast<std::size_t>(in.gcount()) == size;
}

}  // namespace

// The state that SQLite would recover from a write-ahead log after a crash. `frames`: the number of valid frames up to
// the last commit. `stamp`: the user version and the application id in the header of the database at that commit; NA if
// the log does not contain this page. `before`: the stamp before this one. `kept`: the number of frames up to the
// commit that set `stamp`; later frames without a new stamp may be unfinished, and may be overwritten. `mark`: the
// headers of the log and of the last of these frames, zeros if there is none. If `known`, the result of an earlier
// call, is given, its frames are not read again; `follows` is then false if the log does not contain them any more.
// SQLite's locks are on other files, so reading this file does not release them.
// [[Rcpp::export(rng = false)]]
Rcpp::List wal_tail_cpp(std::string path, Rcpp::Nullable<Rcpp::List> known = R_NilValue) {
  double frames = 0, kept = 0;
  std::array<int, 2> stamp{NA_INTEGER, NA_INTEGER}, before = stamp;
  bool follows = true;
  StoreBytes mark(wal_header_size + frame_header_size);
  const auto result = [&]() {
    return Rcpp::List::create(Rcpp::Named("frames") = frames, Rcpp::Named("kept") = kept,
                              Rcpp::Named("stamp") = Rcpp::IntegerVector(stamp.begin(), stamp.end()),
                              Rcpp::Named("before") = Rcpp::IntegerVector(before.begin(), before.end()),
                              Rcpp::Named("follows") = follows,
                              Rcpp::Named("mark") = Rcpp::RawVector(mark.begin(), mark.end()));
  };
  std::ifstream in(path, std::ios::binary);
  const auto none = [&]() {
    std::fill(mark.begin(), mark.end(), 0);
    return result();
  };
  if (!in || !read_at(in, 0, mark.data(), wal_header_size)) return none();
  const std::uint32_t magic = big_endian(mark.data());
  const std::size_t page_size = big_endian(mark.data() + 8);
  if ((magic & ~1U) != 0x377f0682U || page_size < 512 || page_size > 65536) return none();
  Checksum sum;
  sum.is_big_endian = (magic & 1U) != 0;
  sum.add(mark.data(), 24);
  if (!sum.matches(mark.data() + 24)) return none();
  const StoreBytes header(mark.begin(), mark.begin() + wal_header_size);
  const auto place = [&](double frame) {
    return wal_header_size + static_cast<std::uint64_t>(frame) * (frame_header_size + page_size);
  };
  if (known.isNotNull()) {
    const Rcpp::List earlier(known);
    const Rcpp::RawVector old = earlier["mark"];
    const double n = earlier["kept"];
    std::array<unsigned char, frame_header_size> last{};
    const bool same_log = n > 0 && std::equal(header.begin(), header.end(), old.begin());
    const bool found = same_log && read_at(in, place(n - 1), last.data(), last.size()) &&
                       std::equal(last.begin(), last.end(), old.begin() + wal_header_size);
    follows = found || !same_log;
    if (found) {
      frames = kept = n;
      const Rcpp::IntegerVector last_stamp = earlier["stamp"], stamp_before = earlier["before"];
      stamp = {last_stamp[0], last_stamp[1]};
      before = {stamp_before[0], stamp_before[1]};
      std::copy(last.begin(), last.end(), mark.begin() + wal_header_size);
      sum.first = big_endian(last.data() + 16);
      sum.second = big_endian(last.data() + 20);
    }
  }
  StoreBytes frame(frame_header_size + page_size);
  std::array<int, 2> seen = stamp;
  for (double at = frames; read_at(in, place(at), frame.data(), frame.size()); ++at) {
    if (!std::equal(frame.begin() + 8, frame.begin() + 16, mark.begin() + 16)) break;
    sum.add(frame.data(), 8);
    sum.add(frame.data() + frame_header_size, page_size);
    if (!sum.matches(frame.data() + 16)) break;
    const unsigned char* page = frame.data() + frame_header_size;
    if (big_endian(frame.data()) == 1) {
      seen = {static_cast<int>(big_endian(page + 60)), static_cast<int>(big_endian(page + 68))};
    }
    if (big_endian(frame.data() + 4) == 0) continue;
    frames = at + 1;
    if (seen == stamp) continue;
    kept = frames;
    before = std::exchange(stamp, seen);
    std::copy(frame.begin(), frame.begin() + frame_header_size, mark.begin() + wal_header_size);
  }
  // If another process has started a new log in the meantime, it has first written the header, and then overwritten
  // frames, so the header shows it.
  StoreBytes header_now(wal_header_size);
  if (read_at(in, 0, header_now.data(), header_now.size()) && header_now != header) return wal_tail_cpp(path, known);
  return result();
}

// Whether a write-ahead log has fewer frames than its index states, which means that another program has truncated it.
// The processes that have the database open share the index, and it remains if all of them crash. An index of another
// log, or one that is being written, proves nothing. POSIX releases the locks that this process has on the index when
// any handle of it is closed, so the handle stays open as long as the file exists.
// [[Rcpp::export(rng = false)]]
bool is_log_cut_cpp(std::string path) {
  constexpr std::size_t header_size = 48;
  constexpr std::size_t many_handles = 50;
  struct Handle {
    std::string path;
    std::ifstream in;
  };
  static std::map<std::string, Handle> handles;
  const std::string index_path = path + "-shm";
  const std::string index_file = file_identity_cpp(index_path)[0];
  if (index_file.empty()) return false;
  StoreBytes index(2 * header_size + 4);
#ifdef _WIN32
  std::ifstream in(index_path, std::ios::binary);
#else
  if (handles.size() >= many_handles) {
    for (auto at = handles.begin(); at != handles.end();) {
      at = file_identity_cpp(at->second.path)[0] == at->first ? std::next(at) : handles.erase(at);
    }
  }
  Handle& handle = handles[index_file];
  std::ifstream& in = handle.in;
  if (!in.is_open()) {
    handle.path = index_path;
    in.open(index_path, std::ios::binary);
  }
#endif
  if (!in || !read_at(in, 0, index.data(), index.size())) return false;
  const auto number_at = [&](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, index.data() + at, sizeof value);
    return value;
  };
  const bool is_whole = std::equal(index.begin(), index.begin() + header_size, index.begin() + header_size);
  const std::uint32_t stated = number_at(16);
  if (!is_whole || number_at(0) != 3007000 || number_at(2 * header_size) >= stated) return false;
  const Rcpp::List log = wal_tail_cpp(path + "-wal");
  const Rcpp::RawVector mark = log["mark"];
  const double frames = log["frames"];
  const bool has_header = std::any_of(mark.begin(), mark.begin() + 4, [](Rbyte byte) { return byte != 0; });
  if (has_header && !std::equal(mark.begin() + 16, mark.begin() + 24, index.begin() + 32)) return false;
  if (frames >= stated) return false;
  // The last process that closes the database may also truncate the log. It then changes the index, or deletes it
  // together with the log, so an unchanged index excludes this.
  StoreBytes again(index.size());
  in.clear();
  return read_at(in, 0, again.data(), again.size()) && again == index && file_identity_cpp(index_path)[0] == index_file;
}

namespace {

// Reads a variable-length integer of SQLite. Returns the number of its bytes, or 0 if the bytes end before it does.
std::size_t read_varint(const StoreBytes& bytes, std::size_t at, std::uint64_t& value) {
  value = 0;
  for (std::size_t i = 0; i < 9 && at + i < bytes.size(); ++i) {
    const unsigned char byte = bytes[at + i];
    if (i == 8) {
      value = value << 8U | byte;
      return 9;
    }
    value = value << 7U | (byte & 0x7fU);
    if ((byte & 0x80U) == 0) return i + 1;
  }
  return 0;
}

std::size_t content_size(std::uint64_t type) {
  constexpr std::array<std::size_t, 12> sizes{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
  return type < 12 ? sizes[type] : static_cast<std::size_t>((type - 12) / 2);
}

double number_of(const unsigned char* at, std::uint64_t type) {
  if (type == 8 || type == 9) return static_cast<double>(type - 8);
  const std::size_t size = content_size(type);
  if (size == 0) return NA_REAL;
  std::uint64_t bits = (type != 7 && (at[0] & 0x80U) != 0) ? ~std::uint64_t{0} : 0;
  for (std::size_t i = 0; i < size; ++i) bits = bits << 8U | at[i];
  if (type != 7) return static_cast<double>(static_cast<std::int64_t>(bits));
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// The id of the row whose record begins at `record`. The id precedes the record; the length of the record precedes the
// id. Returns 0 if the bytes before the record do not state this length.
std::uint64_t id_before(const StoreBytes& bytes, std::size_t record, std::uint64_t length) {
  for (std::size_t back = 2; back <= 8 && back <= record; ++back) {
    std::uint64_t stated = 0;
    std::uint64_t id = 0;
    const std::size_t first = read_varint(bytes, record - back, stated);
    if (first == 0 || first >= back || stated != length) continue;
    if (read_varint(bytes, record - back + first, id) == back - first && id > 0 && id < 2147483647U) return id;
  }
  return 0;
}

// Whether the bytes are a time such as "2026-01-31T12:34:56.789Z".
bool is_time(const unsigned char* at) {
  const char* pattern = "0000-00-00T00:00:00.000Z";
  for (std::size_t i = 0; i < 24; ++i) {
    const bool digit = at[i] >= '0' && at[i] <= '9';
    if (pattern[i] == '0' ? !digit : at[i] != static_cast<unsigned char>(pattern[i])) return false;
  }
  return true;
}

}  // namespace

// The rows of the event log in the bytes of a store. All bytes are searched, because the pages that refer to the rows
// may be damaged. A row is a record with an empty first column, a time, and seven further columns; its length and its
// id precede it. Missing texts are NA. Rows that continue on another page are left out; those of judgments are too
// short for that.
// [[Rcpp::export(rng = false)]]
Rcpp::List log_rows_cpp(Rcpp::RawVector raw) {
  const StoreBytes bytes(raw.begin(), raw.end());
  constexpr std::size_t columns = 9;
  constexpr std::array<std::size_t, 6> texts{1, 2, 3, 4, 5, 8};
  std::vector<int> ids;
  std::array<std::vector<double>, 2> numbers;
  std::array<std::vector<Rcpp::RObject>, 6> found;
  for (std::size_t at = 2; at + 36 < bytes.size(); ++at) {
    const std::size_t header = bytes[at];
    if (header < 10 || header > 30 || bytes[at + 1] != 0 || bytes[at + 2] != 61) continue;
    std::array<std::uint64_t, columns> types{};
    std::size_t next = at + 1;
    bool sound = true;
    for (std::size_t column = 0; column < columns && sound; ++column) {
      const std::size_t size = read_varint(bytes, next, types[column]);
      sound = size > 0 && types[column] < 1000000;
      next += size;
    }
    if (!sound || next != at + header || next + 24 > bytes.size() || !is_time(bytes.data() + next)) continue;
    std::size_t length = header;
    for (const std::uint64_t type : types) length += content_size(type);
    if (at + length > bytes.size()) continue;
    for (const std::size_t column : texts)
      sound = sound && (types[column] == 0 || (types[column] >= 13 && types[column] % 2 == 1));
    sound = sound && types[6] < 10 && types[7] < 10;
    const std::uint64_t id = sound ? id_before(bytes, at, length) : 0;
    if (id == 0) continue;
    ids.push_back(static_cast<int>(id));
    for (std::size_t column = 1, k = 0; column < columns; ++column) {
      const std::size_t size = content_size(types[column]);
      if (column == 6 || column == 7) {
        numbers[column - 6].push_back(number_of(bytes.data() + next, types[column]));
      } else {
        const auto* text = reinterpret_cast<const char*>(bytes.data() + next);
        const bool has_zero = std::find(text, text + size, '\0') != text + size;
        found[k++].emplace_back(types[column] == 0 || has_zero ? NA_STRING
                                                               : Rf_mkCharLenCE(text, static_cast<int>(size), CE_UTF8));
      }
      next += size;
    }
    at += length - 1;
  }
  const auto column = [&](std::size_t k) {
    Rcpp::CharacterVector values(static_cast<R_xlen_t>(found[k].size()));
    for (std::size_t i = 0; i < found[k].size(); ++i) SET_STRING_ELT(values, static_cast<R_xlen_t>(i), found[k][i]);
    return values;
  };
  return Rcpp::List::create(
      Rcpp::Named("id") = ids, Rcpp::Named("time") = column(0), Rcpp::Named("assessor") = column(1),
      Rcpp::Named("kind") = column(2), Rcpp::Named("query") = column(3), Rcpp::Named("doc") = column(4),
      Rcpp::Named("gain") = numbers[0], Rcpp::Named("seconds") = numbers[1], Rcpp::Named("detail") = column(5));
}
