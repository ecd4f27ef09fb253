// Conversion of cumulative-link models.
#pragma once
#include <string>
#include <vector>

#include "ordinal/cumulative_link.hpp"
#include "r_ordinal.h"

namespace judicious::ordinal {

// Keeps R's matrices alive as long as the core's view of them.
struct ModelArguments {
  explicit ModelArguments(const Rcpp::List& x)
      : structure(Rcpp::as<Rcpp::NumericMatrix>(x["structure"])),
        nominal(Rcpp::as<Rcpp::NumericMatrix>(x["nominal"])),
        location(Rcpp::as<Rcpp::NumericMatrix>(x["location"])),
        scale(Rcpp::as<Rcpp::NumericMatrix>(x["scale"])),
        weight(Rcpp::as<Rcpp::NumericVector>(x["weights"])),
        offset(Rcpp::as<Rcpp::NumericVector>(x["offset"])),
        scale_offset(Rcpp::as<Rcpp::NumericVector>(x["scale_offset"])),
        category(from_r_index(Rcpp::as<Rcpp::IntegerVector>(x["y"]))),
        link(link_named(Rcpp::as<std::string>(x["link"]))) {}

  CumulativeLinkModel model() const {
    return {*link,
            from_r_matrix(structure),
            from_r_matrix(nominal),
            from_r_matrix(location),
            from_r_matrix(scale),
            category.data(),
            from_r_vector(weight),
            from_r_vector(offset),
            from_r_vector(scale_offset)};
  }

  Rcpp::NumericMatrix structure, nominal, location, scale;
  Rcpp::NumericVector weight, offset, scale_offset;
  std::vector<std::int32_t> category;
  const LinkPointer link;
};

}  // namespace judicious::ordinal
