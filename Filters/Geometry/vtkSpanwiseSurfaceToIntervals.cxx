#include "vtkSpanwiseSurfaceToIntervals.h"

#include "SpanwiseBridge.h"
#include "SpanwiseLattice.h"
#include "SpanwisePolyDataInput.h"
#include "SpanwiseRankCells.h"

#include <vtkBoundingBox.h>
#include <vtkInformation.h>
#include <vtkObjectFactory.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseSurfaceToIntervals);

void vtkSpanwiseSurfaceToIntervals::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "MergeTolerance: " << this->MergeTolerance << "\n";
}

int vtkSpanwiseSurfaceToIntervals::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPolyData");
  return 1;
}

void vtkSpanwiseSurfaceToIntervals::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  vtkPolyData* input = vtkPolyData::GetData(inputs[0], 0);
  TriangleList triangles;
  group.agree([&] { triangles = trianglesOf(input); });
  gatherFromAll(group, triangles);
  GridPlacement placement;
  RankCells<3> cells;
  group.agree([&] {
    if (triangles.triangles.empty()) {
      return; // nothing, and nowhere
    }
    double bounds[6];
    boundsOf(triangles, bounds);
    placement = this->MakePlacement(bounds, 3);
    const PlaneRange planes = planesOf(cellsWithin<3>(placement, bounds));
    const double diagonal = vtkBoundingBox(bounds).GetDiagonalLength();
    cells.set = cellsInside(triangles, this->MergeTolerance * diagonal, latticeOf<3>(placement),
      equalShare(planes, group.rank(), group.size()), progressOf(this).part(0.0, 0.9));
  });
  const PlaneRange owned = distribute(group, cells);
  group.agree([&] { setCells(output, cells, placement, owned); });
  if (input != nullptr) {
    output->GetFieldData()->PassData(input->GetFieldData());
  }
}
