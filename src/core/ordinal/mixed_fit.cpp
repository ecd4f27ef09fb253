#include "mixed_fit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace judicious::ordinal {
namespace {

// The Laplace likelihood as a function of only the parameters that are estimated.
class FreeLikelihood {
 public:
  FreeLikelihood(LaplaceLikelihood& full, Eigen::VectorXd psi, std::vector<bool> estimated)
      : full_(full), psi_(std::move(psi)), estimated_(std::move(estimated)) {}

  double evaluate(const Eigen::VectorXd& x) {
    ++evaluations;
    set(x);
    return full_.evaluate(psi_);
  }
  Eigen::VectorXd gradient() { return pick(full_.gradient()); }
  double longest_step(const Eigen::VectorXd& x, const Eigen::VectorXd& step) const {
    Eigen::VectorXd from = psi_, by = Eigen::VectorXd::Zero(psi_.size());
    spread(x, from);
    spread(step, by);
    return full_.longest_step(from, by);
  }
  Eigen::VectorXd pick(const Eigen::VectorXd& psi) const {
    std::vector<double> out;
    for (std::size_t k = 0; k < estimated_.size(); ++k) {
      if (estimated_[k]) out.push_back(psi[static_cast<Eigen::Index>(k)]);
    }
    return Eigen::Map<Eigen::VectorXd>(out.data(), static_cast<Eigen::Index>(out.size()));
  }
  void spread(const Eigen::VectorXd& x, Eigen::VectorXd& psi) const {
    Eigen::Index next = 0;
    for (std::size_t k = 0; k < estimated_.size(); ++k) {
      if (estimated_[k]) psi[static_cast<Eigen::Index>(k)] = x[next++];
    }
  }
  void set(const Eigen::VectorXd& x) { spread(x, psi_); }
  // Fixes at 0 the standard deviation that is the element `index` of psi.
  void fix_at_zero(Eigen::Index index) {
    psi_[index] = 0;
    estimated_[index] = false;
  }
  const Eigen::VectorXd& psi() const { return psi_; }
  Eigen::VectorXd& psi() { return psi_; }
  const std::vector<bool>& estimated() const { return estimated_; }

  int evaluations = 0;

 private:
  LaplaceLikelihood& full_;
  Eigen::VectorXd psi_;
  std::vector<bool> estimated_;
};

// Starting values of the standard deviations: the effects of each term first have a standard deviation of about 0.6 per
// row; a few EM steps (the posterior mean square of the effects) then give the right order of magnitude.
Eigen::VectorXd starting_sd(LaplaceLikelihood& likelihood, const Eigen::VectorXd& start,
                            const std::vector<double>& fixed) {
  const EffectDesign& z = likelihood.modes().design();
  Eigen::VectorXd square = Eigen::VectorXd::Zero(z.n_terms), count = square, sd(z.n_terms);
  for (std::size_t e = 0; e < z.column.size(); ++e) square[z.parameter(e)] += z.value[e] * z.value[e];
  for (const auto t : z.term) ++count[t];
  const auto is_fixed = [&](Eigen::Index t) { return !fixed.empty() && !std::isnan(fixed[t]); };
  for (Eigen::Index t = 0; t < z.n_terms; ++t) {
    const double mean = square[t] / static_cast<double>(z.n_rows());
    // Starting values of correlated effects have no correlation.
    const double own = z.diagonal_of(t) == t ? 0.6 / std::sqrt(mean > 0 ? mean : 1) : 0;
    sd[t] = is_fixed(t) ? fixed[t] : own;
  }
  Eigen::VectorXd psi(likelihood.n_parameters());
  for (int round = 0; round < 3; ++round) {
    psi << start, sd;
    if (!std::isfinite(likelihood.evaluate(psi))) break;
    const Eigen::VectorXd variance = likelihood.mode_variances();
    Eigen::VectorXd moment = Eigen::VectorXd::Zero(z.n_terms);
    for (Eigen::Index k = 0; k < variance.size(); ++k) {
      const double u = likelihood.mode()[k];
      moment[z.term[k]] += u * u + variance[k];
    }
    for (Eigen::Index t = 0; t < z.n_terms; ++t) {
      if (!is_fixed(t) && count[t] > 0) sd[t] *= std::sqrt(moment[t] / count[t]);
    }
  }
  return sd;
}

// Minus the inverse of a Hessian, in which negative curvatures are made positive.
Eigen::MatrixXd ascent_matrix(const Eigen::MatrixXd& hessian) {
  const Eigen::VectorXd scale = hessian.diagonal().cwiseAbs().cwiseMax(1e-12).cwiseSqrt();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scale.cwiseInverse().asDiagonal() * -hessian *
                                                             scale.cwiseInverse().asDiagonal());
  const Eigen::VectorXd values = eigen.eigenvalues().cwiseAbs().cwiseMax(1e-6);
  const Eigen::MatrixXd vectors = scale.cwiseInverse().asDiagonal() * eigen.eigenvectors();
  return vectors * values.cwiseInverse().asDiagonal() * vectors.transpose();
}

