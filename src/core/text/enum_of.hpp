// Conversion of names to enumerators. Every enumeration whose values callers name has one table of Named entries; a
// name that is not in the table throws an exception.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace judicious {

template <typename T>
struct Named {
  const char* name;
  T value;
};

// The value with this name. `what` describes the choice in the error message.
template <typename T, std::size_t N>
T enum_of(std::string_view name, const Named<T> (&table)[N], const char* what) {
  std::string known;
  for (const Named<T>& entry : table) {
    if (name == entry.name) return entry.value;
    known += (known.empty() ? "\"" : ", \"") + std::string(entry.name) + "\"";
  }
  throw std::invalid_argument("Unknown " + std::string(what) + " \"" + std::string(name) + "\": use one of " + known +
                              ".");
}

// The name of a value; throws std::logic_error if the table has no entry for it.
template <typename T, std::size_t N>
const char* name_of(T value, const Named<T> (&table)[N]) {
  for (const Named<T>& entry : table) {
    if (value == entry.value) return entry.name;
  }
  throw std::logic_error("A value has no entry in its table of names.");
}

}  // namespace judicious
