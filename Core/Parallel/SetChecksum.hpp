#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

#include <string>

namespace spanwise::parallel {

/// Collective. A checksum of the cells of all ranks' sets. It depends on which rank has which.
template <class ExecutionSpace, int Dim>
[[nodiscard]] std::string checksumOf(
  const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set);

} // namespace spanwise::parallel
