#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Multilevel/LevelHalo.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/FrameArrays.hpp"
#include "Core/Solvers/Lattice/LatticeOptions.hpp"
#include "Core/Solvers/Lattice/WallLink.hpp"

#include <cstdint>
#include <memory>

namespace spanwise::lattice::detail {

/// Where populations are: a rank's cells with fluid, with their halo.
template <class ExecutionSpace, int Dim>
struct PopulationCells {
  geometry::IntervalSetOn<Dim, ExecutionSpace> set;
  parallel::HaloPlan plan;
};

/// The cells of one of several levels.
template <class ExecutionSpace, int Dim>
struct LevelCells {
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;

  Set held;                                                   ///< all that there are populations of
  Set leaves;                                                 ///< this rank's cells with fluid that have no children
  Set parents;                                                ///< those of them beside cells that have some
  Set ghosts;                                                 ///< this rank's children of parents of the level below
  parallel::PlaneRange planes;                                ///< of this rank
  multilevel::LevelHalo<ExecutionSpace, Dim>* halo = nullptr; ///< of `held`, where others have a part of it
};

/// The populations of the cells with fluid, whatever their velocities and types. Steps are those of
/// LatticeOptions. Between steps they are as collisions have left them.
template <class ExecutionSpace, int Dim>
class Populations {
public:
  using Values = field::FieldOn<double, ExecutionSpace>;

  virtual ~Populations() = default;

  /// Collective. Equilibrium of densities and velocities: Dim + 1 components of this rank's own cells.
  virtual void start(const Context<ExecutionSpace>& context, const Values& moments) = 0;
  /// Collective. One step, in which inflows and walls have so much of their velocities.
  virtual void step(const Context<ExecutionSpace>& context, double part) = 0;

  // Of levels. A step of one is: explode() into the finer one; two steps of that; and its own. All functions are
  // collective.
  /// `coarser` outlives this level's populations; its parents are those that ghost cells here are children of.
  virtual void attach(const Context<ExecutionSpace>& context, Populations& coarser) = 0;
  virtual void explode(const Context<ExecutionSpace>& context) = 0;
  /// `finer` is null where there is none. Ghost cells stream in the first of the two steps.
  virtual void stepLevel(
    const Context<ExecutionSpace>& context, double part, bool ghostsStream, const Populations* finer) = 0;
  /// Gives the coarser level what has come to its cells, after the two steps.
  virtual void coalesce(const Context<ExecutionSpace>& context) const = 0;
  /// All populations of leaves as numbers, for another set of levels; [leaf][population].
  virtual void get(const Context<ExecutionSpace>& context, Values& out) const = 0;
  virtual void put(const Context<ExecutionSpace>& context, const Values& from) = 0;
  /// Densities and velocities, the same components.
  virtual void moments(const Context<ExecutionSpace>& context, Values& out) const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// What was sent.
  [[nodiscard]] virtual parallel::MessageReport messages() const = 0;
  /// What neighbours of cells are found by.
  [[nodiscard]] virtual const field::Boundary<Dim>& boundary() const = 0;

  /// Finds the links of this rank's cells to obstacles, with walls halfway.
  virtual void findLinks(const Context<ExecutionSpace>& context) = 0;
  using Links = Kokkos::View<WallLink*, typename ExecutionSpace::memory_space>;
  [[nodiscard]] virtual const Links& links() const = 0;
  /// From now on walls are where the fractions of links say.
  virtual void useFractions() = 0;
  /// What goes through these links in the step that comes. `cells` are this rank's.
  virtual WallForce<Dim> force(const Context<ExecutionSpace>& context, const geometry::IntervalSetView<Dim>& cells,
    const double (&about)[Dim]) const = 0;

  /// All populations of this rank's own cells, as they are stored: what a run goes on from, to the last bit.
  virtual void store(const Context<ExecutionSpace>& context, FrameWriter& to) const = 0;
  /// Collective.
  virtual void restore(const Context<ExecutionSpace>& context, FrameReader& from) = 0;
};

/// Collective. Populations as the options want them.
template <class ExecutionSpace, int Dim>
std::unique_ptr<Populations<ExecutionSpace, Dim>> makePopulations(const Context<ExecutionSpace>& context,
  const LatticeOptions<Dim>& options, const PopulationCells<ExecutionSpace, Dim>& cells);

/// Collective. The populations of a level. `options` are in its own cells and steps.
template <class ExecutionSpace, int Dim>
std::unique_ptr<Populations<ExecutionSpace, Dim>> makePopulations(const Context<ExecutionSpace>& context,
  const LatticeOptions<Dim>& options, const LevelCells<ExecutionSpace, Dim>& cells);

/// The same for a set of velocities and the type that populations are stored in. `Cells` are those of the only level or
/// of one of several.
template <class Set, class T, class ExecutionSpace, class Cells>
std::unique_ptr<Populations<ExecutionSpace, Set::dimension>> makePopulationsOf(
  const Context<ExecutionSpace>& context, const LatticeOptions<Set::dimension>& options, const Cells& cells);

} // namespace spanwise::lattice::detail
