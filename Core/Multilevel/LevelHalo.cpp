#include "Core/Multilevel/LevelHalo.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Detail/BoxCells.hpp"
#include "Core/Geometry/Detail/Parts.hpp"
#include "Core/Parallel/Agree.hpp"

namespace spanwise {

namespace {

/// Finds the cell within the period of which each cell is a copy.
template <int Dim>
struct FindOriginals {
  IntervalSetView<Dim> copies;
  IntervalSetView<Dim> set;
  Periods<Dim> periods; ///< not the slowest axis
  std::int64_t* sources;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    for (std::int64_t cell = copies.cellOffsets[i]; cell < copies.cellOffsets[i + 1]; ++cell) {
      Cell<Dim> original = detail::cellOf(
        copies.rowKeys[row], static_cast<Coordinate>(copies.intervals[i].begin + (cell - copies.cellOffsets[i])));
      for (int d = 0; d < Dim - 1; ++d) {
        if (periods.along[d]) {
          const std::int64_t length = std::int64_t{periods.box.end[d]} - periods.box.begin[d];
          const std::int64_t place = (std::int64_t{original.at[d]} - periods.box.begin[d]) % length;
          original.at[d] = static_cast<Coordinate>(periods.box.begin[d] + (place < 0 ? place + length : place));
        }
      }
      sources[cell] = set.findCell(original);
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void LevelHalo<ExecutionSpace, Dim>::build(const ExecutionSpace& space, const LevelDomain<ExecutionSpace, Dim>& domain,
  int level, std::int64_t reach, const Set& set, Workspace<Memory>& workspace) {
  SPANWISE_REGION("Multilevel::LevelHalo");
  exchange_.reset();
  Periods<Dim> others = domain.periodsOf(level);
  const bool repeatsAlongSlowest = others.along[Dim - 1];
  others.along[Dim - 1] = false;
  agree(domain.communicator(), [&] {
    auto& [copies, own] = scratch_;
    copies.clear();
    if (others.any()) {
      crop<ExecutionSpace, Dim>(space, set, domain.box(level), own, workspace);
      crop<ExecutionSpace, Dim>(space, set, domain.boxOfPlanes(level, reach), copies, workspace);
      combine<ExecutionSpace, Dim>(space, SetOperation::Difference, copies, own, copies, workspace);
    }
    commonCells<ExecutionSpace, Dim>(space, set, copies, copies_.cells, workspace);
    detail::reserveArray(copies_.sources, copies.numCells(), SPANWISE_LABEL("Multilevel::copySources"));
    detail::forEachPart(space, SPANWISE_KERNEL("find originals"), copies.view().rowOffsets, copies.numRows(),
      copies.numIntervals(), FindOriginals<Dim>{copies.view(), set.view(), others, copies_.sources.data()});
  });
  if (!domain.communicator().alone() || repeatsAlongSlowest) {
    exchange_.emplace(domain.communicator(),
      makeHaloPlan<ExecutionSpace, Dim>(
        space, domain.communicator(), domain.cut(level), domain.halo(level, reach), set));
  }
}

#define SPANWISE_LEVEL_HALO(Space, Dim) template class LevelHalo<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEVEL_HALO)

} // namespace spanwise
