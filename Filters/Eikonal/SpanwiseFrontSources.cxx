#include "SpanwiseFrontSources.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseInputMesh.h"
#include "SpanwiseOwnPoints.h"
#include "SpanwiseValues.h"

#include "Core/Mesh/Simplices.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkStaticCellLocator.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <format>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>

namespace spanwise {

namespace {

/// The simplices of a surface's elements, and its lines as triangles with two corners in one place.
template <class Real, class Index>
void addTriangles(const MeshView<Real, Index>& mesh, vtkDoubleArray* times, FrontSources& to) {
  for (std::int64_t e = 0; e < mesh.elements.numElements; ++e) {
    const ElementType type = mesh.elements.typeOf(e);
    if (numVerticesOf(type) == 0) {
      continue;
    }
    std::int64_t corners[maxElementVertices];
    for (int k = 0; k < numVerticesOf(type); ++k) {
      corners[k] = mesh.elements.vertex(e, k);
      if (corners[k] < 0 || corners[k] >= mesh.vertices.numVertices) {
        throw InvalidArgument("cell " + std::to_string(e) + " of the second input (Source Input) names point " +
          std::to_string(corners[k]) + ", which is not there");
      }
    }
    if (dimensionOf(type) == 3) {
      throw InvalidArgument("cell " + std::to_string(e) + " of the second input (Source Input) is a " +
        elementTypeName(type) + "; fronts start at a surface of triangles and quadrilaterals, or at lines");
    }
    int local[maxSimplices][4] = {{0, 1, 1, 0}}; // a line
    const int count = type == ElementType::Edge ? 1 : splitIntoSimplices(type, corners, local);
    for (int s = 0; s < count; ++s) {
      to.triangles.insert(to.triangles.end(), {corners[local[s][0]], corners[local[s][1]], corners[local[s][2]]});
      to.triangleTimes.push_back(times != nullptr ? times->GetValue(e) : 0.0);
    }
  }
  for (std::int64_t v = 0; v < mesh.vertices.numVertices; ++v) {
    const Point point = mesh.vertices(v);
    to.surfacePoints.insert(to.surfacePoints.end(), {point[0], point[1], point[2]});
  }
}

/// The same surface with a line for each segment of its poly-lines, and with these arrays of cells; itself where it has
/// no poly-line. Arrays have a value for each cell.
vtkSmartPointer<vtkDataSet> withLinesAlone(vtkDataSet* surface, std::initializer_list<const char*> arrays) {
  bool hasPolyLines = false;
  for (vtkIdType cell = 0; cell < surface->GetNumberOfCells() && !hasPolyLines; ++cell) {
    hasPolyLines = surface->GetCellType(cell) == VTK_POLY_LINE;
  }
  if (!hasPolyLines) {
    return surface;
  }
  auto lines = vtkSmartPointer<vtkUnstructuredGrid>::New();
  lines->SetPoints(vtkPointSet::SafeDownCast(surface)->GetPoints());
  vtkNew<vtkIdList> cells; // of the surface
  vtkNew<vtkIdList> points;
  for (vtkIdType cell = 0; cell < surface->GetNumberOfCells(); ++cell) {
    surface->GetCellPoints(cell, points);
    if (surface->GetCellType(cell) != VTK_POLY_LINE) {
      lines->InsertNextCell(surface->GetCellType(cell), points);
      cells->InsertNextId(cell);
      continue;
    }
    for (vtkIdType k = 0; k + 1 < points->GetNumberOfIds(); ++k) {
      const vtkIdType ends[2] = {points->GetId(k), points->GetId(k + 1)};
      lines->InsertNextCell(VTK_LINE, 2, ends);
      cells->InsertNextId(cell);
    }
  }
  for (const char* name : arrays) {
    if (vtkDataArray* const from = surface->GetCellData()->GetArray(name)) {
      const auto to = vtkSmartPointer<vtkDataArray>::Take(from->NewInstance());
      to->SetName(name);
      to->SetNumberOfComponents(from->GetNumberOfComponents());
      to->SetNumberOfTuples(cells->GetNumberOfIds());
      from->GetTuples(cells, to);
      lines->GetCellData()->AddArray(to);
    }
  }
  return lines;
}

} // namespace

vtkSmartPointer<vtkDoubleArray> timesOf(vtkFieldData* arrays, const std::string& name, const char* what) {
  if (name.empty()) {
    return nullptr;
  }
  vtkDataArray* const array = arrays->GetArray(name.c_str());
  if (array == nullptr || array->GetNumberOfComponents() != 1) {
    throw InvalidArgument("the second input (Source Input) has no array '" + name + "' of one component on its " +
      what + "; it must say when fronts start there");
  }
  return doublesOf(array);
}

void addSources(FrontSources& sources, vtkDataArray* array, bool onPoints, SourceArray meaning) {
  if (array->GetNumberOfComponents() != 1) {
    throw InvalidArgument("the array '" + std::string(array->GetName() != nullptr ? array->GetName() : "") + "' has " +
      countText(array->GetNumberOfComponents(), "component") + "; an array of sources must have one");
  }
  const auto values = doublesOf(array);
  auto& numbers = onPoints ? sources.vertices : sources.elements;
  auto& times = onPoints ? sources.vertexTimes : sources.elementTimes;
  for (vtkIdType k = 0; k < values->GetNumberOfValues(); ++k) {
    const double value = values->GetValue(k);
    if (meaning == SourceArray::Marks ? value != 0.0 && !std::isnan(value) : std::isfinite(value)) {
      numbers.push_back(k);
      times.push_back(meaning == SourceArray::Marks ? 0.0 : value);
    }
  }
}

std::vector<std::int64_t> regionOf(
  vtkFieldData* arrays, const std::string& name, std::int64_t count, const std::string& what) {
  if (name.empty()) {
    return {};
  }
  vtkDataArray* const array = arrays->GetArray(name.c_str());
  if (array == nullptr || array->GetNumberOfComponents() != 1) {
    throw InvalidArgument("the input has no array '" + name + "' of one component on its " + what +
      "s; it must say which of them are the region to stop at");
  }
  checkLength(array, count, what.c_str());
  FrontSources marked;
  addSources(marked, array, true, SourceArray::Marks);
  return marked.vertices;
}

void addPoints(const RankGroup& group, FrontSources& sources, vtkDataSet* data, const std::string& timesName) {
  std::vector<double> points;
  std::vector<double> times;
  const NotOwn notOwn = notOwnPoints(group, data); // what several ranks have counts once
  group.agree([&] {
    if (data == nullptr || data->GetNumberOfPoints() == 0) {
      return;
    }
    const auto given = timesOf(data->GetPointData(), timesName, "points");
    if (given != nullptr) {
      checkLength(given, data->GetNumberOfPoints(), "point");
    }
    for (vtkIdType k = 0; k < data->GetNumberOfPoints(); ++k) {
      if (!notOwn.empty() && notOwn[static_cast<std::size_t>(k)] != isOwn) {
        continue;
      }
      double point[3];
      data->GetPoint(k, point);
      points.insert(points.end(), point, point + 3);
      times.push_back(given != nullptr ? given->GetValue(k) : 0.0);
    }
  });
  const std::vector<double> allPoints = group.gather(points);
  const std::vector<double> allTimes = group.gather(times);
  // By place: what is computed around several does not depend on which rank has which.
  std::vector<std::size_t> order(allTimes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto keyOf = [&](std::size_t k) {
    return std::tuple(allPoints[3 * k], allPoints[3 * k + 1], allPoints[3 * k + 2], allTimes[k]);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keyOf(a) < keyOf(b); });
  for (const std::size_t k : order) {
    sources.points.insert(sources.points.end(), allPoints.begin() + static_cast<std::ptrdiff_t>(3 * k),
      allPoints.begin() + static_cast<std::ptrdiff_t>(3 * k + 3));
    sources.pointTimes.push_back(allTimes[k]);
    sources.pointNumbers.push_back(static_cast<std::int64_t>(k));
  }
}

void addSurface(const RankGroup& group, FrontSources& sources, vtkDataSet* data, const std::string& timesName) {
  FrontSources mine;
  group.agree([&] {
    if (data != nullptr && data->GetNumberOfCells() > 0) {
      if (!data->IsA("vtkPolyData") && !data->IsA("vtkUnstructuredGrid")) {
        throw InvalidArgument(std::string("the second input (Source Input) is a ") + data->GetClassName() +
          "; the surface that fronts start at must be polygonal data or an unstructured grid");
      }
      const auto given = timesOf(data->GetCellData(), timesName, "cells");
      if (given != nullptr) {
        checkLength(given, data->GetNumberOfCells());
      }
      const auto lines = withLinesAlone(data, {vtkDataSetAttributes::GhostArrayName(), timesName.c_str()});
      const auto times = timesOf(lines->GetCellData(), timesName, "cells");
      const InputMesh surface = aboutInput(sourceInput, [&] { return meshOf(lines); });
      std::visit([&](const auto& mesh) { addTriangles(mesh, times, mine); }, surface.view());
    }
  });
  std::vector<std::int64_t> counts;
  sources.triangleTimes = group.gather(mine.triangleTimes, &counts);
  sources.triangles = group.gather(mine.triangles);
  std::vector<std::int64_t> coordinates;
  sources.surfacePoints = group.gather(mine.surfacePoints, &coordinates);
  // Ranks number their own points from 0.
  std::size_t at = 0;
  std::int64_t first = 0;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    for (std::int64_t k = 0; k < 3 * counts[rank]; ++k, ++at) {
      sources.triangles[at] += first;
    }
    first += coordinates[rank] / 3;
  }
}

