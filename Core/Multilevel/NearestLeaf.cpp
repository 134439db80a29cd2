#include "Core/Multilevel/NearestLeaf.hpp"

#include "Core/Multilevel/Detail/LeafSplit.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"

#include <string>

namespace spanwise::multilevel {

namespace {

using detail::maxMeshLevels;
using geometry::Coordinate;
using geometry::RowKey;

/// Cells of a level, from the first to the last one along each axis; in 2D only x and y count.
struct CellWindow {
  Coordinate first[3];
  Coordinate last[3];
};

template <int Dim>
struct FindNearest {
  geometry::IntervalSetView<Dim> levels[maxMeshLevels];
  int numLevels;
  geometry::GridGeometry<3> root;
  const double* points;
  double reach;
  NearestPlace* out;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const double* const point = points + 3 * k;
    NearestPlace best{Kokkos::Experimental::infinity_v<double>, {}};
    // Most points are in a leaf: then none is nearer, and no window of the reach's size has to be looked through.
    for (int level = 0; level < numLevels; ++level) {
      lookInto(level, point, 0.0, best);
    }
    for (int level = 0; level < numLevels && best.squaredDistance > 0.0; ++level) {
      lookInto(level, point, Kokkos::min(reach, Kokkos::sqrt(best.squaredDistance)), best);
    }
    out[k] = best;
  }

private:
  /// The lattice of a level.
  [[nodiscard]] KOKKOS_FUNCTION geometry::GridGeometry<3> latticeOf(int level) const {
    geometry::GridGeometry<3> lattice = root;
    for (double& spacing : lattice.spacing) {
      spacing /= static_cast<double>(std::int64_t{1} << level);
    }
    return lattice;
  }

  /// The cells that may be within `radius` of a point: one more on each side than rounded numbers say. False if the
  /// point is nowhere.
  [[nodiscard]] KOKKOS_FUNCTION static bool windowOf(
    const geometry::GridGeometry<3>& lattice, const double* point, double radius, CellWindow& window) {
    const auto cellOf = [&](int axis, double at) {
      const double cell = Kokkos::floor((at - lattice.origin[axis]) / lattice.spacing[axis]);
      return Kokkos::min(Kokkos::max(cell, static_cast<double>(geometry::minCoordinate) + 1.0),
        static_cast<double>(geometry::maxRowKey) - 1.0);
    };
    for (int axis = 0; axis < 3; ++axis) {
      if (!Kokkos::isfinite(point[axis])) {
        return false;
      }
      window.first[axis] = static_cast<Coordinate>(cellOf(axis, point[axis] - radius)) - 1;
      window.last[axis] = static_cast<Coordinate>(cellOf(axis, point[axis] + radius)) + 1;
    }
    return true;
  }

  /// Finds what is nearer in the leaves of a level.
  KOKKOS_FUNCTION void lookInto(int level, const double* point, double radius, NearestPlace& best) const {
    const geometry::IntervalSetView<Dim>& set = levels[level];
    const geometry::GridGeometry<3> lattice = latticeOf(level);
    CellWindow window;
    if (set.numRows == 0 || !windowOf(lattice, point, radius, window)) {
      return;
    }
    const Coordinate firstZ = Dim == 3 ? window.first[2] : 0;
    const Coordinate lastZ = Dim == 3 ? window.last[2] : 0;
    std::int64_t row = set.lowerRow(RowKey<Dim>::fromYZ(window.first[1], firstZ));
    while (row < set.numRows && set.rowKeys[row].zOr0() <= lastZ) {
      const RowKey<Dim> key = set.rowKeys[row];
      if (key.y < window.first[1]) {
        row = set.lowerRow(RowKey<Dim>::fromYZ(window.first[1], key.zOr0()));
      } else if (key.y <= window.last[1]) {
        lookIntoRow(set, row, lattice, window, point, best);
        ++row;
      } else if (key.zOr0() < lastZ) {
        row = set.lowerRow(RowKey<Dim>::fromYZ(window.first[1], key.zOr0() + 1));
      } else {
        return;
      }
    }
  }

  KOKKOS_FUNCTION void lookIntoRow(const geometry::IntervalSetView<Dim>& set, std::int64_t row,
    const geometry::GridGeometry<3>& lattice, const CellWindow& window, const double* point, NearestPlace& best) const {
    const RowKey<Dim> key = set.rowKeys[row];
    for (std::int64_t i = set.lowerInterval(row, window.first[0]);
      i < set.rowOffsets[row + 1] && set.intervals[i].begin <= window.last[0]; ++i) {
      const double low[3] = {lattice.face(0, set.intervals[i].begin), lattice.face(1, key.y), lowOfZ(lattice, key)};
      const double high[3] = {
        lattice.face(0, set.intervals[i].end), lattice.face(1, std::int64_t{key.y} + 1), highOfZ(lattice, key)};
      NearestPlace found{};
      for (int axis = 0; axis < 3; ++axis) {
        found.place[axis] = Kokkos::max(low[axis], Kokkos::min(high[axis], point[axis]));
        const double away = point[axis] - found.place[axis];
        found.squaredDistance += away * away;
      }
      if (found.squaredDistance <= reach * reach && isBefore(found, best)) {
        best = found;
      }
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION static double lowOfZ(const geometry::GridGeometry<3>& lattice, const RowKey<Dim>& key) {
    return Dim == 3 ? lattice.face(2, key.zOr0()) : lattice.origin[2];
  }
  [[nodiscard]] KOKKOS_FUNCTION static double highOfZ(
    const geometry::GridGeometry<3>& lattice, const RowKey<Dim>& key) {
    return Dim == 3 ? lattice.face(2, std::int64_t{key.zOr0()} + 1) : lattice.origin[2];
  }

  [[nodiscard]] KOKKOS_FUNCTION static bool isBefore(const NearestPlace& a, const NearestPlace& b) {
    if (a.squaredDistance != b.squaredDistance) {
      return a.squaredDistance < b.squaredDistance;
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (a.place[axis] != b.place[axis]) {
        return a.place[axis] < b.place[axis];
      }
    }
    return false;
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void nearestInLeaves(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const geometry::GridGeometry<3>& root, const double* points, std::int64_t count, double reach, NearestPlace* out) {
  SPANWISE_REGION("Multilevel::nearestInLeaves");
  if (leaves.size() > maxMeshLevels) {
    throw InvalidArgument("there are " + std::to_string(leaves.size()) + " levels of leaves; there may be " +
      std::to_string(maxMeshLevels));
  }
  FindNearest<Dim> find{{}, static_cast<int>(leaves.size()), root, points, reach, out};
  for (std::size_t level = 0; level < leaves.size(); ++level) {
    find.levels[level] = leaves[level].view();
  }
  forEach(SPANWISE_KERNEL("nearest leaf"), IndexRange<ExecutionSpace>(context.space(), 0, count), find);
}

#define SPANWISE_NEAREST_IN_LEAVES(Space, Dim)                                                                         \
  template void nearestInLeaves<Space, Dim>(const Context<Space>&, const LeavesOn<Dim, Space>&,                        \
    const geometry::GridGeometry<3>&, const double*, std::int64_t, double, NearestPlace*);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_NEAREST_IN_LEAVES)

} // namespace spanwise::multilevel
