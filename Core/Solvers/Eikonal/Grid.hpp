#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Parallel/CellMove.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Detail/GridNeighbours.hpp"
#include "Core/Solvers/Eikonal/GridBorder.hpp"
#include "Core/Solvers/Eikonal/GridView.hpp"
#include "Core/Solvers/Eikonal/Speed.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace spanwise::eikonal {

/// Straight lines from source points go across so many planes (startAtPoints()).
inline constexpr std::int64_t planesOfSources = 2;

/// What ranks hold of a grid around their own cells. All give the same.
struct GridHalo {
  int order = 2; ///< the highest that times and gradients are computed with
  /// At least so many planes, which straight lines from sources go across.
  std::int64_t planesOfLines = planesOfSources;
};

/// An array with entries for the cells that a grid holds.
template <class T, class ExecutionSpace>
using CellArray = Kokkos::View<T*, typename ExecutionSpace::memory_space>;

/// A set of cells as the solver on grids needs it: the neighbours of each cell, and for tensors that are not diagonal
/// the directions that they are decomposed into. An image is the set of all cells of a box. Made once for a set and its
/// speeds, used for any number of solutions. It refers to the arrays of the speeds. Keeps its memory.
///
/// Where the cells are spread over ranks, cut along the slowest axis, each rank holds its own and those around them
/// that fronts and sources must know, the halo. Every cell is held once and with the coordinates that it has, on an
/// axis that repeats too: there the halo of the first planes is in the last ones. Arrays have an entry for each cell
/// that is held. One process holds the set.
///
///   const Context<Space> context(space, communicator);
///   Grid<3, Space> grid;
///   buildGrid(context, set, lattice, SetDomain<3>(communicator, cut), speed, grid);
///   CellArray<double, Space> times("times", grid.numCells()); // notReached everywhere
///   startAtPoints(context, grid, points, radius, times, factoring);
///   computeGridTimes(context, grid, options, factoring.view(), times);
///   ... the times of this rank's cells, in their order: times(grid.owned().begin ... grid.owned().end) ...
///
/// Lives no longer than the communicator.
template <int Dim, class ExecutionSpace>
class Grid {
public:
  using View = GridView<Dim>;
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;

  [[nodiscard]] const View& view() const { return neighbours_.view(); }
  /// The cells that this rank holds: its own and its halo.
  [[nodiscard]] const Set& set() const { return set_; }
  [[nodiscard]] std::int64_t numCells() const { return view().numCells; }
  /// Which of them are its own: in the order of the set that was given.
  [[nodiscard]] parallel::CellRange owned() const { return owned_; }
  /// Whether a tensor couples axes, so that differences along other directions than the axes are taken.
  [[nodiscard]] bool hasDirections() const { return view().directions != nullptr; }
  /// About the mean over all ranks' cells of the least travel time to a neighbour along an axis; walls do not count.
  [[nodiscard]] double meanCellTime() const { return meanCellTime_; }
  [[nodiscard]] std::size_t bytes() const { return neighbours_.bytes(); }

  [[nodiscard]] const Communicator& communicator() const { return *communicator_; }
  [[nodiscard]] const geometry::SetDomain<Dim>& domain() const { return domain_; }
  /// The highest order of differences that the halo is enough for.
  [[nodiscard]] int order() const { return order_; }

  /// Collective. Brings values of own cells, component by component, to where they are in the halo: values
  /// [numComponents][numCells()]. Throws InvalidArgument on all ranks where an array has another length.
  template <class T>
  void bring(const ExecutionSpace& space, const Kokkos::View<T*, Memory>& values, int numComponents = 1) {
    if (exchange_) {
      FieldView<T> field;
      field.values = values.data();
      field.numComponents = numComponents;
      field.numCells = static_cast<std::int64_t>(values.extent(0)) / numComponents;
      field.componentStride = field.numCells;
      exchange_->exchange(space, field);
    }
  }

  /// What times go over while they are computed.
  [[nodiscard]] GridBorder<ExecutionSpace>& border() { return *border_; } // NOLINT(bugprone-unchecked-optional-access)
  /// What this rank has sent since the grid was built.
  [[nodiscard]] parallel::MessageReport report() const;

private:
  template <class Space, int D>
  friend void buildGrid(const Context<Space>&, const geometry::IntervalSetOn<D, Space>&,
    const geometry::GridGeometry<D>&, const geometry::SetDomain<D>&, const Speed&, Grid<D, Space>&, const GridHalo&);

  Speed hold(const Context<ExecutionSpace>& context, std::int64_t planes, const Set& set, const Speed& speed);
  void connect(const Context<ExecutionSpace>& context, std::int64_t planesHeld, std::int64_t planesSeen);

  const Communicator* communicator_ = &singleProcess();
  geometry::SetDomain<Dim> domain_;
  Set set_;
  parallel::CellRange owned_;
  GridNeighbours<Dim, Memory> neighbours_;
  double meanCellTime_ = 0.0;
  int order_ = 2;
  std::optional<GridBorder<ExecutionSpace>> border_;
  // With other ranks:
  std::optional<parallel::CellMove<ExecutionSpace, Dim>> move_;
  Kokkos::View<double*, Memory> speeds_;
  std::optional<parallel::HaloExchange<ExecutionSpace>> exchange_;
};

/// Collective. out = the grid of the cells of all ranks, which lie in `lattice`. `set` has this rank's cells, all in
/// its planes of the domain; it may have none. Speeds are those of its cells, in their order (`Speed` calls them
/// elements); cells with speed 0, and what is not in the set, are walls.
///
/// Tensors that couple axes are decomposed, M = sum over k of w_k e_k e_k^T with w_k >= 0 and vectors e_k between
/// cells: 3 in 2D and 6 in 3D, from an obtuse superbase of the lattice (E. Selling 1874; J. H. Conway, N. J. A. Sloane,
/// Proc. R. Soc. Lond. A 436 (1992) 55-68). |grad u|_M^2 is then a sum of squared differences along the e_k, and the
/// scheme is as causal and monotone as along axes (J.-M. Mirebeau, Riemannian fast-marching on Cartesian grids using
/// Voronoi's first reduction of quadratic forms, SIAM J. Numer. Anal. 57 (2019) 2608-2655). The e_k reach farther the
/// more M prefers a direction, about as many cells as fronts are faster along it; a neighbour counts if all cells on
/// the line to it are in the set. The halo has as many planes as they reach on any rank.
///
/// O(cells + segments); with such tensors O(cells * log rows), and 28 * 6 (3D) + 48 ... 96 bytes a cell. Refers to the
/// arrays of the speeds where cells did not have to move, and has copies where they had. Throws InvalidArgument, on all
/// ranks, where a speed is negative, NaN or infinite, a tensor is not positive definite (2D: of xx, yy, xy), speeds are
/// those of vertices, the spacing is not positive, a period does not hold the set, there are 2^31 - 1 cells or more,
/// the order is not 1 or 2, cells lie outside of the rank's planes, or ranks give different lattices, periods, kinds of
/// speed or halos.
template <class ExecutionSpace, int Dim>
void buildGrid(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const geometry::GridGeometry<Dim>& lattice, const geometry::SetDomain<Dim>& domain, const Speed& speed,
  Grid<Dim, ExecutionSpace>& out, const GridHalo& halo = {});

} // namespace spanwise::eikonal
