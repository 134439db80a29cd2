#include "vtkSpanwiseMeshbReader.h"

#include "ReadingFile.hpp"
#include "SpanwiseRankGroup.h"

#include "Readers/Meshb/MeshbFile.hpp"

#include "Core/Runtime/Error.hpp"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCellType.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkTypeInt64Array.h"
#include "vtkUnsignedCharArray.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace meshb = spanwise::meshb;

int cellTypeOf(int keyword) {
  switch (keyword) {
  case meshb::Edges:
    return VTK_LINE;
  case meshb::Triangles:
    return VTK_TRIANGLE;
  case meshb::Quadrilaterals:
    return VTK_QUAD;
  case meshb::Tetrahedra:
    return VTK_TETRA;
  case meshb::Pyramids:
    return VTK_PYRAMID;
  case meshb::Prisms:
    return VTK_WEDGE;
  default:
    return VTK_HEXAHEDRON;
  }
}

// Values as an array of VTK.
template <class Array, class T>
vtkSmartPointer<Array> arrayOf(const char* name, const std::vector<T>& values, int components) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfValues(static_cast<vtkIdType>(values.size()));
  std::copy(values.begin(), values.end(), array->GetPointer(0));
  return array;
}

void showPoints(const meshb::Mesh& mesh, vtkUnstructuredGrid* output) {
  vtkNew<vtkPoints> points;
  if (mesh.isSingle) {
    points->SetData(arrayOf<vtkFloatArray>("Points", mesh.points, 3));
  } else {
    points->SetData(arrayOf<vtkDoubleArray>("Points", mesh.points, 3));
  }
  output->SetPoints(points);
  output->GetPointData()->AddArray(arrayOf<vtkTypeInt64Array>("Reference", mesh.references, 1));
}

void showCells(const meshb::Mesh& mesh, vtkUnstructuredGrid* output) {
  std::vector<std::int64_t> connectivity;
  std::vector<std::int64_t> offsets{0};
  std::vector<unsigned char> types;
  std::vector<std::int64_t> references;
  for (const meshb::Elements& elements : mesh.elements) {
    connectivity.insert(connectivity.end(), elements.connectivity.begin(), elements.connectivity.end());
    references.insert(references.end(), elements.references.begin(), elements.references.end());
    types.resize(references.size(), static_cast<unsigned char>(cellTypeOf(elements.keyword)));
    while (offsets.size() <= references.size()) {
      offsets.push_back(offsets.back() + elements.vertices);
    }
  }
  vtkNew<vtkCellArray> cells;
  cells->SetData(
    arrayOf<vtkTypeInt64Array>("offsets", offsets, 1), arrayOf<vtkTypeInt64Array>("connectivity", connectivity, 1));
  output->SetCells(arrayOf<vtkUnsignedCharArray>("types", types, 1), cells);
  output->GetCellData()->AddArray(arrayOf<vtkTypeInt64Array>("Reference", references, 1));
}

// The file of solutions beside a mesh; empty if there is none.
std::string solutionFileOf(const std::string& name) {
  for (const char* suffix : {".solb", ".sol"}) {
    const std::filesystem::path path = std::filesystem::path(name).replace_extension(suffix);
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) {
      return path.string();
    }
  }
  return {};
}

void showSolutions(const std::vector<meshb::Solution>& solutions, vtkUnstructuredGrid* output) {
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    const std::string name = solutions.size() == 1 ? "Solution" : "Solution " + std::to_string(k + 1);
    output->GetPointData()->AddArray(
      arrayOf<vtkDoubleArray>(name.c_str(), solutions[k].values, solutions[k].components));
  }
}

} // namespace

vtkStandardNewMacro(vtkSpanwiseMeshbReader);

vtkSpanwiseMeshbReader::vtkSpanwiseMeshbReader() {
  this->SetNumberOfInputPorts(0);
  this->SetProgressText("Spanwise Meshb Reader"); // ParaView's progress bar would show the name of the class
}

vtkSpanwiseMeshbReader::~vtkSpanwiseMeshbReader() { this->SetFileName(nullptr); }

void vtkSpanwiseMeshbReader::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << (this->FileName ? this->FileName : "(none)") << "\n";
}

int vtkSpanwiseMeshbReader::CanReadFile(const char* name) { return name && meshb::canRead(name) ? 1 : 0; }

void vtkSpanwiseMeshbReader::MakeOutput(
  const spanwise::RankGroup& group, vtkInformationVector**, vtkUnstructuredGrid* output) {
  group.agree([&] {
    const std::string name = this->FileName ? this->FileName : "";
    if (name.empty()) {
      throw spanwise::FileError("no file name was given");
    }
    if (group.piece() != 0) {
      return;
    }
    std::string remarks;
    spanwise::readingFile(name, [&] {
      meshb::Mesh mesh = meshb::readMesh(name);
      if (!mesh.leftOut.empty()) {
        remarks = "cells that are not linear were left out: " + mesh.leftOut + ". ";
      }
      if (const std::string beside = solutionFileOf(name); !beside.empty()) {
        try {
          spanwise::readingFile(beside, [&] {
            auto more = meshb::readSolutions(beside, mesh.references.size(), mesh.dimension);
            std::move(more.begin(), more.end(), std::back_inserter(mesh.solutions));
          });
        } catch (const spanwise::Error& error) {
          remarks += error.what();
        }
      }
      showPoints(mesh, output);
      showCells(mesh, output);
      showSolutions(mesh.solutions, output);
    });
    if (!remarks.empty()) {
      vtkWarningMacro(<< name << ": " << remarks);
    }
  });
}
