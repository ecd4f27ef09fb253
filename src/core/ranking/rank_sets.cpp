#include "ranking/rank_sets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "execution/index.hpp"
#include "execution/interrupt.hpp"
#include "stats/random.hpp"

namespace judicious {
namespace {

// Normal random numbers by the polar method (Marsaglia and Bray 1964). NormalStream would be faster, but stored
// statements about ranks depend on these draws, and only few are needed.
class PolarStream {
 public:
  explicit PolarStream(RandomStream& random) : random_(random) {}

  double operator()() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u, v, s;
    do {
      u = 2 * random_.uniform() - 1;
      v = 2 * random_.uniform() - 1;
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    const double stretch = std::sqrt(-2 * std::log(s) / s);
    spare_ = v * stretch;
    has_spare_ = true;
    return u * stretch;
  }

 private:
  RandomStream& random_;
  double spare_ = 0;
  bool has_spare_ = false;
};

// The rank of each system (row) in each draw (column), from 1.
Eigen::MatrixXi ranks_of_draws(const Eigen::Ref<const Eigen::MatrixXd>& scores, double resolution) {
  const Index m = scores.rows();
  Eigen::MatrixXi ranks(m, scores.cols());
  std::vector<Index> order(m);
  for (Index t = 0; t < scores.cols(); ++t) {
    check_interrupt_at(t, 256);
    const double* score = scores.data() + t * scores.outerStride();
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [=](Index a, Index b) { return score[a] > score[b]; });
    int rank = 1;
    for (Index i = 0; i < length(order); ++i) {
      if (i > 0 && score[order[i - 1]] - score[order[i]] > resolution) rank = static_cast<int>(i) + 1;
      ranks(order[i], t) = rank;
    }
  }
  return ranks;
}

// The smaller of the two tail probabilities of each system at each rank.
Eigen::MatrixXd tails_of(const Eigen::MatrixXd& probability) {
  const Index m = probability.rows();
  Eigen::MatrixXd tail(m, m);
  for (Index i = 0; i < m; ++i) {
    double below = 0, above = 1;
    for (Index r = 0; r < m; ++r) {
      below += probability(i, r);
      tail(i, r) = std::min(below, above);
      above -= probability(i, r);
    }
  }
  return tail;
}

double common_limit(const Eigen::MatrixXi& ranks, const Eigen::MatrixXd& tail, double level) {
  std::vector<double> smallest(ranks.cols(), 1);
  for (Index t = 0; t < ranks.cols(); ++t) {
    double& least = smallest[t];
    for (Index i = 0; i < ranks.rows(); ++i) least = std::min(least, tail(i, ranks(i, t) - 1));
  }
  // The number of draws in which ranks may lie outside their sets.
  const auto outside = static_cast<Index>(std::floor((1 - level) * static_cast<double>(smallest.size()) + 1e-9));
  std::nth_element(smallest.begin(), smallest.begin() + outside, smallest.end());
  return smallest[outside];
}

}  // namespace

Eigen::MatrixXd draw_normal_scores(const Eigen::Ref<const Eigen::VectorXd>& mean,
                                   const Eigen::Ref<const Eigen::MatrixXd>& covariance, int draws, std::uint64_t seed) {
  const Index m = length(mean);
  Eigen::MatrixXd z(m, draws);
  for (Index t = 0; t < draws; ++t) {
    RandomStream random(seed, static_cast<std::uint64_t>(t));
    PolarStream normal(random);
    for (Index i = 0; i < m; ++i) z(i, t) = normal();
  }
  // With pivoting, a singular covariance has a factor, too. Its zeros may be slightly negative.
  const Eigen::LDLT<Eigen::MatrixXd> root(covariance);
  z.array().colwise() *= root.vectorD().array().max(0).sqrt();
  Eigen::MatrixXd out = root.matrixL() * z;
  out = root.transpositionsP().transpose() * out;
  out.colwise() += mean;
  return out;
}

RankSets rank_sets(const Eigen::Ref<const Eigen::MatrixXd>& scores, double resolution, double level) {
  const Index m = scores.rows();
  const Eigen::MatrixXi ranks = ranks_of_draws(scores, resolution);
  RankSets out;
  out.probability = Eigen::MatrixXd::Zero(m, m);
  for (Index t = 0; t < ranks.cols(); ++t)
    for (Index i = 0; i < m; ++i) ++out.probability(i, ranks(i, t) - 1);
  out.probability /= static_cast<double>(std::max<Index>(ranks.cols(), 1));
  const Eigen::MatrixXd tail = tails_of(out.probability);
  // Tail probabilities are shares of draws, so half a draw is more than their rounding errors.
  const double limit = common_limit(ranks, tail, level) - 0.5 / static_cast<double>(ranks.cols());
  for (Index i = 0; i < m; ++i) {
    int lower = 0, upper = 0;
    for (Index r = 0; r < m; ++r) {
      if (tail(i, r) < limit) continue;
      if (lower == 0) lower = static_cast<int>(r) + 1;
      upper = static_cast<int>(r) + 1;
    }
    out.lower.push_back(lower);
    out.upper.push_back(upper);
  }
  return out;
}

double set_probability(const Eigen::Ref<const Eigen::MatrixXd>& scores, const std::vector<int>& upper,
                       const std::vector<int>& lower, const Eigen::Ref<const Eigen::MatrixXd>& counts, double delta,
                       double equal, double resolution) {
  const auto holds = [&](Index t) {
    for (const int a : upper) {
      for (const int b : lower) {
        if (counts(a, b) == 0) continue;
        const double apart = scores(a, t) - scores(b, t);
        if (apart < delta - resolution && !(std::abs(apart) < equal)) return false;
      }
    }
    return true;
  };
  Index right = 0;
  for (Index t = 0; t < scores.cols(); ++t) right += holds(t) ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(scores.cols());
}

}  // namespace judicious
