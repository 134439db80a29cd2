#include "SpanwiseDrawnCells.h"

#include "SpanwiseArrayOnSide.h"

#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Surface/ChooseCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Label.hpp"

#include <vtkDataSetAttributes.h>

#include <utility>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

constexpr unsigned char notThere = vtkDataSetAttributes::HIDDENCELL;
constexpr unsigned char notDrawn = notThere | vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::REFINEDCELL;

} // namespace

template <int Dim>
DrawnCells<Dim>::DrawnCells(IntervalGridPointer<Dim> grid, vtkDataArray* ghosts, const Box<Dim>* region)
  : grid_(std::move(grid)) {
  const auto choice = std::make_shared<Choice>();
  if (ghosts != nullptr && ghosts->GetDataType() == VTK_UNSIGNED_CHAR && ghosts->GetNumberOfComponents() == 1 &&
    ghosts->GetNumberOfTuples() == grid_->numCells() && grid_->numCells() > 0) {
    choice->ghosts = ghosts;
  }
  if (region != nullptr) {
    choice->region = *region;
  }
  choice_ = choice;
}

template <int Dim>
template <ComputeSide side>
DrawnCellsOnSide<Dim, side> DrawnCells<Dim>::chosenOn(const SideContext<side>& context) const {
  using Space = SpaceOf<side>;
  const IntervalSetOn<Dim, Space>& cells = grid_->mirrored().template on<side>();
  DrawnCellsOnSide<Dim, side> drawn{cells, cells, {}};
  const ValuesOn<unsigned char, side> flags(choice_->ghosts);
  ViewOnSide<side, std::int64_t> unused;
  if (flags.data() != nullptr) {
    drawn.hiding = {};
    chooseCells<Space, Dim>(context, cells.view(), {nullptr, flags.data(), notThere}, drawn.hiding, unused);
  }
  const Box<Dim>* const region = choice_->region ? &*choice_->region : nullptr;
  if (flags.data() != nullptr || region != nullptr) {
    drawn.set = {};
    chooseCells<Space, Dim>(context, cells.view(), {region, flags.data(), notDrawn}, drawn.set, drawn.intervalOfGrid);
    context.space().fence(SPANWISE_LABEL("Rendering::drawn cells")); // the flags may be a copy
  }
  return drawn;
}

template <int Dim>
template <ComputeSide side>
const DrawnCellsOnSide<Dim, side>& DrawnCells<Dim>::on(const SideContext<side>& context) const {
  const auto make = [&] { return chosenOn<side>(context); };
  if constexpr (side == ComputeSide::Host) {
    return choice_->host.get(make);
  } else {
    return choice_->device.get(make);
  }
}

template <int Dim>
SideWork DrawnCells<Dim>::work() const {
  const bool onDevice = grid_->mirrored().isOnDevice();
  return {grid_->mirrored().numIntervals(), choice_->ghosts != nullptr ? grid_->numCells() : 0, onDevice, !onDevice};
}

template <int Dim>
Box<Dim> DrawnCells<Dim>::box() const {
  if (all()) {
    return grid_->box();
  }
  return drawOnSide("Drawn cells", work(), [&]<ComputeSide side>(const SideContext<side>& context) {
    return boundingBox<SpaceOf<side>, Dim>(context, on(context).set);
  });
}

#define SPANWISE_DRAWN_CELLS_ON(Dim, side)                                                                             \
  template const DrawnCellsOnSide<Dim, side>& DrawnCells<Dim>::on<side>(const SideContext<side>&) const;
#define SPANWISE_DRAWN_CELLS(Dim)                                                                                      \
  template class DrawnCells<Dim>;                                                                                      \
  SPANWISE_DRAWN_CELLS_ON(Dim, ComputeSide::Host)                                                                      \
  SPANWISE_DRAWN_CELLS_ON(Dim, ComputeSide::Device)
SPANWISE_DRAWN_CELLS(2)
SPANWISE_DRAWN_CELLS(3)

} // namespace spanwise
