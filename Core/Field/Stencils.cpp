#include "Core/Field/Stencils.hpp"

#include "Core/Field/Stencil.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/PointText.hpp"

#include <cmath>
#include <string>

namespace spanwise::field {

namespace {

/// The sum over the axes of weight[axis] (f- + f+ - 2 f). Written so, it is 0 where values are equal.
template <class Point, class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T weighedDifferences(const Point& p, const T (&weight)[Dim]) {
  const T twice = p.centre() + p.centre();
  T sum = weight[0] * ((p.west() + p.east()) - twice);
  sum += weight[1] * ((p.south() + p.north()) - twice);
  if constexpr (Dim == 3) {
    sum += weight[2] * ((p.down() + p.up()) - twice);
  }
  return sum;
}

template <class T, int Dim>
struct Laplacian {
  T weight[Dim];
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const StencilPoint<FacePattern<Dim>, T>& p) const {
    return weighedDifferences(p, weight);
  }
};

template <class T, int Dim>
struct JacobiStep {
  T weight[Dim];
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const StencilPoint<FacePattern<Dim>, T>& p) const {
    return p.centre() + weighedDifferences(p, weight);
  }
};

template <class T, int Dim>
struct Gradient {
  T weight[Dim];
  KOKKOS_FORCEINLINE_FUNCTION void operator()(
    const StencilPoint<FacePattern<Dim>, T>& p, const StencilOutput<T, Dim>& out) const {
    out(0) = weight[0] * (p.east() - p.west());
    out(1) = weight[1] * (p.north() - p.south());
    if constexpr (Dim == 3) {
      out(2) = weight[2] * (p.up() - p.down());
    }
  }
};

template <class T, int Dim>
struct Divergence {
  T weight[Dim];
  KOKKOS_FORCEINLINE_FUNCTION void operator()(
    const StencilPoint<FacePattern<Dim>, T, Dim>& p, const StencilOutput<T, 1>& out) const {
    T sum = weight[0] * (p.east(0) - p.west(0)) + weight[1] * (p.north(1) - p.south(1));
    if constexpr (Dim == 3) {
      sum += weight[2] * (p.up(2) - p.down(2));
    }
    out() = sum;
  }
};

template <class T, int Dim>
struct BoxMean {
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const StencilPoint<BoxPattern<Dim>, T>& p) const {
    return (p.centre() + p.sumOfNeighbours()) / static_cast<T>(BoxPattern<Dim>::count + 1);
  }
};

template <int Dim>
void checkSpacing(const geometry::GridGeometry<Dim>& grid) {
  for (int axis = 0; axis < Dim; ++axis) {
    if (!(grid.spacing[axis] > 0.0) || !std::isfinite(grid.spacing[axis])) {
      throw InvalidArgument("the spacing along axis " + std::to_string(axis) + " is " + numberText(grid.spacing[axis]) +
        "; it must be positive and finite");
    }
  }
}

/// f(h_a) for each axis.
template <class T, int Dim, class F>
void setWeights(const geometry::GridGeometry<Dim>& grid, T (&weight)[Dim], const F& f) {
  checkSpacing(grid);
  for (int axis = 0; axis < Dim; ++axis) {
    weight[axis] = static_cast<T>(f(grid.spacing[axis]));
  }
}

double inverseSquare(double h) { return 1.0 / (h * h); }
double inverseDouble(double h) { return 0.5 / h; }

template <class T, int Dim>
JacobiStep<T, Dim> jacobiFunction(const JacobiOptions<Dim>& options) {
  const auto& [grid, relaxation] = options;
  if (!(relaxation > 0.0 && relaxation <= 1.0)) {
    throw InvalidArgument("the relaxation is " + numberText(relaxation) + "; it must be greater than 0 and at most 1");
  }
  checkSpacing(grid);
  double sum = 0.0;
  for (int axis = 0; axis < Dim; ++axis) {
    sum += 2.0 * inverseSquare(grid.spacing[axis]);
  }
  JacobiStep<T, Dim> function{};
  setWeights(grid, function.weight, [&](double h) { return options.relaxation * inverseSquare(h) / sum; });
  return function;
}

} // namespace

