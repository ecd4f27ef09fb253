#include "gain/joint_posterior.hpp"

#include <cmath>
#include <utility>

#include "execution/poll.hpp"

namespace judicious {

using Eigen::Index;

JointPosterior::JointPosterior(JointPrior prior)
    : prior_(std::move(prior)), known_(prior_.n_pairs(), false) {
  const auto n = static_cast<Index>(prior_.n_pairs());
  query_.resize(prior_.pool().n_queries);
  for (std::size_t q = 0; q < query_.size(); ++q) {
    query_[q].l.resize(static_cast<Index>(prior_.pairs_of(q).size()), 0);
    query_[q].w.resize(0, prior_.n_shared());
  }
  shared_covariance_ = prior_.shared_variance().asDiagonal();
  mean_ = Eigen::Map<const Eigen::VectorXd>(prior_.parameters().mean.data(), n);
  variance_.resize(n);
  for (std::size_t i = 0; i < prior_.n_pairs(); ++i)
    variance_[static_cast<Index>(i)] = prior_.variance_of(i);
  start_systems();
}

Eigen::VectorXd JointPosterior::over_systems(
    const Eigen::Ref<const Eigen::VectorXd>& pool_values) const {
  const IncidenceView at = prior_.pool().incidence.view();
  const auto& weight = prior_.pool().weight;
  Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Index>(at.n_systems));
  for (std::size_t i = 0; i < at.n_pairs; ++i) {
    for (auto r = static_cast<std::size_t>(at.offset[i]);
         r < static_cast<std::size_t>(at.offset[i + 1]); ++r) {
      out[at.system[r]] += weight[r] * pool_values[static_cast<Index>(i)];
    }
  }
  return out;
}

void JointPosterior::start_systems() {
  const auto s = static_cast<Index>(prior_.n_systems());
  const Eigen::MatrixXd each_system = Eigen::MatrixXd::Identity(s, s);
  system_mean_ = over_systems(mean_);
  system_shared_ = Eigen::MatrixXd::Zero(s, prior_.n_shared());
  system_covariance_ = Eigen::MatrixXd::Zero(s, s);
  for (std::size_t q = 0; q < query_.size(); ++q) {
    poll();
    const Eigen::MatrixXd weights = prior_.weigh(q, each_system);
    const Eigen::MatrixXd product = prior_.query_product(q, weights);
    const auto& pairs = prior_.pairs_of(q);
    for (std::size_t a = 0; a < pairs.size(); ++a) {
      const Eigen::RowVectorXd row = prior_.shared_row(static_cast<std::size_t>(pairs[a]));
      for (Index j = 0; j < s; ++j) {
        const double weight = weights(j, static_cast<Index>(a));
        if (weight == 0) continue;
        system_covariance_.col(j) += weight * product.col(static_cast<Index>(a));
        system_shared_.row(j) += weight * row;
      }
    }
  }
  system_covariance_ +=
      system_shared_ * prior_.shared_variance().asDiagonal() * system_shared_.transpose();
}

JointPosterior::Column JointPosterior::column(std::size_t pair) const {
  // Here, before anything is changed, judging can be given up.
  poll();
  const auto own = static_cast<std::size_t>(prior_.pool().query[pair]);
  const Index place = prior_.place(pair);
  const QueryState& state = query_[own];
  Column out;
  out.within = prior_.query_column(pair);
  out.shared = prior_.shared_row(pair);
  if (state.l.cols() > 0) {
    out.within -= state.l * state.l.row(place).transpose();
    out.shared -= state.l.row(place) * state.w;
  }
  out.gain = shared_covariance_ * out.shared.transpose();
  out.whole.resize(static_cast<Index>(prior_.n_pairs()));
  const SharedDirections folded = prior_.fold(out.gain.transpose());
  for (std::size_t q = 0; q < query_.size(); ++q) {
    poll_at(q, 64);
    Eigen::VectorXd values = prior_.shared_product(q, folded).transpose();
    if (query_[q].l.cols() > 0) values -= query_[q].l * (query_[q].w * out.gain);
    if (q == own) values += out.within;
    const auto& pairs = prior_.pairs_of(q);
    for (std::size_t a = 0; a < pairs.size(); ++a) {
      const auto i = static_cast<std::size_t>(pairs[a]);
      out.whole[static_cast<Index>(i)] = known_[i] ? 0 : values[static_cast<Index>(a)];
    }
  }
  return out;
}

Eigen::VectorXd JointPosterior::covariance_column(std::size_t pair) const {
  if (known_[pair]) return Eigen::VectorXd::Zero(static_cast<Index>(prior_.n_pairs()));
  return column(pair).whole;
}

