#include "SpanwiseLevelMesh.h"

#include "SpanwiseInputLevels.h"
#include "SpanwiseMeshValues.h"

#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Multilevel/LevelPlanes.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/HostCopy.hpp"

#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

template <int Dim>
int finestWithLeaves(const Hierarchy<Dim>& levels) {
  int finest = 0;
  for (int k = 0; k < levels.numLevels(); ++k) {
    finest = levels.leaves[static_cast<std::size_t>(k)].set.empty() ? finest : k;
  }
  return finest;
}

/// The points that are one with points of `planes`' borders where axes repeat, and are not there.
template <int Dim>
std::vector<FinePoint> twinsBetweenRanks(
  const std::vector<FinePoint>& points, const Periods<Dim>& periods, const PlaneRange& planes, int finest) {
  const auto scaled = [&](std::int64_t c) { return c * (std::int64_t{1} << finest); };
  std::set<FinePoint> known(points.begin(), points.end());
  std::vector<FinePoint> twins;
  for (const FinePoint& point : points) {
    if (point.at[Dim - 1] != scaled(planes.begin) && point.at[Dim - 1] != scaled(planes.end)) {
      continue;
    }
    std::vector<FinePoint> same{point};
    for (int axis = 0; axis < Dim; ++axis) {
      const std::int64_t begin = scaled(periods.box.begin[axis]);
      const std::int64_t end = scaled(periods.box.end[axis]);
      if (periods.along[axis] && (point.at[axis] == begin || point.at[axis] == end)) {
        const std::size_t count = same.size();
        for (std::size_t k = 0; k < count; ++k) {
          FinePoint other = same[k];
          other.at[axis] = begin + end - other.at[axis];
          same.push_back(other);
        }
      }
    }
    for (const FinePoint& twin : same) {
      if (known.insert(twin).second) {
        twins.push_back(twin);
      }
    }
  }
  return twins;
}

/// Adds to a part of a mesh, without cells, the points that are one with its points between ranks where axes repeat.
template <ComputeSide side, int Dim>
void addTwins(const SpaceOf<side>& space, const LeavesOfMesh<Dim>& leaves, ConformingMeshOn<SpaceOf<side>>& mesh) {
  std::vector<FinePoint> points(static_cast<std::size_t>(mesh.points.count()));
  copyToHost(space, mesh.points.data(), mesh.points.count(), points.data());
  const std::vector<FinePoint> twins = twinsBetweenRanks(points, leaves.periods, leaves.planes, leaves.finest);
  points.insert(points.end(), twins.begin(), twins.end());
  copyFromHost(space, points.data(), std::ssize(points), mesh.points.prepare(std::ssize(points)));
}

} // namespace

template <int Dim>
LeavesOfMesh<Dim> leavesOfMesh(
  const RankGroup& group, const PlaneRange& mine, Hierarchy<Dim> levels, const Periods<Dim>& periods) {
  LeavesOfMesh<Dim> leaves;
  leaves.finest = static_cast<int>(group.maximum(finestWithLeaves(levels)));
  leaves.planes = mine;
  leaves.periods = periods;
  leaves.isPart = !group.alone();
  PlaneRange period{0, 0};
  if (leaves.isPart && periods.along[Dim - 1]) { // the copies of leaves come with the halo
    period = {periods.box.begin[Dim - 1], periods.box.end[Dim - 1]};
    leaves.planes = mine.empty() ? mine : mine.within(period);
  }
  addHaloOfLevels(group, mine, levels, period);
  leaves.levels = std::move(levels);
  return leaves;
}

template <ComputeSide side, int Dim>
void makeMeshOfSome(const Context<SpaceOf<side>>& context, const LeavesOfMesh<Dim>& leaves,
  const LeafCoverOn<Dim, SpaceOf<side>>& cover, ConformingMeshOn<SpaceOf<side>>& out, bool withShares) {
  ConformingScratchOn<Dim, SpaceOf<side>> scratch;
  makeConformingMesh<SpaceOf<side>, Dim>(context, setsOf<side>(leaves.levels), cover,
    {.finest = leaves.finest, .planes = leaves.planes, .withShares = withShares}, out, scratch);
}

template <ComputeSide side, int Dim>
void makeMesh(const Context<SpaceOf<side>>& context, const LeavesOfMesh<Dim>& leaves,
  ConformingMeshOn<SpaceOf<side>>& out, bool withShares) {
  using Space = SpaceOf<side>;
  const LeavesOn<Dim, Space> sets = setsOf<side>(leaves.levels);
  Periods<Dim> wrapped = leaves.periods;
  wrapped.along[Dim - 1] = wrapped.along[Dim - 1] && !leaves.isPart;
  LeafCoverOn<Dim, Space> cover;
  coverOfLeaves<Space, Dim>(context, sets, cover);
  wrapCover<Space, Dim>(context, sets, wrapped, cover);
  makeMeshOfSome<side, Dim>(context, leaves, cover, out, withShares);
  if (leaves.isPart && leaves.periods.any()) {
    addTwins<side>(context.space(), leaves, out);
  }
}

template <int Dim>
void gridOfLevels(
  const RankGroup& group, const Hierarchy<Dim>& levels, const Progress& progress, vtkUnstructuredGrid* output) {
  Hierarchy<Dim> own = levels;
  const PlaneRange mine = distributeLevels(group, own);
  // With the leaves of others beside this rank's. The order of a place's leaves does not depend on the ranks, so
  // neither do sums over them.
  const LeavesOfMesh<Dim> leaves = leavesOfMesh(group, mine, group.streams() ? levels : own);
  group.agree([&] {
    const Context<HostExecutionSpace> context;
    ConformingMeshOn<HostExecutionSpace> mesh;
    makeMesh<ComputeSide::Host, Dim>(context.with(progress.part(0.0, 0.7)), leaves, mesh, true);
    setMesh(mesh, placementOfLevel(levels.root, leaves.finest), output);
    setPointMeans(mesh, leaves.levels, output);
    passCellValues(mesh, own, output);
    progress.report(1.0);
  });
}

#define SPANWISE_LEVEL_MESH_ON(side, Dim)                                                                              \
  template void makeMesh<side, Dim>(                                                                                   \
    const Context<SpaceOf<side>>&, const LeavesOfMesh<Dim>&, ConformingMeshOn<SpaceOf<side>>&, bool);                  \
  template void makeMeshOfSome<side, Dim>(const Context<SpaceOf<side>>&, const LeavesOfMesh<Dim>&,                     \
    const LeafCoverOn<Dim, SpaceOf<side>>&, ConformingMeshOn<SpaceOf<side>>&, bool);
#define SPANWISE_LEVEL_MESH(Dim)                                                                                       \
  template LeavesOfMesh<Dim> leavesOfMesh<Dim>(                                                                        \
    const RankGroup&, const PlaneRange&, Hierarchy<Dim>, const Periods<Dim>&);                                         \
  template void gridOfLevels<Dim>(const RankGroup&, const Hierarchy<Dim>&, const Progress&, vtkUnstructuredGrid*);     \
  SPANWISE_LEVEL_MESH_ON(ComputeSide::Host, Dim)                                                                       \
  SPANWISE_LEVEL_MESH_ON(ComputeSide::Device, Dim)
SPANWISE_LEVEL_MESH(2)
SPANWISE_LEVEL_MESH(3)

} // namespace spanwise
