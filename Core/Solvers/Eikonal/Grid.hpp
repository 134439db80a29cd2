#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/EdgeTimes.hpp"
#include "Core/Solvers/Eikonal/Speed.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace spanwise::eikonal {

/// What kernels see of a grid.
template <int Dim>
struct GridView {
  using Pattern = field::StarPattern<Dim, 2>;
  using Segment = field::StencilSegment<Pattern::count>;
  /// The directions of a decomposed tensor: the pairs of a superbase.
  static constexpr int numDirections = Dim == 2 ? 3 : 6;

  /// A direction of a decomposed tensor at a cell x: the cells x - 2 e, x - e, x + e, x + 2 e, -1 where there is none
  /// or a wall stands between, and the weight of the squared difference along e.
  struct Direction {
    double weight = 0.0;
    std::int32_t cells[4] = {-1, -1, -1, -1};
    std::int32_t step[Dim] = {}; ///< e, in cells
  };

  const std::int32_t* segmentOfCell = nullptr;     ///< [numCells]
  const Segment* segments = nullptr;               ///< the neighbours along the axes
  const geometry::Cell<Dim>* firstCells = nullptr; ///< [segments] the coordinates of their first cells
  // Only where tensors are not diagonal:
  const Direction* directions = nullptr;          ///< [numCells][numDirections]
  const std::int64_t* dependentOffsets = nullptr; ///< [numCells + 1]
  const std::int32_t* dependents = nullptr;       ///< cells that read a cell; ~cell: in second order only

  Speed speed;
  geometry::GridGeometry<Dim> lattice{};
  geometry::Periods<Dim> periods;
  std::int64_t numCells = 0;

  [[nodiscard]] KOKKOS_FUNCTION geometry::Cell<Dim> coordinates(std::int64_t cell) const {
    const std::int32_t s = segmentOfCell[cell];
    geometry::Cell<Dim> at = firstCells[s];
    at.at[0] += static_cast<geometry::Coordinate>(cell - segments[s].cell);
    return at;
  }

  /// M of a cell, of which 2D uses xx, yy and xy.
  [[nodiscard]] KOKKOS_FUNCTION SymmetricTensor tensor(std::int64_t cell) const {
    SymmetricTensor m = speed.ofElement<std::int32_t>(cell, nullptr, 0);
    if constexpr (Dim == 2) {
      m.zz = 1.0;
      m.yz = m.xz = 0.0;
    }
    return m;
  }

  /// Whether the speed of a cell is 0.
  [[nodiscard]] KOKKOS_FUNCTION bool isWall(std::int64_t cell) const {
    return speed.kind == Speed::Kind::OfElements && speed.values[cell] == 0.0;
  }

  /// The length after which an axis repeats.
  [[nodiscard]] KOKKOS_FUNCTION double period(int axis) const {
    return static_cast<double>(periods.box.extent(axis)) * lattice.spacing[axis];
  }

  /// The vector from a place to the centre of a cell, the shortest one where axes repeat.
  KOKKOS_FUNCTION void vectorFrom(
    const double (&place)[Dim], const geometry::Cell<Dim>& cell, double (&vector)[Dim]) const {
    for (int axis = 0; axis < Dim; ++axis) {
      vector[axis] = lattice.centre(axis, cell.at[axis]) - place[axis];
      if (periods.along[axis]) {
        const double length = period(axis);
        vector[axis] -= length * Kokkos::floor(vector[axis] / length + 0.5);
      }
    }
  }
};

/// What the speeds of cells are like: of a set, or of the sets of all ranks.
struct SpeedSurvey {
  EdgeTimes times;             ///< the least to a neighbour along an axis, of cells that are no walls
  std::int64_t numCoupled = 0; ///< cells whose tensor couples axes
};

/// A set of cells as the solver on grids needs it: the neighbours of each cell, and for tensors that are not diagonal
/// the directions that they are decomposed into. An image is the set of all cells of a box. Made once for a set and its
/// speeds, used for any number of solutions. It refers to the arrays of the speeds. Keeps its memory.
template <int Dim, class MemorySpace>
class Grid {
public:
  using View = GridView<Dim>;

  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] std::int64_t numCells() const { return view_.numCells; }
  /// Whether a tensor couples axes, so that differences along other directions than the axes are taken.
  [[nodiscard]] bool hasDirections() const { return view_.directions != nullptr; }
  /// The mean over the cells of the least travel time to a neighbour along an axis; walls do not count. The same bits
  /// in any order of the cells.
  [[nodiscard]] double meanCellTime() const { return meanCellTime_; }
  [[nodiscard]] std::size_t bytes() const {
    return segmentOfCell_.span() * sizeof(std::int32_t) + map_.bytes() +
      firstCells_.span() * sizeof(geometry::Cell<Dim>) + directions_.span() * sizeof(typename View::Direction) +
      dependentOffsets_.span() * sizeof(std::int64_t) + dependents_.span() * sizeof(std::int32_t);
  }

