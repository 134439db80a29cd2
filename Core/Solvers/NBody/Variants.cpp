#include "Core/Solvers/NBody/Variants.hpp"

#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"

namespace spanwise::nbody {

std::string_view variantName(Variant variant) {
  switch (variant) {
  case Variant::Automatic:
    return "automatic";
  case Variant::ScratchTiles:
    return "scratch tiles";
  case Variant::RegisterTiles:
    return "register tiles";
  case Variant::Mutual:
    return "mutual";
  }
  return "unknown";
}

Variant chooseVariant(const VariantCase& of) {
  constexpr double minMutual = 1024.0;
  constexpr double maxInScratch = 4096.0;
  const bool isMutual = of.within && of.isRadial;
  if (of.onHost) {
    // With several right-hand sides to share distances among saves more than taking each distance once.
    return isMutual && of.numTargets >= minMutual && of.numRightHandSides < detail::sidesAtOnce
      ? Variant::Mutual
      : Variant::RegisterTiles;
  }
  // A device has too few groups of targets in registers for all of it in small sets, most of all where numbers in
  // double take twice the registers.
  return isMutual && of.inDouble && !of.gradients && of.numRightHandSides == 1 && of.numTargets <= maxInScratch
    ? Variant::ScratchTiles
    : Variant::RegisterTiles;
}

} // namespace spanwise::nbody
