#include "Core/Solvers/NBody/DirectSums.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace spanwise::nbody::detail {

namespace {

void requireAtLeast(const char* what, std::int64_t value, std::int64_t least) {
  if (value < least) {
    throw InvalidArgument(
      std::string(what) + " is " + std::to_string(value) + "; it must be at least " + std::to_string(least));
  }
}

void requireArray(const char* what, bool isThere, std::int64_t count) {
  if (!isThere && count > 0) {
    throw InvalidArgument(std::string(what) + " are missing for " + std::to_string(count) + " points");
  }
}

void requireFinite(const char* what, double value) {
  if (!std::isfinite(value)) {
    throw InvalidArgument(std::string(what) + " is " + numberText(value) + "; it must be finite");
  }
}

} // namespace

void checkSums(const SumOptions& options, const SumArguments& given) {
  requireAtLeast("the number of right-hand sides", options.numRightHandSides, 1);
  requireAtLeast("the number of targets", given.numTargets, 0);
  requireAtLeast("the number of sources", given.numSources, 0);
  requireAtLeast("the distance of columns of sums", given.sumStride, given.numTargets);
  requireAtLeast("the distance of columns of charges", given.chargeStride, given.numSources);
  requireArray("coordinates of targets", given.hasTargets, given.numTargets);
  requireArray("coordinates of sources", given.hasSources, given.numSources);
  requireArray("charges", given.hasCharges, given.numSources);
  requireFinite("the factor of potentials", options.potentialFactor);
  requireFinite("the factor of gradients", options.gradientFactor);
  if (!given.hasOutputs && given.numTargets > 0) {
    throw InvalidArgument("there is no array for the sums: give one for potentials, gradients, or both");
  }
}

void checkVariant(Variant variant, bool onHost, bool canBeMutual) {
  if (variant == Variant::Simd && !onHost) {
    throw InvalidArgument("the variant 'Kokkos SIMD' is for the host; on a device take 'register tiles'");
  }
  if (variant == Variant::Mutual && !canBeMutual) {
    throw InvalidArgument("the variant 'mutual' is for a radial interaction within one set on the host; "
                          "elsewhere take 'register tiles'");
  }
}

TeamShape checkedShape(const TeamShape& shape, bool onHost) {
  constexpr int maxInTeam = 256; // so many fit, whatever registers each has
  constexpr int maxLanes = 32;
  constexpr int maxSources = 512; // of doubles with moments, in 32 KiB
  const auto checked = [](const char* what, int value, int most, int usual) {
    if (value < 0 || value > most) {
      throw InvalidArgument(std::string(what) + " is " + std::to_string(value) + "; it must be 1 to " +
        std::to_string(most) + ", or 0 to be chosen");
    }
    return value != 0 ? value : usual;
  };
  const TeamShape result{checked("the number of threads of a team", shape.numThreads, onHost ? 1 : maxInTeam,
                           onHost ? 1 : maxInTeam / 2 / std::max(shape.vectorLength, 1)),
    checked("the vector length of a team", shape.vectorLength, onHost ? 1 : maxLanes, 1),
    checked("the number of sources of a tile", shape.sourcesInTile, maxSources, 256)};
  if ((result.vectorLength & (result.vectorLength - 1)) != 0) {
    throw InvalidArgument(
      "the vector length of a team is " + std::to_string(result.vectorLength) + "; it must be a power of two");
  }
  if (result.numThreads * result.vectorLength > maxInTeam) {
    throw InvalidArgument("a team of " + std::to_string(result.numThreads) + " threads of " +
      std::to_string(result.vectorLength) + " lanes is too large; together they must be at most " +
      std::to_string(maxInTeam));
  }
  return result;
}

} // namespace spanwise::nbody::detail
