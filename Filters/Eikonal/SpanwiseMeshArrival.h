#ifndef SpanwiseMeshArrival_h
#define SpanwiseMeshArrival_h

// Arrival times at the points of a mesh. Not wrapped and not installed.

#include "SpanwiseArrivalSettings.h"

#include "Core/Runtime/Progress.hpp"

#include <cstdint>
#include <vector>

class vtkDataSet;

namespace spanwise {

/// Collective. Where fronts start in a mesh, which may be null or empty on some ranks.
FrontSources sourcesInMesh(
  const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* mesh, vtkDataSet* second);

/// Leaves of which a mesh was made, where it closes on itself, and the times at their centres.
struct LeafTimes {
  std::vector<std::int64_t> leafOfCell; ///< [cells] ascending: the leaf that a cell is in
  std::int64_t numLeaves = 0;
  std::vector<std::int32_t> seamPairs; ///< 2 a pair, of joinSeam()
  double periods[3] = {};              ///< of the seam
  std::vector<double> times;           ///< [leaves], of the solution (eikonal::timesAtCentres()); empty without cells
};

/// Where a solution goes.
struct MeshSolution {
  vtkDataSet* output;
  LeafTimes* leaves = nullptr; ///< null: the mesh was made of none
};

/// Collective. output = input with point arrays, and the cell array Gradient. Sources are those of sourcesInMesh(), and
/// there are cells on some rank. Gives the leaves their times, if there are any.
ArrivalSummary solveFrom(const RankGroup& group, const ArrivalSettings& settings, FrontSources sources,
  vtkDataSet* input, const Progress& progress, const MeshSolution& to);

/// Collective. output = input with point arrays, and the cell array Gradient. `second` is null on ranks without a
/// second input. The mesh may be in pieces on several ranks.
ArrivalSummary solveOnMesh(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* input,
  vtkDataSet* second, const Progress& progress, vtkDataSet* output);

} // namespace spanwise

#endif
