#include "features/judgment.hpp"

namespace judicious {
namespace {

// The gain of each pair, and whether it is judged.
struct PairGains {
  std::vector<double> gain;
  std::vector<char> judged;
};

PairGains spread(const Judgments& judgments, Index n_pairs) {
  PairGains out{std::vector<double>(n_pairs, 0), std::vector<char>(n_pairs, 0)};
  for (Index j = 0; j < length(judgments.pair); ++j) {
    const Index i = judgments.pair[j];
    out.gain[i] = judgments.gain[j];
    out.judged[i] = 1;
  }
  return out;
}

// The sum and the number of judged gains.
struct Total {
  double sum = 0;
  Index n = 0;

  void add(double gain) {
    sum += gain;
    ++n;
  }
  double mean() const { return n > 0 ? sum / static_cast<double>(n) : unknown_value; }
  Total without(double gain) const { return {sum - gain, n - 1}; }
};

// The mean judged gain of the group of every pair.
std::vector<double> group_means(const std::vector<std::int32_t>& group, Index n_groups, const PairGains& gains,
                                OwnGain own) {
  std::vector<Total> total(n_groups);
  for (Index i = 0; i < length(group); ++i) {
    if (gains.judged[i] && group[i] >= 0) total[group[i]].add(gains.gain[i]);
  }
  std::vector<double> mean(group.size(), unknown_value);
  for (Index i = 0; i < length(group); ++i) {
    if (group[i] < 0) continue;
    const Total& all = total[group[i]];
    const bool leave_out = gains.judged[i] && own == OwnGain::left_out;
    mean[i] = (leave_out ? all.without(gains.gain[i]) : all).mean();
  }
  return mean;
}

std::vector<double> system_means(const IncidenceView& incidence, const PairGains& gains, OwnGain own) {
  std::vector<Total> total(incidence.n_systems);
  for (Index i = 0; i < incidence.n_pairs; ++i) {
    if (!gains.judged[i]) continue;
    for (const std::int32_t* s = incidence.begin(i); s != incidence.end(i); ++s) {
      total[*s].add(gains.gain[i]);
    }
  }
  std::vector<double> mean(incidence.n_pairs);
  for (Index i = 0; i < incidence.n_pairs; ++i) {
    const bool leave_out = gains.judged[i] && own == OwnGain::left_out;
    Total over_systems;
    for (const std::int32_t* s = incidence.begin(i); s != incidence.end(i); ++s) {
      const Total& all = total[*s];
      const Total rest = leave_out ? all.without(gains.gain[i]) : all;
      if (rest.n > 0) over_systems.add(rest.mean());
    }
    mean[i] = over_systems.mean();
  }
  return mean;
}

}  // namespace

JudgmentFeatures judgment_features(const IncidenceView& incidence, const PoolLabels& labels, const Judgments& judgments,
                                   OwnGain own) {
  const PairGains gains = spread(judgments, incidence.n_pairs);
  const Groups genre = group_by_query(labels.query, labels.genre);
  const Groups artist = group_by_query(labels.query, labels.artist);
  // All pairs get the same label, so that their groups are the queries.
  const Groups query = group_by_query(labels.query, std::vector<std::int32_t>(labels.query.size(), 0));
  JudgmentFeatures f;
  f.system_gain = system_means(incidence, gains, own);
  f.query_gain = group_means(query.of_pair, query.n_groups, gains, OwnGain::left_out);
  f.genre_gain = group_means(genre.of_pair, genre.n_groups, gains, own);
  f.artist_gain = group_means(artist.of_pair, artist.n_groups, gains, own);
  return f;
}

}  // namespace judicious
