#include "vtkSpanwiseIntervalShape.h"

#include "SpanwiseBridge.h"
#include "SpanwiseImplicitCells.h"
#include "SpanwiseLattice.h"
#include "SpanwiseRankCells.h"

#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Builders/Predicate.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkImplicitFunction.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

#include <format>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseIntervalShape);
vtkCxxSetObjectMacro(vtkSpanwiseIntervalShape, ImplicitFunction, vtkImplicitFunction);

namespace {

using Host = HostExecutionSpace;

/// Whether the centre of a cell lies in a ball, for cells of any proportions.
template <int Dim>
struct InBall {
  GridGeometry<Dim> lattice;
  double centre[Dim];
  double radius;

  KOKKOS_FUNCTION bool operator()(const Cell<Dim>& cell) const {
    double square = 0.0;
    for (int d = 0; d < Dim; ++d) {
      const double distance = lattice.centre(d, cell.at[d]) - centre[d];
      square += distance * distance;
    }
    return square <= radius * radius;
  }
};

template <int Dim>
bool cellsAreCubes(const GridPlacement& placement) {
  bool equal = true;
  for (int d = 1; d < Dim; ++d) {
    equal = equal && placement.spacing[d] == placement.spacing[0];
  }
  return equal;
}

/// The cells of a ball among those of `box`.
template <int Dim>
HostIntervalSet<Dim> ballCells(
  const Box<Dim>& box, const double centre[3], double radius, const GridPlacement& placement) {
  HostIntervalSet<Dim> set;
  const Context<Host> context;
  if (cellsAreCubes<Dim>(placement)) {
    Ball<Dim> ball{};
    for (int d = 0; d < Dim; ++d) {
      ball.centre[d] = (centre[d] - placement.origin[d]) / placement.spacing[d];
    }
    ball.radius = radius / placement.spacing[0];
    makeBall<Host, Dim>(context, ball, set, planesOf(box));
  } else {
    InBall<Dim> inside{latticeOf<Dim>(placement), {}, radius};
    std::copy_n(centre, Dim, inside.centre);
    makeFromPredicate<Host, Dim>(context, box, inside, set);
  }
  return set;
}

} // namespace

vtkSpanwiseIntervalShape::vtkSpanwiseIntervalShape() {
  this->SetNumberOfInputPorts(0);
  this->Resolution = 64;
}

vtkSpanwiseIntervalShape::~vtkSpanwiseIntervalShape() { this->SetImplicitFunction(nullptr); }

void vtkSpanwiseIntervalShape::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Dimension: " << this->Dimension << "\n";
  os << indent << "Shape: " << this->Shape << "\n";
  os << indent << "Corner: " << this->Corner[0] << " " << this->Corner[1] << " " << this->Corner[2] << "\n";
  os << indent << "Lengths: " << this->Lengths[0] << " " << this->Lengths[1] << " " << this->Lengths[2] << "\n";
  os << indent << "Center: " << this->Center[0] << " " << this->Center[1] << " " << this->Center[2] << "\n";
  os << indent << "Radius: " << this->Radius << "\n";
  os << indent << "ImplicitFunction: " << this->ImplicitFunction << "\n";
  os << indent << "Invert: " << (this->Invert ? "on" : "off") << "\n";
}

vtkMTimeType vtkSpanwiseIntervalShape::GetMTime() {
  const vtkMTimeType own = this->Superclass::GetMTime();
  return this->ImplicitFunction != nullptr ? std::max(own, this->ImplicitFunction->GetMTime()) : own;
}

void vtkSpanwiseIntervalShape::GetShapeBounds(double bounds[6]) const {
  for (int d = 0; d < 3; ++d) {
    const bool ball = this->Shape == BALL;
    const double radius = d < this->Dimension ? this->Radius : 0.0;
    bounds[2 * d] = ball ? this->Center[d] - radius : this->Corner[d];
    bounds[2 * d + 1] = ball ? this->Center[d] + radius : this->Corner[d] + this->Lengths[d];
  }
  if (this->Dimension == 2) { // all flat shapes on a lattice lie in one plane
    bounds[4] = bounds[5] = this->Origin[2];
  }
}

template <int Dim>
void vtkSpanwiseIntervalShape::MakeShape(const RankGroup& group, vtkUnstructuredGrid* output) {
  RankCells<Dim> cells;
  GridPlacement placement;
  group.agree([&] {
    double bounds[6];
    this->GetShapeBounds(bounds);
    placement = this->MakePlacement(bounds, Dim);
    if (this->Shape == BALL) { // the bounds are open above, the ball is closed
      for (int d = 0; d < Dim; ++d) {
        bounds[2 * d] -= placement.spacing[d];
        bounds[2 * d + 1] += placement.spacing[d];
      }
    }
    const Box<Dim> box = cellsWithin<Dim>(placement, bounds);
    const Box<Dim> mine = inPlanes(box, equalShare(planesOf(box), group.rank(), group.size()));
    if (this->Shape == BOX) {
      HostIntervalSet<Dim> made;
      makeBox<Host, Dim>(Context<Host>(), mine, made);
      cells.set = made;
    } else if (this->Shape == BALL) {
      cells.set = ballCells<Dim>(mine, this->Center, this->Radius, placement);
    } else {
      const FunctionSide side = this->Invert ? FunctionSide::Outside : FunctionSide::Inside;
      cells.set = implicitCells<Dim>(this->ImplicitFunction, side, mine, placement, progressOf(this));
    }
  });
  const PlaneRange owned = distribute(group, cells);
  group.agree([&] { setCells(output, cells, placement, owned); });
}

void vtkSpanwiseIntervalShape::MakeOutput(
  const RankGroup& group, vtkInformationVector** /*inputs*/, vtkUnstructuredGrid* output) {
  if (this->Dimension != 2 && this->Dimension != 3) {
    throw InvalidArgument("the dimension is " + std::to_string(this->Dimension) + "; it must be 2 or 3");
  }
  if (this->Shape < BOX || this->Shape > IMPLICIT_FUNCTION) {
    throw InvalidArgument(
      "the shape is " + std::to_string(this->Shape) + "; it must be 0 (box), 1 (ball) or 2 (implicit function)");
  }
  if (this->Shape == IMPLICIT_FUNCTION && this->ImplicitFunction == nullptr) {
    throw InvalidArgument("there is no implicit function");
  }
  for (int d = 0; d < this->Dimension; ++d) {
    if (this->Shape != BALL && !(this->Lengths[d] >= 0.0)) {
      throw InvalidArgument(
        std::format("the length of the box along axis {} is {}; it must not be negative", d, this->Lengths[d]));
    }
  }
  if (this->Shape == BALL && !(this->Radius >= 0.0)) {
    throw InvalidArgument(std::format("the radius is {}; it must not be negative", this->Radius));
  }
  if (this->Dimension == 2) {
    this->MakeShape<2>(group, output);
  } else {
    this->MakeShape<3>(group, output);
  }
}
