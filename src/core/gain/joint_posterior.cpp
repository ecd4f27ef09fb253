#include "gain/joint_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "execution/parallel.hpp"
#include "execution/poll.hpp"
#include "gain/joint_systems.hpp"

namespace judicious {

using Eigen::Index;

JointPosterior::JointPosterior(JointPrior prior, int num_threads)
    : prior_(std::make_shared<const JointPrior>(std::move(prior))),
      known_(prior_->n_pairs(), false),
      num_threads_(num_threads) {
  query_.resize(prior_->pool().n_queries);
  for (std::size_t q = 0; q < query_.size(); ++q) {
    query_[q].l.resize(static_cast<Index>(prior_->pairs_of(q).size()), 0);
    query_[q].w.resize(0, prior_->n_shared());
  }
  shared_covariance_ = prior_->shared_variance().asDiagonal();
  mean_ = Eigen::Map<const Eigen::VectorXd>(prior_->parameters().mean.data(),
                                            static_cast<Index>(prior_->n_pairs()));
  variance_ = prior_->variances();
  SystemMoments systems = system_moments(*prior_, num_threads);
  system_mean_ = std::move(systems.mean);
  system_covariance_ = std::move(systems.covariance);
  system_shared_ = std::move(systems.shared);
}

JointPosterior::Conditional JointPosterior::conditional(std::size_t pair) const {
  const Index place = prior_->place(pair);
  const QueryState& state = query_[static_cast<std::size_t>(prior_->pool().query[pair])];
  Conditional out{prior_->query_column(pair), prior_->shared_row(pair)};
  if (state.l.cols() > 0) {
    out.within -= state.l * state.l.row(place).transpose();
    out.design -= state.l.row(place) * state.w;
  }
  return out;
}

Eigen::VectorXd JointPosterior::query_over_systems(std::size_t query,
                                                   const Eigen::VectorXd& values) const {
  const JointPool& pool = prior_->pool();
  const auto& pairs = prior_->pairs_of(query);
  Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Index>(prior_->n_systems()));
  for (std::size_t a = 0; a < pairs.size(); ++a) {
    const auto i = static_cast<std::size_t>(pairs[a]);
    for (auto r = static_cast<std::size_t>(pool.incidence.offset[i]);
         r < static_cast<std::size_t>(pool.incidence.offset[i + 1]); ++r)
      out[pool.incidence.system[r]] += pool.weight[r] * values[static_cast<Index>(a)];
  }
  return out;
}

JointPosterior::Column JointPosterior::column(std::size_t pair) const {
  // Here, before anything is changed, judging can be given up.
  poll();
  const auto own = static_cast<std::size_t>(prior_->pool().query[pair]);
  Column out;
  out.own = conditional(pair);
  out.shared = shared_covariance_ * out.own.design.transpose();
  out.systems =
      query_over_systems(own, out.own.within) + system_shared_ * out.own.design.transpose();
  out.whole.resize(static_cast<Index>(prior_->n_pairs()));
  const SharedDirections<1> folded = prior_->fold<1>(out.shared.transpose());
  parallel_for(query_.size(), num_threads_, [&](std::size_t q) {
    Directions<1> values = prior_->shared_product<1>(q, folded);
    if (query_[q].l.cols() > 0) values -= (query_[q].l * (query_[q].w * out.shared)).transpose();
    if (q == own) values += out.own.within.transpose();
    const auto& pairs = prior_->pairs_of(q);
    for (std::size_t a = 0; a < pairs.size(); ++a) {
      const auto i = static_cast<std::size_t>(pairs[a]);
      out.whole[static_cast<Index>(i)] = known_[i] ? 0 : values[static_cast<Index>(a)];
    }
  });
  return out;
}

Eigen::VectorXd JointPosterior::covariance_column(std::size_t pair) const {
  if (known_[pair]) return Eigen::VectorXd::Zero(static_cast<Index>(prior_->n_pairs()));
  return column(pair).whole;
}

// With scores b_q of mean m_q and covariance V_q, and their average of mean m and covariance C, the
// expectation of sum (b_q - b)(b_q - b)' is sum (m_q m_q' + V_q) - n (m m' + C). All covariance of
// the systems that is not by the shared effects is within queries.
Eigen::MatrixXd JointPosterior::between_queries() const {
  const auto s = static_cast<Index>(prior_->n_systems());
  const auto n = static_cast<double>(query_.size());
  const JointPool& pool = prior_->pool();
  Eigen::MatrixXd sum =
      system_covariance_ - (system_mean_ * system_mean_.transpose() + system_covariance_) / n;
  // Of the scores on the shared effects: effects by systems.
  Eigen::MatrixXd total = Eigen::MatrixXd::Zero(prior_->n_shared(), s);
  for (std::size_t q = 0; q < query_.size(); ++q) {
    poll();
    const auto& pairs = prior_->pairs_of(q);
    const QueryState& state = query_[q];
    Eigen::MatrixXd design = Eigen::MatrixXd::Zero(prior_->n_shared(), s);
    Eigen::VectorXd score = Eigen::VectorXd::Zero(s);
    for (std::size_t a = 0; a < pairs.size(); ++a) {
      const auto i = static_cast<std::size_t>(pairs[a]);
      Eigen::RowVectorXd row = prior_->shared_row(i);
      if (state.l.cols() > 0) row -= state.l.row(static_cast<Index>(a)) * state.w;
      for (auto r = static_cast<std::size_t>(pool.incidence.offset[i]);
           r < static_cast<std::size_t>(pool.incidence.offset[i + 1]); ++r) {
        design.col(pool.incidence.system[r]) += pool.weight[r] * row.transpose();
        score[pool.incidence.system[r]] += pool.weight[r] * mean_[pairs[a]];
      }
    }
    sum += score * score.transpose() + design.transpose() * shared_covariance_ * design;
    total += design;
  }
  sum -= total.transpose() * shared_covariance_ * total;
  return sum * (n * n / (n - 1));
}

