#include "mixed_quadrature.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {
GroupQuadrature::GroupQuadrature(const EffectDesign& z, const HermiteRule& rule)
    : grids_{{{}, Eigen::VectorXd::Zero(1)}}, local_(z.term.size()), groups_(z.term.size()) {
  // Effects that occur in the same row get the same owner.
  std::vector<std::int32_t> owner(z.term.size());
  std::iota(owner.begin(), owner.end(), 0);
  const auto owner_of = [&](std::int32_t k) {
    while (owner[k] != k) k = owner[k] = owner[owner[k]];
    return k;
  };
  z.for_each_entry(
      [&](Eigen::Index i, std::int32_t e) { owner[owner_of(z.column[e])] = owner_of(z.column[z.offset[i]]); });
  for (std::int32_t k = 0; k < z.n_effects(); ++k) {
    std::vector<Eigen::Index>& effects = groups_[owner_of(k)].effects;
    local_[k] = static_cast<std::int32_t>(effects.size());
    effects.push_back(k);
    if (effects.size() == grids_.size()) add_grid(rule);
  }
  for (Eigen::Index i = 0; i < z.n_rows(); ++i) {
    if (z.offset[i] < z.offset[i + 1]) groups_[owner_of(z.column[z.offset[i]])].rows.push_back(i);
  }
  const auto is_empty = [](const Group& group) { return group.effects.empty(); };
  groups_.erase(std::remove_if(groups_.begin(), groups_.end(), is_empty), groups_.end());
}

void GroupQuadrature::add_grid(const HermiteRule& rule) {
  const auto n = static_cast<Eigen::Index>(rule.node.size()), d = static_cast<Eigen::Index>(grids_.size());
  const Eigen::Index n_nodes = n * grids_.back().share.size();
  if (n_nodes > 10000) throw std::invalid_argument("quadrature is for few effects a group");
  Grid grid{Eigen::MatrixXd(d, n_nodes), Eigen::VectorXd::Zero(n_nodes)};
  for (Eigen::Index k = 0; k < n_nodes; ++k) {
    for (Eigen::Index a = 0, rest = k; a < d; ++a, rest /= n) {
      const double x = grid.node(a, k) = rule.node[rest % n];
      grid.share[k] += std::log(rule.weight[rest % n]) + 0.5 * x * x;
    }
  }
  grids_.push_back(std::move(grid));
}

Eigen::VectorXd GroupQuadrature::loaded(const EffectModes& modes, Eigen::Index row, const Group& group) const {
  const EffectDesign& z = modes.design();
  Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(group.effects.size()));
  for (auto e = z.offset[row]; e < z.offset[row + 1]; ++e)
    out[local_[z.column[e]]] += modes.sd()[z.parameter(e)] * z.value[e];
  return out;
}

void GroupQuadrature::place(const EffectModes& modes, const Eigen::VectorXd& u, Group& group) const {
  const Grid& grid = grids_[group.effects.size()];
  const Eigen::Index d = grid.node.rows();
  Eigen::MatrixXd precision = Eigen::MatrixXd::Identity(d, d);
  for (const Eigen::Index i : group.rows) {
    const Eigen::VectorXd z = loaded(modes, i, group);
    precision += modes.curvature()[i] * z * z.transpose();
  }
  group.root = precision.llt().matrixU().solve(Eigen::MatrixXd::Identity(d, d));
  group.shift = group.root * grid.node;
  group.mode.resize(d);
  for (Eigen::Index a = 0; a < d; ++a) group.mode[a] = u[group.effects[a]];
  group.share = grid.share - 0.5 * (group.shift.colwise() + group.mode).colwise().squaredNorm().transpose();
  group.share.array() += 0.5 * group.mode.squaredNorm();
  for (const Eigen::Index i : group.rows) {
    const double effect = modes.effect()[i], at_mode = modes.row(i, effect).at.log_prob;
    const Eigen::VectorXd moved = group.shift.transpose() * loaded(modes, i, group);
    for (Eigen::Index k = 0; k < moved.size(); ++k) {
      const RowPoint row = modes.row(i, effect + moved[k]);
      group.share[k] += row.weight * (row.at.log_prob - at_mode);
    }
  }
}

double GroupQuadrature::evaluate(const EffectModes& modes, const Eigen::VectorXd& u) {
  double sum = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    check_interrupt_at(g, 64);
    Group& group = groups_[g];
    place(modes, u, group);
    const double largest = group.share.maxCoeff();
    group.share = (group.share.array() - largest).exp();
    const double total = group.share.sum();
    group.share /= total;
    sum += largest + std::log(total);
  }
  return sum;
}

// With s_k the shares and g_k = dh(u_k)/du, the derivative with respect to C is sum_k s_k g_k' dC x_k. For C = L^-T, H
// = L L', this is the trace of B dH with B = -C S C'. S is half of W = sum_k s_k x_k g_k' C, with its upper triangle
// replaced by the lower one.
void GroupQuadrature::add_gradient(const EffectModes& modes, RowDerivatives& derivatives, Eigen::VectorXd& leverage,
                                   Eigen::VectorXd& by_mode, Eigen::VectorXd& by_sd) const {
  const EffectDesign& design = modes.design();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    check_interrupt_at(g, 64);
    const Group& group = groups_[g];
    Eigen::MatrixXd slope = -(group.shift.colwise() + group.mode);  // s_k g_k in columns
    slope.array().rowwise() *= group.share.transpose().array();
    for (const Eigen::Index i : group.rows) {
      const Eigen::VectorXd z = loaded(modes, i, group);
      Eigen::VectorXd score = group.shift.transpose() * z;
      for (Eigen::Index k = 0; k < score.size(); ++k) {
        const RowPoint row = modes.row(i, modes.effect()[i] + score[k]);
        derivatives.add(i, row, group.share[k], 0, 0);
        score[k] = group.share[k] * row.score();
      }
      slope += z * score.transpose();
      const Eigen::VectorXd beyond = group.shift * score;
      for (auto e = design.offset[i]; e < design.offset[i + 1]; ++e)
        by_sd[design.parameter(e)] += design.value[e] * beyond[local_[design.column[e]]];
    }
    for (std::size_t a = 0; a < group.effects.size(); ++a) by_mode[group.effects[a]] = slope.row(a).sum();
    const Eigen::MatrixXd w = grids_[group.effects.size()].node * slope.transpose() * group.root;
    const Eigen::MatrixXd s = w.selfadjointView<Eigen::Lower>();
    const Eigen::MatrixXd by_precision = -0.5 * group.root * s * group.root.transpose();
    for (const Eigen::Index i : group.rows) {
      const Eigen::VectorXd z = loaded(modes, i, group), bz = by_precision * z;
      leverage[i] -= 2 * z.dot(bz);
      for (auto e = design.offset[i]; e < design.offset[i + 1]; ++e)
        by_sd[design.parameter(e)] += 2 * modes.curvature()[i] * design.value[e] * bz[local_[design.column[e]]];
    }
  }
}

}  // namespace judicious::ordinal
