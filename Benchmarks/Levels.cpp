// Levels: refining and coarsening sets; a hierarchy refined by a rule and balanced, beside p4est; values between
// levels. Counted bytes of sets: what has to be read and written once, that is 8 (16 written) an interval and 16 (3D)
// or 12 (2D) a row. Counted bytes of transfer: the coarse and the fine values once.

#include "Core/Multilevel/Levels.hpp"
#include "Benchmarks/Hierarchies.hpp"
#include "Benchmarks/Inputs.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Field/Arithmetic.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Multilevel/Transfer.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
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
  Workspace<typename Space::memory_space> workspace;
  IntervalSetOn<Dim, Space> a;
  IntervalSetOn<Dim, Space> out;
  copy(set, a);
  const auto begin = Clock::now();
  for (auto _ : state) {
    if constexpr (direction == Direction::Refine) {
      refine<Space, Dim>(space, a, out, workspace);
    } else {
      coarsen<Space, Dim>(space, Coarsening::Outside, a, out, workspace);
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
  Workspace<Memory> workspace;
  MultilevelSetOn<Dim, Space> levels;
  RuleScratch<Dim, Memory> scratch;
  double refining = 0.0;
  double balancing = 0.0;
  double refined = 0.0;
  for (auto _ : state) {
    const auto begin = Clock::now();
    refineByRule<Space, Dim>(space, levels, scratch, workspace);
    space.fence();
    const double afterRefining = secondsSince(begin);
    refined = static_cast<double>(levels.numLeaves());
    balance<Space, Dim>(space, Connectivity::Vertex, levels, workspace);
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

enum class Transfer { Restrict, Inject, Linear, ThirdOrder };

/// A ball of 1.4 M cells that is refined, in one of 2.1 M; or a shell.
template <bool isShell>
HostIntervalSet<3> coarseSet(bool refined) {
  return isShell ? makeShell(0, refined ? 300.0 : 302.0, refined ? 296.0 : 294.0)
                 : makeShell(0, refined ? 70.0 : 80.0, 0.0);
}

template <bool isShell, Transfer transfer, class Where>
void transferValues(benchmark::State& state) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  Workspace<typename Space::memory_space> workspace;
  IntervalSetOn<3, Space> coarse;
  IntervalSetOn<3, Space> fine;
  copy(coarseSet<isShell>(false), coarse);
  copy(coarseSet<isShell>(true), fine);
  const auto numRefined = static_cast<double>(fine.numCells());
  refine<Space, 3>(space, fine, fine, workspace);
  TransferMapOn<3, Space> map;
  const auto method = transfer == Transfer::Linear ? Prolongation::Linear
    : transfer == Transfer::ThirdOrder             ? Prolongation::ThirdOrder
                                                   : Prolongation::Injection;
  buildTransferMap<Space, 3>(space, coarse, fine, fine, method, map, workspace);
  FieldOn<double, Space> coarseField("coarse", coarse.numCells());
  FieldOn<double, Space> fineField("fine", fine.numCells());
  fill<Space, double>(space, coarseField, 1.5);
  fill<Space, double>(space, fineField, 2.5);
  const auto begin = Clock::now();
  for (auto _ : state) {
    if constexpr (transfer == Transfer::Restrict) {
      restrictTo<Space, 3, double>(space, map, fineField, coarseField);
    } else {
      prolong<Space, 3, double>(space, map, coarseField, fineField, workspace);
    }
    space.fence();
    benchmark::ClobberMemory();
  }
  const double seconds = secondsSince(begin);
  const double bytes = (numRefined + static_cast<double>(fine.numCells())) * sizeof(double);
  const auto rounds = static_cast<double>(state.iterations());
  state.counters["cells/s"] =
    benchmark::Counter(rounds * static_cast<double>(fine.numCells()), benchmark::Counter::kIsRate);
  state.counters["bytes/s"] = benchmark::Counter(rounds * bytes, benchmark::Counter::kIsRate);
  const double limit = runsOnHost<Space> ? copyBandwidth(space.concurrency()) : deviceCopyBandwidth();
  state.counters["share of copy"] = rounds * bytes / seconds / limit;
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
#define SPANWISE_BENCH_TRANSFER(isShell, name, transfer, Where, text)                                                  \
  BENCHMARK(transferValues<isShell, Transfer::transfer, Where>)                                                        \
    ->Name("Spanwise/" name "/" #transfer " values/" text)                                                             \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_ALL_TRANSFERS(isShell, name, Where, text)                                                       \
  SPANWISE_BENCH_TRANSFER(isShell, name, Restrict, Where, text)                                                        \
  SPANWISE_BENCH_TRANSFER(isShell, name, Inject, Where, text)                                                          \
  SPANWISE_BENCH_TRANSFER(isShell, name, Linear, Where, text)                                                          \
  SPANWISE_BENCH_TRANSFER(isShell, name, ThirdOrder, Where, text)
#define SPANWISE_BENCH_HIERARCHY(Where, text)                                                                          \
  SPANWISE_BENCH_LEVELS(2, "circle", Where, text)                                                                      \
  SPANWISE_BENCH_LEVELS(3, "sphere", Where, text)                                                                      \
  SPANWISE_BENCH_ALL_TRANSFERS(false, "ball", Where, text)                                                             \
  SPANWISE_BENCH_ALL_TRANSFERS(true, "shell", Where, text)

SPANWISE_BENCH_HIERARCHY(OneThread, "1 thread")
SPANWISE_BENCH_HIERARCHY(AllThreads, "all threads")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_HIERARCHY(Device, "device")
#endif

} // namespace
} // namespace spanwise::benchmarks
