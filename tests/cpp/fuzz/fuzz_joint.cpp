// Random pools and judgments for the joint distribution of the gains. Judging step by step must agree with
// JointObjective, variances must not be negative, and draws must be levels of the scale.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "../joint_case.hpp"
#include "belief/joint_draws.hpp"
#include "belief/joint_objective.hpp"
#include "belief/joint_posterior.hpp"
#include "byte_source.hpp"

using namespace judicious;
using Eigen::Index;
using judicious::fuzz::ByteSource;

namespace {

double variance_of(ByteSource& source) { return source.between(0, 3) == 0 ? 0 : source.unit(); }

JointPool make_pool(ByteSource& source) {
  JointPool pool;
  const int n_systems = source.between(1, 6), n_teams = source.between(1, 3);
  const int n_queries = source.between(1, 4), n_pairs = source.between(1, 16);
  pool.incidence.n_systems = static_cast<std::size_t>(n_systems);
  pool.n_teams = static_cast<std::size_t>(n_teams);
  pool.n_queries = static_cast<std::size_t>(n_queries);
  for (int s = 0; s < n_systems; ++s) pool.team.push_back(source.between(0, n_teams - 1));
  pool.incidence.offset.push_back(0);
  pool.x.resize(2, n_pairs);
  for (int i = 0; i < n_pairs; ++i) {
    const std::uint8_t members = source.byte();
    int count = 0;
    for (int s = 0; s < n_systems; ++s) {
      if ((members >> s & 1) == 0 && !(s == n_systems - 1 && count == 0)) continue;
      pool.incidence.system.push_back(s);
      pool.weight.push_back(source.unit());
      ++count;
    }
    pool.incidence.offset.push_back(pool.incidence.offset.back() + count);
    pool.query.push_back(source.between(0, n_queries - 1));
    pool.genre.push_back(source.between(-1, 2));
    pool.artist.push_back(source.between(-1, 3));
    pool.popularity.push_back(source.tame() / 4);
    pool.x.col(i) << 1, source.tame();
  }
  return pool;
}

JointParameters make_parameters(ByteSource& source, std::size_t n_pairs) {
  JointParameters par;
  for (std::size_t i = 0; i < n_pairs; ++i) {
    par.mean.push_back(source.yes() ? source.unit() : source.between(0, 1));
    par.slope.push_back(source.unit());
    par.scale.push_back(source.unit());
    par.residual_scale.push_back(source.unit());
  }
  par.coefficient_variance = Eigen::Vector2d(variance_of(source), variance_of(source));
  for (double& v : par.variance) v = variance_of(source);
  par.variance[term_residual] = source.unit();  // estimation keeps it positive
  return par;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  ByteSource source(bytes, size);
  JointPool pool = make_pool(source);
  const JointPrior prior(pool, make_parameters(source, pool.query.size()));
  const auto n = static_cast<int>(prior.n_pairs());
  JointPosterior posterior(prior);
  // The rounding errors of posterior variances are proportional to the prior variances.
  const double at_first = posterior.system_covariance().diagonal().maxCoeff();

  std::vector<std::int32_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[source.byte() % i]);
  const auto n_judged = static_cast<std::size_t>(source.between(0, n));
  std::vector<std::int32_t> judged;
  std::vector<double> gain;
  for (std::size_t a = 0; a < n_judged; ++a) {
    judged.push_back(order[a]);
    gain.push_back(source.yes() ? source.between(0, 1) : source.unit());
    const Eigen::VectorXd before = posterior.variance();
    posterior.judge(static_cast<std::size_t>(judged.back()), gain.back());
    MUST_HOLD(posterior.mean().allFinite() && posterior.variance().allFinite());
    MUST_HOLD(posterior.variance().minCoeff() >= 0);
    MUST_HOLD((before - posterior.variance()).minCoeff() > -1e-9);
    MUST_HOLD(posterior.mean()[judged.back()] == gain.back());
  }
  MUST_HOLD(posterior.system_covariance().diagonal().minCoeff() > -1e-9 * (1 + at_first));

  const joint_case::Case known = joint_case::restrict_to({pool, prior.parameters()}, judged);
  JointObjective objective(known.pool, gain);
  const JointEvaluation fit = objective.evaluate(known.par, JointOrder::gradient);
  MUST_HOLD(std::isfinite(fit.log_likelihood) && fit.coefficient.allFinite());
  const Index p = fit.coefficient_covariance.rows();
  const double apart =
      (fit.coefficient_covariance - posterior.shared_covariance().topLeftCorner(p, p)).cwiseAbs().maxCoeff();
  MUST_HOLD(apart < 1e-6);
  for (const double slope : fit.gradient) MUST_HOLD(std::isfinite(slope));

  if (prior.pool().n_queries > 1) MUST_HOLD(posterior.between_queries().allFinite());
  const auto s = static_cast<Index>(prior.n_systems());
  const Eigen::VectorXd fall = posterior.variance_reduction(Eigen::MatrixXd::Identity(s, s));
  MUST_HOLD(fall.allFinite() && fall.minCoeff() >= 0);
  if (n_judged < order.size()) {
    const auto next = static_cast<std::size_t>(order[n_judged]);
    const double trace = posterior.system_covariance().trace();
    const double promised = fall[static_cast<Index>(next)];
    posterior.assume_judged(next);
    MUST_HOLD(std::abs(trace - posterior.system_covariance().trace() - promised) < 1e-6 * (1 + trace));
  }

  const std::vector<double> levels = source.yes() ? std::vector<double>{0, 1} : std::vector<double>{0, 0.3, 1};
  const JointSampler sampler(posterior, levels);
  const auto shared = sampler.draw_shared(1, source.byte());
  for (std::size_t q = 0; q < prior.pool().n_queries; ++q) {
    const DrawnLevels drawn = sampler.draw_levels(q, sampler.level_map(q), shared);
    MUST_HOLD(drawn.cols() == static_cast<Index>(prior.pairs_of(q).size()));
    MUST_HOLD((drawn.array() >= -1).all() && (drawn.array() < static_cast<std::int32_t>(levels.size())).all());
    MUST_HOLD(sampler.draw_normal(q, shared).allFinite());
  }
  return 0;
}
