#include <vector>

#include "belief/pair_posterior.hpp"
#include "catch.hpp"
#include "joint_case.hpp"

using namespace judicious;
using namespace joint_case;
using Eigen::Index;

namespace {

bool near(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (a - b).cwiseAbs().maxCoeff() < 1e-9;
}

const std::vector<std::int32_t> all_systems{0, 1, 2, 3, 4, 5, 6};

}  // namespace

TEST_CASE("the posterior of pairs of queries equals conditioning a dense normal distribution") {
  const std::vector<std::int32_t> judged{4, 7, 1, 20};
  const Eigen::VectorXd gain = Eigen::Vector4d(0.2, 0.9, 0, 0.4);
  const Eigen::VectorXd noise = Eigen::Vector4d(0, 0.3, 0, 0.1);
  for (const bool teams : {true, false}) {
    for (const bool equal : {true, false}) {
      Case c = random_case(17, 3, 8, 7, 3);
      if (equal) c.pool.weight = {0.4};
      if (!teams) c.par.variance[term_team] = c.par.variance[term_team_popularity] = 0;
      const Eigen::MatrixXd prior = dense_covariance(c);
      Eigen::MatrixXd k_known(prior.rows(), 4), known(4, 4);
      Eigen::VectorXd surprise(4);
      for (Index a = 0; a < 4; ++a) {
        k_known.col(a) = prior.col(from(judged, a));
        surprise[a] = gain[a] - c.par.mean[static_cast<std::size_t>(from(judged, a))];
      }
      for (Index a = 0; a < 4; ++a) known.row(a) = k_known.row(from(judged, a));
      known.diagonal() += noise;
      const Eigen::VectorXd mean =
          Eigen::Map<const Eigen::VectorXd>(c.par.mean.data(), prior.rows()) + k_known * known.lu().solve(surprise);
      const Eigen::MatrixXd covariance = prior - k_known * known.lu().solve(k_known.transpose());
      Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(7, prior.rows());
      const IncidenceView at = c.pool.incidence.view();
      for (std::size_t i = 0; i < at.n_pairs; ++i)
        for (const std::int32_t* s = at.begin(i); s != at.end(i); ++s)
          weights(*s, static_cast<Index>(i)) = c.pool.weight[equal ? 0 : static_cast<std::size_t>(s - at.system)];
      const Eigen::MatrixXd of_systems = weights * covariance * weights.transpose();

      const PairPosterior posterior(JointPrior(c.pool, c.par), judged, gain, noise, 2);
      CHECK(near(posterior.mean(), mean));
      CHECK(near(posterior.variance(), covariance.diagonal()));
      CHECK(posterior.mean()[4] == 0.2);
      CHECK(posterior.variance()[4] == 0);
      CHECK(posterior.variance()[7] > 0);
      CHECK(near(posterior.system_mean(), weights * mean));
      CHECK(near(posterior.system_variance(), of_systems.diagonal()));
      const Eigen::MatrixXd two = posterior.system_covariance({5, 0}, all_systems);
      CHECK(near(two.row(0), of_systems.row(5)));
      CHECK(near(two.row(1), of_systems.row(0)));
    }
  }
}

TEST_CASE("without judgments the posterior of pairs of queries is the prior") {
  const Case c = random_case(18, 3, 6, 7, 2);
  const PairPosterior posterior(JointPrior(c.pool, c.par), {}, {}, {}, 1);
  CHECK(near(posterior.mean(), Eigen::Map<const Eigen::VectorXd>(c.par.mean.data(), 18)));
  CHECK(near(posterior.variance(), dense_covariance(c).diagonal()));
  CHECK(near(posterior.system_covariance(all_systems, all_systems).diagonal(), posterior.system_variance()));
}
