#ifndef SpanwiseMeshArrival_h
#define SpanwiseMeshArrival_h

// Arrival times at the points of a mesh. Not wrapped and not installed.

#include "SpanwiseArrivalProblem.h"
#include "SpanwiseArrivalSettings.h"

#include "Core/Runtime/Progress.hpp"

#include <cstdint>
#include <vector>

class vtkDataSet;

namespace spanwise {

/// Collective. Where fronts start in a mesh, which may be null or empty on some ranks.
FrontSources sourcesInMesh(
  const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* mesh, vtkDataSet* second);

/// Leaves of which a mesh was made, where it closes on itself, and the solution at the leaves.
struct LeafSolution {
  std::vector<std::int64_t> leafOfCell; ///< [cells] ascending: the leaf that a cell is in
  std::vector<std::int64_t> firsts{0};  ///< [levels + 1] the number of each level's first leaf
  std::vector<std::int32_t> seamPairs;  ///< 2 a pair, of joinSeam()
  double periods[3] = {};               ///< of the seam

  // What came out; empty without cells.
  std::int64_t numReached = 0;
  std::vector<vtkSmartPointer<vtkDataArray>> times;     ///< [levels], eikonal::timesAtCentres()
  std::vector<std::int64_t> nearest;                    ///< [leaves], the numbers of sources, if they are asked for
  std::vector<vtkSmartPointer<vtkDataArray>> gradients; ///< [levels], if they are asked for
  ArrivalProblemPointer problem = {};                   ///< of the mesh
};

/// Where a solution goes: to a mesh, or to the leaves that it was made of.
struct MeshSolution {
  vtkDataSet* output;
  LeafSolution* leaves = nullptr;
};

/// Collective. output = input with point arrays, and the cell array Gradient; or what leaves get of that. Sources are
/// those of sourcesInMesh(), and there are cells on some rank.
ArrivalSummary solveFrom(const RankGroup& group, const ArrivalSettings& settings, FrontSources sources,
  vtkDataSet* input, const Progress& progress, const MeshSolution& to);

/// Collective. output = input with point arrays, and the cell array Gradient. `second` is null on ranks without a
/// second input. The mesh may be in pieces on several ranks.
ArrivalSummary solveOnMesh(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* input,
  vtkDataSet* second, const Progress& progress, vtkDataSet* output);

} // namespace spanwise

#endif
