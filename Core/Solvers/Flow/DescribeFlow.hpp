#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Flow/FlowOptions.hpp"

#include <string>

namespace spanwise::flow {

/// A state in words, with all digits.
template <int Dim>
[[nodiscard]] std::string describe(const Primitive<double, Dim>& state);

/// All options that decide about the states of a flow, in words and with all digits: two runs with the same text, start
/// and obstacle have the same frames.
template <int Dim>
[[nodiscard]] std::string describe(const FlowOptions<Dim>& options);

/// Collective. A checksum of the cells of all ranks' sets. It depends on which rank has which.
template <class ExecutionSpace, int Dim>
[[nodiscard]] std::string checksumOf(
  const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set);

} // namespace spanwise::flow
