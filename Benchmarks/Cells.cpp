// Sets of listed cells: 24 million of a shell that is 11 cells thick, in their order and in none.

#include "Core/Geometry/Builders/Cells.hpp"
#include "Benchmarks/Inputs.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

namespace spanwise::benchmarks {
namespace {

constexpr std::size_t numListed = 24'000'000;

/// The first cells of the shell; the same in every run.
std::vector<Cell<3>> listedCells(bool inOrder) {
  const HostIntervalSet<3> shell = makeShell(0, 516.0, 505.0);
  const IntervalSetView<3> view = shell.view();
  std::vector<Cell<3>> cells;
  cells.reserve(static_cast<std::size_t>(view.numCells));
  for (std::int64_t r = 0; r < view.numRows; ++r) {
    for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
      for (Coordinate x = view.intervals[i].begin; x < view.intervals[i].end; ++x) {
        cells.push_back({{x, view.rowKeys[r].y, view.rowKeys[r].z}});
      }
    }
  }
  cells.resize(std::min(cells.size(), numListed));
  if (!inOrder) {
    std::shuffle(cells.begin(), cells.end(), std::mt19937_64(1));
  }
  return cells;
}

template <bool inOrder, class Where>
void cellsToSet(benchmark::State& state) {
  static const std::vector<Cell<3>> listed = listedCells(inOrder);
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  const Space space = Where::space();
  const Context context(space);
  const Kokkos::View<const Cell<3>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> there(
    listed.data(), listed.size());
  const Kokkos::View<Cell<3>*, Memory> cells("Benchmarks::cells", listed.size());
  Kokkos::deep_copy(cells, there);
  IntervalSetOn<3, Space> out;
  const double seconds = secondsOf(state, space, [&] { geometry::makeFromCells<Space, 3>(context, cells, out); });
  double bytes = static_cast<double>(listed.size() * sizeof(Cell<3>));
  bytesOf(out, true, bytes);
  reportCells(state, space, seconds, static_cast<std::int64_t>(listed.size()), bytes);
  state.counters["cells"] = static_cast<double>(out.numCells());
}

#define SPANWISE_BENCH_CELLS(Where, text)                                                                              \
  BENCHMARK(cellsToSet<true, Where>)                                                                                   \
    ->Name("Spanwise/shell/Cells to a set, in order/" text)                                                            \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();                                                                                                   \
  BENCHMARK(cellsToSet<false, Where>)                                                                                  \
    ->Name("Spanwise/shell/Cells to a set, shuffled/" text)                                                            \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
SPANWISE_BENCH_CELLS(OneThread, "1 thread")
SPANWISE_BENCH_CELLS(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_CELLS(Device, "device")
#endif

} // namespace
} // namespace spanwise::benchmarks
