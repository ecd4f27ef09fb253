// Integrals by the Gauss-Legendre rule with ten points, exact for polynomials up to degree 19.
#pragma once
#include <array>
#include <cstddef>

namespace judicious {

// The rule's positive points on [-1, 1] and their weights, from Boost.Math.
struct GaussLegendre {
  std::array<double, 5> point, weight;
};
const GaussLegendre& gauss_legendre();

// The integral of f from 0 to `end`.
template <typename F>
double integral_to(double end, F&& f) {
  const GaussLegendre& rule = gauss_legendre();
  const double half = end / 2;
  double sum = 0;
  for (std::size_t i = 0; i < rule.point.size(); ++i) {
    sum += rule.weight[i] * (f(half * (1 + rule.point[i])) + f(half * (1 - rule.point[i])));
  }
  return half * sum;
}

}  // namespace judicious
