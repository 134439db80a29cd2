#ifndef SpanwiseCombinedMasks_h
#define SpanwiseCombinedMasks_h

// Set algebra of noise. Not wrapped and not installed.

#include "SpanwiseRankCells.h"

#include "Core/Geometry/Algebra.hpp"

#include <vector>

namespace spanwise {

/// out = the operation over the inputs by their masks, if they all are noise without arrays on the host of one process,
/// and so is the result; otherwise returns false and does nothing. `name` is what the report calls it.
template <int Dim>
bool combineAsMasks(const RankGroup& group, const char* name, geometry::SetOperation operation,
  const std::vector<RankCells<Dim>>& inputs, MirroredSet<Dim>& out);

} // namespace spanwise

#endif
