#include "separation.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "execution/interrupt.hpp"

namespace judicious::ordinal {
namespace {

constexpr double tolerance = 1e-9;  // of x'd, for columns of variance 1 and |d| = 1

// The rows with the smallest and largest x'd within each category.
struct Extremes {
  std::vector<Eigen::Index> lowest, highest;
  std::vector<double> low, high;
};

Extremes extremes(const PomData& data, const Eigen::VectorXd& d) {
  const Eigen::VectorXd value = data.x * d;
  Extremes out;
  for (std::size_t j = 0; j + 1 < data.first.size(); ++j) {
    const auto part = value.segment(data.first[j], data.first[j + 1] - data.first[j]);
    Eigen::Index lowest = 0, highest = 0;
    out.low.push_back(part.minCoeff(&lowest));
    out.high.push_back(part.maxCoeff(&highest));
    out.lowest.push_back(data.first[j] + lowest);
    out.highest.push_back(data.first[j] + highest);
  }
  return out;
}

// Finds the difference of two rows that d violates most; false if d violates none.
bool most_violated(const PomData& data, const Eigen::VectorXd& d, Eigen::VectorXd& difference) {
  const Extremes e = extremes(data, d);
  double worst = -tolerance * d.norm();
  bool found = false;
  for (std::size_t j = 0; j + 1 < e.low.size(); ++j) {
    const double gap = e.low[j + 1] - e.high[j];
    if (gap < worst) {
      worst = gap;
      difference = (data.x.row(e.lowest[j + 1]) - data.x.row(e.highest[j])).transpose();
      found = true;
    }
  }
  return found;
}

// For each threshold, the rows above and below it whose values x'd are equal, so that the direction d does not separate
// them.
std::vector<std::vector<Eigen::Index>> tight_rows(const PomData& data, const Eigen::VectorXd& d) {
  const Eigen::VectorXd value = data.x * d;
  const Extremes e = extremes(data, d);
  std::vector<std::vector<Eigen::Index>> out(e.low.size() - 1);
  for (std::size_t j = 0; j < out.size(); ++j) {
    if (e.low[j + 1] - e.high[j] > tolerance) continue;
    for (Eigen::Index r = data.first[j]; r < data.first[j + 1]; ++r) {
      if (value[r] >= e.high[j] - tolerance) out[j].push_back(r);
    }
    for (Eigen::Index r = data.first[j + 1]; r < data.first[j + 2]; ++r) {
      if (value[r] <= e.low[j + 1] + tolerance) out[j].push_back(r);
    }
  }
  return out;
}

// The difference of the means of these rows at each threshold, above minus below, summed over thresholds.
Eigen::VectorXd mean_differences(const PomData& data, const std::vector<std::vector<Eigen::Index>>& rows) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(data.n_slopes());
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const auto count_below =
        std::count_if(rows[j].begin(), rows[j].end(), [&](Eigen::Index r) { return r < data.first[j + 1]; });
    const auto below = static_cast<double>(count_below);
    const double above = static_cast<double>(rows[j].size()) - below;
    for (const Eigen::Index r : rows[j]) {
      out += data.x.row(r).transpose() / (r < data.first[j + 1] ? -below : above);
    }
  }
  return out;
}

// The slopes that are free in the subspace orthogonal to the differences of the tight rows.
std::vector<Eigen::Index> free_slopes(const PomData& data, const std::vector<std::vector<Eigen::Index>>& rows) {
  const Eigen::Index p = data.n_slopes();
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(p, p);
  for (const auto& at : rows) {
    for (const Eigen::Index r : at) {
      const Eigen::VectorXd difference = (data.x.row(r) - data.x.row(at.front())).transpose();
      gram.selfadjointView<Eigen::Lower>().rankUpdate(difference);
    }
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(Eigen::MatrixXd(gram.selfadjointView<Eigen::Lower>()));
  qr.setThreshold(1e-10);
  const Eigen::MatrixXd held = qr.householderQ() * Eigen::MatrixXd::Identity(p, qr.rank());
  std::vector<Eigen::Index> out;
  for (Eigen::Index k = 0; k < p; ++k) {
    if (1 - held.row(k).squaredNorm() > 1e-10) out.push_back(k);
  }
  return out;
}

// The thresholds that diverge: in the caller's units of the columns, those for which 0 is outside the interval that d
// permits.
std::vector<Eigen::Index> diverging_thresholds(const PomData& data, const Eigen::VectorXd& d) {
  const Extremes e = extremes(data, d);
  const double origin = data.center.cwiseQuotient(data.scale).dot(d);
  std::vector<Eigen::Index> out;
  for (std::size_t j = 0; j + 1 < e.low.size(); ++j) {
    const double from = e.high[j] + origin, to = e.low[j + 1] + origin, small = tolerance * (1 + std::fabs(origin));
    if (std::min(from, to) > small || std::max(from, to) < -small) out.push_back(static_cast<Eigen::Index>(j));
  }
  return out;
}

}  // namespace

