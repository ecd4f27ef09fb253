#include "belief/pair_posterior.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "execution/index.hpp"
#include "execution/interrupt.hpp"
#include "execution/parallel.hpp"

namespace judicious {

namespace {

// For each pair of the first query and each pair of the second, the number of systems that retrieved both.
Eigen::MatrixXd common_systems(const QueryLists& a, const QueryLists& b, Index rows, Index cols) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows, cols);
  for (Index s = 0; s + 1 < length(a.first); ++s)
    for (Index f = b.first[s]; f < b.first[s + 1]; ++f)
      for (Index e = a.first[s]; e < a.first[s + 1]; ++e) out(a.place[e], b.place[f]) += 1;
  return out;
}

// For each pair of the first query and each pair of the second: the number of pairs of systems of the same team, the
// first of which retrieved the one and the second the other.
Eigen::MatrixXd common_teams(const PairGroups& a, const PairGroups& b, Index rows, Index cols) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows, cols);
  for (Index t = 0; t + 1 < length(a.first_of_group); ++t)
    for (Index f = b.first_of_group[t]; f < b.first_of_group[t + 1]; ++f)
      for (Index e = a.first_of_group[t]; e < a.first_of_group[t + 1]; ++e)
        out(a.of_group[e].of, b.of_group[f].of) += a.of_group[e].times * b.of_group[f].times;
  return out;
}

}  // namespace

PairPosterior::PairPosterior(JointPrior prior, const std::vector<std::int32_t>& judged, const Eigen::VectorXd& gain,
                             const Eigen::VectorXd& noise, int num_threads)
    : prior_(std::move(prior)), lists_(prior_.pool().n_queries), num_threads_(num_threads) {
  read_lists();
  mean_ = Eigen::Map<const Eigen::VectorXd>(prior_.parameters().mean.data(), prior_.n_pairs());
  variance_ = prior_.variances();
  system_mean_ = sum_over_pairs(mean_.transpose()).transpose();
  Eigen::MatrixXd cross = read_covariances(judged);
  if (!judged.empty()) condition_on(judged, gain, noise, cross);
}

void PairPosterior::read_lists() {
  const TermValues& variance = prior_.parameters().variance;
  if (variance[term_team] > 0 || variance[term_team_popularity] > 0) teams_.resize(lists_.size());
  parallel_for(length(lists_), num_threads_, [&](Index q) {
    lists_[q].read(prior_, q);
    if (!teams_.empty()) teams_[q].read(prior_, prior_.pairs_of(q), prior_.pool().team, prior_.pool().n_teams);
  });
}

Eigen::MatrixXd PairPosterior::read_covariances(const std::vector<std::int32_t>& judged) {
  const Index n_queries = lists_.size();
  // For each query, the places of its judged pairs and their positions among all judgments.
  std::vector<std::vector<std::pair<Index, Index>>> known(n_queries);
  for (Index a = 0; a < length(judged); ++a) {
    const Index pair = judged[a];
    known[prior_.pool().query[pair]].emplace_back(prior_.place(pair), a);
  }
  Eigen::MatrixXd cross(length(judged), prior_.n_pairs());
  std::vector<Eigen::VectorXd> of_query(n_queries);
  parallel_for(n_queries, num_threads_, [&](Index q) {
    of_query[q] = Eigen::VectorXd::Zero(prior_.n_systems());
    for (Index other = 0; other <= q; ++other) {
      check_interrupt();
      const Eigen::MatrixXd block = covariance(q, other);
      of_query[q] += (q == other ? 1 : 2) * quadratic_forms(q, other, block);
      for (const auto& [place, at] : known[other])
        for (Index a = 0; a < block.rows(); ++a) cross(at, prior_.pairs_of(q)[a]) = block(a, place);
      for (const auto& [place, at] : known[q])
        for (Index b = 0; b < block.cols(); ++b) cross(at, prior_.pairs_of(other)[b]) = block(place, b);
    }
  });
  system_variance_ = Eigen::VectorXd::Zero(prior_.n_systems());
  for (const Eigen::VectorXd& part : of_query) system_variance_ += part;
  return cross;
}

void PairPosterior::condition_on(const std::vector<std::int32_t>& judged, const Eigen::VectorXd& gain,
                                 const Eigen::VectorXd& noise, Eigen::MatrixXd& cross) {
  Eigen::MatrixXd covariance_of_known(cross.rows(), cross.rows());
  Eigen::VectorXd deviation(cross.rows());
  for (Index a = 0; a < cross.rows(); ++a) {
    const std::int32_t pair = judged[a];
    covariance_of_known.col(a) = cross.col(pair);
    covariance_of_known(a, a) += noise[a];
    deviation[a] = gain[a] - mean_[pair];
  }
  const Eigen::LLT<Eigen::MatrixXd> root(covariance_of_known);
  if (root.info() != Eigen::Success)
    throw std::domain_error("the covariance of the judged gains is not positive definite");
  root.matrixL().solveInPlace(cross);
  root.matrixL().solveInPlace(deviation);
  known_ = sum_over_pairs(cross);
  mean_ += cross.transpose() * deviation;
  variance_ = (variance_ - cross.colwise().squaredNorm().transpose()).cwiseMax(0);
  system_mean_ += known_.transpose() * deviation;
  system_variance_ = (system_variance_ - known_.colwise().squaredNorm().transpose()).cwiseMax(0);
  for (Index a = 0; a < cross.rows(); ++a) {
    if (noise[a] > 0) continue;
    mean_[judged[a]] = gain[a];
    variance_[judged[a]] = 0;
  }
}

