#include "ordinal/mixed_quadrature.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "execution/interrupt.hpp"
#include "logit.hpp"

namespace judicious::ordinal {
namespace {

// The log likelihood of a row except for the distances of thresholds, which do not depend on the
// effects, and its derivatives: -lower and upper by the two thresholds, lower - upper by eta.
struct Pull {
  double value = 0, lower = 0, upper = 0;
};

Pull pull(const EffectModes& modes, Eigen::Index i, double eta) {
  const int y = modes.data().category[i];
  Pull out;
  if (y > 0) {
    const double x = modes.theta()[y - 1] - eta;
    out.value += log_logistic(-x);
    out.lower = logistic(x);
  }
  if (y < modes.theta().size()) {
    const double x = eta - modes.theta()[y];
    out.value += log_logistic(-x);
    out.upper = logistic(x);
  }
  return out;
}

}  // namespace

GroupQuadrature::GroupQuadrature(const MixedInput& data, const EffectDesign& z, HermiteRule rule)
    : rule_(std::move(rule)), groups_(z.term.size()) {
  if (z.n_terms != 1) throw std::invalid_argument("quadrature is for one random effect a group");
  for (Eigen::Index i = 0; i < data.n_rows(); ++i) {
    const auto from = static_cast<std::size_t>(z.offset[static_cast<std::size_t>(i)]);
    const auto to = static_cast<std::size_t>(z.offset[static_cast<std::size_t>(i) + 1]);
    if (to - from > 1) throw std::invalid_argument("quadrature is for one effect a row");
    if (to > from)
      groups_[static_cast<std::size_t>(z.column[from])].rows.push_back({i, z.value[from]});
  }
}

void GroupQuadrature::place(const EffectModes& modes, double mode, Group& group) const {
  const double sd = modes.sd()[0];
  group.precision = 1;
  for (const Member& m : group.rows) {
    group.precision += sd * sd * m.value * m.value * modes.curvature()[m.row];
  }
  const auto n = static_cast<Eigen::Index>(rule_.node.size());
  group.node.resize(n);
  group.share.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double x = rule_.node[static_cast<std::size_t>(k)];
    const double at = mode + x / std::sqrt(group.precision);
    double log_term = std::log(rule_.weight[static_cast<std::size_t>(k)]) + 0.5 * x * x -
                      0.5 * (at * at - mode * mode);
    for (const Member& m : group.rows) {
      const double eta = modes.eta()[m.row];
      log_term +=
          modes.row_weight(m.row) * (pull(modes, m.row, eta + sd * m.value * (at - mode)).value -
                                     pull(modes, m.row, eta).value);
    }
    group.node[k] = at;
    group.share[k] = log_term;
  }
}

double GroupQuadrature::evaluate(const EffectModes& modes, const Eigen::VectorXd& u) {
  double sum = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    check_interrupt_at(g, 64);
    Group& group = groups_[g];
    place(modes, u[static_cast<Eigen::Index>(g)], group);
    const double largest = group.share.maxCoeff();
    group.share = (group.share.array() - largest).exp();
    const double total = group.share.sum();
    group.share /= total;
    sum += largest + std::log(total);
  }
  return sum;
}

void GroupQuadrature::add_gradient(const EffectModes& modes, const Eigen::VectorXd& u,
                                   Eigen::VectorXd& out) {
  const MixedInput& data = modes.data();
  const Eigen::Index m = data.n_thresholds();
  Eigen::VectorXd third = Eigen::VectorXd::Zero(data.n_rows()), worth = third;
  for (Eigen::Index i = 0; i < data.n_rows(); ++i) {
    const int y = data.category[i];
    const double w = modes.row_weight(i);
    if (y > 0) third[i] -= w * logistic_density_slope(modes.theta()[y - 1] - modes.eta()[i]);
    if (y < m) third[i] -= w * logistic_density_slope(modes.theta()[y] - modes.eta()[i]);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    check_interrupt_at(g, 64);
    add_group(modes, u[static_cast<Eigen::Index>(g)], groups_[g], third, worth, out);
  }
  out.segment(m, data.x.cols()).noalias() += data.x.transpose() * worth;
}

// Let h(u_k) be the group's penalised log likelihood at node k, s_k its share, and H its precision:
//   sum_k s_k (dh(u_k) - dh(u)) + A du + B dH,
//   A = sum_k s_k h'(u_k), B = -sum_k s_k h'(u_k) x_k / (2 H^(3/2)),
// and du, dH by implicit differentiation at the mode.
void GroupQuadrature::add_group(const EffectModes& modes, double mode, const Group& group,
                                const Eigen::VectorXd& third, Eigen::VectorXd& worth,
                                Eigen::VectorXd& out) const {
  const double sd = modes.sd()[0], h = group.precision;
  const Eigen::Index n = group.node.size(), m_thresholds = modes.theta().size();
  Eigen::VectorXd by_scaled = Eigen::VectorXd::Zero(n);  // derivative by sd u at each node
  std::vector<Pull> change(group.rows.size());  // shares' mean of the pulls, less the mode's
  double scaled_at_mode = 0, bend = 0;
  for (std::size_t r = 0; r < group.rows.size(); ++r) {
    const Member& m = group.rows[r];
    const double w = modes.row_weight(m.row), eta = modes.eta()[m.row];
    for (Eigen::Index k = 0; k < n; ++k) {
      const Pull at = pull(modes, m.row, eta + sd * m.value * (group.node[k] - mode));
      by_scaled[k] += m.value * w * (at.lower - at.upper);
      change[r].lower += group.share[k] * at.lower;
      change[r].upper += group.share[k] * at.upper;
    }
    const Pull at_mode = pull(modes, m.row, eta);
    change[r].lower -= at_mode.lower;
    change[r].upper -= at_mode.upper;
    scaled_at_mode += m.value * modes.score()[m.row];
    bend += std::pow(sd * m.value, 3) * third[m.row];
  }
  const Eigen::ArrayXd weighted = group.share.array() * (sd * by_scaled - group.node).array();
  const double by_precision = -0.5 * (weighted * (group.node.array() - mode)).sum() / h;
  const double by_mode = (weighted.sum() + by_precision * bend) / h;

  double by_sd = (group.share.array() * group.node.array() * by_scaled.array()).sum() -
                 mode * scaled_at_mode + by_mode * scaled_at_mode;
  for (std::size_t r = 0; r < group.rows.size(); ++r) {
    const Member& m = group.rows[r];
    const double w = modes.row_weight(m.row), d = modes.curvature()[m.row];
    const double first = by_mode * sd * m.value,
                 second = by_precision * sd * sd * m.value * m.value;
    worth[m.row] += w * (change[r].lower - change[r].upper) - first * d + second * third[m.row];
    by_sd += m.value * m.value *
             (by_precision * (2 * sd * d + sd * sd * m.value * mode * third[m.row]) -
              by_mode * sd * mode * d);
    const int y = modes.data().category[m.row];
    const auto threshold = [&](int j, double pulled) {
      const double x = modes.theta()[j] - modes.eta()[m.row];
      out[j] += w * (pulled + first * logistic_density(x) + second * logistic_density_slope(x));
    };
    if (y > 0) threshold(y - 1, -change[r].lower);
    if (y < m_thresholds) threshold(y, change[r].upper);
  }
  out[out.size() - 1] += by_sd;
}

}  // namespace judicious::ordinal
