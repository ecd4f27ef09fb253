// Converts cumulative-link models from R.
#pragma once
#include <string>
#include <vector>

#include "ordinal/cumulative_link.hpp"
#include "r_ordinal.h"

namespace judicious::ordinal {

// The core's view of a model, and R's matrices, which it keeps alive. `location` is a matrix, or a list of the slots of
// compressed columns.
class ModelArguments {
 public:
  explicit ModelArguments(const Rcpp::List& x)
      : structure_(Rcpp::as<Rcpp::NumericMatrix>(x["structure"])),
        nominal_(Rcpp::as<Rcpp::NumericMatrix>(x["nominal"])),
        scale_(Rcpp::as<Rcpp::NumericMatrix>(x["scale"])),
        weight_(Rcpp::as<Rcpp::NumericVector>(x["weights"])),
        offset_(Rcpp::as<Rcpp::NumericVector>(x["offset"])),
        scale_offset_(Rcpp::as<Rcpp::NumericVector>(x["scale_offset"])),
        category_(from_r_index(Rcpp::as<Rcpp::IntegerVector>(x["y"]))),
        link_(link_named(Rcpp::as<std::string>(x["link"]))) {
    const Rcpp::RObject location = x["location"];
    is_sparse_ = !Rf_isMatrix(location);
    if (is_sparse_) {
      sparse_ = from_r_sparse(Rcpp::List(location), nominal_.nrow());
      location_ = Rcpp::NumericMatrix(nominal_.nrow(), 0);
    } else {
      location_ = Rcpp::as<Rcpp::NumericMatrix>(location);
    }
  }

  CumulativeLinkModel model() const {
    return {*link_,
            from_r_matrix(structure_),
            from_r_matrix(nominal_),
            from_r_matrix(location_),
            from_r_matrix(scale_),
            category_.data(),
            from_r_vector(weight_),
            from_r_vector(offset_),
            from_r_vector(scale_offset_),
            is_sparse_ ? &sparse_ : nullptr};
  }
  bool is_sparse() const { return is_sparse_; }

 private:
  Rcpp::NumericMatrix structure_, nominal_, location_, scale_;
  Rcpp::NumericVector weight_, offset_, scale_offset_;
  std::vector<std::int32_t> category_;
  LinkPointer link_;
  SparseRows sparse_;
  bool is_sparse_ = false;
};

}  // namespace judicious::ordinal
