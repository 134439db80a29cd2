#include "Core/Solvers/Eikonal/GridLevels.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/Search.hpp"
#include "Core/Solvers/Eikonal/CentreTimes.hpp"
#include "Core/Solvers/Eikonal/Starts.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace spanwise::eikonal {

namespace {

template <int Dim>
struct PlacePoints {
  const FinePoint* points;
  Lattice<Dim> root;
  double perRoot; ///< steps of the finest lattice in a root cell
  double* coordinates;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    for (int axis = 0; axis < 3; ++axis) {
      coordinates[3 * p + axis] = 0.0;
    }
    for (int axis = 0; axis < Dim; ++axis) {
      coordinates[3 * p + axis] =
        root.origin[axis] + root.spacing[axis] * (static_cast<double>(points[p].at[axis]) / perRoot);
    }
  }
};

/// What the mesh's cells have from their leaves.
struct TakeFromLeaves {
  const MeshCell* meshTypes;
  const std::int64_t* leafOfCell;
  const double* ofLeaves; ///< nullptr: no values
  int numComponents;
  ElementType* types;
  double* values;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    types[cell] = static_cast<ElementType>(meshTypes[cell]);
    for (int k = 0; k < numComponents; ++k) {
      values[numComponents * cell + k] = ofLeaves[numComponents * leafOfCell[cell] + k];
    }
  }
};

/// The cells of the mesh in each leaf: from the first one on.
struct CellsOfLeaf {
  const std::int64_t* leafOfCell;
  std::int64_t numCells;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t first(std::int64_t leaf) const {
    return firstAbove(leafOfCell, 0, numCells, leaf - 1);
  }
};

/// How many points there are at the cells of each leaf of a region, and the first that is no leaf.
struct CountPoints {
  const std::int64_t* region;
  std::int64_t numLeaves;
  CellsOfLeaf cells;
  const std::int64_t* offsets;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& firstWrong) const {
    const std::int64_t leaf = region[i];
    if (leaf < 0 || leaf >= numLeaves) {
      firstWrong = Kokkos::min(firstWrong, i);
      return;
    }
    counts[i] = offsets[cells.first(leaf + 1)] - offsets[cells.first(leaf)];
  }
};

struct FillPoints {
  const std::int64_t* region;
  CellsOfLeaf cells;
  const std::int64_t* offsets;
  const std::int64_t* connectivity;
  const std::int64_t* begins;
  std::int64_t* points;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t from = offsets[cells.first(region[i])];
    for (std::int64_t k = begins[i]; k < begins[i + 1]; ++k) {
      points[k] = connectivity[from + k - begins[i]];
    }
  }
};

/// The leaves of a level, for kernels.
template <int Dim>
struct LevelOfLeaves {
  IntervalSetView<Dim> set;
  std::int64_t firstLeaf;
};

template <int Dim>
struct StartInLeaves {
  static constexpr int mostLevels = 32;
  LevelOfLeaves<Dim> levels[mostLevels];
  int numLevels;
  Lattice<Dim> root;
  Speed speed;
  CellsOfLeaf cells;
  const std::int64_t* offsets;
  const std::int64_t* connectivity;
  const double* coordinates;
  const PointSource<Dim>* sources;
  double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t s, std::int64_t& firstWrong) const {
    const std::int64_t leaf = find(sources[s]);
    if (leaf < 0 || (speed.kind == Speed::Kind::OfElements && speed.values[leaf] == 0.0)) {
      firstWrong = Kokkos::min(firstWrong, s);
      return;
    }
    SymmetricTensor m = speed.ofElement<std::int64_t>(leaf, nullptr, 0);
    const SymmetricTensor inverse = m.inverse();
    for (std::int64_t cell = cells.first(leaf); cell < cells.numCells && cells.leafOfCell[cell] == leaf; ++cell) {
      for (std::int64_t k = offsets[cell]; k < offsets[cell + 1]; ++k) {
        Point d;
        for (int axis = 0; axis < Dim; ++axis) {
          d[axis] = coordinates[3 * connectivity[k] + axis] - sources[s].at[axis];
        }
        Kokkos::atomic_fetch_min(&times[connectivity[k]], sources[s].time + Kokkos::sqrt(inverse.product(d)));
      }
    }
  }

