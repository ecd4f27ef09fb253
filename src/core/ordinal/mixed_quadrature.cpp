#include "ordinal/mixed_quadrature.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {

GroupQuadrature::GroupQuadrature(const EffectDesign& z, HermiteRule rule)
    : rule_(std::move(rule)), groups_(z.term.size()) {
  if (z.n_terms != 1) throw std::invalid_argument("quadrature is for one random effect a group");
  for (Eigen::Index i = 0; i < z.n_rows(); ++i) {
    const auto from = z.offset[i];
    const auto to = z.offset[i + 1];
    if (to - from > 1) throw std::invalid_argument("quadrature is for one effect a row");
    if (to > from) groups_[z.column[from]].rows.push_back({i, z.value[from]});
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
    const double x = rule_.node[k];
    const double at = mode + x / std::sqrt(group.precision);
    group.node[k] = at;
    group.share[k] = std::log(rule_.weight[k]) + 0.5 * x * x - 0.5 * (at * at - mode * mode);
  }
  for (const Member& m : group.rows) {
    const double effect = modes.effect()[m.row];
    const double at_mode = modes.row(m.row, effect).at.log_prob;
    for (Eigen::Index k = 0; k < n; ++k) {
      const RowPoint row = modes.row(m.row, effect + sd * m.value * (group.node[k] - mode));
      group.share[k] += row.weight * (row.at.log_prob - at_mode);
    }
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

double GroupQuadrature::add_gradient(const EffectModes& modes, const Eigen::VectorXd& u,
                                     const std::vector<RowPoint>& rows, RowPulls& pulls) const {
  double by_sd = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    check_interrupt_at(g, 64);
    by_sd += add_group(modes, u[static_cast<Eigen::Index>(g)], groups_[g], rows, pulls);
  }
  return by_sd;
}

// Let h(u_k) be the group's penalised log likelihood at node k, s_k its share, and H its precision:
//   sum_k s_k (dh(u_k) - dh(u)) + A du + B dH,
//   A = sum_k s_k h'(u_k), B = -sum_k s_k h'(u_k) x_k / (2 H^(3/2)),
// and du, dH by implicit differentiation at the mode.
double GroupQuadrature::add_group(const EffectModes& modes, double mode, const Group& group,
                                  const std::vector<RowPoint>& rows, RowPulls& pulls) const {
  const double sd = modes.sd()[0], h = group.precision;
  const Eigen::Index n = group.node.size();
  Eigen::VectorXd by_scaled = Eigen::VectorXd::Zero(n);  // derivative by sd u at each node
  double scaled_at_mode = 0, bend = 0;
  for (const Member& m : group.rows) {
    for (Eigen::Index k = 0; k < n; ++k) {
      const RowPoint at = modes.row(m.row, modes.effect()[m.row] + sd * m.value * (group.node[k] - mode));
      by_scaled[k] += m.value * at.score();
      pulls.add(m.row, at, group.share[k], 0, 0);
    }
    scaled_at_mode += m.value * modes.score()[m.row];
    bend += std::pow(sd * m.value, 3) * rows[m.row].bend();
  }
  const Eigen::ArrayXd weighted = group.share.array() * (sd * by_scaled - group.node).array();
  const double by_precision = -0.5 * (weighted * (group.node.array() - mode)).sum() / h;
  const double by_mode = (weighted.sum() + by_precision * bend) / h;

  double by_sd = (group.share.array() * group.node.array() * by_scaled.array()).sum() - mode * scaled_at_mode +
                 by_mode * scaled_at_mode;
  for (const Member& m : group.rows) {
    const RowPoint& row = rows[m.row];
    const double loaded = sd * m.value, d = row.curvature();
    pulls.add(m.row, row, -1, by_mode * loaded, by_precision * loaded * loaded);
    by_sd +=
        m.value * m.value * (by_precision * (2 * sd * d + sd * loaded * mode * row.bend()) - by_mode * sd * mode * d);
  }
  return by_sd;
}

}  // namespace judicious::ordinal
