// A set that no rank has as a whole: each makes the drops in its own slab, and all together dilate them and count the
// components, before and after.
//
//     mpiexec -n 4 ./DistributedMorphology

#include <Core/Geometry/Builders/Predicate.hpp>
#include <Core/Geometry/Components.hpp>
#include <Core/Geometry/DomainMorphology.hpp>
#include <Core/Geometry/SetDomain.hpp>
#include <Core/Geometry/Slab.hpp>
#include <Core/Parallel/Cut.hpp>
#include <Core/Parallel/MpiCommunicator.hpp>
#include <Core/Runtime/Context.hpp>
#include <Core/Runtime/Runtime.hpp>

#include <mpi.h>

#include <cstdint>
#include <cstdio>

using Space = Kokkos::DefaultExecutionSpace;
using Set = spanwise::geometry::IntervalSetOn<3, Space>;
using Domain = spanwise::geometry::SetDomain<3>;

const spanwise::geometry::Box<3> box{{0, 0, 0}, {160, 160, 160}};
constexpr spanwise::geometry::Coordinate radius = 2;

/// One cell in 150, as if at random.
struct IsDrop {
  KOKKOS_FUNCTION bool operator()(const spanwise::geometry::Cell<3>& cell) const {
    std::uint64_t bits = 0;
    for (const spanwise::geometry::Coordinate at : cell.at) {
      bits = (bits + static_cast<std::uint64_t>(at) + 1) * 0x9e3779b97f4a7c15U;
      bits ^= bits >> 29;
    }
    return bits % 150 == 0;
  }
};

std::int64_t countComponents(const spanwise::Context<Space>& context, const Domain& domain, const Set& set) {
  const spanwise::geometry::ComponentNumbers<Space> labels("labels", static_cast<std::size_t>(set.numIntervals()));
  return spanwise::geometry::connectedComponents<Space, 3>(
    context, spanwise::geometry::Connectivity::Face, set, labels, domain)
    .count();
}

struct Counts {
  std::int64_t cells;
  std::int64_t components;
  std::int64_t dilatedCells;
  std::int64_t dilatedComponents;
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// Of the whole set, whatever part of it this rank has. Collective.
Counts countsOf(const spanwise::Context<Space>& context, const Domain& domain) {
  Set drops;
  spanwise::geometry::makeFromPredicate<Space, 3>(
    context, spanwise::geometry::inPlanes(box, domain.planes()), IsDrop(), drops);
  Set dilated;
  const auto ball = spanwise::geometry::StructuringElement<3>::ball(radius);
  spanwise::geometry::morph<Space, 3>(
    context, spanwise::geometry::MorphologyOperation::Dilate, drops, ball, dilated, domain);
  const auto sum = [&](const Set& set) {
    return spanwise::geometry::ranksOf(context, domain).reduced(spanwise::ReduceBy::Sum, set.numCells());
  };
  return {sum(drops), countComponents(context, domain, drops), sum(dilated), countComponents(context, domain, dilated)};
}

int countOnRanks() {
  const spanwise::parallel::MpiCommunicator ranks(MPI_COMM_WORLD);
  spanwise::parallel::RowCut cut;
  cut.bounds.push_back(spanwise::parallel::PlaneRange().begin);
  for (int r = 1; r < ranks.size(); ++r) {
    cut.bounds.push_back(spanwise::parallel::equalShare({box.begin[2], box.end[2]}, r, ranks.size()).begin);
  }
  cut.bounds.push_back(spanwise::parallel::PlaneRange().end);

  const spanwise::Context<Space> context(Space{}, ranks);
  const Counts counts = countsOf(context, Domain(ranks, cut));
  if (ranks.rank() > 0) {
    return 0;
  }
  std::printf("%d ranks: %lld drops in %lld components\n", ranks.size(), static_cast<long long>(counts.cells),
    static_cast<long long>(counts.components));
  std::printf("dilated by %d: %lld cells in %lld components\n", radius, static_cast<long long>(counts.dilatedCells),
    static_cast<long long>(counts.dilatedComponents));
  const bool isSame = counts == countsOf(context, Domain()); // by this process alone
  std::printf("one process alone counts %s\n", isSame ? "the same" : "something else");
  return isSame && counts.dilatedComponents < counts.components ? 0 : 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  spanwise::startRuntime();
  const int status = countOnRanks();
  MPI_Finalize();
  return status;
}
