// Altrep.h uses what Rcpp.h declares.
// clang-format off
#include <Rcpp.h>
#include <R_ext/Altrep.h>
// clang-format on

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <unordered_map>

#include "r_convert.h"
#include "r_identifiers.h"

// A vector has, as its first datum, where its elements come from:
// - an external pointer to texts, one per element; or
// - a list of codes from 1 and of the distinct strings, all different;
// and as its second datum the strings that were created so far. Once all were created, or one was
// replaced, the first datum is NULL and the second one is the vector.

namespace judicious {
namespace {

R_altrep_class_t identifiers_class;

bool is_compact(SEXP x) {
  return ALTREP(x) && R_altrep_inherits(x, identifiers_class) && R_altrep_data1(x) != R_NilValue;
}

struct TextSource {
  JoinedTexts texts;
  R_xlen_t n_created = 0;  // one by one
};

TextSource* text_source(SEXP source) { return static_cast<TextSource*>(R_ExternalPtrAddr(source)); }

const JoinedTexts* texts_at(SEXP source) { return &text_source(source)->texts; }

bool has_codes(SEXP source) { return TYPEOF(source) == VECSXP; }

void delete_texts(SEXP source) {
  delete text_source(source);
  R_ClearExternalPtr(source);
}

// The texts of a vector that has them; nullptr for others.
const JoinedTexts* texts_of(SEXP x) {
  if (!is_compact(x) || has_codes(R_altrep_data1(x))) return nullptr;
  return texts_at(R_altrep_data1(x));
}

SEXP string_of(std::string_view text) { return Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_UTF8); }

SEXP coded_element(SEXP source, R_xlen_t i) {
  return STRING_ELT(VECTOR_ELT(source, 1), INTEGER_ELT(VECTOR_ELT(source, 0), i) - 1);
}

R_xlen_t length_of(SEXP x) {
  SEXP source = R_altrep_data1(x);
  if (source == R_NilValue) return XLENGTH(R_altrep_data2(x));
  if (has_codes(source)) return XLENGTH(VECTOR_ELT(source, 0));
  return length(*texts_at(source));
}

// Whether at least half of the texts probably repeat others: some pairs are then equal in a sample
// of a few times as many as the square root of their number.
bool mostly_repeated(const JoinedTexts& texts) {
  const double size = static_cast<double>(texts.size());
  const auto n = static_cast<std::size_t>(std::min(size, 4 * std::sqrt(size)));
  Texts sample;
  std::mt19937_64 random;
  for (std::size_t i = 0; i < n; ++i) sample.push_back(texts[random() % texts.size()]);
  return CodedTexts(JoinedTexts(std::move(sample))).distinct().size() + 24 < n;
}

// If many texts are equal, creates each string once: R takes longer to find a string among all of
// its strings than the core takes to find it among those of the vector.
bool create_distinct(const JoinedTexts& texts, SEXP to) {
  try {
    if (!mostly_repeated(texts)) return false;
    const CodedTexts coded(texts);
    const std::vector<std::string_view> distinct = coded.distinct();
    SEXP strings = PROTECT(Rf_allocVector(STRSXP, length(distinct)));
    R_xlen_t i = 0;
    for (const std::string_view text : distinct) SET_STRING_ELT(strings, i++, string_of(text));
    i = 0;
    for (const std::int32_t code : coded.code()) SET_STRING_ELT(to, i++, STRING_ELT(strings, code));
    UNPROTECT(1);
    return true;
  } catch (const std::exception&) {
    return false;  // R, which called this function, would not catch it
  }
}

SEXP created_so_far(SEXP x) {
  if (R_altrep_data2(x) == R_NilValue) R_set_altrep_data2(x, Rf_allocVector(STRSXP, length_of(x)));
  return R_altrep_data2(x);
}

// The vector with all its elements, as an ordinary one.
SEXP created_strings(SEXP x) {
  SEXP source = R_altrep_data1(x);
  if (source == R_NilValue) return R_altrep_data2(x);
  SEXP created = created_so_far(x);
  if (has_codes(source)) {
    for (R_xlen_t i = 0; i < XLENGTH(created); ++i) SET_STRING_ELT(created, i, coded_element(source, i));
  } else if (!create_distinct(*texts_at(source), created)) {
    for (R_xlen_t i = 0; i < XLENGTH(created); ++i) SET_STRING_ELT(created, i, string_of((*texts_at(source))[i]));
  }
  R_set_altrep_data1(x, R_NilValue);
  return created;
}

// An element is kept once it was created, because R's callers do not protect it. No identifier is
// empty, so an empty string stands for one that was not created. Who takes many elements will
// probably take all.
SEXP element(SEXP x, R_xlen_t i) {
  SEXP source = R_altrep_data1(x);
  if (source == R_NilValue) return STRING_ELT(R_altrep_data2(x), i);
  if (has_codes(source)) return coded_element(source, i);
  SEXP created = created_so_far(x);
  if (STRING_ELT(created, i) != R_BlankString) return STRING_ELT(created, i);
  constexpr R_xlen_t few = 1000;
  if (++text_source(source)->n_created > few + XLENGTH(created) / 16) return STRING_ELT(created_strings(x), i);
  SET_STRING_ELT(created, i, string_of((*texts_at(source))[i]));
  return STRING_ELT(created, i);
}

void* data_of(SEXP x, Rboolean) { return const_cast<SEXP*>(STRING_PTR_RO(created_strings(x))); }

const void* data_or_null(SEXP x) {
  return R_altrep_data1(x) == R_NilValue ? STRING_PTR_RO(R_altrep_data2(x)) : nullptr;
}

void set_element(SEXP x, R_xlen_t i, SEXP value) { SET_STRING_ELT(created_strings(x), i, value); }

int has_no_missing(SEXP x) { return R_altrep_data1(x) != R_NilValue; }

SEXP of_codes(SEXP code, SEXP field) {
  SEXP source = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(source, 0, code);
  SET_VECTOR_ELT(source, 1, field);
  SEXP out = R_new_altrep(identifiers_class, source, R_NilValue);
  UNPROTECT(1);
  return out;
}

// The elements at the indices, which stay compact. Nullptr, which means R's own method, if an index
// is missing or beyond the end.
SEXP subset_of(SEXP x, SEXP index, SEXP) {
  if (R_altrep_data1(x) == R_NilValue) return nullptr;
  const bool is_integer = TYPEOF(index) == INTSXP;
  if (!is_integer && TYPEOF(index) != REALSXP) return nullptr;
  const double size = static_cast<double>(length_of(x));
  const R_xlen_t n = XLENGTH(index);
  const auto at = [&](R_xlen_t i) {
    return is_integer ? static_cast<double>(INTEGER_ELT(index, i)) : REAL_ELT(index, i);
  };
  for (R_xlen_t i = 0; i < n; ++i) {
    if (!(at(i) >= 1 && at(i) <= size)) return nullptr;
  }
  SEXP source = R_altrep_data1(x);
  if (has_codes(source)) {
    SEXP code = PROTECT(Rf_allocVector(INTSXP, n));
    SEXP from = VECTOR_ELT(source, 0);
    int* const to = INTEGER(code);
    for (R_xlen_t i = 0; i < n; ++i) to[i] = INTEGER_ELT(from, static_cast<R_xlen_t>(at(i)) - 1);
    SEXP out = of_codes(code, VECTOR_ELT(source, 1));
    UNPROTECT(1);
    return out;
  }
  try {
    Texts some;
    const JoinedTexts& all = *texts_at(source);
    for (R_xlen_t i = 0; i < n; ++i) some.push_back(all[static_cast<std::size_t>(at(i)) - 1]);
    return identifiers_of_texts(JoinedTexts(std::move(some)));
  } catch (const std::exception&) {
    return nullptr;  // R, which called this function, would not catch it
  }
}

// One numbering of the distinct strings of several vectors with codes.
class SharedNumbers {
 public:
  // The number of each string of a vector, from 0, by its code, from 1.
  std::vector<int> of(const Rcpp::CharacterVector& field) {
    std::vector<int> out{-1};
    for (SEXP string : field) {
      const auto found = number_.emplace(string, static_cast<int>(distinct_.size()));
      if (found.second) distinct_.push_back(string);
      out.push_back(found.first->second);
    }
    return out;
  }

