#include "Core/Solvers/NBody/Variants.hpp"

#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"

#include <limits>

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
  enum class For { All, Mutual, DoublePotentials };
  struct Row {
    double minTargets;
    double maxTargets;
    int maxRightHandSides;
    For sums;
    Variant variant;
    bool onHost;
  };
  constexpr int manySides = std::numeric_limits<int>::max();
  constexpr double anyCount = std::numeric_limits<double>::infinity();
  // The first row that fits. With several right-hand sides to share distances among saves more than taking each
  // distance once. A device has too few groups of targets in registers for all of it in small sets, most of all where
  // numbers in double take twice the registers.
  static constexpr Row table[] = {
    {1024.0, anyCount, detail::sidesAtOnce - 1, For::Mutual, Variant::Mutual, true},
    {0.0, anyCount, manySides, For::All, Variant::RegisterTiles, true},
    {0.0, 4096.0, 1, For::DoublePotentials, Variant::ScratchTiles, false},
    {0.0, anyCount, manySides, For::All, Variant::RegisterTiles, false},
  };
  const auto isFor = [&](For sums) {
    const bool canBeMutual = of.within && of.isRadial;
    return sums == For::All || (canBeMutual && (sums == For::Mutual || (of.inDouble && !of.gradients)));
  };
  for (const Row& row : table) {
    if (row.onHost == of.onHost && isFor(row.sums) && of.numRightHandSides <= row.maxRightHandSides &&
      of.numTargets >= row.minTargets && of.numTargets <= row.maxTargets) {
      return row.variant;
    }
  }
  return Variant::FlatFor;
}

} // namespace spanwise::nbody
