// What ranks send each other: halos of fields, and sets that move to another cut. To be run as so many ranks:
// mpiexec -n 2 SpanwiseRankBenchmarks. Counted bytes: those of all messages, once read and once written each; the limit
// is what the ranks copy within themselves, all at once. Beside it MPI alone, with as many bytes.

#include "Core/Field/Field.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Parallel/MpiCommunicator.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

namespace spanwise::benchmarks {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;

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

/// Rates of a measurement in which all ranks together sent so many bytes in `seconds`.
void report(benchmark::State& state, std::int64_t sentByThisRank, double seconds) {
  const auto bytes = static_cast<double>(everybody->reduced(ReduceBy::Sum, sentByThisRank));
  state.counters["bytes/s"] = benchmark::Counter(bytes / seconds);
  state.counters["share of copy"] = 2.0 * bytes / seconds / copyBandwidthTogether();
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
  Workspace<Kokkos::HostSpace> workspace;
  const RowCut cut = evenPlanes(planesOfRank);
  const Halo wide(1, {0, planesOfRank * everybody->size()});
  HostIntervalSet<3> set;
  const PlaneRange mine = cut.part(everybody->rank());
  makeBox<Space, 3>(
    space, {{0, 0, static_cast<Coordinate>(mine.begin)}, {n, n, static_cast<Coordinate>(mine.end)}}, set);
  CellMove<Space, 3> move(*everybody);
  addHalo<Space, 3>(space, cut, wide, set, set, move, workspace);
  HaloExchange<Space> exchange(*everybody, makeHaloPlan<Space, 3>(space, *everybody, cut, wide, set));
  HostField<double> field("field", set.numCells(), components);
  double seconds = 0.0;
  for (auto _ : state) {
    const double once = secondsTogether([&] { exchange.exchange(space, field.view()); });
    state.SetIterationTime(once);
    seconds += once;
  }
  report(state, exchange.report().bytes, seconds);
}

/// The same bytes by MPI alone: one message to each side.
void mpiAlone(benchmark::State& state) {
  const auto bytes = static_cast<int>(state.range(0) * state.range(0) * state.range(1) * 8);
  const int size = everybody->size();
  const int above = (everybody->rank() + 1) % size;
  const int below = (everybody->rank() + size - 1) % size;
  const std::vector<char> out(2 * static_cast<std::size_t>(bytes), 1);
  std::vector<char> in(out.size(), 2);
  double seconds = 0.0;
  for (auto _ : state) {
    const double once = secondsTogether([&] {
      MPI_Request requests[4];
      for (const int k : {0, 1}) {
        MPI_Irecv(in.data() + k * bytes, bytes, MPI_BYTE, k == 0 ? below : above, k, MPI_COMM_WORLD, &requests[2 * k]);
        MPI_Isend(
          out.data() + k * bytes, bytes, MPI_BYTE, k == 0 ? above : below, k, MPI_COMM_WORLD, &requests[2 * k + 1]);
      }
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    });
    state.SetIterationTime(once);
    seconds += once;
  }
  report(state, 2 * static_cast<std::int64_t>(state.iterations()) * bytes, seconds);
}

/// A box with a field of doubles to a cut half a slab further up, and back.
void migration(benchmark::State& state) {
  const auto n = static_cast<Coordinate>(state.range(0));
  const Space space;
  Workspace<Kokkos::HostSpace> workspace;
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
    space, {{0, 0, static_cast<Coordinate>(mine.begin)}, {n, n, static_cast<Coordinate>(mine.end)}}, set);
  HostField<double> field("field", set.numCells());
  CellMove<Space, 3> move(*everybody);
  double seconds = 0.0;
  std::size_t turn = 0;
  for (auto _ : state) {
    const double once = secondsTogether([&] {
      migrate<Space, 3>(space, cuts[++turn % 2], set, set, move, workspace);
      move.moveField(space, field);
    });
    state.SetIterationTime(once);
    seconds += once;
  }
  report(state, move.report().bytes, seconds);
}

BENCHMARK(halo)
  ->Name("Spanwise/Halo")
  ->ArgNames({"n", "components"})
  ->ArgsProduct({{64, 256, 1024}, {1, 5}})
  ->Iterations(50)
  ->UseManualTime()
  ->Unit(benchmark::kMicrosecond);
BENCHMARK(mpiAlone)
  ->Name("MPI/Halo")
  ->ArgNames({"n", "components"})
  ->ArgsProduct({{64, 256, 1024}, {1, 5}})
  ->Iterations(50)
  ->UseManualTime()
  ->Unit(benchmark::kMicrosecond);
BENCHMARK(migration)
  ->Name("Spanwise/Migration")
  ->ArgNames({"n"})
  ->Arg(256)
  ->Arg(1024)
  ->Iterations(10)
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
  everybody = std::make_unique<spanwise::MpiCommunicator>(MPI_COMM_WORLD);
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
