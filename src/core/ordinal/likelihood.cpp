#include "likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "logit.hpp"

namespace judicious::ordinal {

PomLikelihood::PomLikelihood(const PomData& data, const Link& link, int num_threads)
    : Likelihood(pass_over_rows(data, link, num_threads), data.n_thresholds(), data.n_slopes()) {}

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
