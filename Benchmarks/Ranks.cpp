// What ranks send each other: halos of fields, and sets that move to another cut. To be run as so many ranks:
// mpiexec -n 2 SpanwiseRankBenchmarks. Times are medians of many exchanges, each of the slowest rank; after each one as
// many bytes go by MPI_Sendrecv alone, from one buffer to another, and the ratio of the two medians is what can be
// compared on a machine that does other things too. Counted bytes: those of all messages, once read and once written
// each; the limit is what the ranks copy within themselves, all at once.

#include "Benchmarks/PartOfCube.hpp"
#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Field/HaloLayout.hpp"
#include "Core/Field/RankStencil.hpp"
#include "Core/Field/Stencil.hpp"
#include "Core/Field/Stencils.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Parallel/MpiCommunicator.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/GridSources.hpp"
#include "Core/Solvers/Eikonal/GridTimes.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"
#include "Testing/Rooms.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <random>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace spanwise::benchmarks {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Bytes = std::vector<char>;

std::unique_ptr<MpiCommunicator> everybody;

/// Runs `work` on all ranks at once; the time of the slowest.
template <class Work>
double secondsTogether(const Work& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  const auto begin = std::chrono::steady_clock::now();
  work();
  const double mine = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return everybody->reduced(ReduceBy::Maximum, mine);
}

/// Bytes that all ranks read and write in a second when each copies memory of its own.
double copyBandwidthTogether() {
  static const double known = [] {
    const std::vector<char> from(std::size_t{1} << 27, 1); // far beyond the caches
    std::vector<char> to(from.size(), 2);
    double best = 0.0;
    for (int round = 0; round < 5; ++round) {
      const double seconds = secondsTogether([&] {
        std::copy(from.begin(), from.end(), to.begin());
        benchmark::DoNotOptimize(to.data());
        benchmark::ClobberMemory();
      });
      best = std::max(best, 2.0 * static_cast<double>(from.size()) * everybody->size() / seconds);
    }
    return best;
  }();
  return known;
}

double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

/// So many bytes to the rank above and to the one below, around the ends. A rank gets no more from either of them.
class PlainMessages {
public:
  PlainMessages(std::size_t up, std::size_t down)
    : out_{Bytes(up, 1), Bytes(down, 1)}, in_{Bytes(std::max(up, down), 2), Bytes(std::max(up, down), 2)} {
    const int size = everybody->size();
    neighbours_[0] = (everybody->rank() + 1) % size;
    neighbours_[1] = (everybody->rank() + size - 1) % size;
  }

