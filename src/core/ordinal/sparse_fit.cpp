#include "sparse_fit.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "execution/interrupt.hpp"
#include "sparse_likelihood.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {
namespace {

constexpr double doubtful = 1e-9;

// The null space of the information, found by inverse iteration, with as many directions as there
// are zero pivots. Empty if they are not exactly null.
std::optional<Eigen::MatrixXd> null_directions(const SparseMatrix& information) {
  constexpr double shift = 1e-10, vanishing = 1e-7, exact = 1e-9;
  const Eigen::Index n = information.rows();
  const Eigen::VectorXd size = Eigen::VectorXd(information.diagonal()).cwiseSqrt().cwiseInverse();
  if (!size.allFinite()) return std::nullopt;
  const SparseMatrix scaled = size.asDiagonal() * information * size.asDiagonal();
  SparseFactor factor;
  factor.setShift(shift);
  factor.compute(scaled);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Eigen::Index count = (factor.vectorD().array() < vanishing).count();
  if (count == 0 || 2 * count > n) return std::nullopt;
  Eigen::MatrixXd out(n, count);
  std::minstd_rand draw(1);
  std::generate_n(out.data(), out.size(),
                  [&draw] { return static_cast<double>(draw()) / 2147483647.0 - 0.5; });
  for (int round = 0; round < 5; ++round) {
    check_interrupt();
    out = factor.solve(out).eval();
    out = (Eigen::HouseholderQR<Eigen::MatrixXd>(out).householderQ() *
           Eigen::MatrixXd::Identity(n, count))
              .eval();
  }
  const Eigen::MatrixXd image = scaled.selfadjointView<Eigen::Lower>() * out;
  if (image.cwiseAbs().maxCoeff() > exact) return std::nullopt;
  return out;
}

// The slopes that the previous slopes and the thresholds explain: the last slope of each null
// direction, after eliminating those of the others.
std::optional<std::vector<Eigen::Index>> explained_slopes(const SparseMatrix& information,
                                                          Eigen::Index m) {
  std::optional<Eigen::MatrixXd> found = null_directions(information);
  if (!found) return std::nullopt;
  Eigen::MatrixXd& null = *found;
  std::vector<Eigen::Index> out;
  Eigen::Index left = null.cols();
  for (Eigen::Index k = null.rows(); k-- > m && left > 0;) {
    Eigen::Index largest = 0;
    if (null.row(k).head(left).cwiseAbs().maxCoeff(&largest) < 1e-6) continue;
    out.push_back(k - m);
    null.col(largest).swap(null.col(--left));
    const Eigen::VectorXd pivot = null.col(left) / null(k, left);
    for (Eigen::Index c = 0; c < left; ++c) null.col(c) -= null(k, c) * pivot;
  }
  if (left > 0) return std::nullopt;
  return out;
}

// Maximises from `at`, which becomes the maximum. Likelihoods that are not concave can have several
// maxima: the first start is near the logit's, with few rows the marginal one is tried, too.
NewtonReport maximise_sparse(const SparseInput& input, const SparseData& data, const Link& link,
                             const NewtonOptions& options, SparseLikelihood& likelihood,
                             Eigen::VectorXd& at) {
  if (link.is_log_concave()) return maximise(likelihood, at, options);
  Eigen::VectorXd other = marginal_start(data.total, link, data.x.cols());
  const LinkPointer logit = link_named("logit");
  SparseLikelihood near(input, data, *logit);
  at = marginal_start(data.total, *logit, data.x.cols());
  NewtonOptions rough;
  rough.max_iterations = 12;
  rough.tolerance = 1e-4;
  maximise(near, at, rough);
  NewtonReport report = maximise(likelihood, at, options);
  if (data.x.rows() >= 20 * at.size()) return report;
  const NewtonReport again = maximise(likelihood, other, options);
  if (again.value > report.value) at = other;
  const int iterations = report.iterations + again.iterations;
  report = maximise(likelihood, at, options);  // for the information there
  report.iterations += iterations;
  return report;
}

// If the data are separated, Newton's method continues along a separating direction with steps of
// about 1, while everything else has converged. This function checks the direction in all rows.
SeparationReport certified_separation(const SparseInput& input, const SparseData& data) {
  SeparationReport report;
  // Whether data are separated does not depend on the link.
  const LinkPointer logit = link_named("logit");
  SparseLikelihood likelihood(input, data, *logit);
  NewtonOptions options;
  options.max_iterations = 25;
  options.tolerance = 0;
  Eigen::VectorXd at = marginal_start(data.total, *logit, data.x.cols());
  const Eigen::VectorXd direction = maximise(likelihood, at, options).last_step.tail(data.x.cols());
  const Eigen::VectorXd value = data.x * direction;
  const double largest = value.cwiseAbs().maxCoeff(), small = 1e-3 * largest;
  if (!(largest > 0.1)) return report;
  const auto n_categories = static_cast<std::size_t>(input.n_categories);
  std::vector<double> low(n_categories, infinity), high(n_categories, -infinity);
  for (Eigen::Index i = 0; i < value.size(); ++i) {
    if (input.weight != nullptr && !(input.weight[i] > 0)) continue;
    const auto j = static_cast<std::size_t>(input.category[i]);
    low[j] = std::min(low[j], value[i]);
    high[j] = std::max(high[j], value[i]);
  }
  const double origin = data.center.cwiseQuotient(data.scale).dot(direction);
  bool any_tight = false;
  for (std::size_t j = 0; j + 1 < n_categories; ++j) {
    const double gap = low[j + 1] - high[j];
    if (gap < -small) return report;
    any_tight = any_tight || gap < small;
    const double from = high[j] + origin, to = low[j + 1] + origin;
    if (std::min(from, to) > small || std::max(from, to) < -small)
      report.thresholds.push_back(static_cast<Eigen::Index>(j));
  }
  Eigen::VectorXd entry = Eigen::VectorXd::Zero(direction.size());
  for (Eigen::Index i = 0; i < data.x.rows(); ++i) {
    for (SparseRows::InnerIterator it(data.x, i); it; ++it)
      entry[it.col()] = std::max(entry[it.col()], std::fabs(it.value()));
  }
  report.kind = any_tight ? Separation::quasi_complete : Separation::complete;
  for (Eigen::Index k = 0; k < direction.size(); ++k) {
    if (std::fabs(direction[k]) * entry[k] > small) report.slopes.push_back(k);
  }
  return report;
}

// The columns of the identity from `from` on, as linear functionals of (theta, gamma) on the user's
// scale.
Eigen::MatrixXd user_functionals(Eigen::Index from, Eigen::Index count, Eigen::Index m,
                                 const Eigen::VectorXd& center, const Eigen::VectorXd& scale) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(m + scale.size(), count);
  for (Eigen::Index c = 0; c < count; ++c) {
    const Eigen::Index at = from + c;
    out(at, c) = at < m ? 1 : 1 / scale[at - m];
    if (at < m) out.col(c).tail(scale.size()) = center.cwiseQuotient(scale);
  }
  return out;
}

}  // namespace

