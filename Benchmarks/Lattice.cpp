// Lattice Boltzmann flow: steps of a cavity under a moving lid, by velocities, collisions, storage and update, and with
// levels at the walls; and of a pore space. Counted bytes: each population is read and written once.

#include "Benchmarks/Pores.hpp"
#include "Benchmarks/Where.hpp"
#include "Core/Geometry/Builders/Predicate.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"

namespace spanwise::benchmarks {
namespace {

using namespace lattice; // NOLINT(google-build-using-namespace)

enum Cells { All, Pores };

template <class Where, Cells cells, int size, Velocities velocities, Collision collision, Storage storage,
  Update update>
void latticeSteps(benchmark::State& state) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context context(space);
  LatticeOptions<3> options;
  for (int d = 0; d < 3; ++d) {
    options.box.end[d] = size;
  }
  options.sides[5].velocity[0] = 0.05;
  options.viscosity = 0.05;
  options.velocities = velocities;
  options.collision = collision;
  options.storage = storage;
  options.update = update;
  IntervalSetOn<3, Space> pores;
  if (cells == Pores) {
    makeFromPredicate<Space, 3>(context, options.box, IsPore(), pores);
  }
  LatticeFlow<Space, 3> flow(context, options, pores, cells == Pores ? CellsHold::Fluid : CellsHold::Solid);
  constexpr int stepsAtOnce = 4;
  const double seconds = secondsOf(state, space, [&] {
    for (int k = 0; k < stepsAtOnce; ++k) {
      flow.step();
    }
  });
  constexpr int bytesOfValue = storage == Storage::Half ? 2 : (storage == Storage::Float ? 4 : 8);
  constexpr int numPopulations = velocities == Velocities::All ? D3Q27::count : D3Q19::count;
  const std::int64_t updates = stepsAtOnce * flow.cells().numCells();
  reportCells(state, space, seconds, updates, 2.0 * bytesOfValue * numPopulations * static_cast<double>(updates));
  state.counters["bytes a cell"] = static_cast<double>(flow.bytes()) / static_cast<double>(flow.cells().numCells());
}

/// A cavity whose walls are fine: of `size` cells of the finest level. Rates are of the steps of all levels.
template <class Where, int size, int numLevels, Velocities velocities, bool isFused>
void latticeLevels(benchmark::State& state) {
  using Space = typename Where::Space;
  const Space space = Where::space();
  const Context context(space);
  LatticeOptions<3> options;
  for (int d = 0; d < 3; ++d) {
    options.box.end[d] = size >> (numLevels - 1);
  }
  options.sides[5].velocity[0] = 0.05;
  options.viscosity = 0.01;
  options.velocities = velocities;
  options.collision = Collision::SingleRelaxation;
  options.update = Update::TwoPopulations;
  options.refinement.numLevels = numLevels;
  options.refinement.atWalls = true;
  options.refinement.buffer = 3;
  options.refinement.isFused = isFused;
  LatticeFlow<Space, 3> flow(context, options);
  const double seconds = secondsOf(state, space, [&] { flow.step(); });
  std::int64_t updates = 0;
  std::int64_t cells = 0;
  for (int l = 0; l < flow.numLevels(); ++l) {
    updates += flow.cells(l).numCells() << l;
    cells += flow.cells(l).numCells();
  }
  constexpr int numPopulations = velocities == Velocities::All ? D3Q27::count : D3Q19::count;
  reportCells(state, space, seconds, updates, 8.0 * numPopulations * static_cast<double>(updates));
  state.counters["bytes a cell"] = static_cast<double>(flow.bytes()) / static_cast<double>(cells);
  state.counters["cells"] = static_cast<double>(cells);
}

#define SPANWISE_BENCH_LATTICE(Where, text, cells, size, velocities, collision, storage, update, name)                 \
  BENCHMARK((latticeSteps<Where, cells, size, Velocities::velocities, Collision::collision, Storage::storage,          \
              Update::update>))                                                                                        \
    ->Name("Spanwise/Lattice " name "/" text)                                                                          \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_LATTICES(Where, text, size)                                                                     \
  SPANWISE_BENCH_LATTICE(Where, text, All, size, Fewest, SingleRelaxation, Float, InPlace, "D3Q19 BGK, in place")      \
  SPANWISE_BENCH_LATTICE(Where, text, All, size, Fewest, SingleRelaxation, Float, TwoPopulations, "D3Q19 BGK, two")    \
  SPANWISE_BENCH_LATTICE(Where, text, All, size, Fewest, SingleRelaxation, Half, InPlace, "D3Q19 BGK, 16 bits")        \
  SPANWISE_BENCH_LATTICE(Where, text, All, size, Fewest, SingleRelaxation, Double, InPlace, "D3Q19 BGK, 64 bits")      \
  SPANWISE_BENCH_LATTICE(Where, text, All, size, Fewest, TwoRelaxation, Float, InPlace, "D3Q19 TRT")                   \
  SPANWISE_BENCH_LATTICE(Where, text, All, size, Fewest, Regularised, Float, InPlace, "D3Q19 regularised")             \
  SPANWISE_BENCH_LATTICE(Where, text, All, size, Fewest, Entropic, Float, InPlace, "D3Q19 entropic")                   \
  SPANWISE_BENCH_LATTICE(Where, text, All, size, All, SingleRelaxation, Float, InPlace, "D3Q27 BGK")                   \
  SPANWISE_BENCH_LATTICE(Where, text, Pores, size, Fewest, TwoRelaxation, Float, InPlace, "D3Q19 TRT in pores")
#define SPANWISE_BENCH_LEVELS(Where, text, size, numLevels, velocities, isFused, name)                                 \
  BENCHMARK((latticeLevels<Where, size, numLevels, Velocities::velocities, isFused>))                                  \
    ->Name("Spanwise/Lattice " name "/" text)                                                                          \
    ->Unit(benchmark::kMillisecond)                                                                                    \
    ->UseRealTime();
#define SPANWISE_BENCH_ALL_LEVELS(Where, text, size)                                                                   \
  SPANWISE_BENCH_LATTICE(Where, text, All, size / 2, All, SingleRelaxation, Float, TwoPopulations, "D3Q27, one level") \
  SPANWISE_BENCH_LEVELS(Where, text, size, 3, All, true, "D3Q27, 3 levels")                                            \
  SPANWISE_BENCH_LEVELS(Where, text, size, 3, All, false, "D3Q27, 3 levels, two passes")                               \
  SPANWISE_BENCH_LEVELS(Where, text, size, 4, All, true, "D3Q27, 4 levels")                                            \
  SPANWISE_BENCH_LEVELS(Where, text, size, 4, All, false, "D3Q27, 4 levels, two passes")                               \
  SPANWISE_BENCH_LEVELS(Where, text, size, 3, Fewest, true, "D3Q19, 3 levels")
SPANWISE_BENCH_ALL_LEVELS(OneThread, "1 thread", 192)
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_ALL_LEVELS(Device, "device", 512)
#endif
SPANWISE_BENCH_LATTICES(OneThread, "1 thread", 128)
SPANWISE_BENCH_LATTICES(AllThreads, "all threads", 128)
SPANWISE_BENCH_LATTICE(
  AllThreads, "all threads", All, 256, Fewest, SingleRelaxation, Float, InPlace, "D3Q19 BGK, in place, 256^3")
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
SPANWISE_BENCH_LATTICES(Device, "device", 256)
#endif

} // namespace
} // namespace spanwise::benchmarks