namespace {

/// Squares of what is farther overflow in the locator.
bool isInRange(const double* coordinates, int count) {
  return std::all_of(coordinates, coordinates + count,
    [](double coordinate) { return std::abs(coordinate) <= eikonal::farthestCoordinate; });
}

} // namespace

void moveIntoMesh(const RankGroup& group, FrontSources& sources, vtkDataSet* mesh, double reach) {
  if (sources.points.empty() || !(reach > 0.0)) {
    return;
  }
  constexpr std::size_t each = placeValues;
  std::vector<double> nearest(sources.points.size() / 3 * each, std::numeric_limits<double>::infinity());
  group.agree([&] {
    if (mesh == nullptr || mesh->GetNumberOfCells() < 1) {
      return;
    }
    if (!isInRange(mesh->GetBounds(), 6)) {
      throw InvalidArgument(
        std::format("the points of the mesh reach farther than {:g} from 0 along an axis: squares of "
                    "areas must be finite",
          eikonal::farthestCoordinate));
    }
    vtkNew<vtkStaticCellLocator> locator;
    locator->SetDataSet(mesh);
    locator->BuildLocator();
    for (std::size_t k = 0; k < sources.points.size() / 3; ++k) {
      double place[3];
      double squared = 0.0;
      vtkIdType cell = -1;
      int part = 0;
      if (isInRange(sources.points.data() + 3 * k, 3) &&
        locator->FindClosestPointWithinRadius(sources.points.data() + 3 * k, reach, place, cell, part, squared) != 0) {
        nearest[each * k] = squared;
        std::copy_n(place, 3, nearest.begin() + static_cast<std::ptrdiff_t>(each * k + 1));
      }
    }
  });
  moveToNearest(group, sources, nearest);
}

