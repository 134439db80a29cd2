#pragma once

#include <string_view>

namespace spanwise::nbody {

/// How direct sums are written. All give the same sums but for rounding.
enum class Variant {
  Automatic,     ///< what a stored table says (chooseVariant())
  FlatFor,       ///< a thread for each target
  FlatReduce,    ///< a parallel reduction for each target, one target after the other
  NestedTeams,   ///< a team of threads for each target, which share its sources
  ScratchTiles,  ///< a team for several targets, which brings tiles of sources into scratch memory
  Simd,          ///< Kokkos's vectors of sources, on the host only
  RegisterTiles, ///< several targets a thread in registers; on the host with vectors of sources
  Mutual         ///< on the host, within one set, for radial interactions: each distance once
};

/// The instructions that Simd, RegisterTiles and Mutual use on the host, from fewer to more.
enum class InstructionSet {
  Compiled, ///< those that the code was compiled for
  Avx2,     ///< AVX2 and FMA
  Avx512    ///< AVX-512 F and DQ
};

/// The teams of NestedTeams and ScratchTiles, for measurements; 0: what is known to do well. Results differ by
/// rounding.
struct TeamShape {
  int numThreads = 0;    ///< of a team, 1 to 256 on a device; on the host a team has one
  int vectorLength = 0;  ///< lanes of a thread of NestedTeams: 1, 2, 4 ... 32 on a device, with at most 256 in a team
  int sourcesInTile = 0; ///< that ScratchTiles bring into scratch memory at once, 1 to 512
};

/// What this processor has, of what this library is built with.
[[nodiscard]] InstructionSet bestInstructionSet();

[[nodiscard]] std::string_view variantName(Variant variant);
[[nodiscard]] std::string_view instructionSetName(InstructionSet instructions);

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
