// Columns of values that can be joined without copying them: those of several tables lie one after
// another in a block of memory, as far as it is large enough.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>

namespace judicious {

template <typename T>
struct Block {
  std::shared_ptr<T[]> values;
  std::size_t size = 0, capacity = 0;
};

// Values that lie behind those of a block, or in a block of their own if it is full.
template <typename T>
class Values {
 public:
  Values() = default;
  explicit Values(const Block<T>& block)
      : owner_(block.values),
        begin_(block.values.get() + block.size),
        end_(begin_),
        limit_(block.values.get() + block.capacity) {}

  // Appends `n` values, which are not set, and returns the first.
  T* extend(std::size_t n) {
    if (static_cast<std::size_t>(limit_ - end_) < n) grow(n);
    end_ += n;
    return end_ - n;
  }

  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  T* begin() const { return begin_; }
  T* end() const { return end_; }
  T operator[](std::size_t i) const { return begin_[i]; }
  const std::shared_ptr<T[]>& owner() const { return owner_; }

 private:
  // Makes space for `n_more` values, and as many again as there are.
  void grow(std::size_t n_more) {
    const std::size_t n = size(), capacity = 2 * n + n_more;
    const std::shared_ptr<T[]> larger(new T[capacity]);
    std::copy_n(begin_, n, larger.get());
    owner_ = larger;
    begin_ = larger.get();
    end_ = begin_ + n;
    limit_ = begin_ + capacity;
  }

  std::shared_ptr<T[]> owner_;
  T *begin_ = nullptr, *end_ = nullptr, *limit_ = nullptr;
};

// The values that follow will lie behind these, if these lie in the block.
template <typename T>
void keep(const Values<T>& values, Block<T>& block) {
  if (values.size() > 0 && values.owner() == block.values)
    block.size = static_cast<std::size_t>(values.end() - block.values.get());
}

}  // namespace judicious
