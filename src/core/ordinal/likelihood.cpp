#include "likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "logit.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {

PomLikelihood::PomLikelihood(LikelihoodPass pass, Eigen::Index n_thresholds, Eigen::Index n_slopes)
    : pass_(std::move(pass)), gradient_(n_thresholds + n_slopes) {
  information_.resize(n_thresholds, n_slopes);
}

PomLikelihood::PomLikelihood(const PomData& data, const Link& link, int num_threads)
    : PomLikelihood(pass_over_rows(data, link, num_threads), data.n_thresholds(), data.n_slopes()) {
}

LikelihoodPass pass_over_rows(const PomData& data, const Link& link, int num_threads) {
  return [&, rows = std::make_shared<RowPass>(data, link, num_threads)](
             const Eigen::VectorXd& at, Eigen::VectorXd& gradient, BorderedMatrix& information) {
    const double value = rows->add(at, gradient, information);
    return value + add_gaps(data.total, link, at, gradient, information);
  };
}

LikelihoodPass pass_over_columns(const ColumnInput& input, const Link& link,
                                 const Eigen::VectorXd& center, const Eigen::VectorXd& scale,
                                 int num_threads) {
  return [=, &link](const Eigen::VectorXd& at, Eigen::VectorXd& gradient,
                    BorderedMatrix& information) {
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
      value += pass_over_rows(data, link, num_threads)(at, gradient, information);
    }
    return value;
  };
}

void PomLikelihood::set_penalty(double penalty) {
  if (penalty != penalty_) last_.resize(0);
  penalty_ = penalty;
}

double add_gaps(const Eigen::VectorXd& total, const Link& link, const Eigen::VectorXd& parameters,
                Eigen::VectorXd& gradient, BorderedMatrix& information) {
  double value = 0;
  if (!link.is_logit()) return value;
  for (Eigen::Index j = 1; j + 1 < total.size(); ++j) {
    const double delta = parameters[j] - parameters[j - 1], n = total[j];
    value += n * log_one_minus_exp(delta);
    gradient[j] += n * gap_slope(delta);
    gradient[j - 1] -= n * gap_slope(delta);
    information.link[j - 1] += n * gap_curvature(delta);
  }
  return value;
}

double PomLikelihood::evaluate(const Eigen::VectorXd& parameters) {
  if (last_.size() == parameters.size() && last_ == parameters) return value_;
  const Eigen::Index m = information_.own.size(), p = information_.slopes.rows();
  last_.resize(0);  // an early return leaves incomplete derivatives
  gradient_.setZero();
  information_.set_zero();
  for (Eigen::Index j = 1; j < m; ++j) {
    if (!(parameters[j] > parameters[j - 1])) return -infinity;
  }
  double value = pass_(parameters, gradient_, information_);
  if (!std::isfinite(value)) return -infinity;
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

bool PomLikelihood::newton_step(Eigen::VectorXd& step) {
  raised_ = !solver_.factor(information_);
  if (raised_) {
    BorderedMatrix more = information_;
    const Eigen::VectorXd own = more.own.cwiseAbs().cwiseMax(1e-10);
    const Eigen::VectorXd slopes = more.slopes.diagonal().cwiseAbs().cwiseMax(1e-10);
    double raise = 1e-4;
    for (int attempt = 0;; ++attempt, raise *= 4) {
      if (attempt == 12) return false;
      more.own = information_.own + raise * own;
      more.slopes.diagonal() = information_.slopes.diagonal() + raise * slopes;
      if (solver_.factor(more)) break;
    }
  }
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

Eigen::VectorXd marginal_start(const Eigen::VectorXd& total, const Link& link,
                               Eigen::Index n_slopes) {
  const Eigen::Index m = total.size() - 1;
  Eigen::VectorXd out = Eigen::VectorXd::Zero(m + n_slopes);
  const double all = total.sum();
  double below = 0, above = all;
  for (Eigen::Index j = 0; j < m; ++j) {
    below += total[j];
    above -= total[j];
    out[j] = link.is_logit() ? std::log(below / above)
             : below < above ? link.quantile(below / all)
                             : link.upper_quantile(above / all);
  }
  return out;
}

}  // namespace judicious::ordinal
