#include "bias.hpp"

#include <cmath>

#include "execution/interrupt.hpp"
#include "likelihood.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {
namespace {

// The terms of all levels of one row, as if it were at each of them.
struct LevelTerms {
  Eigen::ArrayXd prob, score_below, score_above, below, above, gap;  // m + 1

  void compute(const Link& link, const Eigen::VectorXd& theta, double eta) {
    const Eigen::Index m = theta.size();
    for (auto* of : {&prob, &score_below, &score_above, &below, &above, &gap}) of->resize(m + 1);
    RowTerms terms;
    double a[RowTerms::size], b[RowTerms::size];
    for (Eigen::Index from = 0; from <= m; from += RowTerms::size) {
      for (Eigen::Index l = 0; l < RowTerms::size; ++l) {
        const Eigen::Index j = from + l;
        a[l] = j > 0 && j <= m ? theta[j - 1] - eta : -infinity;
        b[l] = j < m ? theta[j] - eta : infinity;
      }
      link.rows(a, b, terms);
      for (Eigen::Index l = 0; l < RowTerms::size && from + l <= m; ++l) {
        const Eigen::Index j = from + l;
        terms.add_gap(link, a[l], b[l], static_cast<int>(l));
        prob[j] = std::exp(terms.log_prob[l]);
        score_below[j] = terms.score_below[l];
        score_above[j] = terms.score_above[l];
        below[j] = terms.below[l];
        above[j] = terms.above[l];
        gap[j] = terms.gap[l];
      }
    }
  }
};

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

BorderedMatrix expected_information(const PomData& data, const Link& link,
                                    const Eigen::VectorXd& parameters) {
  const Eigen::Index m = data.n_thresholds(), p = data.n_slopes();
  const Eigen::VectorXd theta = parameters.head(m), eta = predictors(data, parameters.tail(p));
  BorderedMatrix out;
  out.resize(m, p);
  out.set_zero();
  LevelTerms row;
  Eigen::ArrayXd f(m);
  for (Eigen::Index r = 0; r < data.n_rows(); ++r) {
    check_interrupt_at(static_cast<std::size_t>(r), 4096);
    row.compute(link, theta, eta[r]);
    const double w = row_weight(data, r);
    f = w * (row.prob * row.above).head(m) + w * (row.prob * row.below).tail(m);
    out.own += f.matrix();
    for (Eigen::Index s = 1; s < m; ++s) out.link[s - 1] += w * row.prob[s] * row.gap[s];
    out.border.noalias() -= f.matrix() * data.x.row(r);
    out.slopes.selfadjointView<Eigen::Lower>().rankUpdate(data.x.row(r).transpose(), f.sum());
  }
  out.slopes.triangularView<Eigen::StrictlyUpper>() = out.slopes.transpose();
  return out;
}

AdjustedScore::AdjustedScore(const PomData& data, const Link& link, int num_threads)
    : data_(data), link_(link), pass_(data, link, num_threads) {
  observed_.resize(data.n_thresholds(), data.n_slopes());
}

bool AdjustedScore::evaluate(const Eigen::VectorXd& parameters) {
  observed_.set_zero();
  score_ = Eigen::VectorXd::Zero(parameters.size());
  value_ = pass_.add(parameters, score_, observed_, false);
  value_ += add_gaps(data_.total, link_, parameters, score_, observed_);
  information_ = expected_information(data_, link_, parameters);
  if (!solver_.factor(information_)) return false;
  add_adjustment(parameters);
  return score_.allFinite();
}

// The adjustment is the score with each row's count in category s replaced by c_s - c_{s-1}, where
// c_s = w f'(theta_s - eta) v_s / 2 and v_s is the variance of theta_s - eta.
void AdjustedScore::add_adjustment(const Eigen::VectorXd& parameters) {
  const Eigen::Index m = data_.n_thresholds(), p = data_.n_slopes();
  const Eigen::VectorXd theta = parameters.head(m), eta = predictors(data_, parameters.tail(p));
  const Eigen::VectorXd own_variance = solver_.threshold_variance();
  const Eigen::MatrixXd slope_variance = solver_.slope_covariance();
  const Eigen::MatrixXd cross =
      p > 0 ? solver_.threshold_slope_covariance() : Eigen::MatrixXd(m, 0);
  LevelTerms row;
  Eigen::VectorXd x(p);
  Eigen::ArrayXd count(m + 1), variance(m);
  for (Eigen::Index r = 0; r < data_.n_rows(); ++r) {
    check_interrupt_at(static_cast<std::size_t>(r), 4096);
    x = data_.x.row(r).transpose();
    row.compute(link_, theta, eta[r]);
    const double eta_variance = p > 0 ? x.dot(slope_variance * x) : 0;
    variance = own_variance.array() + eta_variance;
    if (p > 0) variance -= 2 * (cross * x).array();
    count.setZero();
    for (Eigen::Index s = 0; s < m; ++s) {
      const double density = row.score_above[s] * row.prob[s];
      if (!(density > 0)) continue;
      const double c =
          row_weight(data_, r) * density * link_.density_slope(theta[s] - eta[r]) * variance[s] / 2;
      count[s] += c;
      count[s + 1] -= c;
    }
    double score_eta = 0;
    for (Eigen::Index s = 0; s <= m; ++s) {
      if (s > 0) score_[s - 1] -= count[s] * row.score_below[s];
      if (s < m) score_[s] += count[s] * row.score_above[s];
      score_eta += count[s] * (row.score_below[s] - row.score_above[s]);
    }
    score_.tail(p) += score_eta * x;
  }
}

double AdjustedScore::longest_step(const Eigen::VectorXd& at, const Eigen::VectorXd& step) const {
  return longest_ordered_step(at, step, data_.n_thresholds());
}

}  // namespace judicious::ordinal
