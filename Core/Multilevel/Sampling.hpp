#pragma once

#include "Core/Multilevel/MultilevelField.hpp"
#include "Core/Multilevel/MultilevelSet.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

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

/// How a field is sampled.
template <class T>
struct SamplingOptions {
  Sampling between = Sampling::Constant;
  T outside = std::numeric_limits<T>::quiet_NaN(); ///< what a point outside of the domain gets
};

/// What a point has where no leaf holds it.
inline constexpr std::int32_t noLevel = -1;

/// A hierarchy with a field on it. Cells with children hold the mean of these (restrictLevels()).
///
/// Where groups of siblings are not complete, a cell with children is not a leaf and yet the finest cell in places:
/// `leaves`, if not null, then says which cells are leaves, each a cell of its level of `levels` too.
template <class ExecutionSpace, int Dim, class T>
struct SampledField {
  const MultilevelSetOn<Dim, ExecutionSpace>& levels;
  const MultilevelFieldOn<T, ExecutionSpace>& field;
  const MultilevelSetOn<Dim, ExecutionSpace>* leaves = nullptr;
};

/// What is at points: the values of a field, and levels(p) = the level of the leaf that holds point p, or noLevel.
template <class ExecutionSpace, class T>
struct SamplesOn {
  field::FieldOn<T, ExecutionSpace> values;
  Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space> levels; ///< as long as there are points
};

/// out = the values of a field at points, and the levels of these. A point on a face, an edge or a vertex belongs to
/// the leaf on the upper side if there is one. Throws InvalidArgument if out.levels is not as long as `points`, or a
/// field does not have its level's cells. O(levels (log rows + log intervals of a row)) a point, in parallel. A
/// repeated call allocates nothing; does not wait.
template <class ExecutionSpace, int Dim, class T>
void samplePoints(const Context<ExecutionSpace>& context, const SampledField<ExecutionSpace, Dim, T>& of,
  const Kokkos::View<const Position<Dim>*, typename ExecutionSpace::memory_space>& points,
  const SamplingOptions<T>& options, SamplesOn<ExecutionSpace, T>& out);

/// levels(p) = the level of the leaf that holds point p, and cells(p) = its number among the cells of that level;
/// noLevel and -1 if no leaf holds it. As samplePoints(); level(l) of `leaves` may be the leaves alone.
template <class ExecutionSpace, int Dim>
void locatePoints(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& leaves,
  const Kokkos::View<const Position<Dim>*, typename ExecutionSpace::memory_space>& points,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& cellsOfPoints,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& levelsOfPoints);

} // namespace spanwise::multilevel
