#include "SpanwisePolyDataInput.h"

#include "SpanwiseValues.h"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStaticPointLocator.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <format>
#include <numeric>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

/// The positions of points in double.
vtkSmartPointer<vtkDoubleArray> positionsOf(vtkPolyData* data) {
  auto positions = vtkSmartPointer<vtkDoubleArray>::New();
  if (data->GetPoints() != nullptr) {
    positions->DeepCopy(data->GetPoints()->GetData());
  }
  return positions;
}

/// Calls visit(cell number in the data, its points) for the cells of one kind that count. `before` is how many cells of
/// other kinds stand before them.
template <class Visit>
void forCells(vtkPolyData* data, vtkCellArray* cells, vtkIdType before, const Visit& visit) {
  constexpr unsigned char marks = vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::HIDDENCELL;
  vtkUnsignedCharArray* ghosts = data->GetCellGhostArray();
  if (ghosts != nullptr) {
    checkLength(ghosts, data->GetNumberOfCells());
  }
  vtkNew<vtkIdList> points;
  for (vtkIdType k = 0; k < cells->GetNumberOfCells(); ++k) {
    if (ghosts == nullptr || (ghosts->GetValue(before + k) & marks) == 0) {
      cells->GetCellAtId(k, points);
      visit(before + k, *points);
    }
  }
}

std::string pointText(const double* point) { return std::format("({}, {}, {})", point[0], point[1], point[2]); }

/// `point(k)` points to x, y and z of the k-th of `count` points.
template <class Point>
void boundsOfPoints(std::int64_t count, double bounds[6], const Point& point) {
  std::fill_n(bounds, 6, 0.0);
  for (std::int64_t k = 0; k < count; ++k) {
    const double* here = point(k);
    for (int d = 0; d < 3; ++d) {
      if (!std::isfinite(here[d])) {
        throw InvalidArgument("the point " + pointText(here) + " is not finite; all points must be");
      }
      bounds[2 * d] = k == 0 ? here[d] : std::min(bounds[2 * d], here[d]);
      bounds[2 * d + 1] = k == 0 ? here[d] : std::max(bounds[2 * d + 1], here[d]);
    }
  }
}

} // namespace

RingList ringsOf(vtkPolyData* data) {
  RingList rings;
  if (data == nullptr) {
    return rings;
  }
  if (data->GetNumberOfStrips() > 0) {
    throw InvalidArgument("the input has " + std::to_string(data->GetNumberOfStrips()) +
      " triangle strips, the first one is cell " +
      std::to_string(data->GetNumberOfVerts() + data->GetNumberOfLines() + data->GetNumberOfPolys()) +
      "; it must have polygons and closed polylines");
  }
  const auto positions = positionsOf(data);
  const auto add = [&](vtkIdList& points, vtkIdType count) {
    for (vtkIdType k = 0; k < count; ++k) {
      const double* point = positions->GetPointer(3 * points.GetId(k));
      rings.points.insert(rings.points.end(), point, point + 3);
    }
    rings.ringLengths.push_back(count);
  };
  forCells(data, data->GetLines(), data->GetNumberOfVerts(), [&](vtkIdType cell, vtkIdList& points) {
    const vtkIdType count = points.GetNumberOfIds();
    if (count == 0) {
      return;
    }
    const double* first = positions->GetPointer(3 * points.GetId(0));
    const double* last = positions->GetPointer(3 * points.GetId(count - 1));
    if (!std::equal(first, first + 3, last)) {
      throw InvalidArgument("the polyline of cell " + std::to_string(cell) + " is open: it goes from " +
        pointText(first) + " to " + pointText(last) + "; a ring must end where it begins");
    }
    add(points, count - 1);
  });
  forCells(data, data->GetPolys(), data->GetNumberOfVerts() + data->GetNumberOfLines(),
    [&](vtkIdType /*cell*/, vtkIdList& points) { add(points, points.GetNumberOfIds()); });
  return rings;
}

TriangleList trianglesOf(vtkPolyData* data) {
  TriangleList list;
  if (data == nullptr) {
    return list;
  }
  const auto positions = positionsOf(data);
  list.points.assign(positions->GetPointer(0), positions->GetPointer(0) + positions->GetNumberOfValues());
  const auto add = [&](
                     vtkIdType a, vtkIdType b, vtkIdType c) { list.triangles.insert(list.triangles.end(), {a, b, c}); };
  const vtkIdType before = data->GetNumberOfVerts() + data->GetNumberOfLines();
  // A fan covers the inside of a flat polygon an odd number of times and its outside an even number, convex or not.
  forCells(data, data->GetPolys(), before, [&](vtkIdType /*cell*/, vtkIdList& points) {
    for (vtkIdType k = 2; k < points.GetNumberOfIds(); ++k) {
      add(points.GetId(0), points.GetId(k - 1), points.GetId(k));
    }
  });
  forCells(data, data->GetStrips(), before + data->GetNumberOfPolys(), [&](vtkIdType /*cell*/, vtkIdList& points) {
    for (vtkIdType k = 2; k < points.GetNumberOfIds(); ++k) {
      add(points.GetId(k - 2), points.GetId(k - 1), points.GetId(k));
    }
  });
  return list;
}

