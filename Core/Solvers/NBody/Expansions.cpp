#include "Core/Solvers/NBody/Detail/ChooseExpansions.hpp"
#include "Core/Solvers/NBody/Detail/HostSums.hpp"

#include <algorithm>

namespace spanwise::nbody::detail {

template <int Dim, class Real>
ExpansionKernels<Dim, Real> chooseExpansions(InstructionSet most) {
  const InstructionSet instructions = std::min(most, bestInstructionSet());
  ExpansionKernels<Dim, Real> kernels;
  if (instructions == InstructionSet::Avx512) {
    kernels = avx512Expansions<Dim, Real>();
  } else if (instructions == InstructionSet::Avx2) {
    kernels = avx2Expansions<Dim, Real>();
  }
  return kernels.multiply != nullptr ? kernels : expansionKernelsOf<NativeLanes, Dim, Real>(InstructionSet::Compiled);
}

template ExpansionKernels<2, float> chooseExpansions<2, float>(InstructionSet);
template ExpansionKernels<2, double> chooseExpansions<2, double>(InstructionSet);
template ExpansionKernels<3, float> chooseExpansions<3, float>(InstructionSet);
template ExpansionKernels<3, double> chooseExpansions<3, double>(InstructionSet);

} // namespace spanwise::nbody::detail
