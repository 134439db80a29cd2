#ifndef SpanwiseBlocks_h
#define SpanwiseBlocks_h

// A hierarchy as blocks of an AMR hierarchy. Internal to this library.

#include "SpanwiseHierarchy.h"
#include "SpanwiseRankGroup.h"

class vtkOverlappingAMR;

namespace spanwise {

/// Collective. Fills `output` with this rank's blocks, and with the places of the blocks of all ranks. Throws
/// InvalidArgument if the domain has more than 2^31 - 1 cells of the finest level along an axis.
template <int Dim>
void makeBlocks(const RankGroup& group, const Hierarchy<Dim>& hierarchy, vtkOverlappingAMR* output);

} // namespace spanwise

#endif
