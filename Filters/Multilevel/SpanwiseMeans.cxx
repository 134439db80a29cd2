#include "SpanwiseMeans.h"

#include "SpanwiseJoinCells.h"
#include "SpanwiseValues.h"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>

#include <algorithm>

using namespace spanwise::multilevel;

namespace spanwise {

namespace {

/// Cells of disjoint sets with their shares.
template <int Dim>
CoveredCells<Dim> joined(const RankCells<Dim>& leaves, const CoveredCells<Dim>& others) {
  if (leaves.set.empty() || others.cells.set.empty()) {
    return others.cells.set.empty() ? CoveredCells<Dim>{leaves, {}} : others;
  }
  if (others.shares == nullptr) {
    return {joinCells<Dim>({leaves, others.cells}), {}};
  }
  constexpr const char* name = "Spanwise::share";
  const auto ones = vtkSmartPointer<vtkDoubleArray>::New();
  ones->SetNumberOfTuples(leaves.set.numCells());
  ones->FillValue(1.0);
  const auto with = [](const RankCells<Dim>& cells, vtkDataArray* shares) {
    shares->SetName(name);
    RankCells<Dim> result;
    result.set = cells.set;
    result.values->ShallowCopy(cells.values);
    result.values->AddArray(shares);
    return result;
  };
  CoveredCells<Dim> all;
  all.cells = joinCells<Dim>({with(leaves, ones), with(others.cells, others.shares)});
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

template <int Dim>
std::vector<CoveredCells<Dim>> meansOfLevels(
  const std::vector<RankCells<Dim>>& leaves, std::size_t numLevels, std::size_t first) {
  std::vector<CoveredCells<Dim>> means(std::max(leaves.size(), numLevels));
  for (std::size_t l = means.size(); l-- > first;) {
    const RankCells<Dim> here = l < leaves.size() ? leaves[l] : emptyLike<Dim>(leaves.front());
    means[l] = l + 1 < means.size()
      ? joined<Dim>(here, coarsened<ComputeSide::Host, Dim>(means[l + 1], Coarsening::Outside, CoarseRules()))
      : CoveredCells<Dim>{here, {}};
  }
  return means;
}

#define SPANWISE_MEANS(Dim)                                                                                            \
  template RankCells<Dim> emptyLike<Dim>(const RankCells<Dim>&);                                                       \
  template std::vector<CoveredCells<Dim>> meansOfLevels<Dim>(                                                          \
    const std::vector<RankCells<Dim>>&, std::size_t, std::size_t);
SPANWISE_MEANS(2)
SPANWISE_MEANS(3)

} // namespace spanwise