void JointPosterior::judge(std::size_t pair, double gain) {
  const auto at = static_cast<Index>(pair);
  const Column k = column(pair);
  const double step = (gain - mean_[at]) / k.whole[at];
  system_mean_ += step * k.systems;
  mean_ += step * k.whole;
  mean_[at] = gain;
  condition(pair, k);
}

void JointPosterior::imagine(std::size_t pair) { condition(pair, column(pair)); }

void JointPosterior::condition(std::size_t pair, const Column& k) {
  const auto at = static_cast<Index>(pair);
  const Index place = prior_->place(pair);
  const double total = k.whole[at], within = k.own.within[place];
  system_covariance_.noalias() -= k.systems * (k.systems / total).transpose();
  system_shared_.noalias() -= k.systems * (k.shared / total).transpose();
  shared_covariance_.noalias() -= k.shared * (k.shared / total).transpose();
  variance_ = (variance_ - k.whole.cwiseAbs2() / total).cwiseMax(0);
  variance_[at] = 0;

  QueryState& state = query_[static_cast<std::size_t>(prior_->pool().query[pair])];
  const Index n = state.l.cols();
  state.l.conservativeResize(Eigen::NoChange, n + 1);
  state.w.conservativeResize(n + 1, Eigen::NoChange);
  state.l.col(n) = k.own.within / std::sqrt(within);
  state.w.row(n) = k.own.design / std::sqrt(within);
  state.place.push_back(place);
  known_[pair] = true;
}

Eigen::VectorXd JointPosterior::variance_reduction(
    const Eigen::Ref<const Eigen::MatrixXd>& directions) const {
  struct Few {
    Directions<side_by_side> systems, shared;
    SharedDirections<side_by_side> folded;
  };
  std::vector<Few> few;
  for (Index from = 0; from < directions.rows(); from += side_by_side) {
    const Index rows = std::min<Index>(side_by_side, directions.rows() - from);
    Few next;
    next.systems = Directions<side_by_side>::Zero(side_by_side, directions.cols());
    next.systems.topRows(rows) = directions.middleRows(from, rows);
    next.shared = next.systems * system_shared_;
    next.folded = prior_->fold<side_by_side>(next.shared);
    few.push_back(std::move(next));
  }
  Eigen::VectorXd out = Eigen::VectorXd::Zero(mean_.size());
  parallel_for(query_.size(), num_threads_, [&](std::size_t q) {
    poll();
    const QueryState& state = query_[q];
    const auto& pairs = prior_->pairs_of(q);
    Eigen::RowVectorXd squares = Eigen::RowVectorXd::Zero(static_cast<Index>(pairs.size()));
    for (const Few& d : few) {
      const Directions<side_by_side> weights = prior_->weigh<side_by_side>(q, d.systems);
      Directions<side_by_side> covariance = prior_->query_product<side_by_side>(q, weights) +
                                            prior_->shared_product<side_by_side>(q, d.folded);
      if (state.l.cols() > 0)
        covariance -= (weights * state.l + d.shared * state.w.transpose()) * state.l.transpose();
      squares += covariance.colwise().squaredNorm();
    }
    for (std::size_t a = 0; a < pairs.size(); ++a) {
      const auto i = static_cast<std::size_t>(pairs[a]);
      const double variance = variance_[static_cast<Index>(i)];
      if (known_[i] || variance <= 0) continue;
      out[static_cast<Index>(i)] = squares[static_cast<Index>(a)] / variance;
    }
  });
  return out;
}

Eigen::VectorXd JointPosterior::variance_reduction(
    const Eigen::Ref<const Eigen::MatrixXd>& directions,
    const std::vector<std::int32_t>& pairs) const {
  const auto n = static_cast<Index>(pairs.size());
  Eigen::MatrixXd design(prior_->n_shared(), n), systems(directions.cols(), n);
  for (Index a = 0; a < n; ++a) {
    const auto pair = static_cast<std::size_t>(pairs[static_cast<std::size_t>(a)]);
    const Conditional own = conditional(pair);
    design.col(a) = own.design.transpose();
    systems.col(a) =
        query_over_systems(static_cast<std::size_t>(prior_->pool().query[pair]), own.within);
  }
  systems.noalias() += system_shared_ * design;
  Eigen::VectorXd out = (directions * systems).colwise().squaredNorm().transpose();
  for (Index a = 0; a < n; ++a) {
    const std::int32_t pair = pairs[static_cast<std::size_t>(a)];
    const double variance = variance_[pair];
    out[a] = known_[static_cast<std::size_t>(pair)] || variance <= 0 ? 0 : out[a] / variance;
  }
  return out;
}

}  // namespace judicious
