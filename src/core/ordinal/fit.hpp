// Fits cumulative-link models of common slopes to matrices.
#pragma once
#include "data.hpp"
#include "likelihood.hpp"
#include "result.hpp"

namespace judicious::ordinal {

PomResult fit_pom(const PomInput& input, const PomOptions& options);

// Fits rows that are only accessible through `pass`, with columns of these centres and scales,
// starting at `at`. It does not check for aliased columns or separation.
PomResult fit_by_passes(const LikelihoodPass& pass, Eigen::VectorXd at,
                        const Eigen::VectorXd& center, const Eigen::VectorXd& scale,
                        const PomOptions& options);

}  // namespace judicious::ordinal
