#include "Core/Solvers/NBody/Variants.hpp"

#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"

namespace spanwise::nbody {

InstructionSet bestInstructionSet() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
  static const InstructionSet best = [] {
    using Interaction = InverseDistance; // one for all: a compiler has the instructions or not
    const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
      detail::avx2Tile<Interaction, 3, float>(Parts::Potential, 1) != nullptr;
    const bool hasAvx512 = hasAvx2 && __builtin_cpu_supports("avx512f") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 &&
      detail::avx512Tile<Interaction, 3, float>(Parts::Potential, 1) != nullptr;
    return hasAvx512 ? InstructionSet::Avx512 : hasAvx2 ? InstructionSet::Avx2 : InstructionSet::Compiled;
  }();
  return best;
#else
  return InstructionSet::Compiled;
#endif
}

std::string_view variantName(Variant variant) {
  switch (variant) {
  case Variant::Automatic:
    return "automatic";
  case Variant::FlatFor:
    return "flat for";
  case Variant::FlatReduce:
    return "flat reduce";
  case Variant::NestedTeams:
    return "nested teams";
  case Variant::ScratchTiles:
    return "scratch tiles";
  case Variant::Simd:
    return "Kokkos SIMD";
  case Variant::RegisterTiles:
    return "register tiles";
  case Variant::Mutual:
    return "mutual";
  }
  return "unknown";
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

Variant chooseVariant(const VariantCase& of) {
  struct Row {
    bool onHost;
    bool mutual; // for what can be mutual only
    int mostRightHandSides;
    double leastTargets;
    Variant variant;
  };
  // The first row that fits. With several right-hand sides to share distances among saves more than taking each
  // distance once.
  static constexpr Row table[] = {
    {true, true, detail::sidesAtOnce - 1, 1024.0, Variant::Mutual},
    {true, false, 1 << 30, 0.0, Variant::RegisterTiles},
    {false, false, 1 << 30, 0.0, Variant::RegisterTiles},
  };
  for (const Row& row : table) {
    if (row.onHost == of.onHost && (!row.mutual || (of.within && of.isRadial)) &&
      of.numRightHandSides <= row.mostRightHandSides && of.numTargets >= row.leastTargets) {
      return row.variant;
    }
  }
  return Variant::FlatFor;
}

} // namespace spanwise::nbody
