#include "cumulative_link.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {
namespace {

// Computes rows' diag(weight) columns.
template <typename Rows, typename Columns>
Eigen::MatrixXd weighted(const Rows& rows, const Eigen::VectorXd& weight, const Columns& columns) {
  const Eigen::MatrixXd right = columns.array().colwise() * weight.array();
  return rows.transpose() * right;
}

Eigen::MatrixXd rows_of(const ConstMatrix& x, const std::vector<Eigen::Index>& order) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(order.size()), x.cols());
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    for (Eigen::Index r = 0; r < out.rows(); ++r) out(r, k) = x(order[r], k);
  }
  return out;
}

SparseRows rows_of(const SparseRows& x, const std::vector<Eigen::Index>& order) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t r = 0; r < order.size(); ++r) {
    for (SparseRows::InnerIterator it(x, order[r]); it; ++it)
      entries.emplace_back(static_cast<int>(r), static_cast<int>(it.col()), it.value());
  }
  SparseRows out(static_cast<Eigen::Index>(order.size()), x.cols());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

// Infinite limits have no derivatives.
double finite_or_zero(double x) { return std::isfinite(x) ? x : 0; }

}  // namespace

CumulativeLinkSums::CumulativeLinkSums(const CumulativeLinkModel& model)
    : model_(model), first_(model.n_thresholds() + 2) {
  for (Eigen::Index i = 0; i < model.n_rows(); ++i) {
    if (model.weight[i] != 0) order_.push_back(i);
  }
  std::stable_sort(order_.begin(), order_.end(),
                   [&](Eigen::Index i, Eigen::Index k) { return model.category[i] < model.category[k]; });
  for (const Eigen::Index i : order_) ++first_[model.category[i] + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  nominal_ = rows_of(model.nominal, order_);
  if (model.sparse != nullptr) sparse_ = rows_of(*model.sparse, order_);
  location_ = rows_of(model.location, order_);
  scale_ = rows_of(model.scale, order_);
  weight_ = rows_of(model.weight, order_);
  offset_ = rows_of(model.offset, order_);
  scale_offset_ = rows_of(model.scale_offset, order_);
}

void CumulativeLinkSums::start(const Eigen::VectorXd& parameters) {
  const Eigen::Index m = model_.n_thresholds(), c = nominal_.cols(), p = model_.n_slopes(), r = scale_.cols(),
                     n = weight_.size();
  theta_ = model_.thresholds(parameters);
  const auto beta = parameters.segment(model_.n_psi(), p);
  eta_ = offset_ + with_location([&](const auto& x) -> Eigen::VectorXd { return x * beta; });
  shrink_ = (-(scale_ * parameters.tail(r) + scale_offset_)).array().exp();
  for (auto* row : {&x_score_, &x_weight_}) row->setZero(n);
  for (auto* row : {&z_score_, &x_by_z_, &z_weight_}) row->setZero(r > 0 ? n : 0);
  threshold_score_.setZero(m, c);
  own_.assign(m, Eigen::MatrixXd::Zero(c, c));
  previous_ = own_;
  side_.assign(own_.size(), Eigen::MatrixXd::Zero(p + r, c));
}

Eigen::VectorXd CumulativeLinkSums::limits(Eigen::Index j, Eigen::Index from, Eigen::Index count) const {
  if (j < 0) return Eigen::VectorXd::Constant(count, -infinity);
  if (j >= model_.n_thresholds()) return Eigen::VectorXd::Constant(count, infinity);
  return (nominal_.middleRows(from, count) * theta_.row(j).transpose() - eta_.segment(from, count))
      .cwiseProduct(shrink_.segment(from, count));
}

// With s = exp(-z'zeta), the derivatives of the limits a and b are s n with respect to their threshold, -s x with
// respect to beta, and -a z or -b z with respect to zeta. Only the last ones depend on the parameters. Except for the
// terms due to this dependence, the information of a row is below da da' + above db db' + gap (db - da)(db - da)'.
double CumulativeLinkSums::add(Eigen::Index j, Eigen::Index from, Eigen::Index count,
                               const std::function<double(Eigen::Index, double)>& weight) {
  if (count == 0) return 0;
  const Eigen::Index m = model_.n_thresholds();
  Eigen::VectorXd lower = limits(j - 1, from, count), upper = limits(j, from, count);
  if (!(upper.array() > lower.array()).all()) return -infinity;
  Eigen::VectorXd score(count);
  for (auto* row : {&below_, &above_, &gap_, &score_below_, &score_above_}) row->resize(count);
  double value = 0;
  const auto limits_of = [&](Eigen::Index r) { return std::pair(lower[r], upper[r]); };
  for_each_row(model_.link, count, limits_of, [&](Eigen::Index at, const RowTerms& terms, Eigen::Index k) {
    const double w = weight(from + at, terms.log_prob[k]);
    // Rows of weight 0 may have infinite terms, which must not be added to the sums.
    const auto share = [w](double term) { return w == 0 ? 0 : w * term; };
    value += share(terms.log_prob[k]);
    score[at] = share(terms.score[k]);
    score_below_[at] = share(terms.score_below[k]);
    score_above_[at] = share(terms.score_above[k]);
    below_[at] = share(terms.below[k]);
    above_[at] = share(terms.above[k]);
    gap_[at] = share(terms.gap[k]);
  });
  lower = lower.unaryExpr(&finite_or_zero);
  upper = upper.unaryExpr(&finite_or_zero);
  const Eigen::VectorXd s = shrink_.segment(from, count), square = s.cwiseAbs2();
  x_score_.segment(from, count) += score.cwiseProduct(s);
  x_weight_.segment(from, count) += (below_ + above_).cwiseProduct(square);
  if (scale_.cols() > 0) {
    const Eigen::VectorXd z_score = score_below_.cwiseProduct(lower) - score_above_.cwiseProduct(upper);
    z_score_.segment(from, count) += z_score;
    x_by_z_.segment(from, count) += (below_.cwiseProduct(lower) + above_.cwiseProduct(upper) + score).cwiseProduct(s);
    z_weight_.segment(from, count) += below_.cwiseProduct(lower.cwiseAbs2()) + above_.cwiseProduct(upper.cwiseAbs2()) +
                                      gap_.cwiseProduct((upper - lower).cwiseAbs2()) + z_score;
  }
  const Eigen::VectorXd by_width = gap_.cwiseProduct(upper - lower);
  if (j > 0) {
    add_threshold(j - 1, -1, from, count, score_below_, below_, by_width - score_below_ - below_.cwiseProduct(lower));
  }
  if (j < m) {
    add_threshold(j, 1, from, count, score_above_, above_, score_above_ - by_width - above_.cwiseProduct(upper));
  }
  if (j > 0 && j < m) {
    const auto n = nominal_.middleRows(from, count);
    previous_[j] -= weighted(n, gap_.cwiseProduct(square), n);
  }
  return value;
}

void CumulativeLinkSums::add_threshold(Eigen::Index j, double sign, Eigen::Index from, Eigen::Index count,
                                       const Eigen::VectorXd& score, const Eigen::VectorXd& curvature,
                                       const Eigen::VectorXd& by_scale) {
  const Eigen::Index p = model_.n_slopes(), r = scale_.cols();
  const auto n = nominal_.middleRows(from, count);
  const Eigen::VectorXd s = shrink_.segment(from, count), square = s.cwiseAbs2();
  threshold_score_.row(j) += sign * (n.transpose() * score.cwiseProduct(s)).transpose();
  own_[j] += weighted(n, (curvature + gap_).cwiseProduct(square), n);
  side_[j].topRows(p) -= with_location(
      [&](const auto& x) { return weighted(x.middleRows(from, count), curvature.cwiseProduct(square), n); });
  if (r > 0) side_[j].bottomRows(r) += weighted(scale_.middleRows(from, count), by_scale.cwiseProduct(s), n);
}

double CumulativeLinkSums::add_all() {
  double value = 0;
  for (std::size_t j = 0; j + 1 < first_.size(); ++j) {
    value += add(static_cast<Eigen::Index>(j), first_[j], first_[j + 1] - first_[j],
                 [this](Eigen::Index r, double) { return weight_[r]; });
    if (!std::isfinite(value)) return -infinity;
  }
  return value;
}

Eigen::VectorXd CumulativeLinkSums::gradient() const {
  Eigen::VectorXd out(model_.n_parameters());
  const Eigen::MatrixXd by_psi = model_.structure.transpose() * threshold_score_;
  out.head(by_psi.size()) = Eigen::Map<const Eigen::VectorXd>(by_psi.data(), by_psi.size());
  out.segment(by_psi.size(), model_.n_slopes()) =
      with_location([&](const auto& x) -> Eigen::VectorXd { return x.transpose() * x_score_; });
  if (scale_.cols() > 0) out.tail(scale_.cols()) = scale_.transpose() * z_score_;
  return out;
}

// Blocks of the information: psi with psi, psi with the columns of x and z, z with those of x, and z with z.
struct CumulativeLinkSums::Blocks {
  Eigen::MatrixXd psi, side, z_by_x, z;
};

CumulativeLinkSums::Blocks CumulativeLinkSums::blocks() const {
  const Eigen::Index q = model_.structure.cols(), c = nominal_.cols(), p = model_.n_slopes(), r = scale_.cols();
  Blocks out{Eigen::MatrixXd::Zero(q * c, q * c), Eigen::MatrixXd::Zero(p + r, q * c), Eigen::MatrixXd::Zero(r, p),
             Eigen::MatrixXd::Zero(r, r)};
  using Stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  // Adds the information between the thresholds j and k of all columns of n.
  const auto add = [&](Eigen::Index j, Eigen::Index k, const Eigen::MatrixXd& block) {
    for (Eigen::Index t = 0; t < q; ++t) {
      if (model_.structure(j, t) == 0) continue;
      for (Eigen::Index u = 0; u < q; ++u) {
        const double loading = model_.structure(j, t) * model_.structure(k, u);
        if (loading == 0) continue;
        Eigen::Map<Eigen::MatrixXd, 0, Stride>(&out.psi(t, u), c, c, {q * q * c, q}) += loading * block;
      }
    }
  };
  for (Eigen::Index j = 0; j < model_.n_thresholds(); ++j) {
    add(j, j, own_[j]);
    if (j > 0) {
      add(j, j - 1, previous_[j]);
      add(j - 1, j, previous_[j].transpose());
    }
    for (Eigen::Index t = 0; t < q; ++t) {
      const double loading = model_.structure(j, t);
      if (loading == 0) continue;
      for (Eigen::Index k = 0; k < c; ++k) out.side.col(k * q + t) += loading * side_[j].col(k);
    }
  }
  if (r == 0) return out;
  out.z_by_x = with_location([&](const auto& x) { return weighted(x, x_by_z_, scale_); }).transpose();
  out.z = weighted(scale_, z_weight_, scale_);
  return out;
}

void CumulativeLinkSums::get_information(BorderedMatrix& out) const {
  const Blocks block = blocks();
  const Eigen::Index at_x = block.psi.rows(), p = location_.cols(), r = scale_.cols(), at_z = at_x + p;
  out.resize(0, at_z + r);
  out.slopes.topLeftCorner(at_x, at_x) = block.psi;
  out.slopes.bottomLeftCorner(p + r, at_x) = block.side;
  const Eigen::MatrixXd weighted_x = location_.array().colwise() * x_weight_.array();
  if (p > 0) out.slopes.block(at_x, at_x, p, p).triangularView<Eigen::Lower>() = location_.transpose() * weighted_x;
  out.slopes.block(at_z, at_x, r, p) = block.z_by_x;
  out.slopes.bottomRightCorner(r, r) = block.z;
  out.complete();
}

void CumulativeLinkSums::get_information(SparseInformation& out) const {
  const Blocks block = blocks();
  const Eigen::Index at_x = block.psi.rows(), at_z = at_x + sparse_.cols();
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](Eigen::Index row, Eigen::Index column, double value) {
    if (row == column || (row > column && value != 0))
      entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  };
  const auto add_block = [&](Eigen::Index row, Eigen::Index column, const Eigen::MatrixXd& values) {
    for (Eigen::Index k = 0; k < values.cols(); ++k) {
      for (Eigen::Index i = 0; i < values.rows(); ++i) add(row + i, column + k, values(i, k));
    }
  };
  add_block(0, 0, block.psi);
  add_block(at_x, 0, block.side);
  add_block(at_z, at_x, block.z_by_x);
  add_block(at_z, at_z, block.z);
  const SparseRows right = x_weight_.asDiagonal() * sparse_;
  const SparseMatrix x = SparseMatrix(sparse_.transpose()) * SparseMatrix(right);
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    add(at_x + k, at_x + k, 0);
    for (SparseMatrix::InnerIterator it(x, k); it; ++it) add(at_x + it.row(), at_x + k, it.value());
  }
  const Eigen::Index size = at_z + scale_.cols();
  out.lower.resize(size, size);
  out.lower.setFromTriplets(entries.begin(), entries.end());
}