bool is_mostly_zero(const PomInput& in) {
  constexpr Eigen::Index least_columns = 60;
  constexpr int most_categories = 200;
  if (in.x.cols() < least_columns || in.n_categories > most_categories) return false;
  return 10 * (in.x.array() != 0).count() < in.x.size();
}

std::optional<PomResult> fit_sparse(const PomInput& in, const PomOptions& options) {
  const SparseMatrix x = in.x.sparseView();
  return fit_sparse(SparseInput{{x.rows(), x.cols(), x.nonZeros(), x.outerIndexPtr(),
                                 x.innerIndexPtr(), x.valuePtr()},
                                in.category,
                                in.weight,
                                in.offset,
                                in.n_categories},
                    options);
}

std::optional<PomResult> fit_sparse(const SparseInput& in, const PomOptions& options) {
  const Link& link = *options.link;
  if (options.method != Method::maximum_likelihood) return std::nullopt;
  // Which columns are explained by others does not depend on the link.
  const LinkPointer logit = link_named("logit");
  const Link& checked = link.is_log_concave() ? link : *logit;
  SparseData data = prepare_sparse(in, {});
  std::optional<SparseLikelihood> likelihood(std::in_place, in, data, checked);
  const Eigen::Index m = data.total.size() - 1;
  Eigen::VectorXd at = marginal_start(data.total, checked, data.x.cols()), step;
  const auto is_clear = [&] {
    likelihood->evaluate(at);
    return likelihood->newton_step(step) && !likelihood->raised() &&
           likelihood->smallest_share() > doubtful;
  };
  if (!is_clear()) {
    std::optional<std::vector<Eigen::Index>> explained =
        explained_slopes(likelihood->information(), m);
    if (!explained) return std::nullopt;
    for (Eigen::Index& k : *explained) k = data.column[static_cast<std::size_t>(k)];
    data = prepare_sparse(in, *explained);
    likelihood.emplace(in, data, checked);
    at = marginal_start(data.total, checked, data.x.cols());
    if (!is_clear()) return std::nullopt;
  }
  if (&checked != &link) likelihood.emplace(in, data, link);
  PomResult result;
  likelihood->set_penalty(options.penalty);
  if (options.start.empty()) {
    result.newton = maximise_sparse(in, data, link, options.newton, *likelihood, at);
  } else {
    at = given_start(options.start, m, data.column, data.center, data.scale);
    result.newton = maximise(*likelihood, at, options.newton);
  }
  if (likelihood->raised()) result.newton.status = Status::singular;
  const auto slopes = at.tail(data.scale.size());
  result.log_likelihood = result.newton.value + options.penalty / 2 * slopes.squaredNorm();
  result.sparse_information = likelihood->information();
  result.reciprocal_condition = likelihood->smallest_share();
  result.freedom = static_cast<double>(at.size());
  if (options.penalty > 0) {
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(slopes.size());
    const Eigen::VectorXd one = Eigen::VectorXd::Ones(slopes.size());
    result.freedom -=
        options.penalty * variances(result.sparse_information, none, one).tail(slopes.size()).sum();
  } else if (looks_separated(result.newton, slopes, likelihood->smallest_share())) {
    result.separation = certified_separation(in, data);
  }
  result.column = data.column;
  result.aliased = data.aliased;
  set_estimates(at, data.center, data.scale, result);
  return result;
}

