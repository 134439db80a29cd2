#include "vtkSpanwiseResampleLevels.h"

#include "SpanwiseBridge.h"
#include "SpanwiseChoice.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseGatheredCells.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseMeans.h"
#include "SpanwiseOwnPoints.h"
#include "SpanwiseProlongedValues.h"
#include "SpanwiseSamples.h"

#include "Core/Multilevel/BoxPoints.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataObjectTypes.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <vector>

using namespace spanwise::multilevel;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseResampleLevels);

namespace {

using Method = spanwise::multilevel::Prolongation;

/// The cells of one level, with the values of leaves.
template <ComputeSide side, int Dim>
RankCells<Dim> resampled(const std::vector<RankCells<Dim>>& leaves, std::size_t level, Method method) {
  const bool slopes = method != Method::Injection;
  const auto means = meansOfLevels<side, Dim>(leaves, level + 1, slopes ? 0 : level);
  RankCells<Dim> coarser = emptyLike<Dim>(leaves.front()); // cells of coarser leaves
  for (std::size_t l = 0; l < level; ++l) {
    const RankCells<Dim> leaf = l < leaves.size() ? leaves[l] : emptyLike<Dim>(leaves.front());
    const RankCells<Dim> toRefine = unitedCells<side, Dim>(coarser, leaf);
    coarser = slopes ? refinedAmong<side, Dim>(toRefine.set, unitedCells<side, Dim>(coarser, means[l].cells), method)
                     : refined<side, Dim>(toRefine, method);
  }
  return unitedCells<side, Dim>(coarser, means[level].cells);
}

/// Collective. The grid of one level.
template <int Dim>
void resampleTo(const RankGroup& group, const Hierarchy<Dim>& input, int level, Method method, const Progress& progress,
  vtkUnstructuredGrid* output) {
  Hierarchy<Dim> hierarchy = input;
  const PlaneRange planes = distributeLevels(group, hierarchy);
  std::vector<RankCells<Dim>> leaves = group.streams() ? input.leaves : hierarchy.leaves;
  leaves.resize(std::max<std::size_t>(leaves.size(), 1));
  SideInputs<Dim> inputs;
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    const std::int64_t halo = method == Method::Injection ? 0 : std::int64_t{2} << l;
    addHalo<Dim>(group, planesOfLevel(planes, static_cast<int>(l)), leaves[l], {halo});
  }
  for (const RankCells<Dim>& cells : leaves) {
    inputs.sets.push_back(&cells.set);
    inputs.numCells += cells.set.numCells();
  }
  group.agree([&] { progress.report(0.2); });
  computeOnSide<Dim>(group, "Resample Levels", inputs, [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
    group.agree([&] {
      RankCells<Dim> cells = resampled<side, Dim>(leaves, static_cast<std::size_t>(level), method);
      restrictCells(cells, planesOfLevel(planes, level));
      progress.report(0.9);
      setCells(output, cells, placementOfLevel(input.root, level), planesOfLevel(planes, level));
    });
  });
}

/// Collective. The grid of one level; `given` where it is not the finest one that has leaves.
template <int Dim>
void resample(const RankGroup& group, const Hierarchy<Dim>& hierarchy, const int* given, Method method,
  const Progress& progress, vtkUnstructuredGrid* output) {
  std::int64_t level = 0;
  if (given != nullptr) {
    level = *given;
  } else {
    for (int l = 0; l < hierarchy.numLevels(); ++l) {
      level = hierarchy.leaves[static_cast<std::size_t>(l)].set.empty() ? level : l;
    }
    level = group.maximum(level);
  }
  resampleTo(group, hierarchy, static_cast<int>(level), method, progress, output);
}

BoxPoints boxPoints(const double corner[3], const double lengths[3], const int resolution[3]) {
  BoxPoints box{};
  std::copy_n(corner, 3, box.corner);
  std::copy_n(lengths, 3, box.lengths);
  std::copy_n(resolution, 3, box.resolution);
  return box;
}

template <int Dim>
std::vector<Position<Dim>> positionsOf(vtkDataSet* data) {
  std::vector<Position<Dim>> positions(static_cast<std::size_t>(data->GetNumberOfPoints()));
  for (std::size_t p = 0; p < positions.size(); ++p) {
    double at[3];
    data->GetPoint(static_cast<vtkIdType>(p), at);
    std::copy_n(at, Dim, positions[p].at);
  }
  return positions;
}

