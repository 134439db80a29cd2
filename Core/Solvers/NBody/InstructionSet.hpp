#pragma once

#include <string_view>

namespace spanwise::nbody {

/// The instructions that sums use on the host, from fewer to more.
enum class InstructionSet {
  Compiled, ///< those that the code was compiled for
  Avx2,     ///< those of x86-64-v3: AVX2, FMA, F16C ...
  Avx512    ///< those of x86-64-v4: AVX-512 F, BW, CD, DQ and VL too
};

/// What this processor has, of what this library is built with.
[[nodiscard]] InstructionSet bestInstructionSet();

[[nodiscard]] std::string_view instructionSetName(InstructionSet instructions);

} // namespace spanwise::nbody