  void exchange() {
    for (const std::size_t way : {0, 1}) {
      MPI_Sendrecv(out_[way].data(), static_cast<int>(out_[way].size()), MPI_BYTE, neighbours_[way], 0, in_[way].data(),
        static_cast<int>(in_[way].size()), MPI_BYTE, neighbours_[1 - way], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }

private:
  Bytes out_[2];
  Bytes in_[2];
  int neighbours_[2]{};
};

/// Measures `work`, and plain messages beside it: one turn of each after the other.
template <class Work, class Report>
void measure(benchmark::State& state, PlainMessages plain, const Work& work, const Report& reportOf) {
  work();
  plain.exchange();
  const MessageReport before = reportOf();
  std::vector<double> times;
  std::vector<double> plainTimes;
  for (auto _ : state) {
    times.push_back(secondsTogether(work));
    plainTimes.push_back(secondsTogether([&] { plain.exchange(); }));
    state.SetIterationTime(times.back());
  }
  const auto turns = static_cast<double>(times.size());
  const MessageReport after = reportOf();
  const auto perTurn = [&](std::int64_t count) {
    return static_cast<double>(everybody->reduced(ReduceBy::Sum, count)) / turns;
  };
  const double bytes = perTurn(after.bytes - before.bytes);
  state.counters["median us"] = 1e6 * median(times);
  state.counters["of MPI_Sendrecv"] = median(times) / median(plainTimes);
  state.counters["messages"] = perTurn(after.messages - before.messages) / everybody->size();
  state.counters["bytes"] = bytes / everybody->size();
  state.counters["bytes/s"] = bytes / median(times);
  state.counters["share of copy"] = 2.0 * bytes / median(times) / copyBandwidthTogether();
}

RowCut evenPlanes(std::int64_t planes) {
  RowCut cut;
  for (int r = 0; r <= everybody->size(); ++r) {
    cut.bounds.push_back(r * planes);
  }
  return cut;
}

constexpr std::int64_t planesOfRank = 8;

/// A periodic box of n x n cells a plane: both ends of each rank's slab go to a neighbour.
void halo(benchmark::State& state) {
  const auto n = static_cast<Coordinate>(state.range(0));
  const auto components = static_cast<int>(state.range(1));
  const Space space;
  const Context context(space);
  const RowCut cut = evenPlanes(planesOfRank);
  const Halo wide(1, {0, planesOfRank * everybody->size()});
  HostIntervalSet<3> set;
  const PlaneRange mine = cut.part(everybody->rank());
  makeBox<Space, 3>(
    context, {{0, 0, static_cast<Coordinate>(mine.begin)}, {n, n, static_cast<Coordinate>(mine.end)}}, set);
  CellMove<Space, 3> move(*everybody);
  addHalo<Space, 3>(context, cut, wide, set, set, move);
  HaloExchange<Space> exchange(*everybody, makeHaloPlan<Space, 3>(context.with(*everybody), cut, wide, set));
  HostField<double> field("field", set.numCells(), components);
  const std::size_t bytes = static_cast<std::size_t>(n) * static_cast<std::size_t>(n * components) * sizeof(double);
  measure(
    state, PlainMessages(bytes, bytes), [&] { exchange.exchange(space, field.view()); },
    [&] { return exchange.report(); });
}

/// What a message takes by itself, and what its bytes take: the model t = setup + bytes / bandwidth of a transfer, from
/// messages of 8 bytes and of 4 MB.
struct TransferModel {
  double setup;
  double bandwidth;

  static const TransferModel& measured() {
    static const TransferModel model = [] {
      const auto secondsOfWay = [](std::size_t bytes) {
        PlainMessages plain(bytes, bytes);
        std::vector<double> times;
        for (int round = 0; round < 51; ++round) {
          times.push_back(secondsTogether([&] { plain.exchange(); }));
        }
        return median(times) / 2.0;
      };
      constexpr std::size_t large = std::size_t{1} << 22;
      const double setup = secondsOfWay(8);
      return TransferModel{setup, static_cast<double>(large) / (secondsOfWay(large) - setup)};
    }();
    return model;
  }
};

/// The mean of a cell and its neighbours.
struct MeanOfNeighbours {
  template <class Point>
  KOKKOS_FUNCTION double operator()(const Point& p) const {
    return 0.5 * p.centre() + 0.125 * p.sumOfNeighbours();
  }
};

/// Table I of Meneghin and Mahmoud (2025): a stencil on the faces of a vector field in three layouts, with 1D
/// partitioning around the ends. Counted are the pieces of memory that a rank sends, which are transfers where nothing
/// joins them (alpha), and the values (beta); the model is for as many transfers. Measured is the exchange, which sends
/// all pieces for a neighbour as one message; plain messages, one for each piece; and a whole step.
template <int Dim>
void layouts(benchmark::State& state) {
  const auto n = static_cast<Coordinate>(state.range(0));
  constexpr Coordinate planes = Dim == 2 ? 256 : 16;
  const Space space;
  const Context context(space);
  const RowCut cut = evenPlanes(planes);
  const Halo wide(1, {0, std::int64_t{planes} * everybody->size()});
  const PlaneRange mine = cut.part(everybody->rank());
  Box<Dim> box{};
  std::fill_n(box.end, Dim, n);
  box.begin[Dim - 1] = static_cast<Coordinate>(mine.begin);
  box.end[Dim - 1] = static_cast<Coordinate>(mine.end);
  HostIntervalSet<Dim> set;
  makeBox<Space, Dim>(context, box, set);
  CellMove<Space, Dim> move(*everybody);
  addHalo<Space, Dim>(context, cut, wide, set, set, move);
  HaloExchange<Space> exchange(*everybody, makeHaloPlan<Space, Dim>(context.with(*everybody), cut, wide, set));
  RankStencilMapOn<FacePattern<Dim>, Space> map;
  buildRankStencilMap<FacePattern<Dim>, Space>(context, set, {}, exchange.plan(), map);
  const FieldLayoutOn<Space> kinds[] = {
    FieldLayoutOn<Space>::tuples(), {}, haloLayout<Space::memory_space>(exchange.plan())};
  const FieldLayoutOn<Space>& layout = kinds[state.range(1)];
  HostField<double> from("from", set.numCells(), Dim, layout);
  HostField<double> to("to", set.numCells(), Dim, layout);
  fill<Space, double>(context, from, 1.0);
  exchange.exchange(space, from.view());
  const MessageReport before = exchange.report();
  exchange.exchange(space, from.view());
  const MessageReport after = exchange.report();
  const auto pieces = static_cast<double>(after.pieces - before.pieces);
  const auto bytes = static_cast<double>(after.bytes - before.bytes);
  PlainMessages piece(static_cast<std::size_t>(bytes / pieces), static_cast<std::size_t>(bytes / pieces));
  const TransferModel& model = TransferModel::measured();

  std::vector<double> exchanges;
  std::vector<double> plain;
  std::vector<double> steps;
  for (auto _ : state) {
    exchanges.push_back(secondsTogether([&] { exchange.exchange(space, from.view()); }));
    plain.push_back(secondsTogether([&] {
      for (double sent = 0.0; sent < pieces; sent += 2.0) { // up and down
        piece.exchange();
      }
    }));
    steps.push_back(secondsTogether([&] {
      const auto mean = [&](const Context<Space>& on, const auto& cells) {
        applyStencil(on.space(), cells, from, 0.0, MeanOfNeighbours{}, to);
      };
      stepWithHalo(context, map, exchange, mean, to.view());
      space.fence();
    }));
    std::swap(from, to);
    state.SetIterationTime(exchanges.back());
  }
  state.counters["messages"] = static_cast<double>(after.messages - before.messages);
  state.counters["alpha"] = pieces;
  state.counters["beta"] = bytes / sizeof(double);
  state.counters["model us"] = 1e6 * (pieces * model.setup + bytes / model.bandwidth);
  state.counters["exchange us"] = 1e6 * median(exchanges);
  state.counters["a message a piece us"] = 1e6 * median(plain);
  state.counters["step us"] = 1e6 * median(steps);
}

/// A box with a field of doubles to a cut half a slab further up, and back.
void migration(benchmark::State& state) {
  const auto n = static_cast<Coordinate>(state.range(0));
  const Space space;
  const Context context(space);
  const RowCut cuts[2] = {evenPlanes(planesOfRank), [] {
                            RowCut cut = evenPlanes(planesOfRank);
                            for (std::size_t k = 1; k + 1 < cut.bounds.size(); ++k) {
                              cut.bounds[k] += planesOfRank / 2;
                            }
                            return cut;
                          }()};
  const PlaneRange mine = cuts[0].part(everybody->rank());
  HostIntervalSet<3> set;
  makeBox<Space, 3>(
    context, {{0, 0, static_cast<Coordinate>(mine.begin)}, {n, n, static_cast<Coordinate>(mine.end)}}, set);
  HostField<double> field("field", set.numCells());
  HostField<double> spare;
  CellMove<Space, 3> move(*everybody);
  std::size_t turn = 0;
  const auto bytes = static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * planesOfRank / 2 * sizeof(double);
  // Half a slab goes up in one turn and down in the next; the last rank has nobody above.
  const bool last = everybody->rank() + 1 == everybody->size();
  const bool first = everybody->rank() == 0;
  PlainMessages plain(last ? 0 : bytes / 2, first ? 0 : bytes / 2);
  measure(
    state, plain,
    [&] {
      migrate<Space, 3>(context, cuts[++turn % 2], set, set, move);
      move.moveField(space, field, spare);
    },
    [&] { return move.report(); });
}

/// When a step of a stencil waits for the halo.
enum Waits : std::int64_t {
  AtOnce,     ///< after all cells
  AfterInner, ///< the rim is computed first, and the inner cells while the halo is on its way
};

/// Jacobi steps on a ball that is cut among the ranks; as one rank, what the whole takes.
void jacobi(benchmark::State& state) {
  const Space space;
  const Context context(space);
  HostIntervalSet<3> set;
  makeBall<Space, 3>(context, {{0.0, 0.0, 0.0}, static_cast<double>(state.range(0))}, set);
  const RowCut cut = evenCut<Space, 3>(context.with(SingleProcess()), everybody->size(), {&set});
  restrictRows<Space, 3>(context, set, cut.part(everybody->rank()), set);
  CellMove<Space, 3> move(*everybody);
  addHalo<Space, 3>(context, cut, 1, set, set, move);
  HaloExchange<Space> exchange(*everybody, makeHaloPlan<Space, 3>(context.with(*everybody), cut, 1, set));
  RankStencilMapOn<FacePattern<3>, Space> map;
  buildRankStencilMap<FacePattern<3>, Space>(context, set, {BoundaryPolicy::Mirror}, exchange.plan(), map);
  HostField<double> from("from", set.numCells());
  HostField<double> to("to", set.numCells());
  fill<Space, double>(context, from, 1.0);
  fill<Space, double>(context, to, 1.0);
  const auto step = [&](const Context<Space>& on, const auto& cells) {
    jacobiStep<Space, double, 3>(on, cells, from, {{{}, {1.0, 1.0, 1.0}}, 0.8}, 0.0, to);
  };
  const bool overlaps = state.range(1) == AfterInner;
  exchange.exchange(space, from.view());
  std::vector<double> times;
  for (auto _ : state) {
    times.push_back(secondsTogether([&] {
      if (overlaps) {
        stepWithHalo(context, map, exchange, step, to.view());
      } else {
        step(context, map.inner);
        step(context, map.rim);
        exchange.exchange(space, to.view());
      }
      space.fence();
    }));
    std::swap(from, to);
    state.SetIterationTime(times.back());
  }
  const auto cells = static_cast<double>(everybody->reduced(ReduceBy::Sum, exchange.plan().owned.count()));
  state.counters["median us"] = 1e6 * median(times);
  state.counters["cells/s"] = cells / median(times);
  state.counters["share of copy"] = 2.0 * sizeof(double) * cells / median(times) / copyBandwidthTogether();
}

/// What it takes to agree that nothing has failed: by a reduction (0), or in two steps right after each other (1).
void agreeing(benchmark::State& state) {
  const bool inSteps = state.range(0) == 1;
  Agreement agreement(*everybody);
  std::vector<double> times;
  for (auto _ : state) {
    times.push_back(secondsTogether([&] {
      if (inSteps) {
        agreement.start();
        agreement.finish();
      } else {
        agreeOn(*everybody, nullptr);
      }
    }));
    state.SetIterationTime(times.back());
  }
  state.counters["median us"] = 1e6 * median(times);
}

/// Arrival times on the cube of n^3 cells of six tetrahedra, from the middle, each rank with one of METIS's parts.
/// Messages and bytes are those of a rank in one solution.
void arrivalTimes(benchmark::State& state) {
  const Space space;
  const Context<Space> context(space, *everybody);
  const PartOfCube mine(*everybody, static_cast<int>(state.range(0)));
  const MeshOfPart<Space> here(mine);
  SharedVertices shared;
  const double sharedTime = secondsTogether([&] { shared = findSharedVertices(*everybody, mine.mesh.vertices); });
  eikonal::SimplexMesh<4, Space> mesh;
  const double meshTime = secondsTogether([&] {
    eikonal::buildSimplexMesh<Space, 4>(context, here.view(), eikonal::Speed::constant(1.0), mesh, {}, &shared);
  });
  const auto start = mine.startTimes();
  const Kokkos::View<double*, Kokkos::HostSpace> times("times", start.size());
  eikonal::IterationReport report;
  std::vector<double> seconds;
  for (auto _ : state) {
    seconds.push_back(secondsTogether([&] {
      std::copy(start.begin(), start.end(), times.data());
      report = eikonal::iterateTimes<Space, 4>(context, mesh, {}, times);
    }));
    state.SetIterationTime(seconds.back());
  }
  state.counters["median ms"] = 1e3 * median(seconds);
  state.counters["mesh ms"] = 1e3 * meshTime;
  state.counters["find shared ms"] = 1e3 * sharedTime;
  state.counters["iterations"] = static_cast<double>(report.numIterations);
  state.counters["updates a vertex"] =
    static_cast<double>(report.numUpdates) / static_cast<double>(mine.numVerticesOfAll);
  state.counters["messages"] = static_cast<double>(report.messages.messages) / everybody->size();
  state.counters["bytes"] = static_cast<double>(report.messages.bytes) / everybody->size();
}

/// Arrival times on the cells of a cube of n^3, from a point in the middle, the planes dealt out evenly. As one rank,
/// what the whole takes. Messages and bytes are those of a rank in one solution.
void gridTimes(benchmark::State& state) {
  const Space space;
  const Context<Space> context(space, *everybody);
  const auto n = static_cast<Coordinate>(state.range(0));
  eikonal::GridOptions options;
  options.order = static_cast<int>(state.range(1));
  RowCut cut;
  for (int r = 0; r <= everybody->size(); ++r) {
    cut.bounds.push_back(r * static_cast<std::int64_t>(n) / everybody->size());
  }
  HostIntervalSet<3> set;
  const PlaneRange mine = cut.part(everybody->rank());
  makeBox<Space, 3>(
    context, {{0, 0, static_cast<Coordinate>(mine.begin)}, {n, n, static_cast<Coordinate>(mine.end)}}, set);
  GridGeometry<3> lattice{};
  std::fill_n(lattice.spacing, 3, 1.0 / n);
  eikonal::Grid<3, Space> grid;
  const double gridTime = secondsTogether([&] {
    eikonal::buildGrid<Space, 3>(context, set, lattice, SetDomain<3>(*everybody, cut), eikonal::Speed::constant(1.0),
      grid, {.order = options.order});
  });
  const Kokkos::View<double*, Kokkos::HostSpace> times("times", static_cast<std::size_t>(grid.numCells()));
  eikonal::GridFactoring<3, Kokkos::HostSpace> factoring;
  eikonal::IterationReport report;
  std::vector<double> seconds;
  for (auto _ : state) {
    Kokkos::deep_copy(times, eikonal::notReached);
    eikonal::startAtPoints<Space, 3>(context, grid, {{{0.5, 0.5, 0.5}, 0.0}}, 0.0, times, factoring);
    seconds.push_back(secondsTogether(
      [&] { report = eikonal::computeGridTimes<Space, 3>(context, grid, options, factoring.view(), times); }));
    state.SetIterationTime(seconds.back());
  }
  const double cells = static_cast<double>(n) * n * n;
  state.counters["median ms"] = 1e3 * median(seconds);
  state.counters["cells/s"] = cells / median(seconds);
  state.counters["grid ms"] = 1e3 * gridTime;
  state.counters["iterations"] = static_cast<double>(report.numIterations);
  state.counters["updates a cell"] = static_cast<double>(report.numUpdates) / cells;
  state.counters["messages"] = static_cast<double>(report.messages.messages) / everybody->size();
  state.counters["bytes"] = static_cast<double>(report.messages.bytes) / everybody->size();
}

/// Waits for the other ranks without work for the processor.
void waitQuietly() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int isThere = 0; isThere == 0;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    MPI_Test(&request, &isThere, MPI_STATUS_IGNORE);
  }
}