/// Marks points of a piece that are not its own as duplicates, beside what is marked already.
void markDuplicates(const NotOwn& others, vtkDataSet* data) {
  if (others.empty()) {
    return;
  }
  vtkUnsignedCharArray* const before = data->GetPointGhostArray();
  vtkNew<vtkUnsignedCharArray> marks;
  marks->SetName(vtkDataSetAttributes::GhostArrayName());
  marks->SetNumberOfValues(data->GetNumberOfPoints());
  for (vtkIdType p = 0; p < marks->GetNumberOfValues(); ++p) {
    const int mark = before != nullptr ? before->GetValue(p) : 0;
    const bool isDuplicate = others[static_cast<std::size_t>(p)] == isElsewhere;
    marks->SetValue(p, static_cast<unsigned char>(isDuplicate ? mark | vtkDataSetAttributes::DUPLICATEPOINT : mark));
  }
  data->GetPointData()->AddArray(marks); // in the place of that of the input
}

} // namespace

void vtkSpanwiseResampleLevels::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SampleOn: " << this->SampleOn << "\n";
  os << indent << "LevelMode: " << this->LevelMode << "\n";
  os << indent << "Level: " << this->Level << "\n";
  os << indent << "Prolongation: " << this->Prolongation << "\n";
  os << indent << "Corner: " << this->Corner[0] << " " << this->Corner[1] << " " << this->Corner[2] << "\n";
  os << indent << "Lengths: " << this->Lengths[0] << " " << this->Lengths[1] << " " << this->Lengths[2] << "\n";
  os << indent << "Resolution: " << this->Resolution[0] << " " << this->Resolution[1] << " " << this->Resolution[2]
     << "\n";
  os << indent << "Interpolation: " << this->Interpolation << "\n";
}

vtkSpanwiseResampleLevels::vtkSpanwiseResampleLevels() { this->SetNumberOfInputPorts(2); }

int vtkSpanwiseResampleLevels::FillInputPortInformation(int port, vtkInformation* info) {
  if (port == 1) {
    info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
    return 1;
  }
  return this->Superclass::FillInputPortInformation(port, info);
}

int vtkSpanwiseResampleLevels::FillOutputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataSet");
  return 1;
}

int vtkSpanwiseResampleLevels::RequestDataObject(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  int type = VTK_UNSTRUCTURED_GRID;
  if (this->SampleOn == BOX) {
    type = VTK_IMAGE_DATA;
  } else if (this->SampleOn == POINTS) {
    vtkDataSet* points = vtkDataSet::GetData(inputs[1], 0);
    type = points != nullptr ? points->GetDataObjectType() : VTK_POLY_DATA;
  }
  vtkInformation* outInfo = outputs->GetInformationObject(0);
  vtkDataObject* output = outInfo->Get(vtkDataObject::DATA_OBJECT());
  if (output == nullptr || output->GetDataObjectType() != type) {
    const auto made = vtkSmartPointer<vtkDataObject>::Take(vtkDataObjectTypes::NewDataObject(type));
    outInfo->Set(vtkDataObject::DATA_OBJECT(), made);
  }
  return 1;
}

int vtkSpanwiseResampleLevels::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  vtkInformation* outInfo = outputs->GetInformationObject(0);
  if (this->SampleOn == BOX) {
    const BoxPoints box = boxPoints(this->Corner, this->Lengths, this->Resolution);
    int extent[6];
    box.wholeExtent(extent);
    const double origin[3] = {box.origin(0), box.origin(1), box.origin(2)};
    const double spacing[3] = {box.spacing(0), box.spacing(1), box.spacing(2)};
    outInfo->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), extent, 6);
    outInfo->Set(vtkDataObject::ORIGIN(), origin, 3);
    outInfo->Set(vtkDataObject::SPACING(), spacing, 3);
  } else if (this->SampleOn == POINTS && inputs[1]->GetNumberOfInformationObjects() > 0) {
    outInfo->CopyEntry(inputs[1]->GetInformationObject(0), vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT());
  } else {
    outInfo->Remove(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT());
  }
  return this->Superclass::RequestInformation(request, inputs, outputs);
}

