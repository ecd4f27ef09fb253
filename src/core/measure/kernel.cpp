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
    : spec_(std::move(spec)), kernel_(find_kernel(spec_.name)), discount_(spec_) {}

QueryFacts MeasureKernel::facts(const Judged& judged) const {
  QueryFacts out;
  out.details = judged.details;
  out.query = judged.query;
  for (const std::int32_t level : judged.level) {
    ++(spec_.relevant[level] ? out.relevant : out.nonrelevant);
    if (spec_.gain[level] > 0) out.ideal_gain.push_back(spec_.gain[level]);
  }
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
  return out;
}

ListView MeasureKernel::view(const RankedList& list, const QueryFacts& facts) const {
  ListView view{spec_, discount_, list, facts, spec_.cutoff};
  if (kernel_.depth) view.depth = kernel_.depth(view);
  return view;
}

double MeasureKernel::value(const RankedList& list, const QueryFacts& facts) const {
  const ListView seen = view(list, facts);
  return kernel_.weight ? sum_over_documents(seen) : kernel_.value(seen);
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
