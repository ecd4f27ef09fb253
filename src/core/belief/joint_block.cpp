#include "belief/joint_block.hpp"

#include <algorithm>
#include <numeric>

namespace judicious {

namespace {

using Rows = Directions<batch_size>;
using Column = Eigen::Matrix<double, batch_size, 1>;

// Adds `value` to the rows whose label is known and equal to that of the pair.
void add_label(const std::vector<std::int32_t>& label, const std::int32_t* rows, Index n, std::int32_t pair,
               double value, Column& column) {
  const std::int32_t own = label[pair];
  if (own < 0 || value <= 0) return;
  for (Index r = 0; r < n; ++r)
    if (label[rows[r]] == own) column[r] += value;
}

}  // namespace

void PairGroups::read(const JointPrior& prior, const std::vector<std::int32_t>& pairs,
                      const std::vector<std::int32_t>& group, Index n) {
  first_of_pair.assign(1, 0);
  first_of_group.assign(n + 1, 0);
  std::vector<Index> latest(n, 0);  // one past each group's latest entry
  for (const std::int32_t pair : pairs) {
    prior.each_result(pair, [&](std::int32_t system, double) {
      const Index own = group[system];
      if (latest[own] > first_of_pair.back()) {
        ++of_pair[latest[own] - 1].times;
        return;
      }
      of_pair.push_back({static_cast<std::int32_t>(own), 1});
      latest[own] = of_pair.size();
      ++first_of_group[own + 1];
    });
    first_of_pair.push_back(of_pair.size());
  }
  std::partial_sum(first_of_group.begin(), first_of_group.end(), first_of_group.begin());
  of_group.resize(of_pair.size());
  std::vector<Index> next(first_of_group.begin(), first_of_group.end() - 1);
  for (Index a = 0; a < length(pairs); ++a)
    for (Index e = first_of_pair[a]; e < first_of_pair[a + 1]; ++e)
      of_group[next[of_pair[e].of]++] = {static_cast<std::int32_t>(a), of_pair[e].times};
}

void PairGroups::add(Index from, double weight, Rows& out) const {
  if (weight <= 0) return;
  const Index rows = std::min<Index>(batch_size, out.cols() - from);
  for (Index r = 0; r < rows; ++r) {
    const Index pair = from + r;
    for (Index e = first_of_pair[pair]; e < first_of_pair[pair + 1]; ++e) {
      const double each = weight * of_pair[e].times;
      const Index group = of_pair[e].of;
      for (Index o = first_of_group[group]; o < first_of_group[group + 1]; ++o)
        out(r, of_group[o].of) += each * of_group[o].times;
    }
  }
}

QueryBlock::QueryBlock(const JointPrior& prior, const std::vector<std::int32_t>& pairs) : prior_(prior), pairs_(pairs) {
  std::vector<std::int32_t> own(prior.n_systems());
  std::iota(own.begin(), own.end(), 0);
  systems_.read(prior, pairs, own, own.size());
  teams_.read(prior, pairs, prior.pool().team, prior.pool().n_teams);
}

Rows QueryBlock::rows(Index from) const {
  const JointPool& pool = prior_.pool();
  const JointParameters& parameters = prior_.parameters();
  const TermValues& variance = parameters.variance;
  const Index n = length(pairs_);
  const Index count = std::min<Index>(batch_size, n - from);
  const std::int32_t* own = pairs_.data() + from;
  Column share = Column::Zero(), scale = share, tilt = share;
  for (Index r = 0; r < count; ++r) {
    const Index i = own[r];
    share[r] = prior_.system_factor(i);
    scale[r] = parameters.scale[i];
    tilt[r] = variance[term_query_popularity] * pool.popularity[i];
  }
  Rows out = Rows::Zero(batch_size, n);
  systems_.add(from, variance[term_query_system], out);
  teams_.add(from, variance[term_query_team], out);
  for (Index b = 0; b < n; ++b) {
    const std::int32_t pair = pairs_[b];
    const Index j = pair;
    Column value = prior_.system_factor(j) * share.cwiseProduct(out.col(b)) + pool.popularity[j] * tilt;
    value.array() += variance[term_query];
    add_label(pool.genre, own, count, pair, variance[term_query_genre], value);
    add_label(pool.artist, own, count, pair, variance[term_query_artist], value);
    out.col(b) = parameters.scale[j] * scale.cwiseProduct(value);
  }
  for (Index r = 0; r < count; ++r) {
    const double size = parameters.residual_scale[own[r]];
    out(r, from + r) += variance[term_residual] * size * size;
  }
  return out;
}

Eigen::MatrixXd QueryBlock::matrix() const {
  const Index n = length(pairs_);
  Eigen::MatrixXd out(n, n);
  for (Index from = 0; from < n; from += batch_size) {
    const Index count = std::min<Index>(batch_size, n - from);
    out.middleRows(from, count) = rows(from).topRows(count);
  }
  return out;
}

}  // namespace judicious