Eigen::VectorXd variances(const SparseMatrix& information, const Eigen::VectorXd& center,
                          const Eigen::VectorXd& scale) {
  constexpr Eigen::Index at_once = 64;
  const Eigen::Index n = information.rows(), m = n - scale.size();
  const SparseFactor factor(information);
  Eigen::VectorXd out = Eigen::VectorXd::Constant(n, std::numeric_limits<double>::quiet_NaN());
  if (factor.info() != Eigen::Success || !(factor.vectorD().minCoeff() > 0)) return out;
  for (Eigen::Index from = 0; from < n; from += at_once) {
    check_interrupt();
    const Eigen::Index count = std::min(at_once, n - from);
    const Eigen::MatrixXd functionals = user_functionals(from, count, m, center, scale);
    const Eigen::MatrixXd solved = factor.solve(functionals);
    out.segment(from, count) = functionals.cwiseProduct(solved).colwise().sum().transpose();
  }
  return out;
}

Eigen::MatrixXd covariance(const SparseMatrix& information, const Eigen::VectorXd& center,
                           const Eigen::VectorXd& scale) {
  const Eigen::Index n = information.rows(), m = n - scale.size();
  const SparseFactor factor(information);
  if (factor.info() != Eigen::Success || !(factor.vectorD().minCoeff() > 0))
    return Eigen::MatrixXd::Constant(n, n, std::numeric_limits<double>::quiet_NaN());
  const Eigen::MatrixXd functionals = user_functionals(0, n, m, center, scale);
  const Eigen::MatrixXd solved = factor.solve(functionals);
  // The product of the functionals and `solved`, without multiplying large matrices.
  Eigen::MatrixXd out = solved;
  out.topRows(m).rowwise() += center.cwiseQuotient(scale).transpose() * solved.bottomRows(n - m);
  out.bottomRows(n - m).array().colwise() /= scale.array();
  return out;
}

}  // namespace judicious::ordinal