/// Sums by multipoles of so many uniform particles on themselves, potential and gradient: a thread a rank, and turn
/// by turn as many threads of the first rank alone, which has all particles.
void multipoles(benchmark::State& state) {
  const std::int64_t total = state.range(0);
  const int size = everybody->size();
  nbody::MultipoleOptions options;
  options.accuracy = 3e-6;
  const auto particles = [&](int first, int step) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<std::vector<double>> columns(4);
    for (std::int64_t i = 0; i < total; ++i) {
      const double values[] = {uniform(random), uniform(random), uniform(random), 2.0 * uniform(random) - 1.0};
      for (std::size_t c = 0; c < 4 && i % step == first; ++c) {
        columns[c].push_back(values[c]);
      }
    }
    return columns;
  };
  const auto viewOf = [](const std::vector<std::vector<double>>& columns) {
    const auto count = static_cast<std::int64_t>(columns[0].size());
    return nbody::SourcesView<3, double>{
      {{columns[0].data(), columns[1].data(), columns[2].data()}, count}, columns[3].data(), count};
  };
#ifdef KOKKOS_ENABLE_OPENMP
  const Kokkos::OpenMP one(1);
  const Kokkos::OpenMP several(size);
#else
  const Space one;
  const Space several;
#endif
  const auto mine = particles(everybody->rank(), size);
  const auto all = everybody->rank() == 0 ? particles(0, 1) : std::vector<std::vector<double>>(4);
  std::vector<double> sums(4 * mine[0].size());
  std::vector<double> sumsOfAll(4 * all[0].size());
  const Context mineContext(one, *everybody);
  const Context allContext(several);
  nbody::MultipoleMemory<3, Space> memory;
  nbody::MultipoleMemory<3, Space> memoryOfAll;
  nbody::MultipoleReport report;
  std::vector<double> shared;
  std::vector<double> alone;
  for (auto turn : state) {
    shared.push_back(secondsTogether([&] {
      report = multipolesWithin(mineContext, nbody::InverseDistance(), viewOf(mine),
        {sums.data(), sums.data() + mine[0].size(), 0}, options, memory);
    }));
    state.SetIterationTime(shared.back());
    alone.push_back(secondsTogether([&] {
      if (everybody->rank() == 0) {
        multipolesWithin(allContext, nbody::InverseDistance(), viewOf(all),
          {sumsOfAll.data(), sumsOfAll.data() + all[0].size(), 0}, options, memoryOfAll);
      }
      waitQuietly();
    }));
  }
  state.counters["median ms"] = 1e3 * median(shared);
  state.counters["one rank ms"] = 1e3 * median(alone);
  state.counters["of one rank"] = median(shared) / median(alone);
  state.counters["imbalance"] = report.imbalance;
  state.counters["essential points"] = static_cast<double>(report.numEssentialPoints);
  state.counters["essential nodes"] = static_cast<double>(report.numEssentialNodes);
  state.counters["messages"] = static_cast<double>(report.messages.messages);
  state.counters["bytes"] = static_cast<double>(report.messages.bytes);
}

