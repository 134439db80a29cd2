#ifndef SpanwiseSamples_h
#define SpanwiseSamples_h

// The values of a hierarchy at points. Internal to this library.

#include "SpanwiseHierarchy.h"
#include "SpanwiseRankGroup.h"

#include "Core/Multilevel/Sampling.hpp"

#include <vector>

class vtkDataSetAttributes;

namespace spanwise {

/// Collective. Adds to `to` what a hierarchy has at this rank's points: each array of numbers of its leaves, and
/// "Level", the level of the leaf (-1 where there is none), unless leaves have an array of that name which says
/// something else. A point on a face belongs to the leaf on the upper side if there is one. Where there is no leaf,
/// floating-point numbers are NaN and others 0. Only floating-point numbers are interpolated. Points may lie anywhere:
/// they travel to the rank that has the planes of level 0 around them, and their values back. Throws InvalidArgument
/// for more than maxNumLevels levels.
template <int Dim>
void samplePoints(const RankGroup& group, const Hierarchy<Dim>& hierarchy, multilevel::Sampling sampling,
  const std::vector<multilevel::Position<Dim>>& points, vtkDataSetAttributes* to);

} // namespace spanwise

#endif
