#include "features/output.hpp"

#include <cmath>
#include <numeric>

#include "execution/interrupt.hpp"

namespace judicious {
namespace {

std::vector<double> team_share(const IncidenceView& incidence, const SystemTeams& teams) {
  std::vector<double> share(incidence.n_pairs);
  // For each team, the last pair that it retrieved, counted from 1; 0 when there is none yet.
  std::vector<Index> last_pair(teams.n_teams, 0);
  for (Index i = 0; i < incidence.n_pairs; ++i) {
    Index n = 0;
    for (const std::int32_t* s = incidence.begin(i); s != incidence.end(i); ++s) {
      Index& last = last_pair[teams.of_system[*s]];
      if (last != i + 1) ++n;
      last = i + 1;
    }
    share[i] = static_cast<double>(n) / static_cast<double>(teams.n_teams);
  }
  return share;
}

std::vector<double> mean_rank(const IncidenceView& incidence, const std::vector<std::int32_t>& rank) {
  std::vector<double> mean(incidence.n_pairs);
  for (Index i = 0; i < incidence.n_pairs; ++i) {
    double sum = 0;
    for (std::int32_t at = incidence.offset[i]; at < incidence.offset[i + 1]; ++at) {
      sum += rank[at];
    }
    mean[i] = sum / static_cast<double>(incidence.count(i));
  }
  return mean;
}

// For each pair, the share of the query's pairs with a known label that have the same label.
std::vector<double> label_share(const std::vector<std::int32_t>& query, const std::vector<std::int32_t>& label) {
  const Groups groups = group_by_query(query, label);
  std::vector<double> in_group(groups.n_groups, 0), known;
  for (Index i = 0; i < length(query); ++i) {
    if (groups.of_pair[i] < 0) continue;
    const Index q = query[i];
    if (q >= length(known)) known.resize(q + 1, 0);
    ++known[q];
    ++in_group[groups.of_pair[i]];
  }
  std::vector<double> share(query.size(), unknown_value);
  for (Index i = 0; i < length(query); ++i) {
    if (groups.of_pair[i] < 0) continue;
    share[i] = in_group[groups.of_pair[i]] / known[query[i]];
  }
  return share;
}

}  // namespace

OutputFeatures output_features(const IncidenceView& incidence, const SystemTeams& teams,
                               const std::vector<std::int32_t>& rank, const PoolLabels& labels) {
  const Index n = incidence.n_pairs;
  OutputFeatures f;
  f.system_share.resize(n);
  f.same_genre.assign(n, unknown_value);
  for (Index i = 0; i < n; ++i) {
    f.system_share[i] = static_cast<double>(incidence.count(i)) / static_cast<double>(incidence.n_systems);
    if (labels.genre[i] >= 0 && labels.query_genre[i] >= 0) {
      f.same_genre[i] = labels.genre[i] == labels.query_genre[i] ? 1 : 0;
    }
  }
  f.team_share = team_share(incidence, teams);
  if (!rank.empty()) f.mean_rank = mean_rank(incidence, rank);
  f.genre_share = label_share(labels.query, labels.genre);
  f.artist_share = label_share(labels.query, labels.artist);
  return f;
}

std::vector<double> pairs_per_system(const IncidenceView& incidence) {
  return sum_over_pairs(incidence, std::vector<double>(incidence.n_pairs, 1));
}

std::vector<double> sum_over_pairs(const IncidenceView& incidence, const std::vector<double>& value) {
  std::vector<double> sum(incidence.n_systems, 0);
  for (Index i = 0; i < incidence.n_pairs; ++i) {
    for (const std::int32_t* s = incidence.begin(i); s != incidence.end(i); ++s) {
      sum[*s] += value[i];
    }
  }
  return sum;
}

std::vector<double> mean_over_pairs(const IncidenceView& incidence, const std::vector<double>& value) {
  std::vector<double> mean = sum_over_pairs(incidence, value);
  const std::vector<double> n = pairs_per_system(incidence);
  for (Index s = 0; s < length(n); ++s) mean[s] = n[s] > 0 ? mean[s] / n[s] : unknown_value;
  return mean;
}

std::vector<double> mean_over_systems(const IncidenceView& incidence, const std::vector<double>& value) {
  std::vector<double> mean(incidence.n_pairs, unknown_value);
  for (Index i = 0; i < incidence.n_pairs; ++i) {
    double sum = 0;
    Index n = 0;
    for (const std::int32_t* s = incidence.begin(i); s != incidence.end(i); ++s) {
      const double v = value[*s];
      if (std::isnan(v)) continue;
      sum += v;
      ++n;
    }
    if (n > 0) mean[i] = sum / static_cast<double>(n);
  }
  return mean;
}

namespace {

// For each system, the sum of a value over its pairs, divided by the square root of their number.
std::vector<double> scaled_sums(const IncidenceView& incidence, const std::vector<double>& n,
                                const std::vector<double>& value) {
  std::vector<double> sum = sum_over_pairs(incidence, value);
  for (Index s = 0; s < length(n); ++s) sum[s] = n[s] > 0 ? sum[s] / std::sqrt(n[s]) : 0;
  return sum;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

constexpr int max_iterations = 50;
constexpr double precision = 1e-9;

}  // namespace

// If systems are scaled by the square roots of their numbers of pairs, the normal equations are symmetric. Conjugate
// gradients then solve them in a few iterations, each of which reads the results twice.
std::vector<double> within_systems(const IncidenceView& incidence, std::vector<double> value) {
  const std::vector<double> n = pairs_per_system(incidence);
  std::vector<double> left = scaled_sums(incidence, n, value), direction = left, number(n.size());
  const double enough = precision * precision * dot(value, value);
  double size = dot(left, left);
  for (int round = 0; round < max_iterations && size > enough; ++round) {
    check_interrupt();
    for (Index s = 0; s < length(n); ++s) {
      number[s] = n[s] > 0 ? direction[s] / std::sqrt(n[s]) : 0;
    }
    const std::vector<double> part = mean_over_systems(incidence, number);
    const std::vector<double> change = scaled_sums(incidence, n, part);
    const double step = size / dot(direction, change);
    for (Index i = 0; i < length(value); ++i) {
      if (incidence.count(i) > 0) value[i] -= step * part[i];
    }
    for (Index s = 0; s < length(n); ++s) left[s] -= step * change[s];
    const double next = dot(left, left);
    for (Index s = 0; s < length(n); ++s) {
      direction[s] = left[s] + next / size * direction[s];
    }
    size = next;
  }
  return value;
}

}  // namespace judicious
