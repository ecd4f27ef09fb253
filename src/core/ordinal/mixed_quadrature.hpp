// Adaptive Gauss-Hermite quadrature for one grouping factor with one effect per group: the term
// that it adds to the Laplace log likelihood, which is 0 with one node (Pinheiro and Bates 1995).
#pragma once
#include <vector>

#include "mixed_modes.hpp"

namespace judicious::ordinal {

// Nodes and weights of an integral over the standard normal distribution; empty for the Laplace approximation.
struct HermiteRule {
  std::vector<double> node, weight;
};

class GroupQuadrature {
 public:
  // Throws std::invalid_argument if a row has more than one effect, or there are several terms.
  GroupQuadrature(const EffectDesign& z, HermiteRule rule);

  // sum_g log sum_k w_k exp(x_k^2 / 2 + h_g(u_gk) - h_g(u_g)), h_g the penalised log likelihood of
  // group g, u_g its mode and u_gk = u_g + x_k H_g^(-1/2).
  double evaluate(const EffectModes& modes, const Eigen::VectorXd& u);
  // Adds its derivatives by the quantities on which the rows depend, including the effect of the
  // modes and of H; returns that by the standard deviation. `rows` are those at the modes.
  double add_gradient(const EffectModes& modes, const Eigen::VectorXd& u, const std::vector<RowPoint>& rows,
                      RowPulls& pulls) const;

 private:
  struct Member {  // a row of a group
    Eigen::Index row;
    double value;
  };
  struct Group {
    std::vector<Member> rows;
    double precision = 1;         // H
    Eigen::VectorXd node, share;  // u_gk, and the terms of the sum over it
  };
  void place(const EffectModes& modes, double mode, Group& group) const;
  double add_group(const EffectModes& modes, double mode, const Group& group, const std::vector<RowPoint>& rows,
                   RowPulls& pulls) const;

  HermiteRule rule_;
  std::vector<Group> groups_;
};

}  // namespace judicious::ordinal
