#ifndef SpanwiseGridProblem_h
#define SpanwiseGridProblem_h

// Arrival times on the cells of a set as a problem of Core. Not wrapped and not installed.

#include "SpanwiseArrivalProblem.h"
#include "SpanwiseFrontSpeed.h"
#include "SpanwiseIntervalGrid.h"
#include "SpanwiseLattice.h"

#include "Core/Geometry/Periods.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Solvers/Eikonal/GridArrival.hpp"

#include <vtkDataArray.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace spanwise {

/// How times and gradients become arrays.
struct ShownTimes {
  std::string name;
  double unreached = 0.0; ///< in the place of times where no front came; gradients are not a number there
};

/// What came of a problem on a grid. On the host, but for arrays.
struct GridFound {
  // As values, or as arrays where these were asked for, which stay on the side that computed.
  std::vector<double> times;                 ///< [own cells] notReached where no front came
  std::vector<double> gradient;              ///< [Dim][own cells]; where it was asked for
  vtkSmartPointer<vtkDataArray> shownTimes;  ///< [own cells]
  vtkSmartPointer<vtkDataArray> shownSlopes; ///< [own cells][3] "Gradient"; where it was asked for

  std::vector<std::int32_t> labels; ///< [own cells] the source of each, -1: none; where they were asked for
  eikonal::GridArrivalReport report;
  // The ways back from some places, where there were any:
  std::vector<std::int64_t> begins;    ///< [paths + 1]
  std::vector<double> points;          ///< Dim a point
  std::vector<std::int32_t> triangles; ///< [paths] of the surface that each path ends on, -1: it does not
};

/// A grid, the speed on it, and the sources of fronts, or a rank's part of that. All of the host's memory.
template <int Dim>
class GridProblem final : public ArrivalProblem {
public:
  IntervalGridPointer<Dim> grid;          ///< own cells
  parallel::RowCut cut;                   ///< of the ranks' cells
  bool shared = false;                    ///< other ranks have parts, too
  geometry::Periods<Dim> periods;         ///< of the whole
  FrontSpeed speed;                       ///< of own cells
  std::vector<double> places;             ///< Dim coordinates a source point, in cells of any rank; the same on all
  std::vector<double> pointTimes;         ///< of the source points
  std::vector<std::int64_t> pointNumbers; ///< what people call them
  FrontSources surface;                   ///< the surface that fronts start at, if there is one; the same on all ranks
  std::vector<std::int64_t> triangleNumbers; ///< what people call its triangles
  std::vector<double> cellTimes;             ///< [own cells] where finite, fronts start then; empty: nowhere
  std::vector<std::int32_t> cellNumbers;     ///< [own cells] what people call a cell that is a source
  std::vector<std::int64_t> stopRegion;      ///< own cells that the iteration waits for
  eikonal::GridArrivalOptions options;

  /// Collective where it is shared. Solves the problem, with times and gradients as arrays.
  [[nodiscard]] GridFound solve(const RankGroup& group, const eikonal::GridArrivalOptions& asked,
    const ShownTimes& shown, const Progress& progress) const {
    return this->solveFor(group, asked, progress, &shown, nullptr);
  }
  /// The same with times and gradients as values. Goes back from some places, Dim coordinates each; where the problem
  /// is shared these are the rank's own.
  [[nodiscard]] GridFound solveAndGoBack(const RankGroup& group, const eikonal::GridArrivalOptions& asked,
    const std::vector<double>& from, const Progress& progress) const {
    return this->solveFor(group, asked, progress, nullptr, &from);
  }

  /// What people call the source that Core numbers so. -1 stays.
  [[nodiscard]] std::int64_t numberOf(std::int64_t source) const {
    return numberIn({&pointNumbers, &triangleNumbers}, source);
  }

  [[nodiscard]] FrontPaths trace(
    FrontSources seeds, const PathSettings& settings, vtkDataSet* data, const Progress& progress) const override {
    return this->traceTogether(RankGroup(), std::move(seeds), settings, data, progress);
  }
  [[nodiscard]] bool isInPieces() const override { return shared; }
  [[nodiscard]] FrontPaths traceTogether(const RankGroup& group, FrontSources seeds, const PathSettings& settings,
    vtkDataSet* data, const Progress& progress) const override;

private:
  GridFound solveFor(const RankGroup& group, eikonal::GridArrivalOptions asked, const Progress& progress,
    const ShownTimes* shown, const std::vector<double>* from) const;
};

extern template class GridProblem<2>;
extern template class GridProblem<3>;

} // namespace spanwise

#endif
