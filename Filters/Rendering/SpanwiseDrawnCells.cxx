#include "SpanwiseDrawnCells.h"

#include "Core/Geometry/Surface/ChooseCells.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkDataSetAttributes.h>
#include <vtkUnsignedCharArray.h>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

constexpr unsigned char notThere = vtkDataSetAttributes::HIDDENCELL;
constexpr unsigned char notDrawn = notThere | vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::REFINEDCELL;

} // namespace

template <int Dim>
DrawnCells<Dim> drawnCells(const IntervalGridPointer<Dim>& grid, vtkUnsignedCharArray* ghosts, const Box<Dim>* region) {
  DrawnCells<Dim> drawn;
  drawn.grid = grid;
  drawn.set = grid->set();
  drawn.hiding = grid->set();
  const unsigned char* flags =
    ghosts != nullptr && ghosts->GetNumberOfTuples() == grid->set().numCells() && grid->set().numCells() > 0
    ? ghosts->GetPointer(0)
    : nullptr;
  const HostExecutionSpace space;
  if (flags != nullptr) {
    Kokkos::View<std::int64_t*, Kokkos::HostSpace> unused;
    chooseCells<HostExecutionSpace, Dim>(
      Context(space), grid->cells(), {nullptr, flags, notThere}, drawn.hiding, unused);
  }
  if (flags != nullptr || region != nullptr) {
    chooseCells<HostExecutionSpace, Dim>(
      Context(space), grid->cells(), {region, flags, notDrawn}, drawn.set, drawn.intervalOfGrid);
  }
  return drawn;
}

template DrawnCells<2> drawnCells<2>(const IntervalGridPointer<2>&, vtkUnsignedCharArray*, const Box<2>*);
template DrawnCells<3> drawnCells<3>(const IntervalGridPointer<3>&, vtkUnsignedCharArray*, const Box<3>*);

} // namespace spanwise
