#pragma once

#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"
#include "Core/Solvers/NBody/InstructionSet.hpp"

namespace spanwise::nbody::detail {

/// The kernels for the instructions that this processor has, `most` at most.
template <int Dim, class Real>
ExpansionKernels<Dim, Real> chooseExpansions(InstructionSet most);

} // namespace spanwise::nbody::detail
