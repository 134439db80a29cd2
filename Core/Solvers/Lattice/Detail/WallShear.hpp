#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Solvers/Lattice/LatticeOptions.hpp"
#include "Core/Solvers/Lattice/WallLink.hpp"

#include <array>
#include <cstdint>

namespace spanwise::lattice::detail {

/// A line from a wall through the centre of a cell to the next one.
struct WallLine {
  std::int64_t next;       ///< the cell there, among those with moments; -1: there is none
  float fraction;          ///< of the way from the cell back to the next one where the wall is
  std::int8_t velocity[3]; ///< one step along the line, away from the wall
  std::int8_t side;        ///< of the box; -1: an obstacle
};

/// A cell with fluid beside walls.
struct WallCell {
  std::int64_t cell;  ///< among those with fluid
  std::int64_t place; ///< among those with moments
  std::int64_t firstLine;
  std::int64_t endLine;
  float normal[3]; ///< of the wall, out of it, of length 1; 0: as far as lines tell
};

/// Takes the normal of an obstacle's wall from the slope of a function.
template <int Dim, class MemorySpace, class Distance>
struct TakeNormal {
  Kokkos::View<WallCell*, MemorySpace> walls;
  Kokkos::View<WallLine*, MemorySpace> lines;
  geometry::IntervalSetView<Dim> set;
  double size;
  Distance distance;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    WallCell& wall = walls(k);
    for (std::int64_t l = wall.firstLine; l < wall.endLine; ++l) {
      if (lines(l).side >= 0) {
        return; // at a side of the box, too
      }
    }
    const geometry::Cell<Dim> cell = cellOf(set, wall.cell);
    double position[Dim];
    for (int d = 0; d < Dim; ++d) {
      position[d] = (cell.at[d] + 0.5) * size;
    }
    const double here = distance(position);
    double slope[Dim];
    double square = 0.0;
    for (int d = 0; d < Dim; ++d) {
      const double centre = position[d];
      position[d] = centre + size;
      const double above = distance(position);
      position[d] = centre - size;
      const double below = distance(position);
      position[d] = centre;
      slope[d] = above != above ? here - below : (below != below ? above - here : 0.5 * (above - below));
      square += slope[d] * slope[d];
    }
    if (square > 0.0) { // and not NaN
      for (int d = 0; d < Dim; ++d) {
        wall.normal[d] = static_cast<float>(slope[d] / Kokkos::sqrt(square));
      }
    }
  }
};

/// Finds the shear stress at walls from velocities. Along each line the velocity is a parabola through the wall's, the
/// cell's and the next one's, of which the slope at the wall is taken. The normal is that of the
/// distance from the wall, where that is known, or else of the plane which fits best where walls cut lines. At a wall
/// velocities change along the normal alone, so the slope along a line is that along the normal times the cosine
/// between; of several lines the best fit counts. Second order, and exact for parabolas at plane walls.
///
/// Velocities rather than populations: those that are stored have collided, which leaves no stress in them where the
/// relaxation time is 1.
template <class ExecutionSpace, int Dim>
class WallShear {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using Field = field::FieldOn<double, ExecutionSpace>;
  using Links = Kokkos::View<WallLink*, Memory>;

  /// For `cells`, a part of the set `held` that there are moments of. `options` are those of the level, `links` those
  /// of the cells to obstacles, in their order.
  void build(const Context<ExecutionSpace>& context, const Set& held, const Set& cells,
    const LatticeOptions<Dim>& options, const Links& links);

  /// shear = viscosity times the slope of the velocity along walls at the cells beside them, Dim components; 0
  /// elsewhere. Walls of the box have so much of their velocities. `viscosity` is in cells of the level.
  void find(const Context<ExecutionSpace>& context, const Field& moments, double part, double viscosity, Field& shear);

  /// Takes normals of obstacles from the slope of a function: distance(position), above 0 in the fluid, at the centres
  /// of cells of the level, in units of the root; NaN where it is not known.
  template <class Distance>
  void useDistance(
    const Context<ExecutionSpace>& context, const Set& cells, double cellsInUnit, const Distance& distance) {
    forEach(SPANWISE_KERNEL("wall normals"),
      IndexRange<ExecutionSpace>(context.space(), 0, static_cast<std::int64_t>(walls_.extent(0))),
      TakeNormal<Dim, Memory, Distance>{walls_, lines_, cells.view(), 1.0 / cellsInUnit, distance});
  }

private:
  std::int64_t numCells_ = 0;
  std::array<SideCondition<Dim>, 2 * Dim> sides_{};
  Kokkos::View<WallCell*, Memory> walls_;
  Kokkos::View<WallLine*, Memory> lines_;
};

} // namespace spanwise::lattice::detail
