#pragma once

// Fields of tests: from lists of values and back, and random ones.

#include "Core/Field/Copy.hpp"
#include "Core/Field/Field.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace spanwise::testing {

/// The types that fields may have.
using FieldTypes = ::testing::Types<float, double, std::int32_t, std::int64_t, std::uint8_t>;

/// The values of each component.
template <class T>
using ValueLists = std::vector<std::vector<T>>;

template <class T>
HostField<T> hostField(const std::string& name, const ValueLists<T>& values) {
  HostField<T> field(name, static_cast<std::int64_t>(values.front().size()), static_cast<int>(values.size()));
  for (std::size_t c = 0; c < values.size(); ++c) {
    std::copy(values[c].begin(), values[c].end(), field.view().address(0, static_cast<int>(c)));
  }
  return field;
}

template <class Space, class T>
FieldOn<T, Space> fieldOn(const std::string& name, const ValueLists<T>& values) {
  FieldOn<T, Space> field;
  copy(hostField(name, values), field);
  return field;
}

template <class T, class MemorySpace>
ValueLists<T> valuesOf(const Field<T, MemorySpace>& field) {
  HostField<T> host;
  copy(field, host);
  ValueLists<T> values(static_cast<std::size_t>(host.numComponents()));
  for (std::size_t c = 0; c < values.size(); ++c) {
    const T* const first = host.view().address(0, static_cast<int>(c));
    values[c].assign(first, first + host.numCells());
  }
  return values;
}

/// Whole numbers in [-9, 9], or [0, 9] where they cannot be negative: sums and products of some are exact in any type.
template <class T>
ValueLists<T> randomValues(std::mt19937& random, std::size_t numCells, int numComponents) {
  std::uniform_int_distribution<int> digit(std::is_unsigned_v<T> ? 0 : -9, 9);
  ValueLists<T> values(static_cast<std::size_t>(numComponents), std::vector<T>(numCells));
  for (std::vector<T>& list : values) {
    for (T& value : list) {
      value = static_cast<T>(digit(random));
    }
  }
  return values;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace spanwise::testing
