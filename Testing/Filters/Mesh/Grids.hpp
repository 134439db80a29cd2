#pragma once

// Meshes of Core's tests as data sets of VTK.

#include "Testing/Core/Mesh/Meshes.hpp"

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

namespace spanwise::testing {

inline vtkSmartPointer<vtkPoints> pointsOf(const HostMesh& mesh, int type = VTK_DOUBLE) {
  auto points = vtkSmartPointer<vtkPoints>::New(type);
  for (const Point& point : mesh.points) {
    points->InsertNextPoint(point.at);
  }
  return points;
}

inline vtkSmartPointer<vtkCellArray> cellArrayOf(const HostMesh& mesh) {
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  for (std::size_t e = 0; e < mesh.types.size(); ++e) {
    std::vector<vtkIdType> corners(
      mesh.vertices.begin() + mesh.offsets[e], mesh.vertices.begin() + mesh.offsets[e + 1]);
    cells->InsertNextCell(static_cast<vtkIdType>(corners.size()), corners.data());
  }
  return cells;
}

/// Core's elements have the numbers of VTK's cells.
inline vtkSmartPointer<vtkUnstructuredGrid> vtkGridOf(const HostMesh& mesh, int pointType = VTK_DOUBLE) {
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  grid->SetPoints(pointsOf(mesh, pointType));
  vtkNew<vtkUnsignedCharArray> types;
  for (const ElementType type : mesh.types) {
    types->InsertNextValue(static_cast<unsigned char>(type));
  }
  grid->SetCells(types, cellArrayOf(mesh));
  return grid;
}

/// One mesh after the other.
inline void append(HostMesh& mesh, const HostMesh& other) {
  const std::int64_t first = mesh.numVertices();
  mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
  for (std::size_t e = 0; e < other.types.size(); ++e) {
    std::vector<std::int64_t> corners;
    for (std::int64_t k = other.offsets[e]; k < other.offsets[e + 1]; ++k) {
      corners.push_back(first + other.vertices[static_cast<std::size_t>(k)]);
    }
    mesh.add(other.types[e], corners);
  }
}

} // namespace spanwise::testing
