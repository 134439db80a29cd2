#include "vtkSpanwiseSurface.h"

#include "SpanwiseBridge.h"
#include "SpanwiseSurface.h"

#include "Core/Runtime/Runtime.hpp"

#include <vtkCellData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <exception>

vtkStandardNewMacro(vtkSpanwiseSurface);

int vtkSpanwiseSurface::FillInputPortInformation(int, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkUnstructuredGrid");
  return 1;
}

int vtkSpanwiseSurface::RequestData(vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  vtkUnstructuredGrid* const input = vtkUnstructuredGrid::GetData(inputs[0]);
  vtkPolyData* const output = vtkPolyData::GetData(outputs);
  try {
    spanwise::startRuntime();
    spanwise::SurfaceOptions options;
    options.kind = this->Mode == RUNS ? spanwise::SurfaceKind::Runs : spanwise::SurfaceKind::Cells;
    options.shift = this->CoarseningShift;
    options.shading = this->Shading == SMOOTH ? spanwise::Shading::Smooth : spanwise::Shading::Faces;
    if (this->MaximumNumberOfPolygons > 0) {
      options.maxPolygons = this->MaximumNumberOfPolygons;
    }
    options.cellIds = this->PassThroughCellIds;
    options.pointIds = this->PassThroughPointIds;
    auto* const ghosts =
      vtkUnsignedCharArray::SafeDownCast(input->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName()));
    if (const auto grid2 = spanwise::gridOf<2>(input)) {
      spanwise::makeSurface(input, spanwise::drawnCells(grid2, ghosts), options, output);
    } else if (const auto grid3 = spanwise::gridOf<3>(input)) {
      spanwise::makeSurface(input, spanwise::drawnCells(grid3, ghosts), options, output);
    } else if (input->GetNumberOfCells() > 0) {
      vtkErrorMacro("the input has " << input->GetNumberOfCells()
                                     << " cells that are not made of intervals; rebuild the intervals first, or use "
                                        "vtkGeometryFilter");
      return 0;
    }
  } catch (const std::exception& error) {
    vtkErrorMacro(<< error.what());
    output->Initialize();
    return 0;
  }
  return 1;
}

void vtkSpanwiseSurface::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Mode: " << (this->Mode == RUNS ? "Runs" : "Cells") << "\n"
     << indent << "Shading: " << (this->Shading == SMOOTH ? "Smooth" : "Faces") << "\n"
     << indent << "CoarseningShift: " << this->CoarseningShift << "\n"
     << indent << "MaximumNumberOfPolygons: " << this->MaximumNumberOfPolygons << "\n"
     << indent << "PassThroughCellIds: " << this->PassThroughCellIds << "\n"
     << indent << "PassThroughPointIds: " << this->PassThroughPointIds << "\n";
}
