#include "vtkSpanwiseCellLocator.h"

#include "SpanwiseBridge.h"
#include "SpanwiseQueries.h"

#include <vtkCellArray.h>
#include <vtkGarbageCollector.h>
#include <vtkGenericCell.h>
#include <vtkIdList.h>
#include <vtkObjectFactory.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStaticCellLocator.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace spanwise::geometry;

using spanwise::IntervalGrid;

namespace {

// VTK's interpolation weights of a position in a cell, in the order of the cell's points.
template <int Dim>
void interpolate(const double local[Dim], double* weights) {
  for (int k = 0; k < IntervalGrid<Dim>::nodesPerCell; ++k) {
    const int corner = IntervalGrid<Dim>::cornerOfPoint(k);
    weights[k] = 1.0;
    for (int d = 0; d < Dim; ++d) {
      weights[k] *= ((corner >> d) & 1) != 0 ? local[d] : 1.0 - local[d];
    }
  }
}

template <int Dim>
bool inPlane(const IntervalGrid<Dim>& grid, const double x[3], double tol2) {
  if constexpr (Dim == 3) {
    return true;
  } else {
    const double plane = grid.placement().origin[2];
    const double roundOff = 4.0 * std::numeric_limits<double>::epsilon() * (std::abs(x[2]) + std::abs(plane));
    return std::abs(x[2] - plane) <= std::max(roundOff, std::sqrt(std::max(tol2, 0.0)));
  }
}

// The position within cell c, in [0, 1] along each axis.
template <int Dim>
void localIn(const IntervalGrid<Dim>& grid, std::int64_t c, const double x[3], double local[3]) {
  const spanwise::geometry::Cell<Dim> cell = grid.cellAt(c);
  local[2] = 0.0;
  for (int d = 0; d < Dim; ++d) {
    const double from = grid.placement().position(d, cell.at[d]);
    local[d] = std::clamp((x[d] - from) / grid.placement().spacing[d], 0.0, 1.0);
  }
}

// Where a segment crosses a face of the first cell that it meets.
struct Hit {
  std::int64_t cell = -1;
  double t = 0.0;
};

template <int Dim>
Hit firstHit(const IntervalGrid<Dim>& grid, const double p1[3], const double p2[3], double tol) {
  Hit hit;
  const double across = p2[2] - p1[2];
  spanwise::walkLine<Dim>(grid, p1, p2, tol, [&](const spanwise::LineInCell& crossing) {
    if (Dim == 2 && across != 0.0) {
      hit = {crossing.cell, std::clamp((grid.placement().origin[2] - p1[2]) / across, crossing.in, crossing.out)};
    } else if (crossing.in > 0.0) {
      hit = {crossing.cell, crossing.in};
    } else if (crossing.out < 1.0) {
      hit = {crossing.cell, crossing.out};
    }
    return false;
  });
  return hit;
}

// What a locator's answers are valid for: the arrays that carry the record.
struct Arrays {
  vtkDataArray* Points = nullptr;
  vtkDataArray* Connectivity = nullptr;
};

Arrays arraysOf(vtkDataSet* dataSet) {
  auto* grid = vtkUnstructuredGrid::SafeDownCast(dataSet);
  const bool whole = grid != nullptr && grid->GetPoints() != nullptr && grid->GetCells() != nullptr;
  return whole ? Arrays{grid->GetPoints()->GetData(), grid->GetCells()->GetConnectivityArray()} : Arrays{};
}

void addRun(vtkIdList* cells, std::int64_t first, std::int64_t last) {
  for (std::int64_t c = first; c < last; ++c) {
    cells->InsertNextId(c);
  }
}

} // namespace

vtkStandardNewMacro(vtkSpanwiseCellLocator);

vtkSpanwiseCellLocator::vtkSpanwiseCellLocator() = default;
vtkSpanwiseCellLocator::~vtkSpanwiseCellLocator() = default;