template <typename Information>
Pass<Information> pass_over_model(const CumulativeLinkModel& model) {
  return [sums = std::make_shared<CumulativeLinkSums>(model)](const Eigen::VectorXd& at, Eigen::VectorXd& gradient,
                                                              Information& information) {
    sums->start(at);
    const double value = sums->add_all();
    if (!std::isfinite(value)) return -infinity;
    gradient = sums->gradient();
    sums->get_information(information);
    return value;
  };
}

template Pass<BorderedMatrix> pass_over_model(const CumulativeLinkModel& model);
template Pass<SparseInformation> pass_over_model(const CumulativeLinkModel& model);

Eigen::MatrixXd row_gradients(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters) {
  const RowWalker walker(model, parameters);
  const Eigen::Index n = model.n_rows();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n, model.n_parameters());
  Eigen::VectorXd slope(model.n_parameters());
  const auto limits = [&](Eigen::Index i) {
    if (model.weight[i] == 0) return std::pair(-infinity, infinity);
    const RowFrame row = walker.frame(i);
    const Eigen::Index j = model.category[i];
    return std::pair(walker.limit(i, j - 1, row), walker.limit(i, j, row));
  };
  for_each_row(model.link, n, limits, [&](Eigen::Index i, const RowTerms& terms, Eigen::Index k) {
    const auto add = [&](Eigen::Index threshold, double limit, double score) {
      if (!std::isfinite(limit)) return;
      walker.derivatives(i, threshold, limit, walker.frame(i).shrink, slope);
      out.row(i) += score * slope.transpose();
    };
    const auto [a, b] = limits(i);
    add(model.category[i], b, terms.score_above[k]);
    add(model.category[i] - 1, a, -terms.score_below[k]);
  });
  return out;
}

