#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>

#include "collection/incidence.hpp"
#include "execution/parallel.hpp"
#include "execution/poll.hpp"
#include "execution/threads.hpp"
#include "ordinal/fit.hpp"
#include "stats/resample.hpp"
#include "stats/signed_rank.hpp"
#include "stats/subsets.hpp"

using namespace judicious;

namespace {

struct Wanted : std::runtime_error {
  Wanted() : std::runtime_error("no longer wanted") {}
};

// Ends the computation at the first question.
struct Impatient {
  Impatient() {
    poll_function = [] { throw Wanted(); };
  }
  ~Impatient() { poll_function = nullptr; }
};

}  // namespace

TEST_CASE("polling asks at every so many rounds, and only where somebody listens") {
  static int asked;
  asked = 0;
  poll();
  poll_function = [] { ++asked; };
  for (std::size_t round = 0; round < 100; ++round) poll_at(round, 32);
  CHECK(asked == 3);
  poll();
  CHECK(asked == 4);
  std::atomic<bool> listens{true};
  std::thread([&] { listens = poll_function != nullptr; }).join();
  CHECK_FALSE(listens);
  poll_function = nullptr;
}

TEST_CASE("long computations end when they are no longer wanted") {
  const Impatient impatient;
  const std::vector<double> value(4000, 1.0);
  const ScoreView scores{value.data(), 1000, 4};
  const ResampleOptions often{1000, 1, 0.05, true};
  CHECK_THROWS_AS(permutation_tests(scores, often), Wanted);
  CHECK_THROWS_AS(bootstrap_tests(scores, often), Wanted);
  CHECK_THROWS_AS(randomised_ranges(scores, often), Wanted);
  CHECK_THROWS_AS(walsh_averages(value.data(), 4000, 10), Wanted);
  const std::vector<std::int32_t> stratum(20, 0);
  CHECK_THROWS_AS(draw_subsets(stratum, {5, 0, 100, 2, 1}), Wanted);

  const std::vector<double> x{1, 2, 3, 4};
  const std::vector<std::int32_t> category{0, 1, 0, 1};
  const ordinal::PomInput input{Eigen::Map<const Eigen::MatrixXd>(x.data(), 4, 1), category.data(),
                                nullptr, nullptr, 2};
  ordinal::PomOptions options;
  CHECK_THROWS_AS(ordinal::fit_pom(input, options), Wanted);
  options.method = ordinal::Method::bias_reduced;
  CHECK_THROWS_AS(ordinal::fit_pom(input, options), Wanted);
  options.num_threads = 3;
  CHECK_THROWS_AS(ordinal::fit_pom(input, options), Wanted);
}

TEST_CASE("threads that cannot be had are done without") {
  std::atomic<int> started{0};
  auto threads = start_threads(3, [&] { ++started; });
  for (std::thread& thread : threads) thread.join();
  CHECK(started == static_cast<int>(threads.size()));
  CHECK(start_threads(0, [&] { ++started; }).empty());
}

TEST_CASE("an exception in a thread arrives, after all have ended") {
  std::atomic<int> ended{0};
  CHECK_THROWS_AS(parallel_for(64, 4,
                               [&](std::size_t i) {
                                 ++ended;
                                 if (i == 5) throw Wanted();
                               }),
                  Wanted);
  CHECK(ended > 0);
}

TEST_CASE("an incidence that would be read outside its bounds is not valid") {
  const Incidence good{{0, 2, 2, 3}, {0, 1, 1}, 2};
  CHECK(is_valid(good));
  CHECK(is_valid(Incidence{{0}, {}, 0}));
  CHECK_FALSE(is_valid(Incidence{}));
  CHECK_FALSE(is_valid(Incidence{{1, 3}, {0, 1, 1}, 2}));
  CHECK_FALSE(is_valid(Incidence{{0, 2}, {0, 1, 1}, 2}));
  CHECK_FALSE(is_valid(Incidence{{0, 4}, {0, 1, 1}, 2}));
  CHECK_FALSE(is_valid(Incidence{{0, 3, 2, 3}, {0, 1, 1}, 2}));
  CHECK_FALSE(is_valid(Incidence{{0, 3}, {0, 1, 2}, 2}));
  CHECK_FALSE(is_valid(Incidence{{0, 3}, {0, -1, 1}, 2}));
}
