#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Parallel/CellMove.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Grid.hpp"
#include "Core/Solvers/Eikonal/GridBorder.hpp"
#include "Core/Solvers/Eikonal/Speed.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>

namespace spanwise::eikonal {

/// Straight lines from source points go across so many planes (startAtPoints()).
inline constexpr std::int64_t planesOfSources = 2;

/// The grid of a set whose cells are spread over ranks, cut along the slowest axis: for each rank that of its own cells
/// and of those around them that fronts and sources must know, the halo. Every cell is held once and with the
/// coordinates that it has, on an axis that repeats too: there the halo of the first planes is in the last ones. So a
/// rank sees around its own cells just what one rank sees that has the whole set.
///
///   RankGrid<Space, 3> grid(communicator);
///   grid.build(space, cut, set, lattice, periods, speed, options.order, workspace);
///   Kokkos::View<double*, Memory> times("times", grid.numCells()); // of the held cells; notReached everywhere
///   startAtPointsOnRanks<Space, 3>(space, grid, points, PointsOf::EveryRank, radius, times, factoring, workspace);
///   computeGridTimesOnRanks<Space, 3>(space, grid, options, factoring.view(), times, workspace);
///   ... the times of this rank's cells, in their order: times(grid.owned().begin ... grid.owned().end) ...
///
/// With one rank (SingleProcess) it is the grid of the whole set. Keeps its memory. Lives no longer than the
/// communicator.
template <class ExecutionSpace, int Dim>
class RankGrid {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;

  explicit RankGrid(const Communicator& communicator) : move_(communicator) {}

  /// Collective. Makes the grid for the cells of all ranks, as buildGrid() does. `set` has this rank's cells, all in
  /// part rank() of the cut, which all give alike; it may have none. Speeds are those of its cells, in their order.
  /// `order` is the highest that times and gradients will be computed with. The halo has two planes, or as many as the
  /// vectors reach that the tensors of any rank are decomposed into: on that all ranks agree. `planesOfLines`: at least
  /// so many, the same on all ranks, which straight lines from sources go across.
  ///
  /// Throws, on all ranks, as buildGrid() does, with the numbers of the rank's own cells, and InvalidArgument where the
  /// order is not 1 or 2, cells lie outside of the rank's part, or ranks give different lattices, periods, kinds of
  /// speed or orders. Refers to the arrays of the speeds where cells did not have to move, and has copies where they
  /// had.
  void build(const Context<ExecutionSpace>& context, const parallel::RowCut& cut, const Set& set,
    const geometry::GridGeometry<Dim>& lattice, const geometry::Periods<Dim>& periods, const Speed& speed, int order,
    std::int64_t planesOfLines = planesOfSources);

  [[nodiscard]] const Communicator& communicator() const { return move_.communicator(); }
  /// The cells that this rank holds: its own and its halo.
  [[nodiscard]] const Set& set() const { return set_; }
  [[nodiscard]] const Grid<Dim, Memory>& grid() const { return grid_; }
  [[nodiscard]] std::int64_t numCells() const { return grid_.numCells(); }
  /// Which of them are its own: in the order of the set that was given.
  [[nodiscard]] parallel::CellRange owned() const { return owned_; }
  [[nodiscard]] const parallel::RowCut& cut() const { return cut_; }
  [[nodiscard]] int order() const { return order_; }

  /// Collective. Brings values of own cells, component by component, to where they are in the halo: values
  /// [numComponents][numCells()]. Throws InvalidArgument on all ranks where an array has another length.
  template <class T>
  void bring(const ExecutionSpace& space, const Kokkos::View<T*, Memory>& values, int numComponents = 1) {
    FieldView<T> field;
    field.values = values.data();
    field.numComponents = numComponents;
    field.numCells = static_cast<std::int64_t>(values.extent(0)) / numComponents;
    field.componentStride = field.numCells;
    exchange_->exchange(space, field); // NOLINT(bugprone-unchecked-optional-access): build() comes first
  }

  /// What times go over while they are computed.
  [[nodiscard]] GridBorder<ExecutionSpace>& border() { return *border_; } // NOLINT(bugprone-unchecked-optional-access)
  /// What this rank has sent since the grid was built.
  [[nodiscard]] parallel::MessageReport report() const;

private:
  void checkInput(const ExecutionSpace& space, const parallel::RowCut& cut, const Set& set, int order) const;
  void connect(
    const ExecutionSpace& space, const parallel::PlaneRange& period, std::int64_t planesHeld, std::int64_t planesSeen);

  parallel::CellMove<ExecutionSpace, Dim> move_;
  Set set_;
  Kokkos::View<double*, Memory> speeds_;
  Grid<Dim, Memory> grid_;
  parallel::RowCut cut_;
  parallel::CellRange owned_;
  int order_ = 1;
  std::optional<parallel::HaloExchange<ExecutionSpace>> exchange_;
  std::optional<GridBorder<ExecutionSpace>> border_;
};

} // namespace spanwise::eikonal
