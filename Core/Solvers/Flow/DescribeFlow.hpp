#pragma once

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

} // namespace spanwise::flow
