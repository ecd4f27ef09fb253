#include "mixed_laplace.hpp"

#include <cmath>

#include "cumulative_link_row.hpp"
#include "newton.hpp"

namespace judicious::ordinal {

LaplaceLikelihood::LaplaceLikelihood(const CumulativeLinkModel& model, const EffectDesign& z, const HermiteRule& rule)
    : modes_(model, z), u_(Eigen::VectorXd::Zero(z.n_effects())) {
  if (!rule.node.empty()) quadrature_ = std::make_shared<GroupQuadrature>(z, rule);
}

double LaplaceLikelihood::evaluate(const Eigen::VectorXd& psi) {
  const Eigen::Index first_sd = n_fixed(), n_terms = psi.size() - first_sd;
  if (!psi.allFinite()) return -infinity;
  if (!modes_.set(psi.head(first_sd), psi.tail(n_terms))) return -infinity;
  // A mode at this distance from the exact one, in squared standard errors, gives the same result.
  const NewtonOptions options{100, 1e-18};
  Eigen::VectorXd u = u_;
  NewtonReport report = maximise(modes_, u, options);
  const auto has_mode = [&] {
    return (report.status == Status::converged || report.decrement < 1e-10) && modes_.has_curvature() &&
           std::isfinite(report.value);
  };
  if (!has_mode()) {
    u.setZero();
    report = maximise(modes_, u, options);
    if (!has_mode()) return -infinity;
  }
  u_ = u;
  const double laplace = report.value - 0.5 * modes_.precision().log_determinant();
  return quadrature_ ? laplace + quadrature_->evaluate(modes_, u_) : laplace;
}

Eigen::VectorXd LaplaceLikelihood::gradient() {
  const EffectDesign& z = modes_.design();
  const Eigen::Index n = z.n_rows();
  const Eigen::VectorXd& sd = modes_.sd();
  EffectPrecision& precision = modes_.precision();
  precision.invert();
  Eigen::VectorXd leverage, by_term;
  precision.leverages(sd, modes_.curvature(), leverage, by_term);

  RowDerivatives derivatives(modes_.model());
  Eigen::VectorXd by_sd = -by_term, by_mode = Eigen::VectorXd::Zero(u_.size());
  if (quadrature_) quadrature_->add_gradient(modes_, derivatives, leverage, by_mode, by_sd);

  // Half the derivative of log|H| with respect to the modes, multiplied by H^-1, because the derivative of the modes
  // with respect to psi is H^-1 times that of their equation.
  std::vector<RowPoint> rows;
  rows.reserve(n);
  Eigen::VectorXd by_predictor(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    rows.push_back(modes_.row(i, modes_.effect()[i]));
    by_predictor[i] = leverage[i] * rows.back().curvature_slope();
  }
  Eigen::VectorXd adjoint = modes_.to_effects(by_predictor) - 2 * by_mode;
  precision.solve(adjoint);
  const Eigen::VectorXd shift = modes_.to_rows(adjoint);
  for (Eigen::Index i = 0; i < n; ++i) {
    derivatives.add(i, rows[i], quadrature_ ? 0 : 1, -0.5 * shift[i], -0.5 * leverage[i]);
  }

  z.for_each_entry([&](Eigen::Index i, std::int32_t e) {
    const auto k = z.column[e];
    by_sd[z.parameter(e)] += z.value[e] * (u_[k] * derivatives.eta[i] - 0.5 * adjoint[k] * modes_.score()[i]);
  });
  Eigen::VectorXd out(n_parameters());
  out << modes_.to_parameters(derivatives), by_sd;
  return out;
}

double LaplaceLikelihood::longest_step(const Eigen::VectorXd& psi, const Eigen::VectorXd& step) const {
  return ordinal::longest_step(modes_.model(), psi, step);
}

// Minus the derivative, with respect to thresholds and slopes, of the equation that the modes solve.
Eigen::MatrixXd LaplaceLikelihood::cross_information() {
  const CumulativeLinkModel& model = modes_.model();
  const EffectDesign& z = modes_.design();
  const RowWalker walker(model, modes_.fixed());
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(u_.size(), n_fixed());
  Eigen::VectorXd by_parameter(n_fixed()), row_information(n_fixed());
  for (Eigen::Index i = 0; i < model.n_rows(); ++i) {
    const RowPoint row = modes_.row(i, modes_.effect()[i]);
    const double scaled_weight = row.weight * row.shrink;
    row_information.setZero();
    const auto add = [&](Eigen::Index threshold, double at, double slope) {
      if (!std::isfinite(at)) return;
      walker.derivatives(i, threshold, at, row.shrink, by_parameter);
      row_information += scaled_weight * slope * by_parameter;
    };
    add(model.category[i] - 1, row.a, row.at.second.lower);
    add(model.category[i], row.b, row.at.second.upper);
    row_information.tail(model.scale.cols()) -= scaled_weight * row.at.shift * model.scale.row(i).transpose();
    for (auto e = z.offset[i]; e < z.offset[i + 1]; ++e) {
      out.row(z.column[e]) += (modes_.sd()[z.parameter(e)] * z.value[e]) * row_information;
    }
  }
  return out;
}

Eigen::MatrixXd LaplaceLikelihood::fixed_information() {
  const CumulativeLinkModel& given = modes_.model();
  const Eigen::VectorXd offset = given.offset + modes_.effect();
  const CumulativeLinkModel model{given.link,     given.structure, given.nominal, given.location,    given.scale,
                                  given.category, given.weight,    offset,        given.scale_offset};
  CumulativeLinkSums sums(model);
  sums.start(modes_.fixed());
  sums.add_all();
  BorderedMatrix information;
  sums.get_information(information);
  Eigen::MatrixXd whitened = cross_information();
  modes_.precision().solve_lower(whitened);
  return information.slopes - whitened.transpose() * whitened;
}

Eigen::MatrixXd LaplaceLikelihood::mode_sensitivity() {
  Eigen::MatrixXd out = cross_information();
  modes_.precision().solve(out);
  return out;
}

Eigen::VectorXd LaplaceLikelihood::mode_variances() {
  modes_.precision().invert();
  return modes_.precision().variances();
}

}  // namespace judicious::ordinal
