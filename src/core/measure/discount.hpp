// Discounts of gains by rank.
#pragma once
#include <cmath>
#include <vector>

#include "measure/spec.hpp"

namespace judicious {

class RankDiscount {
 public:
  explicit RankDiscount(const MeasureSpec& spec)
      : kind_(spec.discount), base_(spec.discount_base), weight_(spec.discount_table) {
    if (!weight_.empty()) return;
    divisor_.resize(2048);
    for (std::size_t r = 0; r < divisor_.size(); ++r) divisor_[r] = formula(static_cast<int>(r));
  }

  // The discounted gain of a document at `rank`, from 1.
  double apply(double gain, int rank) const {
    const std::size_t at = rank;
    if (!weight_.empty()) return at <= weight_.size() ? gain * weight_[at - 1] : 0;
    return gain / (at < divisor_.size() ? divisor_[at] : formula(rank));
  }

 private:
  // With `log_base`, ranks before `base` are not discounted.
  double formula(int rank) const {
    if (kind_ == Discount::log2_next) return std::log2(1.0 + rank);
    if (rank < base_) return 1;
    return base_ == 2.0 ? std::log2(static_cast<double>(rank)) : std::log(static_cast<double>(rank)) / std::log(base_);
  }

  Discount kind_;
  double base_;
  std::vector<double> weight_;
  std::vector<double> divisor_;
};

}  // namespace judicious