vtkSpanwiseCellLocator* vtkSpanwiseCellLocator::SafeDownCast(vtkObjectBase* object) {
  return dynamic_cast<vtkSpanwiseCellLocator*>(object);
}

void vtkSpanwiseCellLocator::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Grid: " << (this->Grid.index() == 0 ? "none" : this->Grid.index() == 1 ? "2D" : "3D") << "\n";
  os << indent << "Fallback: " << this->Fallback.Get() << "\n";
}

void vtkSpanwiseCellLocator::ReportReferences(vtkGarbageCollector* collector) {
  this->Superclass::ReportReferences(collector);
  vtkGarbageCollectorReport(collector, this->Fallback, "Fallback");
}

void vtkSpanwiseCellLocator::FreeSearchStructure() {
  this->Grid = std::monostate();
  this->Points = nullptr;
  this->Connectivity = nullptr;
  this->Fallback = nullptr;
}

bool vtkSpanwiseCellLocator::IsUpToDate() const {
  const Arrays arrays = arraysOf(this->DataSet);
  return (this->Fallback ? this->Fallback->GetDataSet() == this->DataSet : this->Grid.index() != 0) &&
    this->Points == arrays.Points && this->Connectivity == arrays.Connectivity;
}

void vtkSpanwiseCellLocator::BuildLocator() {
  if (!this->IsUpToDate()) {
    this->ForceBuildLocator();
  }
}

void vtkSpanwiseCellLocator::ForceBuildLocator() {
  this->FreeSearchStructure();
  const Arrays arrays = arraysOf(this->DataSet);
  this->Points = arrays.Points;
  this->Connectivity = arrays.Connectivity;
  if (auto in2D = spanwise::gridOf<2>(this->DataSet)) {
    this->Grid = in2D;
  } else if (auto in3D = spanwise::gridOf<3>(this->DataSet)) {
    this->Grid = in3D;
  } else {
    this->Fallback = vtkSmartPointer<vtkStaticCellLocator>::New();
    this->Fallback->SetDataSet(this->DataSet);
    this->Fallback->BuildLocator();
  }
  this->BuildTime.Modified();
}

template <class Query>
auto vtkSpanwiseCellLocator::WithGrid(const Query& query) const {
  const auto* in2D = std::get_if<spanwise::IntervalGridPointer<2>>(&this->Grid);
  return in2D != nullptr ? query(**in2D) : query(**std::get_if<spanwise::IntervalGridPointer<3>>(&this->Grid));
}

vtkIdType vtkSpanwiseCellLocator::FindCell(
  double x[3], double tol2, vtkGenericCell* cell, int& subId, double pcoords[3], double* weights) {
  this->BuildLocator();
  if (this->Fallback) {
    return this->Fallback->FindCell(x, tol2, cell, subId, pcoords, weights);
  }
  return this->WithGrid([&]<int Dim>(const IntervalGrid<Dim>& grid) -> vtkIdType {
    double local[3] = {0.0, 0.0, 0.0};
    const std::int64_t found = inPlane(grid, x, tol2) ? grid.findCell(x, local) : -1;
    if (found >= 0) {
      subId = 0;
      std::copy_n(local, 3, pcoords);
      if (weights != nullptr) {
        interpolate<Dim>(local, weights);
      }
      if (cell != nullptr) {
        this->DataSet->GetCell(found, cell);
      }
    }
    return found;
  });
}

int vtkSpanwiseCellLocator::IntersectWithLine(const double p1[3], const double p2[3], double tol, double& t,
  double x[3], double pcoords[3], int& subId, vtkIdType& cellId, vtkGenericCell* cell) {
  this->BuildLocator();
  if (this->Fallback) {
    return this->Fallback->IntersectWithLine(p1, p2, tol, t, x, pcoords, subId, cellId, cell);
  }
  return this->WithGrid([&]<int Dim>(const IntervalGrid<Dim>& grid) {
    Hit hit = firstHit(grid, p1, p2, 0.0);
    if (hit.cell < 0 && tol > 0.0) {
      hit = firstHit(grid, p1, p2, tol);
    }
    cellId = hit.cell;
    subId = 0;
    if (hit.cell < 0) {
      return 0;
    }
    t = hit.t;
    for (int d = 0; d < 3; ++d) {
      x[d] = p1[d] + hit.t * (p2[d] - p1[d]);
    }
    localIn(grid, hit.cell, x, pcoords);
    if (cell != nullptr) {
      this->DataSet->GetCell(hit.cell, cell);
    }
    return 1;
  });
}

