#include "SpanwiseLeafCover.h"

#include "SpanwiseCoarsenedValues.h"
#include "SpanwiseGatheredCells.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/CommonCells.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// The share of each cell of `all` that leaves cover: `shares` for those that are refined, 1 for leaves.
template <int Dim>
CellShares sharesOf(const HostIntervalSet<Dim>& all, const HostIntervalSet<Dim>& refined, const CellShares& shares) {
  const auto result = vtkSmartPointer<vtkDoubleArray>::New();
  result->SetNumberOfTuples(all.numCells());
  result->FillValue(1.0);
  if (shares != nullptr) {
    const auto runs = commonCells<Host, Dim>(Context<Host>(), all, refined);
    copyRuns(shares, runs.data(), static_cast<std::int64_t>(runs.extent(0)), result);
  }
  return result;
}

} // namespace

template <int Dim>
CoveringLeaves<Dim> coverOf(const Hierarchy<Dim>& hierarchy) {
  CoveringLeaves<Dim> result;
  for (const RankCells<Dim>& level : hierarchy.leaves) {
    result.leaves.push_back(level.set.host());
  }
  const Context<Host> context;
  coverOfLeaves<Host, Dim>(context, result.leaves, result.cover);
  return result;
}

template <int Dim>
std::vector<vtkSmartPointer<vtkCellData>> restrictedValues(
  const Hierarchy<Dim>& hierarchy, const std::vector<HostIntervalSet<Dim>>& refined) {
  std::vector<vtkSmartPointer<vtkCellData>> restricted(refined.size());
  CellShares shares; // of refined[k], the part that leaves cover
  for (std::size_t k = refined.size(); k-- > 0;) {
    if (refined[k].empty()) {
      restricted[k] = vtkSmartPointer<vtkCellData>::New();
      sliceValues(hierarchy.leaves[k].values, 0, 0, restricted[k]);
      shares = nullptr;
      continue;
    }
    RankCells<Dim> inner;
    inner.set = refined[k + 1];
    inner.values = restricted[k + 1];
    const RankCells<Dim> finer = unitedCells<ComputeSide::Host, Dim>(hierarchy.leaves[k + 1], inner);
    const MirroredSet<Dim> here(refined[k]);
    const CoveredCells<Dim> covered{finer, sharesOf<Dim>(finer.set.host(), refined[k + 1], shares)};
    restricted[k] = coarsenedValues<ComputeSide::Host, Dim>(covered, here, {CoarseValue::Mean, CoarseValue::First});
    shares = coveredShares<ComputeSide::Host, Dim>(covered, here);
  }
  return restricted;
}

#define SPANWISE_LEAF_COVER(Dim)                                                                                       \
  template CoveringLeaves<Dim> coverOf<Dim>(const Hierarchy<Dim>&);                                                    \
  template std::vector<vtkSmartPointer<vtkCellData>> restrictedValues<Dim>(                                            \
    const Hierarchy<Dim>&, const std::vector<HostIntervalSet<Dim>>&);
SPANWISE_LEAF_COVER(2)
SPANWISE_LEAF_COVER(3)

} // namespace spanwise
