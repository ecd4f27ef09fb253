#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "belief/joint_draws.hpp"
#include "catch.hpp"
#include "collection/incidence.hpp"
#include "execution/checked_alloc.hpp"
#include "execution/interrupt.hpp"
#include "execution/parallel.hpp"
#include "joint_case.hpp"
#include "judging/independent.hpp"
#include "measure/expected_ap.hpp"
#include "ordinal/concordance.hpp"
#include "ordinal/cumulative_link.hpp"
#include "ordinal/fit.hpp"
#include "ordinal/mixed_precision.hpp"
#include "stats/mean_test.hpp"
#include "stats/rank_test.hpp"
#include "stats/resample.hpp"
#include "stats/signed_rank.hpp"
#include "stats/subsets.hpp"

using namespace judicious;

namespace {

struct Wanted : std::runtime_error {
  Wanted() : std::runtime_error("no longer wanted") {}
};

// Interrupts computations when they check for an interrupt for the first time.
struct InterruptAtFirstCheck {
  InterruptAtFirstCheck() {
    interrupt_function = [] { throw Wanted(); };
  }
  ~InterruptAtFirstCheck() { interrupt_function = nullptr; }
};

}  // namespace

TEST_CASE("interrupts are checked once per given number of iterations, and only in the thread that set the callback") {
  static int asked;
  asked = 0;
  check_interrupt();
  interrupt_function = [] { ++asked; };
  for (std::size_t round = 0; round < 100; ++round) check_interrupt_at(round, 32);
  CHECK(asked == 3);
  check_interrupt();
  CHECK(asked == 4);
  std::atomic<bool> listens{true};
  std::thread([&] { listens = interrupt_function != nullptr; }).join();
  CHECK_FALSE(listens);
  interrupt_function = nullptr;
}

TEST_CASE("resampling tests, Walsh averages and sampling of subsets can be interrupted") {
  const InterruptAtFirstCheck impatient;
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
  const ordinal::PomInput input{Eigen::Map<const Eigen::MatrixXd>(x.data(), 4, 1), category.data(), nullptr, nullptr,
                                2};
  ordinal::PomOptions options;
  CHECK_THROWS_AS(ordinal::fit_pom(input, options), Wanted);
  options.method = ordinal::Method::bias_reduced;
  CHECK_THROWS_AS(ordinal::fit_pom(input, options), Wanted);
  options.num_threads = 3;
  CHECK_THROWS_AS(ordinal::fit_pom(input, options), Wanted);
}

TEST_CASE("significance tests over many systems or queries can be interrupted") {
  const InterruptAtFirstCheck impatient;
  const std::vector<double> value(2048 * 300, 1.0);
  const ScoreView many_pairs{value.data(), 4, 300}, many_queries{value.data(), 2048, 300};
  const std::vector<std::int32_t> query{0, 1, 2, 3};
  const SubsetView all{query.data(), 4, 1};
  CHECK_THROWS_AS(signed_rank_tests(many_pairs, all, {}), Wanted);
  CHECK_THROWS_AS(paired_statistics(many_pairs, all), Wanted);
  CHECK_THROWS_AS(rank_within_queries(many_queries), Wanted);
}

TEST_CASE("computations over all rows of a data set can be interrupted") {
  const InterruptAtFirstCheck impatient;
  const Eigen::Index n = 70000;
  const Eigen::VectorXd eta = Eigen::VectorXd::Zero(n);
  const Eigen::MatrixXd limits = Eigen::RowVector2d(-1, 1).replicate(n, 1);
  const ordinal::LinkPointer probit = ordinal::link_named("probit");
  CHECK_THROWS_AS(ordinal::interval_probabilities(*probit, limits), Wanted);
  const std::vector<std::int32_t> rank(static_cast<std::size_t>(n), 0);
  CHECK_THROWS_AS(ordinal::concordance(rank.data(), rank.data(), eta.data(), rank.size(), 1, 1), Wanted);

  const Eigen::MatrixXd structure = Eigen::MatrixXd::Identity(2, 2), ones = Eigen::MatrixXd::Ones(n, 1), none(n, 0);
  const Eigen::VectorXd weight = Eigen::VectorXd::Ones(n);
  const ordinal::CumulativeLinkModel model{*probit, structure, ones, ones, none, rank.data(), weight, eta, eta};
  const Eigen::VectorXd parameters = Eigen::Vector3d(-1, 1, 0);
  CHECK_THROWS_AS(ordinal::row_gradients(model, parameters), Wanted);
  ordinal::CumulativeLinkSums sums(model);
  sums.start(parameters);
  CHECK_THROWS_AS(sums.add_all(), Wanted);

  ordinal::EffectDesign z;
  z.offset = {0, 1, 2, 3};
  z.column = {0, 1, 0};
  z.value = {1, 1, 1};
  z.term = {0, 0};
  z.n_terms = 1;
  interrupt_function = nullptr;
  const ordinal::EffectPosterior posterior(z, Eigen::VectorXd::Ones(1), Eigen::Vector3d(1, 1, 1));
  const InterruptAtFirstCheck again;
  CHECK_THROWS_AS(posterior.variances(z), Wanted);
  CHECK_THROWS_AS(posterior.covariance(z), Wanted);
}

