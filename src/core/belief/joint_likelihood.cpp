#include "belief/joint_likelihood.hpp"

#include <cmath>
#include <utility>

#include "execution/interrupt.hpp"
#include "belief/joint_block.hpp"

namespace judicious {

namespace {

using Eigen::Index;

constexpr double log_two_pi = 1.8378770664093454836;

// The judged gains of one query: their design of the shared effects and deviations from the prior
// means.
struct Query {
  std::vector<std::int32_t> pairs;
  Eigen::MatrixXd z;
  Eigen::VectorXd y;
};

std::vector<Query> judged_queries(const JointPrior& prior, const std::vector<std::int32_t>& judged,
                                  const std::vector<double>& gain) {
  std::vector<std::vector<std::size_t>> rows(prior.pool().n_queries);
  for (std::size_t a = 0; a < judged.size(); ++a)
    rows[static_cast<std::size_t>(prior.pool().query[static_cast<std::size_t>(judged[a])])]
        .push_back(a);
  std::vector<Query> out;
  for (const auto& own : rows) {
    if (own.empty()) continue;
    const auto n = static_cast<Index>(own.size());
    Query query{{}, Eigen::MatrixXd(n, prior.n_shared()), Eigen::VectorXd(n)};
    for (Index a = 0; a < n; ++a) {
      const std::size_t row = own[static_cast<std::size_t>(a)];
      const auto i = static_cast<std::size_t>(judged[row]);
      query.pairs.push_back(judged[row]);
      query.z.row(a) = prior.shared_row(i);
      query.y[a] = gain[row] - prior.parameters().mean[i];
    }
    out.push_back(std::move(query));
  }
  return out;
}

// With K the covariance of the judged gains and a = K^-1 y, the derivative by the variance of a
// term is tr((a a' - K^-1) K_t) / 2: from the blocks of a a' - K^-1 on its diagonal for what is
// within queries, and from the diagonal of Z'(a a' - K^-1)Z for the shared effects.
class Gradient {
 public:
  explicit Gradient(const JointPrior& prior) : prior_(prior) {}

  void add_query(const Query& query, const Eigen::VectorXd& a, const Eigen::MatrixXd& inverse) {
    const TermValues traces = QueryBlock(prior_, query.pairs).traces(a * a.transpose() - inverse);
    for (std::size_t term = 0; term < n_joint_terms; ++term) value_[term] += traces[term] / 2;
  }

  void add_shared(const Eigen::VectorXd& diagonal) {
    const auto s = static_cast<Index>(prior_.n_systems());
    const auto t = static_cast<Index>(prior_.pool().n_teams);
    Index from = prior_.pool().x.rows();
    for (const auto& [term, n] :
         {std::pair{term_system, s}, std::pair{term_team, t}, std::pair{term_system_popularity, s},
          std::pair{term_team_popularity, t}}) {
      value_[term] += diagonal.segment(from, n).sum() / 2;
      from += n;
    }
  }

  const TermValues& value() const { return value_; }

