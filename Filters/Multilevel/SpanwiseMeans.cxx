#include "SpanwiseMeans.h"

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseGatheredCells.h"
#include "SpanwiseValues.h"

#include <vtkCellData.h>

#include <algorithm>

using namespace spanwise::multilevel;

namespace spanwise {

namespace {

/// Cells of disjoint sets with their shares.
template <ComputeSide side, int Dim>
CoveredCells<Dim> joined(const RankCells<Dim>& leaves, const CoveredCells<Dim>& others) {
  if (leaves.set.empty() || others.cells.set.empty()) {
    return others.cells.set.empty() ? CoveredCells<Dim>{leaves, {}} : others;
  }
  if (others.shares == nullptr) {
    return {unitedCells<side, Dim>(leaves, others.cells), {}};
  }
  constexpr const char* name = "Spanwise::share";
  const auto ones = filledOnSide<side, double>(name, leaves.set.numCells(), 1.0);
  const auto with = [](const RankCells<Dim>& cells, vtkDataArray* shares) {
    shares->SetName(name);
    RankCells<Dim> result;
    result.set = cells.set;
    result.values->ShallowCopy(cells.values);
    result.values->AddArray(shares);
    return result;
  };
  CoveredCells<Dim> all;
  all.cells = unitedCells<side, Dim>(with(leaves, ones), with(others.cells, others.shares));
  all.shares = all.cells.values->GetArray(name);
  all.cells.values->RemoveArray(name);
  return all;
}

} // namespace

template <int Dim>
RankCells<Dim> emptyLike(const RankCells<Dim>& cells) {
  RankCells<Dim> none;
  sliceValues(cells.values, 0, 0, none.values);
  return none;
}

template <ComputeSide side, int Dim>
std::vector<CoveredCells<Dim>> meansOfLevels(
  const std::vector<RankCells<Dim>>& leaves, std::size_t numLevels, std::size_t first) {
  std::vector<CoveredCells<Dim>> means(std::max(leaves.size(), numLevels));
  for (std::size_t l = means.size(); l-- > first;) {
    const RankCells<Dim> here = l < leaves.size() ? leaves[l] : emptyLike<Dim>(leaves.front());
    means[l] = l + 1 < means.size()
      ? joined<side, Dim>(here, coarsened<side, Dim>(means[l + 1], Coarsening::Outside, CoarseRules()))
      : CoveredCells<Dim>{here, {}};
  }
  return means;
}

#define SPANWISE_MEANS(side, Dim)                                                                                      \
  template std::vector<CoveredCells<Dim>> meansOfLevels<ComputeSide::side, Dim>(                                       \
    const std::vector<RankCells<Dim>>&, std::size_t, std::size_t);
SPANWISE_MEANS(Host, 2)
SPANWISE_MEANS(Host, 3)
SPANWISE_MEANS(Device, 2)
SPANWISE_MEANS(Device, 3)

template RankCells<2> emptyLike<2>(const RankCells<2>&);
template RankCells<3> emptyLike<3>(const RankCells<3>&);

} // namespace spanwise
