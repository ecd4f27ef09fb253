#include <cmath>
#include <random>
#include <set>

#include "catch.hpp"
#include "features/judgment.hpp"
#include "features/output.hpp"

using namespace judicious;

namespace {

struct Case {
  Incidence incidence;
  PoolLabels labels;
  SystemTeams teams;
  std::vector<std::int32_t> rank;
  std::size_t n_pairs = 0;
};

Case random_case(std::mt19937& random) {
  const std::size_t m = 1 + random() % 6, n = 1 + random() % 40;
  const auto label = [&](unsigned n_labels) { return static_cast<std::int32_t>(random() % n_labels) - 1; };
  Case c;
  c.n_pairs = n;
  c.incidence.n_systems = m;
  c.incidence.offset.push_back(0);
  for (std::size_t i = 0; i < n; ++i) {
    std::set<std::int32_t> systems{static_cast<std::int32_t>(random() % m)};
    for (std::size_t s = 0; s < m; ++s) {
      if (random() % 3 == 0) systems.insert(static_cast<std::int32_t>(s));
    }
    for (std::int32_t s : systems) {
      c.incidence.system.push_back(s);
      c.rank.push_back(static_cast<std::int32_t>(1 + random() % 9));
    }
    c.incidence.offset.push_back(static_cast<std::int32_t>(c.incidence.system.size()));
    c.labels.query.push_back(static_cast<std::int32_t>(random() % 4));
    c.labels.genre.push_back(label(4));
    c.labels.artist.push_back(label(6));
    c.labels.query_genre.push_back(label(4));
  }
  c.teams.n_teams = 3;
  for (std::size_t s = 0; s < m; ++s) c.teams.of_system.push_back(static_cast<std::int32_t>(random() % 3));
  return c;
}

bool has(const Incidence& x, std::size_t pair, std::size_t system) {
  for (std::int32_t at = x.offset[pair]; at < x.offset[pair + 1]; ++at) {
    if (x.system[static_cast<std::size_t>(at)] == static_cast<std::int32_t>(system)) return true;
  }
  return false;
}

void check_same(double got, double expected) {
  if (std::isnan(expected)) {
    CHECK(std::isnan(got));
  } else {
    CHECK(got == Approx(expected).margin(1e-12));
  }
}

double slow_share(const std::vector<std::int32_t>& query, const std::vector<std::int32_t>& label, std::size_t i) {
  if (label[i] < 0) return NAN;
  double same = 0, known = 0;
  for (std::size_t j = 0; j < query.size(); ++j) {
    if (query[j] != query[i] || label[j] < 0) continue;
    ++known;
    if (label[j] == label[i]) ++same;
  }
  return same / known;
}

struct Average {
  double sum = 0, n = 0;
  void add(double x) {
    sum += x;
    ++n;
  }
  double value() const { return n > 0 ? sum / n : NAN; }
};

}  // namespace

TEST_CASE("output features equal explicit loops over all pairs and systems") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 40; ++trial) {
    const Case c = random_case(random);
    const OutputFeatures f = output_features(c.incidence.view(), c.teams, c.rank, c.labels);
    const std::size_t m = c.incidence.n_systems;
    for (std::size_t i = 0; i < c.n_pairs; ++i) {
      double count = 0, ranks = 0;
      std::set<std::int32_t> teams;
      for (std::size_t s = 0; s < m; ++s) {
        if (!has(c.incidence, i, s)) continue;
        ++count;
        teams.insert(c.teams.of_system[s]);
      }
      for (std::int32_t at = c.incidence.offset[i]; at < c.incidence.offset[i + 1]; ++at) {
        ranks += c.rank[static_cast<std::size_t>(at)];
      }
      check_same(f.system_share[i], count / static_cast<double>(m));
      check_same(f.team_share[i], static_cast<double>(teams.size()) / 3);
      check_same(f.mean_rank[i], ranks / count);
      const bool known = c.labels.genre[i] >= 0 && c.labels.query_genre[i] >= 0;
      check_same(f.same_genre[i], !known ? NAN : c.labels.genre[i] == c.labels.query_genre[i]);
      check_same(f.genre_share[i], slow_share(c.labels.query, c.labels.genre, i));
      check_same(f.artist_share[i], slow_share(c.labels.query, c.labels.artist, i));
    }
  }
}

