#include "SpanwiseGridProblem.h"

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseArrivalArrays.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseGridPlaces.h"

#include "Core/Geometry/SetDomain.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Solvers/Eikonal/GridPaths.hpp"

#include <algorithm>
#include <cmath>
#include <format>
#include <iterator>
#include <limits>
#include <optional>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

/// A step of a path, in cells.
constexpr double pathStep = 0.5;

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T, class Memory>
std::vector<T> part(const Kokkos::View<T*, Memory>& values, std::int64_t begin, std::int64_t end) {
  return hostValues(
    Kokkos::View<T*, Memory>(Kokkos::subview(values, std::pair<std::int64_t, std::int64_t>(begin, end))), end - begin);
}

struct ShowTimes {
  const double* times;
  double unreached;
  FieldView<double> to;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    to(cell) = times[cell] < eikonal::notReached ? times[cell] : unreached;
  }
};

template <int Dim>
struct ShowSlopes {
  const double* times;
  const double* gradient; ///< [Dim][stride]
  std::int64_t stride;
  FieldView<double> to;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    for (int axis = 0; axis < 3; ++axis) {
      const double slope = axis < Dim ? gradient[axis * stride + cell] : 0.0;
      to(cell, axis) = times[cell] < eikonal::notReached ? slope : Kokkos::Experimental::quiet_NaN_v<double>;
    }
  }
};

/// What a solution has of own cells, of all that it holds, as arrays.
template <ComputeSide side, int Dim>
void show(const eikonal::GridArrival<Dim, SpaceOf<side>>& solution, const ShownTimes& shown, GridFound& found) {
  using Space = SpaceOf<side>;
  const auto [begin, end] = solution.grid.owned();
  const IndexRange<Space> own(Space(), 0, end - begin);
  const double* const times = solution.times.data() + begin;
  ArrayOnSide<side, double> arrivals(shown.name, end - begin, 1);
  forEach(SPANWISE_KERNEL("show times"), own, ShowTimes{times, shown.unreached, arrivals.values().view()});
  found.shownTimes = arrivals.array();
  if (solution.slopes == eikonal::Slopes::Gradient) {
    ArrayOnSide<side, double> slopes("Gradient", end - begin, 3);
    forEach(SPANWISE_KERNEL("show slopes"), own,
      ShowSlopes<Dim>{times, solution.gradient.data() + begin, solution.grid.numCells(), slopes.values().view()});
    found.shownSlopes = slopes.array();
  }
}

/// The same as values.
template <int Dim, class Space>
void take(const eikonal::GridArrival<Dim, Space>& solution, GridFound& found) {
  const std::int64_t held = solution.grid.numCells();
  const auto [begin, end] = solution.grid.owned();
  found.times = part(solution.times, begin, end);
  if (solution.slopes == eikonal::Slopes::Gradient) {
    for (int axis = 0; axis < Dim; ++axis) {
      const auto along = part(solution.gradient, axis * held + begin, axis * held + end);
      found.gradient.insert(found.gradient.end(), along.begin(), along.end());
    }
  }
}

template <int Dim, class Memory>
auto uploadedPlaces(const std::vector<double>& places) {
  const Kokkos::View<eikonal::GridPlace<Dim>*, Memory> views("places", places.size() / Dim);
  const auto mirror = Kokkos::create_mirror_view(views);
  for (std::size_t k = 0; k < mirror.extent(0); ++k) {
    std::copy_n(places.data() + Dim * k, Dim, mirror.data()[k].at);
  }
  Kokkos::deep_copy(views, mirror);
  return views;
}

template <int Dim, class Memory>
void take(const eikonal::GridPaths<Dim, Memory>& paths, std::int64_t count, GridFound& found) {
  found.begins = hostValues(paths.offsets.view(), count + 1);
  found.triangles = hostValues(paths.ends.view(), count);
  for (const auto& place : hostValues(paths.points.view(), found.begins.back())) {
    found.points.insert(found.points.end(), place.at, place.at + Dim);
  }
}

/// What a rank knows of some places.
struct Looked {
  std::vector<double> times;  ///< infinity where the place is in none of its cells, or not reached
  std::vector<double> labels; ///< -1: the same, or no source
};

