#include "text/blocks.hpp"

#include <algorithm>
#include <utility>

namespace judicious {
namespace {

// A block that is small enough to stay in the processor's cache while its lines are read.
constexpr std::size_t block_size = std::size_t{1} << 18;

// The number of bytes in complete lines. A carriage return at the very end does not complete a line, because it may be
// the first half of a CRLF.
std::size_t whole_lines(std::string_view bytes) {
  std::size_t end = bytes.rfind('\n');
  if (end == std::string_view::npos && !bytes.empty()) {
    end = bytes.substr(0, bytes.size() - 1).rfind('\r');
  }
  return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace

LineBlocks::LineBlocks(const std::string& path, std::string_view bytes, double limit) : bytes_(bytes), n_left_(limit) {
  if (path.empty()) return;
  file_.reset(std::fopen(path.c_str(), "rb"));
  failed_ = file_ == nullptr;
  // The buffer of the C library is switched off: blocks are large, so it would only add a copy.
  if (!file_) return;
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  if (is_gzipped(file_.get())) gzip_ = std::make_unique<GzipReader>(file_.get());
}

std::size_t LineBlocks::read(char* to, std::size_t size) {
  if (gzip_) {
    const std::size_t got = gzip_->read(to, size);
    n_left_ -= static_cast<double>(got);
    failed_ = failed_ || n_left_ < 0;
    return got;
  }
  if (file_) {
    const std::size_t got = std::fread(to, 1, size, file_.get());
    failed_ = failed_ || std::ferror(file_.get()) != 0;
    return got;
  }
  const std::size_t got = std::min(size, bytes_.size());
  std::copy_n(bytes_.data(), got, to);
  bytes_.remove_prefix(got);
  return got;
}

bool LineBlocks::next(std::string_view& block) {
  std::vector<char> memory;
  if (!spare_.empty()) {
    memory = std::move(spare_.back());
    spare_.pop_back();
  }
  std::size_t used = rest_.size();
  memory.resize(std::max(memory.size(), std::max(block_size, 2 * used) + padding));
  std::copy_n(rest_.data(), used, memory.data());
  std::size_t whole = 0;
  while (whole == 0) {
    if (used + padding == memory.size()) memory.resize(2 * memory.size());
    const std::size_t got = read(memory.data() + used, memory.size() - padding - used);
    used += got;
    whole = got == 0 ? used : whole_lines({memory.data(), used});
    if (got == 0) break;
  }
  if (whole == used) memory[used] = '\n';
  rest_ = {memory.data() + whole, used - whole};
  used_.push_back(std::move(memory));
  block = {used_.back().data(), whole};
  return whole > 0 && !failed();
}

void LineBlocks::free_used_blocks() {
  while (used_.size() > 1) {
    spare_.push_back(std::move(used_.front()));
    used_.pop_front();
  }
}

}  // namespace judicious
