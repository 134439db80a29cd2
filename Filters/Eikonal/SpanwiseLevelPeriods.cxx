#include "SpanwiseLevelPeriods.h"

#include "SpanwiseLattice.h"
#include "SpanwiseRankCells.h"

#include "Core/Multilevel/LevelPlanes.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <format>
#include <iterator>
#include <utility>

using namespace spanwise::geometry;
using namespace spanwise::parallel;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

/// Collective. The bounding box of all leaves, in cells of level 0.
template <int Dim>
Box<Dim> boxOfLevels(const RankGroup& group, const PeriodChoice& choice, const Hierarchy<Dim>& levels) {
  Box<Dim> result{};
  const int finest = levels.numLevels() - 1;
  std::int64_t low[Dim] = {};
  std::int64_t high[Dim] = {};
  bool isFirst = true;
  for (int k = 0; k <= finest; ++k) {
    const Box<Dim> box = boundingBoxOfAll<Dim>(group, {&levels.leaves[static_cast<std::size_t>(k)].set});
    if (box.empty()) {
      continue;
    }
    const std::int64_t scale = std::int64_t{1} << (finest - k);
    for (int axis = 0; axis < Dim; ++axis) {
      const std::int64_t begin = box.begin[axis] * scale;
      const std::int64_t end = box.end[axis] * scale;
      low[axis] = isFirst ? begin : std::min(low[axis], begin);
      high[axis] = isFirst ? end : std::max(high[axis], end);
    }
    isFirst = false;
  }
  const std::int64_t ofRoot = std::int64_t{1} << finest;
  for (int axis = 0; axis < Dim; ++axis) {
    if (choice.along[axis] && (low[axis] % ofRoot != 0 || high[axis] % ofRoot != 0)) {
      throw InvalidArgument(
        std::format("along the periodic axis {} the leaves do not begin and end where cells of level 0 do: on levels a "
                    "period is a whole number of these; give its bounds (Period Box)",
          axis));
    }
    result.begin[axis] = static_cast<Coordinate>(low[axis] / ofRoot);
    result.end[axis] = static_cast<Coordinate>(high[axis] / ofRoot);
  }
  return result;
}

/// How many periods the first and the last copy that reach into the period are away, along an axis.
struct Copies {
  int first = 0;
  int last = 0;
};

Copies copiesOf(const PeriodsInSpace& periods, int axis, double low, double high) {
  const double length = periods.length[axis];
  if (!(length > 0.0)) {
    return {};
  }
  const double begin = periods.begin[axis];
  return {static_cast<int>(std::ceil((begin - high) / length)),
    static_cast<int>(std::floor((begin + length - low) / length))};
}

} // namespace

template <int Dim>
Periods<Dim> periodsOfLevels(const RankGroup& group, const PeriodChoice& choice, const Hierarchy<Dim>& levels) {
  Periods<Dim> periods;
  std::copy_n(choice.along, Dim, periods.along);
  if (!periods.any() || group.sum(levels.numCells()) == 0) { // nothing to repeat
    return {};
  }
  // a box that is no whole number of cells is so on all ranks
  periods.box = choice.given ? cellsWithin<Dim>(levels.root, choice.bounds) : boxOfLevels(group, choice, levels);
  group.agree([&] {
    for (int k = 0; k < levels.numLevels(); ++k) {
      const HostIntervalSet<Dim>& leaves = levels.leaves[static_cast<std::size_t>(k)].set.host();
      checkPeriods<HostExecutionSpace, Dim>(Context<HostExecutionSpace>(), leaves, periodsOfLevel(periods, k));
    }
  });
  return periods;
}

void bringIntoPeriod(const PeriodsInSpace& periods, std::vector<double>& points) {
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::size_t axis = k % 3;
    if (periods.length[axis] > 0.0) {
      points[k] -= periods.length[axis] * std::floor((points[k] - periods.begin[axis]) / periods.length[axis]);
    }
  }
}

void copySurface(const PeriodsInSpace& periods, FrontSources& sources) {
  FrontSources copied;
  const auto add = [&](std::size_t triangle, const double (&corners)[3][3], const int (&away)[3]) {
    for (const auto& corner : corners) {
      copied.triangles.push_back(std::ssize(copied.surfacePoints) / 3);
      for (int axis = 0; axis < 3; ++axis) {
        copied.surfacePoints.push_back(corner[axis] + away[axis] * periods.length[axis]);
      }
    }
    copied.triangleTimes.push_back(sources.triangleTimes[triangle]);
    copied.triangleNumbers.push_back(static_cast<std::int64_t>(triangle));
  };
  for (std::size_t t = 0; t < sources.triangles.size() / 3; ++t) {
    double corners[3][3];
    for (std::size_t c = 0; c < 3; ++c) {
      std::copy_n(
        sources.surfacePoints.begin() + static_cast<std::ptrdiff_t>(3 * sources.triangles[3 * t + c]), 3, corners[c]);
    }
    Copies copies[3];
    for (int axis = 0; axis < 3; ++axis) {
      copies[axis] = copiesOf(periods, axis, std::min({corners[0][axis], corners[1][axis], corners[2][axis]}),
        std::max({corners[0][axis], corners[1][axis], corners[2][axis]}));
    }
    int away[3];
    for (away[2] = copies[2].first; away[2] <= copies[2].last; ++away[2]) {
      for (away[1] = copies[1].first; away[1] <= copies[1].last; ++away[1]) {
        for (away[0] = copies[0].first; away[0] <= copies[0].last; ++away[0]) {
          add(t, corners, away);
        }
      }
    }
  }
  sources.surfacePoints = std::move(copied.surfacePoints);
  sources.triangles = std::move(copied.triangles);
  sources.triangleTimes = std::move(copied.triangleTimes);
  sources.triangleNumbers = std::move(copied.triangleNumbers);
}

template Periods<2> periodsOfLevels<2>(const RankGroup&, const PeriodChoice&, const Hierarchy<2>&);
template Periods<3> periodsOfLevels<3>(const RankGroup&, const PeriodChoice&, const Hierarchy<3>&);

} // namespace spanwise