/// The own cell that holds a place; -1: none.
template <int Dim>
std::int64_t cellOf(const IntervalGrid<Dim>& grid, const Periods<Dim>& periods, const double* place) {
  const GridPlacement& at = grid.placement();
  Cell<Dim> cell;
  for (int axis = 0; axis < Dim; ++axis) {
    double c = std::floor((place[axis] - at.origin[axis]) / at.spacing[axis]);
    if (periods.along[axis]) {
      const auto length = static_cast<double>(periods.box.extent(axis));
      c -= length * std::floor((c - periods.box.begin[axis]) / length);
    }
    if (!(c >= minCoordinate && c <= maxRowKey)) {
      return -1;
    }
    cell.at[axis] = static_cast<Coordinate>(c);
  }
  return grid.cells().findCell(cell);
}

/// Times between the centres of cells.
template <int Dim>
struct FieldOfGrid {
  const RankGroup& group; ///< of a shared problem, or one process
  const IntervalGrid<Dim>& grid;
  const Periods<Dim>& periods;
  const GridFound& found;

  /// Collective. The times at places by the gradients of their cells, and the labels of these.
  [[nodiscard]] Looked look(const std::vector<double>& places) const {
    std::vector<std::int64_t> counts;
    const std::vector<double> all = group.gather(places, &counts);
    Looked looked;
    for (std::size_t k = 0; k < all.size(); k += Dim) {
      const double* const place = all.data() + k;
      const std::int64_t cell = cellOf<Dim>(grid, periods, place);
      const auto c = static_cast<std::size_t>(cell);
      const bool isReached = cell >= 0 && found.times[c] < eikonal::notReached;
      looked.times.push_back(isReached ? found.times[c] + fromCentre(place, c) : infinity);
      looked.labels.push_back(isReached ? found.labels[c] : -1.0);
    }
    group.minimum(looked.times);
    group.maximum(looked.labels);
    std::int64_t first = 0;
    for (int rank = 0; rank < group.rank(); ++rank) {
      first += counts[static_cast<std::size_t>(rank)] / Dim;
    }
    const auto count = static_cast<std::ptrdiff_t>(places.size() / Dim);
    const auto mine = [&](std::vector<double>& values) {
      values = std::vector<double>(values.begin() + first, values.begin() + first + count);
    };
    mine(looked.times);
    mine(looked.labels);
    return looked;
  }

private:
  /// What the time at a place is more than that at the centre of its cell.
  [[nodiscard]] double fromCentre(const double* place, std::size_t cell) const {
    const GridPlacement& at = grid.placement();
    double more = 0.0;
    for (int axis = 0; axis < Dim; ++axis) {
      const double local = (place[axis] - at.origin[axis]) / at.spacing[axis];
      more += (local - std::floor(local) - 0.5) * at.spacing[axis] *
        found.gradient[static_cast<std::size_t>(axis) * found.times.size() + cell];
    }
    return more;
  }
};

/// The way from a place to the point source that its front came from, if it may be straight: startAtPoints() lets
/// fronts go straight to cells two away. These are places on it, fine enough to meet all cells.
constexpr int numBetween = 24;

template <int Dim>
bool isNear(const GridPlacement& at, const double* source, const double* place) {
  for (int axis = 0; axis < Dim; ++axis) {
    if (std::abs(place[axis] - source[axis]) > 2.5 * at.spacing[axis]) {
      return false;
    }
  }
  return true;
}

/// The copy of a source nearest to a place: axes that repeat are unwrapped.
template <int Dim>
void nearestCopy(const GridPlacement& at, const Periods<Dim>& periods, const double* place, double* source) {
  for (int axis = 0; axis < Dim; ++axis) {
    if (periods.along[axis]) {
      const double length = static_cast<double>(periods.box.extent(axis)) * at.spacing[axis];
      source[axis] += length * std::round((place[axis] - source[axis]) / length);
    }
  }
}

/// The end of a path.
template <int Dim>
struct PathEnd {
  std::int64_t count = 0; ///< points of the path that are kept
  std::int32_t label = -1;
  bool atPoint = false;   ///< it ends at the point source `source`
  bool onSurface = false; ///< it ends on the surface
  double source[Dim] = {};
  double time = -infinity; ///< when the front was at that source
};

} // namespace

