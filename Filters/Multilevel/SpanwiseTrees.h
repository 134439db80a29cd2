#ifndef SpanwiseTrees_h
#define SpanwiseTrees_h

// A hierarchy as trees. Internal to this library.

#include "SpanwiseLeafCover.h"

class vtkHyperTreeGrid;

namespace spanwise {

/// Fills `output` with a tree for each cell of level 0 that is a leaf or has leaves in it. `roots` is the box of level
/// 0 that the grid covers. Throws InvalidArgument if that box has more than 2^24 cells along an axis.
template <int Dim>
void fillTrees(const Hierarchy<Dim>& hierarchy, const CoveringLeaves<Dim>& levels, const geometry::Box<Dim>& roots,
  vtkHyperTreeGrid* output);

} // namespace spanwise

#endif
