// Set algebra as people use it: the filter in a pipeline, with the grid that it makes, beside OpenVDB's operation and
// the copy of its input in the same run (OpenVdb.cpp). Inputs lie there as the filter before would have left them.
//
// OMP_NUM_THREADS=1 SpanwiseFilterBenchmarks: OpenVDB works with one thread.

#include "Benchmarks/Inputs.hpp"
#include "Testing/Rooms.hpp"

#include "SpanwiseBridge.h"
#include "SpanwiseIntervalGrid.h"
#include "vtkSpanwiseSetAlgebra.h"

#include <benchmark/benchmark.h>

#include <vtkNew.h>
#include <vtkUnstructuredGrid.h>

namespace spanwise::benchmarks {
namespace {

template <int Dim>
vtkNew<vtkUnstructuredGrid> gridOfSet(const HostIntervalSet<Dim>& set) {
  vtkNew<vtkUnstructuredGrid> grid;
  setGrid<Dim>(grid, IntervalGrid<Dim>::make(set, {}));
  return grid;
}

template <int Dim, Pair<Dim> (*Make)(), int operation>
void algebraFilter(benchmark::State& state) {
  const Pair<Dim> pair = Make();
  vtkNew<vtkSpanwiseSetAlgebra> filter;
  filter->AddInputData(gridOfSet<Dim>(pair.a));
  filter->AddInputData(gridOfSet<Dim>(pair.b));
  filter->SetOperation(operation);
  for (auto _ : state) {
    filter->Modified();
    filter->Update();
  }
  state.counters["cells"] = static_cast<double>(filter->GetOutput()->GetNumberOfCells());
}

#define SPANWISE_BENCH(Dim, Make, operation, text)                                                                     \
  BENCHMARK(algebraFilter<Dim, Make, vtkSpanwiseSetAlgebra::operation>)                                                \
    ->Name("Spanwise/" #Make "/" text "/1 thread, filter")                                                             \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_ALGEBRA(Dim, Make)                                                                              \
  SPANWISE_BENCH(Dim, Make, UNION, "Union")                                                                            \
  SPANWISE_BENCH(Dim, Make, INTERSECTION, "Intersection")                                                              \
  SPANWISE_BENCH(Dim, Make, DIFFERENCE, "Difference")

SPANWISE_BENCH_ALGEBRA(2, random2D)
SPANWISE_BENCH_ALGEBRA(3, random3D)
SPANWISE_BENCH_ALGEBRA(3, balls)
SPANWISE_BENCH_ALGEBRA(3, shells)

} // namespace
} // namespace spanwise::benchmarks
