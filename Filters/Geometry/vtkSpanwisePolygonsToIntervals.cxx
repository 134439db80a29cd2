#include "vtkSpanwisePolygonsToIntervals.h"

#include "SpanwiseBridge.h"
#include "SpanwiseLattice.h"
#include "SpanwisePolyDataInput.h"
#include "SpanwiseRankCells.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkInformation.h>
#include <vtkObjectFactory.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <cmath>
#include <format>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwisePolygonsToIntervals);

vtkSpanwisePolygonsToIntervals::vtkSpanwisePolygonsToIntervals() { this->Resolution = 1000; }

void vtkSpanwisePolygonsToIntervals::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Domain: " << (this->Domain == INSIDE ? "inside" : "outside within bounds") << "\n";
  os << indent << "UseBounds: " << (this->UseBounds ? "on" : "off") << "\n";
  os << indent << "Bounds: " << this->Bounds[0] << " " << this->Bounds[1] << " " << this->Bounds[2] << " "
     << this->Bounds[3] << "\n";
  os << indent << "PlaneTolerance: " << this->PlaneTolerance << "\n";
}

int vtkSpanwisePolygonsToIntervals::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPolyData");
  return 1;
}

void vtkSpanwisePolygonsToIntervals::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  vtkPolyData* input = vtkPolyData::GetData(inputs[0], 0);
  RingList rings;
  group.agree([&] { rings = ringsOf(input); });
  gatherFromAll(group, rings);
  GridPlacement placement;
  RankCells<2> cells;
  group.agree([&] {
    double bounds[6];
    boundsOf(rings, bounds);
    const double diagonal = std::hypot(bounds[1] - bounds[0], bounds[3] - bounds[2]);
    if (!(bounds[5] - bounds[4] <= 2.0 * this->PlaneTolerance * diagonal)) {
      throw InvalidArgument(
        std::format("the points' z go from {} to {}; polygons must lie in one plane z = constant, within {}", bounds[4],
          bounds[5], this->PlaneTolerance * diagonal));
    }
    if (this->UseBounds) {
      std::copy_n(this->Bounds, 4, bounds);
    } else if (rings.ringLengths.empty()) {
      return; // nothing, and nowhere
    }
    if (!(bounds[0] <= bounds[1] && bounds[2] <= bounds[3])) {
      throw InvalidArgument(
        std::format("the bounds are [{}, {}] x [{}, {}]; the lower ends must not exceed the upper ones", bounds[0],
          bounds[1], bounds[2], bounds[3]));
    }
    placement = this->MakePlacement(bounds, 2);
    const Box<2> box = cellsWithin<2>(placement, bounds);
    const Box<2> mine = inPlanes(box, equalShare(planesOf(box), group.rank(), group.size()));
    const HostIntervalSet<2> inside =
      cellsInside(rings, latticeOf<2>(placement), planesOf(mine), progressOf(this).part(0.0, 0.8));
    using Host = HostExecutionSpace;
    const Context<Host> context;
    HostIntervalSet<2> made;
    if (this->Domain == INSIDE) {
      HostIntervalSet<2> all;
      makeBox<Host, 2>(context, mine, all);
      combine<Host, 2>(context, SetOperation::Intersection, inside, all, made);
    } else {
      complement<Host, 2>(context, inside, mine, made);
    }
    cells.set = made;
  });
  const PlaneRange owned = distribute(group, cells);
  group.agree([&] { setCells(output, cells, placement, owned); });
  if (input != nullptr) {
    output->GetFieldData()->PassData(input->GetFieldData());
  }
}
