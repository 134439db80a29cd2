#pragma once

#include "Core/Multilevel/MultilevelField.hpp"
#include "Core/Multilevel/MultilevelSet.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace spanwise::multilevel {

/// A position in the units of a hierarchy's lattice, x first.
template <int Dim>
struct Position {
  double at[Dim];
};

/// How a field is read between cell centres.
enum class Sampling {
  Constant, ///< the value of the leaf that holds the point
  Linear, ///< that, and the leaf's slopes along the axes, as Prolongation::Linear has them: exact for linear functions
};

/// What a point has where no leaf holds it.
inline constexpr std::int32_t noLevel = -1;

/// out = the values of a field at points, and levels(p) = the level of the leaf that holds point p. A point on a face,
/// an edge or a vertex belongs to the leaf on the upper side if there is one. A point outside of the domain gets
/// `outside` and noLevel. Cells with children hold the mean of these (restrictLevels()). `levels` must be as long as
/// `points`; throws InvalidArgument if it is not, or a field does not have its level's cells. O(levels (log rows + log
/// intervals of a row)) a point, in parallel. A repeated call allocates nothing; does not wait.
///
/// Where groups of siblings are not complete, a cell with children is not a leaf and yet the finest cell in places:
/// `leaves` then says which cells are leaves, each a cell of its level of `levels` too.
template <class ExecutionSpace, int Dim, class T>
void samplePoints(const ExecutionSpace& space, const MultilevelSetOn<Dim, ExecutionSpace>& levels,
  const MultilevelFieldOn<T, ExecutionSpace>& field, Sampling sampling,
  const Kokkos::View<const Position<Dim>*, typename ExecutionSpace::memory_space>& points,
  std::type_identity_t<T> outside, field::FieldOn<T, ExecutionSpace>& out,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& levelsOfPoints,
  const MultilevelSetOn<Dim, ExecutionSpace>* leaves = nullptr);

/// levels(p) = the level of the leaf that holds point p, and cells(p) = its number among the cells of that level;
/// noLevel and -1 if no leaf holds it. As samplePoints(); level(l) of `leaves` may be the leaves alone.
template <class ExecutionSpace, int Dim>
void locatePoints(const ExecutionSpace& space, const MultilevelSetOn<Dim, ExecutionSpace>& leaves,
  const Kokkos::View<const Position<Dim>*, typename ExecutionSpace::memory_space>& points,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& cellsOfPoints,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& levelsOfPoints);

} // namespace spanwise::multilevel