bool positive_definite(const Eigen::MatrixXd& a) {
  if (!a.allFinite()) return false;
  if (a.rows() == 0) return true;
  const Eigen::VectorXd scale = a.diagonal().cwiseMax(0).cwiseSqrt().cwiseInverse();
  if (!scale.allFinite()) return false;
  const Eigen::LLT<Eigen::MatrixXd> llt(scale.asDiagonal() * a * scale.asDiagonal());
  return llt.info() == Eigen::Success && llt.rcond() > 1e-13;
}

// The widths for finite differences: a small part of the standard error of each parameter, and of the distance at which
// thresholds would cross.
Eigen::VectorXd difference_widths(const FreeLikelihood& f, const Eigen::VectorXd& x, const Eigen::MatrixXd& inverse) {
  Eigen::VectorXd width = 1e-3 * inverse.diagonal().cwiseMax(1e-16).cwiseSqrt();
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    for (const double sign : {-1.0, 1.0}) {
      const Eigen::VectorXd step = sign * Eigen::VectorXd::Unit(x.size(), k);
      width[k] = std::min(width[k], 0.05 * f.longest_step(x, step));
    }
  }
  return width;
}

// The initial approximation of minus the inverse Hessian: for thresholds and slopes, from the information at constant
// |H|; for standard deviations, from differences of the gradient.
Eigen::MatrixXd starting_inverse(LaplaceLikelihood& likelihood, FreeLikelihood& f, const Eigen::VectorXd& x,
                                 Eigen::Index n_fixed) {
  Eigen::MatrixXd hessian = Eigen::MatrixXd::Zero(x.size(), x.size());
  f.evaluate(x);
  hessian.topLeftCorner(n_fixed, n_fixed) = -likelihood.fixed_information();
  const Eigen::VectorXd here = f.gradient();
  for (Eigen::Index k = n_fixed; k < x.size(); ++k) {
    Eigen::VectorXd at = x;
    const double width = 1e-3 * std::max(std::fabs(x[k]), 1e-3);
    at[k] += width;
    f.evaluate(at);
    hessian.col(k) = (f.gradient() - here) / width;
    hessian.row(k) = hessian.col(k).transpose();
  }
  return ascent_matrix(hessian);
}

// Sets small standard deviations to 0 if that does not decrease the likelihood. If the likelihood increases slightly
// above 0, the standard deviation is moved there instead, because the derivative at 0 always vanishes. Returns whether
// anything changed.
bool resolve_small_sd(LaplaceLikelihood& likelihood, FreeLikelihood& f, Eigen::VectorXd& x,
                      const Eigen::VectorXd& scale, std::vector<bool>& at_boundary) {
  bool changed = false;
  f.set(x);
  const Eigen::Index n_fixed = likelihood.n_fixed();
  for (Eigen::Index t = 0; t < scale.size(); ++t) {
    const Eigen::Index at = n_fixed + t;
    const EffectDesign& z = likelihood.modes().design();
    if (z.diagonal_of(t) != t) continue;
    if (!f.estimated()[at] || std::fabs(f.psi()[at]) > 0.1 * scale[t]) continue;
    Eigen::VectorXd psi = f.psi();
    const double here = likelihood.evaluate(psi);
    psi[at] = 0;
    const double zero = likelihood.evaluate(psi);
    if (zero < here - 1e-9 * (1 + 1e-3 * std::fabs(here))) continue;
    psi[at] = 0.1 * scale[t];
    if (likelihood.evaluate(psi) > zero) {
      f.psi()[at] = 0.3 * scale[t];
    } else {
      // If the diagonal element is 0, the rest of its column is redundant, because later columns can represent it.
      for (Eigen::Index s = 0; s < scale.size(); ++s) {
        if (z.diagonal_of(s) == t) f.fix_at_zero(n_fixed + s);
      }
      at_boundary[t] = true;
    }
    x = f.pick(f.psi());
    changed = true;
  }
  return changed;
}

