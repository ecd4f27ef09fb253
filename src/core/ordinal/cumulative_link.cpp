#include "cumulative_link.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cumulative_link_row.hpp"
#include "execution/interrupt.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {
namespace {

constexpr std::size_t rows_between_checks = 8192;

// rows' diag(weight) columns.
Eigen::MatrixXd weighted(const ConstMatrix& rows, const Eigen::VectorXd& weight,
                         const ConstMatrix& columns) {
  return rows.transpose() * (columns.array().colwise() * weight.array()).matrix();
}

Eigen::MatrixXd rows_of(const ConstMatrix& x, const std::vector<Eigen::Index>& order) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(order.size()), x.cols());
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    for (Eigen::Index r = 0; r < out.rows(); ++r)
      out(r, k) = x(order[static_cast<std::size_t>(r)], k);
  }
  return out;
}

// Infinite limits have no derivatives.
double finite_or_zero(double x) { return std::isfinite(x) ? x : 0; }

}  // namespace

CumulativeLinkLikelihood::CumulativeLinkLikelihood(const CumulativeLinkModel& model)
    : model_(model), first_(static_cast<std::size_t>(model.n_thresholds()) + 2) {
  for (Eigen::Index i = 0; i < model.n_rows(); ++i) {
    if (model.weight[i] != 0) order_.push_back(i);
  }
  std::stable_sort(order_.begin(), order_.end(), [&](Eigen::Index i, Eigen::Index k) {
    return model.category[i] < model.category[k];
  });
  for (const Eigen::Index i : order_) ++first_[static_cast<std::size_t>(model.category[i]) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  nominal_ = rows_of(model.nominal, order_);
  location_ = rows_of(model.location, order_);
  scale_ = rows_of(model.scale, order_);
  weight_ = rows_of(model.weight, order_);
  for (auto* column : {&a_, &b_, &shrink_, &score_below_, &score_above_, &below_, &above_, &gap_})
    column->resize(weight_.size());
  gradient_.resize(model.n_parameters());
  information_.resize(model.n_parameters(), model.n_parameters());
}

bool CumulativeLinkLikelihood::set_limits(const Eigen::VectorXd& parameters) {
  const RowWalker walker(model_, parameters);
  for (std::size_t r = 0; r < order_.size(); ++r) {
    const Eigen::Index i = order_[r], j = model_.category[i];
    const auto at = static_cast<Eigen::Index>(r);
    const RowFrame row = walker.frame(i);
    a_[at] = walker.limit(i, j - 1, row);
    b_[at] = walker.limit(i, j, row);
    shrink_[at] = row.shrink;
    if (!(b_[at] > a_[at])) return false;
  }
  return true;
}

double CumulativeLinkLikelihood::set_terms() {
  const Eigen::Index n = weight_.size();
  double value = 0, a[RowTerms::size], b[RowTerms::size];
  RowTerms terms;
  for (Eigen::Index from = 0; from < n; from += RowTerms::size) {
    check_interrupt_at(static_cast<std::size_t>(from / RowTerms::size), 128);
    const Eigen::Index count = std::min<Eigen::Index>(RowTerms::size, n - from);
    for (Eigen::Index r = 0; r < RowTerms::size; ++r) {
      a[r] = r < count ? a_[from + r] : -infinity;
      b[r] = r < count ? b_[from + r] : infinity;
    }
    model_.link.rows(a, b, terms);
    double part = 0;
    for (Eigen::Index r = 0; r < count; ++r) {
      const Eigen::Index at = from + r;
      const double w = weight_[at];
      terms.add_gap(model_.link, a[r], b[r], static_cast<int>(r));
      part += w * terms.log_prob[r];
      score_below_[at] = w * terms.score_below[r];
      score_above_[at] = w * terms.score_above[r];
      below_[at] = w * terms.below[r];
      above_[at] = w * terms.above[r];
      gap_[at] = w * terms.gap[r];
    }
    value += part;
  }
  return value;
}

double CumulativeLinkLikelihood::evaluate(const Eigen::VectorXd& parameters) {
  if (last_.size() == parameters.size() && last_ == parameters) return value_;
  last_.resize(0);  // an early return leaves incomplete derivatives
  if (!set_limits(parameters)) return -infinity;
  const double value = set_terms();
  if (!std::isfinite(value)) return -infinity;
  a_ = a_.unaryExpr(&finite_or_zero);
  b_ = b_.unaryExpr(&finite_or_zero);
  add_derivatives();
  last_ = parameters;
  return value_ = value;
}

// With s = exp(-z'zeta), the limits have the derivatives s n by their threshold, -s x by beta, and
// -a z or -b z by zeta; only the last depend on the parameters. Up to this dependence, the
// information of a row is below da da' + above db db' + gap (db - da)(db - da)'.
void CumulativeLinkLikelihood::add_derivatives() {
  const Eigen::Index m = model_.n_thresholds(), c = nominal_.cols(), p = location_.cols(),
                     r = scale_.cols(), at_x = model_.n_psi(), at_z = at_x + p;
  const Eigen::VectorXd width = b_ - a_, square = shrink_.cwiseAbs2();
  const Eigen::VectorXd x_weight = (below_ + above_).cwiseProduct(square);
  const Eigen::VectorXd score = score_below_ - score_above_;
  const Eigen::VectorXd z_score = score_below_.cwiseProduct(a_) - score_above_.cwiseProduct(b_);
  gradient_.segment(at_x, p) = location_.transpose() * score.cwiseProduct(shrink_);
  gradient_.tail(r) = scale_.transpose() * z_score;
  information_.setZero();
  information_.block(at_x, at_x, p, p) = weighted(location_, x_weight, location_);
  if (r > 0) {
    const Eigen::VectorXd by_x =
        (below_.cwiseProduct(a_) + above_.cwiseProduct(b_) + score).cwiseProduct(shrink_);
    const Eigen::VectorXd by_z = below_.cwiseProduct(a_.cwiseAbs2()) +
                                 above_.cwiseProduct(b_.cwiseAbs2()) +
                                 gap_.cwiseProduct(width.cwiseAbs2()) + z_score;
    information_.block(at_z, at_x, r, p) = weighted(scale_, by_x, location_);
    information_.block(at_z, at_z, r, r) = weighted(scale_, by_z, scale_);
  }
  // By threshold: the gradient, and the blocks of the information with n, x and z.
  Eigen::MatrixXd pull = Eigen::MatrixXd::Zero(m, c);
  std::vector<Eigen::MatrixXd> own(static_cast<std::size_t>(m), Eigen::MatrixXd::Zero(c, c));
  std::vector<Eigen::MatrixXd> side(own.size(), Eigen::MatrixXd::Zero(p + r, c));
  const auto add_threshold = [&](Eigen::Index j, double sign, Eigen::Index from, Eigen::Index count,
                                 const Eigen::VectorXd& pulls, const Eigen::VectorXd& curvature,
                                 const Eigen::VectorXd& limit) {
    const auto of = [&](const auto& v) { return v.segment(from, count); };
    const auto n = nominal_.middleRows(from, count);
    const Eigen::VectorXd s = of(shrink_), at = of(curvature).cwiseProduct(of(square));
    const Eigen::VectorXd gap = of(gap_).cwiseProduct(of(square));
    Eigen::MatrixXd& x_side = side[static_cast<std::size_t>(j)];
    pull.row(j) += sign * (n.transpose() * of(pulls).cwiseProduct(s)).transpose();
    own[static_cast<std::size_t>(j)] += weighted(n, at + gap, n);
    x_side.topRows(p) -= weighted(location_.middleRows(from, count), at, n);
    if (r == 0) return;
    const Eigen::VectorXd by_z =
        s.cwiseProduct(sign * (of(pulls) - of(gap_).cwiseProduct(of(width))) -
                       of(curvature).cwiseProduct(of(limit)));
    x_side.bottomRows(r) += weighted(scale_.middleRows(from, count), by_z, n);
  };
  for (Eigen::Index j = 0; j <= m; ++j) {
    const Eigen::Index from = first_[static_cast<std::size_t>(j)];
    const Eigen::Index count = first_[static_cast<std::size_t>(j) + 1] - from;
    if (count == 0) continue;
    if (j > 0) add_threshold(j - 1, -1, from, count, score_below_, below_, a_);
    if (j < m) add_threshold(j, 1, from, count, score_above_, above_, b_);
    if (j == 0 || j == m) continue;
    const auto n = nominal_.middleRows(from, count);
    add_block(j, j - 1,
              -weighted(n, gap_.segment(from, count).cwiseProduct(square.segment(from, count)), n));
  }
  const Eigen::MatrixXd by_psi = model_.structure.transpose() * pull;
  gradient_.head(at_x) = Eigen::Map<const Eigen::VectorXd>(by_psi.data(), by_psi.size());
  for (Eigen::Index j = 0; j < m; ++j) {
    add_block(j, j, own[static_cast<std::size_t>(j)]);
    for (Eigen::Index t = 0; t < model_.structure.cols(); ++t) {
      const double loading = model_.structure(j, t);
      if (loading == 0) continue;
      for (Eigen::Index k = 0; k < c; ++k)
        information_.col(k * model_.structure.cols() + t).tail(p + r) +=
            loading * side[static_cast<std::size_t>(j)].col(k);
    }
  }
  information_.triangularView<Eigen::StrictlyUpper>() = information_.transpose();
}

// Adds the information between the thresholds j and k <= j of all columns of n, in the parameters
// psi.
void CumulativeLinkLikelihood::add_block(Eigen::Index j, Eigen::Index k,
                                         const Eigen::MatrixXd& block) {
  const Eigen::Index q = model_.structure.cols(), c = nominal_.cols();
  const auto add = [&](Eigen::Index row, Eigen::Index column, double value) {
    if (row >= column) information_(row, column) += value;
  };
  for (Eigen::Index t = 0; t < q; ++t) {
    if (model_.structure(j, t) == 0) continue;
    for (Eigen::Index u = 0; u < q; ++u) {
      const double loading = model_.structure(j, t) * model_.structure(k, u);
      if (loading == 0) continue;
      for (Eigen::Index l = 0; l < c; ++l) {
        for (Eigen::Index h = 0; h < c; ++h) {
          add(l * q + t, h * q + u, loading * block(l, h));
          if (j != k) add(h * q + u, l * q + t, loading * block(l, h));
        }
      }
    }
  }
}

Eigen::MatrixXd CumulativeLinkLikelihood::row_gradients(const Eigen::VectorXd& parameters) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(model_.n_rows(), model_.n_parameters());
  if (!set_limits(parameters)) return out;
  set_terms();
  last_.resize(0);
  const RowWalker walker(model_, parameters);
  Eigen::VectorXd slope(model_.n_parameters());
  for (std::size_t r = 0; r < order_.size(); ++r) {
    const Eigen::Index i = order_[r], j = model_.category[i];
    const auto at = static_cast<Eigen::Index>(r);
    const auto add = [&](Eigen::Index threshold, double limit, double pull) {
      if (!std::isfinite(limit)) return;
      walker.derivatives(i, threshold, limit, shrink_[at], slope);
      out.row(i) += pull / weight_[at] * slope.transpose();
    };
    add(j, b_[at], score_above_[at]);
    add(j - 1, a_[at], -score_below_[at]);
  }
  return out;
}