Eigen::MatrixXd PairPosterior::covariance(Index query, Index other) const {
  const JointPool& pool = prior_.pool();
  const JointParameters& parameters = prior_.parameters();
  const TermValues& variance = parameters.variance;
  const auto &rows = prior_.pairs_of(query), &columns = prior_.pairs_of(other);
  const Index n = length(rows), m = length(columns);
  const Eigen::VectorXd popularity = Eigen::VectorXd::NullaryExpr(n, [&](Index a) { return pool.popularity[rows[a]]; });
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n, m);
  const auto add_shared = [&](const Eigen::MatrixXd& common, JointTerm level, JointTerm slope) {
    for (Index b = 0; b < m; ++b) {
      const double tilt = variance[slope] * pool.popularity[columns[b]];
      out.col(b).array() += common.col(b).array() * (variance[level] + tilt * popularity.array());
    }
  };
  if (variance[term_system] > 0 || variance[term_system_popularity] > 0)
    add_shared(common_systems(lists_[query], lists_[other], n, m), term_system, term_system_popularity);
  if (!teams_.empty()) add_shared(common_teams(teams_[query], teams_[other], n, m), term_team, term_team_popularity);
  const auto size = [&](std::int32_t i) { return parameters.scale[i] * prior_.system_factor(i); };
  const auto design = [&](const std::vector<std::int32_t>& pairs) {
    Eigen::MatrixXd x(pool.x.rows(), length(pairs));
    for (Index a = 0; a < x.cols(); ++a) x.col(a) = parameters.slope[pairs[a]] * pool.x.col(pairs[a]);
    return x;
  };
  for (Index b = 0; b < m; ++b)
    for (Index a = 0; a < n; ++a) out(a, b) *= size(rows[a]) * size(columns[b]);
  out += design(rows).transpose() * parameters.coefficient_variance.asDiagonal() * design(columns);
  if (query == other) out += QueryBlock(prior_, rows).matrix();
  return out;
}

Eigen::MatrixXd PairPosterior::sum_over_pairs(const Eigen::MatrixXd& columns) const {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(columns.rows(), prior_.n_systems());
  for (Index i = 0; i < prior_.n_pairs(); ++i) {
    check_interrupt_at(i, 1024);
    prior_.each_result(i, [&](std::int32_t system, double weight) { out.col(system) += weight * columns.col(i); });
  }
  return out;
}

Eigen::VectorXd PairPosterior::quadratic_forms(Index query, Index other, const Eigen::MatrixXd& covariance) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(prior_.n_systems());
  for (Index j = 0; j < out.size(); ++j)
    lists_[other].for_each(j, [&](std::int32_t b, double weight, Index) {
      lists_[query].for_each(j, [&](std::int32_t a, double own, Index) { out[j] += own * weight * covariance(a, b); });
    });
  return unit() * unit() * out;
}

// The transposed rows of A K for some systems: a matrix of pairs, query by query, by systems. Equal weights count as 1
// here; the caller multiplies by unit().
Eigen::MatrixXd PairPosterior::times_covariance(const std::vector<std::int32_t>& systems) const {
  std::vector<Index> first{0};
  for (Index q = 0; q < length(lists_); ++q) first.push_back(first.back() + length(prior_.pairs_of(q)));
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(first.back(), length(systems));
  const auto add = [&](Index to, Index from, const Eigen::MatrixXd& block) {
    constexpr Index at_once = 64;
    parallel_for((length(systems) + at_once - 1) / at_once, num_threads_, [&](Index part) {
      const Index end = std::min(length(systems), (part + 1) * at_once);
      for (Index r = part * at_once; r < end; ++r) {
        auto target = out.col(r).segment(first[to], block.rows());
        lists_[from].for_each(systems[r],
                              [&](std::int32_t place, double weight, Index) { target += weight * block.col(place); });
      }
    });
  };
  for (Index q = 0; q < length(lists_); ++q) {
    std::vector<Eigen::MatrixXd> blocks(q + 1);
    parallel_for(q + 1, num_threads_, [&](Index other) {
      check_interrupt();
      blocks[other] = covariance(q, other);
    });
    for (Index other = 0; other <= q; ++other) {
      check_interrupt();
      add(q, other, blocks[other]);
      if (other < q) add(other, q, blocks[other].transpose());
    }
  }
  return out;
}

Eigen::MatrixXd PairPosterior::system_covariance(const std::vector<std::int32_t>& rows,
                                                 const std::vector<std::int32_t>& columns) const {
  const Eigen::MatrixXd weighted = times_covariance(rows);
  const Index n = length(rows), m = length(columns);
  Eigen::MatrixXd out(n, m);
  parallel_for((length(rows) + batch_size - 1) / batch_size, num_threads_, [&](Index part) {
    check_interrupt();
    const Index from = part * batch_size;
    const Index count = std::min<Index>(batch_size, n - from);
    Batch sums = Batch::Zero(batch_size, m);
    Index first = 0;
    for (const QueryLists& lists : lists_) {
      const Index pairs = length(lists.first_of_pair) - 1;
      Batch own = Batch::Zero(batch_size, pairs);
      own.topRows(count) = weighted.block(first, from, pairs, count).transpose();
      first += pairs;
      for (Index b = 0; b < m; ++b) lists.add(columns[b], own, sums.col(b).data());
    }
    out.middleRows(from, count) = unit() * unit() * sums.topRows(count);
  });
  if (known_.rows() == 0) return out;
  const auto known = [&](const std::vector<std::int32_t>& systems) {
    Eigen::MatrixXd of(known_.rows(), length(systems));
    for (Index a = 0; a < of.cols(); ++a) of.col(a) = known_.col(systems[a]);
    return of;
  };
  out.noalias() -= known(rows).transpose() * known(columns);
  return out;
}

}  // namespace judicious
