#include "SpanwiseArrivalSettings.h"

#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>

#include <format>
#include <numeric>

using namespace spanwise::parallel;

namespace spanwise {

FrontSpeed constantSpeedOf(const ArrivalSettings& settings) {
  return settings.speedBy == SpeedGivenBy::Constant ? FrontSpeed::constant(settings.speed)
                                                    : FrontSpeed::constant(settings.tensor);
}

void requireSecond(const RankGroup& group, vtkDataSet* second) {
  if (group.sum(second != nullptr ? 1 : 0) == 0) {
    throw InvalidArgument("there is no second input (Source Input); it must be a data set, which has the sources");
  }
}

void refusePeriods(const ArrivalSettings& settings) {
  static constexpr char axes[] = {'x', 'y', 'z'};
  for (int axis = 0; axis < 3; ++axis) {
    if (settings.periods.along[axis]) {
      throw InvalidArgument(
        std::format("the axis {} is to be periodic; meshes have no periodic axes, only grids of intervals, images and "
                    "levels do",
          axes[axis]));
    }
  }
}

FrontSources pointSourcesOf(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* second) {
  FrontSources sources;
  if (settings.sources == FrontsFrom::PlacedPoints) {
    sources.points = settings.placedPoints;
    const std::size_t count = settings.placedPoints.size() / 3;
    sources.pointTimes.assign(count, 0.0);
    sources.pointNumbers.resize(count);
    std::iota(sources.pointNumbers.begin(), sources.pointNumbers.end(), std::int64_t{0});
  } else if (settings.sources == FrontsFrom::PointsOfSecond) {
    requireSecond(group, second);
    addPoints(group, sources, second, settings.sourceTimes);
  }
  return sources;
}

void ArrivalSummary::add(const eikonal::IterationReport& report, const char* place) {
  values.emplace_back("Eikonal Iterations", static_cast<double>(report.numIterations));
  const auto numUpdates = static_cast<double>(report.numUpdates);
  values.emplace_back("Eikonal Updates", numUpdates);
  values.emplace_back(std::format("Eikonal Updates A {}", place),
    report.numReached > 0 ? numUpdates / static_cast<double>(report.numReached) : 0.0);
  values.emplace_back("Eikonal Messages", static_cast<double>(report.messages.messages));
  values.emplace_back("Eikonal Bytes Sent", static_cast<double>(report.messages.bytes));
  if (!report.converged) {
    warnings.push_back(
      std::format("the iteration was ended after {} iterations: times may be too late", report.numIterations));
  }
}

} // namespace spanwise
