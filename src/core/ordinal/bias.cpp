#include "bias.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {
namespace {

// The diagonal of a b': for each row, the product of the rows of a and b.
Eigen::VectorXd row_dots(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return a.cwiseProduct(b).rowwise().sum();
}

// The information matrix for flexible thresholds and common slopes, with the thresholds in a separate block.
BorderedMatrix bordered(const Eigen::MatrixXd& all, Eigen::Index m) {
  const Eigen::Index p = all.rows() - m;
  BorderedMatrix out;
  out.resize(m, p);
  for (Eigen::Index j = 0; j + 1 < m; ++j) out.link[j] = -all(j + 1, j);
  for (Eigen::Index j = 0; j < m; ++j)
    out.own[j] = all(j, j) - (j > 0 ? out.link[j - 1] : 0) - (j + 1 < m ? out.link[j] : 0);
  out.border = all.topRightCorner(m, p);
  out.slopes = all.bottomRightCorner(p, p);
  return out;
}

}  // namespace

AdjustedScore::AdjustedScore(const CumulativeLinkModel& model) : sums_(model) {}

bool AdjustedScore::set_information(const Eigen::VectorXd& parameters) {
  const CumulativeLinkModel& model = sums_.model();
  const Eigen::Index n = sums_.weight().size(), m = model.n_thresholds();
  sums_.start(parameters);
  for (Eigen::Index j = 0; j <= m; ++j) {
    const double value =
        sums_.add(j, 0, n, [&](Eigen::Index r, double log_prob) { return sums_.weight()[r] * std::exp(log_prob); });
    if (!std::isfinite(value)) return false;
  }
  sums_.get_information(information_);
  const bool is_plain = model.structure.isIdentity(0) && model.nominal.cols() == 1 && model.scale.cols() == 0 &&
                        model.scale_offset.isZero(0);
  if (is_plain) information_ = bordered(information_.slopes, m);
  return true;
}

bool AdjustedScore::evaluate(const Eigen::VectorXd& parameters) {
  sums_.start(parameters);
  value_ = sums_.add_all();
  if (!std::isfinite(value_)) return false;
  score_ = sums_.gradient();
  if (!set_information(parameters) || !solver_.factor(information_)) return false;
  const Eigen::MatrixXd inverse = solver_.inverse();
  const Eigen::Index n = sums_.weight().size(), m = sums_.model().n_thresholds();
  sums_.start(parameters);
  const Eigen::MatrixXd& x = sums_.location();
  const Eigen::Index p = x.cols(), at_x = inverse.rows() - sums_.scale().cols() - p;
  const Eigen::MatrixXd root = inverse.block(at_x, at_x, p, p).llt().matrixL();
  const Eigen::VectorXd of_slopes = (x * root).rowwise().squaredNorm();
  Eigen::VectorXd below = Eigen::VectorXd::Zero(n);
  for (Eigen::Index j = 0; j <= m; ++j) {
    const Eigen::VectorXd above = j < m ? traces(j, inverse, of_slopes) : Eigen::VectorXd::Zero(n);
    sums_.add(j, 0, n, [&](Eigen::Index r, double) { return sums_.weight()[r] * (above[r] - below[r]) / 2; });
    below = above;
  }
  score_ += sums_.gradient();
  return score_.allFinite();
}

// tr(F^-1 d2 P(Y <= j)) for every row, from F^-1 and its quadratic form of the row's x. The derivative of the limit b
// with respect to all parameters is d = (s n for psi_j, -s x, -b z).
Eigen::VectorXd AdjustedScore::traces(Eigen::Index j, const Eigen::MatrixXd& inverse,
                                      const Eigen::VectorXd& of_slopes) const {
  const CumulativeLinkModel& model = sums_.model();
  const Eigen::MatrixXd &n = sums_.nominal(), &x = sums_.location(), &z = sums_.scale();
  const Eigen::Index q = model.structure.cols(), c = n.cols(), p = x.cols(), r = z.cols(), at_x = q * c,
                     at_z = at_x + p;
  Eigen::MatrixXd load = Eigen::MatrixXd::Zero(at_x, c);  // maps psi to threshold j for each column of n
  for (Eigen::Index k = 0; k < c; ++k) load.col(k).segment(k * q, q) = model.structure.row(j);
  const Eigen::MatrixXd psi = load.transpose() * inverse.topRows(at_x);
  const Eigen::VectorXd limit = sums_.limits(j, 0, n.rows());
  const Eigen::VectorXd& s = sums_.shrink();
  const Eigen::VectorXd straight =
      row_dots(n * (psi.leftCols(at_x) * load), n) - 2 * row_dots(n * psi.middleCols(at_x, p), x) + of_slopes;
  const Eigen::VectorXd within = row_dots(z * inverse.bottomRightCorner(r, r), z);
  const Eigen::VectorXd across =
      s.cwiseProduct(row_dots(n * psi.rightCols(r), z) - row_dots(x * inverse.block(at_x, at_z, p, r), z));
  Eigen::VectorXd out(limit.size());
  for (Eigen::Index i = 0; i < out.size(); ++i) {
    const double density = std::exp(model.link.log_density(limit[i])), b = limit[i];
    const double square = s[i] * s[i] * straight[i] - 2 * b * across[i] + b * b * within[i];
    // The second derivatives of the limit; the limit is nonlinear only in the scale parameters.
    const double limit_curvature = b * within[i] - 2 * across[i];
    out[i] = density > 0 ? density * (model.link.density_slope(b) * square + limit_curvature) : 0;
  }
  return out;
}

NewtonReport AdjustedScore::solve(Eigen::VectorXd& at, const NewtonOptions& options) {
  NewtonReport report;
  Eigen::VectorXd step;
  report.status = evaluate(at) ? Status::iteration_limit : Status::singular;
  while (report.status == Status::iteration_limit) {
    check_interrupt();
    step = score_;
    solver_.solve(step);
    report.last_step = step;
    report.decrement = score_.dot(step);
    report.max_gradient = score_.cwiseAbs().maxCoeff();
    if (!(report.decrement > options.tolerance)) {
      report.status = Status::converged;
      break;
    }
    if (report.iterations++ >= options.max_iterations) break;
    // The adjusted score is not the gradient of a function, so a step is accepted if it reduces the size of the score.
    // Far from the root, no step may do so: after some halvings, a short step is taken anyway.
    double length = std::min(1.0, 0.9 * longest_step(sums_.model(), at, step));
    const Eigen::VectorXd from = at;
    const double before = report.decrement;
    for (int h = 0;; ++h, length /= 2) {
      at = from + length * step;
      const bool fine = evaluate(at);
      if (fine) {
        Eigen::VectorXd next = score_;
        solver_.solve(next);
        if (score_.dot(next) < before || h >= 5) break;
      } else if (h >= options.max_halvings) {
        report.status = Status::singular;
        break;
      }
      ++report.halvings;
    }
  }
  report.value = value_;
  return report;
}

}  // namespace judicious::ordinal
