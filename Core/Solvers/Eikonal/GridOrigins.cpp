#include "Core/Solvers/Eikonal/GridOrigins.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckCellCount.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckOptions.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <utility>

namespace spanwise::eikonal {

namespace {

/// M grad u from differences, and how far the sum of their squares is from 1: where the equation does not hold.
struct Flow {
  Point flow;
  double residual = 1.0;
};

template <class Stencil, int Dim>
struct Gradient {
  Stencil stencil;
  GridFactoringView<Dim> factoring;
  const double* times;
  double* gradient;
  bool secondOrder;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const auto cell = static_cast<std::int32_t>(item);
    const Point flow = flowAt(cell);
    const Point slope = stencil.grid.isWall(cell) ? Point() : stencil.grid.tensor(cell).inverse() * flow;
    for (int axis = 0; axis < Dim; ++axis) {
      gradient[axis * stencil.grid.numCells + item] = slope[axis];
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION Point flowAt(std::int32_t cell) const {
    if (!(times[cell] < notReached)) {
      return {};
    }
    const Reads<Stencil> reads = readNeighbours(stencil, cell, times, secondOrder);
    const Flow plain = flowFrom(cell, reads, nullptr);
    const FactoredSource<Dim>* const source = factoring.of(cell);
    if (source == nullptr) {
      return plain.flow;
    }
    // A time may have come without the source: those differences count that explain it.
    const auto straight = factoredCell(stencil, cell, reads, *source, notReached);
    const Flow factored = straight.square[0] > 0.0 ? flowFrom(cell, reads, &straight) : Flow();
    return factored.residual < plain.residual ? factored.flow : plain.flow;
  }

  [[nodiscard]] KOKKOS_FUNCTION Flow flowFrom(
    std::int32_t cell, const Reads<Stencil>& reads, const FactoredCells<Stencil::count, 1>* straight) const {
    Flow result;
    double sum = 0.0;
    for (int k = 0; k < Stencil::count; ++k) {
      const Upwind& read = reads.along[k];
      const bool second = read.next < notReached;
      double t = second ? (4.0 * read.time - read.next) / 3.0 : read.time;
      double derivative = 0.0; // of u, for one step
      if (straight != nullptr) {
        const FactoredDirection direction = factoredDirection(straight->along(k, 0), Kokkos::sqrt(straight->square[0]));
        derivative = direction.minHere ? direction.derivative : 0.0;
        t = Kokkos::max(direction.t, read.time) < times[cell] ? direction.t : notReached;
      }
      if (t < times[cell]) {
        derivative = (read.upper ? -1.0 : 1.0) * (second ? 1.5 : 1.0) * (times[cell] - t);
      }
      const double weight = reads.weights[k];
      result.flow = result.flow + weight * derivative * stencil.step(reads.at, k);
      sum += weight * derivative * derivative;
    }
    result.residual = Kokkos::abs(1.0 - sum);
    return result;
  }
};

template <class Stencil>
struct Origins {
  Stencil stencil;
  parallel::CellRange owned;
  const double* times;
  std::int32_t* origins;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const auto cell = static_cast<std::int32_t>(item);
    if (item < owned.begin || item >= owned.end) {
      origins[cell] = cell;
      return;
    }
    std::int32_t best = cell;
    double most = 0.0;
    forUsedDirections(stencil, cell, times, false,
      [&](const typename Stencil::Place& at, int k, const Upwind& read, double weight, double difference) {
        const double share = weight * difference * difference;
        if (share > most) {
          most = share;
          best = stencil.neighbour(at, k, 1, read.upper);
        }
      });
    origins[cell] = best != cell ? best : stencil.firstFace(cell, times);
  }
};

/// Whom a cell asks for its label: itself where it has one.
struct AskOrigin {
  const std::int32_t* origins;
  const std::int32_t* labels;
  std::int32_t* asks;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    asks[cell] = labels[cell] >= 0 ? static_cast<std::int32_t>(cell) : origins[cell];
  }
};

/// Asks whom the one that is asked would ask.
struct AskFarther {
  const std::int32_t* asks;
  std::int32_t* next;

  KOKKOS_FUNCTION void operator()(std::int64_t cell, std::int64_t& numChanged) const {
    next[cell] = asks[asks[cell]];
    numChanged += next[cell] != asks[cell] ? 1 : 0;
  }
};

struct TakeLabel {
  const std::int32_t* asks;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    if (asks[cell] != cell) { // those that are asked keep theirs
      labels[cell] = labels[asks[cell]];
    }
  }
};

struct CountLabels {
  const std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t cell, std::int64_t& count) const { count += labels[cell] >= 0 ? 1 : 0; }
};

