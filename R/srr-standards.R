# How the package meets the rOpenSci standards for statistical software: general (G), regression (RE), probability
# distributions (PD). These are ordinary comments, because roxygen2 warns about unknown tags; to use the roclet of
# package srr, replace "# @" at the beginning of a line by "#' @".

# Documentation
#
# @srrstats {G1.0} ?judicious, the references of each function, and citation("judicious").
# @srrstats {G1.1} ?judicious, "What is new and what is not".
# @srrstats {G1.2} ?judicious, "State of development".
# @srrstats {G1.3} ?judicious, "Terms"; each measure, test and interval is defined in its help.
# @srrstats {G1.4} roxygen2 throughout.
# @srrstats {G1.4a} Partly: internal functions that need more than a line have a block with @noRd, the others a
#   comment; the obvious ones have neither.
# @srrstats {G1.5} vignette("published-method") and the articles recompute the published figures.
# @srrstats {G1.6} bench/report.Rmd measures every claim of speed with the peers beside it.

# Input
#
# @srrstats {G2.0, G2.1, G2.2} R/check.R: each argument is checked for type and length, with an error that names it.
# @srrstats {G2.0a, G2.1a} The @param of each function; ?judicious, "Arguments".
# @srrstats {G2.3, G2.3a} check_choice().
# @srrstats {G2.3b} ?judicious: options that are text must match exactly, including upper and lower case.
# @srrstats {G2.4, G2.4a, G2.4b, G2.4c, G2.4d, G2.4e} id_text() converts identifiers of any type to text,
#   check_weights() and read_judgments() convert to numbers, pom_response() factors, numbers and logicals to codes.
# @srrstats {G2.5} ?pom says what orders the levels; text as a response raises an error that names the remedy.
# @srrstats {G2.6} Vectors are accepted by their type, whatever their class; check_ids(), check_number().
# @srrstats {G2.7, G2.8} check_columns() accepts any data frame; compare_systems() and similar functions also accept
#   matrices of scores.
# @srrstats {G2.9} Messages for dropped levels, intercepts added and aliased columns; warnings for judgments left out.
# @srrstats {G2.10} Columns are extracted with `[[` or `[, j, drop = FALSE]`; tested with a table that never drops.
# @srrstats {G2.11, G2.12} check_ids() rejects list columns with an error that names the column; pom() accepts matrix
#   columns.
# @srrstats {G2.13, G2.15} check_ids(), check_judgments(), check_finite(), complete_for_model() come before any
#   algorithm.
# @srrstats {G2.14, G2.14a, G2.14b, G2.14c} na.action of pom(), fallback of gain_distribution() (an error, NA, or the
#   uniform distribution in its place), the policies of evaluate(), expected_scores() for missing judgments.
# @srrstats {G2.16} check_finite() and check_number() name the row or argument.

# Algorithms and output
#
# @srrstats {G3.0} Partly: comparisons for equality are between values that were copied or given (ties of scores,
#   levels of a scale, variances of exactly 0); computed values are compared with a tolerance (common_step(),
#   pom_control()).
# @srrstats {G3.1, G3.1a} vcov(type = ) has observed, expected, sandwich and clustered covariances; stats::cov() is
#   only applied to the package's own draws.
# @srrstatsNA {G4.0} Files are written to exactly the given path: export_judgments() makes files in the
#   format of trec_eval, for which no suffix is usual.

# Tests
#
# @srrstats {G5.0} mtcars, ordinal::wine and ordinal::soup, MASS::housing, and the public MIREX and TREC collections.
# @srrstats {G5.1} ams_demo is exported; simulate_collection() and simulate_crowd() make the others.
# @srrstats {G5.2, G5.2b} expect_snapshot(error = TRUE) of errors and warnings in the tests of each file.
# @srrstats {G5.2a} Messages name the argument and the calling function; some are shared by several functions on
#   purpose.
# @srrstats {G5.3} test-ordinal-predict.R, test-belief-independent.R: probabilities are finite and add up to 1.
# @srrstats {G5.4, G5.4a, G5.4b, G5.4c} Values are compared with MASS, ordinal, VGAM, rms, sandwich and trec_eval's
#   output; with definitions in slow code, in R and (tests/cpp) in C++; with the figures of the papers.
# @srrstats {G5.5} Every test with draws has a seed.
# @srrstats {G5.6, G5.6a, G5.6b} test-ordinal-mixed.R, test-simulate.R, test-srr-standards.R: parameters are recovered
#   within standard errors, from several seeds.
# @srrstats {G5.7} test-srr-standards.R: estimates approach the truth as rows increase.
# @srrstats {G5.8, G5.8a, G5.8b, G5.8c, G5.8d} test-srr-standards.R, test-collection.R, test-io-runs.R.
# @srrstats {G5.9, G5.9a, G5.9b} test-srr-standards.R, test-ordinal.R (order of rows, units), test-belief-draws.R.
# @srrstats {G5.10, G5.12} JUDICIOUS_DATA switches the tests on real data on; tests/README.md.
# @srrstatsNA {G5.11, G5.11a} The real collections are not ours to distribute; without them the tests are skipped.

