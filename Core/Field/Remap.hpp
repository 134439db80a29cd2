#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Runtime/Context.hpp"

#include <type_traits>

namespace spanwise::field {

/// out = the field on another set: the values of the cells that its set (the first of `common`) shares with the other
/// (the second), and `otherwise` in the other's remaining cells, for each component. `out` gets the field's name and
/// the given layout, in groups that of the other set's cells; its memory is used again. Throws
/// InvalidArgument if the field does not have the first set's number of cells, or the layout is one of groups for
/// another number than the second's. O(values).
template <class ExecutionSpace, class T>
void remap(const Context<ExecutionSpace>& context,
  const geometry::CommonCells<typename ExecutionSpace::memory_space>& common, const FieldOn<T, ExecutionSpace>& field,
  std::type_identity_t<T> otherwise, FieldOn<T, ExecutionSpace>& out, const FieldLayoutOn<ExecutionSpace>& layout = {});

/// The values of `from` in the cells that its set (the first of `common`) shares with that of `to` (the second) go to
/// `to`, whose other values stay. Throws InvalidArgument if a field does not have its set's number of cells, or they
/// have not the same number of components. Their layouts may differ. The two must not share values. O(values); does not
/// wait.
template <class ExecutionSpace, class T>
void copyCommon(const Context<ExecutionSpace>& context,
  const geometry::CommonCells<typename ExecutionSpace::memory_space>& common, const FieldOn<T, ExecutionSpace>& from,
  FieldOn<T, ExecutionSpace>& to);

/// out = the field restricted to a region: the values of the cells within it alone, one after the other, as the cells
/// of the intersection of its set (the first of `cells`) with the region (the second) are numbered. Otherwise as
/// remap(); a layout in groups is that of those cells.
template <class ExecutionSpace, class T>
void extract(const Context<ExecutionSpace>& context,
  const geometry::CommonCells<typename ExecutionSpace::memory_space>& cells, const FieldOn<T, ExecutionSpace>& field,
  FieldOn<T, ExecutionSpace>& out, const FieldLayoutOn<ExecutionSpace>& layout = {});

} // namespace spanwise::field