int vtkSpanwiseResampleLevels::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  const auto copyRequest = [](vtkInformation* from, vtkInformation* to) {
    to->CopyEntry(from, Pipeline::UPDATE_PIECE_NUMBER());
    to->CopyEntry(from, Pipeline::UPDATE_NUMBER_OF_PIECES());
    to->CopyEntry(from, Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS());
    to->CopyEntry(from, Pipeline::UPDATE_EXTENT());
  };
  // The points of a piece of the output are those of the same piece of the second input.
  vtkInformation* points =
    inputs[1]->GetNumberOfInformationObjects() > 0 ? inputs[1]->GetInformationObject(0) : nullptr;
  vtkNew<vtkInformation> asked;
  if (points != nullptr) {
    copyRequest(points, asked);
  }
  const int result = this->Superclass::RequestUpdateExtent(request, inputs, outputs);
  if (points != nullptr) {
    copyRequest(asked, points);
  }
  return result;
}

void vtkSpanwiseResampleLevels::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) {
  vtkDataObject* input = vtkDataObject::GetData(inputs[0], 0);
  if (checkedChoice("choice of what to sample on", this->SampleOn, CELLS_OF_A_LEVEL, POINTS) == CELLS_OF_A_LEVEL) {
    this->SampleLevel(group, input, output);
  } else {
    this->SamplePoints(group, input, vtkDataSet::GetData(inputs[1], 0), output);
  }
}

void vtkSpanwiseResampleLevels::SampleLevel(const RankGroup& group, vtkDataObject* input, vtkDataObject* output) {
  const bool finest = checkedChoice("choice of the level", this->LevelMode, FINEST_LEVEL, GIVEN_LEVEL) == FINEST_LEVEL;
  const int given = finest ? 0 : checkedChoice("level", this->Level, 0, maxLevel);
  const auto method = static_cast<Method>(checkedChoice("prolongation", this->Prolongation, INJECTION, THIRD_ORDER));
  const AnyHierarchy levels = readLevels(group, input, InputValues::AllOnAnySide, progressOf(this).part(0.0, 0.3));
  std::visit(
    [&](const auto& hierarchy) {
      resample(group, hierarchy, finest ? nullptr : &given, method, progressOf(this).part(0.3, 1.0),
        vtkUnstructuredGrid::SafeDownCast(output));
    },
    levels);
}

void vtkSpanwiseResampleLevels::SamplePoints(
  const RankGroup& group, vtkDataObject* input, vtkDataSet* points, vtkDataObject* output) {
  const auto sampling = static_cast<Sampling>(
    checkedChoice("interpolation", this->Interpolation, INTERPOLATE_CONSTANTLY, INTERPOLATE_LINEARLY));
  const BoxPoints box = boxPoints(this->Corner, this->Lengths, this->Resolution);
  int extent[6] = {0, -1, 0, -1, 0, -1};
  auto* result = vtkDataSet::SafeDownCast(output);
  if (this->SampleOn == BOX) {
    box.check();
    box.extentOf(group.piece(), group.pieces(), extent);
    auto* image = vtkImageData::SafeDownCast(output);
    image->SetExtent(extent);
    image->SetOrigin(box.origin(0), box.origin(1), box.origin(2));
    image->SetSpacing(box.spacing(0), box.spacing(1), box.spacing(2));
  } else {
    if (group.sum(static_cast<std::int64_t>(points != nullptr)) == 0) {
      throw InvalidArgument(
        "there is no second input (Points); it must be a data set, which has the points to sample at");
    }
    const NotOwn others = notOwnPoints(group, points);
    group.agree([&] {
      if (points != nullptr) {
        result->ShallowCopy(points);
        markDuplicates(others, result);
      }
    });
  }
  const AnyHierarchy levels = readLevels(group, input, InputValues::All, progressOf(this).part(0.0, 0.4));
  std::visit(
    [&]<int Dim>(const Hierarchy<Dim>& hierarchy) {
      std::vector<Position<Dim>> positions;
      group.agree([&] {
        if (this->SampleOn == BOX) {
          positions = positionsOf<Dim>(box, extent);
        } else if (points != nullptr) {
          positions = positionsOf<Dim>(points);
        }
      });
      spanwise::samplePoints<Dim>(group, hierarchy, sampling, positions, result->GetPointData());
      group.agree([&] { progressOf(this).report(1.0); });
    },
    levels);
}
