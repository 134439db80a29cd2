#pragma once

// What arrival times on grids start from. Internal to GridArrival.cpp.

#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/GridArrival.hpp"
#include "Core/Solvers/Eikonal/SimplexMesh.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace spanwise::eikonal::gridarrivals {

/// The times of own cells that start by themselves; all others have none. Counts own walls and finds the first.
template <int Dim>
struct StartCells {
  using value_type = Found;
  GridView<Dim> grid;
  parallel::CellRange own;
  const double* given; // of own cells; null: none start
  double* times;

  KOKKOS_FUNCTION void init(Found& walls) const { walls = {0, grid.numCells}; }
  KOKKOS_FUNCTION void join(Found& walls, const Found& other) const {
    walls.count += other.count;
    walls.first = Kokkos::min(walls.first, other.first);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t cell, Found& walls) const {
    times[cell] = notReached;
    if (cell < own.begin || cell >= own.end) {
      return;
    }
    const std::int64_t mine = cell - own.begin;
    if (grid.isWall(cell)) {
      ++walls.count;
      walls.first = Kokkos::min(walls.first, mine);
    } else if (given != nullptr && Kokkos::isfinite(given[mine])) {
      times[cell] = given[mine];
    }
  }
};

/// Labels own cells that have the time that they started at.
struct LabelCells {
  parallel::CellRange own;
  const double* given;
  const std::int32_t* numbers; // null: `next` and so on
  const double* times;
  std::int32_t* labels;
  std::int64_t first; // what a cell with the number 0 is labelled
  std::int64_t next;  // the number of the first own cell

  KOKKOS_FUNCTION void operator()(std::int64_t mine) const {
    const std::int64_t cell = own.begin + mine;
    if (labels[cell] < 0 && times[cell] < notReached && times[cell] == given[mine]) {
      labels[cell] = static_cast<std::int32_t>(first + (numbers != nullptr ? numbers[mine] : next + mine));
    }
  }
};

/// Counts own cells with a time.
struct CountReached {
  parallel::CellRange own;
  const double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t mine, std::int64_t& count) const {
    count += times[own.begin + mine] < notReached ? 1 : 0;
  }
};

/// An array of just so many entries, as what follows times takes them; itself if it is one that nobody else shares.
template <class T, class Memory>
void resize(Kokkos::View<T*, Memory>& array, std::int64_t count, const std::string& label) {
  if (static_cast<std::int64_t>(array.extent(0)) != count || array.use_count() > 1) {
    array = {};
    reserve(array, count, label);
  }
}

inline void checkNumbers(std::int64_t most) {
  if (most > std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument("there are " + std::to_string(most) +
      " points, triangles, cells of a set and cells that may " + "be sources: with labels there may be 2^31 - 1");
  }
}

inline int slopesOrderOf(const GridArrivalOptions& options) {
  return options.slopesOrder == 0 ? options.solve.order : options.slopesOrder;
}

inline void checkWalls(const Found& walls, bool mayBe) {
  if (walls.count > 0 && !mayBe) {
    throw InvalidArgument("the speed of cell " + std::to_string(walls.first) + " is 0, as that of " +
      std::to_string(walls.count) + " cells is: speeds must be positive, unless 0 is said to be a wall");
  }
}

/// Throws where a surface of so many triangles gives no cell a time.
inline void checkSurface(std::int64_t numTriangles, std::int64_t numCells) {
  if (numTriangles > 0 && numCells == 0) {
    throw InvalidArgument("the source surface is outside of the grid: none of its " + std::to_string(numTriangles) +
      " triangles touches a cell that is no wall");
  }
}

inline void checkStarts(std::int64_t numStarts) {
  if (numStarts == 0) {
    throw InvalidArgument("there is no source: fronts start at a point, a surface or a cell of the grid at least");
  }
}

} // namespace spanwise::eikonal::gridarrivals
