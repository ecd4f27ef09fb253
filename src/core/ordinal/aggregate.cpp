#include "aggregate.hpp"

#include <cstring>

#include "execution/hash_index.hpp"

namespace judicious::ordinal {
namespace {

constexpr Eigen::Index least_rows = 2048, tried_rows = 512;

std::uint64_t mixed(std::uint64_t hash, double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return mix_bits(hash ^ bits) * 0x9E3779B97F4A7C15ULL;
}

bool same_row(const PomInput& in, Eigen::Index a, Eigen::Index b) {
  if (in.category[a] != in.category[b]) return false;
  if (in.offset != nullptr && in.offset[a] != in.offset[b]) return false;
  for (Eigen::Index k = 0; k < in.x.cols(); ++k) {
    if (in.x(a, k) != in.x(b, k)) return false;
  }
  return true;
}

// Numbers distinct rows in order of first appearance.
class RowNumbers {
 public:
  RowNumbers(const PomInput& in, Eigen::Index most)
      : in_(in), most_(static_cast<std::size_t>(most)), index_(most_ + 1) {}

  // -1 if the row is new and there are too many already.
  std::int32_t add(Eigen::Index row, std::uint64_t hash) {
    const auto next = static_cast<std::int32_t>(first_.size());
    const std::int32_t number = index_.insert(hash, next, [&](std::int32_t other) {
      return same_row(in_, first_[static_cast<std::size_t>(other)], row);
    });
    if (number < next) return number;
    if (first_.size() >= most_) return -1;
    first_.push_back(row);
    return number;
  }

  const std::vector<Eigen::Index>& first() const { return first_; }

 private:
  const PomInput& in_;
  std::size_t most_;
  HashIndex<NoHash> index_;
  std::vector<Eigen::Index> first_;
};

// Hashes of `count` rows, `step` apart.
std::vector<std::uint64_t> row_hashes(const PomInput& in, Eigen::Index count, Eigen::Index step) {
  std::vector<std::uint64_t> out(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i) * step;
    out[i] = mixed(0, static_cast<double>(in.category[row]));
    if (in.offset != nullptr) out[i] = mixed(out[i], in.offset[row]);
  }
  for (Eigen::Index k = 0; k < in.x.cols(); ++k) {
    const double* x = in.x.col(k).data();
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = mixed(out[i], x[static_cast<Eigen::Index>(i) * step]);
  }
  return out;
}

bool looks_repetitive(const PomInput& in) {
  const Eigen::Index step = in.x.rows() / tried_rows;
  const std::vector<std::uint64_t> hash = row_hashes(in, tried_rows, step);
  RowNumbers table(in, tried_rows / 2);
  for (std::size_t i = 0; i < hash.size(); ++i) {
    if (table.add(static_cast<Eigen::Index>(i) * step, hash[i]) < 0) return false;
  }
  return true;
}

}  // namespace

PomInput DistinctRows::input() const {
  return {Eigen::Map<const Eigen::MatrixXd>(x.data(), x.rows(), x.cols()), category.data(),
          weight.data(), offset.empty() ? nullptr : offset.data(), n_categories};
}

std::optional<DistinctRows> distinct_rows(const PomInput& in) {
  const Eigen::Index n = in.x.rows();
  if (n < least_rows || !looks_repetitive(in)) return std::nullopt;
  const std::vector<std::uint64_t> hash = row_hashes(in, n, 1);
  RowNumbers table(in, n / 4);
  DistinctRows out;
  out.n_categories = in.n_categories;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (in.weight != nullptr && !(in.weight[i] > 0)) continue;
    const std::int32_t number = table.add(i, hash[static_cast<std::size_t>(i)]);
    if (number < 0) return std::nullopt;
    if (static_cast<std::size_t>(number) == out.weight.size()) out.weight.push_back(0);
    out.weight[static_cast<std::size_t>(number)] += in.weight != nullptr ? in.weight[i] : 1;
  }
  const std::vector<Eigen::Index>& first = table.first();
  const auto n_distinct = static_cast<Eigen::Index>(first.size());
  out.x.resize(n_distinct, in.x.cols());
  for (Eigen::Index r = 0; r < n_distinct; ++r) {
    const Eigen::Index from = first[static_cast<std::size_t>(r)];
    out.x.row(r) = in.x.row(from);
    out.category.push_back(in.category[from]);
    if (in.offset != nullptr) out.offset.push_back(in.offset[from]);
  }
  return out;
}

}  // namespace judicious::ordinal
