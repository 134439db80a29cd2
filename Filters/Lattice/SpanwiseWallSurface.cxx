#include "SpanwiseWallSurface.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/DomainMorphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/RowCut.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Solvers/Lattice/WallLink.hpp"

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkGenericCell.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStaticCellLocator.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <format>
#include <limits>
#include <map>
#include <utility>
#include <vector>

using namespace spanwise::geometry;
using namespace spanwise::lattice;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

/// Points that are so many diagonals of the bounds apart may be one.
constexpr double tolerance = 1e-6;

double diagonalOf(const Bounds& bounds) {
  return std::hypot(bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4]);
}

/// The pieces of a surface, all of the same number of points, that distances are measured from.
struct Pieces {
  std::vector<double> points;
  std::vector<std::int64_t> ids;
  int pointsOfPiece;

  /// Leaves out those across an axis at most so far from a position.
  void leaveOut(int axis, double position, double within) {
    std::vector<std::int64_t> left;
    for (auto piece = ids.begin(); piece != ids.end(); piece += pointsOfPiece) {
      const auto [least, most] = std::minmax_element(
        piece, piece + pointsOfPiece, [&](std::int64_t a, std::int64_t b) { return at(a, axis) < at(b, axis); });
      const bool isAcross = at(*most, axis) - at(*least, axis) <= 1e-3 * within;
      if (!isAcross || std::abs(at(*least, axis) - position) > within) {
        left.insert(left.end(), piece, piece + pointsOfPiece);
      }
    }
    ids = std::move(left);
  }

private:
  [[nodiscard]] double at(std::int64_t point, int axis) const {
    return points[static_cast<std::size_t>(3 * point + axis)];
  }
};

/// The edges of rings. What two rings have in common is inside of their union, and no wall.
Pieces edgesOf(const RingList& rings) {
  using Point = std::array<double, 2>;
  const auto point = [&](std::int64_t k) {
    return Point{rings.points[static_cast<std::size_t>(3 * k)], rings.points[static_cast<std::size_t>(3 * k + 1)]};
  };
  std::map<std::pair<Point, Point>, std::pair<std::int64_t, std::int64_t>> odd;
  std::int64_t first = 0;
  for (const std::int64_t length : rings.ringLengths) {
    for (std::int64_t k = 0; k < length; ++k) {
      const std::int64_t a = first + k;
      const std::int64_t b = first + (k + 1) % length;
      const auto edge = std::make_pair(std::min(point(a), point(b)), std::max(point(a), point(b)));
      if (const auto [place, isNew] = odd.try_emplace(edge, a, b); !isNew) {
        odd.erase(place);
      }
    }
    first += length;
  }
  Pieces pieces{rings.points, {}, 2};
  for (const auto& [edge, ends] : odd) {
    pieces.ids.insert(pieces.ids.end(), {ends.first, ends.second});
  }
  return pieces;
}

vtkSmartPointer<vtkStaticCellLocator> locatorOf(const Pieces& pieces) {
  vtkNew<vtkDoubleArray> positions;
  positions->SetNumberOfComponents(3);
  positions->SetNumberOfTuples(static_cast<vtkIdType>(pieces.points.size() / 3));
  std::ranges::copy(pieces.points, positions->GetPointer(0));
  vtkNew<vtkPoints> points;
  points->SetData(positions);
  vtkNew<vtkCellArray> cells;
  for (auto piece = pieces.ids.begin(); piece != pieces.ids.end(); piece += pieces.pointsOfPiece) {
    const vtkIdType ids[] = {piece[0], piece[1], piece[pieces.pointsOfPiece - 1]};
    cells->InsertNextCell(pieces.pointsOfPiece, ids);
  }
  vtkNew<vtkPolyData> data;
  data->SetPoints(points);
  pieces.pointsOfPiece == 2 ? data->SetLines(cells) : data->SetPolys(cells);
  data->BuildCells(); // before threads ask
  auto locator = vtkSmartPointer<vtkStaticCellLocator>::New();
  locator->SetDataSet(data);
  locator->BuildLocator();
  return locator;
}

/// Distances of the centres of some cells of a set from a surface, in cells; NaN where it is farther than a neighbour.
template <int Dim>
struct FindDistances {
  static constexpr std::int64_t cellsInBlock = 256;

  IntervalSetView<Dim> cells;
  IntervalSetView<Dim> inside;
  double signInside;
  GridGeometry<Dim> lattice;
  double plane; ///< z in 2D
  const std::vector<std::array<double, 3>>* images;
  vtkStaticCellLocator* locator;
  std::int64_t first;
  std::vector<double>* out;

