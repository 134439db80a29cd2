#ifndef SpanwiseLatticeRun_h
#define SpanwiseLatticeRun_h

// A lattice Boltzmann flow of a group, in 2D or 3D, in the user's units. Not wrapped and not installed.

#include "SpanwiseRankGroup.h"
#include "spanwiseLatticeModule.h"

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/Stepping.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"
#include "Core/Solvers/Lattice/LatticeOptions.hpp"
#include "Core/Solvers/Lattice/LatticeUnits.hpp"
#include "Core/Solvers/Lattice/WatchedFlow.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class vtkPartitionedDataSetCollection;
class vtkTable;

namespace spanwise {

/// What the report calls it.
inline constexpr const char* latticeFlowInReport = "Lattice flow";

/// A flow that steps, and what it shows. Keeps the group that it was made with: ranks go on together.
class SPANWISELATTICE_EXPORT LatticeRun {
public:
  virtual ~LatticeRun() = default;

  /// Which run it is, for checkpoints.
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual parallel::Stepper& stepper() = 0;
  /// Collective. The same run on the host, at its start; null if it is there.
  [[nodiscard]] virtual std::unique_ptr<LatticeRun> onHost() const = 0;
  /// Collective. One step of a run that is watched.
  virtual void step() = 0;
  [[nodiscard]] virtual std::int64_t steps() const = 0;
  /// WatchedFlow::change() of a run that is watched.
  [[nodiscard]] virtual double change() const = 0;
  /// Collective. The cells with fluid of all ranks and levels.
  [[nodiscard]] virtual std::int64_t numCells() const = 0;
  /// Collective. How many cells step() has updated on all ranks; of each level those of its own steps.
  [[nodiscard]] virtual std::int64_t cellUpdates() const = 0;
  /// Of this rank's populations.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Collective. The velocity at points. Throws InvalidArgument where one is not in the fluid.
  [[nodiscard]] virtual std::vector<std::array<double, 3>> velocitiesAt(
    const std::vector<std::array<double, 3>>& points) = 0;
  /// Collective. Makes `output` show the fluid at the stepper's state, this rank's part of it.
  virtual void makeLevels(const RankGroup& group, vtkPartitionedDataSetCollection* output) = 0;
  /// Fills a table with the history up to the stepper's state.
  virtual void makeReport(vtkTable* table) const = 0;
};

/// A ball whose surface is where the walls are, in cells of the coarsest level.
template <int Dim>
struct BallSurface {
  double centre[Dim];
  double radius;

  KOKKOS_FUNCTION double operator()(const double (&position)[Dim]) const {
    double square = 0.0;
    for (int d = 0; d < Dim; ++d) {
      square += (position[d] - centre[d]) * (position[d] - centre[d]);
    }
    return Kokkos::sqrt(square) - radius;
  }
};

/// Distances from a surface that walls lie on, at the cells of the finest level on both sides of them: in these cells,
/// above 0 in the fluid. Every rank has all.
template <int Dim>
struct WallDistances {
  geometry::HostIntervalSet<Dim> cells{};
  std::vector<float> distances{}; ///< NaN where the surface is farther than the next cell
};

/// How a flow begins, beside its options.
template <int Dim>
struct LatticeSetup {
  lattice::LatticeOptions<Dim> options{};
  lattice::LatticeUnits units{};
  geometry::GridGeometry<Dim> lattice{};  ///< of the coarsest level
  geometry::HostIntervalSet<Dim> cells{}; ///< this rank's, of the finest level
  lattice::CellsHold hold = lattice::CellsHold::Solid;
  std::vector<BallSurface<Dim>> surfaces{}; ///< of the cells; those that reach into the box by a period too
  WallDistances<Dim> walls{};               ///< of the cells, where they are those of another surface
  lattice::FluidState<Dim> start{};         ///< everywhere, in units of the lattice
  double density = 1.0;                     ///< of the fluid
  std::array<double, 3> acceleration{};
  double viscosity = 0.0;
  double plane = 0.0;             ///< z of a 2D flow
  std::array<double, 3> stream{}; ///< the direction of drag, of length 1
  /// What runs that go on step by step need, and those with probes or an end where they are steady.
  std::optional<lattice::LatticeWatch<Dim>> watch{};
};

/// The lattice and the box of the finest level.
template <int Dim>
std::pair<geometry::GridGeometry<Dim>, geometry::Box<Dim>> finestOf(const LatticeSetup<Dim>& setup) {
  std::pair<geometry::GridGeometry<Dim>, geometry::Box<Dim>> finest{setup.lattice, setup.options.box};
  const int level = setup.options.refinement.numLevels - 1;
  for (int d = 0; d < Dim; ++d) {
    finest.first.spacing[d] = std::ldexp(finest.first.spacing[d], -level);
    finest.second.end[d] *= geometry::Coordinate{1} << level;
  }
  return finest;
}

/// Steps of a ramp (LatticeOptions::rampSteps) that makes little sound: a box rings at a period of 4 times that in
/// which sound crosses it, and these are two of them.
SPANWISELATTICE_EXPORT int quietRamp(std::int64_t cellsAlongX);

/// Collective. Throws on all ranks alike what LatticeFlow throws.
template <int Dim>
SPANWISELATTICE_EXPORT std::unique_ptr<LatticeRun> startLattice(const RankGroup& group, const LatticeSetup<Dim>& setup);

} // namespace spanwise

#endif
