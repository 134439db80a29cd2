// Levels: refining and coarsening sets; a hierarchy refined by a rule and balanced, beside p4est; values between
// levels. Counted bytes of sets: what has to be read and written once, that is 8 (16 written) an interval and 16 (3D)
// or 12 (2D) a row. Counted bytes of transfer: the coarse and the fine values once.

#include "Core/Multilevel/Levels.hpp"
#include "Benchmarks/Hierarchies.hpp"
#include "Benchmarks/Inputs.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Copy.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Multilevel/Transfer.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <vector>

namespace spanwise::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(const Clock::time_point& begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// --- sets ---

enum class Direction { Refine, Coarsen };

template <int Dim, Pair<Dim> (*Make)(), Direction direction, class Where>
void refineSet(benchmark::State& state) {
  static const HostIntervalSet<Dim> set = Make().a;
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context context(space);
  IntervalSetOn<Dim, Space> a;
  IntervalSetOn<Dim, Space> out;
  copy(set, a);
  const auto begin = Clock::now();
  for (auto _ : state) {
    if constexpr (direction == Direction::Refine) {
      refine<Space, Dim>(context, a, out);
    } else {
      coarsen<Space, Dim>(context, Coarsening::Outside, a, out);
    }
    space.fence();
    benchmark::ClobberMemory();
  }
  const double seconds = secondsSince(begin);
  double bytes = 0.0;
  bytesOf(set, false, bytes);
  bytesOf(out, true, bytes);
  report(state, space, seconds, static_cast<double>(set.numIntervals()), bytes);
  state.counters["cells"] = static_cast<double>(out.numCells());
}

// --- hierarchies ---

template <int Dim, class Where>
void refineAndBalance(benchmark::State& state) {
  using Space = typename Where::Space;
  using Memory = typename Space::memory_space;
  const Space space = Where::space();
  const Context context(space);
  MultilevelSetOn<Dim, Space> levels;
  RuleScratch<Dim, Memory> scratch;
  double refining = 0.0;
  double balancing = 0.0;
  double refined = 0.0;
  for (auto _ : state) {
    const auto begin = Clock::now();
    refineByRule<Space, Dim>(context, levels, scratch);
    space.fence();
    const double afterRefining = secondsSince(begin);
    refined = static_cast<double>(levels.numLeaves());
    balance<Space, Dim>(context, Connectivity::Vertex, levels);
    space.fence();
    const double all = secondsSince(begin);
    refining += afterRefining;
    balancing += all - afterRefining;
    state.SetIterationTime(all);
  }
  const auto rounds = static_cast<double>(state.iterations());
  const auto leaves = static_cast<double>(levels.numLeaves());
  state.counters["leaves"] = leaves;
  state.counters["leaves/s"] = rounds * leaves / (refining + balancing);
  state.counters["refined leaves/s"] = rounds * refined / refining;
  state.counters["balanced leaves/s"] = rounds * leaves / balancing;
}

// --- values ---

// Doubles on cells that are refined, and on the children of these, both beyond the caches: bytes are each of them once.

/// A disk of 12.6 M fine cells, a ball of 11.5 M, and a shell of 35 M that is 8 cells thick.
struct Disk {
  static constexpr int dimension = 2;
  static HostIntervalSet<2> coarse(bool refined) {
    SetWriter<2> writer;
    const double radius = refined ? 1000.0 : 1010.0;
    for (auto y = static_cast<Coordinate>(-radius); y <= radius; ++y) {
      const auto half = static_cast<Coordinate>(std::sqrt(radius * radius - static_cast<double>(y) * y));
      writer.add(RowKey<2>::fromYZ(y, 0), -half, half + 1);
    }
    return writer.finish();
  }
};
struct Ball {
  static constexpr int dimension = 3;
  static HostIntervalSet<3> coarse(bool refined) { return makeShell(0, refined ? 70.0 : 80.0, 0.0); }
};
struct Shell {
  static constexpr int dimension = 3;
  static HostIntervalSet<3> coarse(bool refined) {
    return makeShell(0, refined ? 300.0 : 302.0, refined ? 296.0 : 294.0);
  }
};

/// Coarse cells, the children of those that are refined, and values of both.
template <class Shape, class Where>
struct TwoLevels {
  static constexpr int Dim = Shape::dimension;
  using Space = typename Where::Space;

  Space space = Where::space();
  const Context<Space> context{space};
  TransferMapOn<Dim, Space> map;
  FieldOn<double, Space> coarse;
  FieldOn<double, Space> fine;
  double bytes;

  explicit TwoLevels(Prolongation method) {
    IntervalSetOn<Dim, Space> coarseCells;
    IntervalSetOn<Dim, Space> fineCells;
    copy(Shape::coarse(false), coarseCells);
    copy(Shape::coarse(true), fineCells);
    const std::int64_t numRefined = fineCells.numCells();
    refine<Space, Dim>(context, fineCells, fineCells);
    buildTransferMap<Space, Dim>(context, coarseCells, fineCells, fineCells, method, map);
    HostField<double> values("coarse", coarseCells.numCells());
    std::uint64_t seed = 1;
    for (std::int64_t k = 0; k < values.numCells(); ++k) {
      values.view()(k) = static_cast<double>(splitMix64(seed) >> 40U);
    }
    copy(values, coarse);
    fine.resize(fineCells.numCells());
    fill<Space, double>(context, fine, 2.5);
    bytes = static_cast<double>(numRefined + fine.numCells()) * sizeof(double);
  }
};

template <class Shape, class Where>
void restrictValues(benchmark::State& state) {
  TwoLevels<Shape, Where> on(Prolongation::Injection);
  const double seconds = secondsOf(state, on.space,
    [&] { restrictTo<typename Where::Space, Shape::dimension, double>(on.context, on.map, on.fine, on.coarse); });
  reportCells(state, on.space, seconds, on.fine.numCells(), on.bytes);
}

template <class Shape, Prolongation method, class Where>
void prolongValues(benchmark::State& state) {
  TwoLevels<Shape, Where> on(method);
  const double seconds = secondsOf(state, on.space,
    [&] { prolong<typename Where::Space, Shape::dimension, double>(on.context, on.map, on.coarse, on.fine); });
  reportCells(state, on.space, seconds, on.fine.numCells(), on.bytes);
}

#define SPANWISE_BENCH(Dim, Make, direction, Where, text)                                                              \
  BENCHMARK(refineSet<Dim, Make, Direction::direction, Where>)                                                         \
    ->Name("Spanwise/" #Make "/" #direction "/" text)                                                                  \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_WHERE(Dim, Make, Where, text)                                                                   \
  SPANWISE_BENCH(Dim, Make, Refine, Where, text)                                                                       \
  SPANWISE_BENCH(Dim, Make, Coarsen, Where, text)
SPANWISE_BENCH_ALL_CASES

#define SPANWISE_BENCH_LEVELS(Dim, name, Where, text)                                                                  \
  BENCHMARK(refineAndBalance<Dim, Where>)                                                                              \
    ->Name("Spanwise/" name "/refine and balance/" text)                                                               \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseManualTime();
#define SPANWISE_BENCH_VALUES(Shape, name, text, ...)                                                                  \
  BENCHMARK(__VA_ARGS__)->Name("Spanwise/" #Shape "/" name "/" text)->Unit(benchmark::kMillisecond)->UseRealTime();
#define SPANWISE_BENCH_PROLONG(Shape, method, Where, text)                                                             \
  SPANWISE_BENCH_VALUES(Shape, "Prolong " #method, text, prolongValues<Shape, Prolongation::method, Where>)
#define SPANWISE_BENCH_TRANSFER(Shape, Where, text)                                                                    \
  SPANWISE_BENCH_VALUES(Shape, "Restrict", text, restrictValues<Shape, Where>)                                         \
  SPANWISE_BENCH_PROLONG(Shape, Injection, Where, text)                                                                \
  SPANWISE_BENCH_PROLONG(Shape, Linear, Where, text)                                                                   \
  SPANWISE_BENCH_PROLONG(Shape, Minmod, Where, text)                                                                   \
  SPANWISE_BENCH_PROLONG(Shape, MonotonizedCentral, Where, text)                                                       \
  SPANWISE_BENCH_PROLONG(Shape, ThirdOrder, Where, text)
#define SPANWISE_BENCH_HIERARCHY(Where, text)                                                                          \
  SPANWISE_BENCH_LEVELS(2, "circle", Where, text)                                                                      \
  SPANWISE_BENCH_LEVELS(3, "sphere", Where, text)                                                                      \
  SPANWISE_BENCH_TRANSFER(Disk, Where, text)                                                                           \
  SPANWISE_BENCH_TRANSFER(Ball, Where, text)                                                                           \
  SPANWISE_BENCH_TRANSFER(Shell, Where, text)

SPANWISE_BENCH_HIERARCHY(OneThread, "1 thread")
SPANWISE_BENCH_HIERARCHY(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_HIERARCHY(Device, "device")
#endif

} // namespace
} // namespace spanwise::benchmarks
