#include "SpanwiseNearPlace.h"

#include "SpanwiseBridge.h"
#include "SpanwiseVisibleCells.h"

#include <vtkCellTypeUtilities.h>
#include <vtkCompositeDataSet.h>
#include <vtkCompositeDataSetRange.h>
#include <vtkDataSet.h>
#include <vtkIdList.h>
#include <vtkImageData.h>
#include <vtkMath.h>
#include <vtkNew.h>

#include <algorithm>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

void take(const double place[3], const double wanted[3], NearPlace& best) {
  const double squared = vtkMath::Distance2BetweenPoints(place, wanted);
  if (squared < best.squaredDistance) {
    best.squaredDistance = squared;
    std::copy_n(place, 3, best.at);
  }
}

/// The cell of each interval that is nearest along x.
template <int Dim>
void inGrid(const IntervalGrid<Dim>& grid, const double wanted[3], NearPlace& best) {
  double local[Dim];
  if (grid.findCell(wanted, local) >= 0) {
    double place[3];
    std::copy_n(wanted, 3, place);
    place[2] = Dim == 2 ? grid.placement().origin[2] : place[2];
    take(place, wanted, best);
    return;
  }
  const IntervalSetView<Dim>& cells = grid.cells();
  const GridPlacement& placement = grid.placement();
  const auto centre = [&](int axis, std::int64_t c) {
    return placement.position(axis, c) + 0.5 * placement.spacing[axis];
  };
  for (std::int64_t row = 0; row < cells.numRows; ++row) {
    double place[3] = {0.0, centre(1, cells.rowKeys[row].y), placement.origin[2]};
    if constexpr (Dim == 3) {
      place[2] = centre(2, cells.rowKeys[row].z);
    }
    for (std::int64_t i = cells.rowOffsets[row]; i < cells.rowOffsets[row + 1]; ++i) {
      const Interval interval = cells.intervals[i];
      place[0] = std::clamp(wanted[0], centre(0, interval.begin), centre(0, interval.end - std::int64_t{1}));
      take(place, wanted, best);
    }
  }
}

void inImage(vtkImageData* image, const double wanted[3], NearPlace& best) {
  const VisibleCells isVisible(image);
  double place[3];
  std::copy_n(wanted, 3, place);
  double parameters[3];
  double weights[8];
  int part = 0;
  const vtkIdType found = image->FindCell(place, nullptr, -1, 0.0, part, parameters, weights);
  if (found >= 0 && isVisible(found)) {
    take(place, wanted, best);
    return;
  }
  for (vtkIdType cell = 0; cell < image->GetNumberOfCells(); ++cell) {
    if (isVisible(cell)) {
      double bounds[6];
      image->GetCellBounds(cell, bounds);
      const double centre[3] = {
        0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3]), 0.5 * (bounds[4] + bounds[5])};
      take(centre, wanted, best);
    }
  }
}

void inMesh(vtkDataSet* mesh, const double wanted[3], NearPlace& best) {
  const auto dimensionOf = [&](vtkIdType cell) { return vtkCellTypeUtilities::GetDimension(mesh->GetCellType(cell)); };
  int highest = 0;
  for (vtkIdType cell = 0; highest < 3 && cell < mesh->GetNumberOfCells(); ++cell) {
    highest = std::max(highest, dimensionOf(cell));
  }
  vtkNew<vtkIdList> points;
  for (vtkIdType cell = 0; cell < mesh->GetNumberOfCells(); ++cell) {
    if (dimensionOf(cell) == highest) {
      mesh->GetCellPoints(cell, points);
      for (const vtkIdType point : *points) {
        double place[3];
        mesh->GetPoint(point, place);
        take(place, wanted, best);
      }
    }
  }
}

} // namespace

void findNearPlace(vtkDataObject* data, const double wanted[3], NearPlace& best) {
  if (auto* const composite = vtkCompositeDataSet::SafeDownCast(data)) {
    for (vtkDataObject* const block : vtk::Range(composite, vtk::CompositeDataSetOptions::SkipEmptyNodes)) {
      findNearPlace(block, wanted, best);
    }
  } else if (auto* const image = vtkImageData::SafeDownCast(data)) {
    inImage(image, wanted, best);
  } else if (auto* const mesh = vtkDataSet::SafeDownCast(data)) {
    if (const auto plane = gridOf<2>(mesh)) {
      inGrid(*plane, wanted, best);
    } else if (const auto solid = gridOf<3>(mesh)) {
      inGrid(*solid, wanted, best);
    } else {
      inMesh(mesh, wanted, best);
    }
  }
}

} // namespace spanwise