BENCHMARK(multipoles)
  ->Name("Spanwise/Multipoles")
  ->ArgNames({"particles"})
  ->Arg(100'000)
  ->Arg(400'000)
  ->Arg(1'600'000)
  ->Iterations(5)
  ->UseManualTime()
  ->Unit(benchmark::kMillisecond);
BENCHMARK(gridTimes)
  ->Name("Spanwise/Arrival times on a grid on ranks")
  ->ArgNames({"n", "order"})
  ->ArgsProduct({{75, 125}, {1, 2}})
  ->Iterations(5)
  ->UseManualTime()
  ->Unit(benchmark::kMillisecond);
BENCHMARK(arrivalTimes)
  ->Name("Spanwise/Arrival times on ranks")
  ->ArgNames({"n"})
  ->Arg(50)
  ->Arg(75)
  ->Iterations(5)
  ->UseManualTime()
  ->Unit(benchmark::kMillisecond);
BENCHMARK(halo)
  ->Name("Spanwise/Halo")
  ->ArgNames({"n", "components"})
  ->ArgsProduct({{64, 256, 1024}, {1, 5}})
  ->Iterations(101)
  ->UseManualTime()
  ->Unit(benchmark::kMicrosecond);
BENCHMARK(layouts<2>)
  ->Name("Spanwise/Five points on a vector field")
  ->ArgNames({"n", "layout"}) // 0: tuples (AoS), 1: columns (SoA), 2: groups
  ->ArgsProduct({{512, 8192}, {0, 1, 2}})
  ->Iterations(201)
  ->UseManualTime()
  ->Unit(benchmark::kMicrosecond);
BENCHMARK(layouts<3>)
  ->Name("Spanwise/Seven points on a vector field")
  ->ArgNames({"n", "layout"})
  ->ArgsProduct({{32, 128}, {0, 1, 2}})
  ->Iterations(201)
  ->UseManualTime()
  ->Unit(benchmark::kMicrosecond);
BENCHMARK(migration)
  ->Name("Spanwise/Migration")
  ->ArgNames({"n"})
  ->Arg(256)
  ->Arg(1024)
  ->Iterations(31)
  ->UseManualTime()
  ->Unit(benchmark::kMicrosecond);
BENCHMARK(jacobi)
  ->Name("Spanwise/JacobiStep")
  ->ArgNames({"radius", "afterInner"})
  ->ArgsProduct({{32, 256}, {AtOnce, AfterInner}})
  ->Iterations(101)
  ->UseManualTime()
  ->Unit(benchmark::kMicrosecond);
BENCHMARK(agreeing)
  ->Name("Spanwise/Agree")
  ->ArgNames({"inSteps"})
  ->Arg(0)
  ->Arg(1)
  ->Iterations(1001)
  ->UseManualTime()
  ->Unit(benchmark::kMicrosecond);

/// The other ranks keep silent.
class Silent : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& /*runs*/) override {}
};

} // namespace
} // namespace spanwise::benchmarks

