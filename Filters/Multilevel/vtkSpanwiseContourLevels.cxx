#include "vtkSpanwiseContourLevels.h"

#include "SpanwiseBridge.h"
#include "SpanwiseContourMesh.h"
#include "SpanwiseInputLevels.h"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"

#include <vtkCellData.h>
#include <vtkContourFilter.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseContourLevels);

void vtkSpanwiseContourLevels::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Values:";
  for (const double value : this->Values) {
    os << " " << value;
  }
  os << "\n";
}

void vtkSpanwiseContourLevels::SetNumberOfContours(int number) {
  const auto count = static_cast<std::size_t>(std::max(number, 0));
  if (count != this->Values.size()) {
    this->Values.resize(count, 0.0);
    this->Modified();
  }
}

void vtkSpanwiseContourLevels::SetValue(int contour, double value) {
  if (contour < 0) {
    return;
  }
  this->SetNumberOfContours(std::max(contour + 1, this->GetNumberOfContours()));
  double& kept = this->Values[static_cast<std::size_t>(contour)];
  if (kept != value) {
    kept = value;
    this->Modified();
  }
}

double vtkSpanwiseContourLevels::GetValue(int contour) const {
  const bool isThere = contour >= 0 && contour < this->GetNumberOfContours();
  return isThere ? this->Values[static_cast<std::size_t>(contour)] : 0.0;
}

int vtkSpanwiseContourLevels::FillOutputPortInformation(int, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkPolyData");
  return 1;
}

void vtkSpanwiseContourLevels::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) {
  const char* const chosen = this->GetInputArrayInformation(0)->Get(vtkDataObject::FIELD_NAME());
  if (chosen == nullptr || *chosen == 0) {
    throw InvalidArgument("no cell array was chosen to contour");
  }
  for (const double value : this->Values) {
    if (!std::isfinite(value)) {
      throw InvalidArgument("a contour's value is " + numberText(value) + "; it must be finite");
    }
  }
  const std::string array = chosen;
  const auto progress = progressOf(this);
  const AnyHierarchy levels =
    readLevels(group, vtkDataObject::GetData(inputs[0], 0), InputValues::All, progress.part(0.0, 0.3));
  vtkNew<vtkUnstructuredGrid> mesh;
  std::visit(
    [&](const auto& hierarchy) {
      gridAroundContours(group, hierarchy, array, this->Values, progress.part(0.3, 0.8), mesh);
    },
    levels);
  group.agree([&] {
    vtkNew<vtkContourFilter> contours;
    contours->SetInputData(mesh);
    contours->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, array.c_str());
    contours->ComputeNormalsOff();
    for (int k = 0; k < this->GetNumberOfContours(); ++k) {
      contours->SetValue(k, this->GetValue(k));
    }
    contours->SetNumberOfContours(this->GetNumberOfContours());
    contours->Update();
    vtkPolyData* const found = contours->GetOutput();
    found->GetPointData()->SetActiveScalars(nullptr); // which are the contour's value, but for rounding: no colours
    found->GetCellData()->SetActiveScalars(nullptr);
    output->ShallowCopy(found);
  });
}
