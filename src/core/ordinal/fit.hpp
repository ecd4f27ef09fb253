// Fits cumulative-link models.
#pragma once
#include <optional>

#include "cumulative_link.hpp"
#include "data.hpp"
#include "likelihood.hpp"
#include "result.hpp"
#include "sparse_data.hpp"

namespace judicious::ordinal {

// The parts of a model with flexible thresholds and common slopes for these rows: see PlainParts.
PlainParts plain_parts(const PomData& data);

// Fits a model with flexible thresholds and common slopes.
PomResult fit_pom(const PomInput& input, const PomOptions& options);

// Like fit_pom(), for sparse columns. Returns nothing for bias reduction, and if only a dense decomposition can decide
// which columns are explained by others.
std::optional<PomResult> fit_sparse(const SparseInput& input, const PomOptions& options);

// Fits a model to rows that only `pass` can access, starting at `at`. Columns have these centres and scales; aliased
// columns and separation are not checked. The first at.size() - scale.size() parameters are thresholds, which must
// increase. `penalty` has the weights of the parameters; if it is empty, options.penalty is the weight of all slopes.
PomResult fit_by_passes(const LikelihoodPass& pass, Eigen::VectorXd at, const Eigen::VectorXd& center,
                        const Eigen::VectorXd& scale, const PomOptions& options, const Eigen::VectorXd& penalty = {});

// Fits any model from this start, without checks. In the result, `beta` has all parameters, and the information is that
// of all. `penalty`: see fit_by_passes().
PomResult fit_cumulative_link(const CumulativeLinkModel& model, Eigen::VectorXd start, const PomOptions& options,
                              const Eigen::VectorXd& penalty = {});

}  // namespace judicious::ordinal
