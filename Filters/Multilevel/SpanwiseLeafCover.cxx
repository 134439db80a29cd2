#include "SpanwiseLeafCover.h"

#include "SpanwiseCoarsenedValues.h"
#include "SpanwiseJoinCells.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/CommonCells.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkCellData.h>

#include <algorithm>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// The share of each cell of `all` that leaves cover: `shares` for those that are refined, 1 for leaves.
template <int Dim>
std::vector<double> sharesOf(
  const HostIntervalSet<Dim>& all, const HostIntervalSet<Dim>& refined, const std::vector<double>& shares) {
  std::vector<double> result(static_cast<std::size_t>(all.numCells()), 1.0);
  const auto runs = commonCells<Host, Dim>(Context<Host>(), all, refined);
  for (std::size_t k = 0; k < runs.extent(0); ++k) {
    std::copy_n(shares.begin() + runs(k).b, runs(k).count, result.begin() + runs(k).a);
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
  std::vector<double> shares; // of refined[k], the part that leaves cover
  const Context<Host> context;
  for (std::size_t k = refined.size(); k-- > 0;) {
    if (refined[k].empty()) {
      restricted[k] = vtkSmartPointer<vtkCellData>::New();
      sliceValues(hierarchy.leaves[k].values, 0, 0, restricted[k]);
      shares.clear();
      continue;
    }
    RankCells<Dim> inner;
    inner.set = refined[k + 1];
    inner.values = restricted[k + 1];
    const RankCells<Dim> finer = joinCells<Dim>({hierarchy.leaves[k + 1], inner});
    const std::vector<double> finerShares = sharesOf<Dim>(finer.set.host(), refined[k + 1], shares);
    restricted[k] = coarsenedValues<Dim>(finer, refined[k], {CoarseValue::Mean, CoarseValue::First}, finerShares);
    shares.resize(static_cast<std::size_t>(refined[k].numCells()));
    multilevel::coverOf<Host, Dim>(context, refined[k], finer.set.host(), finerShares.data(), shares.data());
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
