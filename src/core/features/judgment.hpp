// Features of pairs that are computed from the judgments made so far.
#pragma once
#include <cstdint>
#include <vector>

#include "collection/incidence.hpp"
#include "features/labels.hpp"

namespace judicious {

// Pairs and their gains. No pair may occur twice.
struct Judgments {
  std::vector<std::int32_t> pair;
  std::vector<double> gain;
};

// Whether the gain of a judged pair is used in the features of this pair. `query_gain` never uses it.
enum class OwnGain { left_out, included };

// One value per pair; NaN if there is nothing to average.
struct JudgmentFeatures {
  std::vector<double> system_gain;  // mean over the pair's systems of their mean judged gain
  std::vector<double> query_gain;   // mean judged gain of the other documents of the query
  std::vector<double> genre_gain;   // mean judged gain of the query's documents of the same genre
  std::vector<double> artist_gain;  // mean judged gain of the query's documents by the same artist
};

// The time is linear in the number of results: sums per system, query and group are computed once, and the pair's own
// gain is subtracted from them where it is left out.
JudgmentFeatures judgment_features(const IncidenceView& incidence, const PoolLabels& labels, const Judgments& judgments,
                                   OwnGain own);

}  // namespace judicious
