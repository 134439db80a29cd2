#ifndef SpanwiseContourMesh_h
#define SpanwiseContourMesh_h

// The part of a mesh over levels that contours cross. Internal to this library.

#include "SpanwiseHierarchy.h"
#include "SpanwiseRankGroup.h"

#include "Core/Runtime/Progress.hpp"

#include <string>
#include <vector>

class vtkUnstructuredGrid;

namespace spanwise {

/// Collective. output = what gridOfLevels() makes, without cells that no contour of an array of leaves with one
/// component crosses, for any of these values: few others are left. Throws InvalidArgument where there is no such
/// array.
template <int Dim>
void gridAroundContours(const RankGroup& group, const Hierarchy<Dim>& levels, const std::string& array,
  const std::vector<double>& values, const Progress& progress, vtkUnstructuredGrid* output);

} // namespace spanwise

#endif
