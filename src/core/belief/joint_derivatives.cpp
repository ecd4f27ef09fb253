// Derivatives of the marginal likelihood by the variances. With P the inverse of the covariance K
// of the observations, a = P y, and K_t = U_t U_t' the derivative of K by the variance of a term:
//   gradient     (|U_t' a|^2 - tr U_t' P U_t) / 2,
//   information  a' K_t P K_u a / 2, the average of the observed and the expected one,
//   curvature    |U_t' P U_t|^2 / 2 - a' K_t P K_t a.
// P = B^-1 - V' V  with  V = L^-1 R Z' B^-1, where L is the Cholesky factor of the inner matrix.
#include <cmath>

#include "belief/joint_objective.hpp"
#include "execution/interrupt.hpp"

namespace judicious {

using Eigen::Index;

struct JointObjective::Derivatives {
  const JointObjective& at;
  bool with_curvature;
  TermValues gradient{}, squares{};  // squares: |U_t' P U_t|^2
  // Terms by terms; shared effects by terms.
  Eigen::MatrixXd quadratic, cross;
  // Per term, the sum over the blocks of V U U' V'.
  std::vector<Eigen::MatrixXd> overlap;
  Eigen::VectorXd own;      // Z' a
  Eigen::MatrixXd by_term;  // per shared effect: what each term adds to K_t a through Z

  Derivatives(const JointObjective& objective, bool curvature)
      : at(objective), with_curvature(curvature) {
    const Index r = at.shared_.size(), n = static_cast<Index>(n_joint_terms);
    quadratic = Eigen::MatrixXd::Zero(n, n);
    cross = Eigen::MatrixXd::Zero(r, n);
    by_term = Eigen::MatrixXd::Zero(r, n);
    own = at.score_ - at.information_ * at.shared_mean_;
    if (with_curvature && at.blocks_.size() > 1)
      overlap.assign(n_joint_terms, Eigen::MatrixXd::Zero(r, r));
    add_shared();
  }

  bool varies(JointTerm term) const { return at.variance_[term] > 0; }

  // Replaces x by L^-1 R x.
  void whiten(Eigen::MatrixXd& x) const {
    at.shared_.multiply_root(x);
    at.inner_.matrixL().solveInPlace(x);
  }

  void add_shared() {
    const SharedEffects& shared = at.shared_;
    if (shared.systems().empty()) return;
    Eigen::MatrixXd half = at.information_;
    whiten(half);
    const Index s = shared.n_systems();
    for (const SystemsEffect& effect : shared.systems()) {
      const auto columns = half.middleCols(effect.first, s);
      const Eigen::MatrixXd systems =
          at.information_.block(effect.first, effect.first, s, s) - columns.transpose() * columns;
      const Eigen::VectorXd own_systems = own.segment(effect.first, s);
      for (const JointTerm term : effect.terms) {
        if (!varies(term)) continue;
        const Eigen::MatrixXd once = shared.sum_levels(term, systems);
        const Eigen::MatrixXd levels = shared.sum_levels(term, once.transpose());
        const Eigen::MatrixXd own_levels = shared.sum_levels(term, own_systems);
        gradient[term] += (own_levels.squaredNorm() - levels.trace()) / 2;
        squares[term] += levels.squaredNorm();
        by_term.col(term).segment(effect.first, s) = shared.expand_levels(term, own_levels);
      }
    }
  }

  void add_block(const Block& block) {
    const auto n = static_cast<Index>(block.pairs.size());
    const Eigen::VectorXd a = block.solved - block.w.transpose() * at.shared_mean_;
    Eigen::MatrixXd v = block.w, precision = block.inverse;
    whiten(v);
    precision.selfadjointView<Eigen::Lower>().rankUpdate(v.transpose(), -1);
    if (with_curvature) precision.triangularView<Eigen::StrictlyUpper>() = precision.transpose();

    Eigen::MatrixXd moved = Eigen::MatrixXd::Zero(n, static_cast<Index>(n_joint_terms));  // K_t a
    moved.col(term_residual) = block.residual.cwiseProduct(a);
    gradient[term_residual] +=
        (moved.col(term_residual).dot(a) - block.residual.dot(precision.diagonal())) / 2;
    if (with_curvature) add_residual_squares(block, precision, v);
    for (const TermEffect& own_term : block.effects) {
      if (!varies(own_term.term)) continue;
      moved.col(own_term.term) = own_term.effect.project(a);
      gradient[own_term.term] +=
          (moved.col(own_term.term).dot(a) - own_term.effect.trace(precision)) / 2;
      if (!with_curvature) continue;
      const Eigen::MatrixXd left = own_term.effect.times(precision).transpose();
      add_squares(own_term.term, own_term.effect.times(left), own_term.effect.times(v));
    }
    for (const SharedColumns& columns : at.shared_columns(block)) {
      const auto rows = by_term.middleRows(columns.first, at.shared_.n_systems());
      for (Index t = 0; t < moved.cols(); ++t)
        if (!rows.col(t).isZero(0)) columns.effect->add_expanded(rows.col(t), moved.col(t));
    }
    quadratic.noalias() += moved.transpose() * (block.inverse * moved);
    cross.noalias() += block.w * moved;
  }

  void add_residual_squares(const Block& block, const Eigen::MatrixXd& precision,
                            const Eigen::MatrixXd& v) {
    const Eigen::VectorXd root = block.residual.cwiseSqrt();
    add_squares(term_residual, root.asDiagonal() * precision * root.asDiagonal(),
                v * root.asDiagonal());
  }

  // `levels`: U' P U of a block. Between blocks, it is -(V U)' (V U), whose sum of squares is that
  // over all pairs of blocks minus that within blocks.
  void add_squares(JointTerm term, const Eigen::MatrixXd& levels, const Eigen::MatrixXd& vu) {
    squares[term] += levels.squaredNorm();
    if (overlap.empty()) return;
    const Eigen::MatrixXd within = vu * vu.transpose();
    squares[term] -= within.squaredNorm();
    overlap[term] += within;
  }

  void finish(JointEvaluation& out) {
    whiten(cross);
    out.information = (quadratic - cross.transpose() * cross) / 2;
    out.gradient = gradient;
    if (!with_curvature) return;
    for (std::size_t t = 0; t < n_joint_terms; ++t) {
      if (!overlap.empty()) squares[t] += overlap[t].squaredNorm();
      const auto i = static_cast<Index>(t);
      if (varies(static_cast<JointTerm>(t)))
        out.curvature[t] = squares[t] / 2 - 2 * out.information(i, i);
    }
  }
};

void JointObjective::add_derivatives(JointOrder order, JointEvaluation& out) const {
  Derivatives derivatives(*this, order == JointOrder::curvature);
  for (const Block& block : blocks_) {
    check_interrupt();
    derivatives.add_block(block);
  }
  derivatives.finish(out);
}

}  // namespace judicious
