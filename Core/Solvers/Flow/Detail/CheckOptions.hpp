#pragma once

#include "Core/Solvers/Flow/FlowOptions.hpp"

namespace spanwise::flow::detail {

/// Throws InvalidArgument, with the value and the rule, for options that are out of their ranges; probes and obstacles
/// apart.
template <int Dim>
void checkOptions(const FlowOptions<Dim>& options);

} // namespace spanwise::flow::detail