private:
  /// The leaf that holds a source, or -1.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t find(const PointSource<Dim>& source) const {
    for (int l = 0; l < numLevels; ++l) {
      Cell<Dim> cell;
      bool valid = true;
      for (int axis = 0; axis < Dim; ++axis) {
        const double h = root.spacing[axis] / static_cast<double>(std::int64_t{1} << l);
        const double at = Kokkos::floor((source.at[axis] - root.origin[axis]) / h);
        valid = valid && at >= minCoordinate && at <= maxRowKey;
        cell.at[axis] = valid ? static_cast<Coordinate>(at) : 0;
      }
      const std::int64_t number = valid ? levels[l].set.findCell(cell) : -1;
      if (number >= 0) {
        return levels[l].firstLeaf + number;
      }
    }
    return -1;
  }
};

/// Points as the solver on simplices takes them.
template <int Dim>
struct SpreadPoints {
  const PointSource<Dim>* points;
  double* places;
  double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    for (int axis = 0; axis < 3; ++axis) {
      places[3 * p + axis] = axis < Dim ? points[p].at[axis] : 0.0;
    }
    times[p] = points[p].time;
  }
};

/// Points as they are in one period.
template <int Dim>
std::vector<PointSource<Dim>> withinPeriod(
  const std::vector<PointSource<Dim>>& points, const Lattice<Dim>& root, const Periods<Dim>& periods) {
  std::vector<PointSource<Dim>> result = points;
  for (PointSource<Dim>& point : result) {
    for (int axis = 0; axis < Dim; ++axis) {
      if (periods.along[axis]) {
        const double begin = root.origin[axis] + root.spacing[axis] * periods.box.begin[axis];
        const double length = root.spacing[axis] * static_cast<double>(periods.box.extent(axis));
        point.at[axis] -= length * std::floor((point.at[axis] - begin) / length);
      }
    }
  }
  return result;
}

