#pragma once

// A surface as a list of faces that does not depend on the numbers of points and polygons.

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkIdList.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <array>
#include <vector>

namespace spanwise::testing {

/// A polygon: its corners (x, y, z, "height") in order from the least one, and "value" of its cell.
struct Face {
  std::vector<std::array<double, 4>> corners;
  double value = 0.0;

  friend auto operator<=>(const Face&, const Face&) = default;
  friend bool operator==(const Face& a, const Face& b) { return a.corners == b.corners && a.value == b.value; }
};

inline std::vector<Face> facesOf(vtkPolyData* surface) {
  std::vector<Face> faces;
  vtkDataArray* const values = surface->GetCellData()->GetArray("value");
  vtkDataArray* const heights = surface->GetPointData()->GetArray("height");
  vtkNew<vtkIdList> points;
  for (vtkIdType c = 0; c < surface->GetNumberOfCells(); ++c) {
    surface->GetCellPoints(c, points);
    Face face;
    for (const vtkIdType p : *points) {
      double x[3];
      surface->GetPoint(p, x);
      face.corners.push_back({x[0], x[1], x[2], heights != nullptr ? heights->GetTuple1(p) : 0.0});
    }
    // Turned, not sorted: the orientation counts.
    std::rotate(face.corners.begin(), std::min_element(face.corners.begin(), face.corners.end()), face.corners.end());
    face.value = values != nullptr ? values->GetTuple1(c) : 0.0;
    faces.push_back(face);
  }
  std::sort(faces.begin(), faces.end());
  return faces;
}

} // namespace spanwise::testing
