#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/Interval.hpp"
#include "Core/Solvers/Lattice/Collision.hpp"
#include "Core/Solvers/Lattice/LatticeSide.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <limits>

namespace spanwise::lattice {

/// How many velocities populations have.
enum class Velocities {
  Fewest, ///< 9 in 2D, 19 in 3D
  All,    ///< 27 in 3D: has no preferred directions; 9 in 2D
};

/// How populations are stored. Always without those of the fluid at rest.
enum class Storage {
  Half, ///< 16 bits (ScaledHalf), computed with as float: half of the memory, and on an H100 1.5 times as fast as Float
  Float,  ///< 32 bits
  Double, ///< 64 bits
};

/// Where a step leaves populations.
enum class Update {
  InPlace,        ///< in the memory where they were: half of it, and no memory is fetched only to be overwritten
  TwoPopulations, ///< in a second field
};

/// How a velocity is spread over a side through which fluid flows in.
enum class Profile {
  Uniform,
  /// That between the walls at the sides beside it, as far down a channel: a parabola along each axis that ends at two
  /// walls, with the given velocity as its mean.
  Parabolic,
};

/// What is at a side.
template <int Dim>
struct SideCondition {
  Side side = Side::Wall;
  double velocity[Dim] = {}; ///< of Wall, along the side, and of Inflow
  Profile profile = Profile::Uniform;
  double density = 1.0; ///< of Outflow
};

/// Where cells are divided, again and again: each level has cells of half the size, and takes two steps where the one
/// below takes one. Cells at obstacles always get the finest level.
struct LatticeRefinement {
  int numLevels = 1; ///< with the root, 1 to 8
  /// What is to be fine, be it at obstacles, at walls or in vortices, has so many cells of each level around it that
  /// are divided too; at least 1.
  int buffer = 4;
  bool atWalls = false; ///< whether cells at walls of the box get the finest level too
  /// Cells are divided where the vorticity makes velocities differ by more than this from one side of the cell to the
  /// other, in cells a step; 0: levels stay as they are at the start.
  double vorticity = 0.0;
  int stepsPerRemesh = 16; ///< levels follow the vorticity after so many steps of the root, at least 1
  /// Whether populations stream and collide in one pass over memory on all levels, not on the finest alone: two passes,
  /// with the same bits, are what benchmarks compare with.
  bool isFused = true;
};

/// A flow in a box of cells, in units of the lattice: lengths in cells, times in steps, and the density at rest is 1.
/// With levels these are cells and steps of the root.
template <int Dim>
struct LatticeOptions {
  geometry::Box<Dim> box{};
  bool repeats[Dim] = {};                          ///< along these axes the box has no sides
  std::array<SideCondition<Dim>, 2 * Dim> sides{}; ///< lower and upper along x, along y, along z

  double viscosity = 1.0 / 6.0; ///< above 0
  double force[Dim] = {};       ///< on a unit of volume
  double smagorinsky = 0.0;     ///< Smagorinsky's constant, 0 for none, usually 0.1 to 0.2

  Velocities velocities = Velocities::Fewest;
  Collision collision = Collision::TwoRelaxation;
  double magic = 3.0 / 16.0; ///< of Collision::TwoRelaxation, above 0: 3/16 puts straight walls halfway between cells
  Storage storage = Storage::Float;
  Update update = Update::InPlace; ///< of one level; several take TwoPopulations

  /// Inflows and moving walls get their velocities gradually in so many steps, not negative. A sudden start makes
  /// sound, which sides where a velocity is given reflect, and outflows let out.
  int rampSteps = 0;

  LatticeRefinement refinement;

  int stepsPerFrame = 100;  ///< of Stepper, at least 1
  int stepsPerRecord = 100; ///< the history gets a record after so many, at least 1
};

/// Where positions are mirrored.
template <int Dim>
struct SlipPlanes {
  double lower[Dim];
  double upper[Dim];

  /// The coordinate along an axis, mirrored by the side that it is beyond.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION double reflected(int axis, double coordinate) const {
    const double beyondLower = Kokkos::max(lower[axis] - coordinate, 0.0);
    const double beyondUpper = Kokkos::max(coordinate - upper[axis], 0.0);
    return coordinate + 2.0 * (beyondLower - beyondUpper);
  }
};

/// Of the slip sides of a box.
template <int Dim>
SlipPlanes<Dim> slipPlanes(const LatticeOptions<Dim>& options) {
  SlipPlanes<Dim> planes;
  for (int d = 0; d < Dim; ++d) {
    const auto slips = [&](int side) {
      return !options.repeats[d] && options.sides[static_cast<std::size_t>(2 * d + side)].side == Side::Slip;
    };
    constexpr double far = std::numeric_limits<double>::max();
    planes.lower[d] = slips(0) ? static_cast<double>(options.box.begin[d]) : -far;
    planes.upper[d] = slips(1) ? static_cast<double>(options.box.end[d]) : far;
  }
  return planes;
}

} // namespace spanwise::lattice
