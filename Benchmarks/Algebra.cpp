// Set algebra, one operation on two sets. Counted bytes: what has to be read and written once, that is 16 an interval
// and 16 (3D) or 12 (2D) a row of both inputs' and the output's arrays that the operation uses.

#include "Core/Geometry/Algebra.hpp"
#include "Benchmarks/Inputs.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

#include <vector>

namespace spanwise::benchmarks {
namespace {

template <int Dim, Pair<Dim> (*Make)(), SetOperation Operation, class Where>
void algebra(benchmark::State& state) {
  static const Pair<Dim> pair = Make();
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context context(space);
  IntervalSetOn<Dim, Space> a;
  IntervalSetOn<Dim, Space> b;
  IntervalSetOn<Dim, Space> out;
  copy(pair.a, a);
  copy(pair.b, b);
  const double seconds = secondsOf(state, space, [&] { combine<Space, Dim>(context, Operation, a, b, out); });
  double bytes = 0.0;
  bytesOf(pair.a, false, bytes);
  bytesOf(pair.b, false, bytes);
  bytesOf(out, true, bytes);
  const auto intervals = static_cast<double>(pair.a.numIntervals() + pair.b.numIntervals());
  report(state, space, seconds, intervals, bytes);
  state.counters["cells"] = static_cast<double>(out.numCells());
}

/// The operation over a list of so many sets: the two, moved by a few cells.
template <int Dim, Pair<Dim> (*Make)(), int count, class Where>
void algebraOfList(benchmark::State& state) {
  static const Pair<Dim> pair = Make();
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context context(space);
  std::vector<IntervalSetOn<Dim, Space>> sets(count);
  IntervalSetOn<Dim, Space> out;
  double intervals = 0.0;
  double bytes = 0.0;
  for (int k = 0; k < count; ++k) {
    IntervalSetOn<Dim, Space> set;
    const HostIntervalSet<Dim>& from = k % 2 == 0 ? pair.a : pair.b;
    copy(from, set);
    translate<Space, Dim>(context, set, Cell<Dim>{{5 * (k / 2)}}, sets[static_cast<std::size_t>(k)]);
    intervals += static_cast<double>(from.numIntervals());
    bytesOf(from, false, bytes);
  }
  const auto begin = std::chrono::steady_clock::now();
  for (auto _ : state) {
    combine<Space, Dim>(context, SetOperation::SymmetricDifference, sets, out);
    benchmark::ClobberMemory();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  bytesOf(out, true, bytes);
  report(state, space, seconds, intervals, bytes);
  state.counters["cells"] = static_cast<double>(out.numCells());
}

#define SPANWISE_BENCH_LIST(Dim, Make, count, Where, text)                                                             \
  BENCHMARK(algebraOfList<Dim, Make, count, Where>)                                                                    \
    ->Name("Spanwise/" #Make "/Odd of " #count "/" text)                                                               \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH(Dim, Make, Operation, Where, text)                                                              \
  BENCHMARK(algebra<Dim, Make, SetOperation::Operation, Where>)                                                        \
    ->Name("Spanwise/" #Make "/" #Operation "/" text)                                                                  \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_WHERE(Dim, Make, Where, text)                                                                   \
  SPANWISE_BENCH(Dim, Make, Union, Where, text)                                                                        \
  SPANWISE_BENCH(Dim, Make, Intersection, Where, text)                                                                 \
  SPANWISE_BENCH(Dim, Make, Difference, Where, text)                                                                   \
  SPANWISE_BENCH_LIST(Dim, Make, 3, Where, text)                                                                       \
  SPANWISE_BENCH_LIST(Dim, Make, 8, Where, text)
SPANWISE_BENCH_ALL_CASES

} // namespace
} // namespace spanwise::benchmarks
