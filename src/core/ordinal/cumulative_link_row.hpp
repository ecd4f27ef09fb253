// The limits of a row of a cumulative-link model at given parameters, and their derivatives.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "execution/interrupt.hpp"
#include "link.hpp"
#include "sparse_solver.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {

using ConstMatrix = Eigen::Ref<const Eigen::MatrixXd>;
using ConstVector = Eigen::Ref<const Eigen::VectorXd>;

// Computes the terms of the rows r = 0 .. n - 1 in blocks. limits(r) returns the limits {a, b} of a row. For each row,
// calls use(r, terms, k), where k is the position of the row in the block `terms`.
template <typename Limits, typename Use>
void for_each_row(const Link& link, Eigen::Index n, const Limits& limits, const Use& use) {
  double a[RowTerms::size], b[RowTerms::size];
  RowTerms terms;
  for (Eigen::Index from = 0; from < n; from += RowTerms::size) {
    check_interrupt_at(static_cast<std::size_t>(from / RowTerms::size), 128);
    const Eigen::Index some = std::min<Eigen::Index>(RowTerms::size, n - from);
    for (Eigen::Index k = 0; k < RowTerms::size; ++k)
      std::tie(a[k], b[k]) = k < some ? limits(from + k) : std::pair(-infinity, infinity);
    link.rows(a, b, terms);
    for (Eigen::Index k = 0; k < some; ++k) use(from + k, terms, k);
  }
}

struct CumulativeLinkModel {
  const Link& link;
  ConstMatrix structure;         // T: thresholds x q
  ConstMatrix nominal;           // n: rows x c, its first column all 1
  ConstMatrix location;          // x
  ConstMatrix scale;             // z
  const std::int32_t* category;  // from 0
  ConstVector weight;
  ConstVector offset, scale_offset;
  const SparseRows* sparse = nullptr;  // x, if it is sparse; `location` is then empty

  Eigen::Index n_rows() const { return nominal.rows(); }
  Eigen::Index n_thresholds() const { return structure.rows(); }
  Eigen::Index n_psi() const { return structure.cols() * nominal.cols(); }
  Eigen::Index n_slopes() const { return sparse != nullptr ? sparse->cols() : location.cols(); }
  // The thresholds for each column of n: thresholds by columns.
  Eigen::MatrixXd thresholds(const Eigen::VectorXd& parameters) const {
    return structure * Eigen::Map<const Eigen::MatrixXd>(parameters.data(), structure.cols(), nominal.cols());
  }
  Eigen::Index n_parameters() const { return n_psi() + n_slopes() + scale.cols(); }
};

// The parts of a model with flexible thresholds and common slopes, to which the model points.
struct PlainParts {
  Eigen::MatrixXd structure, nominal, none;
  std::vector<std::int32_t> category;
  Eigen::VectorXd weight, offset, zero;

  // `weights` and `offsets` may be null.
  PlainParts(Eigen::Index n_thresholds, std::vector<std::int32_t> categories, const double* weights,
             const double* offsets)
      : structure(Eigen::MatrixXd::Identity(n_thresholds, n_thresholds)), category(std::move(categories)) {
    const auto n = static_cast<Eigen::Index>(category.size());
    nominal.setOnes(n, 1);
    none.resize(n, 0);
    zero.setZero(n);
    weight =
        weights != nullptr ? Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(weights, n)) : Eigen::VectorXd(nominal);
    offset = offsets != nullptr ? Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(offsets, n)) : zero;
  }
  CumulativeLinkModel model(const Link& link, const ConstMatrix& x) const {
    return {link, structure, nominal, x, none, category.data(), weight, offset, zero};
  }
  CumulativeLinkModel model(const Link& link, const SparseRows& x) const {
    return {link, structure, nominal, none, none, category.data(), weight, offset, zero, &x};
  }
};

// The parts of a row that do not depend on its level.
struct RowFrame {
  double eta, shrink;  // x'beta + offset, exp(-z'zeta - scale_offset)
};

class RowWalker {
 public:
  RowWalker(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters)
      : model_(model),
        theta_(model.thresholds(parameters)),
        eta_(model.location * parameters.segment(model.n_psi(), model.location.cols()) + model.offset),
        log_scale_(model.scale * parameters.tail(model.scale.cols()) + model.scale_offset) {}

  RowFrame frame(Eigen::Index i) const { return {eta_[i], std::exp(-log_scale_[i])}; }
  // theta_ij, for an existing threshold j.
  double threshold(Eigen::Index i, Eigen::Index j) const {
    return theta_.cols() == 1 ? theta_(j, 0) : model_.nominal.row(i).dot(theta_.row(j));
  }
  double limit(Eigen::Index i, Eigen::Index j, const RowFrame& row) const {
    if (j < 0) return -infinity;
    if (j >= model_.n_thresholds()) return infinity;
    return (threshold(i, j) - row.eta) * row.shrink;
  }
  // The derivatives of the limit at threshold j with respect to all parameters.
  void derivatives(Eigen::Index i, Eigen::Index j, double at, double shrink, Eigen::VectorXd& out) const {
    const Eigen::Index q = model_.structure.cols();
    for (Eigen::Index c = 0; c < model_.nominal.cols(); ++c) {
      out.segment(c * q, q) = (shrink * model_.nominal(i, c)) * model_.structure.row(j).transpose();
    }
    out.segment(model_.n_psi(), model_.location.cols()) = -shrink * model_.location.row(i).transpose();
    out.tail(model_.scale.cols()) = -at * model_.scale.row(i).transpose();
  }

 private:
  const CumulativeLinkModel& model_;
  Eigen::MatrixXd theta_;
  Eigen::VectorXd eta_, log_scale_;
};

}  // namespace judicious::ordinal