void gatherFromAll(const RankGroup& group, RingList& rings) {
  rings.points = group.gather(rings.points);
  rings.ringLengths = group.gather(rings.ringLengths);
}

void gatherFromAll(const RankGroup& group, TriangleList& list) {
  std::vector<std::int64_t> counts;
  std::vector<double> points = group.gather(list.points, &counts);
  const std::int64_t before = std::accumulate(counts.begin(), counts.begin() + group.rank(), std::int64_t{0}) / 3;
  for (std::int64_t& point : list.triangles) {
    point += before;
  }
  list.points = std::move(points);
  list.triangles = group.gather(list.triangles);
}

void boundsOf(const RingList& rings, double bounds[6]) {
  boundsOfPoints(static_cast<std::int64_t>(rings.points.size() / 3), bounds,
    [&](std::int64_t k) { return &rings.points[static_cast<std::size_t>(3 * k)]; });
}

void boundsOf(const TriangleList& list, double bounds[6]) {
  boundsOfPoints(static_cast<std::int64_t>(list.triangles.size()), bounds, [&](std::int64_t k) {
    return &list.points[static_cast<std::size_t>(3 * list.triangles[static_cast<std::size_t>(k)])];
  });
}

HostIntervalSet<2> cellsInside(
  const RingList& rings, const GridGeometry<2>& lattice, const parallel::PlaneRange& planes, const Progress& progress) {
  const std::size_t numPoints = rings.points.size() / 3;
  const std::size_t numRings = rings.ringLengths.size();
  Kokkos::View<double* [2], Kokkos::LayoutRight, Kokkos::HostSpace> points(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::ring points")), numPoints);
  for (std::size_t k = 0; k < numPoints; ++k) {
    points(k, 0) = rings.points[3 * k];
    points(k, 1) = rings.points[3 * k + 1];
  }
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> offsets(SPANWISE_LABEL("Geometry::ring offsets"), numRings + 1);
  for (std::size_t k = 0; k < numRings; ++k) {
    offsets(k + 1) = offsets(k) + rings.ringLengths[k];
  }
  HostIntervalSet<2> set;
  const Context<HostExecutionSpace> context;
  makeFromPolygons<HostExecutionSpace>(context.with(progress), {points, offsets}, lattice, set, planes);
  return set;
}

bool mergeClosePoints(TriangleList& list, double distance) {
  const auto numPoints = static_cast<vtkIdType>(list.points.size() / 3);
  if (numPoints == 0) {
    return false;
  }
  vtkNew<vtkDoubleArray> positions;
  positions->SetNumberOfComponents(3);
  positions->SetArray(list.points.data(), 3 * numPoints, 1); // read only
  vtkNew<vtkPoints> points;
  points->SetData(positions);
  vtkNew<vtkPolyData> data;
  data->SetPoints(points);
  vtkNew<vtkStaticPointLocator> locator;
  locator->SetDataSet(data);
  locator->BuildLocator();
  std::vector<vtkIdType> first(static_cast<std::size_t>(numPoints)); // of the points that become one
  locator->MergePoints(distance, first.data());
  bool merged = false;
  for (std::int64_t& point : list.triangles) {
    const vtkIdType target = first[static_cast<std::size_t>(point)];
    merged = merged || target != point;
    point = target;
  }
  return merged;
}

TriangleSurface<Kokkos::HostSpace> surfaceOf(const TriangleList& list) {
  using Points = Kokkos::View<const double* [3], Kokkos::LayoutRight, Kokkos::HostSpace>;
  using Triangles = Kokkos::View<const std::int64_t* [3], Kokkos::LayoutRight, Kokkos::HostSpace>;
  return {
    Points(list.points.data(), list.points.size() / 3), Triangles(list.triangles.data(), list.triangles.size() / 3)};
}

HostIntervalSet<3> cellsInside(TriangleList& triangles, double distance, const GridGeometry<3>& lattice,
  const parallel::PlaneRange& planes, const Progress& progress) {
  HostIntervalSet<3> set;
  const Context<HostExecutionSpace> context;
  whereClosed(triangles, distance,
    [&] { makeFromSurface<HostExecutionSpace>(context.with(progress), surfaceOf(triangles), lattice, set, planes); });
  return set;
}

} // namespace spanwise
