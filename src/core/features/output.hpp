// Features of pairs that are computed from the systems' output and the metadata.
#pragma once
#include <cstdint>
#include <vector>

#include "collection/incidence.hpp"
#include "features/labels.hpp"

namespace judicious {

// One value per pair; NaN if its input is unknown.
struct OutputFeatures {
  std::vector<double> system_share;
  std::vector<double> team_share;
  std::vector<double> mean_rank;   // empty without ranks
  std::vector<double> same_genre;  // 1 or 0
  std::vector<double> genre_share;
  std::vector<double> artist_share;
};

struct SystemTeams {
  std::vector<std::int32_t> of_system;
  Index n_teams = 0;
};

// `rank` has one element per result of the incidence; it may be empty.
OutputFeatures output_features(const IncidenceView& incidence, const SystemTeams& teams,
                               const std::vector<std::int32_t>& rank, const PoolLabels& labels);

// For each system: the number of its pairs; the sum of a value per pair over these; and the mean, NaN if it has no
// pairs.
std::vector<double> pairs_per_system(const IncidenceView& incidence);
std::vector<double> sum_over_pairs(const IncidenceView& incidence, const std::vector<double>& value);
std::vector<double> mean_over_pairs(const IncidenceView& incidence, const std::vector<double>& value);

// For each pair, the mean over its systems of a value per system, without NaN values.
std::vector<double> mean_over_systems(const IncidenceView& incidence, const std::vector<double>& value);

// Subtracts from `value` (one per pair) the mean, over the systems that retrieved the pair, of a number per system.
// These numbers are chosen such that every system then has mean 0 over its pairs. The results are the residuals of the
// regression on these means, with each pair weighted by its number of systems.
std::vector<double> within_systems(const IncidenceView& incidence, std::vector<double> value);

}  // namespace judicious
