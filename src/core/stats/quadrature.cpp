#include "stats/quadrature.hpp"

#include <boost/math/quadrature/gauss.hpp>

namespace judicious {

const GaussLegendre& gauss_legendre() {
  using Rule = boost::math::quadrature::gauss<double, 10>;
  static const GaussLegendre rule{Rule::abscissa(), Rule::weights()};
  return rule;
}

}  // namespace judicious
