#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/MergeRows.hpp"
#include "Core/Geometry/RowCursor.hpp"

#include <algorithm>
#include <cstdint>

namespace spanwise::geometry::detail {

/// The union or intersection of two rows with as many intervals each, the k-th of which meet each other and none else,
/// as in neighbouring rows of smooth shapes. Returns nullptr if they are not such rows.
template <SetOperation operation>
Coordinate* mergeAlike(const IntervalRow& a, const IntervalRow& b, Coordinate* out) {
  constexpr bool isUnion = operation == SetOperation::Union;
  std::int64_t before = std::int64_t{minCoordinate} - 1; // the end of what has been merged
  bool alike = true;
  for (std::int64_t i = 0; i < a.size(); i += 2) {
    const Coordinate firstBegin = std::min(a.endpoint(i), b.endpoint(i));
    const Coordinate lastBegin = std::max(a.endpoint(i), b.endpoint(i));
    const Coordinate firstEnd = std::min(a.endpoint(i + 1), b.endpoint(i + 1));
    const Coordinate lastEnd = std::max(a.endpoint(i + 1), b.endpoint(i + 1));
    alike = alike && firstBegin > before && lastBegin < firstEnd;
    before = lastEnd;
    out[i] = isUnion ? firstBegin : lastBegin;
    out[i + 1] = isUnion ? lastEnd : firstEnd;
  }
  return alike ? out + a.size() : nullptr;
}

inline Coordinate* copyInto(const IntervalRow& row, Coordinate* out) {
  for (std::int64_t i = 0; i < row.size(); ++i) {
    *out++ = row.endpoint(i);
  }
  return out;
}

/// The result of an operation on two rows with one or two intervals each, none of which meets or touches one of the
/// other row, as in thin shells. Returns nullptr if they are not such rows. Takes half the time of a merge there, whose
/// order nobody foresees.
inline Coordinate* mergeApart(unsigned truthTable, const IntervalRow& a, const IntervalRow& b, Coordinate* out) {
  // An interval is a number of which the upper half is its begin, the lower its end. What is missing comes last.
  constexpr std::int64_t upper = std::int64_t{1} << 32;
  const auto numberOf = [](const IntervalRow& row, std::int64_t k) {
    return 2 * k < row.size() ? row.endpoint(2 * k) * upper + (row.endpoint(2 * k + 1) - std::int64_t{minCoordinate})
                              : maxIntervalEnd * upper;
  };
  const auto beginOf = [](std::int64_t number) { return static_cast<Coordinate>(number >> 32); };
  const auto endOf = [](
                       std::int64_t number) { return static_cast<Coordinate>((number & (upper - 1)) + minCoordinate); };
  std::int64_t sorted[4] = {numberOf(a, 0), numberOf(a, 1), numberOf(b, 1), numberOf(b, 0)};
  const auto order = [&](int low, int high) {
    const std::int64_t first = std::min(sorted[low], sorted[high]);
    sorted[high] = std::max(sorted[low], sorted[high]);
    sorted[low] = first;
  };
  order(0, 2); // a bitonic merge
  order(1, 3);
  order(0, 1);
  order(2, 3);
  if (endOf(sorted[0]) >= beginOf(sorted[1]) || endOf(sorted[1]) >= beginOf(sorted[2]) ||
    endOf(sorted[2]) >= beginOf(sorted[3])) {
    return nullptr;
  }
  const bool ofA = holds(truthTable, 1, 0) != 0;
  const bool ofB = holds(truthTable, 0, 1) != 0;
  if (!ofA || !ofB) {
    return ofA ? copyInto(a, out) : ofB ? copyInto(b, out) : out;
  }
  for (std::int64_t k = 0; 2 * k < a.size() + b.size(); ++k) {
    *out++ = beginOf(sorted[k]);
    *out++ = endOf(sorted[k]);
  }
  return out;
}

/// Writes the union or intersection of two rows and returns where it ends. May write one endpoint more.
template <SetOperation operation>
Coordinate* mergeInto(const IntervalRow& a, const IntervalRow& b, Coordinate* out) {
  constexpr std::int64_t fewEndpoints = 8;
  if (a.size() == b.size() && a.size() <= fewEndpoints) {
    if (Coordinate* const end = mergeAlike<operation>(a, b, out)) {
      return end;
    }
  }
  EndpointWriter writer(out);
  mergeRows(static_cast<unsigned>(operation), a.cursor(), b.cursor(), writer);
  return writer.end();
}

} // namespace spanwise::geometry::detail
