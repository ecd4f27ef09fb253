// The Laplace likelihood of a mixed model as a function of the parameters to estimate.
#pragma once
#include <utility>
#include <vector>

#include "mixed_laplace.hpp"

namespace judicious::ordinal {

class FreeLikelihood {
 public:
  FreeLikelihood(LaplaceLikelihood& full, Eigen::VectorXd psi, std::vector<bool> estimated)
      : full_(full), psi_(std::move(psi)), estimated_(std::move(estimated)) {}

  double evaluate(const Eigen::VectorXd& x) {
    ++evaluations;
    set(x);
    return full_.evaluate(psi_);
  }
  Eigen::VectorXd gradient() { return pick(full_.gradient()); }
  double longest_step(const Eigen::VectorXd& x, const Eigen::VectorXd& step) const {
    Eigen::VectorXd from = psi_, by = Eigen::VectorXd::Zero(psi_.size());
    spread(x, from);
    spread(step, by);
    return full_.longest_step(from, by);
  }
  Eigen::VectorXd pick(const Eigen::VectorXd& psi) const {
    std::vector<double> out;
    for (std::size_t k = 0; k < estimated_.size(); ++k) {
      if (estimated_[k]) out.push_back(psi[static_cast<Eigen::Index>(k)]);
    }
    return Eigen::Map<Eigen::VectorXd>(out.data(), static_cast<Eigen::Index>(out.size()));
  }
  void spread(const Eigen::VectorXd& x, Eigen::VectorXd& psi) const {
    Eigen::Index next = 0;
    for (std::size_t k = 0; k < estimated_.size(); ++k) {
      if (estimated_[k]) psi[static_cast<Eigen::Index>(k)] = x[next++];
    }
  }
  void set(const Eigen::VectorXd& x) { spread(x, psi_); }
  // Fixes the standard deviation at `index` of psi at 0.
  void fix_at_zero(Eigen::Index index) {
    psi_[index] = 0;
    estimated_[index] = false;
  }
  const Eigen::VectorXd& psi() const { return psi_; }
  Eigen::VectorXd& psi() { return psi_; }
  const std::vector<bool>& estimated() const { return estimated_; }

  int evaluations = 0;

 private:
  LaplaceLikelihood& full_;
  Eigen::VectorXd psi_;
  std::vector<bool> estimated_;
};

}  // namespace judicious::ordinal
