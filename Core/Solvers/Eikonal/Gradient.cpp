#include "Core/Solvers/Eikonal/Gradient.hpp"

#include "Core/Mesh/Simplices.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"

#include <string>

namespace spanwise::eikonal {

namespace {

/// A gradient times the area or volume of a simplex, and that.
struct Weighted {
  Point gradient;
  double weight;
};

KOKKOS_INLINE_FUNCTION Weighted inTriangle(const Point* x, const double* u) {
  const Point a = x[1] - x[0];
  const Point b = x[2] - x[0];
  const double aa = dot(a, a);
  const double ab = dot(a, b);
  const double bb = dot(b, b);
  const double area2 = aa * bb - ab * ab;
  const double along1 = (bb * (u[1] - u[0]) - ab * (u[2] - u[0])) / area2;
  const double along2 = (aa * (u[2] - u[0]) - ab * (u[1] - u[0])) / area2;
  const double area = Kokkos::sqrt(area2);
  return {area * (along1 * a + along2 * b), area};
}

KOKKOS_INLINE_FUNCTION Weighted inTetrahedron(const Point* x, const double* u) {
  const Point a = x[1] - x[0];
  const Point b = x[2] - x[0];
  const Point c = x[3] - x[0];
  const Point bc = cross(b, c);
  const double volume = dot(a, bc);
  const Point sum = (u[1] - u[0]) * bc + (u[2] - u[0]) * cross(c, a) + (u[3] - u[0]) * cross(a, b);
  return {volume < 0.0 ? -1.0 * sum : sum, Kokkos::abs(volume)};
}

template <class Real, class Index>
struct GradientOfElements {
  MeshView<Real, Index> mesh;
  int dimension;
  const double* times;
  double* gradients;

  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    const ElementType type = mesh.elements.typeOf(e);
    Weighted sum{{}, 0.0};
    if (dimensionOf(type) == dimension) {
      const Index* vertices = mesh.elements.vertices + mesh.elements.firstCorner(e);
      Point all[maxElementVertices];
      for (int k = 0; k < numVerticesOf(type); ++k) {
        all[k] = mesh.vertices(vertices[k]);
      }
      int locals[maxSimplices][4] = {};
      const int count = splitByPlace(type, all, locals);
      for (int s = 0; s < count; ++s) {
        Point x[4];
        double u[4];
        for (int k = 0; k <= dimension; ++k) {
          x[k] = all[locals[s][k]];
          u[k] = times[vertices[locals[s][k]]];
        }
        const Weighted part = dimension == 2 ? inTriangle(x, u) : inTetrahedron(x, u);
        sum = {sum.gradient + part.gradient, sum.weight + part.weight};
      }
    }
    const bool defined = sum.weight > 0.0 && Kokkos::isfinite(sum.gradient[0] + sum.gradient[1] + sum.gradient[2]);
    for (int axis = 0; axis < 3; ++axis) {
      gradients[3 * e + axis] = defined ? sum.gradient[axis] / sum.weight : Kokkos::Experimental::quiet_NaN_v<double>;
    }
  }
};

} // namespace

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
void gradientOfTimes(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, int dimension,
  const double* times, double* gradients) {
  SPANWISE_REGION("Eikonal::gradientOfTimes");
  if (dimension != 2 && dimension != 3) {
    throw InvalidArgument("gradients in elements of dimension " + std::to_string(dimension) +
      " are asked for: fronts go through flat elements (2) or solid ones (3)");
  }
  forEach(SPANWISE_KERNEL("gradient"), IndexRange<ExecutionSpace>(context.space(), 0, mesh.elements.numElements),
    GradientOfElements<Real, Index>{mesh, dimension, times, gradients});
}

#define SPANWISE_GRADIENT(Real, Index, Space)                                                                          \
  template void gradientOfTimes<Space, Real, Index>(                                                                   \
    const Context<Space>&, const MeshView<Real, Index>&, int, const double*, double*);
#define SPANWISE_GRADIENTS(Space) SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_GRADIENT, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_GRADIENTS)

} // namespace spanwise::eikonal
