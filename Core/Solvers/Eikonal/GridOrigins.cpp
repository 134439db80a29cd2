#include "Core/Solvers/Eikonal/GridOrigins.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <string>
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
    const StraightTime<Stencil, Dim> straight(stencil, cell, *source);
    const Flow factored = straight.time > 0.0 ? flowFrom(cell, reads, &straight) : Flow();
    return factored.residual < plain.residual ? factored.flow : plain.flow;
  }

  [[nodiscard]] KOKKOS_FUNCTION Flow flowFrom(
    std::int32_t cell, const Reads<Stencil>& reads, const StraightTime<Stencil, Dim>* straight) const {
    Flow result;
    double sum = 0.0;
    for (int k = 0; k < Stencil::count; ++k) {
      const Upwind& read = reads.along[k];
      const bool second = read.next < notReached;
      double t = second ? (4.0 * read.time - read.next) / 3.0 : read.time;
      double derivative = 0.0; // of u, for one step
      if (straight != nullptr) {
        const FactoredDirection direction = straight->along(stencil, reads, k);
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
  const double* times;
  std::int32_t* origins;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const auto cell = static_cast<std::int32_t>(item);
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

void checkLength(const char* what, std::size_t length, std::int64_t expected) {
  if (static_cast<std::int64_t>(length) != expected) {
    throw InvalidArgument("there are " + std::to_string(length) + " " + what + ": for the grid's cells there must be " +
      std::to_string(expected));
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void gradientOfTimes(const ExecutionSpace& space, const GridOn<Dim, ExecutionSpace>& grid, int order,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& gradient,
  const GridFactoringView<Dim>& factoring) {
  SPANWISE_REGION("Eikonal::gradientOfTimes");
  if (order != 1 && order != 2) {
    throw InvalidArgument("order " + std::to_string(order) + " is asked for: differences have order 1 or 2");
  }
  checkLength("times", times.extent(0), grid.numCells());
  checkLength("components of the gradient", gradient.extent(0), Dim * grid.numCells());
  const IndexRange<ExecutionSpace> cells(space, 0, grid.numCells());
  if (grid.hasDirections()) {
    forEach(SPANWISE_KERNEL("gradient"), cells,
      Gradient<TensorStencil<Dim>, Dim>{grid.view(), factoring, times.data(), gradient.data(), order == 2});
  } else {
    forEach(SPANWISE_KERNEL("gradient"), cells,
      Gradient<AxisStencil<Dim>, Dim>{grid.view(), factoring, times.data(), gradient.data(), order == 2});
  }
}

template <class ExecutionSpace, int Dim>
void findOrigins(const ExecutionSpace& space, const GridOn<Dim, ExecutionSpace>& grid,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& origins) {
  SPANWISE_REGION("Eikonal::findOrigins");
  checkLength("times", times.extent(0), grid.numCells());
  checkLength("origins", origins.extent(0), grid.numCells());
  const IndexRange<ExecutionSpace> cells(space, 0, grid.numCells());
  if (grid.hasDirections()) {
    forEach(SPANWISE_KERNEL("origins"), cells, Origins<TensorStencil<Dim>>{grid.view(), times.data(), origins.data()});
  } else {
    forEach(SPANWISE_KERNEL("origins"), cells, Origins<AxisStencil<Dim>>{grid.view(), times.data(), origins.data()});
  }
}

template <class ExecutionSpace>
void labelBySource(const Context<ExecutionSpace>& context,
  const Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space>& origins,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& labels) {
  SPANWISE_REGION("Eikonal::labelBySource");
  const auto count = static_cast<std::int64_t>(origins.extent(0));
  checkLength("labels", labels.extent(0), count);
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  std::int32_t* asks = frame.template array<std::int32_t>(count).data();
  std::int32_t* next = frame.template array<std::int32_t>(count).data();
  const IndexRange<ExecutionSpace> cells(context.space(), 0, count);
  forEach(SPANWISE_KERNEL("ask origin"), cells, AskOrigin{origins.data(), labels.data(), asks});
  std::int64_t numChanged = count;
  while (numChanged > 0) {
    reduce(SPANWISE_KERNEL("ask farther"), cells, AskFarther{asks, next}, numChanged);
    std::swap(asks, next);
  }
  forEach(SPANWISE_KERNEL("take label"), cells, TakeLabel{asks, labels.data()});
}

#define SPANWISE_GRID_ORIGINS(Space, Dim)                                                                              \
  template void gradientOfTimes<Space, Dim>(const Space&, const GridOn<Dim, Space>&, int,                              \
    const Kokkos::View<const double*, Space::memory_space>&, const Kokkos::View<double*, Space::memory_space>&,        \
    const GridFactoringView<Dim>&);                                                                                    \
  template void findOrigins<Space, Dim>(const Space&, const GridOn<Dim, Space>&,                                       \
    const Kokkos::View<const double*, Space::memory_space>&, const Kokkos::View<std::int32_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_ORIGINS)

#define SPANWISE_LABEL_BY_SOURCE(Space)                                                                                \
  template void labelBySource<Space>(const Context<Space>&,                                                            \
    const Kokkos::View<const std::int32_t*, Space::memory_space>&,                                                     \
    const Kokkos::View<std::int32_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_LABEL_BY_SOURCE)

} // namespace spanwise::eikonal
