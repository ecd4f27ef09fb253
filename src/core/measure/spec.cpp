#include "measure/spec.hpp"

#include <stdexcept>
#include <utility>

namespace judicious {

MeasureKind measure_kind(const std::string& name) {
  using K = MeasureKind;
  static const std::vector<std::pair<std::string, K>> names{
      {"cg", K::cumulated_gain},
      {"ag", K::average_gain},
      {"dcg", K::dcg},
      {"ndcg", K::ndcg},
      {"ideal_dcg", K::ideal_dcg},
      {"andcg", K::andcg},
      {"adr", K::adr},
      {"p", K::precision},
      {"recall", K::recall},
      {"f", K::f_beta},
      {"relative_p", K::relative_precision},
      {"set_ap", K::set_ap},
      {"success", K::success},
      {"ap", K::average_precision},
      {"rr", K::reciprocal_rank},
      {"rprec", K::r_precision},
      {"bep", K::break_even},
      {"fmax", K::maximal_f},
      {"iprec", K::interpolated_precision},
      {"auc", K::auc},
      {"bpref", K::bpref},
      {"infap", K::inferred_ap},
      {"rbp", K::rbp},
      {"rbp_residual", K::rbp_residual},
      {"err", K::err},
      {"judged", K::judged},
      {"unjudged", K::unjudged},
      {"n_ret", K::n_retrieved},
      {"n_rel", K::n_relevant},
      {"n_rel_ret", K::n_relevant_retrieved},
      {"n_nonrel_judged", K::n_nonrelevant_judged},
      {"utility", K::utility},
      {"yaap", K::yaap},
      {"bing", K::binary_g},
      {"g", K::normalized_g},
      {"ndcg_rel", K::ndcg_at_relevant},
      {"rndcg", K::ndcg_at_levels}};
  for (const auto& entry : names) {
    if (entry.first == name) return entry.second;
  }
  throw std::invalid_argument("no measure of the kind " + name);
}

}  // namespace judicious
