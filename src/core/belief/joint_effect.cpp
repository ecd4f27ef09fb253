#include "belief/joint_effect.hpp"

#include <algorithm>
#include <tuple>

namespace judicious {

namespace {

struct LabelledEntry {
  std::int64_t label;
  Index row;
  double value;
};

// Calls f(label, value) for each level of the effect that the pair has. A pair whose label is unknown has none.
template <typename F>
void for_each_level(const JointPool& pool, Index pair, EffectUnit unit, F&& f) {
  const IncidenceView incidence = pool.incidence.view();
  const double share = pool.system_factor(pair);
  const auto of_label = [&](std::int32_t label) {
    if (label >= 0) f(label, 1.0);
  };
  switch (unit) {
    case EffectUnit::pair:
      return f(static_cast<std::int32_t>(pair), 1.0);
    case EffectUnit::all:
      return f(0, 1.0);
    case EffectUnit::genre:
      return of_label(pool.genre[pair]);
    case EffectUnit::artist:
      return of_label(pool.artist[pair]);
    case EffectUnit::system:
      std::for_each(incidence.begin(pair), incidence.end(pair), [&](std::int32_t system) { f(system, share); });
      return;
    case EffectUnit::team:
      std::for_each(incidence.begin(pair), incidence.end(pair),
                    [&](std::int32_t system) { f(pool.team[system], share); });
      return;
  }
}

}  // namespace

JointEffect::JointEffect(const JointPool& pool, const std::vector<std::int32_t>& pairs, JointTerm term) {
  const JointTermShape& shape = joint_term_shapes[term];
  // If an effect is within queries, the same label in different queries represents different levels.
  constexpr std::int64_t query_step = std::int64_t{1} << 32;
  std::vector<LabelledEntry> entries;
  for (Index row = 0; row < length(pairs); ++row) {
    const Index pair = pairs[row];
    const std::int64_t base = shape.within_query ? query_step * pool.query[pair] : 0;
    const double factor = shape.slope ? pool.popularity[pair] : 1;
    for_each_level(pool, pair, shape.unit,
                   [&](std::int32_t label, double value) { entries.push_back({base + label, row, factor * value}); });
  }
  std::sort(entries.begin(), entries.end(), [](const LabelledEntry& a, const LabelledEntry& b) {
    return std::tie(a.label, a.row) < std::tie(b.label, b.row);
  });
  for (const LabelledEntry& entry : entries) {
    const bool same_label = !label_.empty() && label_.back() == entry.label;
    // If several systems of a team retrieved the pair, their values are added.
    if (same_label && entry_.back().row == entry.row) {
      entry_.back().value += entry.value;
      continue;
    }
    if (!same_label) {
      label_.push_back(entry.label);
      first_.push_back(entry_.size());
    }
    entry_.push_back({entry.row, entry.value});
  }
  first_.push_back(entry_.size());
}

void JointEffect::add_covariance(double variance, Eigen::MatrixXd& covariance) const {
  for (Index level = 0; level < n_levels(); ++level) {
    for (Index b = first_[level]; b < first_[level + 1]; ++b) {
      const double weight = variance * entry_[b].value;
      for (Index a = b; a < first_[level + 1]; ++a)
        covariance(entry_[a].row, entry_[b].row) += weight * entry_[a].value;
    }
  }
}

double JointEffect::trace(const Eigen::MatrixXd& m) const {
  double diagonal = 0, below = 0;
  for (Index level = 0; level < n_levels(); ++level) {
    for (Index b = first_[level]; b < first_[level + 1]; ++b) {
      const Entry& one = entry_[b];
      double sum = 0;
      for (Index a = b + 1; a < first_[level + 1]; ++a) sum += entry_[a].value * m(entry_[a].row, one.row);
      diagonal += one.value * one.value * m(one.row, one.row);
      below += one.value * sum;
    }
  }
  return diagonal + 2 * below;
}

Eigen::MatrixXd JointEffect::times(const Eigen::Ref<const Eigen::MatrixXd>& m) const {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(m.rows(), n_levels());
  for (Index level = 0; level < n_levels(); ++level)
    for (Index e = first_[level]; e < first_[level + 1]; ++e) out.col(level) += entry_[e].value * m.col(entry_[e].row);
  return out;
}

Eigen::VectorXd JointEffect::project(const Eigen::VectorXd& v) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(v.size());
  for (Index level = 0; level < n_levels(); ++level) {
    double sum = 0;
    for (Index e = first_[level]; e < first_[level + 1]; ++e) sum += entry_[e].value * v[entry_[e].row];
    for (Index e = first_[level]; e < first_[level + 1]; ++e) out[entry_[e].row] += entry_[e].value * sum;
  }
  return out;
}

void JointEffect::add_expanded(const Eigen::VectorXd& by_label, Eigen::Ref<Eigen::VectorXd> out) const {
  for (Index level = 0; level < n_levels(); ++level) {
    const double value = by_label[label(level)];
    for (Index e = first_[level]; e < first_[level + 1]; ++e) out[entry_[e].row] += entry_[e].value * value;
  }
}

}  // namespace judicious
