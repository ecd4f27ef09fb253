// Columns of numbers that can be joined without copying them: those of several tables lie one after
// another in a block of memory, as far as it is large enough.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>

namespace judicious {

struct NumberBlock {
  std::shared_ptr<double[]> numbers;
  std::size_t size = 0, capacity = 0;
};

// Numbers that lie behind those of a block, or in a block of their own if it is full.
class Numbers {
 public:
  Numbers() = default;
  explicit Numbers(const NumberBlock& block)
      : owner_(block.numbers),
        begin_(block.numbers.get() + block.size),
        end_(begin_),
        limit_(block.numbers.get() + block.capacity) {}

  // Appends `n` numbers, which are not set, and returns the first.
  double* extend(std::size_t n) {
    if (static_cast<std::size_t>(limit_ - end_) < n) grow(n);
    end_ += n;
    return end_ - n;
  }

  std::size_t size() const { return end_ - begin_; }
  double* begin() const { return begin_; }
  double* end() const { return end_; }
  const std::shared_ptr<double[]>& owner() const { return owner_; }

  // The numbers that follow will lie behind these, if these lie in the block.
  void keep_in(NumberBlock& block) const {
    if (size() > 0 && owner_ == block.numbers) block.size = static_cast<std::size_t>(end_ - block.numbers.get());
  }

 private:
  // Makes space for `n_more` numbers, and as many again as there are.
  void grow(std::size_t n_more) {
    const std::size_t n = size(), capacity = 2 * n + n_more;
    const std::shared_ptr<double[]> larger(new double[capacity]);
    std::copy_n(begin_, n, larger.get());
    owner_ = larger;
    begin_ = larger.get();
    end_ = begin_ + n;
    limit_ = begin_ + capacity;
  }

  std::shared_ptr<double[]> owner_;
  double *begin_ = nullptr, *end_ = nullptr, *limit_ = nullptr;
};

}  // namespace judicious
