#include <algorithm>
#include <cmath>
#include <memory>

#include "chunk.hpp"
#include "execution/interrupt.hpp"
#include "execution/parallel.hpp"
#include "likelihood.hpp"
#include "logit.hpp"
#include "stats/constants.hpp"

namespace judicious::ordinal {
namespace {

constexpr Eigen::Index chunk_rows = 8192;  // a multiple of tile_rows

void run_baseline(const ChunkInput& in, ChunkScratch& scratch, ChunkSums& out) { run_chunk<Pack2>(in, scratch, out); }

#if JUDICIOUS_HAS_AVX2_PASS
JUDICIOUS_AVX2 void run_avx2(const ChunkInput& in, ChunkScratch& scratch, ChunkSums& out) {
  run_chunk<Pack4>(in, scratch, out);
}
#endif

using ChunkFunction = void (*)(const ChunkInput&, ChunkScratch&, ChunkSums&);

ChunkFunction best_chunk_function() {
#if JUDICIOUS_HAS_AVX2_PASS
  if (has_avx2()) return run_avx2;
#endif
  return run_baseline;
}

// Rows are divided into chunks. The chunks do not depend on the number of threads and are summed in order, so results
// are equal for any number of threads.
class RowPass {
 public:
  RowPass(const PomData& data, const Link& link, int num_threads);
  double add(const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient, BorderedMatrix& information);

 private:
  struct Chunk {
    Eigen::Index from, to;
    int first_category, last_category;
    ChunkSums sums;
  };
  void run(Chunk& chunk) const;

  const PomData& data_;
  const Link& link_;
  int num_threads_;
  std::vector<Chunk> chunks_;
  std::vector<double> beta_, lower_, upper_;
  std::vector<LogitCategory> logit_;
};

RowPass::RowPass(const PomData& data, const Link& link, int num_threads)
    : data_(data), link_(link), num_threads_(num_threads) {
  const Eigen::Index n = data.n_rows();
  const auto p = data.n_slopes();
  int category = 0;
  for (Eigen::Index from = 0; from < n; from += chunk_rows) {
    Chunk chunk;
    chunk.from = from;
    chunk.to = std::min(n, from + chunk_rows);
    while (data.first[category + 1] <= from) ++category;
    chunk.first_category = category;
    while (data.first[category + 1] < chunk.to) ++category;
    chunk.last_category = category;
    chunk.sums.score.resize(p);
    chunk.sums.gram.resize(p * p);
    const auto thresholds = static_cast<std::size_t>(chunk.last_category - chunk.first_category + 2);
    chunk.sums.by_threshold.resize(thresholds * (p + 3));
    chunks_.push_back(std::move(chunk));
  }
  const auto n_categories = data.total.size();
  lower_.resize(n_categories);
  upper_.resize(n_categories);
  if (link.is_logit()) logit_.resize(n_categories);
}

void RowPass::run(Chunk& chunk) const {
  check_interrupt();
  static const ChunkFunction run_chunk_function = best_chunk_function();
  thread_local ChunkScratch scratch;
  const ChunkInput in{data_.x.data(),
                      data_.x.outerStride(),
                      static_cast<int>(data_.n_slopes()),
                      data_.weight.empty() ? nullptr : data_.weight.data(),
                      data_.offset.empty() ? nullptr : data_.offset.data(),
                      data_.first.data(),
                      static_cast<int>(data_.total.size()),
                      beta_.data(),
                      lower_.data(),
                      upper_.data(),
                      chunk.from,
                      chunk.to,
                      chunk.first_category,
                      &link_,
                      logit_.empty() ? nullptr : logit_.data()};
  std::fill(chunk.sums.by_threshold.begin(), chunk.sums.by_threshold.end(), 0.0);
  run_chunk_function(in, scratch, chunk.sums);
}

double RowPass::add(const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient, BorderedMatrix& information) {
  const Eigen::Index m = data_.n_thresholds(), p = data_.n_slopes();
  beta_.assign(parameters.data() + m, parameters.data() + m + p);
  for (Eigen::Index j = 0; j <= m; ++j) {
    lower_[j] = j > 0 ? parameters[j - 1] : -infinity;
    upper_[j] = j < m ? parameters[j] : infinity;
  }
  for (std::size_t j = 0; j < logit_.size(); ++j) {
    const bool both = std::isfinite(lower_[j]) && std::isfinite(upper_[j]);
    const double width = upper_[j] - lower_[j];
    const double middle = both ? lower_[j] + width / 2 : std::isfinite(lower_[j]) ? lower_[j] : upper_[j];
    logit_[j] = {middle, std::exp(lower_[j] - middle), std::exp(middle - upper_[j]), both ? gap_slope(width) : 0,
                 both ? log_one_minus_exp(width) : 0};
  }

  parallel_for(length(chunks_), num_threads_, [&](Index c) { run(chunks_[c]); });

  double value = 0;
  for (const Chunk& chunk : chunks_) {
    const ChunkSums& sums = chunk.sums;
    value += sums.value;
    gradient.tail(p) += Eigen::Map<const Eigen::VectorXd>(sums.score.data(), p);
    const double* threshold_sums = sums.by_threshold.data();
    for (Eigen::Index j = chunk.first_category - 1; j <= chunk.last_category; ++j, threshold_sums += p + 3) {
      if (j < 0 || j >= m) continue;
      gradient[j] += threshold_sums[0];
      information.own[j] += threshold_sums[1];
      if (j + 1 < m) information.link[j] += threshold_sums[p + 2];
      information.border.row(j) -= Eigen::Map<const Eigen::RowVectorXd>(threshold_sums + 2, p);
    }
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    information.slopes += Eigen::Map<const RowMajor>(sums.gram.data(), p, p).triangularView<Eigen::Lower>();
  }
  return value;
}

}  // namespace

PomLikelihood::PomLikelihood(const PomData& data, const Link& link, int num_threads)
    : Likelihood(pass_over_rows(data, link, num_threads), data.n_thresholds(), data.n_slopes()) {}

LikelihoodPass pass_over_rows(const PomData& data, const Link& link, int num_threads) {
  return [rows = std::make_shared<RowPass>(data, link, num_threads)](
             const Eigen::VectorXd& at, Eigen::VectorXd& gradient, BorderedMatrix& information) {
    return rows->add(at, gradient, information);
  };
}

}  // namespace judicious::ordinal
