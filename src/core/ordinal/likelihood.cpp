#include "likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "logit.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {

LogitLikelihood::LogitLikelihood(LikelihoodPass pass, Eigen::Index n_thresholds,
                                 Eigen::Index n_slopes)
    : pass_(std::move(pass)), gradient_(n_thresholds + n_slopes) {
  information_.resize(n_thresholds, n_slopes);
}

LogitLikelihood::LogitLikelihood(const PomData& data, int num_threads)
    : LogitLikelihood(
          [&data, rows = std::make_shared<RowPass>(data, num_threads)](
              const Eigen::VectorXd& at, Eigen::VectorXd& gradient, BorderedMatrix& information) {
            const double value = rows->add(at, gradient, information);
            return value + add_gaps(data, at, gradient, information);
          },
          data.n_thresholds(), data.n_slopes()) {}

LikelihoodPass pass_over_columns(const ColumnInput& input, const Eigen::VectorXd& center,
                                 const Eigen::VectorXd& scale, int num_threads) {
  return [=](const Eigen::VectorXd& at, Eigen::VectorXd& gradient, BorderedMatrix& information) {
    constexpr Eigen::Index slice_rows = 65536;
    const auto p = static_cast<Eigen::Index>(input.columns.size());
    std::vector<double> x(static_cast<std::size_t>(p * std::min(slice_rows, input.n_rows)));
    double value = 0;
    for (Eigen::Index from = 0; from < input.n_rows; from += slice_rows) {
      const Eigen::Index rows = std::min(slice_rows, input.n_rows - from);
      for (Eigen::Index k = 0; k < p; ++k)
        std::copy_n(input.columns[static_cast<std::size_t>(k)] + from, rows, x.data() + k * rows);
      const PomInput slice{{x.data(), rows, p},
                           input.category + from,
                           input.weight != nullptr ? input.weight + from : nullptr,
                           input.offset != nullptr ? input.offset + from : nullptr,
                           input.n_categories};
      const PomData data = prepare_batch(slice, center, scale);
      value += RowPass(data, num_threads).add(at, gradient, information);
      value += add_gaps(data, at, gradient, information);
    }
    return value;
  };
}

void LogitLikelihood::set_penalty(double penalty) {
  if (penalty != penalty_) last_.resize(0);
  penalty_ = penalty;
}

double add_gaps(const PomData& data, const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient,
                BorderedMatrix& information) {
  double value = 0;
  for (Eigen::Index j = 1; j < data.n_thresholds(); ++j) {
    const double delta = parameters[j] - parameters[j - 1], n = data.total[j];
    value += n * log_one_minus_exp(delta);
    gradient[j] += n * gap_slope(delta);
    gradient[j - 1] -= n * gap_slope(delta);
    information.link[j - 1] += n * gap_curvature(delta);
  }
  return value;
}

double LogitLikelihood::evaluate(const Eigen::VectorXd& parameters) {
  if (last_.size() == parameters.size() && last_ == parameters) return value_;
  const Eigen::Index m = information_.own.size(), p = information_.slopes.rows();
  last_.resize(0);  // an early return leaves incomplete derivatives
  gradient_.setZero();
  information_.set_zero();
  for (Eigen::Index j = 1; j < m; ++j) {
    if (!(parameters[j] > parameters[j - 1])) return -infinity;
  }
  double value = pass_(parameters, gradient_, information_);
  if (penalty_ > 0) {
    const auto beta = parameters.tail(p);
    value -= penalty_ / 2 * beta.squaredNorm();
    gradient_.tail(p) -= penalty_ * beta;
    information_.slopes.diagonal().array() += penalty_;
  }
  information_.slopes.triangularView<Eigen::StrictlyUpper>() = information_.slopes.transpose();
  last_ = parameters;
  return value_ = value;
}

bool LogitLikelihood::newton_step(Eigen::VectorXd& step) {
  if (!solver_.factor(information_)) return false;
  step = gradient_;
  solver_.solve(step);
  return step.allFinite();
}

double longest_ordered_step(const Eigen::VectorXd& parameters, const Eigen::VectorXd& step,
                            Eigen::Index m) {
  double longest = infinity;
  for (Eigen::Index j = 1; j < m; ++j) {
    const double delta = parameters[j] - parameters[j - 1], change = step[j] - step[j - 1];
    if (change < 0) longest = std::min(longest, delta / -change);
  }
  return longest;
}

Eigen::VectorXd marginal_start(const PomData& data) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(data.n_thresholds() + data.n_slopes());
  double below = 0, above = data.total.sum();
  for (Eigen::Index j = 0; j < data.n_thresholds(); ++j) {
    below += data.total[j];
    above -= data.total[j];
    out[j] = std::log(below / above);
  }
  return out;
}

}  // namespace judicious::ordinal
