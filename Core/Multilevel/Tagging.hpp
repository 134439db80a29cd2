#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::multilevel {

/// Which cells are to be refined, by a field on a level. Neighbours that are not on the level do not count.
enum class TagCriterion {
  /// The value is at least the limit.
  Value,
  /// The undivided gradient is at least the limit: the greatest |difference| to a face neighbour. Its unit is that of
  /// the field.
  Gradient,
  /// The sensor of R. Löhner (Comput. Methods Appl. Mech. Eng. 61, 1987) is at least the limit. It compares second
  /// differences with first ones, and is between 0 and 1 whatever the field's unit is:
  ///
  ///   E^2 = sum over axes of (R - 2 C + L)^2 / sum over axes of (|R - C| + |C - L| + filter (|R| + 2 |C| + |L|))^2
  ///
  /// Axes along which a neighbour is missing do not count. The filter keeps ripples from being refined.
  Loehner,
};

/// A criterion with its numbers.
struct Tagging {
  TagCriterion criterion = TagCriterion::Gradient;
  double limit = 0.1;
  double filter = 0.01; ///< of Loehner; usual are 0.01 to 0.1
  int component = 0;    ///< of the field
};

/// Finds neighbours for tagCells(), and keeps its memory.
template <int Dim, class MemorySpace>
struct TagScratch {
  field::StencilMap<field::FacePattern<Dim>, MemorySpace> faces;
  Kokkos::View<std::uint8_t*, MemorySpace> marks;
};

/// out = the cells of `set` that meet the criterion. Throws InvalidArgument if the field does not have the set's number
/// of cells or no such component, or the limit or the filter is NaN or the filter negative. `out` may not be `set`. A
/// repeated call allocates nothing. O(cells), and what buildStencilMap() takes.
template <class ExecutionSpace, int Dim, class T>
void tagCells(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const field::FieldOn<T, ExecutionSpace>& field, const Tagging& tagging,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out, TagScratch<Dim, typename ExecutionSpace::memory_space>& scratch);

} // namespace spanwise::multilevel