/// Follows origins to cells that have labels or no origin.
template <class ExecutionSpace>
void followOrigins(
  const Context<ExecutionSpace>& context, std::int64_t numCells, const std::int32_t* origins, std::int32_t* labels) {
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  std::int32_t* asks = frame.template array<std::int32_t>(numCells).data();
  std::int32_t* next = frame.template array<std::int32_t>(numCells).data();
  const IndexRange<ExecutionSpace> cells(context.space(), 0, numCells);
  forEach(SPANWISE_KERNEL("ask origin"), cells, AskOrigin{origins, labels, asks});
  std::int64_t numChanged = numCells;
  while (numChanged > 0) {
    reduce(SPANWISE_KERNEL("ask farther"), cells, AskFarther{asks, next}, numChanged);
    std::swap(asks, next);
  }
  forEach(SPANWISE_KERNEL("take label"), cells, TakeLabel{asks, labels});
}

} // namespace

template <class ExecutionSpace, int Dim>
void gradientOfTimes(const Context<ExecutionSpace>& context, Grid<Dim, ExecutionSpace>& grid, int order,
  const CellArray<const double, ExecutionSpace>& times, const CellArray<double, ExecutionSpace>& gradient,
  const GridFactoringView<Dim>& factoring) {
  SPANWISE_REGION("Eikonal::gradientOfTimes");
  parallel::agree(grid.communicator(), [&] {
    checkOrder(order, grid.order());
    checkCellCount("times", times.extent(0), grid.numCells());
    checkCellCount("components of the gradient", gradient.extent(0), grid.numCells(), Dim);
    const IndexRange<ExecutionSpace> cells(context.space(), 0, grid.numCells());
    if (grid.hasDirections()) {
      forEach(SPANWISE_KERNEL("gradient"), cells,
        Gradient<TensorStencil<Dim>, Dim>{grid.view(), factoring, times.data(), gradient.data(), order == 2});
    } else {
      forEach(SPANWISE_KERNEL("gradient"), cells,
        Gradient<AxisStencil<Dim>, Dim>{grid.view(), factoring, times.data(), gradient.data(), order == 2});
    }
  });
  grid.bring(context.space(), gradient, Dim);
}

template <class ExecutionSpace, int Dim>
void findOrigins(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const CellArray<const double, ExecutionSpace>& times, const CellArray<std::int32_t, ExecutionSpace>& origins) {
  SPANWISE_REGION("Eikonal::findOrigins");
  parallel::agree(grid.communicator(), [&] {
    checkCellCount("times", times.extent(0), grid.numCells());
    checkCellCount("origins", origins.extent(0), grid.numCells());
    const IndexRange<ExecutionSpace> cells(context.space(), 0, grid.numCells());
    if (grid.hasDirections()) {
      forEach(SPANWISE_KERNEL("origins"), cells,
        Origins<TensorStencil<Dim>>{grid.view(), grid.owned(), times.data(), origins.data()});
    } else {
      forEach(SPANWISE_KERNEL("origins"), cells,
        Origins<AxisStencil<Dim>>{grid.view(), grid.owned(), times.data(), origins.data()});
    }
  });
}

template <class ExecutionSpace, int Dim>
void labelBySource(const Context<ExecutionSpace>& context, Grid<Dim, ExecutionSpace>& grid,
  const CellArray<const std::int32_t, ExecutionSpace>& origins, const CellArray<std::int32_t, ExecutionSpace>& labels) {
  SPANWISE_REGION("Eikonal::labelBySource");
  const Communicator& communicator = grid.communicator();
  parallel::agree(communicator, [&] {
    checkCellCount("origins", origins.extent(0), grid.numCells());
    checkCellCount("labels", labels.extent(0), grid.numCells());
  });
  std::int64_t before = -1;
  std::int64_t numLabelled = 0; // of the own cells of all ranks
  while (numLabelled > before) {
    before = numLabelled;
    grid.bring(context.space(), labels);
    parallel::agree(
      communicator, [&] { followOrigins<ExecutionSpace>(context, grid.numCells(), origins.data(), labels.data()); });
    if (!communicator.alone()) {
      reduce(SPANWISE_KERNEL("count labels"),
        IndexRange<ExecutionSpace>(context.space(), grid.owned().begin, grid.owned().end), CountLabels{labels.data()},
        numLabelled);
      numLabelled = communicator.reduced(ReduceBy::Sum, numLabelled);
    }
  }
}

#define SPANWISE_GRID_ORIGINS(Space, Dim)                                                                              \
  template void gradientOfTimes<Space, Dim>(const Context<Space>&, Grid<Dim, Space>&, int,                             \
    const CellArray<const double, Space>&, const CellArray<double, Space>&, const GridFactoringView<Dim>&);            \
  template void findOrigins<Space, Dim>(const Context<Space>&, const Grid<Dim, Space>&,                                \
    const CellArray<const double, Space>&, const CellArray<std::int32_t, Space>&);                                     \
  template void labelBySource<Space, Dim>(const Context<Space>&, Grid<Dim, Space>&,                                    \
    const CellArray<const std::int32_t, Space>&, const CellArray<std::int32_t, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_ORIGINS)

} // namespace spanwise::eikonal
