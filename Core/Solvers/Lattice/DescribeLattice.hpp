#pragma once

#include "Core/Solvers/Lattice/LatticeOptions.hpp"

#include <string>

namespace spanwise::lattice {

/// All options that decide about the states of a flow, in words and with all digits: two runs with the same text, start
/// and obstacle have the same frames.
template <int Dim>
[[nodiscard]] std::string describe(const LatticeOptions<Dim>& options);

/// Throws InvalidArgument, with the value and the rule, for options that are out of their ranges.
template <int Dim>
void checkOptions(const LatticeOptions<Dim>& options);

} // namespace spanwise::lattice
