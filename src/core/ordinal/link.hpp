// Links: the distributions F in P(Y <= j) = F(theta_j - eta).
//
// To add a link, derive a class from Link, or from SymmetricLink if F(-x) = 1 - F(x), and add one
// entry to the table at the end of link.cpp. The R code asks for the names, and
// tests/cpp/test_link.cpp checks every entry of the table.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

namespace judicious::ordinal {

// Probabilities are also given as logarithms, so that ratios such as f(x) / (F(b) - F(a)) keep
// their precision far in the tails.
class Link {
 public:
  virtual ~Link() = default;

  virtual double cdf(double x) const = 0;       // F(x)
  virtual double survival(double x) const = 0;  // 1 - F(x)
  virtual double log_cdf(double x) const = 0;
  virtual double log_survival(double x) const = 0;
  virtual double log_density(double x) const = 0;
  virtual double density_slope(double x) const = 0;  // f'(x) / f(x)
  // x with F(x) = p, and x with 1 - F(x) = p.
  virtual double quantile(double p) const = 0;
  virtual double upper_quantile(double p) const = 0;
  // The mean of the distribution; 0, its centre, if the mean does not exist.
  virtual double mean() const = 0;

  // log(F(b) - F(a)) for a < b; either may be infinite. Uses the nearer tail. For a very short
  // interval, uses the density at its middle, because the difference would lose all precision.
  virtual double log_interval(double a, double b) const;
};

class SymmetricLink : public Link {
 public:
  double survival(double x) const override { return cdf(-x); }
  double log_survival(double x) const override { return log_cdf(-x); }
  double upper_quantile(double p) const override { return -quantile(p); }
  double mean() const override { return 0; }
};

using LinkPointer = std::shared_ptr<const Link>;

// F(x) = 1 - G(-x) for the link G.
LinkPointer mirrored(LinkPointer link);

// The link with this name. A parameter is in parentheses, as in "robit(4)". Throws
// std::invalid_argument for an unknown name, or a value outside the parameter's range.
LinkPointer link_named(std::string_view name);

struct LinkName {
  std::string_view name, parameter;  // the parameter's name, empty if there is none
};

std::vector<LinkName> link_names();

}  // namespace judicious::ordinal
