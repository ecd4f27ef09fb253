#include "mixed_laplace.hpp"

#include <cmath>
#include <utility>

#include "execution/interrupt.hpp"
#include "logit.hpp"
#include "mixed_quadrature.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {
namespace {

// A mode this far from the exact one, in squared standard errors, does not change the result.
NewtonOptions mode_options() {
  NewtonOptions out;
  out.tolerance = 1e-18;
  return out;
}

}  // namespace

LaplaceLikelihood::LaplaceLikelihood(const MixedInput& data, const EffectDesign& z,
                                     std::vector<SdPrior> priors, const HermiteRule& rule)
    : modes_(data, z), priors_(std::move(priors)), u_(Eigen::VectorXd::Zero(z.n_effects())) {
  priors_.resize(static_cast<std::size_t>(z.n_terms));
  if (!rule.node.empty()) quadrature_ = std::make_shared<GroupQuadrature>(data, z, rule);
}

double LaplaceLikelihood::evaluate(const Eigen::VectorXd& psi) {
  const MixedInput& data = modes_.data();
  const Eigen::Index m = data.n_thresholds(), p = data.x.cols(), n_terms = psi.size() - m - p;
  if (!psi.allFinite()) return -infinity;
  for (Eigen::Index j = 1; j < m; ++j) {
    if (!(psi[j] > psi[j - 1])) return -infinity;
  }
  log_prior_ = 0;
  for (Eigen::Index t = 0; t < n_terms; ++t) {
    const SdPrior& prior = priors_[static_cast<std::size_t>(t)];
    if (std::isinf(prior.log_sd)) continue;
    if (!(psi[m + p + t] > 0)) return -infinity;
    const double z = (std::log(psi[m + p + t]) - prior.log_median) / prior.log_sd;
    log_prior_ -= 0.5 * z * z;
  }
  modes_.set(psi.head(m), psi.segment(m, p), psi.tail(n_terms));
  Eigen::VectorXd u = u_;
  NewtonReport report = maximise(modes_, u, mode_options());
  if (report.status != Status::converged && !(report.decrement < 1e-10)) {
    u.setZero();
    report = maximise(modes_, u, mode_options());
    if (report.status != Status::converged && !(report.decrement < 1e-10)) return -infinity;
  }
  u_ = u;
  const double laplace = report.value - 0.5 * modes_.precision().log_determinant() + log_prior_;
  return quadrature_ ? laplace + quadrature_->evaluate(modes_, u_) : laplace;
}

Eigen::VectorXd LaplaceLikelihood::gradient() {
  const MixedInput& data = modes_.data();
  const EffectDesign& z = modes_.design();
  const Eigen::Index n = data.n_rows(), m = data.n_thresholds(), p = data.x.cols();
  const Eigen::VectorXd &theta = modes_.theta(), &eta = modes_.eta(), &sd = modes_.sd();
  EffectPrecision& precision = modes_.precision();
  precision.invert();
  Eigen::VectorXd leverage, by_term;
  precision.leverages(sd, modes_.curvature(), leverage, by_term);

  // The derivative of the curvature of every row by eta, and with it half the derivative of log|H|
  // by the modes, multiplied by H^-1 (the derivative of the modes by psi is H^-1 times that of
  // their equation).
  Eigen::VectorXd third(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int y = data.category[i];
    double slope = 0;
    if (y > 0) slope += logistic_density_slope(theta[y - 1] - eta[i]);
    if (y < m) slope += logistic_density_slope(theta[y] - eta[i]);
    third[i] = -modes_.row_weight(i) * slope;
  }
  const Eigen::VectorXd through_h = leverage.cwiseProduct(third);
  Eigen::VectorXd adjoint = modes_.to_effects(through_h);
  precision.solve(adjoint);
  const Eigen::VectorXd shift = modes_.to_rows(adjoint);
  // The total derivative by a row's eta, at fixed u.
  const Eigen::VectorXd worth =
      modes_.score() - 0.5 * (through_h - shift.cwiseProduct(modes_.curvature()));

  Eigen::VectorXd out = Eigen::VectorXd::Zero(m + p + z.n_terms);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int y = data.category[i];
    const double w = modes_.row_weight(i);
    const auto threshold = [&](Eigen::Index j, double score) {
      const double x = theta[j] - eta[i];
      out[j] += w * (score - 0.5 * (leverage[i] * logistic_density_slope(x) +
                                    shift[i] * logistic_density(x)));
    };
    if (y > 0) threshold(y - 1, -logistic(theta[y - 1] - eta[i]));
    if (y < m) threshold(y, logistic(eta[i] - theta[y]));
  }
  for (Eigen::Index j = 1; j < m; ++j) {
    const double slope = modes_.category_weight()[j] * gap_slope(theta[j] - theta[j - 1]);
    out[j] += slope;
    out[j - 1] -= slope;
  }
  out.segment(m, p).noalias() = data.x.transpose() * worth;

  auto by_sd = out.tail(z.n_terms);
  by_sd = -by_term;
  for (Eigen::Index i = 0; i < n; ++i) {
    for (auto e = static_cast<std::size_t>(z.offset[static_cast<std::size_t>(i)]);
         e < static_cast<std::size_t>(z.offset[static_cast<std::size_t>(i) + 1]); ++e) {
      const auto k = z.column[e];
      by_sd[z.parameter(e)] +=
          z.value[e] * (u_[k] * worth[i] - 0.5 * adjoint[k] * modes_.score()[i]);
    }
  }
  for (Eigen::Index t = 0; t < z.n_terms; ++t) {
    const SdPrior& prior = priors_[static_cast<std::size_t>(t)];
    if (std::isinf(prior.log_sd)) continue;
    by_sd[t] -= (std::log(sd[t]) - prior.log_median) / (prior.log_sd * prior.log_sd * sd[t]);
  }
  if (quadrature_) quadrature_->add_gradient(modes_, u_, out);
  return out;
}