// Maximises the objective. The Hessian is computed by differences of the gradient, repeatedly, until it is that of the
// maximum. Returns the Hessian; x becomes the maximum, and `result` gets the status and counts.
Eigen::MatrixXd maximise_objective(LaplaceLikelihood& likelihood, FreeLikelihood& f, Eigen::VectorXd& x,
                                   const Eigen::VectorXd& scale, const NewtonOptions& options, MixedResult& result) {
  Eigen::MatrixXd inverse = starting_inverse(likelihood, f, x, likelihood.n_fixed()), hessian;
  NewtonOptions rough = options;
  rough.tolerance = std::max(rough.tolerance, 1e-7);
  QuasiNewtonReport report = maximise_quasi_newton(f, x, inverse, rough);
  result.iterations = report.iterations;
  if (resolve_small_sd(likelihood, f, x, scale, result.at_boundary))
    inverse = starting_inverse(likelihood, f, x, likelihood.n_fixed());
  constexpr int max_rounds = 6;
  for (int round = 0; round < max_rounds; ++round) {
    hessian = hessian_from_gradients(f, x, difference_widths(f, x, inverse));
    if (!hessian.allFinite()) break;
    inverse = ascent_matrix(hessian);
    const Eigen::VectorXd before = x;
    NewtonOptions remaining = options;
    remaining.max_iterations = std::max(0, remaining.max_iterations - result.iterations);
    report = maximise_quasi_newton(f, x, inverse, remaining);
    result.iterations += report.iterations;
    const double moved = std::fabs((x - before).dot(hessian * (x - before)));
    const bool settled = !resolve_small_sd(likelihood, f, x, scale, result.at_boundary);
    if (settled && moved < 1e-6) break;
  }
  result.status = report.status;
  // If rounding errors stop a line search this near the maximum, the fit has converged.
  if (result.status == Status::stalled && report.decrement < 1e-8) result.status = Status::converged;
  if (!positive_definite(-hessian)) result.status = Status::singular;
  result.decrement = report.decrement;
  result.evaluations = f.evaluations;
  return hessian;
}

// Signs, 1 or -1, that make all diagonal elements positive. The objective does not change if a standard deviation, or a
// column of a Cholesky factor, changes its sign.
Eigen::VectorXd diagonal_signs(const Eigen::VectorXd& psi, const EffectDesign& z, Eigen::Index n_fixed) {
  Eigen::VectorXd sign = Eigen::VectorXd::Ones(psi.size());
  for (Eigen::Index t = 0; t < z.n_terms; ++t) {
    if (psi[n_fixed + z.diagonal_of(t)] < 0) sign[n_fixed + t] = -1;
  }
  return sign;
}

// Stores the modes of the effects, in the caller's order.
void store_modes(LaplaceLikelihood& likelihood, const std::vector<std::int32_t>& number, MixedResult& result) {
  const Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> renumber(
      Eigen::Map<const Eigen::VectorXi>(number.data(), static_cast<Eigen::Index>(number.size())));
  result.curvature = likelihood.modes().curvature();
  result.mode = renumber.transpose() * likelihood.mode();
  result.mode_variance = renumber.transpose() * likelihood.mode_variances();
  result.mode_sensitivity = renumber.transpose() * likelihood.mode_sensitivity();
}

}  // namespace

MixedResult fit_mixed(const CumulativeLinkModel& model, const EffectDesign& given, const Eigen::VectorXd& start,
                      const MixedOptions& options) {
  check_design(given);
  if (given.n_rows() != model.n_rows()) throw std::invalid_argument("one row of effects per row");
  const std::vector<std::int32_t> number = sparse_numbering(given);
  const EffectDesign z = renumbered(given, number);
  LaplaceLikelihood likelihood(model, z, options.rule);
  const Eigen::Index n_fixed = likelihood.n_fixed();
  const Eigen::VectorXd scale = starting_sd(likelihood, start, options.fixed_sd);

  Eigen::VectorXd psi(likelihood.n_parameters());
  psi << start, scale;
  std::vector<bool> estimated(psi.size(), true);
  for (std::size_t t = 0; t < options.fixed_sd.size(); ++t) {
    estimated[n_fixed + t] = std::isnan(options.fixed_sd[t]);
  }
  FreeLikelihood f(likelihood, psi, estimated);
  Eigen::VectorXd x = f.pick(psi);

  MixedResult result;
  result.at_boundary.assign(z.n_terms, false);
  const Eigen::MatrixXd hessian = maximise_objective(likelihood, f, x, scale, options.outer, result);

  f.set(x);
  const Eigen::VectorXd sign = diagonal_signs(f.psi(), z, n_fixed), free_sign = f.pick(sign);
  result.hessian = free_sign.asDiagonal() * hessian * free_sign.asDiagonal();
  result.psi = f.psi().cwiseProduct(sign);
  result.log_likelihood = likelihood.evaluate(result.psi);
  result.estimated = f.estimated();
  result.gradient = likelihood.gradient();
  store_modes(likelihood, number, result);
  return result;
}

LaplaceValue laplace_at(const CumulativeLinkModel& model, const EffectDesign& given, const Eigen::VectorXd& psi,
                        const HermiteRule& rule) {
  check_design(given);
  const EffectDesign z = renumbered(given, sparse_numbering(given));
  LaplaceLikelihood likelihood(model, z, rule);
  LaplaceValue out{likelihood.evaluate(psi), {}};
  if (std::isfinite(out.value)) out.gradient = likelihood.gradient();
  return out;
}

}  // namespace judicious::ordinal
