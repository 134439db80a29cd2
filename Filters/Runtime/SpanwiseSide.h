#ifndef SpanwiseSide_h
#define SpanwiseSide_h

// The two sides that a filter can compute on, the host and the device, and how one of them is chosen. Not wrapped.

#include "spanwiseRuntimeModule.h"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace spanwise {

/// The two sides. Where Kokkos has no device the host stands in for it, with sets and arrays of their own on each side:
/// nothing chooses it then but who asks for it, as tests do, and all but the memory is as it is with a device.
enum class ComputeSide { Host, Device };

/// Whether Kokkos has a device.
inline constexpr bool haveDevice = !runsOnHost<Kokkos::DefaultExecutionSpace>;

/// The side that Kokkos computes on by default.
inline constexpr ComputeSide defaultSide = haveDevice ? ComputeSide::Device : ComputeSide::Host;

/// The execution space of a side.
template <ComputeSide side>
using SpaceOf = std::conditional_t<side == ComputeSide::Device, Kokkos::DefaultExecutionSpace, HostExecutionSpace>;

/// The context of a side, from which functions learn which one it is: both may have one execution space.
template <ComputeSide side>
class SideContext : public Context<SpaceOf<side>> {
public:
  SideContext() = default;
  explicit SideContext(const Communicator& communicator) : Context<SpaceOf<side>>(SpaceOf<side>(), communicator) {}
};

/// Which side filters compute on, as people choose it.
enum class SideChoice { Automatic, Host, Device };

/// Chooses for all filters that run from now on.
SPANWISERUNTIME_EXPORT void setSideChoice(SideChoice choice);
/// What was chosen last; before that what the environment variable SPANWISE_COMPUTE_ON says (automatic, host, device),
/// of which automatic is the default. Throws InvalidArgument where it is none of these.
SPANWISERUNTIME_EXPORT SideChoice sideChoice();

/// What is known of an operation before it runs.
struct SideWork {
  std::int64_t numIntervals = 0; ///< of all inputs
  std::int64_t numCells = 0;     ///< whose values it reads or writes; 0 for what works with sets alone
  bool onDevice = false;         ///< whether an input lies there
  /// Whether the host has what it works with, and would have done with it before the device had a copy.
  bool onHost = false;
};

/// The work of a solver on so many elements of a mesh, or cells: each is as much as 3 values, so that it begins at
/// 33,000. An H200 smooths 30,000 in 0.06 ms, 2 cores in 0.2 (h200-mesh.json, smoothing.json); arrival times begin to
/// be faster at about as many.
inline SideWork workOnElements(std::int64_t numElements) { return {.numCells = 3 * numElements}; }

/// The work of one pass over so many elements that lie on the host: it is done there before the device has a copy. An
/// H200 gains nothing by qualities of 10^6 tetrahedra beside 16 cores (h200-filters.json).
inline SideWork workOfPassOverElements(std::int64_t numElements) {
  SideWork work = workOnElements(numElements);
  work.onHost = true;
  return work;
}

/// The work of sums over particles: 40 pairs are as much as a value, and a particle as ten where multipoles may be
/// taken, and take less. It begins at 5,000 particles, and at 2,000 where direct sums are asked for
/// (h200-multipoles.json, h200-direct-sums-sizes.json beside 16 cores).
inline SideWork workOnPairs(std::int64_t numTargets, std::int64_t numSources, bool orByMultipoles) {
  const double pairs = static_cast<double>(numTargets) * static_cast<double>(numSources) / 40.0;
  const double most = orByMultipoles ? 10.0 * static_cast<double>(numTargets + numSources) : 1e15;
  return {.numCells = static_cast<std::int64_t>(std::min(pairs, most))};
}

/// A side, and why it is this one.
struct ChosenSide {
  ComputeSide side = ComputeSide::Host;
  const char* reason = "";
};

/// Why what was to run on the device did not.
inline constexpr const char* noMemoryOnDevice = "the device has not enough memory";

/// The side for an operation: what people have chosen; otherwise the device where there is one and enough to do for it.
/// Never by the clock: the same work runs in the same place.
SPANWISERUNTIME_EXPORT ChosenSide sideFor(const SideWork& work);
/// The same for another choice, with or without a device.
SPANWISERUNTIME_EXPORT ChosenSide sideFor(const SideWork& work, SideChoice choice, bool thereIsADevice);

/// Says in the report that an operation ran there, and how long it took if it was measured.
SPANWISERUNTIME_EXPORT void noteSide(const std::string& operation, const ChosenSide& chosen, double seconds = 0.0);

/// What ran where, how often and why.
struct SideNote {
  std::string operation;
  ComputeSide side;
  std::string reason;
  std::int64_t count = 0;
  double seconds = 0.0; ///< in all; 0 where it was not measured
};

/// All that noteSide() was told, in the order of the operations' names.
SPANWISERUNTIME_EXPORT std::vector<SideNote> sideNotes();

/// The notes as lines for people; empty where nothing has run.
SPANWISERUNTIME_EXPORT std::string toString(const std::vector<SideNote>& notes);

} // namespace spanwise

#endif
