#pragma once

// Paths as lines.

#include <vtkIdList.h>
#include <vtkMath.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

#include <array>
#include <cmath>

namespace spanwise::testing {

/// The length of a line of several segments.
inline double lengthOf(vtkPolyData* lines, vtkIdType line) {
  vtkNew<vtkIdList> points;
  lines->GetCellPoints(line, points);
  double sum = 0.0;
  std::array<double, 3> last{};
  for (vtkIdType k = 0; k < points->GetNumberOfIds(); ++k) {
    std::array<double, 3> at{}; // GetPoint() without a place for the point gives one that the next call changes
    lines->GetPoint(points->GetId(k), at.data());
    sum += k > 0 ? std::sqrt(vtkMath::Distance2BetweenPoints(last.data(), at.data())) : 0.0;
    last = at;
  }
  return sum;
}

} // namespace spanwise::testing