double LaplaceLikelihood::longest_step(const Eigen::VectorXd& psi,
                                       const Eigen::VectorXd& step) const {
  const Eigen::Index m = modes_.data().n_thresholds(), before = modes_.data().n_fixed();
  double longest = infinity;
  for (Eigen::Index j = 1; j < m; ++j) {
    const double delta = psi[j] - psi[j - 1], change = step[j] - step[j - 1];
    if (change < 0) longest = std::min(longest, delta / -change);
  }
  for (Eigen::Index t = 0; t < modes_.design().n_terms; ++t) {
    if (std::isinf(priors_[static_cast<std::size_t>(t)].log_sd)) continue;
    if (step[before + t] < 0) longest = std::min(longest, psi[before + t] / -step[before + t]);
  }
  return longest;
}

Eigen::MatrixXd LaplaceLikelihood::cross_information() {
  const MixedInput& data = modes_.data();
  const Eigen::Index n = data.n_rows(), m = data.n_thresholds(), p = data.x.cols();
  Eigen::MatrixXd out(u_.size(), m + p);
  // Rows of the thresholds: -f; rows of the slopes: d x.
  for (Eigen::Index j = 0; j < m + p; ++j) {
    Eigen::VectorXd weight = Eigen::VectorXd::Zero(n);
    if (j >= m) {
      weight = modes_.curvature().cwiseProduct(data.x.col(j - m));
    } else {
      for (Eigen::Index i = 0; i < n; ++i) {
        const int y = data.category[i];
        if (y != j && y != j + 1) continue;
        weight[i] = -modes_.row_weight(i) * logistic_density(modes_.theta()[j] - modes_.eta()[i]);
      }
    }
    out.col(j) = modes_.to_effects(weight);
  }
  return out;
}

Eigen::MatrixXd LaplaceLikelihood::fixed_information() {
  const MixedInput& data = modes_.data();
  const Eigen::Index n = data.n_rows(), m = data.n_thresholds(), p = data.x.cols();
  const Eigen::VectorXd& theta = modes_.theta();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(m + p, m + p);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int y = data.category[i];
    for (Eigen::Index j = std::max(y - 1, 0); j <= y && j < m; ++j) {
      const double density = modes_.row_weight(i) * logistic_density(theta[j] - modes_.eta()[i]);
      out(j, j) += density;
      out.row(j).tail(p) -= density * data.x.row(i);
    }
  }
  for (Eigen::Index j = 1; j < m; ++j) {
    const double gap = modes_.category_weight()[j] * gap_curvature(theta[j] - theta[j - 1]);
    out(j, j) += gap;
    out(j - 1, j - 1) += gap;
    out(j - 1, j) -= gap;
    out(j, j - 1) -= gap;
  }
  // Without slopes, both corners are empty, and with one threshold Eigen's aliasing check considers
  // them the same.
  if (p > 0) out.bottomLeftCorner(p, m) = out.topRightCorner(m, p).transpose();
  out.bottomRightCorner(p, p).noalias() =
      data.x.transpose() * modes_.curvature().asDiagonal() * data.x;
  Eigen::MatrixXd half = cross_information();
  modes_.precision().solve_lower(half);
  out.noalias() -= half.transpose() * half;
  return out;
}

Eigen::MatrixXd LaplaceLikelihood::mode_sensitivity() {
  Eigen::MatrixXd out = cross_information();
  for (Eigen::Index j = 0; j < out.cols(); ++j) {
    check_interrupt();
    Eigen::VectorXd column = out.col(j);
    modes_.precision().solve(column);
    out.col(j) = column;
  }
  return out;
}

Eigen::VectorXd LaplaceLikelihood::mode_variances() {
  modes_.precision().invert();
  return modes_.precision().variances();
}

}  // namespace judicious::ordinal
