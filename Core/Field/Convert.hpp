#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::field {

/// y = x, in the type and the layout of y, for float, double and ScaledHalf; of whole numbers to double. Throws
/// InvalidArgument unless both have the same numbers of cells and components. O(values); does not wait, and allocates
/// nothing.
template <class ExecutionSpace, class From, class To>
void convertValues(
  const Context<ExecutionSpace>& context, const FieldOn<From, ExecutionSpace>& x, FieldOn<To, ExecutionSpace>& y);

} // namespace spanwise::field