template <int Dim>
GridFound GridProblem<Dim>::solveFor(const RankGroup& group, eikonal::GridArrivalOptions asked,
  const Progress& progress, const ShownTimes* shown, const std::vector<double>* from) const {
  GridFound found;
  const GridGeometry<Dim> lattice = latticeOf<Dim>(grid->placement());
  const SetDomain<Dim> domain = shared ? SetDomain<Dim>(group.communicator(), cut, periods) : SetDomain<Dim>(periods);
  const auto solveOn = [&]<ComputeSide side>(const SideContext<side>& sideContext) {
    using Space = SpaceOf<side>;
    using Memory = typename Space::memory_space;
    std::optional<UploadedSpeed> uploadedSpeed;
    std::optional<UploadedSources> uploadedSurface;
    Upload<double> uploadedTimes;
    Upload<std::int32_t> uploadedNumbers;
    Upload<std::int64_t> uploadedRegion;
    group.agree([&] {
      uploadedSpeed.emplace(side, speed);
      uploadedSurface.emplace(side, surface);
      uploadedTimes = Upload<double>(side, cellTimes);
      uploadedNumbers = Upload<std::int32_t>(side, cellNumbers);
      uploadedRegion = Upload<std::int64_t>(side, stopRegion);
    });
    asked.solve.iteration.stopVertices = uploadedRegion.data();
    asked.solve.iteration.numStopVertices = std::ssize(stopRegion);
    eikonal::GridStarts<Dim, Memory> starts;
    starts.surface = uploadedSurface->view().surface;
    for (std::size_t k = 0; k < pointTimes.size(); ++k) {
      eikonal::PointSource<Dim> source{};
      std::copy_n(places.data() + Dim * k, Dim, source.at);
      source.time = pointTimes[k];
      starts.points.push_back(source);
    }
    starts.timesOfCells = uploadedTimes.data();
    starts.numbersOfCells = uploadedNumbers.data();
    const Context<Space> context = sideContext.with(progress);
    eikonal::GridArrival<Dim, Space> solution;
    found = {};
    found.report = eikonal::solveGridArrival<Space, Dim>(
      context, grid->mirrored().template on<side>(), lattice, domain, uploadedSpeed->view(), starts, asked, solution);
    group.agree([&] {
      if (solution.trace == eikonal::Trace::Sources) {
        const auto [begin, end] = solution.grid.owned();
        found.labels = part(solution.labels, begin, end);
      }
      if (shown != nullptr) {
        show<side, Dim>(solution, *shown, found);
      } else {
        take<Dim>(solution, found);
      }
    });
    if (from != nullptr) {
      eikonal::GridPaths<Dim, Memory> paths;
      decltype(uploadedPlaces<Dim, Memory>(*from)) begins;
      group.agree([&] { begins = uploadedPlaces<Dim, Memory>(*from); });
      eikonal::tracePaths<Space, Dim>(context, solution.grid, solution.times, solution.gradient, solution.origins,
        begins, pathStep, starts.surface, paths);
      group.agree([&] { take<Dim>(paths, static_cast<std::int64_t>(from->size() / Dim), found); });
    }
  };
  const SideInputs<Dim> all{{&grid->mirrored()}, workOnElements(grid->numCells()).numCells};
  computeOnSide<Dim>(group, "Arrival times on cells", all, solveOn);
  return found;
}

