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

FrontSources frontSourcesOf(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* second,
  const std::function<void(FrontSources&)>& addMarked) {
  FrontSources sources = pointSourcesOf(group, settings, second);
  switch (settings.sources) {
  case FrontsFrom::Array:
    group.agree([&] { addMarked(sources); });
    break;
  case FrontsFrom::SurfaceOfSecond:
    requireSecond(group, second);
    addSurface(group, sources, second, settings.sourceTimes);
    break;
  case FrontsFrom::CellsOfSecond:
    throw InvalidArgument(
      "the cells of the second input (Source Input) are sources on grids of intervals and images only; on "
      "meshes and levels its points may be, or the surface that its cells make");
  case FrontsFrom::PlacedPoints:
  case FrontsFrom::PointsOfSecond:
    break;
  }
  return sources;
}

eikonal::ArrivalOptions meshOptionsOf(const ArrivalSettings& settings) {
  eikonal::ArrivalOptions options;
  options.iteration = settings.iteration;
  options.order = settings.order;
  options.frontsIn = settings.frontsIn;
  options.zeroSpeed = settings.zeroSpeed;
  options.factoring.by = settings.factorTimes ? eikonal::FactorBy::PointsAndVertices : eikonal::FactorBy::Nothing;
  options.factoring.radius = settings.factoringRadius;
  options.mergeDistance = settings.mergeDistance;
  options.trace = settings.computeNearestSource ? eikonal::Trace::Sources : eikonal::Trace::Nothing;
  return options;
}

ArrivalSummary ArrivalSummary::of(const eikonal::ArrivalReport& report) {
  ArrivalSummary summary;
  summary.add(report.iteration, "Point");
  summary.values.emplace_back("Eikonal Sources", static_cast<double>(report.starts.numStarts));
  summary.values.emplace_back("Eikonal Unreached Points", static_cast<double>(report.numUnreached + report.numUnused));
  summary.values.emplace_back("Eikonal Skipped Cells", static_cast<double>(report.degenerate.count));
  summary.values.emplace_back("Eikonal Inverted Cells", static_cast<double>(report.inverted.count));
  if (report.degenerate.first >= 0) {
    summary.warnings.push_back(std::format("{} cells without extent were skipped, the first of them is cell {}",
      report.degenerate.count, report.degenerate.first));
  }
  return summary;
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
