#ifndef SpanwiseMeshMove_h
#define SpanwiseMeshMove_h

// Cells of unstructured grids that go to other ranks. Not wrapped.

#include "SpanwiseInputMesh.h"

#include <cstdint>
#include <vector>

class vtkUnstructuredGrid;

namespace spanwise {

class RankGroup;

/// Collective. Gives each rank the elements that are dealt to it, as `output`, with their points and the arrays of both
/// that all pieces have which send some. Element e of `mesh`, which is elementsOf(input), goes to rank ranks[e]; point
/// v of the input has the number numbers[v], the same on all ranks that have the point: a rank gets it once. Points
/// ascend by their numbers, cells by the ranks that they come from and their order there. Cells that are no elements,
/// points without elements, and vtkGhostType are left out; the field data are those of the rank's own input.
/// `input` may be null on some ranks. O(ranks (points + cells) + points log points), and a message for each pair of
/// ranks.
void moveElements(const RankGroup& group, vtkUnstructuredGrid* input, const InputMesh& mesh,
  const std::vector<std::int32_t>& ranks, const std::vector<std::int64_t>& numbers, vtkUnstructuredGrid* output);

} // namespace spanwise

#endif
