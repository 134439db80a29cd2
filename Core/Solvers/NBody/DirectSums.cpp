#include "Core/Solvers/NBody/DirectSums.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"

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
  if (variant == Variant::ScratchTiles && onHost) {
    throw InvalidArgument("the variant 'scratch tiles' is for a device; on the host take 'register tiles'");
  }
  if (variant == Variant::Mutual && !canBeMutual) {
    throw InvalidArgument("the variant 'mutual' is for a radial interaction within one set on the host; "
                          "elsewhere take 'register tiles'");
  }
}

} // namespace spanwise::nbody::detail