void checkLength(const char* what, std::size_t length, std::int64_t expected) {
  if (static_cast<std::int64_t>(length) != expected) {
    throw InvalidArgument(
      "there are " + std::to_string(length) + " times of " + what + ": there must be " + std::to_string(expected));
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void buildLevelGrid(const ExecutionSpace& space, const LeavesOn<Dim, ExecutionSpace>& leaves, int finest,
  const Lattice<Dim>& root, const Speed& speed, LevelGrid<Dim, typename ExecutionSpace::memory_space>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Periods<Dim>& periods) {
  SPANWISE_REGION("Eikonal::buildLevelGrid");
  if (speed.kind == Speed::Kind::OfVertices) {
    throw InvalidArgument("the speeds are those of vertices: on levels they are those of leaves");
  }
  coverOfLeaves<ExecutionSpace, Dim>(space, leaves, out.cover_, workspace);
  checkLeaves<ExecutionSpace, Dim>(space, leaves, out.cover_);
  wrapCover<ExecutionSpace, Dim>(space, leaves, periods, out.cover_, workspace);
  makeConformingMesh<ExecutionSpace, Dim>(space, leaves, out.cover_, finest, {}, out.mesh_, out.scratch_, workspace);
  out.root_ = root;
  out.periods_ = periods;
  out.speed_ = speed;
  out.numLeaves_ = 0;
  for (const auto& level : leaves) {
    out.numLeaves_ += level.numCells();
  }
  const std::int64_t numPoints = out.mesh_.points.count();
  const std::int64_t numCells = out.mesh_.types.count();
  reserve(out.coordinates_, 3 * numPoints, SPANWISE_LABEL("Eikonal::coordinates"));
  reserve(out.types_, numCells, SPANWISE_LABEL("Eikonal::types"));
  forEach(SPANWISE_KERNEL("place points"), IndexRange<ExecutionSpace>(space, 0, numPoints),
    PlacePoints<Dim>{
      out.mesh_.points.data(), root, static_cast<double>(std::int64_t{1} << finest), out.coordinates_.data()});
  Speed ofCells = speed;
  TakeFromLeaves take{out.mesh_.types.data(), out.mesh_.sources.data(), speed.values, 0, out.types_.data(), nullptr};
  if (speed.kind != Speed::Kind::Constant) {
    take.numComponents = speed.kind == Speed::Kind::OfElements ? 1 : 6;
    reserve(out.speeds_, take.numComponents * numCells, SPANWISE_LABEL("Eikonal::speeds"));
    take.values = out.speeds_.data();
    ofCells.values = take.values;
  }
  forEach(SPANWISE_KERNEL("take from leaf"), IndexRange<ExecutionSpace>(space, 0, numCells), take);
  out.ofCells_ = ofCells;
  joinSeam<ExecutionSpace, Dim>(space, out.mesh_.points.data(), numPoints, periods, finest, root, out.seam_, workspace);
  buildSimplexMesh<ExecutionSpace, Dim + 1>(
    space, out.meshView(), ofCells, out.simplices_, workspace, out.seam_.view());
}

template <class ExecutionSpace, int Dim>
void startAtPointsOfLevels(const ExecutionSpace& space, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LevelGrid<Dim, typename ExecutionSpace::memory_space>& grid, const std::vector<PointSource<Dim>>& points,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times) {
  SPANWISE_REGION("Eikonal::startAtPointsOfLevels");
  checkLength("points", times.extent(0), grid.numPoints());
  for (const PointSource<Dim>& point : points) {
    if (!std::isfinite(point.time)) {
      throw InvalidArgument("the time of a source is " + numberText(point.time) + ": it must be finite");
    }
  }
  StartInLeaves<Dim> start{};
  if (leaves.size() > StartInLeaves<Dim>::mostLevels) {
    throw InvalidArgument("there are leaves on " + std::to_string(leaves.size()) + " levels: 32 are the most");
  }
  std::int64_t numLeaves = 0;
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    start.levels[l] = {leaves[l].view(), numLeaves};
    numLeaves += leaves[l].numCells();
  }
  const auto numSources = static_cast<std::int64_t>(points.size());
  Kokkos::View<PointSource<Dim>*, typename ExecutionSpace::memory_space> sources(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Eikonal::sources")), points.size());
  const std::vector<PointSource<Dim>> within = withinPeriod(points, grid.root_, grid.periods_);
  const Kokkos::View<const PointSource<Dim>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
    within.data(), within.size());
  Kokkos::deep_copy(space, sources, host);
  start.numLevels = static_cast<int>(leaves.size());
  start.root = grid.root_;
  start.speed = grid.speed_;
  start.cells = {grid.mesh_.sources.data(), grid.mesh_.types.count()};
  start.offsets = grid.mesh_.offsets.data();
  start.connectivity = grid.mesh_.connectivity.data();
  start.coordinates = grid.coordinates();
  start.sources = sources.data();
  start.times = times.data();
  std::int64_t firstWrong = numSources;
  reduceMin(SPANWISE_KERNEL("start in leaves"), IndexRange<ExecutionSpace>(space, 0, numSources), start, firstWrong);
  if (firstWrong < numSources) {
    throw InvalidArgument("the source with the number " + std::to_string(firstWrong) +
      " is not in a leaf, or in a wall: fronts cannot start there");
  }
}

template <class ExecutionSpace, int Dim>
void factorPointsOfLevels(const ExecutionSpace& space,
  const LevelGrid<Dim, typename ExecutionSpace::memory_space>& grid, const std::vector<PointSource<Dim>>& points,
  double radius, Factoring<typename ExecutionSpace::memory_space>& factoring,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Eikonal::factorPointsOfLevels");
  using Memory = typename ExecutionSpace::memory_space;
  const auto numPoints = static_cast<std::int64_t>(points.size());
  typename Workspace<Memory>::Frame frame(workspace);
  const auto given = frame.template array<PointSource<Dim>>(numPoints);
  const auto places = frame.template array<double>(3 * numPoints);
  const auto times = frame.template array<double>(numPoints);
  const auto simplexOfPoint = frame.template array<std::int32_t>(numPoints);
  const std::vector<PointSource<Dim>> within = withinPeriod(points, grid.root_, grid.periods_);
  const Kokkos::View<const PointSource<Dim>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
    within.data(), within.size());
  Kokkos::deep_copy(space, given, host);
  forEach(SPANWISE_KERNEL("spread points"), IndexRange<ExecutionSpace>(space, 0, numPoints),
    SpreadPoints<Dim>{given.data(), places.data(), times.data()});
  const MeshView<double, std::int64_t> mesh = grid.meshView();
  Sources sources;
  sources.points = {places.data(), times.data(), numPoints, 0.0};
  locatePoints<ExecutionSpace, Dim + 1>(
    space, mesh.vertices, grid.simplices().view(), sources.points, simplexOfPoint.data(), workspace);
  StartArrays starts;
  starts.simplexOfPoint = simplexOfPoint.data();
  const Seam seam = grid.seam();
  setFactoring<ExecutionSpace, Dim + 1>(space, mesh, grid.ofCells_, grid.simplices().view(), sources, starts,
    {FactorBy::Points, radius, {seam.periods[0], seam.periods[1], seam.periods[2]}}, factoring, workspace);
}