Eigen::VectorXd project_on_cone(const Eigen::VectorXd& target, const MostViolated& most_violated) {
  std::vector<Eigen::VectorXd> active;
  std::vector<double> y;  // the multipliers of the active rows
  Eigen::VectorXd residual = target, row;
  const int max_iterations = 1000 + 100 * static_cast<int>(target.size());
  for (int round = 0; round < max_iterations; ++round) {
    check_interrupt();
    if (residual.norm() <= tolerance * target.norm()) return Eigen::VectorXd::Zero(target.size());
    if (!most_violated(residual, row)) break;
    active.push_back(row);
    y.push_back(0);
    for (double length = 0; length < 1 && !active.empty();) {
      Eigen::MatrixXd a(target.size(), static_cast<Eigen::Index>(active.size()));
      for (Eigen::Index r = 0; r < a.cols(); ++r) a.col(r) = active[static_cast<std::size_t>(r)];
      const Eigen::VectorXd best = a.colPivHouseholderQr().solve(-target);
      // The largest move towards the unconstrained solution for which all multipliers stay nonnegative.
      const auto reach = [&](std::size_t r) {
        const double to = best[static_cast<Eigen::Index>(r)];
        return to > 0 ? 2 : y[r] > 0 ? y[r] / (y[r] - to) : 0;
      };
      length = 1;
      for (std::size_t r = 0; r < y.size(); ++r) length = std::min(length, reach(r));
      if (length == 0 && y.back() == 0) return residual;  // only rounding errors are left
      if (length == 1) residual = target + a * best;
      for (std::size_t r = y.size(); r-- > 0;) {
        const bool is_blocked = reach(r) <= length;
        y[r] += length * (best[static_cast<Eigen::Index>(r)] - y[r]);
        if (!is_blocked) continue;
        active.erase(active.begin() + static_cast<std::ptrdiff_t>(r));
        y.erase(y.begin() + static_cast<std::ptrdiff_t>(r));
      }
    }
    if (active.empty()) residual = target;
  }
  return residual;
}

SeparationReport find_separation(const PomData& data) {
  SeparationReport report;
  if (data.n_slopes() == 0) return report;
  const auto n_thresholds = static_cast<std::size_t>(data.n_thresholds());
  std::vector<std::vector<Eigen::Index>> rows(n_thresholds);
  for (std::size_t j = 0; j < n_thresholds; ++j) {
    for (Eigen::Index r = data.first[j]; r < data.first[j + 2]; ++r) rows[j].push_back(r);
  }
  // Each direction separates as many rows as possible. The next one is sought among the rows that the sum of the
  // directions does not separate, until this sum is in the interior of K (relative to its span).
  Eigen::VectorXd inside = Eigen::VectorXd::Zero(data.n_slopes());
  for (Eigen::Index round = 0; round <= data.n_slopes(); ++round) {
    const Eigen::VectorXd c = mean_differences(data, rows);
    if (c.norm() <= tolerance) break;
    const auto violated = [&](const Eigen::VectorXd& d, Eigen::VectorXd& row) { return most_violated(data, d, row); };
    const Eigen::VectorXd found = project_on_cone(c, violated);
    if (found.norm() <= tolerance * c.norm()) break;
    inside = (inside + found / found.norm()).normalized();
    rows = tight_rows(data, inside);
  }
  if (inside.norm() == 0) return report;
  const bool any_tight = std::any_of(rows.begin(), rows.end(), [](const auto& r) { return !r.empty(); });
  report.kind = any_tight ? Separation::quasi_complete : Separation::complete;
  report.slopes = free_slopes(data, rows);
  report.thresholds = diverging_thresholds(data, inside);
  return report;
}

}  // namespace judicious::ordinal
