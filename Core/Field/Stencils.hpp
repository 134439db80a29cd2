#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Runtime/Context.hpp"

#include <type_traits>

namespace spanwise::field {

// Stencils that are often needed, for T = float and double. They take a map of the set, or of a region of it
// (buildStencilMap()); cells that are not in the map keep their values in `out`. `outside` is the value of what is not
// in the set where the map's policy is Value. Along axis a, h_a is the spacing of cells (positive), and f- and f+ are
// the values at the neighbours. All throw InvalidArgument where fields do not have the cells of the map's set or the
// numbers of components that are named, share values, or a spacing is not positive. O(values); they allocate nothing
// and do not wait.

/// out = the Laplacian, sum over a of (f- - 2 f + f+) / h_a^2, of each component: exact for polynomials of degree 3
/// where all neighbours exist. With the policy Mirror no flux passes the boundary.
template <class ExecutionSpace, class T, int Dim>
void laplacian(const Context<ExecutionSpace>& context, const StencilMapOn<FacePattern<Dim>, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& in, const geometry::GridGeometry<Dim>& grid, std::type_identity_t<T> outside,
  FieldOn<T, ExecutionSpace>& out);

/// How values move in a step of Jacobi iteration.
template <int Dim>
struct JacobiOptions {
  geometry::GridGeometry<Dim> grid; ///< its spacing
  double relaxation = 1.0;          ///< what part of the way, greater than 0 and at most 1
};

/// out = `in` after a step of damped Jacobi iteration for Laplace's equation, each component by itself: it moves f by
/// `relaxation` of the way to the mean of its neighbours, weighed by 1 / h_a^2. Values stay within the least and the
/// greatest of `in` (and `outside`). Cells that are not in the map keep their values in `out`. Throws InvalidArgument
/// also where relaxation is out of range.
template <class ExecutionSpace, class T, int Dim>
void jacobiStep(const Context<ExecutionSpace>& context, const StencilMapOn<FacePattern<Dim>, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& in, const JacobiOptions<Dim>& options, std::type_identity_t<T> outside,
  FieldOn<T, ExecutionSpace>& out);

/// out = the gradient of a field of one component: component a is (f+ - f-) / (2 h_a), exact for polynomials of degree
/// 2 where both neighbours exist. `out` has Dim components.
template <class ExecutionSpace, class T, int Dim>
void gradient(const Context<ExecutionSpace>& context, const StencilMapOn<FacePattern<Dim>, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& in, const geometry::GridGeometry<Dim>& grid, std::type_identity_t<T> outside,
  FieldOn<T, ExecutionSpace>& out);

/// out = the divergence of a field of Dim components: the sum over a of (f_a+ - f_a-) / (2 h_a). `out` has one
/// component. With the policy Value and outside = 0 it is the negative transpose of gradient().
template <class ExecutionSpace, class T, int Dim>
void divergence(const Context<ExecutionSpace>& context, const StencilMapOn<FacePattern<Dim>, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& in, const geometry::GridGeometry<Dim>& grid, std::type_identity_t<T> outside,
  FieldOn<T, ExecutionSpace>& out);

/// out = the mean of the cell and its 8 or 26 neighbours, of each component.
template <class ExecutionSpace, class T, int Dim>
void boxFilter(const Context<ExecutionSpace>& context, const StencilMapOn<BoxPattern<Dim>, ExecutionSpace>& map,
  const FieldOn<T, ExecutionSpace>& in, std::type_identity_t<T> outside, FieldOn<T, ExecutionSpace>& out);

} // namespace spanwise::field
