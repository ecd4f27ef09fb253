// Adaptive Gauss-Hermite quadrature for models in which only few effects depend on each other, such as those of one
// group in (1 + x | g). It computes the correction to add to the Laplace log likelihood, which is 0 with one node
// (Pinheiro and Bates 1995).
#pragma once
#include <vector>

#include "mixed_modes.hpp"

namespace judicious::ordinal {

// Nodes and weights for integrals over the standard normal distribution; empty for the Laplace approximation.
struct HermiteRule {
  std::vector<double> node, weight;
};

class GroupQuadrature {
 public:
  // Throws std::invalid_argument if a group of effects that depend on each other requires more than 10,000 nodes.
  GroupQuadrature(const EffectDesign& z, const HermiteRule& rule);

  // sum_g log sum_k w_k exp(x_k'x_k / 2 + h_g(u_gk) - h_g(u_g)), h_g the penalised log likelihood of group g, u_g its
  // mode and u_gk = u_g + C_g x_k with C_g C_g' = H_g^-1, for all combinations x_k of nodes.
  double evaluate(const EffectModes& modes, const Eigen::VectorXd& u);
  // Adds derivatives of sum_g log sum_k w_k exp(h_g(u_gk)). Those with respect to the rows at the nodes are added to
  // `derivatives`; those with respect to the loadings, at constant curvatures, to `by_sd`. `by_mode` becomes those with
  // respect to the modes. Those with respect to the curvature of the rows, times -2, are added to `leverage`, which has
  // those of log|H|.
  void add_gradient(const EffectModes& modes, RowDerivatives& derivatives, Eigen::VectorXd& leverage,
                    Eigen::VectorXd& by_mode, Eigen::VectorXd& by_sd) const;

 private:
  struct Grid {
    Eigen::MatrixXd node;   // x_k in columns
    Eigen::VectorXd share;  // log w_k + x_k'x_k / 2
  };
  struct Group {
    std::vector<Eigen::Index> rows, effects;
    Eigen::MatrixXd root, shift;  // C, and C x_k in columns
    Eigen::VectorXd mode, share;  // u, and the terms of the sum over k, divided by it
  };
  void add_grid(const HermiteRule& rule);
  void place(const EffectModes& modes, const Eigen::VectorXd& u, Group& group) const;
  // S z of the row, for the effects of its group only.
  Eigen::VectorXd loaded(const EffectModes& modes, Eigen::Index row, const Group& group) const;

  std::vector<Grid> grids_;          // by the number of effects in a group
  std::vector<std::int32_t> local_;  // the number of each effect in its group
  std::vector<Group> groups_;
};

}  // namespace judicious::ordinal
