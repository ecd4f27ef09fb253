// Small data of any kind for the ordinal fits: separated, aliased, weighted, with empty categories, extreme values and
// links other than the logit. A fit may report that it did not converge. If it reports convergence, its estimates must
// be finite, its thresholds ascending, and its probabilities between 0 and 1.
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "../every_link.hpp"
#include "../model_limits.hpp"
#include "byte_source.hpp"
#include "ordinal/cumulative_link.hpp"
#include "ordinal/fit.hpp"
#include "ordinal/mixed_fit.hpp"

using namespace judicious::ordinal;
using Eigen::Index;
using judicious::fuzz::ByteSource;

namespace {

struct Data {
  Eigen::MatrixXd x;
  std::vector<std::int32_t> category;
  std::vector<double> weight, offset;
  int n_categories = 2;
  bool weighted = false, shifted = false;

  explicit Data(ByteSource& source) {
    const Index n = source.between(1, 24), p = source.between(0, 4);
    n_categories = source.between(2, 5);
    weighted = source.yes();
    shifted = source.yes();
    x.resize(n, p);
    for (Index i = 0; i < n; ++i) {
      category.push_back(source.between(0, n_categories - 1));
      weight.push_back(weighted ? source.between(0, 4) : 1);
      offset.push_back(shifted ? source.tame() : 0);
      for (Index k = 0; k < p; ++k) x(i, k) = source.wild();
    }
  }
  PomInput input() const {
    return {{x.data(), x.rows(), x.cols()},
            category.data(),
            weighted ? weight.data() : nullptr,
            shifted ? offset.data() : nullptr,
            n_categories};
  }
  bool has_all_categories() const {
    std::vector<double> total(static_cast<std::size_t>(n_categories), 0);
    for (std::size_t i = 0; i < category.size(); ++i) total[static_cast<std::size_t>(category[i])] += weight[i];
    for (const double t : total) {
      if (!(t > 0)) return false;
    }
    return true;
  }
};

void check_thresholds(const Eigen::VectorXd& theta) {
  for (Index j = 1; j < theta.size(); ++j) MUST_HOLD(theta[j] >= theta[j - 1]);
}

void fit_proportional(const Data& data, ByteSource& source) {
  PomOptions options;
  options.method = source.yes() ? Method::bias_reduced : Method::maximum_likelihood;
  options.penalty = options.method == Method::maximum_likelihood && source.yes() ? source.unit() : 0;
  const PomResult fit = fit_pom(data.input(), options);
  MUST_HOLD(fit.beta.size() == static_cast<Index>(fit.column.size()));
  MUST_HOLD(fit.column.size() + fit.aliased.size() == static_cast<std::size_t>(data.x.cols()));
  MUST_HOLD(fit.theta.size() == data.n_categories - 1);
  if (fit.newton.status != Status::converged || fit.separation.kind != Separation::none) return;
  MUST_HOLD(fit.theta.allFinite() && fit.beta.allFinite());
  MUST_HOLD(std::isfinite(fit.log_likelihood) && fit.log_likelihood <= 1e-9);
  check_thresholds(fit.theta);
  Eigen::VectorXd eta = Eigen::VectorXd::Zero(data.x.rows());
  for (std::size_t k = 0; k < fit.column.size(); ++k)
    eta += data.x.col(fit.column[k]) * fit.beta[static_cast<Index>(k)];
  const Eigen::MatrixXd probability = probabilities(*link_named("logit"), fit.theta, eta);
  if (eta.allFinite()) {
    MUST_HOLD(probability.minCoeff() >= 0 && probability.maxCoeff() <= 1 + 1e-12);
    MUST_HOLD((probability.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-9);
  }
  covariance(fit.information, fit.center, fit.scale);
  variances(fit.information, fit.center, fit.scale);
}

// The link, matrices and vectors to which a CumulativeLinkModel of the data refers.
struct LinkParts {
  LinkPointer link;
  Eigen::MatrixXd structure, nominal, location, scale;
  Eigen::VectorXd weight, offset, scale_offset;

  LinkParts(const Data& data, ByteSource& source, Index n_slopes) {
    const std::vector<std::string> names = every_link();
    const int at = source.between(0, static_cast<int>(names.size()) - 1);
    link = link_named(names[static_cast<std::size_t>(at)]);
    const Index m = data.n_categories - 1, n = data.x.rows();
    structure.setIdentity(m, m);
    nominal.setOnes(n, 1);
    location = data.x.leftCols(n_slopes);
    scale = data.x.leftCols(data.x.cols() > 0 && source.yes() ? 1 : 0);
    weight = Eigen::Map<const Eigen::VectorXd>(data.weight.data(), n);
    offset = Eigen::Map<const Eigen::VectorXd>(data.offset.data(), n);
    scale_offset.setZero(n);
  }
  CumulativeLinkModel model(const Data& data) const {
    return {*link, structure, nominal, location, scale, data.category.data(), weight, offset, scale_offset};
  }
};

void fit_with_link(const Data& data, ByteSource& source) {
  const LinkParts parts(data, source, data.x.cols());
  const CumulativeLinkModel model = parts.model(data);
  const Index m = model.n_thresholds();
  Eigen::VectorXd start = Eigen::VectorXd::Zero(model.n_parameters());
  for (Index j = 0; j < m; ++j) start[j] = static_cast<double>(j) - static_cast<double>(m) / 2;
  PomOptions options;
  const PomResult fit = fit_cumulative_link(model, start, options);
  MUST_HOLD(fit.beta.size() == model.n_parameters());
  if (fit.newton.status == Status::converged && std::isfinite(fit.newton.value)) {
    MUST_HOLD(fit.beta.allFinite() && fit.newton.value <= 1e-9);
    const Eigen::MatrixXd p = interval_probabilities(*parts.link, limits(model, fit.beta));
    MUST_HOLD(p.minCoeff() >= 0 && p.maxCoeff() <= 1 + 1e-9);
    row_gradients(model, fit.beta);
  }
}

void fit_with_effects(const Data& data, ByteSource& source) {
  EffectDesign z;
  const int n_groups = source.between(1, 4);
  z.n_terms = source.between(1, 2);
  for (int k = 0; k < n_groups; ++k) z.term.push_back(k % z.n_terms);
  z.n_terms = std::min(z.n_terms, n_groups);
  z.offset.push_back(0);
  for (Index i = 0; i < data.x.rows(); ++i) {
    const int group = source.between(-1, n_groups - 1);
    if (group >= 0) {
      z.column.push_back(group);
      z.value.push_back(source.yes() ? 1 : 0.5);
    }
    z.offset.push_back(static_cast<std::int32_t>(z.column.size()));
  }
  const LinkParts parts(data, source, 0);
  const CumulativeLinkModel model = parts.model(data);
  const Index m = model.n_thresholds();
  Eigen::VectorXd start = Eigen::VectorXd::Zero(model.n_parameters());
  for (Index j = 0; j < m; ++j) start[j] = static_cast<double>(j) - 1;
  MixedOptions options;
  options.outer.max_iterations = 30;
  options.outer.tolerance = 1e-12;
  const MixedResult fit = fit_mixed(model, z, start, options);
  MUST_HOLD(fit.psi.size() == start.size() + z.n_terms);
  MUST_HOLD(fit.mode.size() == z.n_effects());
  if (fit.status == Status::converged) {
    MUST_HOLD(fit.psi.allFinite() && std::isfinite(fit.log_likelihood));
    check_thresholds(fit.psi.head(m));
    MUST_HOLD(fit.psi.tail(z.n_terms).minCoeff() >= 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  ByteSource source(bytes, size);
  const int what = source.between(0, 3);
  const Data data(source);
  if (!data.has_all_categories()) {
    bool refused = false;
    try {
      fit_pom(data.input(), {});
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    MUST_HOLD(refused);
    return 0;
  }
  if (what == 0) fit_with_link(data, source);
  if (what == 1) fit_with_effects(data, source);
  if (what >= 2) fit_proportional(data, source);
  return 0;
}
