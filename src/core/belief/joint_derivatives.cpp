// Derivatives of the log marginal likelihood with respect to the variances. B, R, Z and y are those of
// joint_objective.hpp. With P the inverse of the covariance K of the observations, a = P y, and K_t = U_t U_t' the
// derivative of K with respect to the variance of term t:
//   gradient     (|U_t' a|^2 - tr U_t' P U_t) / 2,
//   information  a' K_t P K_u a / 2, the average of the observed and the expected one.
// P = B^-1 - V' V  with  V = L^-1 R Z' B^-1, where L is the Cholesky factor of the inner matrix.
#include <cmath>

#include "belief/dense.hpp"
#include "belief/joint_objective.hpp"
#include "execution/interrupt.hpp"

namespace judicious {

struct JointObjective::Derivatives {
  const JointObjective& at;
  TermValues gradient{};
  // Sums over blocks: (K_t a)' B^-1 K_u a for terms t and u, and Z' B^-1 K_t a, shared effects by terms.
  Eigen::MatrixXd quadratic, cross;
  Eigen::VectorXd own;      // Z' a
  Eigen::MatrixXd by_term;  // shared effects by terms: Z by_term is the part of K_t a that is due to shared effects

  explicit Derivatives(const JointObjective& objective) : at(objective) {
    const Index r = at.shared_.size(), n = n_joint_terms;
    quadratic = Eigen::MatrixXd::Zero(n, n);
    cross = Eigen::MatrixXd::Zero(r, n);
    by_term = Eigen::MatrixXd::Zero(r, n);
    own = at.score_ - at.information_ * at.shared_mean_;
    add_shared();
  }

  bool varies(JointTerm term) const { return at.variance_[term] > 0; }

  // Replaces x by L^-1 R x.
  void whiten(Eigen::MatrixXd& x) const {
    at.shared_.multiply_root(x);
    dense::solve(at.inner_, x);
  }

  void add_shared() {
    const SharedEffects& shared = at.shared_;
    if (shared.systems().empty()) return;
    Eigen::MatrixXd half = at.information_;
    whiten(half);
    const Index s = shared.n_systems();
    for (const SystemsEffect& effect : shared.systems()) {
      const auto systems = at.information_.block(effect.first, effect.first, s, s);
      const Eigen::MatrixXd columns = half.middleCols(effect.first, s).transpose();
      const Eigen::VectorXd own_systems = own.segment(effect.first, s);
      for (const JointTerm term : effect.terms) {
        if (!varies(term)) continue;
        const Eigen::MatrixXd once = shared.sum_levels(term, systems);
        const double trace =
            shared.sum_levels(term, once.transpose()).trace() - shared.sum_levels(term, columns).squaredNorm();
        const Eigen::MatrixXd own_levels = shared.sum_levels(term, own_systems);
        gradient[term] += (own_levels.squaredNorm() - trace) / 2;
        by_term.col(term).segment(effect.first, s) = shared.expand_levels(term, own_levels);
      }
    }
  }

  void add_block(const Block& block) {
    const Index n = length(block.pairs);
    const Eigen::VectorXd a = block.solved - block.w.transpose() * at.shared_mean_;
    Eigen::MatrixXd v = block.w, precision = block.inverse;
    whiten(v);
    dense::add_square(precision, -1, v, dense::Transposed::left);

    Eigen::MatrixXd moved = Eigen::MatrixXd::Zero(n, n_joint_terms);  // K_t a
    moved.col(term_residual) = block.residual.cwiseProduct(a);
    gradient[term_residual] += (moved.col(term_residual).dot(a) - block.residual.dot(precision.diagonal())) / 2;
    for (const TermEffect& own_term : block.effects) {
      if (!varies(own_term.term)) continue;
      moved.col(own_term.term) = own_term.effect.project(a);
      gradient[own_term.term] += (moved.col(own_term.term).dot(a) - own_term.effect.trace(precision)) / 2;
    }
    for (const SharedColumns& columns : at.shared_columns(block)) {
      const auto rows = by_term.middleRows(columns.first, at.shared_.n_systems());
      for (Index t = 0; t < moved.cols(); ++t)
        if (!rows.col(t).isZero(0)) columns.effect->add_expanded(rows.col(t), moved.col(t));
    }
    quadratic.noalias() += moved.transpose() * (block.inverse * moved);
    cross.noalias() += block.w * moved;
  }

  void finish(JointEvaluation& out) {
    whiten(cross);
    out.information = (quadratic - cross.transpose() * cross) / 2;
    out.gradient = gradient;
  }
};

void JointObjective::add_derivatives(JointEvaluation& out) const {
  Derivatives derivatives(*this);
  for (const Block& block : blocks_) {
    check_interrupt();
    derivatives.add_block(block);
  }
  derivatives.finish(out);
}

}  // namespace judicious