template <class ExecutionSpace, class T, int Dim>
void laplacian(const Context<ExecutionSpace>& context, const StencilMapOn<FacePattern<Dim>, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& in, const geometry::GridGeometry<Dim>& grid, std::type_identity_t<T> outside,
  FieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::laplacian");
  Laplacian<T, Dim> function{};
  setWeights(grid, function.weight, inverseSquare);
  applyStencil<ExecutionSpace, FacePattern<Dim>, T>(context.space(), map, in, outside, function, out);
}

template <class ExecutionSpace, class T, int Dim>
void jacobiStep(const Context<ExecutionSpace>& context, const StencilMapOn<FacePattern<Dim>, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& in, const JacobiOptions<Dim>& options, std::type_identity_t<T> outside,
  FieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::jacobiStep");
  applyStencil<ExecutionSpace, FacePattern<Dim>, T>(context.space(), map, in, outside, jacobiFunction<T>(options), out);
}

template <class ExecutionSpace, class T, int Dim>
void gradient(const Context<ExecutionSpace>& context, const StencilMapOn<FacePattern<Dim>, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& in, const geometry::GridGeometry<Dim>& grid, std::type_identity_t<T> outside,
  FieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::gradient");
  Gradient<T, Dim> body{};
  setWeights(grid, body.weight, inverseDouble);
  forEachStencil<1, Dim, ExecutionSpace, FacePattern<Dim>, T>(context.space(), map, in, outside, body, out);
}

template <class ExecutionSpace, class T, int Dim>
void divergence(const Context<ExecutionSpace>& context, const StencilMapOn<FacePattern<Dim>, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& in, const geometry::GridGeometry<Dim>& grid, std::type_identity_t<T> outside,
  FieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::divergence");
  Divergence<T, Dim> body{};
  setWeights(grid, body.weight, inverseDouble);
  forEachStencil<Dim, 1, ExecutionSpace, FacePattern<Dim>, T>(context.space(), map, in, outside, body, out);
}

template <class ExecutionSpace, class T, int Dim>
void boxFilter(const Context<ExecutionSpace>& context, const StencilMapOn<BoxPattern<Dim>, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& in, std::type_identity_t<T> outside, FieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::boxFilter");
  applyStencil<ExecutionSpace, BoxPattern<Dim>, T>(context.space(), map, in, outside, BoxMean<T, Dim>{}, out);
}

#define SPANWISE_STENCILS_OF(T, Space, Dim)                                                                            \
  template void laplacian<Space, T, Dim>(const Context<Space>&, const StencilMapOn<FacePattern<Dim>, Space>&,          \
    const FieldOn<T, Space>&, const geometry::GridGeometry<Dim>&, T, FieldOn<T, Space>&);                              \
  template void jacobiStep<Space, T, Dim>(const Context<Space>&, const StencilMapOn<FacePattern<Dim>, Space>&,         \
    const FieldOn<T, Space>&, const JacobiOptions<Dim>&, T, FieldOn<T, Space>&);                                       \
  template void gradient<Space, T, Dim>(const Context<Space>&, const StencilMapOn<FacePattern<Dim>, Space>&,           \
    const FieldOn<T, Space>&, const geometry::GridGeometry<Dim>&, T, FieldOn<T, Space>&);                              \
  template void divergence<Space, T, Dim>(const Context<Space>&, const StencilMapOn<FacePattern<Dim>, Space>&,         \
    const FieldOn<T, Space>&, const geometry::GridGeometry<Dim>&, T, FieldOn<T, Space>&);                              \
  template void boxFilter<Space, T, Dim>(const Context<Space>&, const StencilMapOn<BoxPattern<Dim>, Space>&,           \
    const FieldOn<T, Space>&, T, FieldOn<T, Space>&);
#define SPANWISE_STENCILS(Space, Dim) SPANWISE_STENCILS_OF(float, Space, Dim) SPANWISE_STENCILS_OF(double, Space, Dim)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_STENCILS)

} // namespace spanwise::field
