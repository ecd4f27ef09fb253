
#include "catch.hpp"
#include "ranking/rank_sets.hpp"

using namespace judicious;

TEST_CASE("normal draws have the given mean and covariance, also if the covariance is singular", "[ranking]") {
  const Eigen::Vector3d mean(1, 2, 3);
  Eigen::Matrix3d covariance;
  covariance << 4, 4, 1, 4, 4, 1, 1, 1, 2;
  const Eigen::MatrixXd x = draw_normal_scores(mean, covariance, 20000, 7);
  CHECK((x.rowwise().mean() - mean).norm() < 0.05);
  const Eigen::MatrixXd c = x.colwise() - x.rowwise().mean();
  CHECK((c * c.transpose() / 20000 - covariance).norm() < 0.15);
  CHECK(((x.row(1) - x.row(0)).array() - 1).abs().maxCoeff() < 1e-7);
  CHECK(x == draw_normal_scores(mean, covariance, 20000, 7));
}

TEST_CASE("systems with equal scores share a rank", "[ranking]") {
  Eigen::MatrixXd scores(4, 2);
  scores << 3, 1, 3 + 1e-13, 1, 1, 2, 2, 0;
  const RankSets sets = rank_sets(scores, 1e-12, 0.5);
  Eigen::MatrixXd expected(4, 4);
  expected << .5, .5, 0, 0, .5, .5, 0, 0, .5, 0, 0, .5, 0, 0, .5, .5;
  CHECK(sets.probability == expected);
}

TEST_CASE("rank sets contain the ranks of all systems in the requested share of draws", "[ranking]") {
  const int m = 12, draws = 2000;
  const Eigen::VectorXd mean = Eigen::VectorXd::LinSpaced(m, 0, 6);
  const Eigen::MatrixXd covariance = Eigen::MatrixXd::Identity(m, m);
  const Eigen::MatrixXd x = draw_normal_scores(mean, covariance, draws, 1);
  for (const double level : {0.5, 0.9, 0.95}) {
    const RankSets sets = rank_sets(x, 0, level);
    int inside = 0;
    for (int t = 0; t < draws; ++t) {
      bool all = true;
      for (int i = 0; i < m; ++i) {
        const auto rank = 1 + (x.col(t).array() > x(i, t)).count();
        all = all && sets.lower[static_cast<std::size_t>(i)] <= rank && rank <= sets.upper[static_cast<std::size_t>(i)];
      }
      inside += all ? 1 : 0;
    }
    CHECK(inside >= level * draws);
    CHECK(inside < level * draws + 0.1 * draws);
  }
  const RankSets known = rank_sets(mean.replicate(1, 10), 0, 0.95);
  CHECK(known.lower == known.upper);
  CHECK(known.lower.front() == m);
}

TEST_CASE("the probability of a set of pairs is the share of draws in which all of them are ordered as stated",
          "[ranking]") {
  Eigen::MatrixXd scores(3, 4);
  scores << 3, 3, 1, 2, 1, 2, 3, 2, 0, 2.5, 0, 0;
  const Eigen::MatrixXd all = Eigen::MatrixXd::Ones(3, 3);
  CHECK(set_probability(scores, {0}, {1, 2}, all, 0, -1, 1e-12) == 0.75);
  CHECK(set_probability(scores, {0}, {1, 2}, all, 1, -1, 1e-12) == 0.25);
  CHECK(set_probability(scores, {0}, {1, 2}, all, 0, 3, 1e-12) == 1);
  CHECK(set_probability(scores, {0, 1}, {2}, all, 0, -1, 1e-12) == 0.75);
  Eigen::MatrixXd some = all;
  some(0, 1) = 0;
  CHECK(set_probability(scores, {0}, {1, 2}, some, 0, -1, 1e-12) == 1);
}
