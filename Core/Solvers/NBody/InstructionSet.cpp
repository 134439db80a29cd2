#include "Core/Solvers/NBody/InstructionSet.hpp"

#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"

namespace spanwise::nbody {

InstructionSet bestInstructionSet() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
  static const InstructionSet best = [] {
    using Interaction = InverseDistance; // one for all: a compiler has the instructions or not
    const bool hasAvx2 = __builtin_cpu_supports("x86-64-v3") != 0 &&
      detail::avx2Tile<Interaction, 3, float>(Parts::Potential, 1) != nullptr;
    const bool hasAvx512 = hasAvx2 && __builtin_cpu_supports("x86-64-v4") != 0 &&
      detail::avx512Tile<Interaction, 3, float>(Parts::Potential, 1) != nullptr;
    return hasAvx512 ? InstructionSet::Avx512 : hasAvx2 ? InstructionSet::Avx2 : InstructionSet::Compiled;
  }();
  return best;
#else
  return InstructionSet::Compiled;
#endif
}

std::string_view instructionSetName(InstructionSet instructions) {
  switch (instructions) {
  case InstructionSet::Compiled:
    return "as compiled";
  case InstructionSet::Avx2:
    return "AVX2";
  case InstructionSet::Avx512:
    return "AVX-512";
  }
  return "unknown";
}

} // namespace spanwise::nbody
