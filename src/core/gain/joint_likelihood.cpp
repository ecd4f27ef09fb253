#include "gain/joint_likelihood.hpp"

#include <cmath>

#include "execution/poll.hpp"

namespace judicious {

namespace {

constexpr double log_two_pi = 1.8378770664093454836;

}  // namespace

JointFit joint_likelihood(const JointPrior& prior, const std::vector<std::int32_t>& judged,
                          const std::vector<double>& gain, bool with_covariance) {
  using Eigen::Index;
  const Index r = prior.n_shared();
  std::vector<std::vector<std::size_t>> of_query(prior.pool().n_queries);
  for (std::size_t a = 0; a < judged.size(); ++a) {
    of_query[static_cast<std::size_t>(prior.pool().query[static_cast<std::size_t>(judged[a])])]
        .push_back(a);
  }
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(r, r);
  Eigen::VectorXd score = Eigen::VectorXd::Zero(r);
  JointFit out;
  out.log_likelihood = -0.5 * log_two_pi * static_cast<double>(judged.size());
  for (const auto& rows : of_query) {
    if (rows.empty()) continue;
    poll();
    const auto n = static_cast<Index>(rows.size());
    std::vector<std::int32_t> pairs;
    Eigen::MatrixXd z(n, r);
    Eigen::VectorXd y(n);
    for (Index a = 0; a < n; ++a) {
      const std::size_t row = rows[static_cast<std::size_t>(a)];
      const auto i = static_cast<std::size_t>(judged[row]);
      pairs.push_back(judged[row]);
      z.row(a) = prior.shared_row(i);
      y[a] = gain[row] - prior.parameters().mean[i];
    }
    const Eigen::LLT<Eigen::MatrixXd> chol(prior.query_block(pairs));
    chol.matrixL().solveInPlace(z);
    chol.matrixL().solveInPlace(y);
    out.log_likelihood -= 0.5 * y.squaredNorm() + chol.matrixLLT().diagonal().array().log().sum();
    information.selfadjointView<Eigen::Lower>().rankUpdate(z.transpose());
    score.noalias() += z.transpose() * y;
  }
  // I + L^(1/2) H L^(1/2) is well conditioned even where a variance is 0.
  const Eigen::VectorXd root = prior.shared_variance().cwiseSqrt();
  Eigen::MatrixXd inner = root.asDiagonal() *
                          Eigen::MatrixXd(information.selfadjointView<Eigen::Lower>()) *
                          root.asDiagonal();
  inner.diagonal().array() += 1;
  const Eigen::LLT<Eigen::MatrixXd> chol(inner);
  const Eigen::VectorXd half = chol.matrixL().solve(root.asDiagonal() * score);
  out.log_likelihood += 0.5 * half.squaredNorm() - chol.matrixLLT().diagonal().array().log().sum();
  out.shared = root.asDiagonal() * chol.matrixU().solve(half);
  if (with_covariance) {
    out.covariance =
        root.asDiagonal() * chol.solve(Eigen::MatrixXd::Identity(r, r)) * root.asDiagonal();
  }
  return out;
}

}  // namespace judicious
