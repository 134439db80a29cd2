#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/FieldView.hpp"

#include <cstdint>

namespace spanwise::multilevel {

/// What a coarse cell gets of the values of its children, where not all of them have to be there.
enum class CoarseValue {
  Mean,         ///< the volume average; of whole numbers the nearest one, halves away from zero
  Sum,          ///< the sum; of whole numbers at most the greatest one of the type, and at least the least
  Minimum,      ///< the least value that is not NaN
  Maximum,      ///< the greatest value that is not NaN
  First,        ///< the value of the first child in the order of cells
  MostFrequent, ///< the value with the greatest volume; of several the one that comes first in the order of cells
};

/// Values of cells that may be covered in part, and the share of each that is, in (0, 1], as coverOf() has them; null
/// where all are covered.
template <class T>
struct CoveredValues {
  FieldView<const T> values;
  const double* shares = nullptr;
};

/// Gives each coarse cell, and each component, a value made of those of its children in the fine set, one level finer.
/// Any arithmetic type; means are computed in double.
///
/// Means and frequencies count the shares of fine cells: so coarsening level by level averages over what is there,
/// however ragged its boundary.
///
/// A coarse cell without children keeps its value. Values may lie in columns or in tuples, but not in groups. O(rows
/// log rows + cells), and a search in a row for each interval. Allocates nothing and does not wait.
template <class ExecutionSpace, int Dim, class T>
void coarsenValues(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine, const CoveredValues<T>& fineValues, CoarseValue rule,
  const FieldView<T>& coarseValues);

/// coarseShares[c] = the share of coarse cell c that its children in the fine set cover; `shares` are those of the fine
/// cells, or null for 1. As coarsenValues().
template <class ExecutionSpace, int Dim>
void coverOf(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine, const double* shares, double* coarseShares);

} // namespace spanwise::multilevel