 private:
  const JointPrior& prior_;
  TermValues value_{};
};

// K itself: fewer judgments than effects.
JointFit fit_few(const JointPrior& prior, const std::vector<Query>& queries, Index judged,
                 bool with_gradient) {
  const Index p = prior.pool().x.rows();
  const Eigen::VectorXd& variance = prior.shared_variance();
  Eigen::MatrixXd z(judged, prior.n_shared());
  Eigen::VectorXd y(judged);
  Index at = 0;
  for (const Query& query : queries) {
    z.middleRows(at, query.y.size()) = query.z;
    y.segment(at, query.y.size()) = query.y;
    at += query.y.size();
  }
  Eigen::MatrixXd k = z * variance.asDiagonal() * z.transpose();
  at = 0;
  for (const Query& query : queries) {
    check_interrupt();
    const Index n = query.y.size();
    k.block(at, at, n, n) += QueryBlock(prior, query.pairs).matrix();
    at += n;
  }
  const Eigen::LLT<Eigen::MatrixXd> chol(std::move(k));
  const Eigen::VectorXd a = chol.solve(y);
  JointFit out;
  out.log_likelihood = -0.5 * y.dot(a) - chol.matrixLLT().diagonal().array().log().sum();
  const Eigen::VectorXd score = z.transpose() * a;
  out.shared = variance.cwiseProduct(score);
  const Eigen::MatrixXd half = chol.matrixL().solve(z.leftCols(p) * variance.head(p).asDiagonal());
  out.covariance = -half.transpose() * half;
  out.covariance.diagonal() += variance.head(p);
  if (!with_gradient) return out;
  const Eigen::MatrixXd inverse = chol.solve(Eigen::MatrixXd::Identity(judged, judged));
  Gradient gradient(prior);
  at = 0;
  for (const Query& query : queries) {
    check_interrupt();
    const Index n = query.y.size();
    gradient.add_query(query, a.segment(at, n), inverse.block(at, at, n, n));
    at += n;
  }
  chol.matrixL().solveInPlace(z);
  gradient.add_shared(score.cwiseAbs2() - z.colwise().squaredNorm().transpose());
  out.gradient = gradient.value();
  return out;
}

// Blocks of queries B and Z L Z' apart, with L the variances of the shared effects.
JointFit fit_many(const JointPrior& prior, std::vector<Query> queries, bool with_gradient) {
  const Index r = prior.n_shared(), p = prior.pool().x.rows();
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(r, r);  // Z'B^-1 Z
  Eigen::VectorXd score = Eigen::VectorXd::Zero(r);           // Z'B^-1 y
  JointFit out;
  std::vector<Eigen::LLT<Eigen::MatrixXd>> blocks;
  for (Query& query : queries) {
    check_interrupt();
    blocks.emplace_back(QueryBlock(prior, query.pairs).matrix());
    const auto& chol = blocks.back();
    chol.matrixL().solveInPlace(query.z);
    chol.matrixL().solveInPlace(query.y);
    out.log_likelihood -=
        0.5 * query.y.squaredNorm() + chol.matrixLLT().diagonal().array().log().sum();
    information.selfadjointView<Eigen::Lower>().rankUpdate(query.z.transpose());
    score.noalias() += query.z.transpose() * query.y;
  }
  information = Eigen::MatrixXd(information.selfadjointView<Eigen::Lower>());
  // I + L^(1/2) H L^(1/2) is well conditioned even where a variance is 0.
  const Eigen::VectorXd root = prior.shared_variance().cwiseSqrt();
  Eigen::MatrixXd inner = root.asDiagonal() * information * root.asDiagonal();
  inner.diagonal().array() += 1;
  const Eigen::LLT<Eigen::MatrixXd> chol(std::move(inner));
  const Eigen::VectorXd half = chol.matrixL().solve(root.asDiagonal() * score);
  out.log_likelihood += 0.5 * half.squaredNorm() - chol.matrixLLT().diagonal().array().log().sum();
  out.shared = root.asDiagonal() * chol.matrixU().solve(half);
  const Index columns = with_gradient ? r : p;
  const Eigen::MatrixXd covariance = root.asDiagonal() *
                                     chol.solve(Eigen::MatrixXd::Identity(r, columns)) *
                                     root.head(columns).asDiagonal();
  out.covariance = covariance.topLeftCorner(p, p);
  if (!with_gradient) return out;
  Gradient gradient(prior);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    check_interrupt();
    const Query& query = queries[q];
    const Index n = query.y.size();
    const Eigen::VectorXd a = blocks[q].matrixU().solve(query.y - query.z * out.shared);
    const Eigen::MatrixXd inner_inverse =
        Eigen::MatrixXd::Identity(n, n) - query.z * covariance * query.z.transpose();
    const Eigen::MatrixXd left = blocks[q].matrixU().solve(inner_inverse);
    gradient.add_query(query, a, blocks[q].matrixU().solve(left.transpose()));
  }
  const Eigen::VectorXd own = score - information * out.shared;  // Z'a
  const Eigen::MatrixXd product = information * covariance;
  gradient.add_shared(own.cwiseAbs2() - information.diagonal() +
                      product.cwiseProduct(information).rowwise().sum());
  out.gradient = gradient.value();
  return out;
}

}  // namespace

JointFit joint_likelihood(const JointPrior& prior, const std::vector<std::int32_t>& judged,
                          const std::vector<double>& gain, bool with_gradient) {
  const auto n = static_cast<Index>(judged.size());
  // Nothing is judged: the prior.
  if (n == 0) {
    JointFit out;
    out.shared = Eigen::VectorXd::Zero(prior.n_shared());
    out.covariance = prior.shared_variance().head(prior.pool().x.rows()).asDiagonal();
    return out;
  }
  std::vector<Query> queries = judged_queries(prior, judged, gain);
  JointFit out = n < prior.n_shared() ? fit_few(prior, queries, n, with_gradient)
                                      : fit_many(prior, std::move(queries), with_gradient);
  out.log_likelihood -= 0.5 * log_two_pi * static_cast<double>(n);
  return out;
}

}  // namespace judicious
