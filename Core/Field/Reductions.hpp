#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/Region.hpp"
#include "Core/Runtime/Context.hpp"

#include <type_traits>

namespace spanwise::field {

// Reductions of all cells, or those within a region. On the host they have the same bits for any number of threads:
// sums are made in fixed blocks (Core/Runtime/Reduce.hpp). On a device that is not promised for sums of floating-point
// numbers. All wait for their result, allocate nothing on the host, and throw InvalidArgument where fields of a call,
// or a field and the set that a region is seen in, do not have the same numbers of cells. O(values).

/// What sums of values are made in: double, or int64 modulo 2^64 for integers.
template <class T>
using SumOf = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

/// The sum of the values of a component. Throws InvalidArgument if there is no such component.
template <class ExecutionSpace, class T>
SumOf<T> sum(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x, int component = 0,
  const Within<typename ExecutionSpace::memory_space>& within = {});

/// The sum of the products x y, of all components. Both must have the same number of them.
template <class ExecutionSpace, class T>
SumOf<T> dot(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x,
  const FieldOn<T, ExecutionSpace>& y, const Within<typename ExecutionSpace::memory_space>& within = {});

enum class Norm {
  L0,   ///< how many values are not 0
  L1,   ///< the sum of the magnitudes
  L2,   ///< the root of the sum of the squares
  Linf, ///< the largest magnitude
};

/// A norm of all values of all components, computed in double; 0 of nothing, NaN where a value is NaN. Cells count
/// alike: a norm that weighs them by their volume is this one times a power of the volume.
template <class ExecutionSpace, class T>
double norm(const Context<ExecutionSpace>& context, Norm kind, const FieldOn<T, ExecutionSpace>& x,
  const Within<typename ExecutionSpace::memory_space>& within = {});

/// The minimum and the maximum of a component, and where they are: the number of the first cell that has it, in
/// the field's set. NaN is neither; the cells are -1 if there are no others.
template <class T>
struct Extrema {
  T min{};
  T max{};
  std::int64_t cellOfMin = -1;
  std::int64_t cellOfMax = -1;
};

/// Throws InvalidArgument if there is no such component.
template <class ExecutionSpace, class T>
Extrema<T> extrema(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x, int component = 0,
  const Within<typename ExecutionSpace::memory_space>& within = {});

} // namespace spanwise::field