  void operator()(std::int64_t block) const {
    const auto end = std::min(std::ssize(*out), (block + 1) * cellsInBlock);
    vtkNew<vtkGenericCell> piece; // of this thread
    for (std::int64_t k = block * cellsInBlock; k < end; ++k) {
      const Cell<Dim> cell = cellOf(cells, first + k);
      const double sign = inside.findCell(cell) >= 0 ? signInside : -signInside;
      // A centre on the surface has a side, too.
      (*out)[static_cast<std::size_t>(k)] = sign * std::max(distance(cell, piece), 1e-6);
    }
  }

private:
  [[nodiscard]] double distance(const Cell<Dim>& cell, vtkGenericCell* piece) const {
    const double radius = 1.001 * std::sqrt(Dim) * lattice.spacing[0];
    for (const std::array<double, 3>& image : *images) { // the cell's own place first
      double position[3] = {0.0, 0.0, plane};
      for (int d = 0; d < Dim; ++d) {
        position[d] = lattice.centre(d, cell.at[d]) + image[static_cast<std::size_t>(d)];
      }
      double nearest[3];
      vtkIdType id = -1;
      int part = 0;
      double square = 0.0;
      int isIn = 0;
      if (locator->FindClosestPointWithinRadius(position, radius, nearest, piece, id, part, square, isIn) != 0) {
        return std::sqrt(square) / lattice.spacing[0];
      }
    }
    return std::numeric_limits<double>::quiet_NaN();
  }
};

/// Where the surface's copies are, along axes that repeat.
template <int Dim>
std::vector<std::array<double, 3>> imagesOf(const LatticeSetup<Dim>& setup) {
  std::vector<std::array<double, 3>> images(1);
  for (int d = 0; d < Dim; ++d) {
    if (setup.options.repeats[d]) {
      const double period = static_cast<double>(setup.options.box.extent(d)) * setup.lattice.spacing[d];
      for (std::size_t k = images.size(); k > 0; --k) {
        for (const double shift : {-period, period}) {
          images.push_back(images[k - 1]);
          images.back()[static_cast<std::size_t>(d)] = shift;
        }
      }
    }
  }
  return images;
}

/// What distances are measured from: the surface, without what lies in sides that are joined. Throws InvalidArgument
/// where it reaches through one of them.
template <int Dim>
Pieces wallsOf(
  const WallSurface& surface, const bool (&repeats)[Dim], const GridGeometry<Dim>& lattice, const Box<Dim>& box) {
  Pieces pieces = Dim == 2 ? edgesOf(surface.rings) : Pieces{surface.triangles.points, surface.triangles.triangles, 3};
  for (int d = 0; d < Dim; ++d) {
    if (!repeats[d]) {
      continue;
    }
    const auto axis = static_cast<std::size_t>(d);
    const double lower = lattice.face(d, box.begin[d]);
    const double upper = lattice.face(d, box.end[d]);
    const double half = 0.5 * lattice.spacing[d];
    const bool isBelow = surface.bounds[2 * axis] < lower - half;
    const bool isAbove = surface.bounds[2 * axis + 1] > upper + half;
    if (isBelow != isAbove) {
      throw InvalidArgument(
        std::format("along {} the surface reaches from {:g} to {:g}, beyond one side of the box, from {:g} to {:g}, "
                    "which is periodic; it must end within, or reach beyond both sides",
          "xyz"[d], surface.bounds[2 * axis], surface.bounds[2 * axis + 1], lower, upper));
    }
    pieces.leaveOut(d, lower, half);
    pieces.leaveOut(d, upper, half);
  }
  return pieces;
}

template <int Dim>
HostIntervalSet<Dim> cellsInside(const WallSurface& surface, const GridGeometry<Dim>& lattice, const Box<Dim>& box) {
  const parallel::PlaneRange planes{box.begin[Dim - 1], box.end[Dim - 1]};
  HostIntervalSet<Dim> inside;
  if constexpr (Dim == 2) {
    inside = cellsInside(surface.rings, lattice, planes);
  } else {
    TriangleList triangles = surface.triangles; // points may be merged
    inside = cellsInside(triangles, tolerance * diagonalOf(surface.bounds), lattice, planes);
  }
  crop<Host, Dim>(Context<Host>(), inside, box, inside);
  if (inside.empty()) {
    throw InvalidArgument(
      "no cell of the box has its centre inside of the surface, which must be in the box and wider than a cell");
  }
  return inside;
}

/// The cells of a box on both sides of the rim of a set.
template <int Dim>
HostIntervalSet<Dim> cellsBesideWalls(
  const HostIntervalSet<Dim>& inside, const Box<Dim>& box, const bool (&repeats)[Dim]) {
  const Context<Host> context;
  Periods<Dim> periods;
  periods.box = box;
  std::copy(repeats, repeats + Dim, periods.along);
  const auto around = StructuringElement<Dim>::neighbourhood(Connectivity::Vertex, 1);
  HostIntervalSet<Dim> outer;
  HostIntervalSet<Dim> inner;
  morph<Host, Dim>(context, MorphologyOperation::OuterGradient, inside, around, outer, SetDomain<Dim>(periods));
  morph<Host, Dim>(context, MorphologyOperation::InnerGradient, inside, around, inner, SetDomain<Dim>(periods));
  HostIntervalSet<Dim> all;
  combine<Host, Dim>(context, SetOperation::Union, inner, outer, all);
  crop<Host, Dim>(context, all, box, all);
  return all;
}

} // namespace