template <class ExecutionSpace, int Dim>
std::int64_t pointsOfLeaves(const ExecutionSpace& space,
  const LevelGrid<Dim, typename ExecutionSpace::memory_space>& grid,
  const Kokkos::View<const std::int64_t*, typename ExecutionSpace::memory_space>& region,
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& points,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Eikonal::pointsOfLeaves");
  const auto count = static_cast<std::int64_t>(region.extent(0));
  const CellsOfLeaf cells{grid.mesh().sources.data(), grid.mesh().types.count()};
  const std::int64_t* const offsets = grid.mesh().offsets.data();
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  const auto begins = frame.template array<std::int64_t>(count + 1);
  const IndexRange<ExecutionSpace> all(space, 0, count);
  std::int64_t firstWrong = count;
  reduceMin(SPANWISE_KERNEL("count points"), all,
    CountPoints{region.data(), grid.numLeaves(), cells, offsets, begins.data()}, firstWrong);
  if (firstWrong < count) {
    throw InvalidArgument("leaf " + std::to_string(fetch(space, region.data(), firstWrong)) +
      " of the region to stop at does not exist: leaves are numbered from 0 to " +
      std::to_string(grid.numLeaves() - 1));
  }
  const std::int64_t numPoints = exclusiveScan(space, SPANWISE_KERNEL("scan points"), begins.data(), count);
  reserve(points, numPoints, SPANWISE_LABEL("Eikonal::pointsOfLeaves"));
  forEach(SPANWISE_KERNEL("fill points"), all,
    FillPoints{region.data(), cells, offsets, grid.mesh().connectivity.data(), begins.data(), points.data()});
  return numPoints;
}

template <class ExecutionSpace, int Dim>
void timesOfLeaves(const ExecutionSpace& space, const LevelGrid<Dim, typename ExecutionSpace::memory_space>& grid,
  const FactoringView& factoring, const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& ofLeaves) {
  checkLength("points", times.extent(0), grid.numPoints());
  checkLength("leaves", ofLeaves.extent(0), grid.numLeaves());
  timesAtCentres(space, grid.meshView(), grid.ofCells_, grid.simplices().view(), factoring, times.data(),
    grid.mesh().sources.data(), ofLeaves);
}

#define SPANWISE_GRID_LEVELS(Space, Dim)                                                                               \
  template void buildLevelGrid<Space, Dim>(const Space&, const LeavesOn<Dim, Space>&, int, const Lattice<Dim>&,        \
    const Speed&, LevelGrid<Dim, Space::memory_space>&, Workspace<Space::memory_space>&, const Periods<Dim>&);         \
  template void startAtPointsOfLevels<Space, Dim>(const Space&, const LeavesOn<Dim, Space>&,                           \
    const LevelGrid<Dim, Space::memory_space>&, const std::vector<PointSource<Dim>>&,                                  \
    const Kokkos::View<double*, Space::memory_space>&);                                                                \
  template void factorPointsOfLevels<Space, Dim>(const Space&, const LevelGrid<Dim, Space::memory_space>&,             \
    const std::vector<PointSource<Dim>>&, double, Factoring<Space::memory_space>&, Workspace<Space::memory_space>&);   \
  template std::int64_t pointsOfLeaves<Space, Dim>(const Space&, const LevelGrid<Dim, Space::memory_space>&,           \
    const Kokkos::View<const std::int64_t*, Space::memory_space>&, Kokkos::View<std::int64_t*, Space::memory_space>&,  \
    Workspace<Space::memory_space>&);                                                                                  \
  template void timesOfLeaves<Space, Dim>(const Space&, const LevelGrid<Dim, Space::memory_space>&,                    \
    const FactoringView&, const Kokkos::View<const double*, Space::memory_space>&,                                     \
    const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_LEVELS)

} // namespace spanwise::eikonal
