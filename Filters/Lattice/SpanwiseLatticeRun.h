#ifndef SpanwiseLatticeRun_h
#define SpanwiseLatticeRun_h

// A lattice Boltzmann flow of a group, in 2D or 3D, in the user's units. Not wrapped and not installed.

#include "SpanwiseRankGroup.h"

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Parallel/Stepping.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"
#include "Core/Solvers/Lattice/LatticeOptions.hpp"
#include "Core/Solvers/Lattice/LatticeUnits.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>

class vtkPartitionedDataSetCollection;
class vtkTable;

namespace spanwise {

/// A flow that steps, and what it shows. Keeps the group that it was made with: ranks go on together.
class LatticeRun {
public:
  virtual ~LatticeRun() = default;

  /// Which run it is, for checkpoints.
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual parallel::Stepper& stepper() = 0;
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

/// How a flow begins, beside its options.
template <int Dim>
struct LatticeSetup {
  lattice::LatticeOptions<Dim> options{};
  lattice::LatticeUnits units{};
  geometry::GridGeometry<Dim> lattice{};  ///< of the coarsest level
  geometry::HostIntervalSet<Dim> cells{}; ///< this rank's, of the finest level
  lattice::CellsHold hold = lattice::CellsHold::Solid;
  std::optional<BallSurface<Dim>> surface{}; ///< of the cells
  lattice::FluidState<Dim> start{};          ///< everywhere, in units of the lattice
  double density = 1.0;                      ///< of the fluid
  std::array<double, 3> acceleration{};
  double viscosity = 0.0;
  double plane = 0.0;             ///< z of a 2D flow
  std::array<double, 3> stream{}; ///< the direction of drag, of length 1
};

/// Collective. Throws on all ranks alike what LatticeFlow throws.
template <int Dim>
std::unique_ptr<LatticeRun> startLattice(const RankGroup& group, const LatticeSetup<Dim>& setup);

} // namespace spanwise

#endif