private:
  template <class ExecutionSpace, int D>
  friend void buildGrid(const Context<ExecutionSpace>&, const geometry::IntervalSetOn<D, ExecutionSpace>&,
    const geometry::GridGeometry<D>&, const geometry::Periods<D>&, const Speed&, const SpeedSurvey&,
    Grid<D, typename ExecutionSpace::memory_space>&);

  field::StencilMap<typename View::Pattern, MemorySpace> map_;
  Kokkos::View<std::int32_t*, MemorySpace> segmentOfCell_;
  Kokkos::View<geometry::Cell<Dim>*, MemorySpace> firstCells_;
  Kokkos::View<typename View::Direction*, MemorySpace> directions_;
  Kokkos::View<std::int64_t*, MemorySpace> dependentOffsets_;
  Kokkos::View<std::int32_t*, MemorySpace> dependents_;
  View view_;
  double meanCellTime_ = 0.0;
};

template <int Dim, class ExecutionSpace>
using GridOn = Grid<Dim, typename ExecutionSpace::memory_space>;

/// out = the grid of a set whose cells lie in `lattice`. Speeds are those of cells, in the order of cells (`Speed`
/// calls them elements); cells with speed 0, and what is not in the set, are walls.
///
/// Tensors that couple axes are decomposed, M = sum over k of w_k e_k e_k^T with w_k >= 0 and vectors e_k between
/// cells: 3 in 2D and 6 in 3D, from an obtuse superbase of the lattice (E. Selling 1874; J. H. Conway, N. J. A. Sloane,
/// Proc. R. Soc. Lond. A 436 (1992) 55-68). |grad u|_M^2 is then a sum of squared differences along the e_k, and the
/// scheme is as causal and monotone as along axes (J.-M. Mirebeau, Riemannian fast-marching on Cartesian grids using
/// Voronoi's first reduction of quadratic forms, SIAM J. Numer. Anal. 57 (2019) 2608-2655). The e_k reach farther the
/// more M prefers a direction, about as many cells as fronts are faster along it; a neighbour counts if all cells on
/// the line to it are in the set.
///
/// O(cells + segments); with such tensors O(cells * log rows), and 28 * 6 (3D) + 48 ... 96 bytes a cell. The memory of
/// `out` is used again. Throws InvalidArgument where a speed is negative, NaN or infinite, a tensor is not positive
/// definite (2D: of xx, yy, xy), speeds are those of vertices, the spacing is not positive, a period does not hold the
/// set, or there are 2^31 - 1 cells or more.
template <class ExecutionSpace, int Dim>
void buildGrid(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const geometry::GridGeometry<Dim>& lattice, const geometry::Periods<Dim>& periods, const Speed& speed,
  Grid<Dim, typename ExecutionSpace::memory_space>& out);

/// The same with a survey that is known: where the set is a part of a larger one, that of the whole.
template <class ExecutionSpace, int Dim>
void buildGrid(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const geometry::GridGeometry<Dim>& lattice, const geometry::Periods<Dim>& periods, const Speed& speed,
  const SpeedSurvey& survey, Grid<Dim, typename ExecutionSpace::memory_space>& out);

/// Looks at the speeds of so many cells. Throws InvalidArgument as buildGrid() does. O(cells).
template <class ExecutionSpace, int Dim>
SpeedSurvey surveySpeeds(
  const ExecutionSpace& space, std::int64_t numCells, const geometry::GridGeometry<Dim>& lattice, const Speed& speed);

/// How many planes the vectors go across, along the slowest axis, that the tensors of so many cells are decomposed
/// into; at least 1. O(cells).
template <class ExecutionSpace, int Dim>
std::int64_t planesAcross(
  const ExecutionSpace& space, std::int64_t numCells, const geometry::GridGeometry<Dim>& lattice, const Speed& speed);

} // namespace spanwise::eikonal
