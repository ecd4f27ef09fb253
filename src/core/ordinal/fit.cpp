#include "fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bias.hpp"

namespace judicious::ordinal {
namespace {

constexpr Eigen::Index every = 16;  // the starting values come from one in so many rows

bool is_subsample_useful(Eigen::Index n, Eigen::Index p, Eigen::Index n_categories) {
  return n >= every * (1024 + 32 * p) && n >= 4 * every * n_categories;
}

Eigen::VectorXd start(const PomData& data, const Link& link) {
  const Eigen::VectorXd marginal = marginal_start(data.total, link, data.n_slopes());
  if (!is_subsample_useful(data.n_rows(), data.n_slopes(), data.total.size())) return marginal;
  const PomData few = subsample(data, every);
  PomLikelihood likelihood(few, link);
  Eigen::VectorXd at = marginal_start(few.total, link, few.n_slopes());
  return maximise(likelihood, at, NewtonOptions{8, 0.01}).status == Status::converged ? at : marginal;
}

// The weights of a penalty that applies only to the slopes.
Eigen::VectorXd slope_penalty(double penalty, Eigen::Index m, Eigen::Index p) {
  if (penalty == 0) return {};
  Eigen::VectorXd out = Eigen::VectorXd::Constant(m + p, penalty);
  out.head(m).setZero();
  return out;
}

void keep(const BorderedMatrix& information, PomResult& result) { result.information = information; }
void keep(const SparseInformation& information, PomResult& result) { result.sparse_information = information.lower; }

// The variances of the parameters for the columns of the fit, that is, not converted to the user's units.
Eigen::VectorXd variances_of(const PomResult& result) {
  const SparseMatrix& sparse = result.sparse_information;
  const Eigen::Index p = sparse.size() > 0 ? sparse.rows() : result.information.slopes.rows();
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(p), one = Eigen::VectorXd::Ones(p);
  return sparse.size() > 0 ? variances(sparse, none, one) : variances(result.information, none, one);
}

// Maximises the likelihood from `at`, which becomes the maximum, and stores the convergence in the result.
template <typename Solver>
void maximise_likelihood(Likelihood<Solver>& likelihood, Eigen::VectorXd& at, const NewtonOptions& options,
                         const Eigen::VectorXd& penalty, PomResult& result) {
  likelihood.set_penalty(penalty);
  result.newton = maximise(likelihood, at, options);
  if (likelihood.raised()) result.newton.status = Status::singular;
  result.reciprocal_condition = likelihood.solver().reciprocal_condition();
  result.log_likelihood = result.newton.value;
  result.freedom = static_cast<double>(at.size());
  keep(likelihood.information(), result);
  if (penalty.size() == 0) return;
  result.log_likelihood += penalty.dot(at.cwiseAbs2()) / 2;
  result.freedom -= penalty.dot(variances_of(result));
}

// Maximises the likelihood that with(link) returns, from the starting point start(link). A likelihood that is not
// concave may have several maxima. It is first maximised from the maximum of the logit likelihood; if there are few
// rows, this may not lead to the highest maximum, so the other starting point is tried, too.
template <typename LikelihoodType, typename With, typename Start>
void maximise_from_starts(LikelihoodType& likelihood, const With& with, const Start& start, Eigen::Index n_rows,
                          const PomOptions& options, const Eigen::VectorXd& penalty, Eigen::VectorXd& at,
                          PomResult& result) {
  if (options.link->is_log_concave() || !options.start.empty()) {
    maximise_likelihood(likelihood, at, options.newton, penalty, result);
    return;
  }
  const LinkPointer logit = link_named("logit");
  LikelihoodType near = with(*logit);
  near.set_penalty(penalty);
  Eigen::VectorXd other = at;
  at = start(*logit);
  maximise(near, at, NewtonOptions{12, 1e-4});
  maximise_likelihood(likelihood, at, options.newton, penalty, result);
  if (result.newton.status == Status::converged && n_rows >= 20 * at.size()) return;
  PomResult again;
  maximise_likelihood(likelihood, other, options.newton, penalty, again);
  if (again.newton.value > result.newton.value) {
    result = std::move(again);
    at = other;
  } else {
    // The first maximum was higher: evaluates the likelihood there again, and reports the iterations that led to it.
    const int iterations = result.newton.iterations;
    maximise_likelihood(likelihood, at, options.newton, penalty, result);
    result.newton.iterations += iterations;
  }
}

// The likelihood of any model, which is borrowed.
template <typename Solver>
Likelihood<Solver> likelihood_of(const CumulativeLinkModel& model) {
  Likelihood<Solver> out(pass_over_model<typename Solver::Matrix>(model), 0, model.n_parameters());
  out.set_longest_step(
      [&model](const Eigen::VectorXd& at, const Eigen::VectorXd& step) { return longest_step(model, at, step); });
  return out;
}

PomResult bias_reduced(const CumulativeLinkModel& model, Eigen::VectorXd& at, const NewtonOptions& options) {
  PomResult result;
  AdjustedScore adjusted(model);
  result.newton = adjusted.solve(at, options);
  result.information = adjusted.information();
  result.reciprocal_condition = adjusted.solver().reciprocal_condition();
  result.log_likelihood = result.newton.value;
  result.freedom = static_cast<double>(at.size());
  return result;
}

}  // namespace

PlainParts plain_parts(const PomData& data) {
  std::vector<std::int32_t> category;
  for (std::size_t j = 0; j + 1 < data.first.size(); ++j)
    category.resize(data.first[j + 1], static_cast<std::int32_t>(j));
  return {data.n_thresholds(), std::move(category), data.weight.empty() ? nullptr : data.weight.data(),
          data.offset.empty() ? nullptr : data.offset.data()};
}

PomResult fit_pom(const PomInput& input, const PomOptions& options) {
  if (const std::optional<DistinctRows> rows = distinct_rows(input)) return fit_pom(rows->input(), options);
  const Link& link = *options.link;
  if (is_mostly_zero(input)) {
    const SparseMatrix x = input.x.sparseView();
    const Eigen::Map<const SparseMatrix> columns(x.rows(), x.cols(), x.nonZeros(), x.outerIndexPtr(), x.innerIndexPtr(),
                                                 x.valuePtr());
    std::optional<PomResult> fit =
        fit_sparse({columns, input.category, input.weight, input.offset, input.n_categories}, options);
    if (fit) return *std::move(fit);
  }
  PomData data = prepare_rows(input);
  Eigen::VectorXd at = start(data, link), step;
  std::optional<PomLikelihood> likelihood(std::in_place, data, link, options.num_threads);
  likelihood->evaluate(at);
  constexpr double doubtful = 1e-8;
  if (!likelihood->newton_step(step) || likelihood->raised() || likelihood->solver().smallest_share() < doubtful) {
    drop_explained_columns(data, options.rank_tolerance);
    at = start(data, link);
    likelihood.emplace(data, link, options.num_threads);
  }

  const Eigen::Index m = data.n_thresholds(), p = data.n_slopes();
  if (!options.start.empty()) {
    at = given_start(options.start, m, data.column, data.center, data.scale);
    at.head(m).array() -= data.offset_center;
  }
  PomResult result;
  if (options.method == Method::bias_reduced) {
    // A penalty keeps the starting values finite even if the data are separated.
    likelihood->set_penalty(slope_penalty(1, m, p));
    if (maximise(*likelihood, at, NewtonOptions{8, 0.01}).status != Status::converged)
      at = marginal_start(data.total, link, p);
    const PlainParts parts = plain_parts(data);
    result = bias_reduced(parts.model(link, data.x), at, options.newton);
  } else {
    maximise_from_starts(
        *likelihood, [&](const Link& l) { return PomLikelihood(data, l, options.num_threads); },
        [&](const Link& l) { return start(data, l); }, data.n_rows(), options, slope_penalty(options.penalty, m, p), at,
        result);
    if (options.penalty == 0 && looks_separated(result.newton, at.tail(p), likelihood->solver().smallest_share()))
      result.separation = find_separation(data);
  }
  set_estimates(at, data.center, data.scale, result);
  result.theta.array() += data.offset_center;
  result.column = data.column;
  result.aliased = data.aliased;
  return result;
}

std::optional<PomResult> fit_sparse(const SparseInput& in, const PomOptions& options) {
  const Link& link = *options.link;
  if (options.method != Method::maximum_likelihood) return std::nullopt;
  SparseData data = prepare_sparse(in, {});
  const Eigen::Index m = data.total.size() - 1;
  const PlainParts parts(m, {in.category, in.category + in.x.rows()}, in.weight, in.offset);
  // Whether columns are aliased and whether data are separated does not depend on the link, so the logit is used
  // instead of a link whose likelihood may have several maxima.
  const LinkPointer logit = link_named("logit");
  const Link& checked = link.is_log_concave() ? link : *logit;
  std::optional<CumulativeLinkModel> model;
  std::optional<Likelihood<SparseSolver>> likelihood;
  Eigen::VectorXd at, step;
  const auto is_clear = [&] {
    constexpr double doubtful = 1e-9;
    model.emplace(parts.model(checked, data.x));
    likelihood.emplace(likelihood_of<SparseSolver>(*model));
    at = marginal_start(data.total, checked, data.x.cols());
    likelihood->evaluate(at);
    return likelihood->newton_step(step) && !likelihood->raised() && likelihood->solver().smallest_share() > doubtful;
  };
  if (!is_clear()) {
    std::optional<std::vector<Eigen::Index>> explained = explained_slopes(likelihood->information().lower, m);
    if (!explained) return std::nullopt;
    for (Eigen::Index& k : *explained) k = data.column[k];
    data = prepare_sparse(in, *explained);
    if (!is_clear()) return std::nullopt;
  }
  const Eigen::Index p = data.x.cols();
  const CumulativeLinkModel own = parts.model(link, data.x), near = parts.model(*logit, data.x);
  if (&checked != &link) likelihood.emplace(likelihood_of<SparseSolver>(own));
  at = options.start.empty() ? marginal_start(data.total, link, p)
                             : given_start(options.start, m, data.column, data.center, data.scale);
  PomResult result;
  maximise_from_starts(
      *likelihood, [&](const Link&) { return likelihood_of<SparseSolver>(near); },
      [&](const Link& l) { return marginal_start(data.total, l, p); }, data.x.rows(), options,
      slope_penalty(options.penalty, m, p), at, result);
  if (options.penalty == 0 && looks_separated(result.newton, at.tail(p), likelihood->solver().smallest_share())) {
    Likelihood<SparseSolver> by_logit = likelihood_of<SparseSolver>(near);
    Eigen::VectorXd from = marginal_start(data.total, *logit, p);
    const NewtonReport report = maximise(by_logit, from, NewtonOptions{25, 0});
    result.separation = certified_separation(in, data, report.last_step.tail(p));
  }
  result.column = data.column;
  result.aliased = data.aliased;
  set_estimates(at, data.center, data.scale, result);
  return result;
}

PomResult fit_by_passes(const LikelihoodPass& pass, Eigen::VectorXd at, const Eigen::VectorXd& center,
                        const Eigen::VectorXd& scale, const PomOptions& options, const Eigen::VectorXd& penalty) {
  const Eigen::Index p = scale.size(), m = at.size() - p;
  Likelihood<BorderedSolver> likelihood(pass, m, p);
  PomResult result;
  maximise_likelihood(likelihood, at, options.newton,
                      penalty.size() > 0 ? penalty : slope_penalty(options.penalty, m, p), result);
  for (Eigen::Index k = 0; k < p; ++k) result.column.push_back(k);
  set_estimates(at, center, scale, result);
  return result;
}

PomResult fit_cumulative_link(const CumulativeLinkModel& model, Eigen::VectorXd start, const PomOptions& options,
                              const Eigen::VectorXd& penalty) {
  PomResult result;
  const auto maximum = [&](auto&& likelihood) {
    maximise_likelihood(likelihood, start, options.newton, penalty, result);
  };
  if (options.method == Method::bias_reduced) {
    result = bias_reduced(model, start, options.newton);
  } else if (model.sparse != nullptr) {
    maximum(likelihood_of<SparseSolver>(model));
  } else {
    maximum(likelihood_of<BorderedSolver>(model));
  }
  result.beta = std::move(start);
  return result;
}

}  // namespace judicious::ordinal
