#include "vtkSpanwiseCoarsenIntervals.h"

#include "SpanwiseBridge.h"
#include "SpanwiseChoice.h"
#include "SpanwiseCoarsenedValues.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseDroppedArrays.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseOneGrid.h"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>

using namespace spanwise::multilevel;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseCoarsenIntervals);

namespace {

struct CoarseningOptions {
  int levels;
  Coarsening which;
  CoarseRules rules;
};

/// Collective. This rank's cells, some levels coarser; `owned` receives its planes.
template <int Dim>
CoveredCells<Dim> coarsenCells(const RankGroup& group, const RankCells<Dim>& input, const GridPlacement& placement,
  const CoarseningOptions& options, const Progress& progress, PlaneRange& owned) {
  const int levels = options.levels;
  Hierarchy<Dim> hierarchy; // its cut is one of the coarse level
  hierarchy.root = placementOfLevel(placement, -levels);
  hierarchy.leaves.resize(static_cast<std::size_t>(levels) + 1);
  hierarchy.leaves.back() = input;
  owned = distributeLevels(group, hierarchy);
  CoveredCells<Dim> cells;
  const RankCells<Dim>& mine = hierarchy.leaves.back();
  computeOnSide<Dim>(
    group, "Coarsen Intervals", sideInputsOf(mine), [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
      group.agree([&] {
        cells = {mine, {}};
        for (int k = 0; k < levels; ++k) {
          cells = coarsened<side, Dim>(cells, options.which, options.rules);
          progress.report(static_cast<double>(k + 1) / levels);
        }
      });
    });
  return cells;
}

} // namespace

void vtkSpanwiseCoarsenIntervals::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Levels: " << this->Levels << "\n";
  os << indent << "Cells: " << this->Cells << "\n";
  os << indent << "RealValues: " << this->RealValues << "\n";
  os << indent << "WholeValues: " << this->WholeValues << "\n";
}

int vtkSpanwiseCoarsenIntervals::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  requireOneGrid(info);
  return 1;
}

void vtkSpanwiseCoarsenIntervals::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  const int levels = checkedChoice("number of levels", this->Levels, 1, maxLevel);
  const bool inside = checkedChoice("choice of cells", this->Cells, OUTSIDE, INSIDE) == INSIDE;
  const CoarseningOptions options{levels, inside ? Coarsening::Inside : Coarsening::Outside,
    {static_cast<CoarseValue>(checkedChoice("rule for floating-point numbers", this->RealValues, MEAN, MOST_FREQUENT)),
      static_cast<CoarseValue>(checkedChoice("rule for whole numbers", this->WholeValues, MEAN, MOST_FREQUENT))}};
  vtkDataSet* data = vtkDataSet::GetData(inputs[0], 0);
  const InputCells input = readCells(group, data, InputValues::AllOnAnySide, progressOf(this).part(0.0, 0.3));
  GridPlacement placement = placementOfLevel(input.placement, -levels);
  placement.level = std::max(input.placement.level - levels, 0);
  std::visit(
    [&](const auto& cells) {
      PlaneRange owned;
      const auto coarse = coarsenCells(group, cells, input.placement, options, progressOf(this).part(0.3, 0.9), owned);
      group.agree([&] { setCells(output, coarse.cells, placement, owned); });
    },
    input.cells);
  warnOfPointArrays(this, group, data);
  if (data != nullptr) {
    output->GetFieldData()->PassData(data->GetFieldData());
  }
}
