#ifndef SpanwiseVdbGrids_h
#define SpanwiseVdbGrids_h

// Datasets as grids of a .vdb file. Not wrapped.

#include "SpanwiseRankGroup.h"

#include "Readers/OpenVdb/WriteVdb.hpp"

#include "Core/Runtime/Progress.hpp"

#include <vtkDataArray.h>
#include <vtkSmartPointer.h>

#include <string>
#include <vector>

class vtkDataObject;

namespace spanwise {

/// The grids that a data object becomes, on rank 0 alone.
struct VdbGrids {
  std::vector<vdb::GridToWrite> grids;
  std::vector<vtkSmartPointer<vtkDataArray>> values; ///< which the grids point to
  std::vector<std::string> remarks;                  ///< what was left out, one sentence each
};

/// Collective. The cells and arrays of a dataset, or of all in a collection, brought to rank 0: see
/// vtkSpanwiseOpenVDBWriter. `levelSet`: the array that is written as a level set; may be empty. Throws InvalidArgument
/// where cells are not axis-aligned and of one size, or the data are of another kind.
VdbGrids vdbGridsOf(
  const RankGroup& group, vtkDataObject* data, const std::string& levelSet, const Progress& progress = {});

} // namespace spanwise

#endif
