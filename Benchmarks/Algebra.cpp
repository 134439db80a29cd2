// Set algebra, one operation on two sets. Counted bytes: what has to be read and written once, that is 16 an interval
// and 16 (3D) or 12 (2D) a row of both inputs' and the output's arrays that the operation uses.

#include "Core/Geometry/Algebra.hpp"
#include "Benchmarks/Inputs.hpp"

#include <benchmark/benchmark.h>

#include <chrono>

namespace spanwise::benchmarks {
namespace {

using HostSpace = Kokkos::DefaultHostExecutionSpace;

// Where an operation runs.
struct OneThread {
  using Space = HostSpace;
#ifdef KOKKOS_ENABLE_OPENMP
  static Space space() { return Space(1); }
#else
  static Space space() { return {}; }
#endif
};
struct AllThreads {
  using Space = HostSpace;
  static Space space() { return {}; }
};
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
struct Device {
  using Space = Kokkos::DefaultExecutionSpace;
  static Space space() { return {}; }
};
#endif

template <int Dim, class Memory>
void bytesOf(const IntervalSet<Dim, Memory>& set, bool written, double& sum) {
  const double interval = sizeof(Interval) + (written ? sizeof(std::int64_t) : 0); // cell offsets are only written
  sum += static_cast<double>(set.numIntervals()) * interval +
    static_cast<double>(set.numRows()) * (sizeof(RowKey<Dim>) + sizeof(std::int64_t));
}

template <int Dim, Pair<Dim> (*Make)(), SetOperation Operation, class Where>
void algebra(benchmark::State& state) {
  static const Pair<Dim> pair = Make();
  using Space = typename Where::Space;
  const Space space = Where::space();
  Workspace<typename Space::memory_space> workspace;
  IntervalSetOn<Dim, Space> a;
  IntervalSetOn<Dim, Space> b;
  IntervalSetOn<Dim, Space> out;
  copy(pair.a, a);
  copy(pair.b, b);
  const auto begin = std::chrono::steady_clock::now();
  for (auto _ : state) {
    combine<Space, Dim>(space, Operation, a, b, out, workspace);
    benchmark::ClobberMemory();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  double bytes = 0.0;
  bytesOf(pair.a, false, bytes);
  bytesOf(pair.b, false, bytes);
  bytesOf(out, true, bytes);
  const auto rounds = static_cast<double>(state.iterations());
  const auto intervals = static_cast<double>(pair.a.numIntervals() + pair.b.numIntervals());
  state.counters["intervals/s"] = benchmark::Counter(rounds * intervals, benchmark::Counter::kIsRate);
  state.counters["bytes/s"] = benchmark::Counter(rounds * bytes, benchmark::Counter::kIsRate);
  const double limit = runsOnHost<Space> ? copyBandwidth(space.concurrency()) : deviceCopyBandwidth();
  state.counters["share of copy"] = rounds * bytes / seconds / limit;
  state.counters["cells"] = static_cast<double>(out.numCells());
}

#define SPANWISE_BENCH(Dim, Make, Operation, Where, text)                                                              \
  BENCHMARK(algebra<Dim, Make, SetOperation::Operation, Where>)                                                        \
    ->Name("Spanwise/" #Make "/" #Operation "/" text)                                                                  \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_WHERE(Dim, Make, Where, text)                                                                   \
  SPANWISE_BENCH(Dim, Make, Union, Where, text)                                                                        \
  SPANWISE_BENCH(Dim, Make, Intersection, Where, text)                                                                 \
  SPANWISE_BENCH(Dim, Make, Difference, Where, text)
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define SPANWISE_BENCH_DEVICE(Dim, Make) SPANWISE_BENCH_WHERE(Dim, Make, Device, "device")
#else
#define SPANWISE_BENCH_DEVICE(Dim, Make)
#endif
#define SPANWISE_BENCH_CASE(Dim, Make)                                                                                 \
  SPANWISE_BENCH_WHERE(Dim, Make, OneThread, "1 thread")                                                               \
  SPANWISE_BENCH_WHERE(Dim, Make, AllThreads, "all threads")                                                           \
  SPANWISE_BENCH_DEVICE(Dim, Make)

SPANWISE_BENCH_CASE(2, random2D)
SPANWISE_BENCH_CASE(3, random3D)
SPANWISE_BENCH_CASE(3, balls)
SPANWISE_BENCH_CASE(3, shells)

} // namespace
} // namespace spanwise::benchmarks
