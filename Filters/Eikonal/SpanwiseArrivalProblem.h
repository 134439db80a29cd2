#ifndef SpanwiseArrivalProblem_h
#define SpanwiseArrivalProblem_h

// What arrival times were computed of, and how whoever gets the times finds it again. Not wrapped and not installed.

#include "SpanwiseFrontSources.h"

#include "Core/Runtime/Progress.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

class vtkDataArray;
class vtkDataSet;

namespace spanwise {

/// Ways back from seeds to sources, as polylines.
struct FrontPaths {
  std::vector<std::int64_t> begins;  ///< [paths + 1]: the first point of each path
  std::vector<double> points;        ///< 3 a point, from the seed to the source
  std::vector<double> times;         ///< of the points
  std::vector<std::int64_t> sources; ///< [paths]: what people call the source that it ends at; -1: it does not
};

/// How paths are made.
struct PathSettings {
  double reach = 0.0;        ///< seeds beside the cells, by at most this length, begin at the nearest place
  std::int64_t maxSteps = 0; ///< the most segments of a path
};

/// What arrival times were computed of: on a mesh, on a grid, or on levels.
class ArrivalProblem {
public:
  ArrivalProblem() = default;
  ArrivalProblem(const ArrivalProblem&) = delete;
  ArrivalProblem& operator=(const ArrivalProblem&) = delete;
  virtual ~ArrivalProblem() = default;

  /// The number of a problem that ranks have parts of, the same on all; 0: it is one rank's.
  [[nodiscard]] virtual std::int64_t number() const { return number_; }
  /// Collective. Gives it a number.
  void setNumber(const RankGroup& group);

  /// Solves the problem once more, with what it takes to go back, and goes back from the points of `seeds`. A seed that
  /// no front reached has a path of one point. `data` is what the times are found on.
  [[nodiscard]] virtual FrontPaths trace(
    FrontSources seeds, const PathSettings& settings, vtkDataSet* data, const Progress& progress) const = 0;

  /// Whether the cells are in pieces on several ranks, which trace() together.
  [[nodiscard]] virtual bool isInPieces() const { return false; }
  /// Collective where isInPieces(). The paths of seeds whose cells this rank has; others have no points.
  [[nodiscard]] virtual FrontPaths traceTogether(const RankGroup& /*group*/, FrontSources seeds,
    const PathSettings& settings, vtkDataSet* data, const Progress& progress) const {
    return this->trace(std::move(seeds), settings, data, progress);
  }

private:
  std::int64_t number_ = 0;
};

using ArrivalProblemPointer = std::shared_ptr<const ArrivalProblem>;

/// Makes `times`, an array of `data`, carry the problem that it solves.
void setProblem(vtkDataArray* times, vtkDataSet* data, ArrivalProblemPointer problem);

/// The problem that an array carries; null if it carries none, or its data set has other points or cells than it was
/// computed with.
ArrivalProblemPointer problemOf(vtkDataArray* times, vtkDataSet* data);

/// This rank's part of the problem with a number, if it was computed on a data set without cells and its times are kept
/// somewhere; else null. So ranks without cells find it also behind filters that leave nothing of an empty data set.
ArrivalProblemPointer partWithoutCells(std::int64_t number);

} // namespace spanwise

#endif
