#include "vtkSpanwiseResampleLevels.h"

#include "SpanwiseBridge.h"
#include "SpanwiseChoice.h"
#include "SpanwiseCoarsenedValues.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseJoinCells.h"
#include "SpanwiseProlongedValues.h"
#include "SpanwiseValues.h"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkInformation.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <vector>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseResampleLevels);

namespace {

using Method = spanwise::Prolongation;

/// No cells, with the same arrays.
template <int Dim>
RankCells<Dim> emptyLike(const RankCells<Dim>& cells) {
  RankCells<Dim> none;
  sliceValues(cells.values, 0, 0, none.values);
  return none;
}

/// Cells of disjoint sets with their shares.
template <int Dim>
CoveredCells<Dim> joined(const RankCells<Dim>& leaves, const CoveredCells<Dim>& others) {
  if (leaves.set.empty() || others.cells.set.empty()) {
    return others.cells.set.empty() ? CoveredCells<Dim>{leaves, {}} : others;
  }
  vtkNew<vtkDoubleArray> ones;
  vtkNew<vtkDoubleArray> shares;
  for (vtkDoubleArray* array : {ones.Get(), shares.Get()}) {
    array->SetName("Spanwise::share");
  }
  ones->SetNumberOfTuples(leaves.set.numCells());
  ones->FillValue(1.0);
  shares->SetNumberOfTuples(others.cells.set.numCells());
  std::copy(others.shares.begin(), others.shares.end(), shares->GetPointer(0));
  const auto with = [](const RankCells<Dim>& cells, vtkDoubleArray* array) {
    RankCells<Dim> result;
    result.set = cells.set;
    result.values->ShallowCopy(cells.values);
    result.values->AddArray(array);
    return result;
  };
  CoveredCells<Dim> all;
  all.cells = joinCells<Dim>({with(leaves, ones), with(others.cells, shares)});
  auto* found = vtkDoubleArray::SafeDownCast(all.cells.values->GetAbstractArray("Spanwise::share"));
  all.shares.assign(found->GetPointer(0), found->GetPointer(0) + found->GetNumberOfTuples());
  all.cells.values->RemoveArray("Spanwise::share");
  return all;
}

/// The cells of one level, with the values of leaves.
template <int Dim>
RankCells<Dim> resampled(const std::vector<RankCells<Dim>>& leaves, std::size_t level, Method method) {
  const bool slopes = method != Method::Injection;
  std::vector<CoveredCells<Dim>> means(std::max(leaves.size(), level + 1)); // of leaves of a level and finer ones
  for (std::size_t l = means.size(); l-- > (slopes ? 0 : level);) {
    const RankCells<Dim> here = l < leaves.size() ? leaves[l] : emptyLike<Dim>(leaves.front());
    means[l] = l + 1 < means.size()
      ? joined<Dim>(here, coarsened<Dim>(means[l + 1], Coarsening::Outside, CoarseRules()))
      : CoveredCells<Dim>{here, {}};
  }
  RankCells<Dim> coarser = emptyLike<Dim>(leaves.front()); // cells of coarser leaves
  for (std::size_t l = 0; l < level; ++l) {
    const RankCells<Dim> leaf = l < leaves.size() ? leaves[l] : emptyLike<Dim>(leaves.front());
    const RankCells<Dim> toRefine = joinCells<Dim>({coarser, leaf});
    coarser = slopes ? refinedAmong<Dim>(toRefine.set, joinCells<Dim>({coarser, means[l].cells}), method)
                     : refined<Dim>(toRefine, method);
  }
  return joinCells<Dim>({coarser, means[level].cells});
}

/// Collective.
template <int Dim>
void resampleOnRanks(const Team& team, const Hierarchy<Dim>& input, int level, Method method, const Progress& progress,
  vtkUnstructuredGrid* output) {
  Hierarchy<Dim> hierarchy = input;
  const PlaneRange planes = distributeLevels(team, hierarchy);
  std::vector<RankCells<Dim>> leaves = team.streams() ? input.leaves : hierarchy.leaves;
  leaves.resize(std::max<std::size_t>(leaves.size(), 1));
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    const std::int64_t halo = method == Method::Injection ? 0 : std::int64_t{2} << l;
    addHalo<Dim>(team, planesOfLevel(planes, static_cast<int>(l)), leaves[l], {halo});
  }
  RankCells<Dim> cells;
  team.agree([&] {
    progress.report(0.2);
    cells = resampled<Dim>(leaves, static_cast<std::size_t>(level), method);
    restrictCells(cells, planesOfLevel(planes, level));
    progress.report(0.9);
    setCells(output, cells, placementOfLevel(input.root, level), planesOfLevel(planes, level));
  });
}

} // namespace

void vtkSpanwiseResampleLevels::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "LevelMode: " << this->LevelMode << "\n";
  os << indent << "Level: " << this->Level << "\n";
  os << indent << "Prolongation: " << this->Prolongation << "\n";
}

int vtkSpanwiseResampleLevels::FillOutputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkUnstructuredGrid");
  return 1;
}

void vtkSpanwiseResampleLevels::MakeOutput(const Team& team, vtkInformationVector** inputs, vtkDataObject* output) {
  const bool finest = checkedChoice("choice of the level", this->LevelMode, FINEST_LEVEL, GIVEN_LEVEL) == FINEST_LEVEL;
  const int given = finest ? 0 : checkedChoice("level", this->Level, 0, maxLevel);
  const auto method = static_cast<Method>(checkedChoice("prolongation", this->Prolongation, INJECTION, THIRD_ORDER));
  const AnyHierarchy input =
    readLevels(team, vtkDataObject::GetData(inputs[0], 0), InputValues::All, progressOf(this).part(0.0, 0.3));
  std::visit(
    [&](const auto& hierarchy) {
      int level = given;
      if (finest) {
        level = 0;
        for (int l = 0; l < hierarchy.numLevels(); ++l) {
          level = hierarchy.leaves[static_cast<std::size_t>(l)].set.empty() ? level : l;
        }
        level = static_cast<int>(team.maximum(level));
      }
      resampleOnRanks(
        team, hierarchy, level, method, progressOf(this).part(0.3, 1.0), vtkUnstructuredGrid::SafeDownCast(output));
    },
    input);
}
