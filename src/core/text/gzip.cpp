#include "text/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "execution/interrupt.hpp"

namespace judicious {

std::uint32_t crc32(std::string_view bytes) {
  constexpr std::size_t most = std::numeric_limits<uInt>::max();
  uLong value = 0;
  while (!bytes.empty()) {
    const std::size_t n = std::min(bytes.size(), most);
    value = ::crc32(value, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(n));
    bytes.remove_prefix(n);
  }
  return static_cast<std::uint32_t>(value);
}

bool unpacks_beyond(std::string_view packed, std::size_t limit) {
  z_stream state{};
  if (inflateInit(&state) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&state, inflateEnd);
  std::array<unsigned char, std::size_t{1} << 16> output{};
  std::size_t unpacked = 0;
  int status = Z_OK;
  while (status == Z_OK && unpacked <= limit && (!packed.empty() || state.avail_in > 0)) {
    if (state.avail_in == 0) {
      const std::size_t n = std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max());
      state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
      state.avail_in = static_cast<uInt>(n);
      packed.remove_prefix(n);
    }
    state.next_out = output.data();
    state.avail_out = static_cast<uInt>(output.size());
    status = inflate(&state, Z_NO_FLUSH);
    unpacked += output.size() - state.avail_out;
    check_interrupt();
  }
  return unpacked > limit;
}

bool is_gzipped(std::FILE* file) {
  unsigned char start[2] = {0, 0};
  const bool read = std::fread(start, 1, 2, file) == 2;
  std::rewind(file);
  return read && start[0] == 0x1f && start[1] == 0x8b;
}

struct GzipReader::Stream {
  explicit Stream(std::FILE* from) : file(from) {
    // A window of 2^15 bytes; adding 16 selects the format of gzip.
    if (inflateInit2(&state, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Stream() { inflateEnd(&state); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Reads more input; false at the end of the file.
  bool fill() {
    if (state.avail_in > 0) return true;
    state.avail_in = static_cast<uInt>(std::fread(input.data(), 1, input.size(), file));
    state.next_in = input.data();
    return state.avail_in > 0;
  }

  std::FILE* file;
  z_stream state{};
  std::array<unsigned char, std::size_t{1} << 16> input{};
  bool in_member = true;  // true at the start, so that an empty file, which has no member, counts as damaged
};

GzipReader::GzipReader(std::FILE* file) : stream_(std::make_unique<Stream>(file)) {}
GzipReader::~GzipReader() = default;

std::size_t GzipReader::read(char* to, std::size_t size) {
  z_stream& state = stream_->state;
  size = std::min<std::size_t>(size, std::numeric_limits<uInt>::max());
  state.next_out = reinterpret_cast<Bytef*>(to);
  state.avail_out = static_cast<uInt>(size);
  while (state.avail_out > 0 && !damaged_) {
    if (!stream_->fill()) {
      damaged_ = stream_->in_member;
      break;
    }
    if (!stream_->in_member) {
      inflateReset(&state);
      stream_->in_member = true;
    }
    const int status = inflate(&state, Z_NO_FLUSH);
    if (status == Z_STREAM_END)
      stream_->in_member = false;
    else
      damaged_ = status != Z_OK;
  }
  return damaged_ ? 0 : size - state.avail_out;
}

}  // namespace judicious