double longest_step(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters, const Eigen::VectorXd& step) {
  // The differences of neighbouring thresholds (columns), for each column of the nominal effects (rows).
  const auto gaps = [&](const Eigen::VectorXd& of) -> Eigen::MatrixXd {
    const Eigen::MatrixXd theta = model.thresholds(of);
    const Eigen::Index m = theta.rows();
    return (theta.bottomRows(m - 1) - theta.topRows(m - 1)).transpose();
  };
  const Eigen::MatrixXd from = gaps(parameters), by = gaps(step);
  double longest = infinity;
  const auto keep_positive = [&](double value, double change) {
    if (change < 0) longest = std::min(longest, value / -change);
  };
  for (Eigen::Index j = 0; model.nominal.cols() == 1 && j < from.cols(); ++j) keep_positive(from(0, j), by(0, j));
  for (Eigen::Index i = 0; model.nominal.cols() > 1 && i < model.n_rows(); ++i) {
    const Eigen::Index y = model.category[i];
    if (y == 0 || y == model.n_thresholds() || model.weight[i] == 0) continue;
    keep_positive(model.nominal.row(i).dot(from.col(y - 1)), model.nominal.row(i).dot(by.col(y - 1)));
  }
  return longest;
}

Eigen::MatrixXd interval_probabilities(const Link& link, const ConstMatrix& limits) {
  const Eigen::Index n = limits.rows(), m = limits.cols();
  Eigen::MatrixXd out(n, m + 1);
  for (Eigen::Index j = 0; j <= m; ++j) {
    const auto limits_of = [&](Eigen::Index i) {
      return std::pair(j == 0 ? -infinity : limits(i, j - 1), j == m ? infinity : limits(i, j));
    };
    for_each_row(link, n, limits_of, [&](Eigen::Index i, const RowTerms& terms, Eigen::Index k) {
      // For rows outside the data, nominal effects may make thresholds cross: the level then has probability 0.
      const auto [a, b] = limits_of(i);
      out(i, j) = b > a ? std::exp(terms.log_prob[k]) : 0;
    });
  }
  return out;
}

}  // namespace judicious::ordinal
