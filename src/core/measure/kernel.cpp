#include "measure/kernel.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

namespace judicious {
namespace {

const std::vector<Kernel>& all_kernels() {
  static const std::vector<Kernel> all = [] {
    std::vector<Kernel> out;
    for (const auto table : {sum_kernels, set_kernels, rank_kernels, preference_kernels, graded_kernels, user_kernels,
                             sampled_kernels, subtopic_kernels})
      out.insert(out.end(), table().begin(), table().end());
    return out;
  }();
  return all;
}

const Kernel& find_kernel(const std::string& name) {
  for (const Kernel& kernel : all_kernels()) {
    if (kernel.name == name) return kernel;
  }
  throw std::invalid_argument("no measure has the name " + name);
}

}  // namespace

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const Kernel& kernel : all_kernels()) names.emplace_back(kernel.name);
  return names;
}

MeasureKernel::MeasureKernel(MeasureSpec spec)
    : spec_(std::move(spec)), kernel_(find_kernel(spec_.name)), discount_(spec_), gain_{0}, relevant_{0} {
  gain_.insert(gain_.end(), spec_.gain.begin(), spec_.gain.end());
  relevant_.insert(relevant_.end(), spec_.relevant.begin(), spec_.relevant.end());
}

QueryFacts MeasureKernel::facts(const Judged& judged) const {
  QueryFacts out;
  set_facts(judged, out);
  return out;
}

void MeasureKernel::set_facts(const Judged& judged, QueryFacts& out) const {
  out.details = judged.details;
  out.query = judged.query;
  out.relevant = out.nonrelevant = 0;
  out.ideal = out.total = 0;
  for (auto* numbers : {&out.ideal_gain, &out.ideal_at, &out.scale, &out.pair_scale}) numbers->clear();
  out.first_rank.clear();
  for (const std::int32_t level : judged.level) {
    ++(spec_.relevant[level] ? out.relevant : out.nonrelevant);
    if (spec_.gain[level] > 0) out.ideal_gain.push_back(spec_.gain[level]);
  }
  if (!std::is_sorted(out.ideal_gain.begin(), out.ideal_gain.end(), std::greater<double>()))
    std::sort(out.ideal_gain.begin(), out.ideal_gain.end(), std::greater<double>());
  if (spec_.ideal_is_maximum) out.ideal_gain.assign(spec_.cutoff, spec_.max_gain);
  double sum = 0;
  int rank = 0;
  for (const double gain : out.ideal_gain) {
    sum += discount_.apply(gain, ++rank);
    out.ideal_at.push_back(sum);
    if (rank <= spec_.cutoff) out.ideal = sum;
  }
  if (kernel_.prepare) kernel_.prepare(spec_, judged, out);
}

ListView MeasureKernel::view(const RankedList& list, const QueryFacts& facts) const {
  ListView view{spec_, discount_, list, facts, spec_.cutoff};
  if (kernel_.depth) view.depth = kernel_.depth(view);
  return view;
}

double MeasureKernel::value(const RankedList& list, const QueryFacts& facts) const {
  const ListView list_view = view(list, facts);
  return kernel_.weight ? sum_over_documents(list_view) : kernel_.value(list_view);
}

const double* MeasureKernel::weights_at(std::size_t rank) {
  const QueryFacts none;
  const ListView list_view{spec_, discount_, list_, none, spec_.cutoff};
  while (weight_.size() < rank) {
    const auto next = static_cast<std::int32_t>(weight_.size()) + 1;
    std::vector<double>& weight = weight_.emplace_back();
    for (std::int32_t level = -1; level < static_cast<std::int32_t>(spec_.gain.size()); ++level)
      weight.push_back(kernel_.weight(list_view, {next, level, next, next}, next));
  }
  return weight_[rank - 1].data() + 1;
}

void MeasureKernel::values(const DrawnList& list, double* out) {
  list_.item.clear();
  list_.retrieved = static_cast<std::int32_t>(list.level.size());
  const int depth = std::min(spec_.cutoff, list_.retrieved);
  std::fill(out, out + list.draws, 0.0);
  if (kernel_.by_level) {
    for (int r = 0; r < depth; ++r) {
      const double* weight = weights_at(r + 1);
      for (int t = 0; t < list.draws; ++t) out[t] += weight[list.level[r][t]];
    }
    for (int t = 0; t < list.draws; ++t) {
      const double scale = kernel_.scale ? kernel_.scale(view(list_, list.facts[t])) : 1;
      out[t] = scale > 0 ? out[t] / scale : std::numeric_limits<double>::quiet_NaN();
    }
  } else if (kernel_.in_draws) {
    kernel_.in_draws(list, depth, gain_.data() + 1, relevant_.data() + 1, out);
  } else {
    for (std::int32_t rank = 1; rank <= list_.retrieved; ++rank) list_.item.push_back({rank, 0, rank, rank});
    for (int t = 0; t < list.draws; ++t) {
      for (std::size_t r = 0; r < list.level.size(); ++r) list_.item[r].level = list.level[r][t];
      out[t] = value(list_, list.facts[t]);
    }
  }
}

double MeasureKernel::sum_over_documents(const ListView& view) const {
  const double scale = kernel_.scale ? kernel_.scale(view) : 1;
  if (!(scale > 0)) return std::numeric_limits<double>::quiet_NaN();
  double sum = kernel_.start ? kernel_.start(view) : 0;
  for (const ListItem& item : view.list.item) {
    double group = 0;
    for (std::int32_t rank = item.first; rank <= std::min(item.last, view.depth); ++rank)
      group += kernel_.weight(view, item, rank);
    sum += item.first == item.last ? group : group / (item.last - item.first + 1);
  }
  return sum / scale;
}

}  // namespace judicious
