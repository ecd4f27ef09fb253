#include "belief/leave_one_out.hpp"

#include <string>

#include "belief/dense.hpp"
#include "belief/joint_block.hpp"
#include "execution/index.hpp"
#include "execution/interrupt.hpp"

namespace judicious {

namespace {

// The judged pairs of a query: D is their covariance given the shared effects, Z the design of the shared effects,
// scaled such that these have variance 1, and r the deviations from the prior means.
struct JudgedBlock {
  std::vector<std::int32_t> pair;
  Eigen::VectorXd inverse_diagonal, solved;  // the diagonal of D^-1, and D^-1 r
  Eigen::MatrixXd solved_design;             // D^-1 Z
};

}  // namespace

// With K = D + Z Z', the prediction of the judged gain y_i from the other judgments is
//
// y_i - (K^-1 r)_i / (K^-1)_ii with variance 1 / (K^-1)_ii.
//
// K^-1 = D^-1 - D^-1 Z (I + Z' D^-1 Z)^-1 Z' D^-1, where D has a block for each query.
LeaveOneOut leave_one_out(const JointPosterior& posterior) {
  const JointPrior& prior = posterior.prior();
  const Eigen::RowVectorXd root = prior.shared_variance().cwiseSqrt().transpose();
  const Index p = prior.n_shared();
  Eigen::MatrixXd inner = Eigen::MatrixXd::Identity(p, p);
  Eigen::VectorXd projected = Eigen::VectorXd::Zero(p);  // Z' D^-1 r
  std::vector<JudgedBlock> blocks;
  LeaveOneOut out;
  for (Index q = 0; q < prior.pool().n_queries; ++q) {
    check_interrupt();
    JudgedBlock block;
    for (const std::int32_t pair : prior.pairs_of(q))
      if (posterior.known(pair)) block.pair.push_back(pair);
    const Index n = length(block.pair);
    if (n == 0) continue;
    Eigen::MatrixXd design(n, p);
    Eigen::VectorXd deviation(n);
    for (Index a = 0; a < n; ++a) {
      const Index pair = block.pair[a];
      design.row(a) = prior.shared_row(pair).cwiseProduct(root);
      deviation[a] = posterior.mean()[pair] - prior.parameters().mean[pair];
    }
    Eigen::MatrixXd d = QueryBlock(prior, block.pair).matrix();
    dense::factorise(d, "The covariance of " + std::to_string(n) + " judged gains of a query");
    d = dense::inverse_of(d);
    block.inverse_diagonal = d.diagonal();
    block.solved = d * deviation;
    block.solved_design = Eigen::MatrixXd::Zero(n, p);
    dense::add_product(block.solved_design, 1, d, design);
    dense::add_product(inner, 1, design, block.solved_design, dense::Transposed::left);
    projected.noalias() += design.transpose() * block.solved;
    out.pair.insert(out.pair.end(), block.pair.begin(), block.pair.end());
    blocks.push_back(std::move(block));
  }
  dense::factorise(inner, "The information of the judgments about the effects that queries share");
  Eigen::MatrixXd shared = projected;
  dense::solve(inner, shared);
  dense::solve_transposed(inner, shared);
  const Index total = length(out.pair);
  out.mean.resize(total);
  out.variance.resize(total);
  Index at = 0;
  for (const JudgedBlock& block : blocks) {
    Eigen::MatrixXd half = block.solved_design.transpose();
    dense::solve(inner, half);
    const Index n = length(block.pair);
    for (Index a = 0; a < n; ++a, ++at) {
      const double precision = block.inverse_diagonal[a] - half.col(a).squaredNorm();
      const double weighted_residual = block.solved[a] - block.solved_design.row(a).dot(shared.col(0));
      out.variance[at] = 1 / precision;
      out.mean[at] = posterior.mean()[block.pair[a]] - weighted_residual / precision;
    }
  }
  return out;
}

}  // namespace judicious
