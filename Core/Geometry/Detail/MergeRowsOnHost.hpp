#pragma once

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/MergeRows.hpp"
#include "Core/Geometry/RowCursor.hpp"

#include <algorithm>

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

inline Coordinate* copyInto(const IntervalRow& row, Coordinate* out) {
  for (std::int64_t i = 0; i < row.size(); ++i) {
    *out++ = row.endpoint(i);
  }
  return out;
}

} // namespace spanwise::geometry::detail