  Rcpp::CharacterVector distinct() const { return {distinct_.begin(), distinct_.end()}; }

 private:
  std::unordered_map<SEXP, int> number_;  // R has one object for equal strings
  std::vector<SEXP> distinct_;
};

// c() of vectors with codes.
SEXP join_codes(const Rcpp::List& parts) {
  if (parts.size() == 1) return parts[0];
  R_xlen_t n = 0;
  for (SEXP part : parts) n += length_of(part);
  Rcpp::IntegerVector joined(Rcpp::no_init(n));
  int* to = joined.begin();
  SharedNumbers numbers;
  for (SEXP part : parts) {
    SEXP source = R_altrep_data1(part);
    const std::vector<int> number = numbers.of(VECTOR_ELT(source, 1));
    const int* const code = INTEGER_RO(VECTOR_ELT(source, 0));
    to = std::transform(code, code + length_of(part), to, [&](int own) { return number[own] + 1; });
  }
  return of_codes(joined, numbers.distinct());
}

// Numbers the strings that occur by their first appearance.
Rcpp::List in_order(SEXP code, SEXP id) {
  std::vector<int> renumbered(static_cast<std::size_t>(XLENGTH(id)));
  std::vector<int> first;
  Rcpp::IntegerVector out(Rcpp::no_init(XLENGTH(code)));
  std::transform(INTEGER_RO(code), INTEGER_RO(code) + out.size(), out.begin(), [&](int own) {
    int& number = renumbered[own - 1];
    if (number == 0) {
      first.push_back(own - 1);
      number = static_cast<int>(first.size());
    }
    return number;
  });
  bool all = first.size() == renumbered.size();
  for (std::size_t i = 0; all && i < first.size(); ++i) all = first[i] == static_cast<int>(i);
  if (all) return Rcpp::List::create(Rcpp::_["code"] = out, Rcpp::_["id"] = id);
  const Rcpp::IntegerVector kept(first.begin(), first.end());
  return Rcpp::List::create(Rcpp::_["code"] = out, Rcpp::_["id"] = Rcpp::CharacterVector(id)[kept]);
}

}  // namespace