int main(int argc, char** argv) {
  using namespace spanwise::benchmarks;
  MPI_Init(&argc, &argv);
  everybody = std::make_unique<spanwise::parallel::MpiCommunicator>(MPI_COMM_WORLD);
  if (everybody->size() < 2) {
    std::fputs("SpanwiseRankBenchmarks measures what ranks send each other: please run it on two or more\n", stderr);
    everybody.reset();
    MPI_Finalize();
    return 1;
  }
  if (everybody->rank() != 0) { // the first one writes the file
    const auto isFile = [](std::string_view argument) { return argument.starts_with("--benchmark_out="); };
    argc = static_cast<int>(std::remove_if(argv + 1, argv + argc, isFile) - argv);
  }
  benchmark::Initialize(&argc, argv);
  spanwise::startRuntime();
  const double limit = copyBandwidthTogether();
  benchmark::AddCustomContext("ranks", std::to_string(everybody->size()));
  benchmark::AddCustomContext("copy bandwidth of all ranks, GB/s", std::to_string(limit / 1e9));
  Silent silent;
  if (everybody->rank() == 0) {
    benchmark::RunSpecifiedBenchmarks();
  } else {
    benchmark::RunSpecifiedBenchmarks(&silent);
  }
  benchmark::Shutdown();
  everybody.reset();
  MPI_Finalize();
  return 0;
}
