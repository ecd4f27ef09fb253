// Exact mean and covariance of systems' average precision for a query whose documents are relevant
// independently of each other, with given probabilities.
//
// With relevance g_i and r_i the rank of document i, AP = S / R, where R is the number of relevant documents of the
// pool and S = sum over pairs i <= j of the list g_i g_j / max(r_i, r_j), the sum of the precisions at relevant
// documents. As int_0^1 t^(R-1) dt = 1/R and int_0^1 -log(t) t^(R-1) dt = 1/R^2,
//   E(AP_a)      = int E(t^R S_a) / t dt,    E(AP_a AP_b) = int -log(t) E(t^R S_a S_b) / t dt,
// and E(t^R f) = prod(q_i + p_i t) E_t(f), where E_t replaces p_i by p_i t / (q_i + p_i t). Under E_t, the mean of S
// and the covariance of S_a and S_b are sums over the documents of the lists and their
// pairs,
//   Cov(S_a, S_b) = sum_i v_i L_ai L_bi + sum_{i<j} v_i v_j / (max(r_ai, r_aj) max(r_bi, r_bj)),
//   L_i = 1 / r_i + sum_{j != i} p_j / max(r_i, r_j),  v_i = p_i (1 - p_i).
// The integrands are polynomials of a degree below the number of documents n, so Gauss quadrature
// with n / 2 points, for the weights 1 and -log(t), is exact: O(n^2) per query. Relevant documents outside the pool add
// to R, so that each multiplies the integrands by t.
#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

namespace judicious {

struct Quadrature {
  Eigen::VectorXd at, weight;
};

// Gauss quadrature on [0, 1] with the weight functions 1 and -log(t).
Quadrature legendre_quadrature(int n);
Quadrature log_quadrature(int n);

struct ApMoments {
  Eigen::VectorXd mean;        // per system
  Eigen::MatrixXd covariance;  // systems by systems
};

class ExpectedAp {
 public:
  // For queries with up to `n_documents` documents. Above 256 documents, the quadrature is not
  // exact in theory, but the error is in the last digits for up to thousands of documents.
  explicit ExpectedAp(std::size_t n_documents);

  // `probability`: of relevance, for each document of the pool. `lists`: per system, the documents
  // at ranks 1, 2, ..., without repetitions. `outside`: the number of relevant documents that are
  // not in the pool, which `n_documents` includes.
  ApMoments moments(const std::vector<double>& probability, const std::vector<std::vector<std::int32_t>>& lists,
                    int outside = 0) const;

 private:
  Quadrature plain_, log_;
};

}  // namespace judicious
