#include "Core/Solvers/Eikonal/Factoring.hpp"

#include "Core/Geometry/Detail/PointText.hpp"
#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

namespace spanwise::eikonal {

namespace {

using spanwise::detail::forEach;
using spanwise::detail::Range;

/// Where the sources are, and in which medium: that of the first simplex around them. Vertices first, if there are any.
template <int corners, class Real, class Index>
struct WritePlaces {
  MeshView<Real, Index> mesh;
  Speed speed;
  SimplexMeshView<corners> simplices;
  Sources sources;
  StartArrays starts;
  std::int64_t numVertexPlaces;
  FactorPlace* places;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    FactorPlace& out = places[i];
    std::int64_t simplex = -1;
    if (i < numVertexPlaces) {
      const std::int64_t number = sources.vertices.numbers[i];
      const std::int64_t v = starts.representatives != nullptr ? starts.representatives[number] : number;
      simplex = simplices.ball.degrees[v] > 0 ? BallView::element(simplices.ball(v, 0)) : -1;
      out.place = mesh.vertices(v);
      out.time = sources.vertices.times != nullptr ? sources.vertices.times[i] : 0.0;
    } else {
      const std::int64_t p = i - numVertexPlaces;
      const double* at = sources.points.points + 3 * p;
      simplex = starts.simplexOfPoint[p];
      out.place = {{at[0], at[1], at[2]}};
      out.time = sources.points.times != nullptr ? sources.points.times[p] : 0.0;
    }
    if (simplex < 0) {
      out.setMedium({});
      out.time = notReached; // no simplex takes it
      return;
    }
    const std::int64_t e = simplices.elements[simplex];
    out.setMedium(speed.inverseOfElement(
      e, mesh.elements.vertices + mesh.elements.firstCorner(e), numVerticesOf(mesh.elements.typeOf(e))));
  }
};

template <class Real>
struct CopyPoints {
  VertexView<Real> vertices;
  double* points;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const Point point = vertices(v);
    for (int axis = 0; axis < 3; ++axis) {
      points[3 * v + axis] = point[axis];
    }
  }
};

template <int corners>
struct ChoosePlaces {
  SimplexMeshView<corners> simplices;
  FactoringView factoring;
  std::int64_t numPlaces;
  double radius;
  std::int32_t* out;

  KOKKOS_FUNCTION void operator()(std::int64_t s, std::int64_t& numFactored) const {
    Point middle;
    for (int k = 0; k < corners; ++k) {
      middle = middle + (1.0 / corners) * factoring.point(simplices.vertices[s * corners + k]);
    }
    double best = notReached;
    std::int32_t place = -1;
    for (std::int64_t i = 0; i < numPlaces; ++i) {
      const Point away = middle - factoring.places[i].place;
      const double time = factoring.places[i].time + factoring.places[i].stretched(middle).time;
      if (dot(away, away) <= radius * radius && time < best) {
        best = time;
        place = static_cast<std::int32_t>(i);
      }
    }
    out[s] = place;
    numFactored += place >= 0 ? 1 : 0;
  }
};

} // namespace

template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
void setFactoring(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Speed& speed,
  const SimplexMeshView<corners>& simplices, const Sources& sources, const StartArrays& starts,
  const FactoringOptions& options, Factoring<typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::setFactoring");
  if (!(options.radius >= 0.0)) {
    throw InvalidArgument("times are factored within " + spanwise::detail::numberText(options.radius) +
      " of sources: it must be a length, 0 or more");
  }
  out.numFactored = 0;
  const std::int64_t numVertexPlaces = options.by == FactorBy::PointsAndVertices ? sources.vertices.count : 0;
  const std::int64_t numPlaces = options.by == FactorBy::Nothing ? 0 : numVertexPlaces + sources.points.count;
  if (numPlaces == 0) {
    return;
  }
  reserve(out.placeOfSimplex, simplices.numSimplices, SPANWISE_LABEL("Eikonal::placeOfSimplex"));
  reserve(out.places, numPlaces, SPANWISE_LABEL("Eikonal::places"));
  reserve(out.points, 3 * simplices.numVertices, SPANWISE_LABEL("Eikonal::points"));
  forEach(SPANWISE_KERNEL("factor places"), Range<ExecutionSpace>(space, 0, numPlaces),
    WritePlaces<corners, Real, Index>{mesh, speed, simplices, sources, starts, numVertexPlaces, out.places.data()});
  forEach(SPANWISE_KERNEL("copy points"), Range<ExecutionSpace>(space, 0, simplices.numVertices),
    CopyPoints<Real>{mesh.vertices, out.points.data()});
  reduce(SPANWISE_KERNEL("choose places"), Range<ExecutionSpace>(space, 0, simplices.numSimplices),
    ChoosePlaces<corners>{simplices, {out.placeOfSimplex.data(), out.places.data(), out.points.data()}, numPlaces,
      options.radius, out.placeOfSimplex.data()},
    out.numFactored);
}

#define SPANWISE_SET_FACTORING(Real, Index, Space, corners)                                                            \
  template void setFactoring<Space, corners, Real, Index>(const Space&, const MeshView<Real, Index>&, const Speed&,    \
    const SimplexMeshView<corners>&, const Sources&, const StartArrays&, const FactoringOptions&,                      \
    Factoring<Space::memory_space>&);
#define SPANWISE_SET_FACTORING_OF_BOTH(Space)                                                                          \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SET_FACTORING, Space, 3)                                                        \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SET_FACTORING, Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_SET_FACTORING_OF_BOTH)

} // namespace spanwise::eikonal
