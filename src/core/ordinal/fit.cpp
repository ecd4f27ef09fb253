#include "fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "aggregate.hpp"
#include "aliasing.hpp"
#include "bias.hpp"
#include "likelihood.hpp"
#include "scoring.hpp"
#include "sparse_fit.hpp"

namespace judicious::ordinal {
namespace {

constexpr Eigen::Index every = 16;  // the first estimate uses one in so many rows

bool worth_thinning(Eigen::Index n, Eigen::Index p, Eigen::Index n_categories) {
  return n >= every * (1024 + 32 * p) && n >= 4 * every * n_categories;
}

// The starting point, estimated from a part of the rows.
Eigen::VectorXd rough_start(const PomData& few, const Link& link,
                            const Eigen::VectorXd& otherwise) {
  PomLikelihood likelihood(few, link);
  Eigen::VectorXd at = marginal_start(few.total, link, few.n_slopes());
  NewtonOptions rough;
  rough.max_iterations = 8;
  rough.tolerance = 0.01;
  return maximise(likelihood, at, rough).status == Status::converged ? at : otherwise;
}

Eigen::VectorXd start(const PomData& data, const Link& link) {
  const Eigen::VectorXd marginal = marginal_start(data.total, link, data.n_slopes());
  if (!worth_thinning(data.n_rows(), data.n_slopes(), data.total.size())) return marginal;
  return rough_start(thinned(data, every), link, marginal);
}

// The data without a copy, and the starting point, for plain fits of many rows in few categories.
bool borrow(const PomInput& rows, const PomOptions& options, PomData& data, Eigen::VectorXd& at) {
  constexpr Eigen::Index many = 65536;
  if (options.method != Method::maximum_likelihood || options.penalty > 0 || !can_borrow(rows) ||
      rows.x.rows() < many || !worth_thinning(rows.x.rows(), rows.x.cols(), rows.n_categories)) {
    return false;
  }
  PomData few;
  if (!borrow_rows(rows, every, few, data)) return false;
  at = rough_start(few, *options.link, marginal_start(data.total, *options.link, data.n_slopes()));
  return true;
}

// Maximises from `at`, which becomes the maximum, and stores the convergence in the result.
void maximise_likelihood(PomLikelihood& likelihood, Eigen::VectorXd& at, const PomOptions& options,
                         PomResult& result) {
  likelihood.set_penalty(options.penalty);
  result.newton = maximise(likelihood, at, options.newton);
  if (likelihood.raised()) result.newton.status = Status::singular;
  result.information = likelihood.information();
  result.reciprocal_condition = likelihood.solver().reciprocal_condition();
  const auto slopes = at.tail(result.information.slopes.rows());
  result.log_likelihood = result.newton.value + options.penalty / 2 * slopes.squaredNorm();
  result.freedom = static_cast<double>(at.size());
  if (options.penalty > 0)
    result.freedom -= options.penalty * likelihood.solver().slope_covariance().trace();
}

// The maximum of the logit model.
Eigen::VectorXd logit_maximum(const PomData& data, const PomOptions& options) {
  const LinkPointer logit = link_named("logit");
  PomLikelihood likelihood(data, *logit, options.num_threads);
  likelihood.set_penalty(options.penalty);
  Eigen::VectorXd at = start(data, *logit);
  NewtonOptions rough = options.newton;
  rough.tolerance = std::max(rough.tolerance, 1e-4);
  maximise(likelihood, at, rough);
  return at;
}

// Likelihoods that are not concave can have several maxima: with few rows, the one near the logit's
// need not be the highest.
void maximise_with_care(PomLikelihood& likelihood, const PomData& data, Eigen::VectorXd& at,
                        const PomOptions& options, PomResult& result) {
  const Eigen::VectorXd marginal = at;
  at = logit_maximum(data, options);
  maximise_likelihood(likelihood, at, options, result);
  if (result.newton.status == Status::converged && data.n_rows() >= 20 * at.size()) return;
  Eigen::VectorXd other = marginal;
  PomResult again;
  maximise_likelihood(likelihood, other, options, again);
  if (!(again.newton.value > result.newton.value)) {
    maximise_likelihood(likelihood, at, options, result);
    return;
  }
  result = std::move(again);
  at = other;
}

}  // namespace

PomResult fit_pom(const PomInput& input, const PomOptions& options) {
  const Link& link = *options.link;
  if (is_mostly_zero(input)) {
    std::optional<PomResult> fit = fit_sparse(input, options);
    if (fit) return *std::move(fit);
  }
  const std::optional<DistinctRows> distinct = distinct_rows(input);
  const PomInput rows = distinct ? distinct->input() : input;
  PomData data;
  Eigen::VectorXd at;
  if (!borrow(rows, options, data, at)) {
    data = prepare_rows(rows);
    at = start(data, link);
  }
  std::optional<PomLikelihood> likelihood(std::in_place, data, link, options.num_threads);
  likelihood->evaluate(at);
  Eigen::VectorXd step;
  constexpr double doubtful = 1e-8;
  if (!likelihood->newton_step(step) || likelihood->raised() ||
      likelihood->solver().smallest_share() < doubtful) {
    if (data.borrowed != nullptr) data = prepare_rows(rows);
    drop_explained_columns(data, options.rank_tolerance);
    at = start(data, link);
    likelihood.emplace(data, link, options.num_threads);
  }

  const Eigen::Index p = data.n_slopes();
  if (!options.start.empty()) {
    at = given_start(options.start, data.n_thresholds(), data.column, data.center, data.scale);
    at.head(data.n_thresholds()).array() -= data.offset_center;
  }
  PomResult result;
  if (options.method == Method::bias_reduced) {
    at = marginal_start(data.total, link, p);
    AdjustedScore adjusted(data, link, options.num_threads);
    result.newton = solve_adjusted(adjusted, at, options.newton);
    result.information = adjusted.information();
    result.reciprocal_condition = adjusted.solver().reciprocal_condition();
    result.log_likelihood = result.newton.value;
    result.freedom = static_cast<double>(at.size());
  } else {
    if (link.is_log_concave() || !options.start.empty()) {
      maximise_likelihood(*likelihood, at, options, result);
    } else {
      maximise_with_care(*likelihood, data, at, options, result);
    }
    if (options.penalty == 0 &&
        looks_separated(result.newton, at.tail(p), likelihood->solver().smallest_share()))
      result.separation = find_separation(data.borrowed != nullptr ? prepare_rows(rows) : data);
  }
  set_estimates(at, data.center, data.scale, result);
  result.theta.array() += data.offset_center;
  result.column = data.column;
  result.aliased = data.aliased;
  return result;
}

PomResult fit_by_passes(const LikelihoodPass& pass, Eigen::VectorXd at,
                        const Eigen::VectorXd& center, const Eigen::VectorXd& scale,
                        const PomOptions& options) {
  PomLikelihood likelihood(pass, at.size() - scale.size(), scale.size());
  PomResult result;
  maximise_likelihood(likelihood, at, options, result);
  for (Eigen::Index k = 0; k < scale.size(); ++k) result.column.push_back(k);
  set_estimates(at, center, scale, result);
  return result;
}

}  // namespace judicious::ordinal