// With scores b_q of mean m_q and covariance V_q, and their average of mean m and covariance C, the
// expectation of sum (b_q - b)(b_q - b)' is sum (m_q m_q' + V_q) - n (m m' + C).
Eigen::MatrixXd JointPosterior::between_queries() const {
  const auto s = static_cast<Index>(prior_.n_systems());
  const auto n = static_cast<double>(query_.size());
  const Eigen::MatrixXd each_system = Eigen::MatrixXd::Identity(s, s);
  Eigen::MatrixXd sum = -(system_mean_ * system_mean_.transpose() + system_covariance_) / n;
  for (std::size_t q = 0; q < query_.size(); ++q) {
    poll();
    const auto& pairs = prior_.pairs_of(q);
    const Eigen::MatrixXd weights = prior_.weigh(q, each_system);
    Eigen::MatrixXd shared = Eigen::MatrixXd::Zero(s, prior_.n_shared());
    Eigen::VectorXd mean(static_cast<Index>(pairs.size()));
    for (std::size_t a = 0; a < pairs.size(); ++a) {
      const auto at = static_cast<Index>(a);
      shared += weights.col(at) * prior_.shared_row(static_cast<std::size_t>(pairs[a]));
      mean[at] = mean_[pairs[a]];
    }
    if (query_[q].l.cols() > 0) {
      const Eigen::MatrixXd known = weights * query_[q].l;
      shared -= known * query_[q].w;
      sum -= known * known.transpose();
    }
    const Eigen::VectorXd score = weights * mean;
    sum += score * score.transpose() + prior_.query_product(q, weights) * weights.transpose() +
           shared * shared_covariance_ * shared.transpose();
  }
  return sum * (n * n / (n - 1));
}

void JointPosterior::judge(std::size_t pair, double gain) {
  const auto at = static_cast<Index>(pair);
  const Column k = column(pair);
  const double step = (gain - mean_[at]) / k.whole[at];
  system_mean_ += step * over_systems(k.whole);
  mean_ += step * k.whole;
  mean_[at] = gain;
  condition(pair, k);
}

void JointPosterior::imagine(std::size_t pair) { condition(pair, column(pair)); }

void JointPosterior::condition(std::size_t pair, const Column& k) {
  const auto at = static_cast<Index>(pair);
  const auto own = static_cast<std::size_t>(prior_.pool().query[pair]);
  const double total = k.whole[at], within = k.within[prior_.place(pair)];
  const Eigen::VectorXd systems = over_systems(k.whole);
  system_covariance_.noalias() -= systems * systems.transpose() / total;
  variance_ = (variance_ - k.whole.cwiseAbs2() / total).cwiseMax(0);
  variance_[at] = 0;
  shared_covariance_.noalias() -= k.gain * k.gain.transpose() / total;

  QueryState& state = query_[own];
  const Index n = state.l.cols();
  state.l.conservativeResize(Eigen::NoChange, n + 1);
  state.w.conservativeResize(n + 1, Eigen::NoChange);
  state.l.col(n) = k.within / std::sqrt(within);
  state.w.row(n) = k.shared / std::sqrt(within);
  state.place.push_back(prior_.place(pair));
  Eigen::VectorXd of_query = Eigen::VectorXd::Zero(mean_.size());
  const auto& pairs = prior_.pairs_of(own);
  for (std::size_t a = 0; a < pairs.size(); ++a)
    of_query[pairs[a]] = state.l(static_cast<Index>(a), n);
  system_shared_.noalias() -= over_systems(of_query) * state.w.row(n);
  known_[pair] = true;
}

Eigen::VectorXd JointPosterior::variance_reduction(
    const Eigen::Ref<const Eigen::MatrixXd>& directions) const {
  const Eigen::MatrixXd shared = directions * system_shared_ * shared_covariance_;
  const SharedDirections folded = prior_.fold(shared);
  Eigen::VectorXd out = Eigen::VectorXd::Zero(mean_.size());
  for (std::size_t q = 0; q < query_.size(); ++q) {
    poll();
    const QueryState& state = query_[q];
    const Eigen::MatrixXd weights = prior_.weigh(q, directions);
    Eigen::MatrixXd covariance =
        prior_.query_product(q, weights) + prior_.shared_product(q, folded);
    if (state.l.cols() > 0)
      covariance -= (weights * state.l + shared * state.w.transpose()) * state.l.transpose();
    const auto& pairs = prior_.pairs_of(q);
    for (std::size_t a = 0; a < pairs.size(); ++a) {
      const auto i = static_cast<std::size_t>(pairs[a]);
      const double variance = variance_[static_cast<Index>(i)];
      if (known_[i] || variance <= 0) continue;
      out[static_cast<Index>(i)] = covariance.col(static_cast<Index>(a)).squaredNorm() / variance;
    }
  }
  return out;
}

}  // namespace judicious
