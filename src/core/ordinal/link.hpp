// Links: the distributions F in P(Y <= j) = F(theta_j - eta).
#pragma once
#include <memory>
#include <string_view>
#include <vector>

namespace judicious::ordinal {

// The log likelihoods log P of a block of rows, P = F(b) - F(a), and their derivatives with respect to the limits a < b
// of the rows' levels. This is all that a fit needs to know about a link.
struct RowTerms {
  static constexpr int size = 64;

  alignas(32) double log_prob[size];
  double score_below[size], score_above[size];  // -d log P / d a, d log P / d b
  double score[size];  // score_below - score_above, which may have more correct digits than both
  // -(d2 log P / d a2 + d2 log P / d a d b), and the same for b. Their sum is the curvature with respect to a shift of
  // both limits.
  double below[size], above[size];
  double gap[size];  // d2 log P / d a d b
};

// The probability of the smaller tail at x, which is F(x) for the lower tail and 1 - F(x) for the upper one; the
// density f; and f' / f (`slope`). The tail is NaN if it can only be computed as a logarithm.
struct NearTail {
  double tail, density, slope;
  bool is_lower;
};

// Derivatives with respect to the lower and the upper end of an interval; 0 for an infinite end.
struct Ends {
  double lower = 0, upper = 0;

  double sum() const { return lower + upper; }  // with respect to a shift of both ends
};

// log(F(b) - F(a)) with its derivatives.
struct Interval {
  double log_prob = 0;
  Ends first;
  double shift = 0;  // first.sum(), which may have more correct digits than both
  Ends second;       // of shift
  Ends third;        // of second.sum()
};

// A distribution. Probabilities are also available as logarithms, so that ratios such as f(x) / (F(b) - F(a)) keep
// their precision far in the tails.
class Link {
 public:
  virtual ~Link() = default;

  virtual double cdf(double x) const = 0;       // F(x)
  virtual double survival(double x) const = 0;  // 1 - F(x)
  virtual double log_cdf(double x) const = 0;
  virtual double log_survival(double x) const = 0;
  virtual double log_density(double x) const = 0;
  virtual double density_slope(double x) const = 0;      // (log f)'(x) = f'(x) / f(x)
  virtual double density_curvature(double x) const = 0;  // (log f)''(x)
  // Quantiles: x with F(x) = p, and x with 1 - F(x) = p. By default, the equations are solved numerically.
  virtual double quantile(double p) const;
  virtual double upper_quantile(double p) const;
  // The mean of the distribution; if it has no mean, its centre 0.
  virtual double mean() const = 0;
  virtual double variance() const = 0;  // NaN if it does not exist

  virtual NearTail near_tail(double x) const;

  // log(F(b) - F(a)) for a < b; either may be infinite. It is computed from the smaller tail. For a short interval, the
  // density is integrated, because a difference would lose precision.
  virtual double log_interval(double a, double b) const;

  // log(F(b) - F(a)) with its derivatives.
  virtual Interval interval(double a, double b) const;
  // The terms of a block of rows, without third derivatives; by default from near_tail().
  virtual void rows(const double* a, const double* b, RowTerms& out) const;
  // Whether log f is concave. Every log likelihood with common slopes is then concave, too; others may have several
  // maxima.
  virtual bool is_log_concave() const { return true; }
  virtual bool is_logit() const { return false; }
};

class SymmetricLink : public Link {
 public:
  double survival(double x) const override { return cdf(-x); }
  double log_survival(double x) const override { return log_cdf(-x); }
  double upper_quantile(double p) const override { return -quantile(p); }
  double mean() const override { return 0; }
};

using LinkPointer = std::shared_ptr<const Link>;

// The link with F(x) = 1 - G(-x), where G is the distribution of `link`.
LinkPointer mirrored(LinkPointer link);

// The log-gamma distribution with lambda > 0: F(x) = P(G <= k exp(lambda x)), k = lambda^-2, G gamma distributed with
// shape k (Genter and Farewell 1985). lambda = 1 is the complementary log-log link, lambda to 0 the probit.
LinkPointer log_gamma_link(double lambda);

// Student's t distribution with `df` degrees of freedom, finite.
LinkPointer student_t_link(double df);

// The link with this name in the table at the end of link_table.cpp. A parameter is in parentheses, as in "robit(4)".
// Throws std::invalid_argument for an unknown name, or if the parameter is outside its range.
LinkPointer link_named(std::string_view name);

struct LinkName {
  std::string_view name, parameter;  // the parameter's name, empty if there is none
};
std::vector<LinkName> link_names();

// Implementations of Link::rows() with packs.
void logit_rows(const Link& link, const double* a, const double* b, RowTerms& out);
void probit_rows(const Link& link, const double* a, const double* b, RowTerms& out);
void cloglog_rows(const Link& link, const double* a, const double* b, RowTerms& out);
void cauchit_rows(const Link& link, const double* a, const double* b, RowTerms& out);

}  // namespace judicious::ordinal
