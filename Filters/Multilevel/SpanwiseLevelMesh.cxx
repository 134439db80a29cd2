#include "SpanwiseLevelMesh.h"

#include "SpanwiseInputLevels.h"
#include "SpanwiseLeafCover.h"
#include "SpanwiseMeshValues.h"

#include "Core/Multilevel/LevelPlanes.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <set>

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

/// Adds points without cells.
void addPoints(const std::vector<FinePoint>& more, ConformingMeshOn<HostExecutionSpace>& mesh) {
  std::vector<FinePoint> all(mesh.points.data(), mesh.points.data() + mesh.points.count());
  all.insert(all.end(), more.begin(), more.end());
  std::copy(all.begin(), all.end(), mesh.points.prepare(std::ssize(all)));
}

} // namespace

template <int Dim>
void meshOfLevels(const RankGroup& group, const PlaneRange& mine, Hierarchy<Dim> levels, MeshValues values,
  const Progress& progress, const LevelMesh<Dim>& out) {
  MeshSeam<Dim>* const seam = out.seam;
  const int finest = static_cast<int>(group.maximum(finestWithLeaves(levels)));
  // With the leaves of others beside this rank's. The order of a place's leaves does not depend on the ranks, so
  // neither do sums over them.
  Periods<Dim> periods = seam != nullptr ? seam->periods : Periods<Dim>();
  PlaneRange planes = mine;
  PlaneRange period{0, 0};
  if (periods.along[Dim - 1]) {
    period = {periods.box.begin[Dim - 1], periods.box.end[Dim - 1]};
    if (!group.alone()) { // the copies of leaves come with the halo
      planes = mine.empty() ? mine : mine.within(period);
      periods.along[Dim - 1] = false;
    }
  }
  addHaloOfLevels(group, mine, levels, group.alone() ? PlaneRange{0, 0} : period);
  group.agree([&] {
    CoveringLeaves<Dim> covering = coverOf(levels);
    ConformingMeshOn<HostExecutionSpace> mesh;
    ConformingScratchOn<Dim, HostExecutionSpace> scratch;
    const Context<HostExecutionSpace> context;
    wrapCover<HostExecutionSpace, Dim>(context, covering.leaves, periods, covering.cover);
    makeConformingMesh<HostExecutionSpace, Dim>(context.with(progress.part(0.0, 0.7)), covering.leaves, covering.cover,
      {.finest = finest, .planes = planes}, mesh, scratch);
    if (seam != nullptr && seam->periods.any()) {
      seam->finest = finest;
      seam->points.assign(mesh.points.data(), mesh.points.data() + mesh.points.count());
      if (!group.alone()) {
        const std::vector<FinePoint> twins = twinsBetweenRanks(seam->points, seam->periods, planes, finest);
        addPoints(twins, mesh);
        seam->points.insert(seam->points.end(), twins.begin(), twins.end());
      }
    }
    setMesh(mesh, placementOfLevel(levels.root, finest), out.grid);
    if (values == MeshValues::OnCellsAndPoints) {
      setPointMeans(mesh, levels, out.grid);
    }
    passCellValues(mesh, levels, out.grid);
    progress.report(1.0);
  });
}

#define SPANWISE_LEVEL_MESH(Dim)                                                                                       \
  template void meshOfLevels<Dim>(                                                                                     \
    const RankGroup&, const PlaneRange&, Hierarchy<Dim>, MeshValues, const Progress&, const LevelMesh<Dim>&);
SPANWISE_LEVEL_MESH(2)
SPANWISE_LEVEL_MESH(3)

} // namespace spanwise
