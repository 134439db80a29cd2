#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Multilevel/TransferMap.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::multilevel {

/// out = the map between a coarse set and a fine one, one level finer. Values are prolonged by `method` onto the cells
/// of `onto`, which lie in the fine set; restricted onto the coarse cells with all their children in the fine set.
/// Throws InvalidArgument, with a map of no cells, if a cell of `onto` is not in the fine set or its parent not in the
/// coarse one. O(rows + intervals) and, where the method has slopes, what buildStencilMap() takes. A repeated call
/// allocates nothing.
template <class ExecutionSpace, int Dim>
void buildTransferMap(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse, const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& onto, Prolongation method,
  TransferMapOn<Dim, ExecutionSpace>& out);

/// The same for prolongation alone: the map restricts onto nothing.
template <class ExecutionSpace, int Dim>
void buildProlongation(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse, const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& onto, Prolongation method,
  TransferMapOn<Dim, ExecutionSpace>& out);

/// Has a map restrict onto some cells of the coarse set, all of whose children are in the fine set; the sets are those
/// that the map is of. O(rows + intervals). A repeated call allocates nothing.
template <class ExecutionSpace, int Dim>
void buildRestriction(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse, const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& onto, TransferMapOn<Dim, ExecutionSpace>& out);

/// Each fine cell of the map gets a value made of those around its parent, in each component; other cells keep theirs.
/// Throws InvalidArgument if a field does not have the cells of its set, or the two not as many components, or the
/// method is not Injection and the values are integers. O(cells). A repeated call allocates nothing; does not wait.
template <class ExecutionSpace, int Dim, class T>
void prolong(const Context<ExecutionSpace>& context, const TransferMapOn<Dim, ExecutionSpace>& map,
  const field::FieldOn<T, ExecutionSpace>& coarse, field::FieldOn<T, ExecutionSpace>& fine);

/// Each coarse cell of the map gets the mean of its children, which conserves the integral; other cells keep their
/// values. Means of integers are rounded to the nearest, halves away from zero. Throws as prolong() does. O(cells).
/// Allocates nothing and does not wait.
template <class ExecutionSpace, int Dim, class T>
void restrictTo(const Context<ExecutionSpace>& context, const TransferMapOn<Dim, ExecutionSpace>& map,
  const field::FieldOn<T, ExecutionSpace>& fine, field::FieldOn<T, ExecutionSpace>& coarse);

} // namespace spanwise::multilevel