template <int Dim>
FrontPaths GridProblem<Dim>::traceTogether(const RankGroup& group, FrontSources seeds, const PathSettings& settings,
  vtkDataSet* /*data*/, const Progress& progress) const {
  if (shared && group.size() != cut.numParts()) { // on all ranks
    throw InvalidArgument(std::format(
      "the arrival times are those of {} ranks together; paths were asked of {}", cut.numParts(), group.size()));
  }
  const std::vector<double> all = placesIn<Dim>(group, *grid, periods, seeds.points, settings.reach);
  // Each rank begins in its own cells, and the first one with what is nowhere.
  FrontPaths paths;
  std::vector<double> starts;
  std::vector<std::int64_t> pathOfSeed;
  for (std::size_t k = 0; k < all.size(); k += Dim) {
    const bool isMine = std::isnan(all[k]) ? group.rank() == 0 : cellOf<Dim>(*grid, periods, all.data() + k) >= 0;
    pathOfSeed.push_back(isMine ? std::ssize(starts) / Dim : -1);
    if (isMine) {
      starts.insert(
        starts.end(), all.begin() + static_cast<std::ptrdiff_t>(k), all.begin() + static_cast<std::ptrdiff_t>(k) + Dim);
    }
  }
  eikonal::GridArrivalOptions traced = options;
  traced.trace = eikonal::Trace::Sources;
  traced.slopes = eikonal::Slopes::Gradient;
  traced.slopesOrder = 2; // also where times are of first order: directions are nearer to the ways
  const GridFound found = solveAndGoBack(group, traced, starts, progress.part(0.0, 0.8));
  const FieldOfGrid<Dim> field{group, *grid, periods, found};
  const Looked looked = field.look(found.points);
  const auto pointOf = [&](std::int64_t p) { return found.points.data() + Dim * p; };

  // Where paths end. Those that come near a point source go straight to it from the first place that sees it.
  std::vector<PathEnd<Dim>> ends(starts.size() / Dim);
  std::vector<double> between;
  for (std::size_t k = 0; k < ends.size(); ++k) {
    PathEnd<Dim>& end = ends[k];
    end.count = found.begins[k + 1] - found.begins[k];
    const std::int64_t last = found.begins[k + 1] - 1;
    if (const std::int32_t triangle = found.triangles[k]; triangle >= 0) {
      end.label = static_cast<std::int32_t>(std::ssize(pointTimes)) + triangle;
      end.onSurface = true;
      end.count -= 1;
      std::copy_n(pointOf(last), Dim, end.source);
      end.time = surface.triangleTimes[static_cast<std::size_t>(triangle)];
      continue;
    }
    end.label = end.count > 1 ? static_cast<std::int32_t>(looked.labels[static_cast<std::size_t>(last)]) : -1;
    end.atPoint = end.label >= 0 && static_cast<std::size_t>(end.label) < pointTimes.size();
    if (!end.atPoint) {
      continue;
    }
    end.time = pointTimes[static_cast<std::size_t>(end.label)];
    std::copy_n(places.data() + static_cast<std::size_t>(Dim * end.label), Dim, end.source);
    nearestCopy<Dim>(grid->placement(), periods, pointOf(last), end.source);
    for (std::int64_t p = found.begins[k]; p <= last; ++p) {
      for (int part = 0; isNear<Dim>(grid->placement(), end.source, pointOf(p)) && part < numBetween; ++part) {
        for (int axis = 0; axis < Dim; ++axis) {
          between.push_back(end.source[axis] + (pointOf(p)[axis] - end.source[axis]) * (part + 0.5) / numBetween);
        }
      }
    }
  }
  const Looked onTheWay = field.look(between);
  std::size_t at = 0;
  for (std::size_t k = 0; k < ends.size(); ++k) {
    bool sees = false;
    for (std::int64_t p = found.begins[k]; ends[k].atPoint && p < found.begins[k + 1]; ++p) {
      if (!isNear<Dim>(grid->placement(), ends[k].source, pointOf(p))) {
        continue;
      }
      const auto begin = onTheWay.times.begin() + static_cast<std::ptrdiff_t>(at);
      at += numBetween;
      if (!sees && std::all_of(begin, begin + numBetween, [](double time) { return time < infinity; })) {
        sees = true;
        ends[k].count = p + 1 - found.begins[k];
      }
    }
  }

  const double plane = Dim == 2 ? grid->placement().origin[2] : 0.0;
  const auto add = [&](const double* place, double time) {
    paths.points.insert(paths.points.end(), {place[0], place[1], Dim == 3 ? place[Dim - 1] : plane});
    paths.times.push_back(time);
  };
  paths.begins.push_back(0);
  for (const std::int64_t path : pathOfSeed) {
    if (path < 0) { // another rank has it
      paths.sources.push_back(-1);
      paths.begins.push_back(paths.begins.back());
      continue;
    }
    const auto k = static_cast<std::size_t>(path);
    const PathEnd<Dim>& end = ends[k];
    const bool hasPlace = end.atPoint || end.onSurface;
    const bool arrives = end.count - 1 + (hasPlace ? 1 : 0) <= settings.maxSteps;
    double last = infinity;
    for (std::int64_t p = 0; p < (arrives ? end.count : std::min(end.count, settings.maxSteps + 1)); ++p) {
      const std::int64_t point = found.begins[k] + p;
      // a way back never takes longer, and never begins before its source
      last = std::min(last, std::max(looked.times[static_cast<std::size_t>(point)], end.time));
      add(pointOf(point), last);
    }
    if (arrives && hasPlace) {
      add(end.source, end.time);
    }
    paths.sources.push_back(arrives ? numberOf(end.label) : -1);
    paths.begins.push_back(std::ssize(paths.times));
  }
  return paths;
}

template class GridProblem<2>;
template class GridProblem<3>;

} // namespace spanwise
