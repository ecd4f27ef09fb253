#include "bias.hpp"

#include <cmath>

#include "execution/interrupt.hpp"
#include "likelihood.hpp"
#include "logit.hpp"

namespace judicious::ordinal {
namespace {

// The linear predictor of one row and the probabilities at every threshold.
struct RowTerms {
  Eigen::ArrayXd above;  // F(theta_s - eta)
  Eigen::ArrayXd below;  // F(eta - theta_s)
  Eigen::ArrayXd prob;   // P(Y = s), m + 1

  // `gap` holds 1 - e^-delta of each inner category.
  void compute(const Eigen::VectorXd& theta, const Eigen::ArrayXd& gap, double eta) {
    const Eigen::Index m = theta.size();
    above.resize(m);
    below.resize(m);
    prob.resize(m + 1);
    for (Eigen::Index s = 0; s < m; ++s) {
      above[s] = logistic(theta[s] - eta);
      below[s] = logistic(eta - theta[s]);
    }
    prob[0] = above[0];
    prob[m] = below[m - 1];
    for (Eigen::Index s = 1; s < m; ++s) prob[s] = above[s] * below[s - 1] * gap[s];
  }
};

Eigen::ArrayXd category_gaps(const Eigen::VectorXd& theta) {
  Eigen::ArrayXd gap = Eigen::ArrayXd::Zero(theta.size() + 1);
  for (Eigen::Index s = 1; s < theta.size(); ++s) gap[s] = -std::expm1(theta[s - 1] - theta[s]);
  return gap;
}

double row_weight(const PomData& data, Eigen::Index r) {
  return data.weight.empty() ? 1 : data.weight[static_cast<std::size_t>(r)];
}

Eigen::VectorXd predictors(const PomData& data, const Eigen::VectorXd& beta) {
  Eigen::VectorXd eta = data.x * beta;
  if (!data.offset.empty())
    eta += Eigen::Map<const Eigen::VectorXd>(data.offset.data(), eta.size());
  return eta;
}

}  // namespace

BorderedMatrix expected_information(const PomData& data, const Eigen::VectorXd& parameters) {
  const Eigen::Index m = data.n_thresholds(), p = data.n_slopes();
  const Eigen::VectorXd theta = parameters.head(m), eta = predictors(data, parameters.tail(p));
  const Eigen::ArrayXd gap = category_gaps(theta);
  BorderedMatrix out;
  out.resize(m, p);
  out.set_zero();
  RowTerms row;
  Eigen::ArrayXd f(m);
  for (Eigen::Index r = 0; r < data.n_rows(); ++r) {
    check_interrupt_at(static_cast<std::size_t>(r), 4096);
    row.compute(theta, gap, eta[r]);
    const double w = row_weight(data, r);
    f = w * row.above * row.below * (row.prob.head(m) + row.prob.tail(m));
    out.own += f.matrix();
    for (Eigen::Index s = 1; s < m; ++s) {
      out.link[s - 1] += w * row.prob[s] * gap_curvature(theta[s] - theta[s - 1]);
    }
    out.border.noalias() -= f.matrix() * data.x.row(r);
    out.slopes.selfadjointView<Eigen::Lower>().rankUpdate(data.x.row(r).transpose(), f.sum());
  }
  out.slopes.triangularView<Eigen::StrictlyUpper>() = out.slopes.transpose();
  return out;
}

AdjustedScore::AdjustedScore(const PomData& data, int num_threads)
    : data_(data), pass_(data, num_threads) {
  observed_.resize(data.n_thresholds(), data.n_slopes());
}

bool AdjustedScore::evaluate(const Eigen::VectorXd& parameters) {
  observed_.set_zero();
  score_ = Eigen::VectorXd::Zero(parameters.size());
  value_ = pass_.add(parameters, score_, observed_, false);
  value_ += add_gaps(data_, parameters, score_, observed_);
  information_ = expected_information(data_, parameters);
  if (!solver_.factor(information_)) return false;
  add_adjustment(parameters);
  return score_.allFinite();
}

// The adjustment is the score with each row's count in category s replaced by c_s - c_{s-1}, where
// c_s = w f'(theta_s - eta) v_s / 2 and v_s is the variance of theta_s - eta.
void AdjustedScore::add_adjustment(const Eigen::VectorXd& parameters) {
  const Eigen::Index m = data_.n_thresholds(), p = data_.n_slopes();
  const Eigen::VectorXd theta = parameters.head(m), eta = predictors(data_, parameters.tail(p));
  const Eigen::ArrayXd gap = category_gaps(theta);
  const Eigen::VectorXd own_variance = solver_.threshold_variance();
  const Eigen::MatrixXd slope_variance = solver_.slope_covariance();
  const Eigen::MatrixXd cross =
      p > 0 ? solver_.threshold_slope_covariance() : Eigen::MatrixXd(m, 0);
  RowTerms row;
  Eigen::VectorXd x(p);
  Eigen::ArrayXd count(m + 1), variance(m);
  for (Eigen::Index r = 0; r < data_.n_rows(); ++r) {
    check_interrupt_at(static_cast<std::size_t>(r), 4096);
    x = data_.x.row(r).transpose();
    row.compute(theta, gap, eta[r]);
    const double eta_variance = p > 0 ? x.dot(slope_variance * x) : 0;
    variance = own_variance.array() + eta_variance;
    if (p > 0) variance -= 2 * (cross * x).array();
    count.setZero();
    for (Eigen::Index s = 0; s < m; ++s) {
      const double density = row.above[s] * row.below[s];
      const double c =
          row_weight(data_, r) * density * (row.below[s] - row.above[s]) * variance[s] / 2;
      count[s] += c;
      count[s + 1] -= c;
    }
    double score_eta = 0;
    for (Eigen::Index s = 0; s <= m; ++s) {
      const double slope = s > 0 && s < m ? gap_slope(theta[s] - theta[s - 1]) : 0;
      if (s > 0) {
        score_[s - 1] -= count[s] * (row.above[s - 1] + slope);
        score_eta += count[s] * row.above[s - 1];
      }
      if (s < m) {
        score_[s] += count[s] * (row.below[s] + slope);
        score_eta -= count[s] * row.below[s];
      }
    }
    score_.tail(p) += score_eta * x;
  }
}

double AdjustedScore::longest_step(const Eigen::VectorXd& at, const Eigen::VectorXd& step) const {
  return longest_ordered_step(at, step, data_.n_thresholds());
}

}  // namespace judicious::ordinal
