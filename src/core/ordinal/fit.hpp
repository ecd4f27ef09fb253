// Fits cumulative-link models.
#pragma once
#include <optional>

#include "cumulative_link.hpp"
#include "data.hpp"
#include "likelihood.hpp"
#include "result.hpp"
#include "sparse_data.hpp"

namespace judicious::ordinal {

// Models with flexible thresholds and common slopes of such rows.
PlainParts plain_parts(const PomData& data);

// Flexible thresholds and common slopes.
PomResult fit_pom(const PomInput& input, const PomOptions& options);

// The same for sparse columns. Returns nothing for bias reduction, and if only a dense
// decomposition can decide which columns are explained by others.
std::optional<PomResult> fit_sparse(const SparseInput& input, const PomOptions& options);

// Fits rows that are only accessible through `pass`, with columns of these centres and scales,
// starting at `at`. It does not check for aliased columns or separation. The first
// at.size() - scale.size() parameters are increasing thresholds. `penalty` holds the weights of the
// parameters; empty, options.penalty is that of all slopes.
PomResult fit_by_passes(const LikelihoodPass& pass, Eigen::VectorXd at, const Eigen::VectorXd& center,
                        const Eigen::VectorXd& scale, const PomOptions& options, const Eigen::VectorXd& penalty = {});

// Any model, without checks and from the given start. `beta` of the result holds all parameters,
// and the information is that of all. `penalty` as above.
PomResult fit_cumulative_link(const CumulativeLinkModel& model, Eigen::VectorXd start, const PomOptions& options,
                              const Eigen::VectorXd& penalty = {});

}  // namespace judicious::ordinal