WallSurface readSurface(const RankGroup& group, vtkPolyData* data) {
  WallSurface surface;
  group.agree([&] { surface.triangles = trianglesOf(data); });
  gatherFromAll(group, surface.triangles);
  double bounds[6];
  group.agree([&] { boundsOf(surface.triangles, bounds); });
  const bool isFlat = !(bounds[5] - bounds[4] > tolerance * std::hypot(bounds[1] - bounds[0], bounds[3] - bounds[2]));
  if (surface.triangles.triangles.empty() || isFlat) {
    surface.dimension = 2;
    surface.triangles = {};
    group.agree([&] { surface.rings = ringsOf(data); });
    gatherFromAll(group, surface.rings);
    group.agree([&] {
      boundsOf(surface.rings, bounds);
      if (surface.rings.points.empty()) {
        throw InvalidArgument("the surface has no polygons; it must have polygons that are closed, or closed lines in "
                              "a plane z = constant");
      }
      if (bounds[5] - bounds[4] > tolerance * std::hypot(bounds[1] - bounds[0], bounds[3] - bounds[2])) {
        throw InvalidArgument(std::format(
          "the lines' z go from {:g} to {:g}; they must lie in a plane z = constant", bounds[4], bounds[5]));
      }
    });
  }
  std::copy_n(bounds, 6, surface.bounds.begin());
  return surface;
}

InputCells boundsOf(const WallSurface& surface) {
  InputCells cells;
  for (int d = 0; d < 3; ++d) {
    const auto axis = static_cast<std::size_t>(d);
    cells.placement.origin[d] = surface.bounds[2 * axis];
    cells.placement.spacing[d] = surface.bounds[2 * axis + 1] - surface.bounds[2 * axis];
  }
  const auto makeCell = [&]<int Dim>(RankCells<Dim>& of) {
    Box<Dim> box{};
    std::fill_n(box.end, Dim, 1);
    HostIntervalSet<Dim> made;
    makeBox<Host, Dim>(Context<Host>(), box, made);
    of.set = made;
  };
  if (surface.dimension == 2) {
    makeCell(cells.cells.emplace<RankCells<2>>());
  } else {
    makeCell(cells.cells.emplace<RankCells<3>>());
  }
  return cells;
}

template <int Dim>
void setWalls(const RankGroup& group, const WallSurface& surface, LatticeSetup<Dim>& setup) {
  const auto [lattice, box] = finestOf(setup);
  HostIntervalSet<Dim> inside;
  Pieces walls;
  group.agree([&] {
    walls = wallsOf<Dim>(surface, setup.options.repeats, lattice, box);
    inside = cellsInside<Dim>(surface, lattice, box);
  });
  std::vector<double> distances;
  group.agree([&] {
    const parallel::PlaneRange planes{box.begin[Dim - 1], box.end[Dim - 1]};
    restrictRows<Host, Dim>(
      Context<Host>(), inside, parallel::equalShare(planes, group.rank(), group.size()), setup.cells);
    setup.walls.cells = cellsBesideWalls<Dim>(inside, box, setup.options.repeats);
    const parallel::PlaneRange mine =
      parallel::equalShare({0, setup.walls.cells.numCells()}, group.rank(), group.size());
    const std::int64_t count = mine.end - mine.begin;
    distances.resize(static_cast<std::size_t>(count));
    const auto images = imagesOf(setup);
    const auto locator = locatorOf(walls);
    const FindDistances<Dim> find{setup.walls.cells.view(), inside.view(), setup.hold == CellsHold::Fluid ? 1.0 : -1.0,
      lattice, surface.bounds[4], &images, locator, mine.begin, &distances};
    const std::int64_t numBlocks = (count + find.cellsInBlock - 1) / find.cellsInBlock;
    forEach(SPANWISE_KERNEL("wall distances"), UnevenRange<Host>(Host(), 0, numBlocks), find, Work{100 * count});
    Host().fence(SPANWISE_LABEL("Lattice::setWalls"));
  });
  const std::vector<double> all = group.gather(distances);
  setup.walls.distances.assign(all.begin(), all.end());
}

template void setWalls<2>(const RankGroup&, const WallSurface&, LatticeSetup<2>&);
template void setWalls<3>(const RankGroup&, const WallSurface&, LatticeSetup<3>&);

} // namespace spanwise