int vtkSpanwiseCellLocator::IntersectWithLine(
  const double p1[3], const double p2[3], double tol, vtkPoints* points, vtkIdList* cellIds, vtkGenericCell* cell) {
  this->BuildLocator();
  if (this->Fallback) {
    return this->Fallback->IntersectWithLine(p1, p2, tol, points, cellIds, cell);
  }
  if (points != nullptr) {
    points->Reset();
  }
  if (cellIds != nullptr) {
    cellIds->Reset();
  }
  return this->WithGrid([&]<int Dim>(const IntervalGrid<Dim>& grid) {
    int count = 0;
    spanwise::walkLine<Dim>(grid, p1, p2, tol, [&](const spanwise::LineInCell& crossing) {
      if (points != nullptr) {
        double x[3];
        for (int d = 0; d < 3; ++d) {
          x[d] = p1[d] + crossing.in * (p2[d] - p1[d]);
        }
        points->InsertNextPoint(x);
      }
      if (cellIds != nullptr) {
        cellIds->InsertNextId(crossing.cell);
      }
      ++count;
      return true;
    });
    return count > 0 ? 1 : 0;
  });
}

vtkIdType vtkSpanwiseCellLocator::FindClosestPointWithinRadius(double x[3], double radius, double closestPoint[3],
  vtkGenericCell* cell, vtkIdType& cellId, int& subId, double& dist2, int& inside) {
  this->BuildLocator();
  if (this->Fallback) {
    return this->Fallback->FindClosestPointWithinRadius(x, radius, closestPoint, cell, cellId, subId, dist2, inside);
  }
  return this->WithGrid([&]<int Dim>(const IntervalGrid<Dim>& grid) -> vtkIdType {
    const spanwise::NearestCell nearest = spanwise::nearestCell<Dim>(grid, x, radius);
    cellId = nearest.cell;
    subId = 0;
    inside = 0;
    if (nearest.cell < 0) {
      return 0;
    }
    std::copy_n(nearest.point, 3, closestPoint);
    dist2 = nearest.distance2;
    inside = std::equal(x, x + Dim, nearest.point) ? 1 : 0;
    if (cell != nullptr) {
      this->DataSet->GetCell(cellId, cell);
    }
    return 1;
  });
}

void vtkSpanwiseCellLocator::FindCellsWithinBounds(double* bbox, vtkIdList* cells) {
  this->BuildLocator();
  if (this->Fallback) {
    this->Fallback->FindCellsWithinBounds(bbox, cells);
    return;
  }
  cells->Reset();
  this->WithGrid([&]<int Dim>(const IntervalGrid<Dim>& grid) {
    spanwise::cellsInBounds<Dim>(
      grid, bbox, [&](std::int64_t first, std::int64_t last) { addRun(cells, first, last); });
  });
}

void vtkSpanwiseCellLocator::FindCellsAlongPlane(
  const double o[3], const double n[3], double tolerance, vtkIdList* cells) {
  this->BuildLocator();
  if (this->Fallback) {
    this->Fallback->FindCellsAlongPlane(o, n, tolerance, cells);
    return;
  }
  cells->Reset();
  this->WithGrid([&]<int Dim>(const IntervalGrid<Dim>& grid) {
    spanwise::cellsOnPlane<Dim>(
      grid, o, n, tolerance, [&](std::int64_t first, std::int64_t last) { addRun(cells, first, last); });
  });
}

void vtkSpanwiseCellLocator::GenerateRepresentation(int /*level*/, vtkPolyData* pd) { pd->Initialize(); }
