#include "vtkSpanwiseSignedDistanceToSurface.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseBridge.h"
#include "SpanwiseDistanceChoices.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseLattice.h"
#include "SpanwisePolyDataInput.h"
#include "SpanwiseRankCells.h"
#include "SpanwiseSurfaceDistance.h"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <variant>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseSignedDistanceToSurface);

namespace {

// What messages call the data set whose cells get distances.
constexpr const char* cellsInput = "second input (Cells Input)";

/// This rank's share of the planes of the cells within `margin` of the bounds, and what rounding adds.
Box<3> shareOfBox(const RankGroup& group, const GridPlacement& placement, const double (&bounds)[6], double margin) {
  double grown[6];
  for (int d = 0; d < 3; ++d) {
    grown[2 * d] = std::nextafter(bounds[2 * d] - margin, -HUGE_VAL);
    grown[2 * d + 1] = std::nextafter(bounds[2 * d + 1] + margin, HUGE_VAL);
  }
  Box<3> box = cellsWithin<3>(placement, grown);
  return inPlanes(box, equalShare(planesOf(box), group.rank(), group.size()));
}

} // namespace

vtkSpanwiseSignedDistanceToSurface::vtkSpanwiseSignedDistanceToSurface() { this->SetNumberOfInputPorts(2); }

void vtkSpanwiseSignedDistanceToSurface::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Where: " << this->Where << "\n";
  os << indent << "Width: " << this->Width << "\n";
  os << indent << "Margin: " << this->Margin << "\n";
  os << indent << "Sign: " << this->Sign << "\n";
  os << indent << "MergeTolerance: " << this->MergeTolerance << "\n";
  os << indent << "MemoryLimit: " << this->MemoryLimit << "\n";
  os << indent << "ResultArrayName: " << this->ResultArrayName << "\n";
}

int vtkSpanwiseSignedDistanceToSurface::FillInputPortInformation(int port, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), port == 0 ? "vtkPolyData" : "vtkDataSet");
  if (port == 1) {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return 1;
}

void vtkSpanwiseSignedDistanceToSurface::CheckProperties() const {
  checkChoice("choice of places", this->Where, CELLS_OF_SECOND_INPUT);
  checkChoice("choice of the sign", this->Sign, UNSIGNED);
  checkNotNegative("width of the band", this->Width);
  checkNotNegative("margin of the box", this->Margin);
  checkNotNegative("merge tolerance", this->MergeTolerance);
  checkMemoryLimit(this->MemoryLimit);
  checkArrayName(this->ResultArrayName);
}

void vtkSpanwiseSignedDistanceToSurface::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  this->CheckProperties();
  vtkPolyData* const surface = vtkPolyData::GetData(inputs[0], 0);
  vtkDataObject* carried = surface;
  SurfaceDistance distance{
    group, {}, {}, this->MergeTolerance, this->ResultArrayName, signOf(this->Sign), progressOf(this).part(0.1, 0.9)};
  group.agree([&] { distance.triangles = trianglesOf(surface); });
  gatherFromAll(group, distance.triangles);
  RankCells<3> cells;
  if (this->Where == CELLS_OF_SECOND_INPUT) {
    if (inputs[1]->GetNumberOfInformationObjects() == 0) {
      throw InvalidArgument(
        "distances are asked for in the cells of the second input (Cells Input), and there is none");
    }
    vtkDataSet* const data = vtkDataSet::GetData(inputs[1], 0);
    carried = data;
    InputCells where = aboutInput(cellsInput, [&] { return readCells(group, data, InputValues::AllOnAnySide); });
    const auto numCells =
      group.sum(std::visit([](const auto& any) { return any.set.numCells(); }, where.cells)); // of any dimension if 0
    if (numCells > 0 && where.dimension() != 3) {
      throw InvalidArgument("the second input (Cells Input) is 2D; distances to a surface are for cells in 3D");
    }
    distance.placement = where.placement;
    if (numCells > 0) {
      cells = std::get<RankCells<3>>(where.cells);
    }
    distance.inCells(cells);
  } else if (!distance.triangles.triangles.empty()) { // of none there is nothing, and nowhere
    double bounds[6];
    group.agree([&] {
      boundsOf(distance.triangles, bounds);
      distance.placement = this->MakePlacement(bounds, 3);
    });
    const auto share = [&](double margin) {
      Box<3> box{};
      group.agree([&] { box = shareOfBox(group, distance.placement, bounds, margin); });
      return box;
    };
    if (this->Where == BAND) {
      const double* const spacing = distance.placement.spacing; // planes that rounding might leave out, too
      cells =
        distance.inBand(this->Width, planesOf(share(this->Width + std::max({spacing[0], spacing[1], spacing[2]}))));
    } else if (this->Where == BOX) {
      const Box<3> box = share(this->Margin);
      checkMemory(group, box, this->MemoryLimit * 1048576.0);
      cells = distance.inBox(box);
    } else {
      cells = distance.inside(planesOf(share(0.0)));
    }
  }
  const PlaneRange owned = distribute(group, cells);
  group.agree([&] { setCells(output, cells, distance.placement, owned); });
  if (carried != nullptr) {
    output->GetFieldData()->PassData(carried->GetFieldData());
  }
}
