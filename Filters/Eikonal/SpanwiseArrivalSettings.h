#ifndef SpanwiseArrivalSettings_h
#define SpanwiseArrivalSettings_h

// What Eikonal Arrival Time was asked for, and what it tells of its work. Not wrapped and not installed.

#include "SpanwiseFibres.h"
#include "SpanwiseFrontSources.h"
#include "SpanwiseFrontSpeed.h"
#include "SpanwisePeriodicAxes.h"

#include "Core/Parallel/Messenger.hpp"
#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

class vtkDataArray;
class vtkDataObject;
class vtkDataSet;

namespace spanwise {

/// Where fronts start.
enum class FrontsFrom { PlacedPoints, PointsOfSecond, SurfaceOfSecond, Array, CellsOfSecond };

enum class SpeedGivenBy { Constant, Tensor, Array, Fibres };

/// An array that people chose: the one of a data set, and whether it is on its points. Throws InvalidArgument where the
/// data set has none.
using ChosenArray = std::function<vtkDataArray*(vtkDataSet* data, bool& onPoints)>;

/// The properties of the filter, checked as far as they can be without data.
struct ArrivalSettings {
  FrontsFrom sources = FrontsFrom::PlacedPoints;
  std::vector<double> placedPoints; ///< 3 a point
  std::string sourceTimes;          ///< the array of the second input with start times; empty: all at 0
  ChosenArray sourceArray;
  SourceArray sourceArrayMeaning = SourceArray::Marks;
  double reach = 0.0;
  SpeedGivenBy speedBy = SpeedGivenBy::Constant;
  double speed = 1.0;
  double tensor[6] = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
  ChosenArray speedArray;
  ChosenArray fibreArray;
  FibreSpeeds fibreSpeeds;
  eikonal::ZeroSpeed zeroSpeed = eikonal::ZeroSpeed::Error;
  eikonal::FrontsIn frontsIn = eikonal::FrontsIn::Highest; ///< of meshes
  double mergeDistance = -1.0;                             ///< of meshes
  int order = 1;
  PeriodChoice periods{}; ///< of grids and levels
  bool factorTimes = true;
  double factoringRadius = std::numeric_limits<double>::infinity();
  eikonal::IterationOptions iteration;
  std::string stopRegion; ///< the array of the input that is not 0 where the iteration waits for times; empty: nowhere
  double timeOfUnreached = std::numeric_limits<double>::infinity();
  bool computeNearestSource = false;
  bool computeGradient = false;
  std::string resultArrayName;

  /// Whether speeds come from an array of the input.
  [[nodiscard]] bool hasSpeedArray() const { return speedBy == SpeedGivenBy::Array || speedBy == SpeedGivenBy::Fibres; }
};

/// What Core is asked for on a mesh; regions and seams come with the mesh.
eikonal::ArrivalOptions meshOptionsOf(const ArrivalSettings& settings);

/// The speed that was asked for, if it comes from no array.
FrontSpeed constantSpeedOf(const ArrivalSettings& settings);

/// Collective. The points that fronts start at: placed ones, or those of the second input, null on ranks that have
/// none. None where sources are something else.
FrontSources pointSourcesOf(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* second);

/// Collective. All that fronts start at in a mesh or in levels: points, the surface of the second input, or what
/// addMarked(sources) adds of an array of the input, which is called where sources are one.
FrontSources frontSourcesOf(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* second,
  const std::function<void(FrontSources&)>& addMarked);

/// Collective. Throws InvalidArgument where no rank has a second input.
void requireSecond(const RankGroup& group, vtkDataSet* second);

/// Throws InvalidArgument where an axis is to be periodic: meshes have no axes that repeat.
void refusePeriods(const ArrivalSettings& settings);

/// What a solution took, for people.
struct ArrivalSummary {
  std::vector<std::pair<std::string, double>> values; ///< for the field data
  std::vector<std::string> warnings;

  /// Of a solution at points of a mesh.
  static ArrivalSummary of(const eikonal::ArrivalReport& report);
  /// `place` is what has times, with a capital: "Point" or "Cell".
  void add(const eikonal::IterationReport& report, const char* place);
};

} // namespace spanwise

#endif
