// Morphology by cubes, diamonds and balls, and components. Counted bytes: what has to be read and
// written once, that is 8 (16 written) an interval and 16 (3D) or 12 (2D) a row.

#include "Core/Geometry/Morphology.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Geometry/Components.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>

namespace spanwise::benchmarks {
namespace {

enum class Shape { Cube, Diamond, Ball };

template <int Dim>
StructuringElement<Dim> element(Shape shape, Coordinate radius) {
  switch (shape) {
  case Shape::Cube:
    return StructuringElement<Dim>::neighbourhood(Connectivity::Vertex, radius);
  case Shape::Diamond:
    return StructuringElement<Dim>::diamond(radius);
  case Shape::Ball:
    return StructuringElement<Dim>::ball(radius);
  }
  return {};
}

template <int Dim, Pair<Dim> (*Make)(), MorphologyOperation Operation, Shape shape, Coordinate radius, class Where>
void morphology(benchmark::State& state) {
  static const HostIntervalSet<Dim> set = Make().a;
  static const StructuringElement<Dim> by = element<Dim>(shape, radius);
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context context(space);
  IntervalSetOn<Dim, Space> a;
  IntervalSetOn<Dim, Space> out;
  copy(set, a);
  const double seconds = secondsOf(state, space, [&] { morph<Space, Dim>(context, Operation, a, by, out); });
  double bytes = 0.0;
  bytesOf(set, false, bytes);
  bytesOf(out, true, bytes);
  report(state, space, seconds, static_cast<double>(set.numIntervals()), bytes);
  state.counters["cells"] = static_cast<double>(out.numCells());
}

template <int Dim, Pair<Dim> (*Make)(), Connectivity connectivity, class Where>
void components(benchmark::State& state) {
  static const HostIntervalSet<Dim> set = Make().a;
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context context(space);
  IntervalSetOn<Dim, Space> a;
  copy(set, a);
  const ComponentNumbers<Space> labels("Benchmarks::labels", static_cast<std::size_t>(set.numIntervals()));
  std::int64_t count = 0;
  const double seconds =
    secondsOf(state, space, [&] { count = connectedComponents<Space, Dim>(context, connectivity, a, labels).count(); });
  const auto intervals = static_cast<double>(set.numIntervals());
  double bytes = intervals * sizeof(std::int64_t); // the labels
  bytesOf(set, false, bytes);
  report(state, space, seconds, intervals, bytes);
  state.counters["components"] = static_cast<double>(count);
}

#define SPANWISE_BENCH_COMPONENTS(Dim, Make, connectivity, Where, text)                                                \
  BENCHMARK(components<Dim, Make, Connectivity::connectivity, Where>)                                                  \
    ->Name("Spanwise/" #Make "/Components " #connectivity "/" text)                                                    \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH(Dim, Make, Operation, shape, radius, Where, text)                                               \
  BENCHMARK(morphology<Dim, Make, MorphologyOperation::Operation, Shape::shape, radius, Where>)                        \
    ->Name("Spanwise/" #Make "/" #Operation " " #shape " " #radius "/" text)                                           \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_WHERE(Dim, Make, Where, text)                                                                   \
  SPANWISE_BENCH(Dim, Make, Dilate, Cube, 1, Where, text)                                                              \
  SPANWISE_BENCH(Dim, Make, Dilate, Cube, 4, Where, text)                                                              \
  SPANWISE_BENCH(Dim, Make, Erode, Cube, 1, Where, text)                                                               \
  SPANWISE_BENCH(Dim, Make, Dilate, Diamond, 4, Where, text)                                                           \
  SPANWISE_BENCH(Dim, Make, Erode, Diamond, 1, Where, text)                                                            \
  SPANWISE_BENCH(Dim, Make, Dilate, Ball, 4, Where, text)                                                              \
  SPANWISE_BENCH_COMPONENTS(Dim, Make, Face, Where, text)                                                              \
  SPANWISE_BENCH_COMPONENTS(Dim, Make, Vertex, Where, text)
SPANWISE_BENCH_ALL_CASES

} // namespace
} // namespace spanwise::benchmarks