TEST_CASE("output_features() returns no mean ranks if no ranks are given") {
  std::mt19937 random(2);
  const Case c = random_case(random);
  CHECK(output_features(c.incidence.view(), c.teams, {}, c.labels).mean_rank.empty());
}

TEST_CASE("mean_over_pairs() averages over the pairs that a system returned, and is NaN if it returned none") {
  const Incidence x{{0, 2, 3, 5}, {0, 1, 1, 0, 1}, 3};
  const auto mean = mean_over_pairs(x.view(), {1, 4, 7});
  CHECK(mean[0] == 4);
  CHECK(mean[1] == 4);
  CHECK(std::isnan(mean[2]));
}

TEST_CASE("mean_over_systems() ignores missing values") {
  const Incidence x{{0, 2, 3, 5}, {0, 1, 1, 0, 2}, 3};
  const auto mean = mean_over_systems(x.view(), {1, NAN, 4});
  CHECK(mean[0] == 1);
  CHECK(std::isnan(mean[1]));
  CHECK(mean[2] == 2.5);
}

TEST_CASE("values centred within systems have mean 0 in every system") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 40; ++trial) {
    const Case c = random_case(random);
    const IncidenceView x = c.incidence.view();
    std::vector<double> value(c.n_pairs);
    for (double& v : value) v = static_cast<double>(random() % 1000);
    const std::vector<double> within = within_systems(x, value);
    for (const double mean : mean_over_pairs(x, within)) {
      CHECK((std::isnan(mean) || std::abs(mean) < 1e-5));
    }
    // Adding means of systems' values to the centred values does not change the result of centring.
    const auto of_systems = mean_over_systems(x, mean_over_pairs(x, value));
    for (std::size_t i = 0; i < c.n_pairs; ++i) value[i] = within[i] + of_systems[i];
    const std::vector<double> again = within_systems(x, value);
    for (std::size_t i = 0; i < c.n_pairs; ++i) {
      if (x.count(i) > 0) CHECK(again[i] == Approx(within[i]).margin(1e-4));
    }
  }
}

TEST_CASE("judgment features equal explicit loops, with and without the gain of the pair itself") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 40; ++trial) {
    const Case c = random_case(random);
    const std::size_t m = c.incidence.n_systems, n = c.n_pairs;
    Judgments judgments;
    std::vector<double> gain(n, NAN);
    for (std::size_t i = 0; i < n; ++i) {
      if (random() % 3 == 0) continue;
      gain[i] = static_cast<double>(random() % 101);
      judgments.pair.push_back(static_cast<std::int32_t>(i));
      judgments.gain.push_back(gain[i]);
    }
    for (const OwnGain own : {OwnGain::left_out, OwnGain::included}) {
      const JudgmentFeatures f = judgment_features(c.incidence.view(), c.labels, judgments, own);
      for (std::size_t i = 0; i < n; ++i) {
        const auto counts = [&](std::size_t j) { return !std::isnan(gain[j]) && (j != i || own == OwnGain::included); };
        Average systems, query, genre, artist;
        for (std::size_t s = 0; s < m; ++s) {
          if (!has(c.incidence, i, s)) continue;
          Average one;
          for (std::size_t j = 0; j < n; ++j) {
            if (counts(j) && has(c.incidence, j, s)) one.add(gain[j]);
          }
          if (one.n > 0) systems.add(one.value());
        }
        for (std::size_t j = 0; j < n; ++j) {
          if (c.labels.query[j] != c.labels.query[i]) continue;
          if (j != i && !std::isnan(gain[j])) query.add(gain[j]);
          if (counts(j) && c.labels.genre[i] >= 0 && c.labels.genre[j] == c.labels.genre[i]) genre.add(gain[j]);
          if (counts(j) && c.labels.artist[i] >= 0 && c.labels.artist[j] == c.labels.artist[i]) artist.add(gain[j]);
        }
        check_same(f.system_gain[i], systems.value());
        check_same(f.query_gain[i], query.value());
        check_same(f.genre_gain[i], genre.value());
        check_same(f.artist_gain[i], artist.value());
      }
    }
  }
}
