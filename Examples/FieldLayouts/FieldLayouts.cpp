// A five-point stencil on a vector field that is spread over ranks, in three layouts (Table I of Meneghin and Mahmoud,
// "Disaggregated Design for GPU-Based Volumetric Data Structures"):
//
//   mpiexec -n 4 ./FieldLayouts [components = 2]
//
// prints for each layout what the ranks send in a step. Pieces are the pieces of memory that messages are made of: a
// network that neither packs nor joins them would need as many messages. Each layout has the same values in the end.

#include <Core/Field/Arithmetic.hpp>
#include <Core/Field/HaloLayout.hpp>
#include <Core/Field/RankStencil.hpp>
#include <Core/Field/Reductions.hpp>
#include <Core/Field/Stencil.hpp>
#include <Core/Geometry/Builders/Box.hpp>
#include <Core/Runtime/Runtime.hpp>
#ifdef WITH_MPI
#include <Core/Parallel/MpiCommunicator.hpp>
#include <Core/Runtime/Context.hpp>
#endif

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Pattern = spanwise::field::FacePattern<2>;
using Layout = spanwise::field::FieldLayout<Memory>;

constexpr spanwise::geometry::Coordinate width = 2048;
constexpr spanwise::geometry::Coordinate rowsOfRank = 256;
constexpr int steps = 20;

struct MeanOfNeighbours {
  KOKKOS_FUNCTION double operator()(const spanwise::field::StencilPoint<Pattern, double>& p) const {
    return 0.5 * p.centre() + 0.125 * p.sumOfNeighbours();
  }
};

/// A rank's rows with those around them, and where neighbours are.
struct Part {
  spanwise::parallel::HaloPlan plan;
  spanwise::field::RankStencilMapOn<Pattern, Space> map;
};

Part makePart(const Space& space, const spanwise::Communicator& ranks) {
  spanwise::parallel::RowCut cut;
  for (int r = 0; r <= ranks.size(); ++r) {
    cut.bounds.push_back(r * rowsOfRank);
  }
  const spanwise::geometry::Coordinate first = ranks.rank() * rowsOfRank;
  const spanwise::geometry::Coordinate begin = ranks.rank() > 0 ? first - 1 : first;
  const spanwise::geometry::Coordinate end = first + rowsOfRank + (ranks.rank() + 1 < ranks.size() ? 1 : 0);
  spanwise::geometry::IntervalSetOn<2, Space> set;
  spanwise::geometry::makeBox<Space, 2>(spanwise::Context(space), {{0, begin}, {width, end}}, set);
  const spanwise::Context context(space);
  Part part;
  part.plan = spanwise::parallel::makeHaloPlan<Space, 2>(context.with(ranks), cut, 1, set);
  spanwise::field::buildRankStencilMap<Pattern, Space>(context, set, {}, part.plan, part.map);
  return part;
}

/// What a layout costs in a step, on all ranks, and a number that its values have.
struct Costs {
  std::int64_t pieces;
  std::int64_t messages;
  std::int64_t bytes;
  double milliseconds;
  double norm;
};

Costs run(
  const Space& space, const spanwise::Communicator& ranks, const Part& part, int components, const Layout& layout) {
  spanwise::field::FieldOn<double, Space> from("from", part.plan.numCells, components, layout);
  spanwise::field::FieldOn<double, Space> to("to", part.plan.numCells, components, layout);
  spanwise::field::fill(spanwise::Context(space), from, 1.0 + ranks.rank());
  spanwise::parallel::HaloExchange<Space> exchange(ranks, part.plan);
  exchange.exchange(space, from.view());
  spanwise::field::copyValues(spanwise::Context(space), from, to);
  const spanwise::parallel::MessageReport before = exchange.report();
  const Kokkos::Timer timer;
  for (int step = 0; step < steps; ++step) {
    exchange.start(space, from.view());
    spanwise::field::applyStencil(space, part.map.inner, from, 0.0, MeanOfNeighbours{}, to);
    exchange.finish(space);
    spanwise::field::applyStencil(space, part.map.rim, from, 0.0, MeanOfNeighbours{}, to);
    std::swap(from, to);
  }
  space.fence();
  const double seconds = ranks.reduced(spanwise::ReduceBy::Maximum, timer.seconds());
  const spanwise::parallel::MessageReport after = exchange.report();
  const auto ofAll = [&](std::int64_t count) { return ranks.reduced(spanwise::ReduceBy::Sum, count) / steps; };
  return {ofAll(after.pieces - before.pieces), ofAll(after.messages - before.messages),
    ofAll(after.bytes - before.bytes), 1e3 * seconds / steps,
    ranks.reduced(
      spanwise::ReduceBy::Maximum, spanwise::field::norm(spanwise::Context(space), spanwise::field::Norm::L2, from))};
}

bool runAll(const spanwise::Communicator& ranks, int components) {
  const Space space;
  const Part part = makePart(space, ranks);
  const std::pair<const char*, Layout> layouts[] = {
    {"AoS", Layout::tuples()}, {"SoA", Layout()}, {"grouped SoA", spanwise::field::haloLayout<Memory>(part.plan)}};
  const bool tells = ranks.rank() == 0;
  if (tells) {
    std::printf("%d ranks of %d x %d cells, %d components\n", ranks.size(), width, rowsOfRank, components);
    std::printf("%-12s %8s %9s %10s %10s\n", "a step", "pieces", "messages", "bytes", "ms");
  }
  double norm = 0.0;
  bool isRight = true;
  for (const auto& [name, layout] : layouts) {
    const Costs costs = run(space, ranks, part, components, layout);
    if (tells) {
      std::printf("%-12s %8lld %9lld %10lld %10.3f\n", name, static_cast<long long>(costs.pieces),
        static_cast<long long>(costs.messages), static_cast<long long>(costs.bytes), costs.milliseconds);
    }
    const std::int64_t slabs = 2 * (ranks.size() - 1);
    const bool isSoA = layout.kind() == spanwise::field::LayoutKind::Columns;
    isRight = isRight && costs.pieces == slabs * (isSoA ? components : 1) && costs.messages == slabs &&
      costs.bytes == slabs * width * components * 8 && (norm == 0.0 || norm == costs.norm);
    norm = costs.norm;
  }
  return isRight;
}

} // namespace

int main(int argc, char** argv) {
  const int components = argc > 1 ? std::atoi(argv[1]) : 2;
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
  spanwise::startRuntime();
  const bool isRight = runAll(spanwise::parallel::MpiCommunicator(MPI_COMM_WORLD), components);
  MPI_Finalize();
#else
  spanwise::startRuntime();
  const bool isRight = runAll(spanwise::SingleProcess(), components);
#endif
  return isRight ? 0 : 1;
}
