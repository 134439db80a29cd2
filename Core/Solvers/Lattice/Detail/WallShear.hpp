#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"
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
};

/// Finds the shear stress at walls from velocities. Along each line the velocity is a parabola through the wall's, the
/// cell's and the next one's, of which the slope at the wall is taken. The normal is that of the plane which fits best
/// where walls cut lines. At a wall velocities change along the normal alone, so the slope along a line is that along
/// the normal times the cosine between; of several lines the best fit counts. Second order, and exact for parabolas at
/// plane walls.
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

private:
  std::int64_t numCells_ = 0;
  std::array<SideCondition<Dim>, 2 * Dim> sides_{};
  Kokkos::View<WallCell*, Memory> walls_;
  Kokkos::View<WallLine*, Memory> lines_;
};

} // namespace spanwise::lattice::detail
