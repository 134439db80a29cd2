#include "vtkSpanwiseRefineIntervals.h"

#include "SpanwiseBridge.h"
#include "SpanwiseChoice.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseDroppedArrays.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseProlongedValues.h"

#include "Core/Geometry/RowLimit.hpp"
#include "Core/Multilevel/Refine.hpp"

#include <vtkDataSet.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkUnstructuredGrid.h>

#include <string>

using namespace spanwise::geometry;
using namespace spanwise::multilevel;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseRefineIntervals);

namespace {

/// Throws where the rows of cells would become more than a set that is made may have: each level doubles them, or
/// makes four of each in 3D.
template <int Dim>
void checkRows(const MirroredSet<Dim>& cells, int levels) {
  std::int64_t rows = cells.numRows();
  for (int k = 0; k < levels; ++k) {
    rows = rowProduct(rows, childRows<Dim>);
  }
  checkMadeRows(
    rows,
    [&] {
      return "the " + std::to_string(cells.numRows()) + " rows of the input, refined by " + std::to_string(levels) +
        " levels, would be";
    },
    "refine by fewer levels");
}

struct RefinementOptions {
  int levels;
  spanwise::multilevel::Prolongation method;
};

/// Collective. The cells of one level, refined. This rank owns `planes` of that level.
template <int Dim>
RankCells<Dim> refineCells(const RankGroup& group, const RankCells<Dim>& input, const PlaneRange& planes,
  const RefinementOptions& options, const Progress& progress) {
  RankCells<Dim> cells = input;
  if (options.method != spanwise::multilevel::Prolongation::Injection) {
    addHalo(group, planes, cells, {2}); // a cell beside it at each level: 1 + 1/2 + 1/4 ...
  }
  RankCells<Dim> fine;
  const SideInputs<Dim> all = sideInputsOf<Dim>(cells);
  computeOnSide<Dim>(group, "Refine Intervals", all, [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
    group.agree([&] {
      fine = cells;
      checkRows(fine.set, options.levels);
      for (int k = 0; k < options.levels; ++k) {
        fine = refined<side, Dim>(fine, options.method);
        progress.report(static_cast<double>(k + 1) / options.levels);
      }
      restrictCells(fine, planesOfLevel(planes, options.levels));
    });
  });
  return fine;
}

template <int Dim>
void refineGrid(const RankGroup& group, const RankCells<Dim>& input, const GridPlacement& placement,
  const RefinementOptions& options, const Progress& progress, vtkDataObject* output) {
  RankCells<Dim> cells = input;
  PlaneRange planes;
  if (group.streams()) {
    RankCells<Dim> part = input;
    planes = distribute(group, part);
  } else {
    planes = distribute(group, cells);
  }
  cells = refineCells(group, cells, planes, options, progress);
  group.agree([&] {
    GridPlacement finer = placementOfLevel(placement, options.levels);
    finer.level = placement.level + options.levels;
    setCells(vtkUnstructuredGrid::SafeDownCast(output), cells, finer, planesOfLevel(planes, options.levels));
  });
}

template <int Dim>
void refineLevels(const RankGroup& group, const Hierarchy<Dim>& input, const RefinementOptions& options,
  const Progress& progress, vtkDataObject* output) {
  Hierarchy<Dim> hierarchy = input;
  const PlaneRange planes = distributeLevels(group, hierarchy);
  Hierarchy<Dim> result;
  result.root = input.root;
  result.leaves.resize(static_cast<std::size_t>(options.levels));
  const auto& leaves = group.streams() ? input.leaves : hierarchy.leaves;
  for (int k = 0; k < hierarchy.numLevels(); ++k) {
    result.leaves.push_back(refineCells(group, leaves[static_cast<std::size_t>(k)], planesOfLevel(planes, k), options,
      progress.part(static_cast<double>(k) / hierarchy.numLevels(), (k + 1.0) / hierarchy.numLevels())));
  }
  group.agree([&] { setLevels(vtkPartitionedDataSetCollection::SafeDownCast(output), result, planes); });
}

} // namespace

void vtkSpanwiseRefineIntervals::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Levels: " << this->Levels << "\n";
  os << indent << "Prolongation: " << this->Prolongation << "\n";
}

int vtkSpanwiseRefineIntervals::FillOutputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataObject");
  return 1;
}

int vtkSpanwiseRefineIntervals::RequestDataObject(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  if (vtkDataSet::GetData(inputs[0], 0) != nullptr) {
    return setOutputType<vtkUnstructuredGrid>(outputs);
  }
  return setOutputType<vtkPartitionedDataSetCollection>(outputs);
}

void vtkSpanwiseRefineIntervals::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) {
  const RefinementOptions options{checkedChoice("number of levels", this->Levels, 1, maxLevel),
    static_cast<spanwise::multilevel::Prolongation>(
      checkedChoice("prolongation", this->Prolongation, INJECTION, THIRD_ORDER))};
  vtkDataObject* data = vtkDataObject::GetData(inputs[0], 0);
  const auto reading = progressOf(this).part(0.0, 0.3);
  const auto refining = progressOf(this).part(0.3, 0.9);
  if (vtkUnstructuredGrid::SafeDownCast(output) != nullptr) {
    const InputCells input = readCells(group, vtkDataSet::SafeDownCast(data), InputValues::AllOnAnySide, reading);
    std::visit(
      [&](const auto& cells) { refineGrid(group, cells, input.placement, options, refining, output); }, input.cells);
  } else {
    std::visit([&](const auto& hierarchy) { refineLevels(group, hierarchy, options, refining, output); },
      readLevels(group, data, InputValues::AllOnAnySide, reading));
  }
  warnOfPointArrays(this, group, data);
}