# Regression: pom() and pom_mixed()
#
# @srrstats {RE1.0, RE1.1, RE1.2} ?pom: formula, data and what may be in them; the matrix is that of model.matrix(),
#   without the intercept, whose place the thresholds take.
# @srrstats {RE1.3, RE1.3a} Row names are names of fitted values, residuals and predictions; names of columns are
#   those of coefficients. test-srr-standards.R.
# @srrstats {RE1.4} ?proportional_odds_test: the assumption of proportional odds, and what to do
#   without.
# @srrstats {RE2.0} ?pom: levels of the response from factors, logicals and numbers; centring and scaling is internal.
# @srrstats {RE2.1, RE2.2} na.action; predict() gives values for rows whose response is missing.
# @srrstats {RE2.3} offset, and scale() in the formula; estimates do not depend on location and scale of columns
#   (tested).
# @srrstats {RE2.4, RE2.4a, RE2.4b} Aliased columns by name; separation is decided exactly and named.
# @srrstats {RE3.0, RE3.1} Warnings and messages have classes, and `convergence` and `separation` of the fit contain
#   the same information.
# @srrstats {RE3.2, RE3.3} pom_control().
# @srrstats {RE4.0} judicious_pom, judicious_pom_mixed.
# @srrstats {RE4.1} mirex_model() is a model with published coefficients; others are not made without data.
# @srrstats {RE4.2, RE4.3, RE4.4, RE4.5, RE4.6, RE4.7} coef(), confint(), formula(), nobs(), vcov(), `convergence`.
# @srrstats {RE4.8, RE4.9, RE4.10, RE4.11, RE4.13} model.frame(), fitted(), predict(), residuals() of five kinds,
#   fit_statistics(), model.matrix().
# @srrstatsNA {RE4.12} The response is not transformed.
# @srrstatsNA {RE4.14, RE4.15, RE6.3} A prediction outside the range of the data is not a forecast in time; standard
#   errors of expected probabilities are those of marginal_means().
# @srrstats {RE4.16} predict() of mixed models takes new groups, ?predict.judicious_pom_mixed.
# @srrstats {RE4.17, RE4.18} print() and summary().
# @srrstats {RE5.0} ?pom says how time grows with rows and columns; bench/report.Rmd measures it.
# @srrstats {RE6.0, RE6.1, RE6.2} plot.judicious_pom(): fitted probabilities, residuals, coefficients with intervals.
# @srrstats {RE7.0, RE7.0a, RE7.1} test-ordinal.R: aliased columns, separated data.
# @srrstatsNA {RE7.1a} No test depends on time. Separated data take longer, since separation is decided exactly.
# @srrstats {RE7.2, RE7.3, RE7.4} test-ordinal.R, test-ordinal-methods.R, test-srr-standards.R.

# Distributions of gains, of effectiveness, and of answers
#
# @srrstats {PD1.0} The references of pom(), gain_distribution(), rank_systems(), joint_gains(), bradley_terry(); how
#   good the normal approximation is: reproduction-mtc.Rmd (Figure 1) against the exact distribution, and calibration().
# @srrstatsNA {PD1.1} Gains have finitely many levels: a matrix of probabilities is their whole distribution.
# @srrstats {PD3.0} Moments of linear measures and of AP are exact.
#   Draws are for measures without a formula, ?rank_systems.
# @srrstats {PD3.1} `link` of pom() and `ties` of bradley_terry() are arguments; core/ordinal/link.hpp has one class
#   each.
# @srrstats {PD3.2, PD3.3} pom_control() and `convergence` of the fit; roots are found to the tolerances in the code,
#   far below the digits that are shown.
# @srrstats {PD3.4, PD3.5, PD3.5a} Random effects are integrated out by Laplace's approximation, ?pom_mixed;
#   convolutions are sums over finitely many levels, not approximations of integrals.
# @srrstats {PD4.0, PD4.1} test-reproduce-distribution.R, test-belief-independent.R: sums over all assignments, computed
#   in the test.
# @srrstats {PD4.2} test-ordinal-general.R: each link; test-preference-model.R: both models of ties.
# @srrstats {PD4.3, PD4.4} test-ordinal.R, test-ordinal-general.R, test-ordinal-mixed.R: against optim() and other
#   engines; test-ordinal-fit.R and test-srr-standards.R: other tolerances give the same estimates.