std::vector<std::string_view> views_of(SEXP x) {
  std::vector<std::string_view> out;
  const JoinedTexts* const texts = texts_of(x);
  const R_xlen_t n = XLENGTH(x);
  out.reserve(n);
  for (R_xlen_t i = 0; i < n; ++i) {
    if (texts != nullptr)
      out.push_back((*texts)[i]);
    else
      out.emplace_back(CHAR(STRING_ELT(x, i)), static_cast<std::size_t>(LENGTH(STRING_ELT(x, i))));
  }
  return out;
}

SEXP identifiers_of_texts(JoinedTexts&& texts) {
  auto kept = std::make_unique<TextSource>(TextSource{std::move(texts)});
  Rcpp::Shield<SEXP> source(R_MakeExternalPtr(kept.get(), R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(source, delete_texts, TRUE);
  kept.release();
  return R_new_altrep(identifiers_class, source, R_NilValue);
}

}  // namespace judicious

using namespace judicious;

// [[Rcpp::init]]
void define_identifiers(DllInfo* dll) {
  identifiers_class = R_make_altstring_class("identifiers", "judicious", dll);
  R_set_altrep_Length_method(identifiers_class, length_of);
  R_set_altvec_Dataptr_method(identifiers_class, data_of);
  R_set_altvec_Dataptr_or_null_method(identifiers_class, data_or_null);
  R_set_altvec_Extract_subset_method(identifiers_class, subset_of);
  R_set_altstring_Elt_method(identifiers_class, element);
  R_set_altstring_Set_elt_method(identifiers_class, set_element);
  R_set_altstring_No_NA_method(identifiers_class, has_no_missing);
}

// A character vector of codes from 1 into distinct strings, none of which is missing or empty.
// [[Rcpp::export(rng = false)]]
SEXP identifiers_cpp(SEXP code, SEXP field) { return of_codes(code, field); }

// Whether the vector is one of a reader, whose identifiers are neither missing nor empty.
// [[Rcpp::export(rng = false)]]
bool are_identifiers_cpp(SEXP x) { return is_compact(x); }

// The codes from 1 and the distinct strings, in order of first appearance, of a vector of a reader;
// NULL for others.
// [[Rcpp::export(rng = false)]]
SEXP coded_identifiers_cpp(SEXP x) {
  if (!is_compact(x)) return R_NilValue;
  SEXP source = R_altrep_data1(x);
  if (has_codes(source)) return in_order(VECTOR_ELT(source, 0), VECTOR_ELT(source, 1));
  const CodedTexts coded(*texts_at(source));
  return Rcpp::List::create(Rcpp::_["code"] = to_r_index(coded.code()),
                            Rcpp::_["id"] = to_r_strings(coded.distinct(), CE_UTF8));
}

// c() of vectors of a reader that are all of one form; NULL for others.
// [[Rcpp::export(rng = false)]]
SEXP join_identifiers_cpp(Rcpp::List parts) {
  R_xlen_t n_with_texts = 0;
  JoinedTexts all;
  for (SEXP part : parts) {
    if (!is_compact(part)) return R_NilValue;
    if (const JoinedTexts* texts = texts_of(part)) {
      ++n_with_texts;
      all.append(*texts);
    }
  }
  if (n_with_texts == 0) return join_codes(parts);
  if (n_with_texts < parts.size()) return R_NilValue;
  return identifiers_of_texts(std::move(all));
}
