#ifndef SpanwiseRankCells_h
#define SpanwiseRankCells_h

// The cells of a distributed set that one rank holds, and how they move to the ranks that own them. Not wrapped.

#include "SpanwiseComputeOnSide.h"
#include "SpanwiseIntervalGrid.h"
#include "SpanwiseRankGroup.h"
#include "spanwiseParallelModule.h"

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Parallel/Halo.hpp"
#include "Core/Parallel/RowCut.hpp"

#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>

#include <vector>

class vtkUnstructuredGrid;

namespace spanwise {

/// Cells and the values on them, in the order of the cells. Copies share both.
template <int Dim>
struct RankCells {
  MirroredSet<Dim> set;
  vtkSmartPointer<vtkCellData> values = vtkSmartPointer<vtkCellData>::New();
};

/// What an operation on cells works with: their set, and their values if they have any.
template <int Dim>
SideInputs<Dim> sideInputsOf(const RankCells<Dim>& cells) {
  return {{&cells.set}, cells.values->GetNumberOfArrays() > 0 ? cells.set.numCells() : 0};
}

/// Collective. Gives all ranks the same arrays in the same order: those that every rank with cells has. Arrays without
/// a name are left out. A rank without cells learns the names, types and units from another one.
template <int Dim>
SPANWISEPARALLEL_EXPORT void unifyArrays(const RankGroup& group, RankCells<Dim>& cells);

/// Collective. The cut that the ranks' cells already follow, if they do (Core's findCut()). `sets` are cut together.
template <int Dim>
SPANWISEPARALLEL_EXPORT bool findCut(
  const RankGroup& group, const std::vector<const MirroredSet<Dim>*>& sets, parallel::RowCut& cut);

/// Collective. The most even cut for all sets together (Core's evenCut()).
template <int Dim>
SPANWISEPARALLEL_EXPORT parallel::RowCut evenCut(
  const RankGroup& group, const std::vector<const MirroredSet<Dim>*>& sets);

/// Collective. The smallest box around the cells that all ranks have of these sets (Core's boundingBoxOfAll()).
template <int Dim>
SPANWISEPARALLEL_EXPORT geometry::Box<Dim> boundingBoxOfAll(
  const RankGroup& group, const std::vector<const MirroredSet<Dim>*>& sets);

/// Collective. Moves cells, and the values on them, to the ranks that own them. A cell that several ranks have keeps
/// the value of the first of them. All ranks must have the same arrays (unifyArrays()).
template <int Dim>
SPANWISEPARALLEL_EXPORT void migrate(const RankGroup& group, const parallel::RowCut& cut, RankCells<Dim>& cells);

/// Collective. Brings cells to a cut that is even enough and returns what this rank owns of it. Cells stay where they
/// are if they follow a cut and no rank has more than toleratedImbalance times the mean. One process that has to make a
/// part of the output keeps just that part. Cells get a halo (see addHalo()), for what depends on the cells around.
template <int Dim>
SPANWISEPARALLEL_EXPORT parallel::PlaneRange distribute(
  const RankGroup& group, RankCells<Dim>& cells, const parallel::Halo& halo = {});

/// Collective. Adds the halo to the cells that each rank owns: they and the values on them are then those of the whole
/// set in the planes `owned` and `halo.planes` more on both sides, wherever the ranks have them; for a rank that owns
/// no planes, none. restrictCells() to `owned` takes the halo away again, also from what was computed of it.
///
/// `owned` is what each rank owns, cut.part(rank) for instance; ranks own planes in their order, and a rank's cells
/// outside its own are dropped. On a periodic axis a rank's own planes end with the period, and planes beyond it are
/// those of the other end, moved by whole periods: their cells have other coordinates than on the rank that owns them.
/// Returns the planes that the rank has then. All ranks must have the same arrays (unifyArrays()).
///
/// Throws InvalidArgument, on all ranks, where the halo is negative, ranks own the same planes, or cells lie outside
/// the period, and CoordinateOverflow if a halo plane has no coordinate.
template <int Dim>
SPANWISEPARALLEL_EXPORT parallel::PlaneRange addHalo(
  const RankGroup& group, const parallel::PlaneRange& owned, RankCells<Dim>& cells, const parallel::Halo& halo);

/// Keeps the cells in `planes`.
template <int Dim>
SPANWISEPARALLEL_EXPORT void restrictCells(RankCells<Dim>& cells, const parallel::PlaneRange& planes);

/// Gives `output` the cells and the values.
template <int Dim>
SPANWISEPARALLEL_EXPORT void setCells(vtkUnstructuredGrid* output, const RankCells<Dim>& cells,
  const GridPlacement& placement, const parallel::PlaneRange& owned);

} // namespace spanwise

#endif
