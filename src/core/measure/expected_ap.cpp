#include "measure/expected_ap.hpp"

#include <algorithm>
#include <cmath>

#include "execution/index.hpp"
#include "execution/interrupt.hpp"

namespace judicious {

namespace {

// Golub and Welsch (1969): the quadrature points are the eigenvalues of the Jacobi matrix.
Quadrature from_recurrence(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const Index n = a.size();
  if (n == 1) return {a, b};
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(a, b.tail(n - 1).cwiseSqrt());
  return {solver.eigenvalues(), b[0] * solver.eigenvectors().row(0).cwiseAbs2().transpose()};
}

// Recurrence of the monic Legendre polynomials on [0, 1].
double legendre_b(Index k) {
  const auto x = static_cast<double>(k);
  return k == 0 ? 1 : x * x / (4 * (4 * x * x - 1));
}

// A document that two lists have in common, with its rank in each.
struct SharedDocument {
  std::int32_t document;
  double rank_a, rank_b;
  std::size_t place_a, place_b;
};

std::vector<SharedDocument> shared_documents(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  std::vector<SharedDocument> out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto found = std::find(b.begin(), b.end(), a[i]);
    if (found == b.end()) continue;
    const std::size_t j = found - b.begin();
    out.push_back({a[i], static_cast<double>(i + 1), static_cast<double>(j + 1), i, j});
  }
  return out;
}

// The slope L_i of every document of a list; `mean` becomes the mean of S.
std::vector<double> slopes(const std::vector<std::int32_t>& list, const std::vector<double>& p, double& mean) {
  std::vector<double> out(list.size());
  const auto at = [&](std::size_t i) { return p[list[i]]; };
  double before = 0, behind = 0;
  mean = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    out[i] = (1 + before) / static_cast<double>(i + 1);
    mean += at(i) * out[i];
    before += at(i);
  }
  for (std::size_t i = list.size(); i-- > 0;) {
    out[i] += behind;
    behind += at(i) / static_cast<double>(i + 1);
  }
  return out;
}

// The covariance of the AP of two lists whose documents are relevant independently with
// probability `p`; `slope_a` and `slope_b` are slopes() of the lists.
double list_covariance(const std::vector<SharedDocument>& shared, const std::vector<double>& p,
                       const std::vector<double>& slope_a, const std::vector<double>& slope_b) {
  double out = 0;
  for (auto i = shared.begin(); i != shared.end(); ++i) {
    const double at = p[i->document], variance = at * (1 - at);
    double pairs = 0;
    for (auto j = shared.begin(); j != i; ++j) {
      const double other = p[j->document];
      pairs += other * (1 - other) / (std::max(i->rank_a, j->rank_a) * std::max(i->rank_b, j->rank_b));
    }
    out += variance * (slope_a[i->place_a] * slope_b[i->place_b] + pairs);
  }
  return out;
}

}  // namespace

Quadrature legendre_quadrature(int n) {
  Eigen::VectorXd a = Eigen::VectorXd::Constant(n, 0.5), b(n);
  for (Index k = 0; k < n; ++k) b[k] = legendre_b(k);
  return from_recurrence(a, b);
}

// Gautschi (2004), Orthogonal Polynomials, algorithm 2.1: the recurrence from the moments of the
// Legendre polynomials P_k on [0, 1] with the weight -log(t), 1 and (-1)^k / (k (k + 1)), here
// divided by their leading coefficients (2k)! / k!^2.
Quadrature log_quadrature(int n) {
  const Index m = 2 * index(n);
  Eigen::VectorXd moment(m), a(n), b(n);
  double lead = 1;
  for (Index k = 0; k < m; ++k) {
    const auto x = static_cast<double>(k);
    if (k > 0) lead *= 2 * (2 * x - 1) / x;
    moment[k] = k == 0 ? 1 : (k % 2 == 0 ? 1 : -1) / (x * (x + 1) * lead);
  }
  Eigen::VectorXd older = Eigen::VectorXd::Zero(m), old = moment;
  a[0] = 0.5 + moment[1];
  b[0] = 1;
  for (Index k = 1; k < n; ++k) {
    Eigen::VectorXd now = Eigen::VectorXd::Zero(m);
    for (Index l = k; l < m - k; ++l) {
      now[l] = old[l + 1] - (a[k - 1] - 0.5) * old[l] - b[k - 1] * older[l] + legendre_b(l) * old[l - 1];
    }
    a[k] = 0.5 + now[k + 1] / now[k] - old[k] / old[k - 1];
    b[k] = now[k] / old[k - 1];
    older = old;
    old = now;
  }
  return from_recurrence(a, b);
}

ExpectedAp::ExpectedAp(std::size_t n_documents) {
  const int n = static_cast<int>(std::clamp<std::size_t>((n_documents + 1) / 2, 1, 128));
  plain_ = legendre_quadrature(n);
  log_ = log_quadrature(n);
}

ApMoments ExpectedAp::moments(const std::vector<double>& probability,
                              const std::vector<std::vector<std::int32_t>>& lists, int outside) const {
  const Index n_systems = length(lists);
  ApMoments out{Eigen::VectorXd::Zero(n_systems), Eigen::MatrixXd::Zero(n_systems, n_systems)};
  std::vector<double> p(probability.size());
  // Replaces the probabilities by p_i t / (q_i + p_i t), and returns prod(q_i + p_i t) t^outside / t: see
  // expected_ap.hpp.
  const auto tilt = [&](double t) {
    double product = std::pow(t, outside - 1);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double rest = 1 - probability[i] + probability[i] * t;
      p[i] = probability[i] * t / rest;
      product *= rest;
    }
    return product;
  };
  std::vector<std::vector<double>> slope(lists.size());
  Eigen::VectorXd mean(n_systems);
  const auto means = [&] {
    for (std::size_t s = 0; s < lists.size(); ++s) slope[s] = slopes(lists[s], p, mean[index(s)]);
  };
  for (Index k = 0; k < plain_.at.size(); ++k) {
    const double factor = plain_.weight[k] * tilt(plain_.at[k]);
    means();
    out.mean += factor * mean;
  }
  std::vector<std::vector<SharedDocument>> shared;
  for (std::size_t a = 0; a < lists.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) shared.push_back(shared_documents(lists[a], lists[b]));
  }
  for (Index k = 0; k < log_.at.size(); ++k) {
    const double factor = log_.weight[k] * tilt(log_.at[k]);
    means();
    auto both = shared.begin();
    for (Index a = 0; a < n_systems; ++a) {
      check_interrupt();
      for (Index b = 0; b <= a; ++b, ++both)
        out.covariance(a, b) += factor * (mean[a] * mean[b] + list_covariance(*both, p, slope[a], slope[b]));
    }
  }
  // Covariances within the rounding error of the second moments are 0.
  for (Index a = 0; a < n_systems; ++a) {
    for (Index b = 0; b <= a; ++b) {
      const double second = out.covariance(a, b), value = second - out.mean[a] * out.mean[b];
      out.covariance(a, b) = out.covariance(b, a) = std::abs(value) > 1e-13 * second ? value : 0;
    }
  }
  return out;
}

}  // namespace judicious