TEST_CASE("judging, drawing and moments of AP can be interrupted, and an interrupted judgment changes nothing") {
  const auto c = joint_case::random_case(2, 3, 5, 4, 2);
  JointPosterior posterior(JointPrior(c.pool, c.par));
  const JointSampler sampler(posterior, {0, 0.5, 1});
  const Eigen::VectorXd mean = posterior.mean(), variance = posterior.variance();
  const auto shared = sampler.draw_shared(1, 1);
  const auto map = sampler.level_map(0);
  {
    const InterruptAtFirstCheck impatient;
    CHECK_THROWS_AS(posterior.judge(3, 0.5), Wanted);
    CHECK_THROWS_AS(sampler.draw_levels(0, map, shared), Wanted);
    CHECK_THROWS_AS(sampler.draw_normal(0, shared), Wanted);
    const ExpectedAp ap(2);
    CHECK_THROWS_AS(ap.moments({0.5, 0.5}, {{0, 1}, {1, 0}}), Wanted);
    Incidence pool;
    pool.n_systems = 2;
    pool.offset = {0};
    for (std::int32_t i = 0; i < 5000; ++i) {
      pool.system.push_back(i % 2);
      pool.offset.push_back(i + 1);
    }
    CHECK_THROWS_AS(pair_weights(pool.view(), SystemMatrix(2), {0, 0}), Wanted);
    const std::vector<double> ones(5000, 1);
    CHECK_THROWS_AS(IndependentGains(pool, ones, 1, ones, ones, std::vector<char>(5000, 0)), Wanted);
  }
  CHECK_FALSE(posterior.known(3));
  CHECK(posterior.mean() == mean);
  CHECK(posterior.variance() == variance);
  posterior.judge(3, 0.5);
  CHECK(posterior.mean()[3] == 0.5);
}

TEST_CASE("the error about memory that cannot be allocated states the requested size") {
  CHECK(checked_alloc<double>({3, 2}, 7.0) == std::vector<double>(6, 7.0));
  CHECK(checked_alloc<int>({std::size_t{1} << 40, std::size_t{1} << 40, 0}).empty());
  // The product overflows, cannot be addressed, or is more than any machine has.
  for (const auto& size : {std::pair<Index, Index>{Index{1} << 61, 8}, {Index{1} << 60, 4}, {Index{1} << 50, 1}}) {
    CHECK_THROWS_WITH(checked_alloc<double>({size.first, size.second}),
                      contains(std::to_string(size.first) + " x " + std::to_string(size.second) + " numbers"));
  }
  const std::vector<double> value(16, 1.0);
  const ScoreView scores{value.data(), 2, 8};
  const std::size_t much = std::size_t{1} << 61;  // times 8 systems: 2^64
  CHECK_THROWS_AS(bootstrap_tests(scores, {much, 1, 0.05, true}), std::length_error);
  CHECK_THROWS_AS(randomised_ranges(scores, {much, 1, 0.05, true}), std::length_error);
}

TEST_CASE("start_threads() returns the threads that it started, including an empty list") {
  std::atomic<int> started{0};
  auto threads = start_threads(3, [&] { ++started; });
  for (std::thread& thread : threads) thread.join();
  CHECK(started == static_cast<int>(threads.size()));
  CHECK(start_threads(0, [&] { ++started; }).empty());
}

TEST_CASE("an exception in a thread is rethrown and ends the loop") {
  std::atomic<int> ended{0};
  CHECK_THROWS_AS(parallel_for(64, 4,
                               [&](std::size_t i) {
                                 ++ended;
                                 if (i == 5) throw Wanted();
                               }),
                  Wanted);
  CHECK(ended > 0);
  // No thread begins a further iteration after an exception.
  int begun = 0;
  CHECK_THROWS_AS(parallel_for(1000, 1,
                               [&](std::size_t) {
                                 ++begun;
                                 throw Wanted();
                               }),
                  Wanted);
  CHECK(begun == 1);
  std::atomic<int> late{0};
  CHECK_THROWS_AS(parallel_for(100000, 2,
                               [&](std::size_t i) {
                                 if (i == 0) throw Wanted();
                                 std::this_thread::sleep_for(std::chrono::microseconds(10));
                                 ++late;
                               }),
                  Wanted);
  CHECK(late < 50000);
}

TEST_CASE("an incidence matrix with offsets or indices out of bounds is reported as invalid") {
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