bool CumulativeLinkLikelihood::newton_step(Eigen::VectorXd& step) {
  const Eigen::VectorXd diagonal = information_.diagonal().cwiseAbs().cwiseMax(1e-10);
  raised_ = false;
  double raise = 0;
  for (int attempt = 0; attempt < 12; ++attempt) {
    Eigen::MatrixXd raisedInformation = information_;
    raisedInformation.diagonal() += raise * diagonal;
    const Eigen::LLT<Eigen::MatrixXd> factor(raisedInformation);
    if (factor.info() == Eigen::Success) {
      step = factor.solve(gradient_);
      if (step.allFinite()) return true;
    }
    raised_ = true;
    raise = raise == 0 ? 1e-4 : 4 * raise;
  }
  return false;
}

Eigen::MatrixXd limits(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters) {
  const RowWalker walker(model, parameters);
  Eigen::MatrixXd out(model.n_rows(), model.n_thresholds());
  for (Eigen::Index i = 0; i < model.n_rows(); ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), rows_between_checks);
    const RowFrame row = walker.frame(i);
    for (Eigen::Index j = 0; j < model.n_thresholds(); ++j) out(i, j) = walker.limit(i, j, row);
  }
  return out;
}

Eigen::MatrixXd row_gradients(const CumulativeLinkModel& model, const Eigen::VectorXd& parameters) {
  return CumulativeLinkLikelihood(model).row_gradients(parameters);
}

CumulativeLinkResult fit_cumulative_link(const CumulativeLinkModel& model, Eigen::VectorXd start,
                                         const NewtonOptions& options) {
  CumulativeLinkLikelihood likelihood(model);
  CumulativeLinkResult result;
  result.newton = maximise(likelihood, start, options);
  likelihood.evaluate(start);
  result.parameters = std::move(start);
  result.information = likelihood.information();
  result.raised = likelihood.raised();
  return result;
}

Eigen::MatrixXd interval_probabilities(const Link& link, const ConstMatrix& limits) {
  Eigen::MatrixXd out(limits.rows(), limits.cols() + 1);
  for (Eigen::Index i = 0; i < limits.rows(); ++i) {
    check_interrupt_at(static_cast<std::size_t>(i), rows_between_checks);
    for (Eigen::Index j = 0; j <= limits.cols(); ++j) {
      const double a = j == 0 ? -infinity : limits(i, j - 1);
      const double b = j == limits.cols() ? infinity : limits(i, j);
      // Nominal effects may make thresholds cross outside the data: such a level has probability
      // 0.
      out(i, j) = b > a ? std::exp(link.log_interval(a, b)) : 0;
    }
  }
  return out;
}

}  // namespace judicious::ordinal
