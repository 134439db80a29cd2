#ifndef SpanwiseDrawnCells_h
#define SpanwiseDrawnCells_h

// Which cells of a grid are drawn. Not wrapped.

#include "SpanwiseDrawingSide.h"
#include "SpanwiseIntervalGrid.h"
#include "SpanwiseMadeOnDemand.h"
#include "spanwiseRenderingModule.h"

#include "Core/Geometry/Surface/SurfaceCells.hpp"

#include <vtkDataArray.h>
#include <vtkSmartPointer.h>

#include <memory>
#include <optional>

namespace spanwise {

/// The drawn cells of a grid on a side.
template <int Dim, ComputeSide side>
struct DrawnCellsOnSide {
  geometry::IntervalSetOn<Dim, SpaceOf<side>> set;
  /// The cells that hide the faces that they share with drawn ones: the drawn ones themselves, those outside the
  /// region, and ghosts. Cells marked hidden are not there at all.
  geometry::IntervalSetOn<Dim, SpaceOf<side>> hiding;
  /// The interval of the grid that holds interval i of `set`; empty if `set` is the grid's own.
  ViewOnSide<side, std::int64_t> intervalOfGrid;
};

/// The cells of a grid that are drawn, on the sides that ask for them. Copies share them.
template <int Dim>
class SPANWISERENDERING_EXPORT DrawnCells {
public:
  /// `ghosts`, if not null, is the grid's vtkGhostType: neither duplicate nor hidden cells are drawn. `region`, if not
  /// null, is the part of the grid that is drawn.
  explicit DrawnCells(
    IntervalGridPointer<Dim> grid, vtkDataArray* ghosts = nullptr, const geometry::Box<Dim>* region = nullptr);

  /// The faces that are drawn of cells in 3D. A 2D cell is its own and only face.
  geometry::FaceSet faces = geometry::allFaces;

  [[nodiscard]] const IntervalGrid<Dim>& grid() const { return *grid_; }
  /// Whether every cell of the grid is drawn.
  [[nodiscard]] bool all() const { return choice_->ghosts == nullptr && !choice_->region; }

  /// The cells on a side, chosen there when they are first asked for. O(rows + intervals), and O(cells) with ghosts.
  template <ComputeSide side>
  [[nodiscard]] const DrawnCellsOnSide<Dim, side>& on(const SideContext<side>& context) const;

  /// What Core makes the surface of. It lives as long as this does.
  template <ComputeSide side>
  [[nodiscard]] geometry::SurfaceCells<Dim> cells(const SideContext<side>& context) const {
    const DrawnCellsOnSide<Dim, side>& there = on(context);
    return {grid_->template cellsAndNodesOn<side>(), there.set.view(), there.hiding.view(),
      there.intervalOfGrid.extent(0) == 0 ? nullptr : there.intervalOfGrid.data(), faces};
  }

  /// To find out about them, where they lie.
  [[nodiscard]] SideWork work() const;
  /// The smallest box that holds every drawn cell; an empty box where none is drawn.
  [[nodiscard]] geometry::Box<Dim> box() const;

private:
  struct Choice {
    vtkSmartPointer<vtkDataArray> ghosts;
    std::optional<geometry::Box<Dim>> region;
    MadeOnDemand<DrawnCellsOnSide<Dim, ComputeSide::Host>> host;
    MadeOnDemand<DrawnCellsOnSide<Dim, ComputeSide::Device>> device;
  };

  template <ComputeSide side>
  [[nodiscard]] DrawnCellsOnSide<Dim, side> chosenOn(const SideContext<side>& context) const;

  IntervalGridPointer<Dim> grid_;
  std::shared_ptr<const Choice> choice_;
};

/// The cells of a grid that are drawn.
template <int Dim>
DrawnCells<Dim> drawnCells(
  const IntervalGridPointer<Dim>& grid, vtkDataArray* ghosts = nullptr, const geometry::Box<Dim>* region = nullptr) {
  return DrawnCells<Dim>(grid, ghosts, region);
}

} // namespace spanwise

#endif
