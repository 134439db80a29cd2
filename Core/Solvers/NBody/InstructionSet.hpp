#pragma once

#include <string_view>

namespace spanwise::nbody {

/// The instructions that sums use on the host, from fewer to more.
enum class InstructionSet {
  Compiled, ///< those that the code was compiled for
  Avx2,     ///< AVX2 and FMA
  Avx512    ///< AVX-512 F and DQ
};

/// What this processor has, of what this library is built with.
[[nodiscard]] InstructionSet bestInstructionSet();

[[nodiscard]] std::string_view instructionSetName(InstructionSet instructions);

} // namespace spanwise::nbody
