// Set algebra, one operation on two sets. Counted bytes: what has to be read and written once, that is 16 an interval
// and 16 (3D) or 12 (2D) a row of both inputs' and the output's arrays that the operation uses.

#include "Core/Geometry/Algebra.hpp"
#include "Benchmarks/Inputs.hpp"
#include "Benchmarks/Where.hpp"

#include <benchmark/benchmark.h>

#include <chrono>

namespace spanwise::benchmarks {
namespace {

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
  const auto intervals = static_cast<double>(pair.a.numIntervals() + pair.b.numIntervals());
  report(state, space, seconds, intervals, bytes);
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
SPANWISE_BENCH_ALL_CASES

} // namespace
} // namespace spanwise::benchmarks