void moveToNearest(const RankGroup& group, FrontSources& sources, const std::vector<double>& nearest) {
  constexpr std::size_t each = placeValues;
  const std::vector<double> all = group.gather(nearest);
  for (std::size_t k = 0; k < sources.points.size() / 3; ++k) {
    std::array<double, each> best{std::numeric_limits<double>::infinity()};
    for (std::size_t at = each * k; at < all.size(); at += nearest.size()) {
      std::array<double, each> found{};
      std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(at), each, found.begin());
      best = std::min(best, found); // of equally near ones the first by its coordinates
    }
    if (std::isfinite(best[0])) {
      std::copy_n(best.begin() + 1, 3, sources.points.begin() + static_cast<std::ptrdiff_t>(3 * k));
    }
  }
}

std::int64_t numberIn(std::initializer_list<const std::vector<std::int64_t>*> lists, std::int64_t place) {
  for (const auto* list : lists) {
    if (place < 0) {
      return -1;
    }
    if (place < std::ssize(*list)) {
      return (*list)[static_cast<std::size_t>(place)];
    }
    place -= std::ssize(*list);
  }
  return place;
}

std::int64_t FrontSources::numberOf(std::int64_t source) const {
  return numberIn(
    {&vertices, elementNumbers.empty() ? &elements : &elementNumbers, &pointNumbers, &triangleNumbers}, source);
}

UploadedSources::UploadedSources(ComputeSide side, const FrontSources& sources)
  : vertices_(side, sources.vertices), vertexTimes_(side, sources.vertexTimes), elements_(side, sources.elements),
    elementTimes_(side, sources.elementTimes), points_(side, sources.points), pointTimes_(side, sources.pointTimes),
    surfacePoints_(side, sources.surfacePoints), triangles_(side, sources.triangles),
    triangleTimes_(side, sources.triangleTimes) {
  const auto count = [](const auto& values, int each = 1) { return static_cast<std::int64_t>(values.size()) / each; };
  view_.vertices = {vertices_.data(), vertexTimes_.data(), count(sources.vertices)};
  view_.elements = {elements_.data(), elementTimes_.data(), count(sources.elements)};
  view_.points = {points_.data(), pointTimes_.data(), count(sources.points, 3), sources.reach};
  view_.surface = {surfacePoints_.data(), triangles_.data(), triangleTimes_.data(), count(sources.surfacePoints, 3),
    count(sources.triangles, 3)};
}

} // namespace spanwise
