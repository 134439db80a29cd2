#include "vtkSpanwiseGeometryFilter.h"

#include "SpanwiseBridge.h"
#include "SpanwiseSurface.h"

#include "Core/Runtime/Runtime.hpp"

#include <vtkCellData.h>
#include <vtkConstantArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkMultiProcessController.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace {
// An overview is for looking at a whole grid in passing: some 500 by 500 blocks.
constexpr vtkIdType OverviewPolygons = 250000;

template <int Dim>
spanwise::DrawnCells<Dim> DrawnCellsOf(vtkUnstructuredGrid* grid) {
  return spanwise::drawnCells<Dim>(
    spanwise::gridOf<Dim>(grid), grid->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName()));
}

template <int Dim>
void BoundsOf(const spanwise::DrawnCells<Dim>& drawn, double bounds[6]) {
  const spanwise::geometry::Box<Dim> box = drawn.box();
  const spanwise::GridPlacement& placement = drawn.grid().placement();
  for (int d = 0; d < 3; ++d) {
    bounds[2 * d] = box.empty() ? 1.0 : placement.position(d, d < Dim ? box.begin[d] : 0);
    bounds[2 * d + 1] = box.empty() ? -1.0 : placement.position(d, d < Dim ? box.end[d] : 0);
  }
}

// Blocks of which a full box would have about so many polygons on its surface.
template <int Dim>
int FirstShift(const spanwise::geometry::Box<Dim>& box, vtkIdType polygons) {
  const double blocks = std::sqrt(static_cast<double>(polygons) / (Dim == 2 ? 1.0 : 6.0));
  double longest = 1.0;
  for (int d = 0; d < Dim; ++d) {
    longest = std::max(longest, static_cast<double>(box.extent(d)));
  }
  return std::clamp(static_cast<int>(std::ceil(std::log2(longest / blocks))), 0, 30);
}

spanwise::ArrayChoice ChoiceOf(const std::string& name) {
  return name.empty() ? spanwise::ArrayChoice{true, nullptr} : spanwise::ArrayChoice{false, name.c_str()};
}

void AddConstant(vtkDataSetAttributes* attributes, vtkIdType count, unsigned int value) {
  vtkNew<vtkConstantArray<unsigned int>> array;
  array->SetName("vtkProcessId");
  array->SetNumberOfValues(count);
  array->ConstructBackend(value);
  attributes->AddArray(array);
}
} // namespace

vtkStandardNewMacro(vtkSpanwiseGeometryFilter);

bool vtkSpanwiseGeometryFilter::Treats(vtkDataObject* data) const {
  const bool surface = !this->UseOutline && !this->Triangulate && !this->GenerateFeatureEdges &&
    !this->GenerateCellNormals && !this->GeneratePointNormals;
  return surface && vtkUnstructuredGrid::SafeDownCast(data) != nullptr &&
    (spanwise::gridOf<2>(data) != nullptr || spanwise::gridOf<3>(data) != nullptr);
}

int vtkSpanwiseGeometryFilter::RequestData(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  this->LastResult = Result::Stock;
  this->NumberOfCellPolygons = 0;
  vtkDataObject* const data = vtkDataObject::GetData(inputs[0]);
  if (!this->Treats(data)) {
    return this->Superclass::RequestData(request, inputs, outputs);
  }
  vtkUnstructuredGrid* const input = vtkUnstructuredGrid::SafeDownCast(data);
  vtkPolyData* const output = vtkPolyData::GetData(outputs);
  this->OutlineFlag = false;
  try {
    spanwise::startRuntime();
    this->LastResult =
      spanwise::gridOf<2>(input) ? this->MakeSurface<2>(input, output) : this->MakeSurface<3>(input, output);
  } catch (const std::exception& error) {
    vtkErrorMacro(<< error.what());
    output->Initialize();
    return 0;
  }
  if (this->GenerateProcessIds) {
    this->AddProcessIds(output);
  }
  return 1;
}

template <int Dim>
vtkSpanwiseGeometryFilter::Result vtkSpanwiseGeometryFilter::MakeSurface(
  vtkUnstructuredGrid* input, vtkPolyData* output) {
  const spanwise::DrawnCells<Dim> drawn = DrawnCellsOf<Dim>(input);
  BoundsOf(drawn, this->ExactBounds);
  this->NumberOfCellPolygons = spanwise::countPolygons(drawn, spanwise::SurfaceKind::Cells);
  const bool certain = this->NumberOfCellPolygons <= this->NumberOfCertainPolygons;
  const bool runs = this->MergeRuns && !certain;
  spanwise::SurfaceOptions options;
  options.kind = runs ? spanwise::SurfaceKind::Runs : spanwise::SurfaceKind::Cells;
  options.shading = this->SmoothShading ? spanwise::Shading::Smooth : spanwise::Shading::Faces;
  const vtkIdType polygons =
    runs ? spanwise::countPolygons(drawn, options.kind, this->MaximumNumberOfPolygons) : this->NumberOfCellPolygons;
  if (polygons > this->MaximumNumberOfPolygons && !certain) {
    this->MakeOverview(input, OverviewPolygons, output);
    return Result::Overview;
  }
  options.cellIds = static_cast<bool>(this->PassThroughCellIds);
  options.pointIds = static_cast<bool>(this->PassThroughPointIds);
  spanwise::makeSurface(input, drawn, options, output);
  return runs ? Result::Runs : Result::Cells;
}

void vtkSpanwiseGeometryFilter::MakeOverview(vtkUnstructuredGrid* grid, vtkIdType polygons, vtkPolyData* output) {
  spanwise::SurfaceOptions options;
  options.kind = this->MergeRuns ? spanwise::SurfaceKind::Runs : spanwise::SurfaceKind::Cells;
  options.maxPolygons = polygons;
  options.shading = this->SmoothShading ? spanwise::Shading::Smooth : spanwise::Shading::Faces;
  options.cellIds = options.pointIds = true;
  options.cellArrays = ChoiceOf(this->CellArrayName);
  options.pointArrays = ChoiceOf(this->PointArrayName);
  if (const auto grid2 = spanwise::gridOf<2>(grid)) {
    options.shift = FirstShift(grid2->box(), polygons);
    spanwise::makeSurface(grid, DrawnCellsOf<2>(grid), options, output);
  } else if (const auto grid3 = spanwise::gridOf<3>(grid)) {
    options.shift = FirstShift(grid3->box(), polygons);
    spanwise::makeSurface(grid, DrawnCellsOf<3>(grid), options, output);
  }
}

void vtkSpanwiseGeometryFilter::AddProcessIds(vtkPolyData* output) {
  const auto rank = static_cast<unsigned int>(this->Controller ? this->Controller->GetLocalProcessId() : 0);
  AddConstant(output->GetCellData(), output->GetNumberOfCells(), rank);
  AddConstant(output->GetPointData(), output->GetNumberOfPoints(), rank);
}

void vtkSpanwiseGeometryFilter::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "MergeRuns: " << this->MergeRuns << "\n"
     << indent << "SmoothShading: " << this->SmoothShading << "\n"
     << indent << "CellArrayName: " << this->CellArrayName << "\n"
     << indent << "PointArrayName: " << this->PointArrayName << "\n"
     << indent << "MaximumNumberOfPolygons: " << this->MaximumNumberOfPolygons << "\n"
     << indent << "NumberOfCertainPolygons: " << this->NumberOfCertainPolygons << "\n"
     << indent << "NumberOfCellPolygons: " << this->NumberOfCellPolygons << "\n";
}
