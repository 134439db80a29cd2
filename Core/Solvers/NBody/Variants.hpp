#pragma once

#include <string_view>

namespace spanwise::nbody {

/// How direct sums are made. All give the same sums but for rounding.
enum class Variant {
  Automatic,     ///< what a stored table says (chooseVariant())
  ScratchTiles,  ///< on a device: tiles of sources in a team's scratch memory, and a target a thread
  RegisterTiles, ///< several targets a thread in registers: of such tiles, or on the host of vectors of sources
  Mutual         ///< on the host, within one set, for radial interactions: each distance once
};

[[nodiscard]] std::string_view variantName(Variant variant);

/// What Automatic stands for, from a table of measurements (Documentation/Performance/NBody.md).
struct VariantCase {
  bool onHost = true;
  bool within = false;   ///< targets are the sources
  bool isRadial = false; ///< the interaction
  bool inDouble = false; ///< precision
  bool gradients = false;
  int numRightHandSides = 1;
  double numTargets = 0.0;
};
[[nodiscard]] Variant chooseVariant(const VariantCase& of);

} // namespace spanwise::nbody
